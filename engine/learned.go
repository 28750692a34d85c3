package engine

import "fmt"

// Learned returns the owner's card data that the table asked for during the match, as
// definitions. Card data that an undo took back is left out, because Learned folds the inputs
// in force again. If these inputs no longer fold, Learned returns an error.
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

// Definitions returns the owner's card data in a journal. The data are the definitions at the
// beginning of the match, and the definitions that players entered during the match. If the
// journal no longer folds at some line, Definitions stops there without an error. If the match
// cannot begin, Definitions returns an error.
func (j *Journal) Definitions(game Game) ([]string, error) {
	m, err := Replay(game, j, nil)
	if m == nil {
		return nil, err
	}
	learned, err := m.Learned()
	return append(j.Setup.Definitions, learned...), err
}
