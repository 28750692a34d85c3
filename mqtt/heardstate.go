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
// 12 KB, 180 objects, 100 cards and 50 words in Labels.
const (
	maxObjects  = 4000 // of its JSON
	maxSeats    = 32
	maxPrompts  = 64
	maxTracks   = 32
	maxSpaces   = 2000 // of all tracks
	maxDice     = 256
	maxCards    = 2000 // in all zones, with those under others and attached to them
	maxCounters = 4000 // in all
	maxWords    = 4000 // states, keywords, notices, areas and stacks, in all
	maxLabels   = 1000
	maxTitle    = 400 // bytes of a player's name, or of the game's title
)

// readState reads a state, and checks everything in it on which pages rely. It leaves out
// fields that this program does not know.
func readState(table string, payload []byte) (*engine.View, error) {
	if !utf8.Valid(payload) {
		return nil, errors.New("the state is not text")
	}
	if n := bytes.Count(payload, []byte("{")); n > maxObjects { // before they take memory
		return nil, fmt.Errorf("the state: %w", tooMany("objects", n, maxObjects))
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

func tooMany(what string, n, most int) error { return fmt.Errorf("%d %s, more than %d", n, what, most) }

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
	if err := checkLoad(v); err != nil {
		return err
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
			return tooMany("spaces of tracks", spaces, maxSpaces)
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

// A load holds the numbers of zones, cards, counters and words in a state.
type load struct{ zones, cards, counters, words int }

// checkLoad returns an error for a state that holds more of anything than the limits allow.
func checkLoad(v *engine.View) error {
	l := load{counters: len(v.Counters), words: len(v.Notices) + len(v.Winners)}
	l.addZones(v.Zones)
	if v.Clock != nil {
		l.words += len(v.Clock.Running) + len(v.Clock.Seats)
	}
	for _, s := range v.Seats {
		l.counters += len(s.Counters)
		l.words += len(s.State)
		l.addZones(s.Zones)
	}
	for _, t := range v.Tracks {
		l.words += len(t.Areas) + len(t.Stacks)
		for _, stack := range t.Stacks {
			l.words += len(stack)
		}
	}
	if v.Sheet != nil {
		l.words += len(v.Sheet.Columns)
		for _, row := range v.Sheet.Rows {
			l.counters += len(row.Cells)
			for _, p := range row.Parts {
				l.counters += len(p.Cells)
			}
		}
	}
	for _, c := range []struct {
		name   string
		n, max int
	}{
		{"seats", len(v.Seats), maxSeats}, {"prompts", len(v.Prompts), maxPrompts}, {"tracks", len(v.Tracks), maxTracks},
		{"dice", len(v.Dice), maxDice}, {"zones", l.zones, maxCards}, {"cards", l.cards, maxCards},
		{"counters", l.counters, maxCounters}, {"words", l.words, maxWords}, {"labels", len(v.Labels), maxLabels},
	} {
		if c.n > c.max {
			return tooMany(c.name, c.n, c.max)
		}
	}
	return nil
}

func (l *load) addZones(zones engine.Zones) {
	l.zones += len(zones)
	for _, z := range zones {
		l.addCards(z.Cards)
	}
}

func (l *load) addCards(cards []engine.Card) {
	l.cards += len(cards)
	for i := range cards {
		c := &cards[i]
		l.counters += len(c.Counters)
		l.words += len(c.State) + len(c.Keywords)
		l.addCards(c.Under)
		l.addCards(c.Attached)
	}
}
