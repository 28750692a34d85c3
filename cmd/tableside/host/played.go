package host

import (
	"io/fs"
	"slices"

	"tableside/engine"
)

// played returns the game and the journal of a match, or of the current match for "".
// Of a damaged journal it returns the intact beginning beside the error.
func (h *Host) played(match string) (engine.Game, *engine.Journal, error) {
	data, err := h.table.Journal(match)
	if err != nil {
		return nil, nil, err
	}
	journal, err := engine.ParseJournal(match+".journal", data)
	if journal == nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(h.Games, func(g engine.Game) bool { return g.Info().Name == journal.Setup.Game })
	if i < 0 {
		return nil, nil, fs.ErrNotExist
	}
	return h.Games[i], journal, err
}
