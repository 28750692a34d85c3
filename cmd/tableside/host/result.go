package host

import (
	"io/fs"
	"slices"

	"tableside/engine"
)

// result sums a match up from its journal, or the current match for "".
func (h *Host) result(match string) (engine.Result, error) {
	data, err := h.table.Journal(match)
	if err != nil {
		return engine.Result{}, err
	}
	journal, err := engine.ParseJournal(match+".journal", data)
	if err != nil {
		return engine.Result{}, err
	}
	i := slices.IndexFunc(h.Games, func(g engine.Game) bool { return g.Info().Name == journal.Setup.Game })
	if i < 0 {
		return engine.Result{}, fs.ErrNotExist
	}
	return engine.Summarise(h.Games[i], journal)
}
