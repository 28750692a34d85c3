package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A battle is one attack: 004 "Combattre", 1 to 10.
type battle struct {
	fighters [2]*fighter    // attacker, defender
	order    []*fighter     // who laid each card that is not turned yet, the first one first
	next     int            // the side whose turn it is to lay something
	passes   int            // in a row
	ready    []readyAbility // abilities that wait for dice, in the order in which they were turned

	cast     bool // a die of this throw was thrown
	everCast bool // a die of this throw or an earlier one was thrown
	decided  bool // the winner is known, or that there is none
}

// A fighter is one side of a battle: a player's character.
type fighter struct {
	side       int
	p          *player
	c          *card
	abilities  []*card // that were turned
	tokens     int
	extra      int                // dice added by hand, or taken away by hand or by the opponent
	unnamed    [categoryCount]int // cards without a tag, by the category that the players enter
	dice       int                // of this throw
	matched    int                // what rerollsOf last returned
	rerolls    int                // by colour, still to be used
	safe       bool               // not captured in this battle
	afterwards []func()           // what is healed after the damage
	damaged    bool               // that damage is done
}

// The sides of a battle.
const (
	attackSide = iota
	defenceSide
)

func (b *battle) opponentOf(f *fighter) *fighter { return b.fighters[defenceSide-f.side] }

func (s *state) fighting() bool {
	return s.battle != nil && s.battle.fighters[attackSide].fights() && s.battle.fighters[defenceSide].fights()
}

func (f *fighter) fights() bool {
	return f.c != nil && f.c.host == nil && f.c.Where == f.p.placeOf(inPlay)
}

func (s *state) fighterOf(c *card) *fighter {
	if s.fighting() {
		for _, f := range s.battle.fighters {
			if f.c == c {
				return f
			}
		}
	}
	return nil
}

func (s *state) fightOn(steps ...func()) {
	for _, step := range slices.Backward(steps) {
		s.Do(func() {
			if s.fighting() {
				step()
			}
		})
	}
}

// learnFighters asks for the unknown fields of both fighters and their grafts. Gear is
// resolved by hand if its effects are unknown, or if one of them is ByHand. What may be chosen, or
// costs something, is asked for when it is used.
func (s *state) learnFighters() {
	for side, f := range slices.Backward(s.battle.fighters[:]) {
		s.fightOn(func() {
			for _, g := range f.c.gear {
				if g.kind.unknownFields()&FieldDoes != 0 || g.kind.isByHand() {
					s.Do(func() { s.resolveByHand(f.p, g) })
				}
			}
			for _, g := range f.c.grafts {
				s.askUnknown(g, FieldPower|FieldMarkers)
			}
			s.askUnknown(f.c, []Field{attackSide: FieldAttack, defenceSide: FieldDefence}[side]|FieldPower|FieldMarkers)
		})
	}
}

// useCharacters resolves the effects of both fighters and of their grafts. It also resolves
// the effects of gear that gives rerolls. The attacker comes first. No card is laid before
// these effects.
func (s *state) useCharacters() {
	for _, f := range slices.Backward(s.battle.fighters[:]) {
		parts := slices.Concat([]*card{f.c}, f.c.grafts)
		for _, g := range f.c.gear {
			if slices.ContainsFunc(g.kind.Does, func(s Step) bool { return s.fits(Ability) && s.Do != ByHand }) {
				parts = append(parts, g)
			}
		}
		for _, c := range slices.Backward(parts) {
			if len(c.kind.Does) > 0 {
				s.fightOn(func() {
					if c == f.c || c.host == f.c {
						s.resolveCard(f, c)
					}
				})
			}
		}
	}
}

var (
	sideNames  = []string{attackSide: "attack", defenceSide: "defence"}
	tokenNames = []string{attackSide: "attack-token", defenceSide: "defence-token"}
)

// layCards lets both players lay tokens, or cards face down (004 "Combattre", 4). The players
// take turns, and the attacker begins. The step ends when no player can or wants to lay more.
func (s *state) layCards() {
	b := s.battle
	if b.passes == len(b.fighters) {
		return
	}
	f := b.fighters[b.next]
	p, token := f.p, tokenNames[f.side]
	fixed := make([]answer, 0, 3)
	if p.hand > 0 {
		fixed = append(fixed, cardgame.Key("plus", "face-down"))
	}
	if p.tokens[f.side] > 0 {
		fixed = append(fixed, answer{Verb: engine.Choose, Word: token, Label: token, N: p.tokens[f.side]})
	}
	laid := func(done int) {
		b.next, b.passes = defenceSide-f.side, done
		s.fightOn(s.layCards)
	}
	if len(fixed) == 0 {
		laid(b.passes + 1)
		return
	}
	fixed = append(fixed, cardgame.Key("next", "done"))
	s.Ask(question{Seat: p.seat, Key: "battle-card", N: p.hand, Fixed: fixed, Chosen: func(a answer) {
		switch a.Word {
		case "plus":
			s.shift("lays", p, p.placeOf(inHand), p.placeOf(inBattle), 1)
			b.order = append(b.order, f)
			laid(0)
		case "next":
			laid(b.passes + 1)
		default:
			p.tokens[f.side]--
			f.tokens++
			s.Emit(engine.Event{Name: "token", Seat: p.seat, N: p.tokens[f.side], Word: "counter." + token + "s"})
			laid(0)
		}
	}})
}

