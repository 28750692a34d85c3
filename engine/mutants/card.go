package mutants

import (
	"math/bits"
	"slices"
	"strconv"

	"tableside/engine"
)

// A card is one physical card of a seat. Of a card that lies hidden only a
// set of zones is known: a shuffle or a draw widens it, a tap narrows it.
type card struct {
	kind   *Kind
	player *player
	name   string // "zombie.2", once it was tapped; "" before
	where  Zone
}

// id is how outputs name the card.
func (c *card) id() string {
	if c == nil {
		return ""
	}
	return c.name
}

// A mutant is a card in a slot of the arena.
type mutant struct {
	*card
	down bool // knocked down: it has no abilities
}

// up reports whether a mutant lies there face-up.
func (m mutant) up() bool { return m.card != nil && !m.down }

// A slot of the arena.
type slot int

const (
	activeSlot slot = iota
	leftSlot
	rightSlot
	slotCount
)

// slotZone is the zone of each slot.
var slotZone = [slotCount]Zone{InActive, InLeft, InRight}

// slotOf is the slot of an arena zone.
func slotOf(z Zone) slot {
	for sl, zone := range slotZone {
		if zone == z {
			return slot(sl)
		}
	}
	return -1
}

// A pile is one of the three of a gene pool. Its top card should always be
// face-up; until it was tapped the table does not know it.
type pile struct {
	n   int
	top *card
}

// pileZone is the zone of each pile.
var pileZone = [3]Zone{InPile1, InPile2, InPile3}

// A player is a seat and its cards.
type player struct {
	seat  engine.Seat
	index int // clockwise
	cards []*card

	hand, deck int
	deckTop    []*card // known cards on the deck, the next to be drawn last
	slots      [slotCount]mutant
	queue      []mutant // came into the active slot while it was taken
	incubator  *card
	discard    []*card // nil for a card that nobody has named
	freeze     []*card
	piles      [3]pile

	finished     bool // takes no more turns this round
	freezePoints int  // entered by hand, without cards, and at the end
}

func (p *player) place(z Zone) string { return string(p.seat) + "/" + zoneNames[z] }

// owed counts the piles whose top has to be revealed.
func (p *player) owed() int {
	n := 0
	for i := range p.piles {
		if p.piles[i].n > 0 && p.piles[i].top == nil {
			n++
		}
	}
	return n
}

// find returns the player's card of a kind and copy that may lie in one of
// the zones, or a refusal that says where it is. A card that was never tapped
// is the most certain one of its kind: that leaves most open for the others.
func (s *state) find(p *player, name string, zones Zone, confirmed bool) (*card, error) {
	c := s.tapped[name]
	if c == nil {
		var err error
		if c, err = s.claim(p, name, zones); err != nil {
			return nil, err
		}
	}
	if c.player != p {
		return nil, engine.Refuse("refusal.card-of", "card", engine.CardWord(name), "seat", c.player.seat)
	}
	if c.where&zones == 0 {
		zone, may := p.mistaken(c, zones)
		if !confirmed || !may {
			return nil, &engine.Refusal{Override: may, Text: engine.T("refusal.card-elsewhere", "card", engine.CardWord(name), "zone", zoneWord(c.where))}
		}
		p.believe(c, zone)
	}
	c.where &= zones // the tap has shown it
	if c.name == "" {
		c.name = name
		s.tapped[name] = c
	}
	return c, nil
}

// claim finds which of the player's cards a copy is that was never tapped.
func (s *state) claim(p *player, name string, zones Zone) (*card, error) {
	id, number := engine.SplitCopy(name)
	kind := s.rules.kinds[id]
	if kind == nil {
		return nil, engine.Refuse("refusal.unknown-card", "name", name)
	}
	if number < 1 || number > kind.copies() || name != id+"."+strconv.Itoa(number) {
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.copies(), "name", name)
	}
	var best *card
	rank := func(c *card) int {
		r := bits.OnesCount16(uint16(c.where))
		if c.where&zones == 0 {
			r += 100
		}
		return r
	}
	for _, c := range p.cards {
		if c.kind == kind && c.name == "" && (best == nil || rank(c) < rank(best)) {
			best = c
		}
	}
	if best == nil {
		return nil, engine.Refuse("refusal.not-yours", "card", engine.CardWord(id), "seat", p.seat)
	}
	return best, nil
}

// copies is how many of the kind the box holds: two for each of four players,
// or two in all.
func (k *Kind) copies() int {
	if k.Basic {
		return 8
	}
	return 2
}

// mistaken reports whether the players may insist that a card lies in one of
// the zones, and in which. A card that was tapped wrongly before changes no
// count: it only takes the name of another. Whatever lies open in front of
// everybody cannot be mistaken; undo and set are for that.
func (p *player) mistaken(c *card, zones Zone) (Zone, bool) {
	if c.where&(inArena|inPool|InIncubator|InLeaving) != 0 {
		return 0, false
	}
	switch {
	case zones&InHand != 0 && p.hand > 0:
		return InHand, true
	case zones&InDeck != 0 && p.deck > 0:
		return InDeck, true
	case zones&InDiscard != 0 && slices.Contains(p.discard, nil):
		return InDiscard, true
	}
	return 0, false
}

