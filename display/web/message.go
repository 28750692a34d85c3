package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

// Live is the data of the event "frame" on /api/live. It holds the frame, and everything else
// that a newly opened page needs. Its first two parts, View and shared, are by far the
// largest, and are the same for all browsers of one language.
type Live struct {
	View engine.View `json:"view"`
	shared
	personal
	Piles []hiddenPile `json:"piles,omitzero"` // the hidden cards, if the browser asked for them and may see them
}

// shared holds the fields of a Live that are encoded only once for all browsers of one
// language. The view is also encoded in this way, but is not a field of shared.
type shared struct {
	Events  []engine.Event `json:"events"` // since the previous message
	Lang    engine.Lang    `json:"lang"`
	History []Entry        `json:"history"`
	Show    string         `json:"show"` // "offered", "playing", or "" without a match that plays itself
}

// personal holds the part of a Live that depends on what the browser may do.
type personal struct {
	Status   engine.Status `json:"status"`
	Writes   bool          `json:"writes"` // the right to play
	Rights   Rights        `json:"rights"`
	Pictures []string      `json:"pictures"` // "panel" and "lights", if this browser may see them
	Trust    bool          `json:"trust"`    // whether /trust explains the table's own certificate
}

// personal returns the part of a Live that depends on what the browser may do.
func (s *Server) personal(status engine.Status, has Rights) personal {
	return personal{s.redact(status, has), has.Play, has, s.pictures(has), s.config.Authority != nil}
}

// A message holds a frame in one language. It is for all browsers that have the same pending
// events. The frame is encoded once, when the message is first sent.
type message struct {
	frame   engine.Frame // in the table's language, with the pending events
	lang    engine.Lang
	history []entry

	mu         sync.Mutex
	common     []byte              // encoded once for all
	translated engine.Frame        // in the message's language
	texts      map[audience][]byte // the whole text, by whom it is for
}

// An audience stands for the browsers that get the same text of a message.
type audience struct {
	rights Rights
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
		m = &message{frame: s.frame, lang: lang, history: slices.Clone(s.history.entries)}
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
	m.mu.Lock()
	defer m.mu.Unlock()
	if text := m.texts[to]; text != nil {
		return text, nil
	}
	if m.common == nil {
		f := m.frame.In(m.lang)
		if f.Events == nil {
			f.Events = []engine.Event{}
		}
		text := f.View.AppendJSON([]byte("event: frame\ndata: {\"view\":"))
		text, err := appendMembers(text, shared{f.Events, f.Lang, speak(m.history, f), s.showState(f)})
		if err != nil {
			return nil, err
		}
		m.common, m.translated, m.texts = slices.Clip(text), f, map[audience][]byte{}
	}
	text, err := appendMembers(m.common, s.personal(m.translated.Status, to.rights))
	if err != nil {
		return nil, err
	}
	if to.piles {
		piles, err := json.Marshal(s.pilesFor(m.translated, to.rights))
		if err != nil {
			return nil, err
		}
		text = append(append(text, ",\"piles\":"...), piles...)
	}
	text = append(text, "}\n\n"...)
	if !to.piles { // piles change without a new frame: when a card is picked
		m.texts[to] = text
	}
	return text, nil
}

// appendMembers appends a comma and the object's JSON without its braces.
func appendMembers(text []byte, object any) ([]byte, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	text = append(text, ',')
	return append(text, data[1:len(data)-1]...), nil
}
