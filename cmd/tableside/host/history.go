package host

import (
	"time"

	"tableside/device/history"
	"tableside/display/web"
	"tableside/engine"
)

// history returns for the page what the journals tell, and how that is changed.
func (h *Host) history() *web.History {
	past := history.New(h.Config.Table.Data, h.Games)
	return &web.History{
		Matches: func(deleted bool, lang engine.Lang) (any, error) {
			b, err := past.Read()
			list := b.Matches
			if deleted {
				list = b.Deleted
			}
			for i, e := range list {
				list[i] = e.In(lang)
			}
			return list, err
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
	played := func(match string) bool { return match == string(h.table.Frame().View.Match) }
	switch c.Do {
	case "note":
		return past.Note(c.Match, c.Text, now)
	case "rename":
		return past.Rename(c.Name, c.To, now)
	case "separate":
		return past.Separate(c.Name, now)
	case "delete":
		err := past.Delete(c.Match, now, func(match string) bool {
			return played(match) || match == h.table.Frame().Status.Unfinish
		})
		if err == nil {
			h.table.Refresh(c.Match)
		}
		return err
	case "restore":
		err := past.Restore(c.Match, now)
		if err == nil {
			h.table.Refresh(c.Match)
		}
		return err
	}
	changed, err := past.Remove(c.Name, now, played)
	for _, match := range changed {
		h.table.Refresh(match)
	}
	return err
}
