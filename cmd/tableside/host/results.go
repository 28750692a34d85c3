package host

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tableside/device"
	"tableside/device/chances"
	"tableside/device/disk"
	"tableside/device/hall"
	"tableside/device/history"
	"tableside/display/web"
	played "tableside/display/web/past"
	"tableside/engine"
	"tableside/mqtt"
)

// sendResults makes the table send its results to the hall that the configuration c names. If
// c names no hall, sendResults does nothing.
func (h *Host) sendResults(c *mqtt.Config) {
	if c.Hall == "" {
		return
	}
	h.results = hall.NewSender(hall.SenderConfig{
		Hall: c.Hall, Data: h.Config.Table.Data, Games: h.Games, Lang: h.lang,
		Matches: h.table.Matches, Report: h.table.Report, Log: h.Log,
		Offer: func(match string, journal []byte) { h.client.Offer(match, journal) },
	})
	c.FromHall = mqtt.HallHandlers{Seating: h.table.Propose, Message: h.table.Hear, Kept: h.results.Answer}
	var match engine.Null
	var won []engine.Seat
	h.table.Add(device.Part{Name: "results", Direct: true, Output: device.OutputFunc(
		func(_ context.Context, f engine.Frame) {
			if f.View.Match != match || !slices.Equal(f.View.Winners, won) {
				match, won = f.View.Match, f.View.Winners
				h.results.Look()
			}
		})})
}

// runResults sends results to the hall until the context ends. If the table names no hall,
// runResults sends nothing.
func (h *Host) runResults(ctx context.Context) error {
	if h.results == nil {
		return nil
	}
	return h.results.Run(ctx)
}

// openArchive opens and locks the folder of a hall. The folder holds the results, the evenings
// and the owner's token. If the hall has no folder, openArchive does nothing.
func (h *Hall) openArchive() (err error) {
	data := h.Config.Hall.Data
	if data == "" {
		return nil
	}
	if h.lock, err = device.Lock(data); err != nil {
		return dataFailed(data, err)
	}
	h.history = history.New(data, h.Games)
	h.archive = hall.NewArchive(hall.ArchiveConfig{
		History: h.history, Games: h.Games, Log: h.Log,
		Answer: func(table, match, digest, refused string) error {
			return h.mqttWatcher.Acknowledge(table, match, digest, refused)
		},
		Free:  func() (uint64, error) { return disk.FreeSpace(data) },
		Kept:  func(e history.Entry) error { return h.book.Result(e, h.tables.Ahead(e.Table)) },
		Aside: func(topic string, why error) { h.tables.Aside(topic, why) },
	})
	if err := h.openEvenings(); err != nil {
		return err
	}
	if !isLoopback(h.listener.Addr()) || h.Config.HTTP.LocalNeedsToken() {
		if h.ownerToken, _, err = loadToken(data, ownerFile, h.Log); err != nil {
			h.Log.Error("hall: the owner's token is not in its file until this is mended", "error", err)
		}
	}
	return nil
}

// kept returns the page's configuration for the matches that the hall keeps. If the hall keeps
// no matches, kept returns nil.
func (h *Hall) kept() *web.Config {
	if h.archive == nil {
		return nil
	}
	infos := make([]engine.Info, 0, len(h.Games))
	for _, g := range h.Games {
		infos = append(infos, g.Info())
	}
	read := journalFinder(h.Games, h.history.Journal)
	moments := &chances.Finder{Read: read, Folder: os.DevNull} // visitors of a hall fill no disk
	return &web.Config{
		Games:   func() []engine.Info { return infos },
		Matches: func() ([]engine.MatchInfo, error) { return h.history.List() },
		Journal: h.history.Journal, ReadMatch: read, Chances: moments.At,
		History: pages(h.history, func(c played.Change) error { return change(h.history, c, time.Now()) }),
	}
}

func (h *Hall) announceArchive(tell func(what, text string)) {
	if h.archive == nil {
		return
	}
	tell("data", h.Config.Hall.Data+", for tables with mqtt.hall = \""+h.Config.Hall.Name+"\"")
	if h.ownerToken != "" {
		tell("token", "in "+filepath.Join(h.Config.Hall.Data, ownerFile)+", to change what is kept")
	}
}
