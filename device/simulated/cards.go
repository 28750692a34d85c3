package simulated

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// Cards holds the cards of a simulated table, including those in hands and
// decks. The moment at which the match began seeds their shuffling, so a resumed
// match finds every card where it lay.
type Cards struct {
	mu     sync.Mutex
	dealer *engine.Dealer // nil at an empty table
	begun  engine.State   // the match before its first input; nothing changes it
	game   string
}

var _ device.Follower = (*Cards)(nil)

// Begin deals the cards of a match; with no state they are put away.
func (c *Cards) Begin(setup engine.Setup, state engine.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dealer, c.begun, c.game = nil, state, setup.Game
	if state != nil {
		c.dealer = engine.NewDealer(state, rand.New(rand.NewPCG(uint64(setup.Begin.Unix()), 0)))
	}
}

// Follow moves the cards as a step of the match says.
func (c *Cards) Follow(step engine.Step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer != nil {
		c.dealer.Follow(step)
	}
}

// Pick makes a card of a hand the next one that leaves it without a name; a
// second Pick undoes that. No journal records it: in a resumed match another
// card lies there, until it is seen.
func (c *Cards) Pick(place, card string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer == nil || !c.dealer.Pick(place, card) {
		return fmt.Errorf("%s in %s: %w", card, place, ErrNothingThere)
	}
	return nil
}

// Game returns the game of the cards, "mutants/second-edition"; "" when they are
// put away.
func (c *Cards) Game() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.game
}

// Piles returns all cards, pile by pile.
func (c *Cards) Piles() []engine.Pile {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer == nil {
		return nil
	}
	piles := slices.Clone(c.dealer.Piles())
	for i := range piles {
		piles[i].Cards = slices.Clone(piles[i].Cards)
	}
	return piles
}

// Describe returns the text of a card, line by line; nothing if the game cannot
// describe it.
func (c *Cards) Describe(card string) []engine.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d, ok := c.begun.(engine.Describer); ok {
		return d.Describe(card)
	}
	return nil
}
