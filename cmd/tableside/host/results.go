package host

import (
	"context"
	"io/fs"
	"path/filepath"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/hall"
	"tableside/device/history"
	"tableside/display/web"
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
		Table: h.Config.Table.Name, Hall: c.Hall, Data: h.Config.Table.Data, Games: h.Games, Lang: h.lang,
		Matches: h.table.Matches, Report: h.table.Report, Log: h.Log,
		Offer: func(f *engine.Finished, journal []byte) { h.client.Offer(f, journal) },
	})
	c.FromHall = h.fromHall
	var match engine.Null
	over := false
	h.table.Add(device.Part{Name: "results", Direct: true, Output: device.OutputFunc(
		func(_ context.Context, f engine.Frame) {
			now := len(f.View.Winners) > 0
			if f.View.Match != match || now != over {
				match, over = f.View.Match, now
				h.results.Look()
			}
		})})
}

// fromHall handles a message that the hall publishes for this table. The topic is
// mqtt.SeatingTopic, for example. The argument kept says whether the broker had retained the
// message. A message to the players is only for the moment at which it is sent. So fromHall
// ignores a message to the players that the broker had retained.
func (h *Host) fromHall(topic string, payload []byte, kept bool) {
	switch {
	case topic == mqtt.SeatingTopic:
		seating, err := mqtt.ParseSeating(payload)
		if err != nil {
			h.Log.Warn("seating: what the hall says is set aside", "error", err)
			return
		}
		h.table.Propose(seating)
	case topic == mqtt.MessageTopic && kept:
		h.Log.Warn("message: the broker has kept it, and the table ignores it")
	case topic == mqtt.MessageTopic && len(payload) > 0:
		message, err := mqtt.ParseMessage(payload)
		if err != nil {
			h.Log.Warn("message: what the hall says is set aside", "error", err)
			return
		}
		h.table.Hear(message)
	case topic == mqtt.KeptTopic && len(payload) > 0:
		h.answer(payload)
	}
}

// answer handles a message from the hall about one match. The message says that the hall has
// kept the match, or why the hall has refused the match. answer passes this news on to the
// sender of results.
func (h *Host) answer(payload []byte) {
	match, digest, refused, err := mqtt.ParseKept(payload)
	if err != nil {
		h.Log.Warn("results: the hall says something else than whether it has a match", "error", err)
		return
	}
	h.results.Answer(match, digest, refused)
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
		Hall: h.Config.Hall.Name, History: h.history, Games: h.Games, Log: h.Log,
		Fetch: func(ctx context.Context, f engine.Finished, lacks func()) ([]byte, error) {
			return h.mqttWatcher.Fetch(ctx, f, lacks)
		},
		Answer: func(f engine.Finished, refused string) error {
			return h.mqttWatcher.Acknowledge(h.Config.Hall.Name, f, refused)
		},
		Free:  func() (uint64, error) { return device.FreeSpace(data) },
		Kept:  h.countResult,
		Aside: func(topic string, why error) { h.tables.Aside(topic, why) },
	})
	if err := h.openEvenings(); err != nil {
		return err
	}
	if !isLoopback(h.listener.Addr()) || h.Config.HTTP.LocalNeedsToken() {
		if h.ownerToken, err = loadToken(data, ownerFile); err != nil {
			return failed("token in "+data, config.Reason(err), dataHint(err))
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
	nobodys := func(string) bool { return false }
	return &web.Config{
		Games:   func() []engine.Info { return infos },
		Matches: func() ([]engine.MatchInfo, error) { return h.history.List() },
		Journal: h.journal, ReadMatch: journalFinder(h.Games, h.journal),
		History: pages(h.history, func(c web.Change) error {
			_, err := change(h.history, c, time.Now(), nobodys)
			return err
		}),
		OwnerToken: h.ownerToken, AskHere: h.Config.HTTP.LocalNeedsToken(),
	}
}

// journal returns the text of a match's journal. If there is no such match, or if it was
// deleted, the error is fs.ErrNotExist.
func (h *Hall) journal(match string) ([]byte, error) {
	data, err := h.history.Journal(match)
	if _, unknown := engine.AsRefusal(err); unknown {
		return nil, fs.ErrNotExist
	}
	return data, err
}

// announceArchive calls tell to print the folder in which the hall keeps what the tables send,
// and the file with the owner's token if there is one.
func (h *Hall) announceArchive(tell func(what, text string)) {
	if h.archive == nil {
		return
	}
	tell("data", h.Config.Hall.Data+", for tables with mqtt.hall = \""+h.Config.Hall.Name+"\"")
	if h.ownerToken != "" {
		tell("token", "in "+filepath.Join(h.Config.Hall.Data, ownerFile)+", to change what is kept")
	}
}
