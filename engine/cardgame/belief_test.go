package cardgame

import "testing"

// Places of these tests: a hand, a deck, and cards that are not used.
const (
	hand Place = 1 << iota
	deck
	unused
	play
)

// believe returns what is known of cards that may lie in some places, of which
// each has one card.
func believe(eager bool, where ...Place) *Belief {
	b := &Belief{secret: hand | deck | unused, counted: hand | deck | unused, eager: eager, count: func(Place) int { return 1 }}
	for _, w := range where {
		b.cards = append(b.cards, &Card{Where: w})
	}
	return b
}

// TestExcludeGoesOn: what is learnt of one card may tell where the next one
// lies, in turn.
func TestExcludeGoesOn(t *testing.T) {
	b := believe(false, deck|unused, hand|deck, hand)
	b.Exclude()
	for i, want := range []Place{unused, deck, hand} {
		if got := b.cards[i].Where; got != want {
			t.Errorf("card %d lies in %b, want %b", i, got, want)
		}
	}
}
