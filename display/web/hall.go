package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"sync"
	"time"

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
	// List returns what changed after a version of the list, to be sent as JSON, and the
	// current version. After 0 it returns everything.
	List func(after int) (list any, version int)
	// IsTable reports whether name can be the name of a table; nil allows all names.
	IsTable func(name string) bool
	// Hosts lists further host names of the hall. It has the same meaning as
	// Config.Hosts has for a table.
	Hosts []string
	Lang  engine.Lang // of answers; "" for the browser's
	// Archive holds the matches that the hall keeps, and the owner's token. With this
	// token, a browser may change data about the matches. The hall uses only the fields
	// Games, Matches, Journal, ReadMatch, History, OwnerToken and AskHere. Archive is nil if
	// the hall keeps no matches.
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
	*Server     // without a table: it has the hall's own routes
	hasArchive  bool
	evenings    *Evenings
	list        func(after int) (list any, version int)
	isTable     func(name string) bool // nil: all names are a table's
	sendMessage func(table string, m engine.HallMessage) error
	pause       time.Duration

	pagesMu sync.Mutex
	tables  map[string]*Server // the tables with a state, by name
	pages   map[chan struct{}]follower
}

// A follower is a page that follows the list of tables or one evening.
type follower struct {
	client  netip.Prefix
	evening string // "" for the list
}

// NewHall returns a hall without tables.
func NewHall(config HallConfig) *Hall {
	own := Config{AskHere: true}
	if config.Archive != nil {
		own = *config.Archive
	}
	own.Hosts, own.Lang = config.Hosts, config.Lang
	h := &Hall{Server: New(own), hasArchive: config.Archive != nil, evenings: config.Evenings, list: config.List,
		isTable: config.IsTable, sendMessage: config.SendMessage,
		pause: hallPause, tables: map[string]*Server{}, pages: map[chan struct{}]follower{}}
	h.routesFunc = h.hallRoutes
	return h
}

// hallRoutes returns the HTTP interface of a hall. Everybody may read.
func (h *Hall) hallRoutes() []route {
	routes := append(h.eveningRoutes(), []route{
		{"GET", "/{$}", toRead, h.entrance("hall.html")},
		{"GET", "/api/tables", toRead, h.serveTables},
		{"GET", "/api/live", toRead, h.follow},
		{"GET", "/tables/{table}", toRead, h.table},
		{"GET", "/tables/{table}/live", toRead, h.tableLive},
		{"GET", "/assets/{name...}", toRead, h.asset},
		{"GET", "/healthz", toRead, h.well},
	}...)
	if h.hasArchive {
		routes = append(routes, h.pastRoutes()...)
	}
	if h.sendMessage != nil {
		routes = append(routes, route{"POST", "/api/message", toKeep, h.message})
	}
	return routes
}

// entrance returns a handler that serves a page, in the same way as plainPage. A request with
// a token goes to the method admit instead.
func (h *Hall) entrance(page string) http.HandlerFunc {
	show := h.plainPage(page)
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("token") {
			h.admit(w, r)
			return
		}
		show(w, r)
	}
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
		table = New(Config{AskHere: true, Lang: h.config.Lang})
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
	for wake, page := range h.pages {
		if page.evening != evening {
			continue
		}
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}

func (h *Hall) serveTables(w http.ResponseWriter, _ *http.Request) {
	list, _ := h.list(0)
	reply(w, http.StatusOK, list)
}

func (h *Hall) well(w http.ResponseWriter, _ *http.Request) {
	reply(w, http.StatusOK, map[string]string{"status": "ok"})
}

// message sends a message to the people at one table or at all tables. The message can also be
// the answer to a table that has called the hall.
func (h *Hall) message(w http.ResponseWriter, r *http.Request) {
	var m struct {
		Table string `json:"table"` // "" for all
		engine.HallMessage
	}
	if !h.decode(w, r, &m) {
		return
	}
	switch err := m.Check(); {
	case m.Table != "" && h.isTable != nil && !h.isTable(m.Table):
		h.failf(w, r, http.StatusNotFound, "no table has such a name")
	case err != nil:
		fail(w, http.StatusBadRequest, h.translate(r, err.Error()))
	default:
		if err := h.sendMessage(m.Table, m.HallMessage); err != nil {
			h.failf(w, r, http.StatusServiceUnavailable, "the hall has no connection to the broker: try again")
			return
		}
		reply(w, http.StatusOK, struct{}{})
	}
}

