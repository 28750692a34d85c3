package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A tally counts with the keys "plus" and "minus" while players resolve a card by hand. It
// counts a player's health or a fighter's dice.
type tally struct {
	answers []answer
	count   func(by int) // by is 1 or -1
}

// waitByHand asks a question while players resolve a card by hand. The answer "yes" says that
// the players are done. The answers "plus" and "minus" count with the tally. After either of
// them, the first callback must ask the question again. The second callback gets any other
// answer. A player who is out is not asked.
func (s *state) waitByHand(q question, t tally, again func(), other func(answer)) {
	if s.playerAt(q.Seat).out {
		return
	}
	q.ByHand = true
	q.Fixed = slices.Concat(t.answers, []answer{cardgame.Key("yes", "by-hand-done")}, q.Fixed)
	q.Chosen = func(a answer) {
		switch a.Word {
		case "yes":
		case "plus", "minus":
			s.Do(again) // first, because the count may put somebody out
			t.count(map[string]int{"plus": 1, "minus": -1}[a.Word])
		default:
			other(a)
		}
	}
	s.Ask(q)
}

// health returns the tally of a player's health, which goes up to startHealth.
func (s *state) health(p *player) tally {
	answers := []answer{cardgame.Key("plus", "gain-health"), cardgame.Key("minus", "lose-health")}
	if p.health == startHealth {
		answers = answers[1:]
	}
	return tally{answers, func(by int) {
		if by < 0 {
			s.hurt(1, p)
		} else {
			s.gainHealth(p, 1)
		}
	}}
}

// dieAnswers holds the answers that add or take away one of a fighter's dice by hand.
var dieAnswers = []answer{cardgame.Key("plus", "one-die"), cardgame.Key("minus", "no-die")}

func (s *state) extraDice(f *fighter) tally {
	answers := dieAnswers
	if f.diceOf() == 0 {
		answers = answers[:1:1]
	}
	return tally{answers, func(by int) {
		f.extra += by
		s.Tell("extra", f.p.seat, f.extra)
	}}
}

// resolveByHand waits while the players resolve a card. In a battle, the players count dice.
// Outside of a battle, and for an event, they count health. If the players say that the card
// has no effect, resolveByHand enters this for the card. What rules before 4 could read is
// resolved by hand only after a word that no journal of those rules has.
func (s *state) resolveByHand(p *player, c *card) {
	if s.isUnread(c.kind) && !p.out {
		s.AskFirst(question{Seat: p.seat, Key: "by-hand", About: c, Printed: c.kind.printedText()},
			func() { s.askByHand(p, c) })
		return
	}
	s.askByHand(p, c)
}

// isUnread reports whether only the rules before 4, by which the match is played, could read what
// a card does.
func (s *state) isUnread(k *Kind) bool {
	return !s.rules.inOrder && slices.ContainsFunc(k.Does, func(s Step) bool { return s.noRow })
}

func (s *state) askByHand(p *player, c *card) {
	t := s.health(p)
	if b := s.battle; b != nil && c.kind.Type != Event {
		side := attackSide
		if b.fighters[defenceSide].p == p {
			side = defenceSide
		}
		t = s.extraDice(b.fighters[side])
	}
	none := cardgame.Choose("nothing", "no-effect")
	if c.kind.Type == Ability {
		none.Label = "does-nothing"
	}
	s.waitByHand(question{Seat: p.seat, Key: "by-hand", About: c, Fixed: []answer{none}, Printed: c.kind.printedText()}, t,
		func() { s.askByHand(p, c) }, func(answer) { s.learn("card " + c.kind.ID + " does none") })
}

func (k *Kind) printedText() string {
	if i := slices.IndexFunc(k.Does, func(s Step) bool { return s.Printed != "" }); i >= 0 {
		return k.Does[i].Printed
	}
	return k.Printed
}

// unnamedByHand waits while the players resolve a card without a tag. The players may enter
// the category of the card once, for a reroll. If entered is true, they have already done so.
func (s *state) unnamedByHand(f *fighter, entered bool) {
	q := question{Seat: f.p.seat, Key: "by-hand-unnamed"}
	if !entered {
		q.Fixed = categoryChoices
	}
	s.waitByHand(q, s.extraDice(f), func() { s.unnamedByHand(f, entered) }, func(a answer) {
		s.Do(func() { s.unnamedByHand(f, true) })
		f.unnamed[slices.Index(categoryNames, a.Word)]++
		s.Emit(engine.Event{Name: "unnamed-is", Seat: f.p.seat, Word: "keyword." + a.Word})
	})
}

// specialByHand waits while the players resolve the special die's sixth face.
func (s *state) specialByHand(p *player) {
	q := question{Seat: p.seat, Key: "special-by-hand", Printed: s.rules.data.SixthFace}
	s.waitByHand(q, s.health(p), func() { s.specialByHand(p) }, nil)
}
