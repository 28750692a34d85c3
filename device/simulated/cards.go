// Package simulated knows the cards in everybody's hands and decks, at a table without real cards.
package simulated

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// Cards holds the cards of a simulated table, including the cards in hands and decks. The seed of the shuffle is the
// time at which the match began, or the one that it goes on from: a resumed match finds every card where it lay.
type Cards struct {
	// Games lists the games for which Describe includes what was entered at the table.
	// Games must be set before the first match. For a card of any other game, Describe
	// returns the text as it was when the match began.
	Games []engine.Game

	mu           sync.Mutex
	dealer       *engine.Dealer // nil at an empty table
	initialState engine.State   // the match before its first input; nothing changes it
	setup        engine.Setup
	learned      []string     // definitions that were entered at the table
	describing   engine.State // initialState, with the definitions entered; nil until it is made
}

var _ device.Follower = (*Cards)(nil)

// Begin deals the cards of a match. If state is nil, Begin puts all cards away.
func (c *Cards) Begin(setup engine.Setup, state engine.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dealer, c.initialState, c.setup = nil, state, setup
	c.learned, c.describing = nil, state
	if state != nil {
		dealt := engine.BeginOf(cmp.Or(setup.After, setup.MatchID()))
		c.dealer = engine.NewDealer(state, rand.New(rand.NewPCG(uint64(dealt.Unix()), 0)))
	}
}

// Follow moves the cards according to one step of the match.
func (c *Cards) Follow(step engine.Step, learned []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer != nil {
		c.dealer.Follow(step)
	}
	if !slices.Equal(learned, c.learned) {
		c.learned, c.describing = learned, nil
	}
}

// Pick chooses a card of a player's hand. The next card that leaves this hand without being
// named will be the chosen card. For example, a card is not named when a player lays it face
// down. A second Pick of the card undoes the first. If the hand does not hold the card, Pick
// returns false.
//
// No journal records a Pick. When a match is resumed, a random card leaves the hand instead of
// the picked card. The picked card takes the place of the random card only when the random
// card is turned up.
func (c *Cards) Pick(place, card string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dealer != nil && c.dealer.Pick(place, card)
}

// Game returns the game of the cards, such as "mutants/second-edition". When the cards are put
// away, Game returns "".
func (c *Cards) Game() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.setup.Game
}

// Piles returns all cards, pile by pile. When the cards are put away, Piles returns nil.
func (c *Cards) Piles() []engine.Pile {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer == nil {
		return nil
	}
	return engine.ClonePiles(c.dealer.Piles())
}

// Describe returns the text of a card, line by line. The text includes what was entered at the
// table. If the game cannot describe the card, Describe returns nil.
func (c *Cards) Describe(card string) []engine.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.describing == nil {
		c.describing = c.withLearned()
	}
	if d, ok := c.describing.(engine.Describer); ok {
		return d.Describe(card)
	}
	return nil
}

// withLearned returns the state of the match before its first input, as if the definitions that
// were entered at the table had been in the owner's file. If none have, if the game is not in
// Games, or if a match cannot begin with these definitions, withLearned returns c.initialState.
func (c *Cards) withLearned() engine.State {
	setup := c.setup
	setup.Definitions = slices.Concat(setup.Definitions, c.learned)
	game := engine.Find(c.Games, setup.Game)
	if game == nil || len(c.learned) == 0 {
		return c.initialState
	}
	match, err := engine.NewMatch(game, setup)
	if err != nil { // the next match will say so
		return c.initialState
	}
	return match.State()
}
