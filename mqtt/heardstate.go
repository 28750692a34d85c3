package mqtt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"tableside/engine"
)

// These are the limits of a state. No table can have published a larger state. The limits
// bound the amount that a hall has to keep and draw. Random matches of all games have at most
// 12 KB and 180 objects.
const (
	maxObjects = 1000 // of its JSON: seats, cards, prompts, tracks, dice…
	maxSpaces  = 2000 // of all tracks
	maxTitle   = 400  // bytes of a player's name, or of the game's title
)

// readState reads a state, and checks everything in it on which pages rely. It leaves out
// fields that this program does not know.
func readState(table string, payload []byte) (*engine.View, error) {
	if !utf8.Valid(payload) {
		return nil, errors.New("the state is not text")
	}
	if n := bytes.Count(payload, []byte("{")); n > maxObjects { // before they take memory
		return nil, fmt.Errorf("the state has %d objects, more than %d", n, maxObjects)
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
	case len(v.Title) > maxTitle:
		return fmt.Errorf("the title %.20q… is too long", v.Title)
	}
	if err := checkSeats(v); err != nil {
		return err
	}
	if err := checkClock(v.Clock); err != nil {
		return err
	}
	spaces := 0
	for _, t := range v.Tracks {
		if t.Last < t.First || t.Last > 1<<30 || t.First < -1<<30 {
			return fmt.Errorf("a track from %d to %d", t.First, t.Last)
		}
		if spaces += t.Last - t.First; spaces > maxSpaces {
			return fmt.Errorf("%d spaces of tracks, more than %d", spaces, maxSpaces)
		}
	}
	return nil
}

// checkSeats checks the seats, the questions and the winners. Each question must be to a seat
// or to the table, and each winner must be a seat or the table.
func checkSeats(v *engine.View) error {
	seen := map[engine.Seat]bool{}
	for _, s := range v.Seats {
		switch {
		case !engine.IsWord(string(s.ID)) || seen[s.ID]:
			return fmt.Errorf("the seat %.20q", s.ID)
		case !isColour(s.Colour):
			return fmt.Errorf("the colour %.20q", s.Colour)
		case len(s.Name) > maxTitle:
			return fmt.Errorf("the name %.20q… is too long", s.Name)
		}
		seen[s.ID] = true
	}
	for _, p := range v.Prompts {
		if !seen[p.Seat] && p.Seat != engine.Table {
			return fmt.Errorf("a question to %.20q, which is no seat", p.Seat)
		}
	}
	for _, s := range v.Winners {
		if !seen[s] && s != engine.Table {
			return fmt.Errorf("the winner %.20q, which is no seat", s)
		}
	}
	return nil
}

// checkClock checks a clock. It replaces missing lists of the clock by empty lists, because
// pages need the lists. A nil clock is valid.
func checkClock(c *engine.ClockView) error {
	if c == nil {
		return nil
	}
	if c.Running == nil {
		c.Running = []engine.Seat{}
	}
	if c.Seats == nil {
		c.Seats = []engine.ClockSeat{}
	}
	for _, s := range c.Seats {
		if s.Left == nil && s.Turn == nil {
			return fmt.Errorf("the clock of %.20q has no limit", s.Seat)
		}
	}
	for _, id := range c.Running {
		if s, _ := c.Seat(id); s == nil {
			return fmt.Errorf("a clock runs for %.20q, who has none", id)
		}
	}
	return nil
}
