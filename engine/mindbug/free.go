package mindbug

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A match without tagged cards follows life, Mindbugs, cubes, dice and turns.
// Any seat may change its own life and cubes at any time.

// freeTurn waits for the player whose turn it is to say what came of it.
func (s *state) freeTurn(p *player) {
	q := question{Seat: p.seat, Key: "free-turn", Again: func() { s.freeTurn(p) }}
	q.Fixed = []answer{{Verb: engine.Choose, Word: "hit", Label: "hit", Seat: s.other(p).seat},
		cardgame.Key("plus", "gain-one"), cardgame.Key("minus", "lose-one"), cardgame.Key("next", "end-turn")}
	if s.rules.energy {
		q.Fixed = append(q.Fixed, cardgame.Key("roll", "throw-die"), cardgame.Choose("dice", "throw-dice"))
	}
	q.Fixed = append(q.Fixed, s.cubes(p)...)
	q.Chosen = func(a answer) {
		if a.Word == "next" {
			return
		}
		s.Do(q.Again)
		switch a.Word {
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
			s.takeCube(p, a.Word)
		}
	}
	s.Ask(q)
}

// cubes are the answers by which a player takes a cube, or pays one.
func (s *state) cubes(p *player) []answer {
	switch {
	case s.rules.cards || !s.rules.energy:
		return nil
	case p.energy == 0:
		return []answer{cardgame.Choose("energy", "energy-plus")}
	}
	return []answer{cardgame.Choose("energy", "energy-plus"), cardgame.Choose("pay", "energy-minus")}
}

// takeCube takes one of these answers, and reports whether it is one.
func (s *state) takeCube(p *player, word string) bool {
	if !slices.ContainsFunc(s.cubes(p), func(a answer) bool { return a.Word == word }) {
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
	s.Emit(engine.Event{Name: "mindbug-free", Seat: o.seat, Other: s.other(o).seat, N: o.mindbugs})
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
		p.Options = append(p.Options, engine.Answer{Key: a.Label, Input: string(o.seat) + " choose " + a.Word})
	}
	return p
}
