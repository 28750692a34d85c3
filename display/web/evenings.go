package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"tableside/engine"
)

// maxEveningPages is how many pages may follow evenings at the same time: a phone for each
// player.
const maxEveningPages = 512

// ErrNoEvening reports that the requested evening does not exist, or that the requested
// player is not in it.
var ErrNoEvening = errors.New("no such evening")

// Evenings provides the evenings of a hall. Its functions return ErrNoEvening for an
// unknown evening or player.
type Evenings struct {
	List    func() any
	View    func(id string) (any, error)
	Seating func(id string, player int) (any, error) // what one player wants to know
	Create  func(EveningPlan) (id string, err error)
	Change  func(id string, c EveningChange) error
	// Write writes a file of the evening with this id. The parameter what is the name of
	// the file: "standings.csv", "pairings.csv" or "journal".
	Write func(to io.Writer, id, what string) error
	// ErrorText returns the text of an error in a language, and whether the error is a refusal.
	ErrorText func(err error, lang engine.Lang) (text string, refused bool)
}

// An EveningPlan says how an evening begins.
type EveningPlan struct {
	Name    string   `json:"name"`
	Format  string   `json:"format"`  // swiss, round-robin, knock-out, free
	Game    string   `json:"game"`    // "" for all games
	Size    int      `json:"size"`    // seats of a table; 0 for 2
	Players []string `json:"players"` // the best first in a knock-out
	Tables  []string `json:"tables"`
}

// An EveningChange is a request to change an evening. The field Do names the kind of change.
// The comments of the other fields say which kinds of change use the field.
type EveningChange struct {
	Do       string     `json:"do"`
	Seq      int        `json:"seq"`      // how many changes the page has seen; 0 for any
	Names    []string   `json:"names"`    // players: who comes; tables: which are used
	Name     string     `json:"name"`     // rename: the new name; move, no-table: a table's name
	Player   int        `json:"player"`   // rename, out, in, swap
	Other    int        `json:"other"`    // swap
	Round    int        `json:"round"`    // result: its round; next, pair: the new round, 0 for any
	Board    int        `json:"board"`    // result, move
	Places   []int      `json:"places"`   // result: none removes the result
	Scores   []int      `json:"scores"`   // result: may be empty
	N        int        `json:"n"`        // take, dismiss: number of a result that was set aside
	Pairings [][]string `json:"pairings"` // pair: the names of those who meet
}

// eveningRoutes returns the routes of a hall for its evenings. If the hall keeps no evenings,
// the only routes are the page and the list, which is then empty.
func (h *Hall) eveningRoutes() []route {
	page := h.entrance("evenings.html")
	routes := []route{{"GET", "/evenings", toRead, page}, {"GET", "/api/evenings", toRead, h.allEvenings}}
	if h.evenings == nil {
		return routes
	}
	return append(routes, []route{
		{"GET", "/evenings/{id}", toRead, page},
		{"GET", "/evenings/{id}/seat", toRead, page},
		{"GET", "/evenings/{id}/{file}", toRead, h.eveningFile},
		{"POST", "/api/evenings", toKeep, h.createEvening},
		{"GET", "/api/evenings/{id}", toRead, h.evening},
		{"POST", "/api/evenings/{id}", toKeep, h.changeEvening},
		{"GET", "/api/evenings/{id}/live", toRead, h.followEvening},
		{"GET", "/api/evenings/{id}/players/{player}", toRead, h.evening},
		{"GET", "/api/evenings/{id}/players/{player}/live", toRead, h.followEvening},
	}...)
}

// failEvening answers a request with an error that a function of Evenings has returned.
func (h *Hall) failEvening(w http.ResponseWriter, r *http.Request, err error) {
	text, refused := h.evenings.ErrorText(err, h.langFor(r))
	switch {
	case errors.Is(err, ErrNoEvening):
		h.failf(w, r, http.StatusNotFound, "there is no such evening, or no such player in it")
	case refused:
		fail(w, http.StatusConflict, text)
	default:
		h.failf(w, r, http.StatusInternalServerError, "this cannot be kept: %s", h.reason(r, err))
	}
}

