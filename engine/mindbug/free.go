package mindbug

import "tableside/engine"

// A match without tagged cards follows life, Mindbugs and turns. Any seat
// may change its own life at any time.

// freeTurn waits for the player whose turn it is to say what came of it.
func (s *state) freeTurn(p *player) {
	q := question{player: p, key: "free-turn", fixed: freeAnswers, chosen: func(a answer) {
		switch a.word {
		case "plus":
			s.gainLife(p, 1)
		case "minus":
			s.loseLife(p, 1)
		case "hit":
			s.loseLife(s.other(p), 1)
		case "energy":
			s.gainEnergy(p, 1)
		case "pay":
			p.energy--
			s.tell("pays-energy", p, 1)
		default:
			return
		}
		s.freeTurn(p)
	}}
	if s.rules.energy {
		q.fixed = append(freeAnswers[:len(freeAnswers):len(freeAnswers)], answer{verb: engine.Choose, word: "energy", label: "energy-plus"})
	}
	if p.energy > 0 {
		q.fixed = append(q.fixed, answer{verb: engine.Choose, word: "pay", label: "energy-minus"})
	}
	s.ask(q)
}

var freeAnswers = []answer{
	{verb: engine.Choose, word: "hit", label: "hit"},
	key("plus", "gain-one"), key("minus", "lose-one"), key("next", "end-turn"),
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
	}
	add("gain-one", "plus")
	add("lose-one", "minus")
	return p
}
