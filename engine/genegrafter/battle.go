package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A battle is one attack: 004 "Combattre", 1 to 10.
type battle struct {
	sides [2]side // attacker, defender
	order []int   // sides, in which cards were laid and are not turned yet
	next  int     // whose turn it is to lay something
	done  int     // how many in a row wished to lay nothing
	ready []readied

	cast     bool // a die of this throw lies there
	everCast bool // or of an earlier one
	decided  bool // who has won it, or that nobody has
}

// A side is a character that fights.
type side struct {
	p       *player
	c       *card
	shown   []*card // abilities that were turned
	tokens  int
	extra   int                // dice that the players have counted by hand
	unnamed [categoryCount]int // cards that no reader knows, by what the players say of them
	dice    int                // of this throw
	matched int                // abilities of a colour that the character has
	rerolls int                // by colour, still to be used
	heals   int                // to be done after the damage
}

// The sides of a battle.
const (
	attacks = iota
	defends
)

// fighting reports whether both characters are still there; else what is left
// of the battle is nothing.
func (s *state) fighting() bool {
	b := s.battle
	if b == nil {
		return false
	}
	for _, side := range b.sides {
		if side.c == nil || side.c.host != nil || side.c.Where != side.p.of(inPlay) {
			return false
		}
	}
	return true
}

// chooseDefender: 004 "Combattre", 3. Any character may defend, as often as it
// has to; without one the player is hit: 10.
func (s *state) chooseDefender() {
	b := s.battle
	attacker, o := b.sides[attacks].c, b.sides[defends].p
	if attacker.Where != b.sides[attacks].p.of(inPlay) || o.out {
		return // a correction by hand has taken it away
	}
	defend := func(c *card) {
		b.sides[defends].c = c
		s.Emit(engine.Event{Name: "defends", Seat: o.seat, Card: c.Name})
	}
	switch len(o.play) {
	case 0:
		s.undefended(o, attacker)
	case 1:
		defend(o.play[0])
	default:
		s.askCharacter(o, "defend", attacker, o.play, defend)
	}
}

// undefended: who can still throw the special die may do so before health is
// lost: it may bring a defender.
func (s *state) undefended(o *player, attacker *card) {
	hit := func(answer) {
		s.Emit(engine.Event{Name: "undefended", Seat: o.seat, Card: attacker.Name})
		s.hurt(1, o)
	}
	if !s.rules.revised || !s.mayThrowSpecial(o) {
		hit(answer{})
		return
	}
	s.Ask(question{Seat: o.seat, Key: "undefended", About: attacker, Fixed: []answer{cardgame.Key("next", "lose-health")}, Chosen: hit})
}

// learnFighters asks for what is printed on those who fight and nobody has
// entered yet.
func (s *state) learnFighters() {
	if !s.fighting() {
		return
	}
	for i := range slices.Backward(s.battle.sides[:]) { // so that the attacker is asked first
		s.Do(func() { s.learnFighter(i) })
	}
}

func (s *state) learnFighter(i int) {
	if !s.fighting() {
		return
	}
	side := &s.battle.sides[i]
	for _, g := range side.c.gear {
		if g.kind.unknown()&FieldDoes != 0 || slices.ContainsFunc(g.kind.Does, func(step Step) bool { return step.Do == ByHand }) {
			s.Do(func() { s.byHand(side.p, g) })
		}
	}
	for _, g := range side.c.grafts {
		s.known(g, FieldPower|FieldMarkers)
	}
	s.known(side.c, []Field{attacks: FieldAttack, defends: FieldDefence}[i]|FieldPower|FieldMarkers)
}

// layCards: 004 "Combattre", 4: in turn, beginning with the attacker, until
// both can or wish to lay nothing more.
func (s *state) layCards() {
	b := s.battle
	if !s.fighting() || b.done == len(b.sides) {
		return
	}
	i := b.next
	p := b.sides[i].p
	fixed := make([]answer, 0, 3)
	if p.hand > 0 {
		fixed = append(fixed, cardgame.Key("plus", "face-down"))
	}
	if p.tokens[i] > 0 {
		fixed = append(fixed, answer{Verb: engine.Choose, Word: tokenNames[i], Label: tokenNames[i], N: p.tokens[i]})
	}
	laid := func(done int) {
		b.next, b.done = len(b.sides)-1-i, done
		s.Do(s.layCards)
	}
	if len(fixed) == 0 {
		laid(b.done + 1)
		return
	}
	s.Ask(question{Seat: p.seat, Key: "battle-card", N: p.hand, Fixed: append(fixed, cardgame.Key("next", "done")), Chosen: func(a answer) {
		switch a.Word {
		case "plus":
			s.layDown(p)
			b.order = append(b.order, i)
			laid(0)
		case "next":
			laid(b.done + 1)
		default:
			p.tokens[i]--
			b.sides[i].tokens++
			s.Emit(engine.Event{Name: "token", Seat: p.seat, N: p.tokens[i], Word: "counter." + tokenNames[i] + "s"})
			laid(0)
		}
	}})
}

var tokenNames = []string{attacks: "attack-token", defends: "defence-token"}

