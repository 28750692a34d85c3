package simulated

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
)

// TestOpponent plays a match of Genegrafter in which two seats are the table's and one answers by chance, sometimes
// with an undo. Nobody's answer is refused, the table keeps its pace, and it waits after an undo.
func TestOpponent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := engine.Find(genegrafter.Games(), "genegrafter/standard")
		setup := engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(3), Options: map[string]string{"guide": "off"},
			Begin: time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)}
		m, err := engine.NewMatch(game, setup)
		if err != nil {
			t.Fatal(err)
		}
		inputs := make(chan engine.Input)
		o := &Opponent{Cards: &Cards{Games: []engine.Game{game}}, Seats: map[engine.Seat]int{"blue": 4, "yellow": 4},
			Log: slog.New(slog.DiscardHandler)}
		answers := make(chan engine.Receipt)
		o.Input = func(ctx context.Context, in engine.Input) engine.Receipt {
			inputs <- in
			return <-answers
		}
		state, err := m.InitialState()
		if err != nil {
			t.Fatal(err)
		}
		o.Begin(m.Setup(), state)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- o.Run(ctx, func(device.Signal) <-chan engine.Receipt { return nil }) }()
		chance := rand.New(rand.NewPCG(1, 2))
		own, undone := 0, false
		apply := func(in engine.Input) {
			step, err := m.Apply(in)
			if err != nil {
				t.Fatalf("%q: %v", in.Command(), err)
			}
			o.Follow(step, m.Learned())
			undone = in.Verb == engine.Undo
		}
		for n := 0; !m.Over(); n++ {
			if n > 3000 {
				t.Fatal("no end")
			}
			if in, ok := person(m, o.Cards, chance); ok {
				if apply(in); chance.IntN(8) == 0 {
					apply(engine.Input{Seat: "red", Verb: engine.Undo})
				}
				continue
			}
			began := time.Now()
			in := <-inputs
			if wait := time.Since(began); wait > afterUndo || undone && wait < afterUndo-pace {
				t.Errorf("%q comes after %v, after an undo: %t", in.Command(), wait, undone)
			}
			own++
			if in.Arg(0) == "roll" { // as the table throws
				in = thrown(m, in.Seat, chance)
			}
			apply(in)
			answers <- engine.Receipt{Outcome: engine.Accepted}
		}
		stop()
		if err := <-ended; err != nil || own < 20 {
			t.Error(own, err)
		}
	})
}

func thrown(m *engine.Match, seat engine.Seat, chance *rand.Rand) engine.Input {
	for _, p := range m.View().Prompts {
		if p.Seat == seat && p.Roll != nil {
			in := engine.Input{Seat: seat, Verb: engine.Roll}
			for range p.Roll.N {
				in.Args = append(in.Args, p.Roll.Faces[chance.IntN(len(p.Roll.Faces))])
			}
			return in
		}
	}
	return engine.Input{}
}

// person returns an answer of red or the table by chance, if one of them is asked.
func person(m *engine.Match, cards *Cards, chance *rand.Rand) (engine.Input, bool) {
	var all []engine.Input
	for _, p := range m.View().Prompts {
		if p.May || p.Seat != "red" && p.Seat != engine.Table {
			continue
		}
		for _, r := range engine.AppendReplies(nil, []engine.Prompt{p}) {
			switch {
			case r.Roll != nil:
				all = append(all, thrown(m, p.Seat, chance))
			case r.Zone != "":
				for _, card := range cards.dealer.Takeable(r.Zone) {
					all = append(all, engine.Input{Seat: p.Seat, Verb: engine.Tap, Args: []string{card}})
				}
			default:
				all = append(all, r.Input)
			}
		}
	}
	chance.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, in := range all {
		if m.Takes(in) == nil {
			return in, true
		}
	}
	return engine.Input{}, false
}
