package engine

import (
	"errors"
	"fmt"
)

// A Judge is a State that tells what is legal now. A match of a game without this interface finds
// that out by trial: see Match.Takes.
//
// Takes returns the error with which Apply would answer a tap, a key, a word or dice, and changes
// nothing. If only a trial tells, Takes returns ErrTry. It does not foresee effects without an
// end, which Apply refuses as well.
//
// Replies appends every answer that the prompts offer, in their order, to a list.
type Judge interface {
	Takes(Input) error
	Replies([]Reply) []Reply
}

// A Payer is a Judge with cards that cost other cards, which the table does not see. Unpaid returns
// why an input that Takes accepts leads nowhere with the given cards in the hand of its seat.
type Payer interface {
	Unpaid(in Input, hand []string) error
}

// ErrTry is the error of a Judge that would have to carry an input out to judge it.
var ErrTry = errors.New("engine: only a trial tells whether the rules accept this")

// A Reply is an answer to a prompt, as programs give it.
type Reply struct {
	Input Input        // without its arguments, if Zone or Roll says what they may be
	Zone  string       // the tap of a card in this place; Takes tells of which: "red/hand"
	Roll  *RollRequest // the faces of these dice
	Deed  bool         // says what players have done by hand, of which the rules know nothing
}

// AppendReplies appends the answers of prompts to a list.
func AppendReplies(list []Reply, prompts []Prompt) []Reply {
	for _, p := range prompts {
		for _, o := range p.Options {
			tokens, err := Tokens(o.Input)
			if err != nil || len(tokens) < 2 {
				continue
			}
			r := Reply{Input: Input{Seat: Seat(tokens[0].Text), Verb: Verb(tokens[1].Text)}, Zone: o.Zone}
			for _, t := range tokens[2:] {
				r.Input.Args = append(r.Input.Args, t.Text)
			}
			list = append(list, r)
		}
		if p.Roll != nil {
			list = append(list, Reply{Input: Input{Seat: p.Seat, Verb: Roll}, Roll: p.Roll})
		}
	}
	return list
}

// Replies appends every answer that the prompts offer to a list.
func (m *Match) Replies(list []Reply) []Reply {
	if judge, ok := m.state.(Judge); ok {
		return judge.Replies(list)
	}
	return AppendReplies(list, m.state.View().Prompts)
}

// Takes returns the error with which Apply would answer an input other than undo and redo, without
// changing the match. A trial takes as long as an undo; a Judge needs one for corrections and very
// few other inputs.
func (m *Match) Takes(in Input) error {
	prepared, err := m.prepare(in)
	if err == nil {
		err = m.judge(prepared)
	}
	if errors.Is(err, ErrTry) {
		_, err = m.Try(in)
	}
	return err
}

// judge is Takes for an input that is prepared. If only a trial tells, it returns ErrTry.
func (m *Match) judge(in Input) error {
	judge, ok := m.state.(Judge)
	if !ok || m.torn {
		return ErrTry
	}
	switch in.Verb {
	case Tap, Key, Choose, Roll, Lift:
		return m.guard(in, func() error { return judge.Takes(in) })
	}
	return ErrTry
}

// guard asks the rules about an input. A panic there becomes an error, and the match is folded again.
func (m *Match) guard(in Input, ask func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			m.torn = m.fold() != nil
			err = fmt.Errorf("engine: %s: panic in the rules about %q: %v", m.info.Name, in.Command(), p)
		}
	}()
	return ask()
}
