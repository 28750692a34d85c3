package host

import (
	"io/fs"

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
	game := engine.Find(h.Games, journal.Setup.Game)
	if game == nil {
		return nil, nil, fs.ErrNotExist
	}
	return game, journal, err
}
