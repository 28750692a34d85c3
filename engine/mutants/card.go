package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A Zone is a place where a card of a seat can lie. A Zone may also be a set of places, which
// says what is known of a hidden card.
type Zone = cardgame.Place

const (
	InHand Zone = 1 << iota
	InDeck
	InActive
	InLeft
	InRight
	InIncubator
	InDiscard
	InFreeze
	InPile1 // the three piles of the gene pool
	InPile2
	InPile3
	InLeaving // out of the arena, its Leave ability is resolving
	OnBoard   // FR "La Révolte": the boss's own card, on its board
	InBox     // FR "Faiblesses": out of the game

	inArena = InActive | InLeft | InRight
	inPool  = InPile1 | InPile2 | InPile3
)

// zoneNames holds the names of zones in views, scripts and corrections.
var zoneNames = map[Zone]string{
	InHand: "hand", InDeck: "deck", InActive: "active", InLeft: "left", InRight: "right",
	InIncubator: "incubator", InDiscard: "discard", InFreeze: "freeze",
	InPile1: "pool-1", InPile2: "pool-2", InPile3: "pool-3", InLeaving: "leaving",
	OnBoard: "boss", InBox: "removed",
}

// A card is one physical card of a seat. For a hidden card, only a set of zones is known. See
// know.go.
type card struct {
	kind   *Kind
	player *player
	name   string // "zombie.2", once it was tapped; "" before
	copy   int    // the number in its name
	zone   Zone
	down   bool // in the arena: knocked down, so without abilities

	answering bool // an ability that answers an attack is resolving: see answerAttack
	ongoing   bool // its Ongoing ability is resolving, and its consequences do not trigger it again
}

func (c *card) id() string {
	if c == nil {
		return ""
	}
	return c.name
}

func (c *card) isUp() bool { return c.zone&inArena != 0 && !c.down }

func (k *Kind) advanced() bool { return !k.Basic && k.Action == nil }

// A pile is one of the three piles of a gene pool. The top card of a pile should always be
// face-up. The table does not know that card until somebody taps it.
type pile struct {
	n     int
	top   *card
	mixed bool // its top was revealed while another pile's top was unknown, too: see regroup
}

func (p pile) owes() bool { return p.n > 0 && p.top == nil }

var pileZone = [3]Zone{InPile1, InPile2, InPile3}

func pileOf(z Zone) int { return slices.Index(pileZone[:], z) }

// A player is a seat and its cards.
type player struct {
	seat  engine.Seat
	index int // clockwise
	cards []*card

	hand, deck int
	deckTop    []*card // known cards on the deck; the last of them is drawn first
	arena      []*card // mutants by slot: active in the order they came, then left, then right
	incubator  *card
	discard    []*card // nil for an unnamed card
	freeze     []*card
	piles      [3]pile
	list       *Precon  // the ready-made list of its gene pool; nil if it has none, or none yet
	dealt      []*Kind  // the cards of a simulated table, until the list is known
	unlisted   bool     // it has not said or shown yet which list it plays
	picked     []string // while the pool is drafted or constructed: the copies that were tapped
	constructs bool
	bossCard   *card   // FR "La Révolte": a boss's own card; nil for people
	removed    []*card // FR "Faiblesses"

	finished     bool // takes no more turns this round
	usedLast     bool // FR "Dernière carte": its action took the last card of its hand
	mulligan     bool // its mulligan waits until it has seen its pile tops
	freezePoints int  // of the freeze zone, at the end
}

// hasHand reports whether the player has a hand and an incubator. A boss has
// neither: FR "Affecter la main ou l'Incubateur du Boss".
func (p *player) hasHand() bool { return p.bossCard == nil }

// place returns the name of a zone in events, or "" for a set of zones. A boss's cards lie in zones
// of the table.
func (p *player) place(z Zone) string {
	name := zoneNames[z]
	if name == "" || p.seat == engine.Table {
		return name
	}
	return string(p.seat) + "/" + name
}

func (p *player) mutantIn(slot Zone) *card {
	for _, c := range p.arena {
		if c.zone == slot {
			return c
		}
	}
	return nil
}

func (p *player) pooled() int { return p.piles[0].n + p.piles[1].n + p.piles[2].n }

