package mindbug

import (
	"slices"

	"tableside/engine"
)

// A die is one that the attacker throws; the second is the opponent's.
type die struct {
	id   string
	seat engine.Seat // throws it
	face string      // "" until it is thrown
	kept bool
}

// faces6: 002 "Symbole de Lancer de dé". Six results on six faces.
var faces6 = []string{"growth-1", "growth-2", "growth-3", "energy-1", "energy-2", "discard"}

// What the faces give.
var (
	growths  = map[string]int{"growth-1": 1, "growth-2": 2, "growth-3": 3}
	energies = map[string]int{"energy-1": 1, "energy-2": 2}
)

// rollDice: 002 "Symbole de Lancer de dé": before the block, and before any
// other effect. One reroll, of one die or both; some creatures allow more.
func (s *state) rollDice() {
	n := 0
	if s.rules.energy && s.attacking() {
		n = s.diceOf(s.battle.attacker)
	}
	s.castDice(s.battle.p, n)
}

// castDice lets a player throw one's own die, or both.
func (s *state) castDice(p *player, n int) {
	s.dice, s.thrower, s.rerolls = nil, p, 1
	if n == 0 {
		return
	}
	for _, owner := range []*player{p, s.other(p)}[:n] {
		s.dice = append(s.dice, die{id: string(owner.seat) + "-1", seat: p.seat})
	}
	for _, f := range s.inForce() {
		if f.rule.Is == RollMore && f.p == p && s.holds(f.rule.While, p) {
			s.rerolls++
		}
	}
	s.do(s.throw, s.reroll, s.resolveDice)
}

// throw asks for the dice that are not thrown yet.
func (s *state) throw() {
	n := 0
	for _, d := range s.dice {
		if d.face == "" {
			n++
		}
	}
	if n > 0 {
		s.ask(question{player: s.thrower, key: "roll", n: n, roll: n})
	}
}

// takeRoll is what dice show. Tagged faces come one by one.
func (s *state) takeRoll(in engine.Input) error {
	q := s.question
	switch p := s.at(in.Seat); {
	case q.roll == 0:
		return engine.Refuse("refusal.no-dice")
	case p != nil && p != q.player:
		return q.first()
	case len(in.Args) > q.roll:
		return engine.Refuse("refusal.dice", "n", q.roll)
	}
	for _, face := range in.Args {
		if !slices.Contains(faces6, face) {
			return engine.Refuse("refusal.face", "name", face)
		}
	}
	s.question = question{}
	for _, face := range in.Args {
		i := slices.IndexFunc(s.dice, func(d die) bool { return d.face == "" })
		s.dice[i].face = face
		s.emit(engine.Event{Name: "rolls", Seat: q.player.seat, Word: "face." + face})
	}
	s.do(s.throw)
	return nil
}

// reroll asks whether to throw again, as often as that is allowed.
func (s *state) reroll() {
	if s.rerolls == 0 || len(s.dice) == 0 {
		return
	}
	q := question{player: s.thrower, key: "reroll", n: s.rerolls, fixed: []answer{key("no", "keep"), key("yes", "reroll-all")}}
	if len(s.dice) > 1 {
		for _, d := range s.dice {
			q.fixed = append(q.fixed, answer{verb: engine.Choose, word: d.id, label: "reroll-one", about: engine.Word("face." + d.face)})
		}
	}
	q.chosen = func(a answer) {
		if a.word == "no" {
			return
		}
		s.rerolls--
		for i := range s.dice {
			if again := a.word == "yes" || a.word == s.dice[i].id; again {
				s.dice[i].face = ""
			}
			s.dice[i].kept = s.dice[i].face != ""
		}
		s.do(s.throw, s.reroll)
	}
	s.ask(q)
}

// resolveDice: every result, for who has thrown. In which order makes no
// difference; without cards there is no attacker that grows. What the results have set off comes before any other
// effect, too.
func (s *state) resolveDice() {
	p := s.thrower
	var steps []func()
	for i := range s.dice {
		s.dice[i].kept = true
		face := s.dice[i].face
		if n := growths[face]; n > 0 && s.rules.cards && s.attacking() {
			s.battle.attacker.grown += int32(n)
			s.emit(engine.Event{Name: "grows", Seat: p.seat, Card: s.battle.attacker.name, N: n})
		}
		s.gainEnergy(p, energies[face])
		if face == "discard" && s.rules.cards {
			steps = append(steps, func() { s.discardCards(s.other(p), 1) })
		}
	}
	s.do(append(steps, s.steps.settle)...)
}

// diceView is what lies on the table.
func (s *state) diceView() []engine.Die {
	var list []engine.Die
	for _, d := range s.dice {
		state := "rolled"
		switch {
		case d.face == "":
			state = "rolling"
		case d.kept:
			state = "kept"
		}
		list = append(list, engine.Die{ID: d.id, Seat: d.seat, Kind: "kot", Face: engine.Null(d.face), State: state})
	}
	return list
}
