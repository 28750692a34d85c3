package mutants

import (
	"math/bits"
	"slices"
	"strconv"

	"tableside/engine"
)

// Beliefs about hidden cards. The table sees how many cards a hand and a deck
// hold, not which; so it keeps for every card the set of zones in which it may
// lie. Draws, shuffles and discarded hands widen the set, a tap narrows it to
// one. Only a card outside the set is refused, and the players may insist: then
// the table's belief was wrong.

// find returns the player's card with the given name, and in which of the given zones it may lie.
// If the card cannot lie there, find returns a refusal that says where the card should be.
//
// If the players have confirmed such a tap, and the table may be wrong about the card, find
// returns the card instead of a refusal. Refusals never name a card that may be hidden.
func (s *state) find(p *player, name string, zones Zone, confirmed bool) (c *card, where Zone, err error) {
	c = s.tapped[name]
	if c == nil {
		if c, err = s.claim(p, name, zones); err != nil {
			return nil, 0, err
		}
	}
	if c.player != p {
		return nil, 0, engine.RefuseReach("refusal.card-of", "seat", c.player.seat)
	}
	if where = c.zone & zones; where == 0 {
		mistaken, may := p.mistakenZone(c, zones)
		if !confirmed || !may {
			why := engine.T("refusal.card-elsewhere", "zone", zoneWord(c.zone))
			return nil, 0, &engine.Refusal{Override: may, Text: why, OutOfReach: true}
		}
		where = mistaken
	}
	return c, where, nil
}

// place records what a tap shows: the name of a card that find has returned, and where it lies.
func (s *state) place(c *card, name string, where Zone) {
	if c.zone&where == 0 {
		c.player.believe(c, where)
	}
	c.zone = where
	if c.name == "" {
		c.name = name
		_, c.copy = engine.SplitCopy(name)
		s.tapped[name] = c
	}
}

// claim decides which of a player's cards a tapped copy is. It is for a copy that was never
// tapped before. It considers the player's cards of the same kind that were never tapped. It
// takes one that may lie in one of the given zones, or any of them if there is none. From
// several cards, it takes the one whose place is most certain, because this leaves the most
// possibilities for the others.
func (s *state) claim(p *player, name string, zones Zone) (*card, error) {
	kind, err := s.copyOf(name)
	if err != nil {
		return nil, err
	}
	var best *card
	rank := func(c *card) int {
		r := bits.OnesCount16(uint16(c.zone))
		if c.zone&zones == 0 {
			r += 100
		}
		return r
	}
	for _, c := range p.cards {
		if c.kind == kind && c.name == "" && (best == nil || rank(c) < rank(best)) {
			best = c
		}
	}
	if best == nil && p.list != nil && kind.advanced() && !slices.Contains(p.list.Cards, kind.ID) {
		return nil, engine.RefuseReach("refusal.not-in-list", "seat", p.seat, "list", p.list.Word())
	}
	if best == nil {
		return nil, engine.RefuseReach("refusal.not-yours", "seat", p.seat)
	}
	return best, nil
}

// copyOf returns the kind of the copy with the given name. If the box holds no such copy,
// copyOf returns a refusal.
func (s *state) copyOf(name string) (*Kind, error) {
	id, number := engine.SplitCopy(name)
	kind := s.rules.kinds[id]
	switch {
	case kind == nil:
		return nil, engine.Refuse("refusal.unknown-card", "name", name)
	case number < 1 || number > kind.Copies() || name != id+"."+strconv.Itoa(number):
		return nil, engine.Refuse("refusal.no-such-copy", "card", engine.CardWord(id), "n", kind.Copies(), "name", name)
	}
	return kind, nil
}

// Copies returns how many copies of the kind the box holds. A basic card has two copies for
// each of four players. An advanced card has two copies in all. The number of copies of a
// boss's card is in the card file.
func (k *Kind) Copies() int {
	switch {
	case k.Basic:
		return 8
	case k.Action != nil:
		return k.Action.Copies
	}
	return maxCopies
}

// zoneWord returns the word that a refusal uses for the zone of a card. The zone may be a set,
// because nobody knows where the card lies. If the set holds only piles, the word is that of
// the gene pool. For any other set, the word is that of a hidden card.
func zoneWord(where Zone) engine.Word {
	if name, ok := zoneNames[where]; ok {
		return engine.Word("zone." + name)
	}
	if where != 0 && where&^inPool == 0 {
		return "zone.pool"
	}
	return "zone.hidden"
}

