package engine

import "slices"

// Learned returns the owner's card data that the table asked for during the match, as
// definitions. Card data that an undo took back is left out.
func (m *Match) Learned() []string { return slices.Clone(m.learned) }

// Definitions returns the owner's card data in a journal. The data are the definitions at the
// beginning of the match, and the definitions that players entered during the match. If the
// journal no longer folds at some line, Definitions stops there without an error. If the match
// cannot begin, Definitions returns an error.
func (j *Journal) Definitions(game Game) ([]string, error) {
	m, err := Replay(game, j, nil, nil)
	if m == nil {
		return nil, err
	}
	return append(j.Setup.Definitions, m.Learned()...), nil
}
