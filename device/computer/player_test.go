package computer

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"tableside/device"
	"tableside/device/simulated"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
)

// TestPlayer plays a match of Genegrafter in which two seats are the table's and one answers by chance, sometimes
// with an undo. Nobody's answer is refused, the table keeps its pace, and it waits after an undo.
func TestPlayer(t *testing.T) {
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
		o := &Player{Games: []engine.Game{game}, Cards: &simulated.Cards{}, Emit: unheard, Log: slog.New(slog.DiscardHandler)}
		answers := make(chan engine.Receipt)
		o.Input = func(ctx context.Context, in engine.Input) engine.Receipt {
			inputs <- in
			return <-answers
		}
		state, err := m.InitialState()
		if err != nil {
			t.Fatal(err)
		}
		o.Cards.Begin(m.Setup(), state)
		o.Begin(m.Setup(), state)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- o.Run(ctx, unheard) }()
		chance := rand.New(rand.NewPCG(1, 2))
		own, undone := 0, false
		apply := func(in engine.Input) {
			step, err := m.Apply(in)
			if err != nil {
				t.Fatalf("%q: %v", in.Command(), err)
			}
			o.Cards.Follow(step, m.Learned())
			o.Follow(step, m.Learned())
			undone = in.Verb == engine.Undo
		}
		for n := 0; !m.Over(); n++ {
			if n > 3000 {
				t.Fatal("no end")
			}
			if in, ok := person(m, o.Cards.Piles(), "red", chance); ok {
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

// TestSeatIsTaken hands a seat to people and back, and lets it wait.
func TestSeatIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		game := engine.Find(mindbug.Games(), "mindbug/first-contact")
		m, err := engine.NewMatch(game, engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(2), First: "blue",
			Options: map[string]string{"guide": "off"}, Computer: map[engine.Seat]string{"blue": "easy"}})
		if err != nil {
			t.Fatal(err)
		}
		inputs := make(chan engine.Input, 100)
		o := &Player{Games: []engine.Game{game}, Cards: &simulated.Cards{}, Emit: unheard, Log: slog.New(slog.DiscardHandler),
			Input: func(_ context.Context, in engine.Input) engine.Receipt {
				inputs <- in
				return engine.Receipt{Outcome: engine.Accepted}
			}}
		state, _ := m.InitialState()
		o.Cards.Begin(m.Setup(), state)
		o.Begin(m.Setup(), state)
		o.Hand([]engine.Seat{"blue"}, false)
		go func() { _ = o.Run(t.Context(), unheard) }()
		time.Sleep(time.Minute)
		if len(inputs) > 0 {
			t.Error("it plays a seat that people have taken")
		}
		o.Hand(nil, false)
		began := time.Now()
		if in := <-inputs; in.Seat != "blue" || time.Since(began) > pace {
			t.Error(in, time.Since(began))
		}
		o.Hand(nil, false) // it is asked the same again
		o.Hand(nil, true)
		time.Sleep(time.Minute)
		if len(inputs) > 0 {
			t.Error("it does not wait")
		}
		o.Hand(nil, false)
		began = time.Now()
		if <-inputs; time.Since(began) > 0 {
			t.Error("it thinks for", time.Since(began))
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
	o := &Player{Games: []engine.Game{game}, Cards: &simulated.Cards{}, Emit: unheard, Log: slog.New(slog.DiscardHandler)}
	state, _ := m.InitialState()
	o.Cards.Begin(m.Setup(), state)
	o.Begin(m.Setup(), state)
	if list, err := o.Hint(t.Context(), "red"); list != nil || err != nil {
		t.Error(list, err)
	}
	list, err := o.Hint(t.Context(), "blue")
	if err != nil || len(list) < 3 {
		t.Fatal(list, err)
	}
	for _, c := range list {
		if err := m.Takes(c.Input); err != nil || !slices.Contains(engine.CardsIn(o.Cards.Piles(), "blue/hand"), c.Input.Arg(0)) {
			t.Errorf("%q: %v", c.Input.Command(), err)
		}
	}
	if asked := o.asked(nil); o.match == nil || asked != nil {
		t.Error("nobody asked it to play")
	}
}

func unheard(device.Signal) <-chan engine.Receipt { return nil }

// otherCopies exchanges the numbers of copies: a table does not know who holds which.
func otherCopies(piles []engine.Pile) []engine.Pile {
	turned := map[string][]string{}
	for _, p := range piles {
		for _, card := range p.Cards {
			kind, _ := engine.SplitCopy(card)
			turned[kind] = slices.Insert(turned[kind], 0, card)
		}
	}
	for _, p := range piles {
		for i, card := range p.Cards {
			kind, _ := engine.SplitCopy(card)
			p.Cards[i], turned[kind] = turned[kind][0], turned[kind][1:]
		}
	}
	return piles
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

func takeable(piles []engine.Pile, place string) []string {
	return engine.Pile{Place: place, Cards: engine.CardsIn(piles, place)}.Takeable()
}

// person returns an answer of a seat or the table by chance, if one of them is asked.
func person(m *engine.Match, piles []engine.Pile, seat engine.Seat, chance *rand.Rand) (engine.Input, bool) {
	var all []engine.Input
	for _, p := range m.View().Prompts {
		if p.May || p.Seat != seat && p.Seat != engine.Table {
			continue
		}
		for _, r := range engine.AppendReplies(nil, []engine.Prompt{p}) {
			switch {
			case r.Roll != nil:
				all = append(all, thrown(m, p.Seat, chance))
			case r.Zone != "":
				for _, card := range takeable(piles, r.Zone) {
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

// TestPlayerAtARealTable plays matches with cards that people hold. What they are told to turn over or to lay is
// what the table believes there, and nobody's answer is refused.
func TestPlayerAtARealTable(t *testing.T) {
	turned := 0
	defer func(n int) { strengths["easy"] = n }(strengths["easy"])
	strengths["easy"] = 4
	games := slices.Concat(mindbug.Games(), genegrafter.Games(), mutants.Games())
	for _, name := range []string{"mindbug/first-contact", "mutants/second-edition", "genegrafter/standard"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { turned += playReal(t, engine.Find(games, name)) })
		})
	}
	if turned == 0 {
		t.Error("it has played no card")
	}
}

// TestPeek shows cards where nobody waits for them, too often, and again after people had the hand.
func TestPeek(t *testing.T) {
	game := engine.Find(mindbug.Games(), "mindbug/first-contact")
	m, err := engine.NewMatch(game, engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(2),
		Options: map[string]string{"guide": "off"}, Computer: map[engine.Seat]string{"blue": "easy"}})
	if err != nil {
		t.Fatal(err)
	}
	o := &Player{Games: []engine.Game{game}, Emit: unheard, Log: slog.New(slog.DiscardHandler)}
	state, _ := m.InitialState()
	o.Begin(m.Setup(), state)
	hand := engine.NewDealer(state, rand.New(rand.NewPCG(1, 2))).Cards("blue/hand")
	if o.Asks(0) != nil || o.Peek(engine.Table, hand[0], 0) {
		t.Error("it wants a card that may say who begins")
	}
	step, err := m.Apply(engine.Input{Seat: engine.Table, Verb: engine.Choose, Args: []string{"blue"}})
	if err != nil {
		t.Fatal(err)
	}
	o.Follow(step, nil)
	missing := func(want int) {
		t.Helper()
		if p := o.Asks(m.Seq()); want > 0 && (p == nil || p.Args["n"] != want) || want == 0 && p != nil {
			t.Errorf("it asks %+v, want %d", p, want)
		}
	}
	missing(5)
	if o.Peek("red", hand[0], m.Seq()) {
		t.Error("it looks at red's reader")
	}
	for i, card := range hand {
		for range 2 { // the second time by accident
			if !o.Peek("blue", card, m.Seq()) {
				t.Errorf("%s is played", card)
			}
		}
		missing(4 - i)
	}
	o.Hand([]engine.Seat{"blue"}, false)
	missing(0)
	o.Hand(nil, false)
	missing(5)
}

func playReal(t *testing.T, game engine.Game) (turned int) {
	setup := engine.Setup{Game: game.Info().Name, Seats: enginetest.Seats(2), Options: map[string]string{"guide": "off"},
		Computer: map[engine.Seat]string{"blue": "easy"}, Begin: time.Date(2026, 12, 1, 20, 15, 0, 0, time.UTC)}
	m, err := engine.NewMatch(game, setup)
	if err != nil {
		t.Fatal(err)
	}
	inputs := make(chan engine.Input)
	answers := make(chan engine.Receipt)
	o := &Player{Games: []engine.Game{game}, Emit: unheard, Log: slog.New(slog.DiscardHandler),
		Input: func(_ context.Context, in engine.Input) engine.Receipt {
			inputs <- in
			return <-answers
		}}
	state, err := m.InitialState()
	if err != nil {
		t.Fatal(err)
	}
	dealt := rand.New(rand.NewPCG(uint64(setup.Begin.Unix()), 0))
	truth := engine.DealerOf(otherCopies(engine.NewDealer(state, dealt).Piles()), rand.New(rand.NewPCG(1, 2)))
	o.Begin(m.Setup(), state)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.Run(ctx, unheard) }()
	chance := rand.New(rand.NewPCG(1, 2))
	apply := func(in engine.Input) {
		t.Helper()
		step, err := m.Apply(in)
		if err != nil {
			t.Fatalf("%q: %v", in.Command(), err)
		}
		_ = truth.Follow(step)
		o.Follow(step, m.Learned())
	}
	told := map[string]int{}
	for n := 0; !m.Over(); n++ {
		if n > 5000 {
			t.Fatalf("no end: %v %+v", told, m.View().Prompts)
		}
		synctest.Wait()
		asks := o.Asks(m.Seq())
		p := engine.Prompt{}
		if asks != nil {
			p = *asks
		}
		told[p.Key]++
		hand := truth.Cards("blue/hand")
		switch {
		case p.Key == "computer-show":
			cards, missing := o.hand("blue")
			for _, card := range hand {
				if !slices.Contains(cards, card) {
					if !o.Peek("blue", card, m.Seq()) {
						t.Fatalf("it does not want %s: it has %v of %v", card, cards, hand)
					}
					missing--
				}
			}
			if missing != 0 {
				t.Fatalf("it wants %d cards more: %v of %v", missing, cards, hand)
			}
		case p.Key == "computer-turn", p.Key == "computer-lay":
			cards, _ := o.hand("blue")
			card := cards[p.Args["n"].(int)-1]
			if !slices.Contains(hand, card) || len(cards) != p.Args["of"].(int) {
				t.Fatalf("%s is told, and %v lie there", card, hand)
			}
			in := engine.Input{Seat: "blue", Verb: engine.Tap, Args: []string{card}}
			if p.Key == "computer-lay" {
				i := slices.IndexFunc(truth.Piles(), func(p engine.Pile) bool { return p.Place == "blue/hand" })
				if truth.Piles()[i].Picked != card { // it may be since an undo
					truth.Pick("blue/hand", card)
				}
				in = engine.Input{Seat: "blue", Verb: engine.Key, Args: []string{"plus"}}
			}
			if apply(in); chance.IntN(8) == 0 {
				apply(engine.Input{Seat: "red", Verb: engine.Undo})
			}
		case asks != nil: // of another place
			if len(p.Options) != 1 {
				t.Fatalf("not one answer: %+v", p)
			}
			in := engine.Input{Seat: "blue", Verb: engine.Tap, Args: takeable(truth.Piles(), p.Options[0].Zone)[:1]}
			if m.Takes(in) != nil { // of a hand or a discard pile, another card
				in.Args = takeable(truth.Piles(), p.Options[0].Zone)
				in.Args = slices.DeleteFunc(slices.Clone(in.Args), func(c string) bool {
					return m.Takes(engine.Input{Seat: "blue", Verb: engine.Tap, Args: []string{c}}) != nil
				})[:1]
			}
			apply(in)
		default:
			if in, ok := person(m, truth.Piles(), "red", chance); ok {
				if apply(in); chance.IntN(8) == 0 {
					apply(engine.Input{Seat: "red", Verb: engine.Undo})
				}
				continue
			}
			select {
			case in := <-inputs:
				if in.Arg(0) == "roll" {
					in = thrown(m, in.Seat, chance)
				}
				apply(in)
				answers <- engine.Receipt{Outcome: engine.Accepted}
			case <-time.After(afterUndo): // now it asks
			}
		}
	}
	stop()
	if err := <-ended; err != nil || o.match == nil || told["computer-show"] == 0 {
		t.Error(err, o.match, told)
	}
	return told["computer-turn"]
}
