package engine

import (
	"errors"
	"fmt"
)

// Replay folds a journal again. Before every line it calls limit, and after every input visit,
// unless they are nil.
//
// Replay stops at an error of limit or visit, or at a line that today's rules refuse or with which
// they no longer agree. It then returns the error and the match up to there. For such a line, the
// error is a *SyntaxError with its number. If the match cannot begin, the match is nil.
func Replay(game Game, j *Journal, limit func() error, visit func(*Match, Step) error) (m *Match, err error) {
	defer func() {
		if p := recover(); p != nil { // in a game's New or View
			err = Faultf(0, "the rules fail: %v", p)
		}
	}()
	if m, err = NewMatch(game, j.Setup); err != nil {
		return nil, err
	}
	for i, line := range j.Lines {
		if limit != nil {
			if err := limit(); err != nil {
				return m, err
			}
		}
		if line.Mark != nil {
			if err := j.CheckMark(i, m); err != nil {
				return m, err
			}
			continue
		}
		step, err := m.Apply(line.Input)
		if err != nil {
			return m, j.fault(i, m, err)
		}
		if visit != nil {
			if err := visit(m, step); err != nil {
				return m, fmt.Errorf("line %d: %w", line.Number, err)
			}
		}
	}
	return m, nil
}

// fault returns the error of Replay for the input in Lines[i], which the match m does not accept.
func (j *Journal) fault(i int, m *Match, err error) error {
	e := &SyntaxError{Line: j.Lines[i].Number, Damaged: j.Miscounted(i)}
	if refusal, refused := AsRefusal(err); refused {
		words, view := m.Words(), m.View()
		e.Reasons = Worded(func(lang Lang) string { return words.Say(lang, refusal.Text, view.Names()) })
		e.Reason = e.Reasons.In(English)
		return e
	}
	e.Format, e.Args = "the rules fail: %v", []any{err}
	e.Reason = fmt.Sprintf(e.Format, e.Args...)
	return e
}

// CheckMark compares the mark in Lines[i] with a match that was folded up to this line. The
// error is a *SyntaxError with the number of the line in the file.
func (j *Journal) CheckMark(i int, m *Match) error {
	line := j.Lines[i]
	mark := line.Mark
	switch {
	case mark.Seq == m.Seq() && mark.Hash == m.View().Hash():
		return nil
	case j.Miscounted(i):
		return locate(damaged(0, "this mark counts %d inputs, but the lines before it have another number: "+
			"lines are missing or duplicate", mark.Seq), "", line.Number)
	case mark.Seq != m.Seq():
		return Faultf(line.Number, "this mark counts %d accepted inputs, but today's rules accept %d of them",
			mark.Seq, m.Seq())
	case m.Setup().Rules == m.Game().Info().Rules:
		return Faultf(line.Number, "after %d inputs the rules lead to another view than the one recorded here: "+
			"a line was changed, or this program has a fault", mark.Seq)
	}
	return Faultf(line.Number, "after %d inputs today's rules lead to another view than the one recorded here "+
		"(the match has rules %d, today's are %d)", mark.Seq, m.Setup().Rules, m.Game().Info().Rules)
}

// SayFault explains in a language why a match cannot begin or be folded. The reason is the
// error err. If this program does not have the game of the match, game is nil.
func SayFault(err error, game Game, lang Lang) string {
	setup, ok := errors.AsType[*SetupError](err)
	if !ok {
		return ErrorIn(err, lang)
	}
	words := CoreWords()
	if game != nil {
		words = Merge(words, game.Info().Words)
	}
	return words.Say(lang, setup.Text, nil)
}
