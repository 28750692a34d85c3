package mindbug

import (
	"slices"

	"tableside/engine"
)

// A match without tagged cards follows life, Mindbugs, cubes, dice and turns.
// Any seat may change its own life and cubes at any time.

// freeTurn waits for the player whose turn it is to say what came of it.
func (s *state) freeTurn(p *player) {
	q := question{player: p, key: "free-turn", again: func() { s.freeTurn(p) }}
	q.fixed = []answer{{verb: engine.Choose, word: "hit", label: "hit", seat: s.other(p).seat},
		key("plus", "gain-one"), key("minus", "lose-one"), key("next", "end-turn")}
	if s.rules.energy {
		q.fixed = append(q.fixed, key("roll", "throw-die"), choose("dice", "throw-dice"))
	}
	q.fixed = append(q.fixed, s.cubes(p)...)
	q.chosen = func(a answer) {
		if a.word == "next" {
			return
		}
		s.do(q.again)
		switch a.word {
		case "plus":
			s.gainLife(p, 1)
		case "minus":
			s.loseLife(p, 1)
		case "hit":
			s.loseLife(s.other(p), 1)
		case "roll":
			s.castDice(p, 1)
		case "dice":
			s.castDice(p, 2)
		default:
			s.takeCube(p, a.word)
		}
	}
	s.ask(q)
}

// cubes are the answers by which a player takes a cube, or pays one.
func (s *state) cubes(p *player) []answer {
	switch {
	case s.rules.cards || !s.rules.energy:
		return nil
	case p.energy == 0:
		return []answer{choose("energy", "energy-plus")}
	}
	return []answer{choose("energy", "energy-plus"), choose("pay", "energy-minus")}
}

// takeCube takes one of these answers, and reports whether it is one.
func (s *state) takeCube(p *player, word string) bool {
	if !slices.ContainsFunc(s.cubes(p), func(a answer) bool { return a.word == word }) {
		return false
	}
	if word == "energy" {
		s.gainEnergy(p, 1)
	} else {
		p.energy--
		s.tell("pays-energy", p, 1)
	}
	return true
}

// freeMindbug is used on the card that the other player has just played.
func (s *state) freeMindbug(o *player) error {
	switch {
	case o.mindbugs == 0:
		return engine.Refuse("refusal.no-mindbug", "seat", o.seat)
	case s.again:
		return engine.Refuse("refusal.mindbug-once")
	}
	o.mindbugs--
	s.again = true
	s.emit(engine.Event{Name: "mindbug-free", Seat: o.seat, Other: s.other(o).seat, N: o.mindbugs})
	return nil
}

// freePrompt is what the player may do whose turn it is not.
func (s *state) freePrompt() engine.Prompt {
	o := s.other(s.players[s.active])
	p := engine.Prompt{Seat: o.seat, Key: "free-other", Args: engine.Args{"n": o.mindbugs}}
	add := func(label, word string) {
		p.Options = append(p.Options, engine.Answer{Key: label, Args: engine.Args{"n": o.mindbugs}, Input: string(o.seat) + " key " + word})
	}
	if o.mindbugs > 0 && !s.again {
		add("use-mindbug", "yes")
	} else {
		p.Key = "free-count"
	}
	add("gain-one", "plus")
	add("lose-one", "minus")
	for _, a := range s.cubes(o) {
		p.Options = append(p.Options, engine.Answer{Key: a.label, Input: string(o.seat) + " choose " + a.word})
	}
	return p
}
