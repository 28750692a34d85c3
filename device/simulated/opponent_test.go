package simulated

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/advice"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
)

// TestOpponent plays a match of Genegrafter in which two seats are the table's and one answers by chance, sometimes
// with an undo. Nobody's answer is refused, the table keeps its pace, and it waits after an undo.
func TestOpponent(t *testing.T) {
	defer func(n int) { strengths["easy"] = n }(strengths["easy"])
	strengths["easy"] = 4
	synctest.Test(t, func(t *testing.T) {
		game := engine.Find(genegrafter.Games(), "genegrafter/standard")
		setup := engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(3), Options: map[string]string{"guide": "off"},
			Computer: map[engine.Seat]string{"blue": "easy", "yellow": "easy"}, Begin: time.Date(2026, 11, 20, 20, 15, 0, 0, time.UTC)}
		m, err := engine.NewMatch(game, setup)
		if err != nil {
			t.Fatal(err)
		}
		inputs := make(chan engine.Input)
		o := &Opponent{Cards: &Cards{Games: []engine.Game{game}}, Log: slog.New(slog.DiscardHandler)}
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
			if slices.ContainsFunc(m.Replies(nil), func(r engine.Reply) bool {
				return r.Deed && r.Input.Command() == in.Command()
			}) {
				t.Errorf("it resolves a card that the rules do not know: %q", in.Command())
			}
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

// TestSeatIsTaken hands a seat to people and back.
func TestSeatIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := engine.Find(mindbug.Games(), "mindbug/first-contact")
		m, err := engine.NewMatch(game, engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(2), First: "blue",
			Options: map[string]string{"guide": "off"}, Computer: map[engine.Seat]string{"blue": "easy"}})
		if err != nil {
			t.Fatal(err)
		}
		inputs := make(chan engine.Input, 100)
		o := &Opponent{Cards: &Cards{Games: []engine.Game{game}}, Log: slog.New(slog.DiscardHandler),
			Input: func(_ context.Context, in engine.Input) engine.Receipt {
				inputs <- in
				return engine.Receipt{Outcome: engine.Accepted}
			}}
		state, _ := m.InitialState()
		o.Begin(m.Setup(), state)
		o.Hand([]engine.Seat{"blue"})
		go func() { _ = o.Run(t.Context(), func(device.Signal) <-chan engine.Receipt { return nil }) }()
		time.Sleep(time.Minute)
		if len(inputs) > 0 {
			t.Error("it plays a seat that people have taken")
		}
		o.Hand(nil)
		began := time.Now()
		if in := <-inputs; in.Seat != "blue" || time.Since(began) > pace {
			t.Error(in, time.Since(began))
		}
	})
}

// TestHint has nothing to say but to a seat that is asked, and then only what is legal.
func TestHint(t *testing.T) {
	game := engine.Find(mindbug.Games(), "mindbug/first-contact")
	m, err := engine.NewMatch(game, engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(2), First: "blue",
		Options: map[string]string{"guide": "off"}})
	if err != nil {
		t.Fatal(err)
	}
	o := &Opponent{Cards: &Cards{Games: []engine.Game{game}}, Log: slog.New(slog.DiscardHandler)}
	state, _ := m.InitialState()
	o.Begin(m.Setup(), state)
	if list, err := o.Hint(t.Context(), "red"); list != nil || err != nil {
		t.Error(list, err)
	}
	list, err := o.Hint(t.Context(), "blue")
	if err != nil || len(list) < 3 {
		t.Fatal(list, err)
	}
	for _, c := range list {
		if err := m.Takes(c.Input); err != nil || !slices.Contains(o.dealer.Cards("blue/hand"), c.Input.Arg(0)) {
			t.Errorf("%q: %v", c.Input.Command(), err)
		}
	}
	if o.Lost() || o.match != nil {
		t.Error("nobody asked it to play")
	}
}

// TestMerged counts what a player cannot tell apart together: cards of a pile that it does not see.
func TestMerged(t *testing.T) {
	tap := func(card, place string, visits int, chance float64) advice.Choice {
		return advice.Choice{Input: engine.Input{Seat: "red", Verb: engine.Tap, Args: []string{card}}, Place: place,
			Visits: visits, Chance: chance}
	}
	got := merged([]advice.Choice{tap("a.1", "", 50, .5), tap("b.1", "deck", 40, .25), tap("c.1", "deck", 60, .5)},
		&advice.Position{})
	if len(got) != 2 || got[0].Place != "deck" || got[0].Visits != 100 || got[0].Chance != .4 || got[0].Input.Arg(0) != "" {
		t.Errorf("%+v", got)
	}
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
