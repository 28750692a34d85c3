package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"tableside/engine"
)

// Limits of what a table publishes, beyond which a message is none of a table's. What
// a page draws grows with them.
const (
	maxName   = 64   // bytes of a table's name
	maxSeats  = 32   // of a match
	maxSpaces = 1000 // of a track
	maxReason = 1000 // bytes of why a part does not work
	maxSeq    = 1 << 20 // inputs of a match
)

// take hands on a message to a table's topic. An error says why it is none of a table's.
func (h Heard) take(topic string, payload []byte, kept bool) error {
	rest, ok := strings.CutPrefix(topic, "tableside/")
	table, what, _ := strings.Cut(rest, "/")
	if !ok || table == "" || len(table) > maxName || level(table) != table {
		return errNoTable
	}
	switch part, isHealth := strings.CutPrefix(what, "health/"); {
	case isHealth:
		p, err := readHealth(part, payload)
		if err != nil {
			return err
		}
		h.Health(table, p)
	case what == "state" && len(payload) == 0:
		h.State(table, nil, kept)
	case what == "state":
		v, err := readState(table, payload)
		if err != nil {
			return err
		}
		h.State(table, v, kept)
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
		h.Alive(table, s.Match, s.Seq)
	}
	return nil
}

// readState reads a state, as far as this program knows it, and checks what pages rely on.
func readState(table string, payload []byte) (*engine.View, error) {
	if !utf8.Valid(payload) {
		return nil, errors.New("the state is not text")
	}
	var v engine.View
	if err := json.Unmarshal(payload, &v); err != nil {
		return nil, fmt.Errorf("the state: %w", err)
	}
	if err := checkState(table, &v); err != nil {
		return nil, fmt.Errorf("the state: %w", err)
	}
	return &v, nil
}

var isColour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`).MatchString

func checkState(table string, v *engine.View) error {
	switch {
	case v.Schema != engine.SchemaVersion:
		return fmt.Errorf("got schema %d, want %d", v.Schema, engine.SchemaVersion)
	case level(v.Table) != table:
		return fmt.Errorf("it is of the table %.70q", v.Table)
	case v.Seq < 0 || v.Seq > maxSeq:
		return fmt.Errorf("the seq %d", v.Seq)
	case v.Round < 0 || v.Rounds < 0:
		return errors.New("a negative number")
	case len(v.Seats) > maxSeats:
		return fmt.Errorf("%d seats, more than %d", len(v.Seats), maxSeats)
	}
	seen := map[engine.Seat]bool{}
	for _, s := range v.Seats {
		if !engine.IsWord(string(s.ID)) || seen[s.ID] {
			return fmt.Errorf("the seat %.20q", s.ID)
		}
		if !isColour(s.Colour) {
			return fmt.Errorf("the colour %.20q", s.Colour)
		}
		seen[s.ID] = true
	}
	for _, t := range v.Tracks {
		if t.Last < t.First || t.Last-t.First > maxSpaces || t.Last > 1<<30 || t.First < -1<<30 {
			return fmt.Errorf("a track from %d to %d", t.First, t.Last)
		}
	}
	return nil
}

// readHealth reads "ok", or "degraded: why"; nothing, if the broker keeps it no longer.
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