// believe accepts what mistaken allows: where the card was thought to lie is
// now one that nobody has named, and any hidden card of the seat may be it.
func (p *player) believe(c *card, zone Zone) {
	for _, known := range []struct {
		zone  Zone
		cards []*card
	}{{InDiscard, p.discard}, {InFreeze, p.freeze}} {
		if c.where != known.zone {
			continue
		}
		known.cards[slices.Index(known.cards, c)] = nil
		for _, other := range p.cards {
			if other.where&(InHand|InDeck) != 0 {
				other.where |= known.zone
			}
		}
	}
	c.where = zone
	if zone == InDiscard {
		p.discard[slices.Index(p.discard, nil)] = c
	}
}

// zoneWord is how a refusal says where a card is.
func zoneWord(where Zone) engine.Word {
	if name, ok := zoneNames[where]; ok {
		return engine.Word("zone." + name)
	}
	if where&^inPool == 0 {
		return "zone.pool"
	}
	return "zone.hidden"
}

// move takes a card from where it is known to be and puts it elsewhere; on
// top where order counts.
func (s *state) move(event string, c *card, from, to Zone) {
	s.lift(c, from)
	s.lay(c, to)
	s.emit(engine.Event{Name: event, Seat: c.player.seat, Card: c.id(), From: c.player.place(from), To: c.player.place(to)})
}

// lift takes a card out of a zone.
func (s *state) lift(c *card, from Zone) {
	p := c.player
	switch from {
	case InHand:
		p.hand--
		c.where = 0
		if p.hand == 0 {
			p.forget(InHand)
		}
	case InDeck:
		p.deck--
		c.where = 0
		if i := slices.Index(p.deckTop, c); i >= 0 {
			p.deckTop = slices.Delete(p.deckTop, i, i+1)
		}
		if p.deck == 0 {
			p.forget(InDeck)
		}
	case InActive, InLeft, InRight:
		sl := slotOf(from)
		p.slots[sl] = mutant{}
		if sl == activeSlot && len(p.queue) > 0 {
			p.slots[activeSlot], p.queue = p.queue[0], p.queue[1:]
		}
	case InIncubator:
		p.incubator = nil
	case InDiscard:
		p.discard = withoutCard(p.discard, c)
	case InFreeze:
		p.freeze = withoutCard(p.freeze, c)
	case InPile1, InPile2, InPile3:
		i := pileOf(from)
		p.piles[i].n--
		if p.piles[i].top == c {
			p.piles[i].top = nil
		}
	}
}

// lay puts a card into a zone.
func (s *state) lay(c *card, to Zone) {
	p := c.player
	c.where = to
	switch to {
	case InHand:
		p.hand++
	case InDeck:
		p.deck++
		p.deckTop = append(p.deckTop, c)
	case InActive, InLeft, InRight:
		sl := slotOf(to)
		if sl == activeSlot && p.slots[sl].card != nil {
			p.queue = append(p.queue, mutant{card: c})
		} else {
			p.slots[sl] = mutant{card: c}
		}
	case InIncubator:
		p.incubator = c
	case InDiscard:
		p.discard = append(p.discard, c)
	case InFreeze:
		p.freeze = append(p.freeze, c)
	}
}

// withoutCard takes a card out of a list, or one that nobody has named.
func withoutCard(cards []*card, c *card) []*card {
	i := slices.Index(cards, c)
	if i < 0 {
		i = slices.Index(cards, nil)
	}
	if i < 0 {
		return cards
	}
	return slices.Delete(cards, i, i+1)
}

func pileOf(z Zone) int { return slices.Index(pileZone[:], z) }

// forget removes a zone that has become empty from what hidden cards may be.
func (p *player) forget(z Zone) {
	for _, c := range p.cards {
		if c.where != z {
			c.where &^= z
		}
	}
}

// drawn moves n cards from the deck to the hand; there are as many.
func (s *state) drawn(p *player, n int) {
	if n == 0 {
		return
	}
	for range n {
		if k := len(p.deckTop); k > 0 {
			p.deckTop[k-1].where = InHand
			p.deckTop = p.deckTop[:k-1]
		} else {
			for _, c := range p.cards {
				if c.where&InDeck != 0 {
					c.where |= InHand
				}
			}
		}
		p.deck--
		p.hand++
	}
	if p.deck == 0 {
		for _, c := range p.cards {
			c.where &^= InDeck
		}
	}
	s.emit(engine.Event{Name: "draws", Seat: p.seat, N: n, From: p.place(InDeck), To: p.place(InHand)})
}

// shuffled makes the discard pile the new deck.
func (s *state) shuffled(p *player) {
	n := len(p.discard)
	for _, c := range p.cards {
		if c.where&InDiscard != 0 {
			c.where = c.where&^InDiscard | InDeck
		}
	}
	p.deck += n
	p.deckTop = nil
	p.discard = nil
	s.emit(engine.Event{Name: "shuffle", Seat: p.seat, N: n, From: p.place(InDiscard), To: p.place(InDeck)})
}

// thrownAway discards a whole hand that nobody names.
func (s *state) thrownAway(p *player) {
	n := p.hand
	if n == 0 {
		return
	}
	for _, c := range p.cards {
		if c.where&InHand != 0 {
			c.where = c.where&^InHand | InDiscard
		}
	}
	for range n {
		p.discard = append(p.discard, nil)
	}
	p.hand = 0
	s.emit(engine.Event{Name: "throws-away", Seat: p.seat, N: n, From: p.place(InHand), To: p.place(InDiscard)})
}
