package web

import (
	"encoding/json"
	"slices"
	"sync"

	"tableside/engine"
)

// Live is the data of the event "frame" on /api/live: the frame, and everything
// else that a newly opened page needs. View and shared are the same for all
// browsers of one language; they are by far the larger part.
type Live struct {
	View engine.View `json:"view"`
	shared
	rights
}

// shared holds the part of a Live, besides the view, that is encoded once for
// all browsers of one language.
type shared struct {
	Events  []engine.Event `json:"events"` // since the previous message
	Lang    engine.Lang    `json:"lang"`
	History []Entry        `json:"history"`
}

// rights holds the part of a Live that depends on whether the browser may write.
type rights struct {
	Status   engine.Status `json:"status"`
	Writes   bool          `json:"writes"`
	Pictures []string      `json:"pictures"` // "panel" and "lights", if this browser may see them
	Show     string        `json:"show"`     // "offered", "playing", or "" without a match that plays itself
	Trust    bool          `json:"trust"`    // whether /trust explains the table's own certificate
}

// A message holds a frame in one language for all browsers with the same
// pending events. It is encoded once, when it is first sent.
type message struct {
	frame   engine.Frame // in the table's language, with the pending events
	lang    engine.Lang
	history []entry

	encode sync.Once
	texts  map[bool][]byte // by whether the browser may write
	err    error
}

// A messageKey identifies a message among those of one frame.
type messageKey struct {
	lang  engine.Lang
	since int // number of the first frame with pending events
}

// message returns the message for a mailbox. The caller holds the lock.
func (s *Server) message(lang engine.Lang, box *mailbox) *message {
	key := messageKey{lang, box.since}
	m := s.messages[key]
	if m == nil {
		m = &message{frame: s.frame, lang: lang, history: slices.Clone(s.history.entries)}
		m.frame.Events = box.events
		s.messages[key] = m
	}
	return m
}

// text returns the message as a server-sent event.
func (m *message) text(s *Server, writes bool) ([]byte, error) {
	m.encode.Do(func() {
		f := m.frame.In(m.lang)
		if f.Events == nil {
			f.Events = []engine.Event{}
		}
		text := f.View.AppendJSON([]byte("event: frame\ndata: {\"view\":"))
		text, m.err = appendMembers(text, shared{f.Events, f.Lang, speak(m.history, f)})
		m.texts = map[bool][]byte{}
		for _, writes := range []bool{false, true} {
			if m.err == nil {
				mine := rights{s.redact(f.Status, writes), writes, s.pictures(writes), s.showState(f),
					s.config.Authority != nil}
				m.texts[writes], m.err = appendMembers(slices.Clip(text), mine)
				m.texts[writes] = append(m.texts[writes], "}\n\n"...)
			}
		}
	})
	return m.texts[writes], m.err
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
