package host

import (
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device/evening"
	"tableside/display/web"
	"tableside/engine"
)

// eveningFolder is the name of the folder that holds the evenings. It is in the hall's data
// folder.
const eveningFolder = "evenings"

// openEvenings opens the evenings in the hall's data folder. The hall must have a data folder.
func (h *Hall) openEvenings() (err error) {
	data := h.Config.Hall.Data
	h.book, err = evening.Open(evening.Config{
		Dir: filepath.Join(data, eveningFolder), Now: time.Now, Chance: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		Changed: func(id string) { h.page.EveningChanged(id); h.seater.look() },
		Log:     h.Log,
	})
	if err != nil {
		return failed("evenings in "+data, config.Reason(err), dataHint(err))
	}
	h.seater = h.newSeater()
	return nil
}

// showEvenings returns the functions with which the page shows and changes the evenings. If
// the hall keeps no evenings, it returns nil.
func (h *Hall) showEvenings() *web.Evenings {
	b := h.book
	if b == nil {
		return nil
	}
	return &web.Evenings{
		List:      func() any { return b.List() },
		View:      func(id string) (any, error) { v, err := b.View(id); return v, eveningError(err) },
		Seating:   func(id string, player int) (any, error) { s, err := b.Seating(id, player); return s, eveningError(err) },
		Create:    func(p web.EveningPlan) (string, error) { return b.Create(evening.Plan(p)) },
		Change:    func(id string, c web.EveningChange) error { return eveningError(b.Change(id, evening.Change(c))) },
		Write:     func(to io.Writer, id, what string) error { return eveningError(writeEvening(b, to, id, what)) },
		ErrorText: evening.Said,
	}
}

// eveningError translates the error for an unknown evening into web.ErrNoEvening, which the
// page knows. It returns any other error unchanged.
func eveningError(err error) error {
	if errors.Is(err, evening.ErrNotFound) {
		return web.ErrNoEvening
	}
	return err
}

// writeEvening writes one of the files about the evening with the given id. The file "journal"
// holds the evening's journal. The file "standings.csv" holds the standings as CSV. For any
// other name, writeEvening writes the pairings as CSV.
func writeEvening(b *evening.Book, to io.Writer, id, name string) error {
	if name == "journal" {
		data, err := b.Journal(id)
		if err == nil {
			_, err = to.Write(data)
		}
		return err
	}
	v, err := b.View(id)
	switch {
	case err != nil:
		return err
	case name == "standings.csv":
		return v.StandingsCSV(to)
	}
	return v.PairingsCSV(to)
}

// countResult passes the result of a match in the hall's archive to all evenings of the hall.
// The match may belong to one of them.
func (h *Hall) countResult(f engine.Finished) error {
	var seats []evening.Seat
	for _, s := range f.Seats {
		seats = append(seats, evening.Seat{Name: s.Name, Won: slices.Contains(f.Winners, s.ID), Rank: s.Rank, Score: s.Score})
	}
	return h.book.Result(f.Table, f.Match, f.Game, seats)
}