// owed counts the piles whose top has to be revealed.
func (p *player) owed() int {
	n := 0
	if p.constructs { // there are no piles yet
		return n
	}
	for i := range p.piles {
		if p.piles[i].owes() {
			n++
		}
	}
	return n
}

func (s *state) move(event string, c *card, from, to Zone) {
	c.lift(from)
	c.lay(to)
	s.Emit(engine.Event{Name: event, Seat: c.player.seat, Card: c.id(), From: c.player.place(from),
		To: c.player.place(to)})
}

// lift takes a card out of a zone and turns it face-up. If the hand or the deck becomes empty,
// hidden cards are no longer believed to lie in that zone.
func (c *card) lift(from Zone) {
	p := c.player
	c.zone, c.down = 0, false
	switch from {
	case InHand:
		p.hand = max(0, p.hand-1)
		p.excludeEmpty(InHand, p.hand)
	case InDeck:
		p.deck = max(0, p.deck-1)
		p.deckTop = cardgame.Without(p.deckTop, c)
		p.excludeEmpty(InDeck, p.deck)
	case InActive, InLeft, InRight:
		p.arena = cardgame.Without(p.arena, c)
	case InIncubator:
		p.incubator = nil
	case InDiscard:
		p.discard = cardgame.Take(p.discard, c)
	case InFreeze:
		p.freeze = cardgame.Take(p.freeze, c)
	case InBox:
		p.removed = cardgame.Without(p.removed, c)
	case InPile1, InPile2, InPile3:
		pile := &p.piles[pileOf(from)]
		pile.n--
		if pile.top == c {
			pile.top = nil
		}
	}
}

// lay puts a card into a zone, on top if the zone has an order.
func (c *card) lay(to Zone) {
	p := c.player
	c.zone = to
	switch to {
	case InHand:
		p.hand++
	case InDeck:
		p.deck++
		p.deckTop = append(p.deckTop, c)
	case InActive, InLeft, InRight:
		at := len(p.arena)
		for at > 0 && p.arena[at-1].zone > to {
			at--
		}
		p.arena = slices.Insert(p.arena, at, c)
	case InIncubator:
		p.incubator = c
	case InDiscard:
		p.discard = append(p.discard, c)
	case InFreeze:
		p.freeze = append(p.freeze, c)
	case InBox:
		p.removed = append(p.removed, c)
	case InPile1, InPile2, InPile3:
		pile := &p.piles[pileOf(to)]
		pile.n++
		pile.top = c
	}
}

// moveDrawn moves n cards from the deck to the hand. The deck must have at least n cards.
func (s *state) moveDrawn(p *player, n int) {
	if n == 0 {
		return
	}
	for range n {
		if k := len(p.deckTop); k > 0 {
			p.deckTop[k-1].zone = InHand
			p.deckTop = p.deckTop[:k-1]
		} else {
			p.mayHaveMoved(InDeck, InHand)
		}
	}
	p.deck -= n
	p.hand += n
	p.excludeEmpty(InDeck, p.deck)
	s.Emit(engine.Event{Name: "draws", Seat: p.seat, N: n, From: p.place(InDeck), To: p.place(InHand)})
}

// shuffleDiscard makes the discard pile the new deck.
func (s *state) shuffleDiscard(p *player) {
	n := len(p.discard)
	if n == 0 {
		return
	}
	p.mayHaveMoved(InDiscard, InDeck)
	p.excludeEmpty(InDiscard, 0)
	p.deck += n
	p.deckTop, p.discard = nil, nil
	s.Emit(engine.Event{Name: engine.EventShuffle, Seat: p.seat, N: n, From: p.place(InDiscard), To: p.place(InDeck)})
}

// discardHand discards the whole hand of a player without naming its cards.
func (s *state) discardHand(p *player) {
	n := p.hand
	if n == 0 {
		return
	}
	p.mayHaveMoved(InHand, InDiscard)
	p.excludeEmpty(InHand, 0)
	p.discard = append(p.discard, make([]*card, n)...)
	p.hand = 0
	s.Emit(engine.Event{Name: "throws-away", Seat: p.seat, N: n, From: p.place(InHand), To: p.place(InDiscard)})
}
