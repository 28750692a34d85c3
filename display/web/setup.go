package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"tableside/engine"
)

// Setup changes the parts of a table while the table runs. It neither shows nor changes
// passwords. It changes no file except the setup file.
type Setup struct {
	State func(context.Context) SetupState
	// Do carries out an order. If it refuses the order, it changes nothing and returns a
	// *SetupRefusal with the reason.
	Do func(context.Context, SetupOrder) error
}

// SetupState is the content of the page /setup.
type SetupState struct {
	Parts []SetupPart     `json:"parts"`
	Found []SetupFound    `json:"found"` // what is plugged in and not used
	Seats []engine.Player `json:"seats"`
	Asked *SetupQuestion  `json:"asked"`  // the question that waits for a tap or key
	Last  *SetupAnswer    `json:"answer"` // the newest answer
	Open  bool            `json:"open"`   // nothing is set up yet

	Panels []string `json:"panels"` // the models that the table can drive
	Strips []string `json:"strips"` // the chips of LED strips that the Pi's header can drive

	Troubles []string `json:"troubles"` // what is wrong with the setup file
}

// SetupPart is a part of the table.
type SetupPart struct {
	engine.Part
	Kind    string      `json:"kind"`    // "reader", "typist", "keyboard", "panel", "lights" or "other"
	Device  string      `json:"device"`  // what it is, or where
	Seat    engine.Seat `json:"seat"`    // "table" for everybody
	Written bool        `json:"written"` // in the configuration file, which only people change
	Kept    bool        `json:"kept"`    // in the setup file
	Reads   int         `json:"reads"`   // taps and presses so far
}

// SetupFound is a device that was found, but that the table does not use.
type SetupFound struct {
	ID   string `json:"id"`
	Kind string `json:"kind"` // "reader", "adapter", "keyboard" or "panel"
	Name string `json:"name"`
}

// A SetupQuestion asks somebody to tap a card on a reader, or to press a key. If the question
// names a seat, the device that was used then belongs to this seat. If the question names no
// seat, the answer only says which device was used.
type SetupQuestion struct {
	Seat    engine.Seat `json:"seat,omitempty"`
	Message engine.Text `json:"-"`              // which keyboard cannot be read, and why; empty if all can
	Text    string      `json:"text,omitempty"` // Message in the browser's language
}

// SetupAnswer tells what became of a question or an order.
type SetupAnswer struct {
	N       int         `json:"n"` // numbers the answers
	OK      bool        `json:"ok"`
	Message engine.Text `json:"-"`
	Text    string      `json:"text"`
}

