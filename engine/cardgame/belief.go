package cardgame

import "tableside/engine"

// Card is one physical card. Games embed it.
//
// A hidden card is known by the places where it may lie. Draws, stolen cards and corrections
// widen that set; a tap narrows it to one place. A tap is refused only if the card lies
// elsewhere; if that is only a belief, the players may insist.
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

// MayHaveMoved records that hidden cards have moved from one place to another, and that nobody
// knows which cards. Every hidden card that may lie in the first place may now lie in the
// second, too. Call it after the counts have changed.
func (b *Belief) MayHaveMoved(from, to Place) {
	for _, c := range b.cards {
		if c.Where&from != 0 && !c.Open {
			c.Where |= to
		}
	}
	b.Exclude()
}

// Unsettle discards the beliefs about hidden cards, because the players have shown them wrong.
// Each of these cards may then lie in any secret place, except where all cards are known.
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

// narrow records that a card was tapped in one of some places, and returns 0 and true. If the
// card cannot lie in any of them, ok is false. If only a belief says so, the players may
// insist: mistaken is then the place where the card would lie, or 0 if there is no such place.
// If insist is true and there is one, narrow discards the beliefs, puts the card into that
// place, and returns 0 and true.
func (b *Belief) narrow(c *Card, places Place, insist bool) (mistaken Place, ok bool) {
	if c.Where&places == 0 {
		there := b.mistaken(c, places)
		if !insist || there == 0 {
			return there, false
		}
		b.Unsettle()
		c.Where = there
	}
	c.Where &= places
	if b.eager {
		b.Exclude()
	}
	return 0, true
}

// mistaken returns the place where the players may insist that a card lies, or 0. The place of
// an open card is no belief: undo and set correct it.
func (b *Belief) mistaken(c *Card, places Place) Place {
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

// Origin settles where a hidden card lies before a correction moves it to dest. If dest may
// hold the card, the card lies there. Otherwise it lies in the first of the given places that
// may hold it and have an unnamed card. If there is none, it lies in those secret places
// without a count that may hold it, or nowhere. For a card that is not hidden, Origin does
// nothing.
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
