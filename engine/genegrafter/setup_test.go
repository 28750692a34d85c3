package genegrafter

import (
	"math/rand/v2"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// 004 "Débuter", 5 and 6: five cards each, and a deck of three parts, each
// with a DNA strand and its share of the events that were chosen.
func TestBox(t *testing.T) {
	g := Games()[1]
	for seats := 2; seats <= 4; seats++ {
		setup := engine.Setup{Options: map[string]string{"data": "stand-in", "difficulty": "hard"}}
		for _, seat := range []engine.Seat{"red", "blue", "green", "yellow"}[:seats] {
			setup.Seats = append(setup.Seats, engine.Player{Seat: seat})
		}
		setup, err := g.Info().Complete(setup)
		if err != nil {
			t.Fatal(err)
		}
		begin, err := g.New(setup)
		if err != nil {
			t.Fatal(err)
		}
		st, err := begin()
		if err != nil {
			t.Fatal(err)
		}
		s := st.(*state)
		piles := s.Box(rand.New(rand.NewPCG(uint64(seats), 1)))
		deck := piles[len(piles)-1].Cards
		seen := map[string]bool{}
		for _, p := range piles {
			if strings.HasSuffix(p.Place, "/hand") && len(p.Cards) != handSize {
				t.Errorf("%d seats: %s has %d cards", seats, p.Place, len(p.Cards))
			}
			for _, c := range p.Cards {
				if seen[c] || s.cardNamed(c) == nil {
					t.Errorf("%d seats: %s is there twice, or in no box", seats, c)
				}
				seen[c] = true
			}
		}
		if len(seen) != boxSize || len(deck) != s.deck {
			t.Errorf("%d seats: %d cards are dealt, %d of them into a deck of %d", seats, len(seen), len(deck), s.deck)
		}
		rest := deck
		others := len(deck) - strandCount - s.rules.events
		for i := range strandCount {
			size := (i+1)*others/strandCount - i*others/strandCount + s.rules.events/strandCount + 1
			third := rest[:size]
			rest = rest[size:]
			count := func(of Type) int {
				n := 0
				for _, c := range third {
					if s.cardNamed(c).kind.Type == of {
						n++
					}
				}
				return n
			}
			if count(DNA) != 1 || count(Event) != 2 {
				t.Errorf("%d seats, part %d: %v", seats, i+1, third)
			}
		}
	}
}

// With fewer events than thirds of the deck, none of the thirds is always
// without: 004 "Débuter", 6, shares them out and does not say where one begins.
func TestEventsInEveryThird(t *testing.T) {
	g := Games()[1]
	setup, err := g.Info().Complete(engine.Setup{Seats: enginetest.Seats(2),
		Options: map[string]string{"data": "stand-in", "difficulty": "simple"}})
	if err != nil {
		t.Fatal(err)
	}
	begin, err := g.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	st, err := begin()
	if err != nil {
		t.Fatal(err)
	}
	s := st.(*state)
	var with [strandCount]int
	for seed := range uint64(60) {
		piles := s.Box(rand.New(rand.NewPCG(seed, 1)))
		deck := piles[len(piles)-1].Cards
		for i := range with { // two cards from where the next may begin
			part := deck[i*len(deck)/strandCount+2 : (i+1)*len(deck)/strandCount-2]
			for _, c := range part {
				if s.cardNamed(c).kind.Type == Event {
					with[i]++
				}
			}
		}
	}
	for i, n := range with {
		if n == 0 {
			t.Errorf("part %d never holds an event: %v", i+1, with)
		}
	}
}
