package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
)

// Live is the data of the event "frame" on /api/live. It holds the frame, and everything else
// that a newly opened page needs. From Status on, it depends on what the browser may do.
type Live struct {
	View     engine.View       `json:"view"`
	Events   []engine.Event    `json:"events"` // since the previous message
	Lang     engine.Lang       `json:"lang"`
	History  []core.Entry      `json:"history"`
	Show     string            `json:"show"`              // "offered", "playing", or "" without a match that plays itself
	Caption  string            `json:"caption,omitempty"` // what happens in this match, in a sentence
	Reach    string            `json:"reach,omitempty"`   // on an empty table that no other machine sees: what changes that
	Status   engine.Status     `json:"status"`
	Writes   bool              `json:"writes"` // the right to play
	Rights   core.Rights       `json:"rights"`
	Pictures []string          `json:"pictures"`       // "panel" and "lights", if this browser may see them
	Trust    bool              `json:"trust"`          // whether /trust explains the table's own certificate
	Piles    []core.HiddenPile `json:"piles,omitzero"` // the hidden cards, if the browser asked for them and may see them

	// Legal says of each card or place in reach of the question whether its tap is legal: 0 if it
	// is, else the number of its reason in Why, counted from 1.
	Legal map[string]int `json:"legal,omitempty"`
	Why   []string       `json:"why,omitempty"`
}

// A message holds a frame in one language. It is for all browsers that have the same pending
// events. The frame is encoded once for each audience, when it is first sent to one of them.
type message struct {
	frame   engine.Frame // in the table's language, with the pending events
	lang    engine.Lang
	history []core.StoryEntry

	mu    sync.Mutex
	texts map[audience][]byte
}

// An audience stands for the browsers that get the same text of a message.
type audience struct {
	rights core.Rights
	piles  bool // whether it gets the hidden cards that it may see, too
}

// A messageKey identifies a message among those of one frame.
type messageKey struct {
	lang       engine.Lang
	firstFrame int // number of the first frame with pending events
}

// message returns the message for a mailbox. The caller holds s.mu.
func (s *Server) message(lang engine.Lang, box *mailbox) *message {
	key := messageKey{lang, box.firstFrame}
	m := s.messages[key]
	if m == nil {
		m = &message{frame: s.frame, lang: lang, history: slices.Clone(s.history.Entries), texts: map[audience][]byte{}}
		m.frame.Events = box.events
		s.messages[key] = m
	}
	return m
}

// age returns the event that precedes the frame of a match with a clock. The event says for
// how many milliseconds the clock has been running since the frame was made. Without a clock,
// age returns nil.
func (m *message) age(now time.Time) []byte {
	if m.frame.View.Clock == nil {
		return nil
	}
	return fmt.Appendf(nil, "event: clock\ndata: %d\n\n", m.frame.Age(now).Milliseconds())
}

// text returns the message as a server-sent event.
func (m *message) text(s *Server, to audience) ([]byte, error) {
	verdicts, judged := s.verdicts(&m.frame.View, to) // readers do not wait for them
	m.mu.Lock()
	defer m.mu.Unlock()
	if text := m.texts[to]; text != nil {
		return text, nil
	}
	f := m.frame.In(m.lang)
	if f.Events == nil {
		f.Events = []engine.Event{}
	}
	live := Live{View: f.View, Events: f.Events, Lang: f.Lang, History: core.Speak(m.history, f), Show: s.showState(f),
		Status: s.redact(f.Status, to.rights), Writes: to.rights.Play, Rights: to.rights, Pictures: s.pictures(to.rights),
		Trust: s.config.Authority != nil}
	if s.config.Show != nil && live.Show == "playing" {
		live.Caption = s.config.Show.Caption(f.Lang)
	}
	if f.View.Match == "" && to.rights.Keep {
		live.Reach = s.config.Reach
	}
	if to.piles {
		live.Piles = s.pilesFor(f, to.rights)
	}
	if judged {
		live.Legal, live.Why = legalFor(f, to, verdicts)
	}
	data, err := json.Marshal(live)
	if err != nil {
		return nil, err
	}
	text := fmt.Appendf(nil, "event: frame\ndata: %s\n\n", data)
	if !to.piles { // piles change without a new frame: when a card is picked
		m.texts[to] = text
	}
	return text, nil
}
