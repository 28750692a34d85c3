package genegrafter

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
	"tableside/engine/cardgame"
)

const (
	dieFaces = 6
	boxDice  = 6 // 004 "Matériel": six dice for attacks, six for defence
)

var (
	pipNames   = []string{"1", "2", "3", "4", "5", "6"}
	plainDie   = &cardgame.Die{Kind: "d6", Faces: pipNames}
	battleDice = [2]*cardgame.Die{attacks: {Kind: "attack", Faces: pipNames}, defends: {Kind: "defence", Faces: pipNames}}
)

func pips(face string) int { return slices.Index(pipNames, face) + 1 }

// A die lies on the table.
type die struct {
	n     int // from 1, of its player
	side  int
	p     *player
	pips  int // 0 until it is thrown
	least int // what it showed before a reroll by colour: a worse result is ignored
}

// id names it, as "red-2".
func (d *die) id() string { return string(d.p.seat) + "-" + strconv.Itoa(d.n) }

// dieNamed finds one that lies there, or nil.
func (s *state) dieNamed(id string) *die {
	if i := slices.IndexFunc(s.dice, func(d die) bool { return d.id() == id }); i >= 0 {
		return &s.dice[i]
	}
	return nil
}

// layDice counts the dice that both sides throw: 004 "Combattre", 6.
func (s *state) layDice() {
	if !s.fighting() {
		return
	}
	for i := range s.battle.sides {
		s.countDice(i)
	}
}

func (s *state) countDice(i int) {
	side := &s.battle.sides[i]
	s.Emit(engine.Event{Name: "counts", Seat: side.p.seat, Card: side.c.Name, N: s.diceOf(i)})
	n := s.rerollsOf(i)
	side.rerolls, side.matched = side.rerolls+n-side.matched, n
}

// recount lays the dice of a throw anew where what a side has was changed
// before the first of them was thrown, as by the special die. What has to be
// asked for that is asked before then.
func (s *state) recount(then func()) bool {
	b := s.battle
	if b.cast || !s.rules.revised {
		return false
	}
	if s.askNumber(then) {
		return true
	}
	changed := false
	for i, side := range b.sides {
		if side.dice != s.diceOf(i) || side.matched != s.rerollsOf(i) {
			s.countDice(i)
			changed = true
		}
	}
	if changed {
		s.putDice()
	}
	return false
}

// throwDice: 004 "Combattre", 7: both throw, the attacker uses rerolls first,
// the greatest total wins.
func (s *state) throwDice() {
	if !s.fighting() {
		return
	}
	s.battle.cast = false
	s.putDice()
	for i := range s.battle.ready {
		s.battle.ready[i].declined = false
	}
	s.Do(s.throw, func() { s.reroll(attacks) }, func() { s.reroll(defends) }, s.useReadied, s.compare)
}

// putDice lays the dice of both sides on the table, not thrown yet.
func (s *state) putDice() {
	sides := &s.battle.sides
	for i := range sides {
		sides[i].dice = s.diceOf(i)
	}
	mine := sides[attacks].dice
	s.dice = make([]die, 0, mine+sides[defends].dice)
	for i := range cap(s.dice) {
		d := die{side: attacks, n: i + 1}
		if i >= mine {
			d = die{side: defends, n: i + 1 - mine}
		}
		d.p = sides[d.side].p
		s.dice = append(s.dice, d)
	}
}

// throw asks for the dice that are not thrown yet: as many at once as the box
// holds.
func (s *state) throw() {
	if !s.fighting() || s.recount(s.throw) {
		return
	}
	i := slices.IndexFunc(s.dice, func(d die) bool { return d.pips == 0 })
	if i < 0 {
		return
	}
	side := s.dice[i].side
	n := 0
	for _, d := range s.dice {
		if d.side == side && d.pips == 0 {
			n++
		}
	}
	n = min(n, boxDice)
	s.Ask(question{Seat: s.dice[i].p.seat, Key: "roll", N: n, Roll: n, Die: battleDice[side], Rolled: func(faces []string) {
		s.battle.cast, s.battle.everCast = true, true
		for _, face := range faces {
			i := slices.IndexFunc(s.dice, func(d die) bool { return d.side == side && d.pips == 0 })
			d := &s.dice[i]
			d.pips = max(d.least, pips(face))
		}
		s.Emit(engine.Event{Name: "rolls", Seat: s.battle.sides[side].p.seat, Word: engine.Literal(strings.Join(faces, " ")).Word()})
		s.Do(s.throw)
	}})
}

// reroll: 004 "Carte capacité": one die for each ability of the right colour;
// a worse result is ignored.
func (s *state) reroll(side int) {
	if !s.fighting() || s.battle.sides[side].rerolls <= 0 {
		return
	}
	b := &s.battle.sides[side]
	s.askDie(b.p, "reroll", nil, b.rerolls, func(d *die) bool { return d.side == side && d.pips < dieFaces }, func(d *die) {
		b.rerolls--
		d.least, d.pips = d.pips, 0
		s.Do(s.throw, func() { s.reroll(side) })
	}, func() {})
}

// askDie asks for one of the dice, or for none.
func (s *state) askDie(p *player, prompt string, about *card, n int, fits func(*die) bool, then func(*die), none func()) {
	q := question{Seat: p.seat, Key: prompt, About: about, N: n}
	for i := range s.dice {
		if d := &s.dice[i]; fits(d) {
			q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: d.id(), Label: "die", N: d.pips, Seat: d.p.seat})
		}
	}
	if q.Fixed == nil {
		return
	}
	q.Fixed = append(q.Fixed, cardgame.Key("no", "keep"))
	q.Chosen = func(a answer) {
		if d := s.dieNamed(a.Word); d != nil {
			then(d)
			return
		}
		none()
	}
	s.Ask(q)
}

// diceView is what lies on the table: those of the battle, and everybody's
// special die.
func (s *state) diceView() []engine.Die {
	list := make([]engine.Die, 0, len(s.dice)+len(s.players))
	for _, d := range s.dice {
		v := engine.Die{ID: d.id(), Seat: d.p.seat, Kind: battleDice[d.side].Kind, State: "rolling"}
		if d.pips > 0 {
			v.Face, v.State = engine.Null(pipNames[d.pips-1]), "rolled"
		}
		list = append(list, v)
	}
	for _, p := range s.players {
		v := engine.Die{ID: string(p.seat) + "-special", Seat: p.seat, Kind: specialDie.Kind, State: "ready"}
		if p.special != "" {
			v.Face, v.State = engine.Null(p.special), "used"
		}
		list = append(list, v)
	}
	return list
}
