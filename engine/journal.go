package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// A Journal records a match: its setup and every line since.
type Journal struct {
	Setup  Setup
	Lines  []Line
	End    *End   // how the match was put away; nil if it was not, or has been resumed
	Length int    // bytes read up to the end of the last whole line
	Torn   bool   // the last line had no end and was dropped
	Sealer Sealer // for the next lines
}

// A Line holds a mark or, if Mark is nil, an input.
type Line struct {
	Number int // in the file, from 1
	Input  Input
	Mark   *Mark
}

// A Mark holds a fingerprint of the view. If a replay leads to another fingerprint, the rules
// or the journal have changed since the mark was written.
type Mark struct {
	Seq  int // the number of accepted inputs before it
	Hash string
}

func (m Mark) String() string { return fmt.Sprintf("mark %d %s", m.Seq, m.Hash) }

// An End is the last line of a match that was put away. The line is "end abandoned", or "end
// finished" with the winners, such as "end finished red". A later input, such as an undo,
// resumes the match. After "end abandoned", a mark also resumes the match.
type End struct {
	State   string // finished, abandoned
	Winners []Seat
}

func (e End) String() string {
	line := "end " + e.State
	for _, seat := range e.Winners {
		line += " " + string(seat)
	}
	return line
}

// Head returns the lines that the setup has at the head of a loose journal. They have no
// seals: see looseMagic.
func (s Setup) Head() []string {
	game := "game " + Quote(s.Game)
	if s.Rules != 0 {
		game += " rules " + strconv.Itoa(s.Rules)
	}
	lines := []string{looseMagic, game}
	if s.Preset != "" {
		lines = append(lines, "preset "+s.Preset)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		lines = append(lines, "option "+Quote(name)+" "+Quote(s.Options[name]))
	}
	for _, d := range s.Definitions {
		lines = append(lines, "define "+d)
	}
	for _, p := range s.Seats {
		line := "seat " + string(p.Seat)
		if p.Name != "" {
			line += " " + Quote(p.Name)
		}
		lines = append(lines, line)
	}
	for _, seat := range slices.Sorted(maps.Keys(s.Computer)) {
		lines = append(lines, "computer "+string(seat)+" "+Quote(s.Computer[seat]))
	}
	for _, p := range s.Pools {
		line := "pool " + string(p.Seat) + " " + Quote(p.Card)
		if p.N > 0 {
			line += " " + strconv.Itoa(p.N)
		}
		lines = append(lines, line)
	}
	if s.After != "" {
		lines = append(lines, "after "+s.After)
	}
	if s.First != "" {
		lines = append(lines, "first "+string(s.First))
	}
	return append(lines, "begin "+s.Begin.UTC().Format(time.RFC3339))
}
