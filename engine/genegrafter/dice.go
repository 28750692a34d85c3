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
	battleDice = [2]*cardgame.Die{
		attackSide:  {Kind: "attack", Faces: pipNames},
		defenceSide: {Kind: "defence", Faces: pipNames},
	}
)

func pips(face string) int { return slices.Index(pipNames, face) + 1 }

// A die is one of the dice that lie on the table.
type die struct {
	f       *fighter // who throws it
	n       int      // its number among the dice of its player, from 1
	pips    int      // 0 until it is thrown
	bonus   int      // what abilities add to its pips
	minPips int      // its pips before a reroll that ignores a worse result
}

func (d *die) id() string { return string(d.f.p.seat) + "-" + strconv.Itoa(d.n) }

func (s *state) dieNamed(id string) *die {
	if i := slices.IndexFunc(s.dice, func(d die) bool { return d.id() == id }); i >= 0 {
		return &s.dice[i]
	}
	return nil
}

// diceOf returns the number of dice of a fighter, at least 0 (004 "Combattre", 6, and FAQ
// "Super Punch"). An ability adds its super number if the character has the power of that
// ability, and its base number if not. Each token that the fighter uses adds a die.
func (f *fighter) diceOf() int {
	n := f.c.strength(f.side) + f.tokens + f.extra
	for _, a := range f.abilities {
		if f.countedField(a.kind) == FieldSuper {
			n += a.kind.Super
		} else {
			n += a.kind.Base
		}
	}
	return max(0, n)
}

// rerollsOf returns the number of rerolls of a fighter. Each ability whose colour the
// fighter's character has gives one reroll: 004 "Carte capacité".
func (f *fighter) rerollsOf() int {
	has, cards := f.c.colours(), f.unnamed
	for _, a := range f.abilities {
		cards[a.kind.Category]++
	}
	n := 0
	for category, count := range cards {
		if has[category] {
			n += count
		}
	}
	return n
}

// layDice counts the dice that both fighters will throw: 004 "Combattre", 6.
func (s *state) layDice() {
	for _, f := range s.battle.fighters {
		s.countDice(f)
	}
}

func (s *state) countDice(f *fighter) {
	s.Emit(engine.Event{Name: "counts", Seat: f.p.seat, Card: f.c.Name, N: f.diceOf()})
	n := f.rerollsOf()
	f.rerolls, f.matched = f.rerolls+n-f.matched, n
}

// recount counts the dice and the rerolls of both fighters again before the first die of a
// throw. If a number has changed, recount also lays the dice on the table again. The special
// die can change these numbers. If the count needs a number that is unknown, recount asks for
// that number, puts s.throw after the question, and returns true. Otherwise it returns false.
// Under rules before 2, recount does nothing and returns false.
func (s *state) recount() bool {
	b := s.battle
	if b.cast || !s.rules.revised {
		return false
	}
	if s.askNumber(s.throw) {
		return true
	}
	changed := false
	for _, f := range b.fighters {
		if f.dice != f.diceOf() || f.matched != f.rerollsOf() {
			s.countDice(f)
			changed = true
		}
	}
	if changed {
		s.putDice()
	}
	return false
}

// throwDice lets both fighters throw their dice: 004 "Combattre", 7. The attacker uses rerolls
// first; the greatest total wins.
func (s *state) throwDice() {
	b := s.battle
	b.cast = false
	s.putDice()
	for i := range b.ready {
		b.ready[i].declined = false
	}
	s.fightOn(s.throw, func() { s.reroll(b.fighters[attackSide]) }, func() { s.reroll(b.fighters[defenceSide]) },
		s.useReadyAbility, s.compare)
}

func (s *state) putDice() {
	s.dice = make([]die, 0, 2*boxDice)
	for _, f := range s.battle.fighters {
		f.dice = f.diceOf()
		for n := range f.dice {
			s.dice = append(s.dice, die{f: f, n: n + 1})
		}
	}
}

// throw asks for the dice that are not thrown yet, one fighter after the other. It never asks
// for more dice at once than the box holds.
func (s *state) throw() {
	if s.recount() {
		return
	}
	var f *fighter
	n := 0
	for _, d := range s.dice {
		if d.pips == 0 && n < boxDice && (f == nil || d.f == f) {
			f = d.f
			n++
		}
	}
	if f == nil {
		return
	}
	s.Ask(question{Seat: f.p.seat, Key: "roll", N: n, Roll: n, Die: battleDice[f.side], Rolled: func(faces []string) {
		s.battle.cast, s.battle.everCast = true, true
		for _, face := range faces {
			d := &s.dice[slices.IndexFunc(s.dice, func(d die) bool { return d.f == f && d.pips == 0 })]
			d.pips = max(d.minPips, pips(face))
		}
		s.Emit(engine.Event{Name: "rolls", Seat: f.p.seat, Word: engine.Literal(strings.Join(faces, " ")).Word()})
		s.fightOn(s.throw)
	}})
}

// reroll lets a fighter's player throw one die again for each reroll that is left (004 "Carte
// capacité"). A worse result is ignored. The player may also keep all dice.
func (s *state) reroll(f *fighter) {
	if f.rerolls <= 0 {
		return
	}
	s.askDie(f.p, "reroll", nil, f.rerolls, func(d *die) bool { return d.f == f && d.pips < dieFaces }, func(d *die) {
		if d == nil {
			return
		}
		f.rerolls--
		d.minPips, d.pips = d.pips, 0
		s.fightOn(s.throw, func() { s.reroll(f) })
	})
}

