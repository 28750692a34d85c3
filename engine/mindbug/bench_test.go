package mindbug

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// BenchmarkGames plays whole random matches, from the setup to the winner.
// The players see the question and hold the hidden cards; nothing is drawn.
func BenchmarkGames(b *testing.B) {
	for i, g := range Games() {
		b.Run(editions[i].name, func(b *testing.B) {
			setup, err := g.Info().Complete(engine.Setup{Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}, First: "red"})
			if err != nil {
				b.Fatal(err)
			}
			h := &held{chance: rand.New(rand.NewPCG(1, 1))}
			inputs := 0
			for b.Loop() {
				inputs += h.playRandom(b, g, setup)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
			b.ReportMetric(float64(inputs)/float64(b.N), "inputs/game")
		})
	}
}

func BenchmarkPlay(b *testing.B) {
	enginetest.BenchPlay(b, Games()[0], engine.Setup{Seats: enginetest.Seats(2), First: "red"})
}

// held holds the hidden cards of a random match.
type held struct {
	s       *state
	hands   [2][]string
	decks   [2][]string
	heaps   [2][]string
	unused  []string
	energy  []string
	chance  *rand.Rand
	choices []choice
	args    []string
}

// playRandom plays a match at the same table as the one before.
func (h *held) playRandom(b testing.TB, g engine.Game, setup engine.Setup) int {
	st := begin(b, g, setup)
	h.deal(st.(*state))
	for n := 0; ; n++ {
		if len(h.s.Winners) > 0 {
			return n
		}
		if n > 4000 {
			b.Fatal("no end")
		}
		h.play(b, h.answer())
	}
}

func begin(b testing.TB, g engine.Game, setup engine.Setup) engine.State {
	start, err := g.New(setup)
	if err != nil {
		b.Fatal(err)
	}
	st, err := start()
	if err != nil {
		b.Fatal(err)
	}
	return st
}

func sit(b testing.TB, g engine.Game, setup engine.Setup, chance *rand.Rand) *held {
	st := begin(b, g, setup)
	return deal(st.(*state), chance)
}

func deal(s *state, chance *rand.Rand) *held {
	h := &held{chance: chance}
	h.deal(s)
	return h
}

func (h *held) deal(s *state) {
	h.s = s
	h.heaps = [2][]string{}
	for _, p := range s.Box(h.chance) {
		if pile := h.pile(p.Place); pile != nil {
			*pile = p.Cards
		}
	}
}

func (h *held) play(b testing.TB, in engine.Input) {
	events, err := h.s.Apply(in)
	if err != nil {
		b.Fatalf("%q: %v at %s", in.Command(), err, h.s.Question.Key)
	}
	for i := range events {
		h.follow(&events[i])
	}
}

// choice is an answer that may be given.
type choice struct {
	verb engine.Verb
	word string
}

// answer returns a random answer that the question takes. The next call overwrites it.
func (h *held) answer() engine.Input {
	q := &h.s.Question
	in := engine.Input{Seat: q.At(), Args: h.args[:0]}
	if q.Roll > 0 {
		in.Verb = engine.Roll
		for range q.Roll {
			in.Args = append(in.Args, faces6[h.chance.IntN(len(faces6))])
		}
		h.args = in.Args
		return in
	}
	h.choices = h.choices[:0]
	tap := func(c *card) {
		if q.In&c.Where != 0 && q.Takes(c) {
			h.choices = append(h.choices, choice{engine.Tap, c.Name})
		}
	}
	h.cardsIn(q.In, tap)
	for i := range q.Fixed {
		h.choices = append(h.choices, choice{q.Fixed[i].Verb, q.Fixed[i].Word})
	}
	picked := h.choices[h.chance.IntN(len(h.choices))]
	in.Verb, h.args = picked.verb, append(in.Args, picked.word)
	in.Args = h.args
	return in
}

// cardsIn visits the cards in places: all of a hand, the top one of a pile, and all open ones.
func (h *held) cardsIn(places Place, visit func(*card)) {
	s := h.s
	for i, p := range s.players {
		if places&p.placeOf(inHand) != 0 {
			for _, name := range h.hands[i] {
				visit(s.cardNamed(name))
			}
		}
		if places&p.placeOf(inDeck) != 0 && p.deck > 0 {
			visit(s.cardNamed(h.decks[i][0]))
		}
		if places&p.placeOf(inHeap) != 0 {
			for _, name := range h.heaps[i] {
				visit(s.cardNamed(name))
			}
		}
		for _, c := range p.play {
			visit(c)
			for _, b := range c.boosts {
				visit(b)
			}
		}
		for _, c := range p.discard {
			visit(c)
		}
	}
	for _, c := range s.energyRow {
		visit(c)
	}
	for _, c := range s.stage {
		visit(c)
	}
	if places&inEnergyDeck != 0 && s.energyDeck > 0 {
		visit(s.cardNamed(h.energy[0]))
	}
	if places&inUnused != 0 && s.unused > 0 {
		visit(s.cardNamed(h.unused[0]))
	}
}

// follow moves the hidden cards of an event.
func (h *held) follow(e *engine.Event) {
	if e.From == "" && e.To == "" {
		return
	}
	from, to := h.pile(e.From), h.pile(e.To)
	if heap := h.heap(e.From); heap != nil && (e.Card == "" || slices.Contains(*heap, e.Card)) {
		from = heap
	}
	if heap := h.heap(e.To); heap != nil && e.Card == "" {
		to = heap
	}
	for range max(1, e.N) {
		name := e.Card
		if from != nil {
			i := 0
			if name == "" && e.Name == "steals" {
				i = h.chance.IntN(len(*from))
			}
			for name != "" && (*from)[i] != name {
				i++
			}
			name = (*from)[i]
			(*from)[i] = (*from)[len(*from)-1]
			*from = (*from)[:len(*from)-1]
		}
		if to != nil {
			*to = append(*to, name)
		}
		if e.Card != "" {
			return
		}
	}
}

func (h *held) heap(place string) *[]string {
	switch place {
	case "red/discard":
		return &h.heaps[0]
	case "blue/discard":
		return &h.heaps[1]
	}
	return nil
}

// pile returns the cards of a hidden place, or nil.
func (h *held) pile(place string) *[]string {
	switch place {
	case "red/hand":
		return &h.hands[0]
	case "red/deck":
		return &h.decks[0]
	case "blue/hand":
		return &h.hands[1]
	case "blue/deck":
		return &h.decks[1]
	case "unused":
		return &h.unused
	case "energy-deck":
		return &h.energy
	}
	return nil
}
