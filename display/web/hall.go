package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
)

const (
	// hallPause is the least time between two messages to one page of a hall: many tables may
	// change in a short time, and nobody reads faster.
	hallPause = 300 * time.Millisecond

	maxHallPages  = 256 // of the list, open at once
	maxPerAddress = 128 // pages of evenings from one address: a club behind one router
)

// HallConfig says where a Hall gets its data from, and what else it needs.
type HallConfig struct {
	core.Config
	// List returns what changed after a version of the list, to be sent as JSON, and the
	// current version. After 0 it returns everything.
	List func(after int) (list any, version int)
	// IsTable reports whether name can be the name of a table.
	IsTable func(name string) bool
	// Archive holds the matches that the hall keeps. The hall uses only the fields Games,
	// Matches, Journal, ReadMatch, History and Chances. Archive is nil if the hall keeps no matches.
	Archive *Config
	// SendMessage sends a message to the people at a table. If table is "", it sends the
	// message to all tables. SendMessage is nil if nobody may send messages.
	SendMessage func(table string, m engine.HallMessage) error
	// Evenings provides the evenings of the hall; nil if the hall keeps none.
	Evenings *Evenings
}

// A Hall shows all tables of a broker on one page. Each table also has a page of its own, as
// for a television. The hall also shows the matches that it keeps. A Hall takes no inputs.
type Hall struct {
	*Server  // without a table: it has the hall's own routes
	settings HallConfig
	pause    time.Duration

	listPages, eveningPages core.Places // that are open

	pagesMu sync.Mutex
	tables  map[string]*Server       // the tables with a state, by name
	pages   map[chan struct{}]string // the evening that a page follows; "" for the list
}

// NewHall returns a hall without tables.
func NewHall(config HallConfig) *Hall {
	var own Config
	if config.Archive != nil {
		own = *config.Archive
	}
	own.Config = config.Config
	h := &Hall{Server: New(own), settings: config, pause: hallPause, tables: map[string]*Server{},
		listPages:    core.Places{Most: maxHallPages, Each: readersEach},
		eveningPages: core.Places{Most: maxEveningPages, Each: maxPerAddress},
		pages:        map[chan struct{}]string{}}
	h.routesFunc = h.hallRoutes
	return h
}

// hallRoutes returns the HTTP interface of a hall. Everybody may read.
func (h *Hall) hallRoutes() []core.Route {
	routes := append(h.eveningRoutes(), []core.Route{
		core.Get("/{$}", core.ToRead, h.front),
		core.Get("/api/tables", core.ToRead, h.Do(h.serveTables)),
		core.Get("/api/live", core.ToRead, h.follow),
		core.Get("/tables/{table}", core.ToRead, h.ifTable(h.Page("tv.html", core.Policy))),
		core.Get("/tables/{table}/live", core.ToRead, h.tableLive),
		core.Get("/assets/{name...}", core.ToRead, h.Asset),
		core.Get("/healthz", core.ToRead, h.Do(h.well)),
	}...)
	if h.settings.Archive != nil {
		routes = append(routes, h.pastRoutes()...)
	} else {
		routes = append(routes, core.Get("/api/rights", core.ToRead, h.Do(h.rights)))
	}
	if h.settings.SendMessage != nil {
		routes = append(routes, core.Post("/api/message", core.ToKeep, h.Do(h.message)))
	}
	return routes
}

// front serves the list of tables. Every site may show the list in a frame to those who have
// nothing to click there.
func (h *Hall) front(w http.ResponseWriter, r *http.Request) {
	allowed := core.Policy
	if h.RightsOf(r).Keep {
		allowed = h.Framed()
	}
	h.Page("hall.html", allowed)(w, r)
}

// Show shows a frame on the page of the table with this name. The frame is the newest of the
// table. If f is nil, the hall forgets the table.
func (h *Hall) Show(name string, f *engine.Frame) {
	h.pagesMu.Lock()
	table := h.tables[name]
	switch {
	case f == nil:
		delete(h.tables, name)
	case table == nil:
		table = New(Config{Config: core.Config{AskHere: true, Lang: h.config.Lang}})
		table.hallDone = h.done
		h.tables[name] = table
	}
	h.pagesMu.Unlock()
	switch {
	case f != nil:
		_ = table.Show(context.Background(), *f) // it never fails
	case table != nil:
		table.Close() // its pages ask for it again until it is there
	}
}