// askDie asks a player to choose a die. The first callback reports whether a die may be
// chosen. If no die may be chosen, askDie asks nothing. The second callback gets the chosen
// die, or nil if the player keeps all dice. The question shows the prompt, the subject and the
// number n.
func (s *state) askDie(p *player, prompt string, subject *card, n int, fits func(*die) bool, then func(*die)) {
	q := question{Seat: p.seat, Key: prompt, About: subject, N: n, Chosen: func(a answer) { then(s.dieNamed(a.Word)) }}
	for i := range s.dice {
		if d := &s.dice[i]; fits(d) {
			q.Fixed = append(q.Fixed, answer{Verb: engine.Choose, Word: d.id(), Label: "die", N: d.pips, Seat: d.f.p.seat})
		}
	}
	if q.Fixed != nil {
		q.Fixed = append(q.Fixed, cardgame.Key("no", "keep"))
		s.Ask(q)
	}
}

// A readyAbility is one that a player has laid and may still use on a die: 004 "Lucky shot
// et Roll Again".
type readyAbility struct {
	p        *player
	card     *card
	step     Step
	declined bool // for this throw
	carried  bool // it was turned in an earlier battle
}

// isThere reports whether the card of the ability still lies before its player: in the battle,
// or in play.
func (r *readyAbility) isThere() bool {
	return r.card.Where&(r.p.placeOf(inBattle)|r.p.placeOf(inPlay)) != 0
}

func (r *readyAbility) mayUse(d *die) bool {
	switch r.step.Which {
	case "own", "all-own":
		return d.f.p == r.p
	case "theirs", "all-theirs", "highest-theirs":
		return d.f.p != r.p
	}
	return true
}

// readyPrompts maps the effects on a die to the questions for the die.
var readyPrompts = map[Effect]string{
	Reroll: "roll-again", RerollBetter: "roll-again", TurnDie: "turn-die", ChangeDie: "change-die", AddToDie: "add-to-die",
}

// useReadyAbility asks on which die each ability is used, in the order in which the abilities were
// turned. Some abilities are only for the player's own dice, or only for the opponent's dice.
// Any other ability is for any die on the table. Some are for all these dice, or for the highest
// of them, and ask nothing.
func (s *state) useReadyAbility() {
	b := s.battle
	i := slices.IndexFunc(b.ready, func(r readyAbility) bool { return !r.declined && r.isThere() })
	if i < 0 {
		return
	}
	r := b.ready[i]
	use := func(dice ...*die) {
		s.fightOn(s.useReadyAbility)
		if len(dice) == 0 {
			b.ready[i].declined = true
			return
		}
		b.ready = slices.Delete(b.ready, i, i+1)
		s.fightOn(s.throw)
		for _, d := range dice {
			s.useOn(r, d)
		}
	}
	switch r.step.Which {
	case "all-own", "all-theirs":
		use(s.diceFor(r)...)
	case "highest-theirs":
		dice := s.diceFor(r)
		slices.SortStableFunc(dice, func(a, b *die) int { return b.pips - a.pips })
		use(dice[:min(1, len(dice))]...)
	default:
		s.askDie(r.p, readyPrompts[r.step.Do], r.card, r.step.N, r.mayUse, func(d *die) {
			if d == nil {
				use()
			} else {
				use(d)
			}
		})
	}
}

func (s *state) diceFor(r readyAbility) (list []*die) {
	for i := range s.dice {
		if r.mayUse(&s.dice[i]) {
			list = append(list, &s.dice[i])
		}
	}
	return list
}

// useOn uses an ability on a die. The new result of the die replaces the old result. For
// RerollBetter, the better of the two results counts.
func (s *state) useOn(r readyAbility, d *die) {
	switch r.step.Do {
	case Reroll:
		d.minPips, d.pips = 0, 0
	case AddToDie:
		d.bonus += r.step.N
		s.Emit(engine.Event{Name: "adds-to-die", Seat: r.p.seat, Card: r.card.Name, N: r.step.N})
	case RerollBetter:
		d.minPips, d.pips = d.pips, 0
	case TurnDie:
		s.turnDie(r, d, r.step.N)
	default:
		s.fightOn(func() { s.askFace(r, d) })
	}
}

func (s *state) turnDie(r readyAbility, d *die, n int) {
	d.pips = n
	s.Emit(engine.Event{Name: "turns-die", Seat: r.p.seat, Card: r.card.Name, N: n})
}

func (s *state) askFace(r readyAbility, d *die) {
	q := question{Seat: r.p.seat, Key: "new-face", About: r.card, Chosen: func(a answer) { s.turnDie(r, d, a.N) }}
	for n := range dieFaces {
		q.Fixed = append(q.Fixed, cardgame.ChooseNumber(n+1))
	}
	s.Ask(q)
}

// diceView returns the dice that lie on the table: those of the battle, and everybody's
// special die.
func (s *state) diceView() []engine.Die {
	list := make([]engine.Die, 0, len(s.dice)+len(s.players))
	for _, d := range s.dice {
		v := engine.Die{ID: d.id(), Seat: d.f.p.seat, Kind: battleDice[d.f.side].Kind, State: "rolling"}
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