// layDown puts a card of the hand face down.
func (s *state) layDown(p *player) {
	s.Shift(engine.Event{Name: "lays", Seat: p.seat}, p.of(inHand), p.of(inBattle), 1)
}

// turnCards: 004 "Combattre", 5: the last one laid is turned first.
func (s *state) turnCards() {
	b := s.battle
	if !s.fighting() || len(b.order) == 0 {
		return
	}
	i := b.order[len(b.order)-1]
	p := b.sides[i].p
	if cardgame.Unnamed(p.battle) == 0 { // a correction by hand has taken it away
		b.order = b.order[:len(b.order)-1]
		s.Do(s.turnCards)
		return
	}
	s.Ask(question{Seat: p.seat, Key: "reveal", N: cardgame.Unnamed(p.battle), In: p.of(inBattle), Hidden: "reveal",
		Fits: func(c *card) unfit {
			if c.Open {
				return unfit{Key: "refusal.not-this-one", Card: c}
			}
			return unfit{}
		},
		Tap: func(c *card) {
			b.order = b.order[:len(b.order)-1]
			s.Do(s.turnCards)
			s.turnUp(p, c)
			s.known(c, FieldType, func() { s.turned(i, c) })
		},
		Fixed: []answer{cardgame.Key("no", "unnamed")}, Chosen: func(answer) {
			b.order = b.order[:len(b.order)-1]
			s.Do(func() { s.unnamedByHand(i, false) }, s.turnCards)
			s.discardUnnamed(p)
		}})
}

// discardUnnamed is for a card that no reader knows: what it does is counted
// by hand.
func (s *state) discardUnnamed(p *player) {
	s.Shift(engine.Event{Name: "turns-unnamed", Seat: p.seat}, p.of(inBattle), inDiscard, 1)
}

// turnUp names a card that lies face down.
func (s *state) turnUp(p *player, c *card) {
	for j := len(p.battle) - 1; j >= 0; j-- {
		if p.battle[j] == nil {
			p.battle[j] = c
			break
		}
	}
	c.Open = true
	s.Exclude()
	place := s.PlaceName(p.of(inBattle))
	s.Emit(engine.Event{Name: "turns", Seat: p.seat, Card: c.Name, From: place, To: place})
}

// turned is a card that has a kind by now. What is no ability was laid by
// mistake, and goes back.
func (s *state) turned(i int, c *card) {
	b := s.battle
	if b == nil || c.Where != b.sides[i].p.of(inBattle) {
		return // a correction by hand has taken it away
	}
	if c.kind.Type != Ability {
		s.move("no-ability", b.sides[i].p.seat, c, b.sides[i].p.of(inHand))
		return
	}
	b.sides[i].shown = append(b.sides[i].shown, c)
	s.known(c, FieldCategory|FieldPower, func() { s.countOn(i, c) })
}

// countOn learns the number that counts, and does what the ability says.
func (s *state) countOn(i int, c *card) {
	if s.battle == nil {
		return
	}
	s.Do(func() { s.resolveAbility(i, c) })
	s.known(c, s.number(i, c))
}

// number is that of an ability's two which counts for a side.
func (s *state) number(i int, c *card) Field {
	if s.matches(s.battle.sides[i].c, c.kind) {
		return FieldSuper
	}
	return FieldBase
}

// learnNumbers asks, before dice are thrown, for numbers that count by now
// and did not when their abilities were turned: a graft or the special die may
// have brought the power.
func (s *state) learnNumbers() {
	if s.fighting() {
		s.askNumber(s.learnNumbers)
	}
}

// askNumber asks for one such number, and then goes on. It reports whether
// there was one.
func (s *state) askNumber(then func()) bool {
	for i := range s.battle.sides {
		for _, a := range s.battle.sides[i].shown {
			if field := s.number(i, a); a.kind.unknown()&field != 0 {
				s.Do(then)
				s.known(a, field)
				return true
			}
		}
	}
	return false
}

// matches: 004 "Combattre", 6: whether a character has a power of an ability,
// by itself, by a graft or a gear, or by having all of them.
func (s *state) matches(c *card, ability *Kind) bool {
	powers := s.powers(c)
	return powers&InfinitePower != 0 && ability.Powers != 0 || powers&ability.Powers != 0
}

// endBattle: 004 "Combattre", 9. Abilities that found no dice stay.
func (s *state) endBattle() {
	b := s.battle
	if b == nil {
		return
	}
	s.keepWaiting()
	for _, side := range b.sides {
		s.clear(side.p)
	}
	for _, p := range s.players { // others may have used what waited
		s.clear(p)
	}
	s.battle = nil
}

// clear discards what a player has laid, but for what waits. Cards that were
// never turned go back to the hand.
func (s *state) clear(p *player) {
	if n := cardgame.Unnamed(p.battle); n > 0 {
		s.Shift(engine.Event{Name: "takes-back", Seat: p.seat}, p.of(inBattle), p.of(inHand), n)
	}
	for _, c := range slices.Clone(p.battle) {
		if !s.isWaiting(c) {
			s.move("used", p.seat, c, inDiscard)
		}
	}
}