// turnCards asks the players to turn their cards face up (004 "Combattre", 5). The card that
// was laid last comes first. The dice of a card without a tag are counted by hand.
func (s *state) turnCards() {
	b := s.battle
	if len(b.order) == 0 {
		return
	}
	f := b.order[len(b.order)-1]
	p, unnamed := f.p, cardgame.Unnamed(f.p.battle)
	next := func() {
		b.order = b.order[:len(b.order)-1]
		s.fightOn(s.turnCards)
	}
	if unnamed == 0 { // a correction by hand has taken it away
		next()
		return
	}
	s.Ask(question{Seat: p.seat, Key: "reveal", N: unnamed, In: p.placeOf(inBattle), Hidden: "reveal",
		Fits: func(c *card) unfit { return unfit{Key: "refusal.not-this-one", Card: c}.If(c.Open) },
		Tap: func(c *card) {
			next()
			s.turnUp(p, c)
			s.askUnknown(c, FieldType, func() { s.addAbility(f, c) })
		},
		Fixed: []answer{cardgame.Key("no", "unnamed")}, Chosen: func(answer) {
			next()
			s.Do(func() { s.unnamedByHand(f, false) })
			s.shift("turns-unnamed", p, p.placeOf(inBattle), inDiscard, 1)
		}})
}

// turnUp turns a card in a player's battle face up. The card takes the place of the last card
// there that had no name yet.
func (s *state) turnUp(p *player, c *card) {
	for j := range slices.Backward(p.battle) {
		if p.battle[j] == nil {
			p.battle[j] = c
			break
		}
	}
	c.Open = true
	s.Exclude()
	place := s.PlaceName(p.placeOf(inBattle))
	s.Emit(engine.Event{Name: "turns", Seat: p.seat, Card: c.Name, From: place, To: place})
}

// addAbility adds an ability that was turned face up to its fighter. A card that is not an
// ability was laid by mistake, and goes back to the hand.
func (s *state) addAbility(f *fighter, c *card) {
	switch {
	case c.Where != f.p.placeOf(inBattle): // a correction by hand has taken it away
	case c.kind.Type != Ability:
		s.move("no-ability", f.p.seat, c, f.p.placeOf(inHand))
	default:
		f.abilities = append(f.abilities, c)
		s.askUnknown(c, FieldCategory|FieldPower, func() {
			s.Do(func() { s.resolveCard(f, c) })
			s.askUnknown(c, f.countedField(c.kind))
		})
	}
}

func (f *fighter) countedField(ability *Kind) Field {
	if f.c.matches(ability) {
		return FieldSuper
	}
	return FieldBase
}

// learnNumbers asks for each number on a turned ability that is still unknown and that counts
// now. This happens before dice are thrown. A number may count now although it did not count
// when its ability was turned. A graft or the special die may have added the power that the
// number needs.
func (s *state) learnNumbers() { s.askNumber(s.learnNumbers) }

// askNumber asks for one number on a turned ability that is still unknown and that counts now.
// It reports whether there is such a number. The callback runs after the answer. If there is
// no such number, the callback never runs.
func (s *state) askNumber(then func()) bool {
	for _, f := range s.battle.fighters {
		for _, a := range f.abilities {
			if field := f.countedField(a.kind); a.kind.unknownFields()&field != 0 {
				s.fightOn(then)
				s.askUnknown(a, field)
				return true
			}
		}
	}
	return false
}

// endBattle clears the table (004 "Combattre", 9). An ability stays until it can be applied
// (004 "Complément sur les cartes"). If the player of the ability fought and dice were thrown,
// the ability could be applied. Then it is discarded, even if the player declined to use it.
func (s *state) endBattle() {
	b := s.battle
	if b == nil {
		return
	}
	for _, r := range b.ready {
		fights := r.p == b.fighters[attackSide].p || r.p == b.fighters[defenceSide].p
		if s.rules.revised && r.card.Where == r.p.placeOf(inBattle) && !(b.everCast && fights) {
			r.carried = true
			s.carriedOver = append(s.carriedOver, r)
		}
	}
	s.clear(b.fighters[attackSide].p)
	s.clear(b.fighters[defenceSide].p)
	for _, p := range s.players { // others may have used what waited
		s.clear(p)
	}
	s.battle = nil
}

// clear discards what a player has laid, except waiting abilities. Cards that were never
// turned go back to the hand.
func (s *state) clear(p *player) {
	s.shift("takes-back", p, p.placeOf(inBattle), p.placeOf(inHand), cardgame.Unnamed(p.battle))
	for _, c := range slices.Clone(p.battle) {
		if !slices.ContainsFunc(s.carriedOver, func(r readyAbility) bool { return r.card == c }) {
			s.move("used", p.seat, c, inDiscard)
		}
	}
}
