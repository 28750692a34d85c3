package host

import (
	"time"

	"tableside/device/history"
	"tableside/display/web"
	"tableside/engine"
)

// pages returns the functions with which the page shows and changes the history of matches.
// The functions that show the history read it from the first argument. The function that
// changes the history is the second argument.
func pages(past *history.History, change func(web.Change) error) *web.History {
	return &web.History{
		Matches: func(deleted bool, lang engine.Lang, each func(any) error) error {
			r, err := past.Open()
			if err != nil {
				return err
			}
			defer r.Close()
			return r.Each(deleted, func(e history.Entry) error { return each(e.In(lang)) })
		},
		Players: func() (any, error) { return past.Players() },
		Stats:   func(lang engine.Lang) (any, error) { return past.Stats(lang, nil) },
		Change:  change,
	}
}

// history returns the functions that the page needs to show and change the table's history.
func (h *Host) history() *web.History {
	past := history.New(h.Config.Table.Data, h.Games)
	return pages(past, func(c web.Change) error { return h.change(past, c, time.Now()) })
}

// change carries out a change of the table's history. It tells the table and the sender of
// results about the change. It refuses to delete a match that is on the table or that waits to
// be continued. It also refuses to remove a player from the match on the table.
func (h *Host) change(past *history.History, c web.Change, now time.Time) error {
	played := func(match string) bool { return match == string(h.table.Frame().View.Match) }
	if c.Do == "delete" && c.Match == h.table.Frame().Status.Unfinish {
		played = func(match string) bool { return true }
	}
	changed, err := change(past, c, now, played)
	for _, match := range changed {
		h.table.Refresh(match)
	}
	if h.results != nil {
		h.results.Look()
	}
	return err
}

// change applies one change, c, to a history. It refuses to delete a match that is in use. It
// also refuses to remove a player from such a match. The function inUse reports whether a
// match is in use. The first result holds the matches whose journals have changed, appeared or
// disappeared.
func change(past *history.History, c web.Change, now time.Time, inUse func(match string) bool) ([]string, error) {
	moved := func(err error) ([]string, error) {
		if err != nil {
			return nil, err
		}
		return []string{c.Match}, nil
	}
	switch c.Do {
	case "note":
		return nil, past.Note(c.Match, c.Text, now)
	case "rename":
		return nil, past.Rename(c.Name, c.To, now)
	case "separate":
		return nil, past.Separate(c.Name, now)
	case "delete":
		return moved(past.Delete(c.Match, now, inUse))
	case "restore":
		return moved(past.Restore(c.Match, now))
	}
	return past.Remove(c.Name, inUse)
}