// SetupOrder is a request of the page /setup.
type SetupOrder struct {
	Do    string      `json:"do"` // one of SetupOrders
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

// SetupOrders lists the values of SetupOrder.Do:
//
//   - "ask" asks somebody to tap a card or press a key on the device that is meant.
//   - "stop" stops asking.
//   - "use" uses a device for everybody.
//   - "remove" removes a part.
//   - "lights" uses a strip of lights.
//   - "panel" uses a panel.
//   - "test" shows a test picture on a strip or panel.
//   - "done" leaves the parts as they are.
var SetupOrders = []string{"ask", "stop", "use", "remove", "lights", "panel", "test", "done"}

// SetupRefusal tells why an order was refused.
type SetupRefusal struct{ Message engine.Text }

func (r *SetupRefusal) Error() string { return r.Message.Key }

// These are the keys of the texts that the setup says. Each comment names the arguments of
// its text. The texts themselves are in words.txt.
const (
	SaidReader   = "setup.said-reader"   // seat: the seat has the reader now
	SaidKeyboard = "setup.said-keyboard" // seat: the seat has the keyboard now
	SaidThis     = "setup.said-this"     // name, seat: which part was tapped
	SaidLoose    = "setup.said-loose"    // name: a device was tapped that is not used
	SaidUnread   = "setup.said-unread"   // name, reason: a keyboard cannot be read
	SaidNobody   = "setup.said-nobody"   // nothing was tapped
	SaidUsed     = "setup.said-used"     // name: a device is used now
	SaidRemoved  = "setup.said-removed"  // name: a part is not used any more
	SaidPicture  = "setup.said-picture"  // the panel shows a test picture
	SaidSoon     = "setup.said-soon"     // a test picture is on its way
	SaidColours  = "setup.said-colours"  // a WLED shows test colours
	SaidSent     = "setup.said-sent"     // test colours went to a wired strip, which cannot answer
	SaidKept     = "setup.said-kept"     // the parts stay as they are

	SaidTwo       = "setup.said-two"       // seat: the seat has such a device already
	SaidGone      = "setup.said-gone"      // the device is not plugged in any more
	SaidWritten   = "setup.said-written"   // name: the part is in the configuration file
	SaidNoChip    = "setup.said-no-chip"   // name: no PN532 answers there
	SaidWrong     = "setup.said-wrong"     // reason: the configuration would have a mistake
	SaidNotSaved  = "setup.said-not-saved" // reason: the disk does not keep the change
	SaidBroken    = "setup.said-broken"    // reason: the setup file cannot be read
	SaidNoSeat    = "setup.said-no-seat"   // there is no such seat
	SaidNoTest    = "setup.said-no-test"   // name: the part has no test picture
	SaidDark      = "setup.said-dark"      // name, reason: no test picture appeared
	SaidRecording = "setup.said-recording" // nothing can be changed while a tape is recorded

	// Reasons for SaidDark, about a WLED or a wired strip.
	SaidUnseen     = "setup.said-unseen"     // port: a WLED shows nothing that is sent to it
	SaidOverridden = "setup.said-overridden" // somebody told the WLED to show its own effect
	SaidNoName     = "setup.said-no-name"    // nothing on the network has the WLED's name
	SaidNotWLED    = "setup.said-not-wled"   // what answers there is no WLED
	SaidSilent     = "setup.said-silent"     // the WLED does not answer
	SaidNotDriven  = "setup.said-not-driven" // nothing is sent to the strip now
)

// SeatWord returns the value that stands for a seat in the arguments of a text. For the table
// and the usual seats, this is a word of the catalogue. For any other seat, it is the seat's
// own name.
func SeatWord(seat engine.Seat) any {
	if seat == engine.Table || slices.Contains(engine.UsualSeats, seat) {
		return engine.Word("seat." + string(seat))
	}
	return string(seat)
}

// setupPage serves the page /setup.
func (s *Server) setupPage(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("token") {
		s.admit(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	s.serve(w, r, "setup.html")
}

func (s *Server) setupState(w http.ResponseWriter, r *http.Request) {
	if s.config.Setup == nil {
		s.failf(w, r, http.StatusNotFound, "the parts of this table cannot be changed on a page")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	state := s.config.Setup.State(ctx)
	if q := state.Asked; q != nil && q.Message.Key != "" {
		asked := *q
		asked.Text = Words().Say(s.langFor(r), q.Message, nil)
		state.Asked = &asked
	}
	if a := state.Last; a != nil {
		said := *a
		said.Text = Words().Say(s.langFor(r), a.Message, nil)
		state.Last = &said
	}
	f, _ := s.currentFrame(langOf(r))
	reply(w, http.StatusOK, struct {
		SetupState
		Lang    engine.Lang     `json:"lang"`
		Receipt *engine.Receipt `json:"receipt"` // the table's newest, for keys that are taught
	}{state, s.langFor(r), f.Status.Receipt})
}

func (s *Server) setupDo(w http.ResponseWriter, r *http.Request) {
	var order SetupOrder
	if s.config.Setup == nil {
		s.failf(w, r, http.StatusNotFound, "the parts of this table cannot be changed on a page")
		return
	}
	if !s.decode(w, r, &order) {
		return
	}
	if !slices.Contains(SetupOrders, order.Do) {
		s.failf(w, r, http.StatusBadRequest, `"do" is one of %s`, strings.Join(SetupOrders, ", "))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), doLimit)
	defer cancel()
	err := s.config.Setup.Do(ctx, order)
	var refusal *SetupRefusal
	switch {
	case errors.As(err, &refusal):
		fail(w, http.StatusConflict, Words().Say(s.langFor(r), refusal.Message, nil))
	case err != nil:
		fail(w, http.StatusInternalServerError, s.reason(r, err))
	default:
		reply(w, http.StatusOK, struct{}{})
	}
}
