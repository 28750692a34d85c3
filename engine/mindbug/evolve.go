package mindbug

import (
	"slices"
	"strings"

	"tableside/engine"
)

// 001 lexicon, "Évoluer": a line has three levels. The first one is dealt as
// any creature. The others are the two sides of one card, which is set aside
// and laid on the first; each side has its own name here, and either is
// taken for the creature.

// setAside is the place of levels that no creature has reached.
const setAside = "set-aside"

// evolve makes the next level of a creature. It stays the same creature with
// all that has become of it, and no Play effect is triggered.
func (s *state) evolve(event string, c *card, into *Kind) {
	from := c.kind
	c.become(into)
	s.stale = true
	s.Emit(engine.Event{Name: event, Seat: s.controller(c).seat, Card: c.Name, Word: "card." + from.ID, From: setAside, To: s.PlaceName(c.Where)})
}

// devolve: a creature that leaves play returns to its first level before.
func (s *state) devolve(c *card) {
	for _, k := range slices.Backward(s.below(c)) {
		s.Emit(engine.Event{Name: "set-aside", Seat: s.controller(c).seat, Card: c.Name, From: s.PlaceName(c.Where), To: setAside})
		c.become(k)
	}
}

// below are the levels that a creature had before, the first one first.
func (s *state) below(c *card) []*Kind {
	if c.kind.Level < 2 {
		return nil
	}
	var list []*Kind
	for k := s.rules.of[s.rules.index[c.Name]]; k != c.kind; k = s.rules.kinds[k.Into] {
		list = append(list, k)
	}
	return list
}

func (c *card) become(k *Kind) {
	c.Name, c.kind = k.copyOf(c.Name), k
}

// copyOf is the name of this level of a creature that is called so now.
func (k *Kind) copyOf(name string) string { return k.ID + name[strings.LastIndexByte(name, '.'):] }

// mayEvolve reports whether a creature has reached the level before.
func (s *state) mayEvolve(c *card, into string) bool {
	return c.Where&plays != 0 && c.kind.Into == into && s.rules.kinds[into] != nil
}

// setLevel corrects the level of a creature in play.
func (s *state) setLevel(c *card, level *Kind) {
	if c.Where&plays == 0 || c.kind == level {
		return
	}
	s.devolve(c)
	s.stale = true
	for c.kind != level {
		s.evolve("put", c, s.rules.kinds[c.kind.Into])
	}
}

// aside lists the levels that lie set aside.
func (s *state) aside() []engine.Card {
	list := []engine.Card{}
	for _, l := range s.rules.levels {
		if s.Cards[l.card].kind.Level < l.kind.Level {
			_, n := engine.SplitCopy(l.name)
			list = append(list, engine.Card{Kind: engine.Null(l.kind.ID), Copy: n})
		}
	}
	return list
}
