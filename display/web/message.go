package web

import (
	"encoding/json"
	"slices"
	"sync"

	"tableside/engine"
)

// Live is the data of the event "frame" on /api/live: the frame, and what a
// page that opens now needs besides.
type Live struct {
	shared
	rights
}

// shared is the part of a Live that is the same for everybody who reads one
// language. It is the larger one.
type shared struct {
	View    engine.View    `json:"view"`
	Events  []engine.Event `json:"events"` // since the message before
	Lang    engine.Lang    `json:"lang"`
	History []Entry        `json:"history"`
}

// rights is the part of a Live that depends on whether the browser may write.
type rights struct {
	Status   engine.Status `json:"status"`
	Writes   bool          `json:"writes"`
	Pictures []string      `json:"pictures"` // of panel and lights, those that this browser may see
}

// A message is a frame in one language for all browsers that wait for the same
// events. It is encoded once, by the first browser that sends it.
type message struct {
	frame   engine.Frame // in the table's language; its events are those that wait
	lang    engine.Lang
	history []entry

	encode sync.Once
	texts  map[bool][]byte // by the right to write
	err    error
}

// A messageKey tells the messages of one frame apart.
type messageKey struct {
	lang  engine.Lang
	since int // number of the first frame whose events wait
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

// text returns the event as the stream carries it.
func (m *message) text(s *Server, writes bool) ([]byte, error) {
	m.encode.Do(func() {
		f := m.frame.In(m.lang)
		if f.Events == nil {
			f.Events = []engine.Event{}
		}
		var most []byte
		most, m.err = json.Marshal(shared{f.View, f.Events, f.Lang, speak(m.history, f)})
		m.texts = map[bool][]byte{}
		for _, writes := range []bool{false, true} {
			if m.err == nil {
				m.texts[writes], m.err = joined(most, rights{s.discreet(f.Status, writes), writes, s.pictures(writes)})
			}
		}
	})
	return m.texts[writes], m.err
}

// joined makes one event of two JSON objects.
func joined(most []byte, rest rights) ([]byte, error) {
	data, err := json.Marshal(rest)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte("event: frame\ndata: "), most[:len(most)-1], []byte(","), data[1:], []byte("\n\n")), nil
}
