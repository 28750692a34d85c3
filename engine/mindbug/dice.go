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

// faces: 002 "Symbole de Lancer de dé". Six results on six faces.
var faces6 = []string{"growth-1", "growth-2", "growth-3", "energy-1", "energy-2", "discard"}

// rollDice: 002 "Symbole de Lancer de dé": before the block, and before any
// other effect. One reroll, of one die or both; some creatures allow more.
func (s *state) rollDice() {
	n := 0
	if s.rules.energy && s.attacking() {
		n = s.diceOf(s.battle.attacker)
	}
	s.dice = nil
	if n == 0 {
		return
	}
	p := s.battle.p
	for _, owner := range []*player{p, s.other(p)}[:n] {
		s.dice = append(s.dice, die{id: string(owner.seat) + "-1", seat: p.seat})
	}
	s.rerolls = 1
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
		s.ask(question{player: s.battle.p, key: "roll", n: n, roll: n})
	}
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
	q := question{player: s.battle.p, key: "reroll", n: s.rerolls, fixed: []answer{key("no", "keep"), key("yes", "reroll-all")}}
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

// resolveDice: every result, for who controls the attacker. In which order
// makes no difference. What the results have set off comes before any other
// effect, too.
func (s *state) resolveDice() {
	p, attacker := s.battle.p, s.battle.attacker
	var steps []func()
	for i := range s.dice {
		s.dice[i].kept = true
		switch face := s.dice[i].face; face {
		case "growth-1", "growth-2", "growth-3":
			if n := int(face[len(face)-1] - '0'); s.attacking() {
				attacker.grown += n
				s.emit(engine.Event{Name: "grows", Seat: p.seat, Card: attacker.name, N: n})
			}
		case "energy-1", "energy-2":
			s.gainEnergy(p, int(face[len(face)-1]-'0'))
		case "discard":
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