// serverOf returns the server of the table with this name, or nil if the table has no state.
func (h *Hall) serverOf(name string) *Server {
	h.pagesMu.Lock()
	defer h.pagesMu.Unlock()
	return h.tables[name]
}

// table serves the page of one table. Before the table has a state, the page waits for the
// state.
func (h *Hall) table(w http.ResponseWriter, r *http.Request) {
	if h.isTable != nil && !h.isTable(r.PathValue("table")) {
		h.failf(w, r, http.StatusNotFound, "no table has such a name")
		return
	}
	h.tv(w, r)
}

func (h *Hall) tableLive(w http.ResponseWriter, r *http.Request) {
	table := h.serverOf(r.PathValue("table"))
	if table == nil {
		h.failf(w, r, http.StatusNotFound, "this hall knows no such table, or no state of it")
		return
	}
	ctx, end := context.WithCancel(r.Context())
	defer end()
	go func() {
		select {
		case <-h.done: // the table's streams end when the hall's do
			end()
		case <-ctx.Done():
		}
	}()
	table.streamLive(w, r.WithContext(ctx))
}

// follow serves server-sent events about the list of tables. The first event carries the whole
// list, and each later event carries the changes.
func (h *Hall) follow(w http.ResponseWriter, r *http.Request) {
	version := 0
	h.followWith(w, r, "", func(to stream) error { return h.tell(to, &version) })
}

// followWith serves server-sent events about an evening or, if evening is "", about the list
// of tables. It calls the given function at the beginning and after changes. Each time, the
// function sends what has changed since it was last called.
func (h *Hall) followWith(w http.ResponseWriter, r *http.Request, evening string, tell func(stream) error) {
	wake, why := h.enter(follower{h.client(r), evening})
	if why != "" {
		fail(w, http.StatusServiceUnavailable, h.translate(r, why))
		return
	}
	defer h.leave(wake)
	stream, err := h.stream(w)
	beat, pause := time.NewTicker(h.beat), time.NewTimer(0)
	defer beat.Stop()
	defer pause.Stop()
	ready := (<-chan struct{})(nil)
	for err == nil {
		select {
		case <-r.Context().Done():
			return
		case <-h.done:
			return
		case <-beat.C:
			err = stream.send(stillHere)
		case <-pause.C:
			ready = wake
		case <-ready:
			err = tell(stream)
			ready = nil
			pause.Reset(h.pause)
		}
	}
}

// tell sends the changes to the list of tables since the given version of the list. It sets
// version to the current version.
func (h *Hall) tell(to stream, version *int) error {
	list, now := h.list(*version)
	*version = now
	text := bytes.NewBufferString("event: tables\ndata: ")
	if err := json.NewEncoder(text).Encode(list); err != nil { // Encode ends the line
		return fmt.Errorf("web: write tables: %w", err)
	}
	text.WriteByte('\n')
	return to.send(text.Bytes())
}

// enter adds a page and returns the channel that wakes it. The channel already holds a value,
// which wakes the page for the first time. If too many pages are open, enter refuses the page
// and returns the reason.
func (h *Hall) enter(page follower) (wake chan struct{}, why string) {
	h.pagesMu.Lock()
	defer h.pagesMu.Unlock()
	same, all, most, each := 0, 0, maxHallPages, maxPerClient
	if page.evening != "" {
		most, each = maxEveningPages, maxPerAddress
	}
	for _, other := range h.pages {
		if (other.evening == "") != (page.evening == "") {
			continue
		}
		all++
		if other.client == page.client {
			same++
		}
	}
	switch {
	case all >= most:
		return nil, "too many pages of this hall are open: close one"
	case same >= each:
		return nil, "too many pages are open from your address: close one"
	}
	wake = make(chan struct{}, 1)
	wake <- struct{}{}
	h.pages[wake] = page
	return wake, ""
}

func (h *Hall) leave(wake chan struct{}) {
	h.pagesMu.Lock()
	defer h.pagesMu.Unlock()
	delete(h.pages, wake)
}
