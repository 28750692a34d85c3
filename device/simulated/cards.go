package simulated

import (
	"math/rand/v2"
	"slices"
	"sync"

	"tableside/device"
	"tableside/engine"
)

// Cards holds the cards of a simulated table, including the cards in hands and decks. The
// moment at which the match began seeds their shuffling, so a resumed match finds every card
// where it lay.
type Cards struct {
	// Games lists the games for whose cards Describe knows what was entered at the table;
	// set it before the first match. Describe describes the cards of other games as they
	// were when the match began.
	Games []engine.Game

	mu      sync.Mutex
	dealer  *engine.Dealer // nil at an empty table
	begun   engine.State   // the match before its first input; nothing changes it
	setup   engine.Setup
	entered []entry // definitions that were entered at the table, in the order of their positions
	now     int     // the match's position

	described engine.State // begun, with the definitions entered; nil until it is made
}

// An entry is a definition entered at the table, and the match's position once it was
// entered.
type entry struct {
	position int
	define   string
}

var _ device.Follower = (*Cards)(nil)

// Begin deals the cards of a match. If state is nil, Begin puts all cards away.
func (c *Cards) Begin(setup engine.Setup, state engine.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dealer, c.begun, c.setup = nil, state, setup
	c.entered, c.now, c.described = nil, 0, state
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
	c.enter(step)
}

// enter records the definitions of a step. An undo deletes none, because a redo may bring
// the definition back.
func (c *Cards) enter(step engine.Step) {
	c.now = step.Position
	if len(c.entered) > 0 {
		c.described = nil
	}
	if step.Input.Verb == engine.Undo || step.Input.Verb == engine.Redo {
		return
	}
	c.entered = slices.DeleteFunc(c.entered, func(e entry) bool { return e.position >= c.now })
	for _, event := range step.Events {
		if event.Define != "" {
			c.entered, c.described = append(c.entered, entry{c.now, event.Define}), nil
		}
	}
}

// Pick chooses a card of a hand: the next time a card leaves that hand without a name, as
// when a player lays it face down, it is this card. A second Pick of the card undoes the
// first. The error for a card that is not there is ErrNothingThere. No journal records a
// Pick: in a resumed match, a random card of the hand has left instead, and the picked card
// takes its place only when it is turned up.
func (c *Cards) Pick(place, card string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dealer == nil || !c.dealer.Pick(place, card) {
		return engine.FaultOf(ErrNothingThere, "%s does not lie on %s", card, place)
	}
	return nil
}

// Game returns the game of the cards, such as "mutants/second-edition"; "" when they are put
// away.
func (c *Cards) Game() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.setup.Game
}

// Piles returns all cards, pile by pile; nil when they are put away.
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

// Describe returns the text of a card, line by line. It includes what was entered at the
// table. It is nil if the game cannot describe the card.
func (c *Cards) Describe(card string) []engine.Text {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.described == nil {
		c.described = c.withEntered()
	}
	if d, ok := c.described.(engine.Describer); ok {
		return d.Describe(card)
	}
	return nil
}

// withEntered returns the match before its first input, as if all that has been entered at
// the table by now had already been in the owner's file. It returns c.begun if nothing has
// been entered, or if the game cannot begin like that.
func (c *Cards) withEntered() engine.State {
	setup := c.setup
	setup.Definitions = slices.Clone(setup.Definitions)
	for _, e := range c.entered {
		if e.position <= c.now {
			setup.Definitions = append(setup.Definitions, e.define)
		}
	}
	game := engine.Find(c.Games, setup.Game)
	if game == nil || len(setup.Definitions) == len(c.setup.Definitions) {
		return c.begun
	}
	match, err := engine.NewMatch(game, setup)
	if err != nil { // the next match will say so
		return c.begun
	}
	return match.State()
}
