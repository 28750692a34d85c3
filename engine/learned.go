package engine

import "fmt"

// Learned returns the owner's card data that was asked for during the match, as definitions.
// It folds all inputs in force again, so it leaves out what was taken back. It returns an
// error if the inputs no longer fold.
func (m *Match) Learned() (defines []string, err error) {
	again, err := NewMatch(m.game, m.setup)
	if err != nil {
		return nil, fmt.Errorf("the match does not begin again: %w", err)
	}
	for _, in := range m.done {
		step, err := again.Apply(in)
		if err != nil {
			return nil, fmt.Errorf("the match does not fold again: %q: %w", in.Command(), err)
		}
		for _, e := range step.Events {
			if e.Define != "" {
				defines = append(defines, e.Define)
			}
		}
	}
	return defines, nil
}

// Definitions returns the owner's card data in a journal: the definitions with which the match
// began, and those that were asked for during it. Where the journal no longer folds, it stops
// without an error. It returns an error if the match cannot begin.
func (j *Journal) Definitions(game Game) ([]string, error) {
	m, err := Replay(game, j, nil)
	if m == nil {
		return nil, err
	}
	learned, err := m.Learned()
	return append(j.Setup.Definitions, learned...), err
}
