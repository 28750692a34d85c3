package host

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device/evening"
	"tableside/device/hall"
	"tableside/device/history"
	"tableside/display/web"
	"tableside/engine"
	"tableside/mqtt"
)

// A Hall shows all tables of a broker. A hall is no table itself. If the hall has a folder, it
// keeps the results of the tables in this folder.
type Hall struct {
	Config config.Config // its brokers, the address of its page, and [hall]
	Games  []engine.Game // whose matches it keeps
	Lang   engine.Lang   // of the faults that it reports
	Log    *slog.Logger
	Out    io.Writer         // gets the addresses
	Health func(engine.Part) // takes the health of the part hall; nil: nobody does

	listener    net.Listener
	tables      *hall.Hall
	page        *web.Hall
	mqttWatcher *mqtt.Watcher

	archive    *hall.Archive    // nil: it keeps nothing
	history    *history.History // what it keeps
	lock       io.Closer        // of the folder
	book       *evening.Book    // its evenings
	seater     *seater          // of the evenings
	ownerToken string           // "" where only this machine may change what is kept
}

// Run listens and shows the page until the context ends.
func (h *Hall) Run(ctx context.Context) error {
	if err := h.open("page", "choose another --http; port 0 picks a free one"); err != nil {
		return err
	}
	defer h.close()
	fmt.Fprintf(h.Out, "%-7s %s\n", "page", h.address())
	fmt.Fprintf(h.Out, "%-7s %s, topics tableside/#\n", "mqtt", strings.Join(h.Config.MQTT.Addresses(), " or "))
	h.announceArchive(func(what, text string) { fmt.Fprintf(h.Out, "%-7s %s\n", what, text) })
	if err := h.serve(ctx); err != nil {
		return config.Failed("page", err.Error(), "")
	}
	return nil
}

func (h *Hall) open(label, hint string) (err error) {
	if h.listener, err = listen(label, h.Config.HTTP.Listen, hint); err != nil {
		return err
	}
	if err = h.prepare(); err != nil {
		h.close()
	}
	return err
}

// prepare makes everything that the method serve runs.
func (h *Hall) prepare() (err error) {
	if err := h.openArchive(); err != nil {
		return err
	}
	h.tables = hall.New(hall.Config{
		Missed:  func() { h.mqttWatcher.Missed() },
		Show:    func(table string, f *engine.Frame) { h.page.Show(table, f) },
		Changed: func() { h.page.Changed() },
		Keeps:   h.archive != nil,
	})
	settings := web.HallConfig{
		List:    func(after int) (any, int) { return h.tables.List(after) },
		Config:  site(h.Config, h.Lang, h.ownerToken, h.Log),
		IsTable: mqtt.IsTable, Archive: h.kept(), Evenings: h.showEvenings(),
	}
	if h.archive != nil {
		settings.SendMessage = h.tell
	} else { // there is no owner, who may send messages
		settings.OwnerToken, settings.AskHere = "", true
	}
	h.page = web.NewHall(settings)
	if h.mqttWatcher, err = h.watcher(h.tables); err != nil {
		return config.Wrong("mqtt", brokerReason(err), "")
	}
	return nil
}

// tell sends a message to the people at a table. If table is "", it sends the message to all
// tables that the hall knows. It stops at the first error.
func (h *Hall) tell(table string, m engine.HallMessage) error {
	names := []string{table}
	if table == "" {
		names = nil
		list, _ := h.tables.List(0)
		for _, t := range list.Tables {
			names = append(names, t.Name)
		}
	}
	for _, name := range names {
		if err := h.mqttWatcher.Tell(name, m); err != nil {
			return err
		}
	}
	return nil
}

func (h *Hall) address() string { return "http://" + local(h.listener.Addr()) + "/" }

func (h *Hall) close() {
	if h == nil {
		return
	}
	h.listener.Close() // serve does so, too
	if h.lock != nil {
		h.history.StopRemoval()
		h.lock.Close()
	}
}

// serve follows the tables and shows the page until the context ends or the page fails. If h
// is nil, it does nothing.
func (h *Hall) serve(ctx context.Context) error {
	if h == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	var parts sync.WaitGroup
	defer parts.Wait()
	defer cancel()
	parts.Go(func() { h.mqttWatcher.Run(ctx) })
	parts.Go(func() { h.tables.Run(ctx) })
	if h.archive != nil {
		parts.Go(func() { h.archive.Run(ctx) })
		parts.Go(func() { h.seater.run(ctx) })
	}
	return h.page.Serve(ctx, h.listener)
}

// watcher returns the client that listens to the broker. Whatever the client hears goes to the
// given list of tables.
//
// If the hall keeps an archive, the client has two more tasks. It passes the journals to the
// archive. It also makes the seater send every table its seating again. The client does this
// whenever it begins to listen, and whenever it is about to ask the broker again for all
// retained messages.
func (h *Hall) watcher(tables *hall.Hall) (*mqtt.Watcher, error) {
	settings := rig.Client(&h.Config)
	settings.Lang, settings.Log, settings.Hall = h.Lang, h.Log, h.Config.Hall.Name
	settings.Health = func(p engine.Part) {
		tables.Trouble(p.Reason)
		h.report(p.Health, p.Reason)
	}
	handlers := mqtt.WatchHandlers{
		Listening: tables.Listening, Round: tables.Round, State: tables.State, Status: tables.Status, Alive: tables.Alive,
		Call: tables.Call, Health: tables.Health, Aside: tables.Aside,
	}
	if h.archive != nil {
		handlers.Journal = h.archive.Offered
		handlers.Round = func() { tables.Round(); h.seater.repeat() }
		handlers.Listening = func(now bool) {
			tables.Listening(now)
			if now {
				h.seater.repeat()
			}
		}
	}
	return mqtt.NewWatcher(settings, handlers)
}

func (h *Hall) report(health engine.Health, why string) {
	if h.Health != nil {
		h.Health(engine.Part{Name: "hall", Health: health, Reason: why})
	}
}

// serveBeside serves a hall beside a table until the context ends. If the hall's page fails,
// serveBeside reports the failure in the table's health and returns the error. If h is nil,
// serveBeside does nothing.
func (h *Hall) serveBeside(ctx context.Context) error {
	err := h.serve(ctx)
	if err != nil {
		h.Log.Error("hall: the page has failed", "error", err)
		h.report(engine.Broken, err.Error())
	}
	return err
}

func (h *Host) openHall() error {
	if h.Config.Hall.Listen == "" {
		return nil
	}
	c := h.Config
	c.HTTP.Listen = c.Hall.Listen
	h.hall = &Hall{Config: c, Games: h.Games, Lang: h.lang, Log: h.Log,
		Health: func(p engine.Part) { h.table.Report(p) }}
	return h.hall.open("hall", "choose another hall.listen; port 0 picks a free one")
}
