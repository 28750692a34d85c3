package mqtt

import (
	"bytes"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"tableside/engine"
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

// Messages returns everything to publish for a frame. The state comes first, then the events,
// and then the topics that repeat parts of the state. Each message is made when the caller
// asks for it. Thus the first messages are sent while the other messages are still being made.
func Messages(f engine.Frame) iter.Seq[Message] {
	prefix := Prefix(f.View.Table)
	if c := f.View.Clock; c != nil && len(c.Running) > 0 {
		f.View.Clock = f.Clock(f.MadeAt) // a retained state may be read much later
	}
	return func(yield func(Message) bool) {
		retain := func(topic string, payload []byte) bool {
			return yield(Message{Topic: prefix + topic, Payload: payload, Retain: true})
		}
		if !retain("/state", f.View.AppendJSON(nil)) {
			return
		}
		for _, e := range f.Events {
			if !yield(eventMessage(prefix, e)) {
				return
			}
		}
		if !retain("/status", []byte(online)) {
			return
		}
		if !retain("/summary", encode(summary(f))) {
			return
		}
		for topic, value := range counters(f.View) {
			if !retain(topic, strconv.AppendInt(nil, int64(value), 10)) {
				return
			}
		}
		// The entities come after the counters, so that an entity that becomes available has a
		// value.
		if !retain("/entities", encode(entityKeys(f))) {
			return
		}
		for _, t := range f.View.Tracks {
			if !retain("/track/"+level(t.ID), stacks(t)) {
				return
			}
		}
		if since := f.Status.Called; !since.IsZero() && !retain("/call", encode(call{since})) {
			return
		}
		for _, p := range f.Status.Health {
			topic := "/health/" + level(p.Name)
			if !retain(topic, health(p)) || !retain(topic+"/details", encode(p)) {
				return
			}
		}
	}
}

// eventMessage returns the message of one event. Home Assistant expects the event's name as
// event_type.
func eventMessage(prefix string, e engine.Event) Message {
	payload := encode(struct {
		Type string `json:"event_type"`
		engine.Event
	}{e.Name, e})
	return Message{Topic: prefix + "/event/" + level(e.Name), Payload: payload}
}

// counters yields the value of each counter by its topic, without the topic's prefix. The
// counters of the seats come first. The counters of the table follow, with the seat "table" in
// their topics.
func counters(v engine.View) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, s := range v.Seats {
			for _, c := range s.Counters {
				if !yield(counterTopic(s.ID, c.Name), c.Value) {
					return
				}
			}
		}
		for _, c := range v.Counters {
			if !yield(counterTopic(engine.Table, c.Name), c.Value) {
				return
			}
		}
	}
}

// A call holds the time at which the people at a table called for somebody of the hall.
type call struct {
	Since time.Time `json:"since"`
}

func counterTopic(seat engine.Seat, counter string) string {
	return "/seat/" + level(string(seat)) + "/" + level(counter)
}

func stacks(t engine.Track) []byte {
	if t.Stacks == nil {
		return []byte("{}")
	}
	return encode(t.Stacks)
}

// health returns the health of a part as text, such as "ok". If the part has a reason for its
// health, the reason follows, as in "degraded: no answer".
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

// update yields the messages of a sequence, except those that the broker already retains. If a
// topic of the ledger has no message in the sequence, update then yields a message that clears
// this topic. The ledger changes as the caller takes the messages.
func (l ledger) update(all iter.Seq[Message]) iter.Seq[Message] {
	return func(yield func(Message) bool) {
		named := make(map[string]bool, len(l))
		for m := range all {
			if m.Retain {
				named[m.Topic] = true
				if old := l[m.Topic]; old != nil && bytes.Equal(old, m.Payload) {
					continue
				}
				l[m.Topic] = m.Payload
			}
			if !yield(m) {
				return
			}
		}
		for _, topic := range slices.Sorted(maps.Keys(l)) {
			if named[topic] {
				continue
			}
			delete(l, topic)
			if !yield(Message{Topic: topic, Retain: true}) {
				return
			}
		}
	}
}

// forget keeps the topics and forgets the payloads, so that everything is
// published again.
func (l ledger) forget() {
	for topic := range l {
		l[topic] = nil
	}
}
