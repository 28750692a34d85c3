package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"tableside/engine"
)

const (
	maxName   = 64      // bytes of a table's name
	maxReason = 1000    // bytes of a part's health, with the reason
	maxSeq    = 1 << 20 // inputs of a match
)

// IsTable reports whether a table may have this name in its topics.
func IsTable(name string) bool { return name != "" && len(name) <= maxName && level(name) == name }

// errOlder reports the result of a match that an older table offers to this hall.
var errOlder = errors.New("the table's program is older than the hall's, and sends no matches to it: bring both to the same version")

// take passes a message to the function that handles its topic. A message on any other topic
// of a table is ignored. If no table can have published the message, take returns an error
// that says why.
func (w *Watcher) take(topic string, payload []byte, kept bool) (err error) {
	h := w.handlers
	rest, ok := strings.CutPrefix(topic, "tableside/")
	table, what, _ := strings.Cut(rest, "/")
	if !ok || !IsTable(table) {
		return errNoTable
	}
	part, isHealth := strings.CutPrefix(what, "health/")
	match, isJournal := strings.CutPrefix(what, journalTopic(w.cfg.Hall)[1:])
	switch {
	case isJournal && (engine.BeginOf(match).IsZero() || h.Journal == nil):
		return errNoTable
	case isJournal:
		h.Journal(table, match, payload)
	case len(payload) > maxHeard:
		return fmt.Errorf("it has %d bytes, more than %d", len(payload), maxHeard)
	case isHealth:
		var p engine.Part
		if p, err = readHealth(part, payload); err == nil {
			h.Health(table, p)
		}
	case what == "state" && len(payload) == 0:
		h.State(table, nil, kept)
	case what == "state":
		var v *engine.View
		if v, err = readState(table, payload); err == nil {
			h.State(table, v, kept)
		}
	case what == "result" && w.refuseOlder(table, payload):
		return errOlder
	case what == "call":
		var since time.Time
		if since, err = readCall(payload); err == nil {
			h.Call(table, since)
		}
	case what == "status":
		if s := string(payload); s != online && s != offline && s != "" {
			return fmt.Errorf("got the status %.20q, want %s or %s", s, online, offline)
		}
		h.Status(table, string(payload))
	case what == "alive" && !kept && len(payload) > 0: // a kept one is no sign of life
		var s sign
		if err := json.Unmarshal(payload, &s); err != nil {
			return err
		}
		if s.Seq < 0 || s.Seq > maxSeq {
			return fmt.Errorf("got the seq %d", s.Seq)
		}
		h.Alive(table, s.Match, s.Seq, s.Time)
	}
	return err
}

// readCall returns the time at which the people at a table called for help. If they did not
// call, the time is zero. A time whose UTC year does not fit in JSON (0 to 9999) is an error,
// because such a time would spoil the list of all tables.
func readCall(payload []byte) (time.Time, error) {
	var c call
	if len(payload) > 0 {
		if err := json.Unmarshal(payload, &c); err != nil {
			return time.Time{}, err
		}
	}
	since := c.Since.UTC()
	if since.Year() < 0 || since.Year() > 9999 {
		return time.Time{}, fmt.Errorf("got a call since the year %d", since.Year())
	}
	return since, nil
}

// readHealth reads the health of a part from a payload. The payload is "ok", or a state with
// its reason, such as "degraded: why". An empty payload means that the broker no longer
// retains the health. The result then has the health "".
func readHealth(name string, payload []byte) (engine.Part, error) {
	state, why, _ := bytes.Cut(payload, []byte(": "))
	p := engine.Part{Name: name, Health: engine.Health(state), Reason: string(why)}
	switch {
	case len(name) > maxName || level(name) != name:
		return p, errNoTable
	case len(payload) > maxReason || !utf8.Valid(payload):
		return p, errors.New("the health of a part is not a short text")
	case p.Health != "" && p.Health != engine.OK && p.Health != engine.Degraded && p.Health != engine.Broken:
		return p, fmt.Errorf("got the health %.20q", state)
	}
	return p, nil
}
