package mqtt

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"tableside/engine"
	"tableside/mqtt/homeassistant"
)

// A Message is published on a topic. If Retain is set, the broker keeps the message on the
// topic. An empty payload then clears the topic.
type Message struct {
	Topic   string
	Payload []byte
	Retain  bool
}

const (
	online  = "online"
	offline = "offline"
)

// Prefix returns the beginning of all topics of a table, without the slash that follows it.
func Prefix(table string) string { return "tableside/" + level(table) }

// level turns a name into one level (part) of a topic. Hyphens replace the characters that
// have a meaning in MQTT or are hard to type.
func level(name string) string {
	if name == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}, name)
}

// Messages passes on everything to publish for a frame. The state comes first, then the events,
// and then the topics that repeat parts of the state. Each message is passed on before the next
// one is made, so that the state does not wait for the others.
func Messages(f engine.Frame, put func(Message)) {
	prefix := Prefix(f.View.Table)
	state := f.State
	if state == nil {
		state = f.Encode
	}
	retain := func(topic string, payload []byte) {
		put(Message{Topic: prefix + topic, Payload: payload, Retain: true})
	}
	count := func(seat engine.Seat, counters engine.Counters) {
		for _, c := range counters {
			retain("/seat/"+level(string(seat))+"/"+level(c.Name), strconv.AppendInt(nil, int64(c.Value), 10))
		}
	}
	retain("/state", state())
	for _, e := range f.Events {
		payload := encode(struct {
			Type string `json:"event_type"` // as Home Assistant calls the name
			engine.Event
		}{e.Name, e})
		put(Message{Topic: prefix + "/event/" + level(e.Name), Payload: payload})
	}
	retain("/status", []byte(online))
	retain("/summary", encode(homeassistant.Summary(f)))
	for _, s := range f.View.Seats {
		count(s.ID, s.Counters)
	}
	count(engine.Table, f.View.Counters)
	// The entities come after the counters, so that an entity that becomes available has a value.
	retain("/entities", encode(homeassistant.Entities(f)))
	for _, t := range f.View.Tracks {
		if t.Stacks == nil {
			t.Stacks = map[int][]engine.Seat{}
		}
		retain("/track/"+level(t.ID), encode(t.Stacks))
	}
	if f.Status.Chances != nil {
		retain("/chances", encode(f.Status.Chances))
	}
	if since := f.Status.Called; !since.IsZero() {
		retain("/call", encode(call{since}))
	}
	for _, p := range f.Status.Health {
		retain("/health/"+level(p.Name), health(p))
		retain("/health/"+level(p.Name)+"/details", encode(p))
	}
}

// A call holds the time at which the people at a table called for somebody of the hall.
type call struct {
	Since time.Time `json:"since"`
}

func health(p engine.Part) []byte {
	if p.Reason == "" {
		return []byte(p.Health)
	}
	return []byte(string(p.Health) + ": " + p.Reason)
}

// encode returns v as JSON. Encoding cannot fail for the contents of a frame. If it did fail,
// the result would hold the error.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		data, _ = json.Marshal(map[string]string{"error": err.Error()})
	}
	return data
}

// A ledger records the payloads that the broker retains, by topic. A nil payload means that
// the broker retains a payload that is not known.
type ledger map[string][]byte

// update publishes the messages that the broker does not retain already, and then messages that
// clear the topics of the ledger for which there is no message.
func (l ledger) update(all func(put func(Message)), publish func(Message)) {
	named := make(map[string]bool, len(l))
	all(func(m Message) {
		if m.Retain {
			named[m.Topic] = true
			if old := l[m.Topic]; old != nil && bytes.Equal(old, m.Payload) {
				return
			}
			l[m.Topic] = m.Payload
		}
		publish(m)
	})
	for _, topic := range slices.Sorted(maps.Keys(l)) {
		if !named[topic] {
			delete(l, topic)
			publish(Message{Topic: topic, Retain: true})
		}
	}
}

func (l ledger) forget() {
	for topic := range l {
		l[topic] = nil
	}
}
