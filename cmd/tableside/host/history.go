package host

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"tableside/device/history"
	played "tableside/display/web/past"
	"tableside/engine"
)

// pages returns the functions with which the page shows and changes the history of matches.
// The functions that show the history read it from the first argument. The function that
// changes the history is the second argument.
func pages(past *history.History, change func(played.Change) error) *played.History {
	return &played.History{
		Matches: func(deleted bool, lang engine.Lang) (any, error) {
			b, err := past.Read()
			if deleted {
				b.Matches = b.Deleted
			}
			return history.In(b.Matches, lang), err
		},
		Players: func() (any, error) { return past.Players() },
		Table: func(out io.Writer) error {
			b, err := past.Read()
			return cmp.Or(err, history.WriteTable(out, b.Matches))
		},
		BGStats: func(out io.Writer, lang engine.Lang) error {
			b, err := past.Read()
			return cmp.Or(err, past.WriteBGStats(out, b.Matches, lang))
		},
		Post: func(match string, lang engine.Lang) string {
			b, err := past.Read()
			i := slices.IndexFunc(b.Matches, func(e history.Entry) bool { return e.ID == match && e.State == "finished" })
			if err != nil || i < 0 {
				return ""
			}
			return past.LinkToBGStats(b.Matches[i], lang)
		},
		Stats: func(lang engine.Lang) (any, error) { return past.Stats(lang) },
		Import: func(file string, keep bool, lang engine.Lang) (any, error) {
			return past.Import(file, keep, lang, time.Now())
		},
		Change:  change,
		Removal: func() any { return past.Removal() },
	}
}

// history returns the functions that the page needs to show and change the table's history.
func (h *Host) history() *played.History {
	past := h.table.History()
	h.table.ReportFile(history.LogFile, past.Damage())
	return pages(past, func(c played.Change) error {
		err := change(past, c, time.Now())
		if h.results != nil {
			h.results.Look()
		}
		h.table.ReportFile(history.LogFile, past.Damage())
		return err
	})
}

// change applies one change, c, to a history.
func change(past *history.History, c played.Change, now time.Time) error {
	switch c.Do {
	case "note":
		return past.Note(c.Match, c.Text, now)
	case "rename":
		return past.Rename(c.Name, c.To, now)
	case "separate":
		return past.Separate(c.Name, now)
	case "delete":
		return past.Delete(c.Match, now)
	case "restore":
		return past.Restore(c.Match, now)
	case "forget":
		return past.ForgetImport(c.Match)
	case "stop":
		past.StopRemoval()
		return nil
	}
	return past.Remove(context.Background(), c.Name)
}
