package cardgame

import "tableside/engine"

// A Card is one physical card. Games embed this type.
//
// The places where a hidden card may lie are a set. Draws, stolen cards and corrections widen
// the set. A tap narrows the set to one place. The table refuses a tap only if the card lies
// elsewhere. If this is only a belief of the table, the players may insist.
type Card struct {
	Name  string // of the copy: "killer-bee.2"
	Where Place
	Open  bool // everybody sees where it lies
}

// Base returns the embedded Card, so that this package finds it in a game's own type.
func (c *Card) Base() *Card { return c }

// Word returns the key of the card's title.
func (c *Card) Word() engine.Word { return engine.CardWord(c.Name) }

// Belief holds what is known of the cards that nobody sees.
type Belief struct {
	secret  Place // places where a card may lie unseen
	counted Place // the secret places whose cards are counted
	eager   bool  // see Spots.Eager
	cards   []*Card
	count   func(Place) int // returns the number of unnamed cards in a place
}

// MayHaveMoved records that unknown hidden cards have moved from one place to another. Every
// hidden card that may lie in the first place may now also lie in the second place. Call
// MayHaveMoved after the counts have changed.
func (b *Belief) MayHaveMoved(from, to Place) {
	for _, c := range b.cards {
		if c.Where&from != 0 && !c.Open {
			c.Where |= to
		}
	}
	b.Exclude()
}

// Unsettle discards the beliefs about hidden cards, because the players have disproved them.
// Each of these cards may then lie in any secret place. The exception is a place where all
// cards are known.
func (b *Belief) Unsettle() {
	for _, c := range b.cards {
		if !c.Open && c.Where&b.secret != 0 {
			c.Where = b.secret
		}
	}
	b.Exclude()
}

// Exclude removes a place from the possible places of hidden cards once all
// cards in it are known.
func (b *Belief) Exclude() {
	var known [bitCount]uint16
	doubt := Place(0) // places of cards that have more than one possible place
	for _, c := range b.cards {
		switch {
		case !c.Where.single():
			doubt |= c.Where
		case !c.Open:
			known[c.Where.bit()]++
		}
	}
	full := Place(0)
	for left := b.counted & doubt; left != 0; left &= left - 1 {
		z := left & -left
		if b.count(z) > int(known[z.bit()]) {
			continue
		}
		if full |= z; b.eager {
			continue
		}
		for _, c := range b.cards {
			if c.Where&z == 0 || c.Where == z {
				continue
			}
			if c.Where &^= z; c.Where.single() {
				known[c.Where.bit()]++
			}
		}
	}
	if !b.eager || full == 0 {
		return
	}
	for _, c := range b.cards {
		if left := c.Where &^ full; left != 0 {
			c.Where = left
		}
	}
}

// fallbackPlace returns the place where a card lies if the table's belief about the card is
// wrong. The place is one of the given places. The players may insist on this place. If there
// is no such place, the result is 0. The place of an open card is no belief, and only an undo
// or a correction changes it.
func (b *Belief) fallbackPlace(c *Card, places Place) Place {
	if c.Open || c.Where&b.secret == 0 {
		return 0
	}
	for left := places & b.counted; left != 0; left &= left - 1 {
		if z := left & -left; b.count(z) > 0 {
			return z
		}
	}
	return 0
}

// Origin decides where a hidden card lies before a correction moves the card to dest. If the
// card may lie in dest, it lies there. Otherwise it lies in the first of the given places that
// is possible and has an unnamed card. If there is no such place, it lies in one of the
// possible secret places whose cards are not counted. If there is none of these either, it
// lies nowhere. If the card is not hidden, Origin does nothing.
func (b *Belief) Origin(c *Card, dest Place, places ...Place) {
	switch {
	case c.Open || c.Where&b.secret == 0:
		return
	case c.Where&dest != 0:
		c.Where = dest
		return
	}
	for _, z := range places {
		if c.Where&z != 0 && b.count(z) > 0 {
			c.Where = z
			return
		}
	}
	c.Where &= b.secret &^ b.counted
}