// Changed wakes all pages that follow the list of tables. It is called after the list has
// changed.
func (h *Hall) Changed() { h.wake("") }

// EveningChanged wakes all pages that follow an evening. It is called after the evening has
// changed.
func (h *Hall) EveningChanged(id string) { h.wake(id) }

func (h *Hall) wake(evening string) {
	h.pagesMu.Lock()
	defer h.pagesMu.Unlock()
	for wake, followed := range h.pages {
		if followed != evening {
			continue
		}
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

func (h *Hall) serveTables(w http.ResponseWriter, _ *http.Request) (any, error) {
	list, _ := h.settings.List(0)
	return list, nil
}

func (h *Hall) well(w http.ResponseWriter, _ *http.Request) (any, error) {
	return map[string]string{"status": "ok"}, nil
}

// message sends a message to the people at one table or at all tables. The message can also be
// the answer to a table that has called the hall.
func (h *Hall) message(w http.ResponseWriter, r *http.Request) (any, error) {
	var m struct {
		Table string `json:"table"` // "" for all
		engine.HallMessage
	}
	if err := core.Decode(w, r, &m); err != nil {
		return nil, err
	}
	if m.Table != "" && !h.settings.IsTable(m.Table) {
		return nil, errNoTable
	}
	if err := m.Check(); err != nil {
		return nil, core.FailWith(http.StatusBadRequest, err)
	}
	if h.settings.SendMessage(m.Table, m.HallMessage) != nil {
		return nil, core.Failf(http.StatusServiceUnavailable, "the hall has no connection to the broker: try again")
	}
	return struct{}{}, nil
}

func (h *Hall) serverOf(name string) *Server {
	h.pagesMu.Lock()
	defer h.pagesMu.Unlock()
	return h.tables[name]
}

// ifTable returns a handler that serves the page of a table, if the table can exist. Before the
// table has a state, the page waits for the state.
func (h *Hall) ifTable(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !h.settings.IsTable(r.PathValue("table")) {
			h.Fail(w, r, errNoTable)
			return
		}
		page(w, r)
	}
}

var errNoTable = core.Missing("no table has such a name")

func (h *Hall) tableLive(w http.ResponseWriter, r *http.Request) {
	table := h.serverOf(r.PathValue("table"))
	if table == nil {
		h.Fail(w, r, core.Missing("this hall knows no such table, or no state of it"))
		return
	}
	table.streamLive(w, r)
}

func (h *Hall) follow(w http.ResponseWriter, r *http.Request) {
	version := 0
	h.followWith(w, r, "", func(to stream) error { return h.tell(to, &version) })
}

// followWith serves server-sent events about an evening or, if evening is "", about the list
// of tables. It calls the given function at the beginning and after changes. Each time, the
// function sends what has changed since it was last called.
func (h *Hall) followWith(w http.ResponseWriter, r *http.Request, evening string, tell func(stream) error) {
	places := &h.listPages
	if evening != "" {
		places = &h.eveningPages
	}
	leave := h.takePlace(w, r, places)
	if leave == nil {
		return
	}
	defer leave()
	wake := make(chan struct{}, 1)
	wake <- struct{}{} // for the first time
	h.pagesMu.Lock()
	h.pages[wake] = evening
	h.pagesMu.Unlock()
	defer func() {
		h.pagesMu.Lock()
		defer h.pagesMu.Unlock()
		delete(h.pages, wake)
	}()
	h.serveEvents(w, r, wake, h.pause, tell)
}

// tell sends the changes to the list of tables since the given version of the list. It sets
// version to the current version.
func (h *Hall) tell(to stream, version *int) error {
	list, now := h.settings.List(*version)
	*version = now
	text := bytes.NewBufferString("event: tables\ndata: ")
	if err := json.NewEncoder(text).Encode(list); err != nil { // Encode ends the line
		return fmt.Errorf("web: write tables: %w", err)
	}
	text.WriteByte('\n')
	return to.send(text.Bytes())
}