// mayHaveMoved widens the beliefs about a player's cards: a card that may lie in the first
// zone may now lie in the second, too.
func (p *player) mayHaveMoved(from, to Zone) {
	for _, c := range p.cards {
		if c.zone&from != 0 {
			c.zone |= to
		}
	}
}

func (p *player) excludeEmpty(z Zone, n int) {
	if n > 0 {
		return
	}
	for _, c := range p.cards {
		if c.zone != z {
			c.zone &^= z
		}
	}
}

// unsettle widens the beliefs after a belief was wrong. Any card that may be in the hand or
// the deck may now be in either of them, or in one of the given zones.
func (p *player) unsettle(zones Zone) {
	p.deckTop = nil
	hidden := InHand | InDeck
	if !p.hasHand() {
		hidden = InDeck
	}
	for _, c := range p.cards {
		if c.zone&hidden != 0 {
			c.zone |= hidden | zones
		}
	}
}

// mistakenZone returns one of the given zones in which a card may lie, although the table
// believes otherwise. The players may insist that the card lies there. The second result
// reports whether there is such a zone. If everybody sees where the card lies, there is none,
// because such a mistake is corrected by undo or set.
func (p *player) mistakenZone(c *card, zones Zone) (Zone, bool) {
	if c.zone&(inArena|inPool|InIncubator|InLeaving|InBox) != 0 {
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

// believe records that a card lies in the zone that mistakenZone has returned. The card
// changes places with an unnamed card of that zone, so no count changes. That unnamed card now
// lies where the card was thought to lie, and may be any hidden card of the seat.
func (p *player) believe(c *card, zone Zone) {
	was := c.zone & (InDiscard | InFreeze)
	for _, cards := range [][]*card{p.discard, p.freeze} {
		if i := slices.Index(cards, c); i >= 0 {
			cards[i] = nil
		}
	}
	p.unsettle(was)
	c.zone = zone
	if zone == InDiscard {
		p.discard[slices.Index(p.discard, nil)] = c
	}
}

// originZone returns the zone from which a correction takes a card to put it into a new zone.
// If the card may already be in the new zone, originZone returns the new zone. Otherwise it
// returns another zone in which the card may lie. If there is none, it returns 0.
func (p *player) originZone(c *card, to Zone) Zone {
	if p.mayHold(c, to) {
		return to
	}
	for z := InHand; z <= InBox; z <<= 1 {
		if p.mayHold(c, z) {
			return z
		}
	}
	return 0
}

func (p *player) mayHold(c *card, z Zone) bool {
	switch {
	case c.zone&z == 0:
		return false
	case z == InHand:
		return p.hand > 0
	case z == InDeck:
		return p.deck > 0
	case z&inPool != 0:
		pile := p.piles[pileOf(z)]
		return pile.top == c || pile.n > 1 || pile.n == 1 && pile.top == nil
	}
	return true
}

// Believes is the method of an engine.Believer. A card that was never tapped may be any free copy of its
// kind; it gets the one that Box would deal.
func (s *state) Believes() (piles []engine.Pile, unseen []engine.Unseen) {
	next := map[string]int{}
	name := func(c *card) string {
		for c.name == "" {
			id := c.kind.ID
			next[id]++
			if free := id + "." + strconv.Itoa(next[id]); s.tapped[free] == nil {
				return free
			}
		}
		return c.name
	}
	for _, p := range s.players {
		known := map[*card]bool{}
		put := func(z Zone, n int, cards ...*card) { // n cards, of which these lie on top, the last one uppermost
			list := make([]string, max(n, len(cards)))
			for i, c := range cards {
				if c != nil {
					known[c], list[len(cards)-1-i] = true, name(c)
				}
			}
			pile := engine.PileAt(&piles, p.place(z))
			pile.Cards = append(pile.Cards, list...)
		}
		if p.hasHand() {
			put(InHand, p.hand)
		}
		put(InDeck, p.deck, p.deckTop...)
		put(InDiscard, 0, p.discard...)
		for i, pile := range p.piles {
			if pile.n > 0 {
				put(pileZone[i], pile.n, pile.top)
			}
		}
		for _, c := range p.cards {
			if known[c] || c.zone == 0 {
				continue
			}
			if c.zone&^(InHand|InDeck|InDiscard|inPool) == 0 {
				u := engine.Unseen{Card: name(c)}
				for left := c.zone; left != 0; left &= left - 1 {
					u.Places = append(u.Places, p.place(left&-left))
				}
				unseen = append(unseen, u)
			} else {
				put(c.zone, 1, c)
			}
		}
	}
	return piles, unseen
}
