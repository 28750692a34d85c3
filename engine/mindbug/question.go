package mindbug

import (
	"tableside/engine"
	"tableside/engine/cardgame"
)

type (
	question = cardgame.Question[*card]
	answer   = cardgame.Answer
	unfit    = cardgame.Unfit[*card]
)

var yesNo = []answer{cardgame.Key("yes", ""), cardgame.Key("no", "")}

// Apply takes the next input. The option silent-no makes two of a tap.
func (s *state) Apply(in engine.Input) ([]engine.Event, error) {
	events, err := s.Table.Apply(in, s)
	if err == nil && s.declined != nil {
		err = s.tapNext()
		events = s.Events
	}
	return events, err
}

// Tap takes a card on a reader.
func (s *state) Tap(in engine.Input) error {
	if !s.rules.cards {
		return engine.Refuse("refusal.no-cards")
	}
	return s.TakeTap(in, s)
}

// Unasked takes what any seat may do at any time: change its own life, and in a
// match without tagged cards use a Mindbug and change its cubes.
func (s *state) Unasked(in engine.Input) (bool, error) {
	p := s.at(in.Seat)
	if p == nil {
		if p = s.at(s.Question.Seat); p == nil {
			p = s.players[s.active]
		}
	}
	word := in.Arg(0)
	switch key := in.Verb == engine.Key; {
	case !s.begun:
		return false, nil
	case key && word == "plus":
		s.gainLife(p, 1)
	case key && word == "minus":
		s.dropLife(p, 1)
	case key && word == "yes" && !s.rules.cards && p.index != s.active:
		return true, s.freeMindbug(p)
	case key || len(in.Args) != 1 || !s.takeCube(p, word):
		return false, nil
	}
	s.AskAgain()
	return true, nil
}

// unless refuses a card that is not able.
func unless(able func(*card) bool, key string) func(*card) unfit {
	return func(c *card) unfit {
		if able(c) {
			return unfit{}
		}
		return unfit{Key: key, Card: c}
	}
}
