package host

import (
	"slices"
	"time"

	"tableside/device/history"
	"tableside/display/web"
	"tableside/engine"
)

// history returns for the page what the journals tell, and how that is changed.
func (h *Host) history() *web.History {
	past := history.New(h.Config.Table.Data, h.Games)
	return &web.History{
		Matches: func(deleted bool) (any, error) {
			b, err := past.Read()
			if deleted {
				return b.Deleted, err
			}
			return b.Matches, err
		},
		Players: func() (any, error) {
			b, err := past.Read()
			return b.Players(), err
		},
		Stats: func(lang engine.Lang) (any, error) {
			b, err := past.Read()
			return b.Stats(lang), err
		},
		Change: func(c web.Change) error { return h.change(past, c, time.Now()) },
	}
}

// change carries out a change. A match on the table, or one that waits to be continued,
// stays where it is.
func (h *Host) change(past *history.History, c web.Change, now time.Time) error {
	v, status := h.table.Frame().View, h.table.Frame().Status
	switch c.Do {
	case "note":
		return past.Note(c.Match, c.Text, now)
	case "rename":
		return past.Rename(c.Name, c.To, now)
	case "separate":
		return past.Separate(c.Name, now)
	case "delete":
		if c.Match != "" && (c.Match == string(v.Match) || c.Match == status.Unfinish) {
			return engine.Refuse("past.on-table")
		}
		defer h.table.Refresh(c.Match)
		return past.Delete(c.Match, now)
	case "restore":
		defer h.table.Refresh(c.Match)
		return past.Restore(c.Match, now)
	}
	changed, err := past.Remove(c.Name, now, func(typed []string) bool {
		return slices.ContainsFunc(v.Seats, func(s engine.SeatView) bool { return slices.Contains(typed, s.Name) })
	})
	for _, match := range changed {
		h.table.Refresh(match)
	}
	return err
}
