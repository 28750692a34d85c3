package engine

import "fmt"

// Replay folds a journal again and calls each, which may be nil, after every accepted
// input. A line that was refused changes nothing, as at the table. Where today's rules no
// longer agree with the journal, Replay stops with an error; the match up to there is
// returned, too.
func Replay(game Game, j *Journal, each func(*Match, Step) error) (m *Match, err error) {
	defer func() {
		if p := recover(); p != nil { // in a game's New or View
			err = fmt.Errorf("the rules fail: %v", p)
		}
	}()
	if m, err = NewMatch(game, j.Setup); err != nil {
		return nil, err
	}
	for _, line := range j.Lines {
		if mark := line.Mark; mark != nil {
			if mark.Seq != m.Seq() || mark.Hash != m.View().Hash() {
				return m, fmt.Errorf("line %d: the rules of today lead to another table", line.Number)
			}
			continue
		}
		step, err := m.Apply(line.Input)
		if _, refused := AsRefusal(err); refused {
			continue
		}
		if err == nil && each != nil {
			err = each(m, step)
		}
		if err != nil {
			return m, fmt.Errorf("line %d: %w", line.Number, err)
		}
	}
	return m, nil
}
