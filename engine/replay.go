package engine

import (
	"errors"
	"fmt"
)

// Replay folds a journal again. After every accepted input, it calls visit, unless visit is
// nil. A line that is refused changes nothing, as at the table.
//
// Replay stops at an error of visit or j.CheckLimits, or where today's rules no longer agree
// with the journal. It then returns the error and the match up to there. If the match cannot
// begin, the match is nil.
func Replay(game Game, j *Journal, visit func(*Match, Step) error) (*Match, error) {
	return replay(game, j, false, visit)
}

// Follow is like Replay but faster, for callers that need only an Outline after each input.
func Follow(game Game, j *Journal, visit func(*Match, Step) error) (*Match, error) {
	stopped := false // by an error of visit
	m, err := replay(game, j, true, func(m *Match, step Step) (err error) {
		if visit != nil {
			err = visit(m, step)
		}
		stopped = err != nil
		return err
	})
	if m != nil {
		m.trusted = false
	}
	if err == nil {
		err = m.checkView(Input{})
	}
	if err == nil || stopped {
		return m, err
	}
	again, fault := Replay(game, j, nil)
	if fault == nil { // visit has panicked
		return m, err
	}
	return again, fault // a view may have failed long before
}

// replay folds a journal. If trusted is true, it makes no view after each input.
func replay(game Game, j *Journal, trusted bool, visit func(*Match, Step) error) (m *Match, err error) {
	defer func() {
		if p := recover(); p != nil { // in a game's New or View
			err = Faultf(0, "the rules fail: %v", p)
		}
	}()
	if m, err = NewMatch(game, j.Setup); err != nil {
		return nil, err
	}
	m.trusted = trusted
	for i, line := range j.Lines {
		if j.CheckLimits != nil {
			if err := j.CheckLimits(); err != nil {
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
		if _, refused := AsRefusal(err); refused {
			continue
		}
		if err == nil && visit != nil {
			err = visit(m, step)
		}
		if err != nil {
			return m, fmt.Errorf("line %d: %w", line.Number, err)
		}
	}
	return m, nil
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
		return Faultf(line.Number, "this mark counts %d inputs, but the lines before it have another number: "+
			"lines are missing or duplicate", mark.Seq)
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
