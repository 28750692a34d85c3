package simulated

import (
	"math/rand/v2"
	"slices"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// Cards holds the cards of a simulated table, including the cards in hands and decks. The seed
// of the shuffle is the time at which the match began. A resumed match therefore finds every
// card where it lay.
type Cards struct {
	// Games lists the games for which Describe includes what was entered at the table.
	// Games must be set before the first match. For a card of any other game, Describe
	// returns the text as it was when the match began.
	Games []engine.Game

	mu           sync.Mutex
	dealer       *engine.Dealer // nil at an empty table
	initialState engine.State   // the match before its first input; nothing changes it
	setup        engine.Setup
	entered      []entry // definitions that were entered at the table, in the order of their positions
	position     int     // of the match

	extendedState engine.State // initialState, with the definitions entered; nil until it is made
}

// An entry is a definition that was entered at the table. Its position is that of the match
// just after the definition was entered.
type entry struct {
	position int
	define   string
}

var _ device.Follower = (*Cards)(nil)

// Begin deals the cards of a match. If state is nil, Begin puts all cards away.
func (c *Cards) Begin(setup engine.Setup, state engine.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dealer, c.initialState, c.setup = nil, state, setup
	c.entered, c.position, c.extendedState = nil, 0, state
	if state != nil {
		c.dealer = engine.NewDealer(state, rand.New(rand.NewPCG(uint64(setup.Begin.Unix()), 0)))
	}
}

// Follow moves the cards according to one step of the match.
func (c *Cards) Follow(step engine.Step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer != nil {
		c.dealer.Follow(step)
	}
	c.enter(step)
}

// enter records the definitions of a step. An undo deletes none, because a redo may bring
// the definition back.
func (c *Cards) enter(step engine.Step) {
	c.position = step.Position
	if len(c.entered) > 0 {
		c.extendedState = nil
	}
	if step.Input.Verb == engine.Undo || step.Input.Verb == engine.Redo {
		return
	}
	c.entered = slices.DeleteFunc(c.entered, func(e entry) bool { return e.position >= c.position })
	for _, event := range step.Events {
		if event.Define != "" {
			c.entered, c.extendedState = append(c.entered, entry{c.position, event.Define}), nil
		}
	}
}

// Pick chooses a card of a player's hand. The next card that leaves this hand without being
// named will be the chosen card. For example, a card is not named when a player lays it face
// down. A second Pick of the card undoes the first. If the hand does not hold the card, the
// error is ErrNothingThere.
//
// No journal records a Pick. When a match is resumed, a random card leaves the hand instead of
// the picked card. The picked card takes the place of the random card only when the random
// card is turned up.
func (c *Cards) Pick(place, card string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer == nil || !c.dealer.Pick(place, card) {
		return engine.FaultOf(ErrNothingThere, "%s does not lie on %s", card, place)
	}
	return nil
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
	piles := slices.Clone(c.dealer.Piles())
	for i := range piles {
		piles[i].Cards = slices.Clone(piles[i].Cards)
	}
	return piles
}

// Describe returns the text of a card, line by line. The text includes what was entered at the
// table. If the game cannot describe the card, Describe returns nil.
func (c *Cards) Describe(card string) []engine.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.extendedState == nil {
		c.extendedState = c.withEntered()
	}
	if d, ok := c.extendedState.(engine.Describer); ok {
		return d.Describe(card)
	}
	return nil
}

// withEntered returns the state of the match before its first input, with all definitions that
// were entered at the table. The state is the same as if these definitions had been in the
// owner's file. If nothing has been entered by now, if the game is not in Games, or if a match
// cannot begin with these definitions, withEntered returns c.initialState.
func (c *Cards) withEntered() engine.State {
	setup := c.setup
	setup.Definitions = slices.Clone(setup.Definitions)
	for _, e := range c.entered {
		if e.position <= c.position {
			setup.Definitions = append(setup.Definitions, e.define)
		}
	}
	game := engine.Find(c.Games, setup.Game)
	if game == nil || len(setup.Definitions) == len(c.setup.Definitions) {
		return c.initialState
	}
	match, err := engine.NewMatch(game, setup)
	if err != nil { // the next match will say so
		return c.initialState
	}
	return match.State()
}
