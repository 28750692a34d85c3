package genegrafter

import (
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A dieKind is what is thrown.
type dieKind struct {
	name  string
	faces []string
}

const (
	dieFaces = 6
	boxDice  = 6 // 004 "Matériel": six dice for attacks, six for defence
)

var (
	pipNames   = []string{"1", "2", "3", "4", "5", "6"}
	plainDie   = dieKind{"d6", pipNames}
	battleDice = [2]dieKind{attacks: {"attack", pipNames}, defends: {"defence", pipNames}}
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

// layDice takes the dice that both sides throw: 004 "Combattre", 6.
func (s *state) layDice() {
	if !s.fighting() {
		return
	}
	b := s.battle
	for i := range b.sides {
		b.sides[i].rerolls = s.rerollsOf(i)
		s.emit(engine.Event{Name: "counts", Seat: b.sides[i].p.seat, Card: b.sides[i].c.name, N: s.diceOf(i)})
	}
}

// throwDice: 004 "Combattre", 7: both throw, the attacker uses rerolls first,
// the greatest total wins.
func (s *state) throwDice() {
	if !s.fighting() {
		return
	}
	mine := s.diceOf(attacks)
	s.dice = make([]die, 0, mine+s.diceOf(defends))
	for i := range cap(s.dice) {
		d := die{side: attacks, n: i + 1}
		if i >= mine {
			d = die{side: defends, n: i + 1 - mine}
		}
		d.p = s.battle.sides[d.side].p
		s.dice = append(s.dice, d)
	}
	for i := range s.battle.ready {
		s.battle.ready[i].declined = false
	}
	s.do(s.throw, func() { s.reroll(attacks) }, func() { s.reroll(defends) }, s.useReadied, s.compare)
}

// throw asks for the dice that are not thrown yet: as many at once as the box
// holds.
func (s *state) throw() {
	i := slices.IndexFunc(s.dice, func(d die) bool { return d.pips == 0 })
	if !s.fighting() || i < 0 {
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
	s.ask(question{player: s.dice[i].p, key: "roll", n: n, roll: n, die: battleDice[side], rolled: func(faces []string) {
		for _, face := range faces {
			i := slices.IndexFunc(s.dice, func(d die) bool { return d.side == side && d.pips == 0 })
			d := &s.dice[i]
			d.pips = max(d.least, pips(face))
		}
		s.emit(engine.Event{Name: "rolls", Seat: s.battle.sides[side].p.seat, Word: string(engine.Literal(strings.Join(faces, " ")))})
		s.do(s.throw)
	}})
}

// takeRoll is what dice show. Tagged faces come one by one.
func (s *state) takeRoll(in engine.Input) error {
	q := s.question
	switch p := s.at(in.Seat); {
	case q.roll == 0:
		return engine.Refuse("refusal.no-dice")
	case p != nil && p != q.player:
		return engine.Refuse("refusal.not-asked", "seat", q.player.seat)
	case len(in.Args) > q.roll:
		return engine.Refuse("refusal.dice", "n", q.roll)
	}
	for _, face := range in.Args {
		if !slices.Contains(q.die.faces, face) {
			return engine.Refuse("refusal.face", "name", face)
		}
	}
	s.question = question{}
	q.rolled(in.Args)
	return nil
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
		s.do(s.throw, func() { s.reroll(side) })
	}, func() {})
}

// askDie asks for one of the dice, or for none.
func (s *state) askDie(p *player, prompt string, about *card, n int, fits func(*die) bool, then func(*die), none func()) {
	q := question{player: p, key: prompt, card: about, n: n}
	for i := range s.dice {
		if d := &s.dice[i]; fits(d) {
			q.fixed = append(q.fixed, answer{verb: engine.Choose, word: d.id(), label: "die", n: d.pips, seat: d.p.seat})
		}
	}
	if q.fixed == nil {
		return
	}
	q.fixed = append(q.fixed, key("no", "keep"))
	q.chosen = func(a answer) {
		if d := s.dieNamed(a.word); d != nil {
			then(d)
			return
		}
		none()
	}
	s.ask(q)
}

// A readied ability waits for dice: 004 "Lucky shot et Roll Again".
type readied struct {
	p        *player
	card     *card
	step     Step
	declined bool // for this throw
}

// useReadied asks, in the order in which the abilities were turned, for the
// die that each is used on. Any die on the table will do, and its new result
// stands.
func (s *state) useReadied() {
	if !s.fighting() {
		return
	}
	b := s.battle
	i := slices.IndexFunc(b.ready, func(r readied) bool { return !r.declined })
	if i < 0 {
		return
	}
	r := b.ready[i]
	s.askDie(r.p, readyPrompts[r.step.Do], r.card, r.step.N, func(*die) bool { return true }, func(d *die) {
		b.ready = slices.Delete(b.ready, i, i+1)
		s.do(s.throw, s.useReadied)
		switch r.step.Do {
		case RollAgain:
			d.least, d.pips = 0, 0
		case TurnDie:
			s.turnDie(r, d, r.step.N)
		default:
			s.do(func() { s.askFace(r, d) })
		}
	}, func() {
		b.ready[i].declined = true
		s.do(s.useReadied)
	})
}

var readyPrompts = map[Effect]string{RollAgain: "roll-again", TurnDie: "turn-die", ChangeDie: "change-die"}

func (s *state) turnDie(r readied, d *die, n int) {
	d.pips = n
	s.emit(engine.Event{Name: "turns-die", Seat: r.p.seat, Card: r.card.name, N: n})
}

// askFace asks what a die shows after an ability that nobody has entered.
func (s *state) askFace(r readied, d *die) {
	if !s.fighting() {
		return
	}
	q := question{player: r.p, key: "new-face", card: r.card, chosen: func(a answer) { s.turnDie(r, d, a.n) }}
	for i, face := range pipNames {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: face, label: "number", n: i + 1})
	}
	s.ask(q)
}

// diceView is what lies on the table: those of the battle, and everybody's
// special die.
func (s *state) diceView() []engine.Die {
	list := make([]engine.Die, 0, len(s.dice)+len(s.players))
	for _, d := range s.dice {
		v := engine.Die{ID: d.id(), Seat: d.p.seat, Kind: battleDice[d.side].name, State: "rolling"}
		if d.pips > 0 {
			v.Face, v.State = engine.Null(pipNames[d.pips-1]), "rolled"
		}
		list = append(list, v)
	}
	for _, p := range s.players {
		v := engine.Die{ID: string(p.seat) + "-special", Seat: p.seat, Kind: specialDie.name, State: "ready"}
		if p.special != "" {
			v.Face, v.State = engine.Null(p.special), "used"
		}
		list = append(list, v)
	}
	return list
}
