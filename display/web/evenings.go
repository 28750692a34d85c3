package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"tableside/display/web/core"
	"tableside/engine"
)

// maxEveningPages is how many pages may follow evenings at the same time: a phone for each
// player.
const maxEveningPages = 512

// Evenings provides the evenings of a hall.
type Evenings struct {
	Unknown error // what the functions return for an unknown evening or player
	List    func() any
	View    func(id string) (any, error)
	Seating func(id string, player int) (any, error) // what one player wants to know
	// Create begins an evening by the plan, and Change changes one, that decode reads from the
	// request.
	Create func(decode func(any) error) (id string, err error)
	Change func(id string, decode func(any) error) error
	// Write writes a file of the evening with this id. The parameter what is the name of
	// the file: "standings.csv", "pairings.csv" or "journal".
	Write func(to io.Writer, id, what string) error
	// ErrorText returns the text of an error in a language, and whether the error is a refusal.
	ErrorText func(err error, lang engine.Lang) (text string, refused bool)
}

// eveningRoutes returns the routes of a hall for its evenings. If the hall keeps no evenings,
// the only routes are the page and the list, which is then empty.
func (h *Hall) eveningRoutes() []core.Route {
	page := h.Page("evenings.html", h.Framed())
	routes := []core.Route{
		core.Get("/evenings", core.ToRead, page),
		core.Get("/api/evenings", core.ToRead, h.Do(h.allEvenings)),
	}
	if h.settings.Evenings == nil {
		return routes
	}
	return append(routes, []core.Route{
		core.Get("/evenings/{id}", core.ToRead, page),
		core.Get("/evenings/{id}/seat", core.ToRead, page),
		core.Get("/evenings/{id}/{file}", core.ToRead, h.Do(h.eveningFile)),
		core.Post("/api/evenings", core.ToKeep, h.Do(h.createEvening)),
		core.Get("/api/evenings/{id}", core.ToRead, h.Do(h.evening)),
		core.Post("/api/evenings/{id}", core.ToKeep, h.Do(h.changeEvening)),
		core.Get("/api/evenings/{id}/live", core.ToRead, h.followEvening),
		core.Get("/api/evenings/{id}/players/{player}", core.ToRead, h.Do(h.evening)),
		core.Get("/api/evenings/{id}/players/{player}/live", core.ToRead, h.followEvening),
	}...)
}

// failEvening returns the failure of a request for an error that a function of Evenings has
// returned.
func (h *Hall) failEvening(r *http.Request, err error) error {
	if _, ok := errors.AsType[*core.Failure](err); err == nil || ok {
		return err
	}
	text, refused := h.settings.Evenings.ErrorText(err, h.LangFor(r))
	switch {
	case errors.Is(err, h.settings.Evenings.Unknown):
		return core.Missing("there is no such evening, or no such player in it")
	case refused:
		return core.FailWith(http.StatusConflict, text)
	}
	return core.Failf(http.StatusInternalServerError, "this cannot be kept: %s", err)
}

// allEvenings serves the list of evenings. It also says whether this hall can have evenings,
// and whether this browser may change them.
func (h *Hall) allEvenings(w http.ResponseWriter, r *http.Request) (any, error) {
	body := struct {
		Kept     bool `json:"kept"`
		Keep     bool `json:"keep"`
		Evenings any  `json:"evenings"`
	}{h.settings.Evenings != nil, h.RightsOf(r).Keep, []struct{}{}}
	if body.Kept {
		body.Evenings = h.settings.Evenings.List()
	}
	return body, nil
}

func (h *Hall) createEvening(w http.ResponseWriter, r *http.Request) (any, error) {
	id, err := h.settings.Evenings.Create(func(plan any) error { return core.Decode(w, r, plan) })
	return map[string]string{"id": id}, h.failEvening(r, err)
}

func (h *Hall) changeEvening(w http.ResponseWriter, r *http.Request) (any, error) {
	err := h.settings.Evenings.Change(r.PathValue("id"), func(change any) error { return core.Decode(w, r, change) })
	return struct{}{}, h.failEvening(r, err)
}

// eveningFor returns an evening for a page: all of it, or one player's part of it.
func (h *Hall) eveningFor(r *http.Request) (any, error) {
	var body struct {
		Keep    bool `json:"keep"`
		Evening any  `json:"evening,omitempty"`
		Seating any  `json:"seating,omitempty"`
	}
	body.Keep = h.RightsOf(r).Keep
	var err error
	if player := r.PathValue("player"); player == "" {
		body.Evening, err = h.settings.Evenings.View(r.PathValue("id"))
	} else {
		n, _ := strconv.Atoi(player)
		body.Seating, err = h.settings.Evenings.Seating(r.PathValue("id"), n)
	}
	return body, err
}

func (h *Hall) evening(w http.ResponseWriter, r *http.Request) (any, error) {
	body, err := h.eveningFor(r)
	data, _ := json.Marshal(body) // plain numbers and texts
	return core.Long(data), h.failEvening(r, err)
}

// followEvening serves server-sent events: "evening" carries the evening, or one player's
// part of it, whenever that has changed.
func (h *Hall) followEvening(w http.ResponseWriter, r *http.Request) {
	if _, err := h.eveningFor(r); err != nil {
		h.Fail(w, r, h.failEvening(r, err))
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

// eveningFile serves a file of an evening: its standings or its pairings, for a core.Spreadsheet,
// or its journal.
func (h *Hall) eveningFile(w http.ResponseWriter, r *http.Request) (any, error) {
	id, what := r.PathValue("id"), r.PathValue("file")
	kinds := map[string]string{
		"standings.csv": core.Spreadsheet, "pairings.csv": core.Spreadsheet, "journal": core.PlainText}
	kind := kinds[what]
	if kind == "" {
		return nil, core.ErrNotFound
	}
	var file bytes.Buffer
	err := h.settings.Evenings.Write(&file, id, what)
	return core.Document{Kind: kind, Name: id + "-" + what, Data: file.Bytes()}, h.failEvening(r, err)
}