// allEvenings serves the list of evenings. It also says whether this hall can have evenings,
// and whether this browser may change them.
func (h *Hall) allEvenings(w http.ResponseWriter, r *http.Request) {
	body := struct {
		Kept     bool `json:"kept"`
		Keep     bool `json:"keep"`
		Evenings any  `json:"evenings"`
	}{h.evenings != nil, h.rightsOf(r).Keep, []struct{}{}}
	if body.Kept {
		body.Evenings = h.evenings.List()
	}
	reply(w, http.StatusOK, body)
}

func (h *Hall) createEvening(w http.ResponseWriter, r *http.Request) {
	var plan EveningPlan
	if !h.decode(w, r, &plan) {
		return
	}
	id, err := h.evenings.Create(plan)
	if err != nil {
		h.failEvening(w, r, err)
		return
	}
	reply(w, http.StatusOK, map[string]string{"id": id})
}

func (h *Hall) changeEvening(w http.ResponseWriter, r *http.Request) {
	var c EveningChange
	if !h.decode(w, r, &c) {
		return
	}
	if err := h.evenings.Change(r.PathValue("id"), c); err != nil {
		h.failEvening(w, r, err)
		return
	}
	reply(w, http.StatusOK, struct{}{})
}

// eveningFor returns an evening for a page: all of it, or one player's part of it.
func (h *Hall) eveningFor(r *http.Request) (any, error) {
	var body struct {
		Keep    bool `json:"keep"`
		Evening any  `json:"evening,omitempty"`
		Seating any  `json:"seating,omitempty"`
	}
	body.Keep = h.rightsOf(r).Keep
	var err error
	if player := r.PathValue("player"); player == "" {
		body.Evening, err = h.evenings.View(r.PathValue("id"))
	} else {
		n, _ := strconv.Atoi(player)
		body.Seating, err = h.evenings.Seating(r.PathValue("id"), n)
	}
	return body, err
}

func (h *Hall) evening(w http.ResponseWriter, r *http.Request) {
	body, err := h.eveningFor(r)
	if err != nil {
		h.failEvening(w, r, err)
		return
	}
	data, _ := json.Marshal(body) // plain numbers and texts
	replyPacked(w, r, data)
}

// followEvening serves server-sent events: "evening" carries the evening, or one player's
// part of it, whenever that has changed.
func (h *Hall) followEvening(w http.ResponseWriter, r *http.Request) {
	if _, err := h.eveningFor(r); err != nil {
		h.failEvening(w, r, err)
		return
	}
	var sent []byte
	h.followWith(w, r, r.PathValue("id"), func(to stream) error {
		body, err := h.eveningFor(r)
		if err != nil {
			return err
		}
		data, err := json.Marshal(body)
		if err != nil || bytes.Equal(data, sent) { // nothing changed that this page shows
			return err
		}
		sent = data
		return to.send([]byte("event: evening\ndata: "), data, []byte("\n\n"))
	})
}

// eveningFile serves a file of an evening: its standings or its pairings, for a spreadsheet,
// or its journal.
func (h *Hall) eveningFile(w http.ResponseWriter, r *http.Request) {
	what := r.PathValue("file")
	kind := "text/csv; charset=utf-8"
	switch what {
	case "standings.csv", "pairings.csv":
	case "journal":
		kind = "text/plain; charset=utf-8"
	default:
		h.failf(w, r, http.StatusNotFound, "nothing is at this address")
		return
	}
	var file bytes.Buffer
	if err := h.evenings.Write(&file, r.PathValue("id"), what); err != nil {
		h.failEvening(w, r, err)
		return
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("id")+"-"+what+`"`)
	_, _ = w.Write(file.Bytes())
}
