package setup

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"tableside/display/web/core"
	"tableside/engine"
)

// Setup changes the parts of a table while the table runs. It neither shows nor changes
// passwords. It changes no file except the setup file.
type Setup struct {
	State func(context.Context) State
	// Do carries out an order. If it refuses the order, it changes nothing and returns a
	// *Refusal with the reason.
	Do func(context.Context, Order) error
}

// State is the content of the page /setup.
type State struct {
	Parts []Part          `json:"parts"`
	Found []Found         `json:"found"` // what is plugged in and not used
	Seats []engine.Player `json:"seats"`
	Asked *Question       `json:"asked"`  // the question that waits for a tap or key
	Last  *Answer         `json:"answer"` // the newest answer
	Open  bool            `json:"open"`   // nothing is set up yet

	Panels []string `json:"panels"` // the models that the table can drive
	Strips []string `json:"strips"` // the chips of LED strips that the Pi's header can drive

	Troubles []string `json:"troubles"` // what is wrong with the setup file
}

// Part is a part of the table.
type Part struct {
	engine.Part
	Kind    string         `json:"kind"`           // "reader", "typist", "keyboard", "panel", "lights" or "other"
	Device  string         `json:"device"`         // what it is, or where
	Seat    engine.Seat    `json:"seat"`           // "table" for everybody
	Written bool           `json:"written"`        // in the configuration file, which only people change
	Reads   int            `json:"reads"`          // taps and presses so far
	Key     string         `json:"key,omitempty"`  // the newest, unless that was a tap
	Ago     int            `json:"ago,omitempty"`  // seconds since the newest
	Card    engine.Wording `json:"-"`              // the newest, if that was a known one
	Tapped  string         `json:"card,omitempty"` // its name in the browser's language
}

// Found is a device that was found, but that the table does not use.
type Found struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // "reader", "adapter", "keyboard" or "panel"
	Name string `json:"name"`
}

// A Question asks somebody to tap a card on a reader, or to press a key. If the question
// names a seat, the device that was used then belongs to this seat. If the question names no
// seat, the answer only says which device was used.
type Question struct {
	Seat    engine.Seat `json:"seat,omitempty"`
	Message engine.Text `json:"-"`              // which keyboard cannot be read, and why; empty if all can
	Text    string      `json:"text,omitempty"` // Message in the browser's language
}

// Answer tells what became of a question or an order.
type Answer struct {
	N       int         `json:"n"` // numbers the answers
	OK      bool        `json:"ok"`
	Message engine.Text `json:"-"`
	Text    string      `json:"text"`
}

// Order is a request of the page /setup.
type Order struct {
	Do    string      `json:"do"` // one of Orders
	Seat  engine.Seat `json:"seat,omitempty"`
	Found string      `json:"found,omitempty"` // ID of a device
	Part  string      `json:"part,omitempty"`  // name of a part
	Model string      `json:"model,omitempty"` // of a panel
	Power bool        `json:"power,omitempty"` // the panel's board has a pin PWR
	Chip  string      `json:"chip,omitempty"`  // of a strip; "" is a WLED
	Host  string      `json:"host,omitempty"`  // of a WLED
	Count int         `json:"count,omitempty"` // LEDs of a strip
	Order string      `json:"order,omitempty"` // of its colours; "" is the usual one
	Limit int         `json:"limit,omitempty"` // of its current, in mA
}

// Orders lists the values of Order.Do:
//
//   - "ask" asks somebody to tap a card or press a key on the device that is meant.
//   - "stop" stops asking.
//   - "use" uses a device for everybody.
//   - "give" gives a reader or keyboard to a seat.
//   - "remove" removes a part.
//   - "lights" uses a strip of lights.
//   - "panel" uses a panel.
//   - "test" shows a test picture on a strip or panel.
//   - "done" leaves the parts as they are.
var Orders = []string{"ask", "stop", "use", "give", "remove", "lights", "panel", "test", "done"}

// Refusal tells why an order was refused.
type Refusal struct{ Message engine.Text }

func (r *Refusal) Error() string { return r.Message.Key }

// A Room holds the page on which parts are changed.
type Room struct {
	*core.Site
	Setup *Setup // nil if the program cannot change parts
}

func (s *Room) Routes() []core.Route {
	return append(s.OrNone(s.Setup != nil, core.Missing("the parts of this table cannot be changed on a page"),
		core.Get("/api/setup", core.ToKeep, s.Do(s.state)),
		core.Post("/api/setup", core.ToKeep, s.Do(s.do))),
		core.Get("/setup", core.ToRead, s.Page("setup.html", core.Unframed)))
}

func (s *Room) state(w http.ResponseWriter, r *http.Request) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	state := s.Setup.State(ctx)
	for i := range state.Parts {
		state.Parts[i].Tapped = state.Parts[i].Card.In(s.LangFor(r))
	}
	if q := state.Asked; q != nil && q.Message.Key != "" {
		asked := *q
		asked.Text = core.Words().Say(s.LangFor(r), q.Message, nil)
		state.Asked = &asked
	}
	if a := state.Last; a != nil {
		said := *a
		said.Text = core.Words().Say(s.LangFor(r), a.Message, nil)
		state.Last = &said
	}
	f, _ := s.CurrentFrame(core.LangOf(r))
	return struct {
		State
		Lang    engine.Lang     `json:"lang"`
		Receipt *engine.Receipt `json:"receipt"` // the table's newest, for keys that are taught
	}{state, s.LangFor(r), f.Status.Receipt}, nil
}

func (s *Room) do(w http.ResponseWriter, r *http.Request) (any, error) {
	var order Order
	if err := core.Decode(w, r, &order); err != nil {
		return nil, err
	}
	if !slices.Contains(Orders, order.Do) {
		return nil, core.Failf(http.StatusBadRequest, `"do" is one of %s`, strings.Join(Orders, ", "))
	}
	ctx, cancel := context.WithTimeout(r.Context(), core.DoLimit)
	defer cancel()
	err := s.Setup.Do(ctx, order)
	if refusal, ok := errors.AsType[*Refusal](err); ok {
		return nil, core.FailWith(http.StatusConflict, refusal.Message)
	}
	return struct{}{}, err
}
