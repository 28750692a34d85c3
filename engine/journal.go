package engine

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// journalMagic is the first line of every journal.
const journalMagic = "tableside-journal 1"

// A Journal is a match on paper: how it was set up and every line since.
type Journal struct {
	Setup  Setup
	Lines  []Line
	End    *End // how it was put away; nil when it was not, or went on since
	Length int  // bytes read up to the end of the last whole line
	Torn   bool // the last line had no end and was dropped
}

// A Line is an input, or a mark: the hash that the view had after so many
// accepted inputs.
type Line struct {
	Number int // in the file, from 1
	Input  Input
	Mark   *Mark
}

// A Mark is a fingerprint of the view: a replay that differs shows that the
// rules have changed since.
type Mark struct {
	Seq  int
	Hash string
}

func (m Mark) String() string { return fmt.Sprintf("mark %d %s", m.Seq, m.Hash) }

// An End is the last line of a match that was put away: "end abandoned", or
// "end finished red" with its winners. An input after it, such as undo, takes
// the match up again; so does, after "end abandoned", the mark of a resume.
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

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum is CRC-32C, as eight hexadecimal digits.
func checksum(data []byte) string { return fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli)) }

// Seal ends a line as the daemon writes it: with the checksum of all that
// stands before, and a new line.
func Seal(line string) string { return line + " #=" + checksum([]byte(line)) + "\n" }

// unseal verifies a checksum where there is one.
func unseal(line string) (string, error) {
	i := strings.LastIndex(line, " #=")
	if i < 0 || len(line)-i != len(" #=")+8 {
		return line, nil
	}
	if want := checksum([]byte(line[:i])); line[i+3:] != want {
		return "", malformed(i+2, "checksum is %s and should be %s: the line was damaged", line[i+3:], want)
	}
	return line[:i], nil
}

// Head is the beginning of a journal: the setup, line by line and unsealed.
func (s Setup) Head() []string {
	game := "game " + quote(s.Game)
	if s.Rules != 0 {
		game += " rules " + strconv.Itoa(s.Rules)
	}
	lines := []string{journalMagic, game}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		lines = append(lines, "option "+quote(name)+" "+quote(s.Options[name]))
	}
	for _, d := range s.Definitions {
		lines = append(lines, "define "+d)
	}
	for _, p := range s.Seats {
		line := "seat " + string(p.Seat)
		if p.Name != "" {
			line += " " + quote(p.Name)
		}
		lines = append(lines, line)
	}
	for _, p := range s.Pools {
		line := "pool " + string(p.Seat) + " " + quote(p.Card)
		if p.N > 0 {
			line += " " + strconv.Itoa(p.N)
		}
		lines = append(lines, line)
	}
	if s.First != "" {
		lines = append(lines, "first "+string(s.First))
	}
	return append(lines, "begin "+s.Begin.UTC().Format(time.RFC3339))
}

// markWord and endWord begin the lines that hold a Mark and an End, so they
// name no seats.
const (
	markWord = "mark"
	endWord  = "end"
)

// ParseJournal reads a whole journal. A last line without its end is dropped
// and reported as Torn: power was cut while it was written. Anything else
// that is wrong is a *SyntaxError.
func ParseJournal(file string, data []byte) (*Journal, error) {
	j := &Journal{Setup: Setup{Options: map[string]string{}}}
	p := parser{journal: j}
	number := 0
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n')
		if end < 0 && p.begun {
			j.Torn = true
			break
		}
		raw := data
		if end >= 0 {
			raw, data = data[:end], data[end+1:]
			j.Length += end + 1
		} else {
			data = nil
			j.Length += len(raw)
		}
		number++
		if err := p.line(number, strings.TrimSuffix(string(raw), "\r")); err != nil {
			return nil, locate(err, file, number)
		}
	}
	if !p.begun {
		return nil, &SyntaxError{File: file, Line: max(number, 1), Column: 1, Reason: "the journal ends before its begin line"}
	}
	return j, nil
}

// locate puts file and line into a syntax error.
func locate(err error, file string, line int) error {
	if e, ok := err.(*SyntaxError); ok {
		return &SyntaxError{File: file, Line: line, Column: e.Column, Reason: e.Reason}
	}
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

type parser struct {
	journal *Journal
	magic   bool
	begun   bool
	last    time.Duration
}

func (p *parser) line(number int, raw string) error {
	text, err := unseal(raw)
	if err != nil {
		return err
	}
	tokens, err := Tokens(text)
	if err != nil || len(tokens) == 0 {
		return err
	}
	switch {
	case !p.magic:
		if text != journalMagic {
			return malformed(1, "a journal begins with the line %q", journalMagic)
		}
		p.magic = true
		return nil
	case !p.begun:
		return p.head(text, tokens)
	case tokens[0].Text == markWord:
		return p.mark(number, tokens)
	case tokens[0].Text == endWord:
		return p.end(tokens)
	}
	in, err := parseInput(tokens)
	if err != nil {
		return err
	}
	if _, timed := parseTime(tokens[0].Text); !timed {
		in.At = p.last // written by hand: it happened next
	}
	if in.At < p.last {
		return malformed(1, "time runs backwards: %s after %s", formatTime(in.At), formatTime(p.last))
	}
	p.last = in.At
	p.journal.End = nil
	p.journal.Lines = append(p.journal.Lines, Line{Number: number, Input: in})
	return nil
}

func (p *parser) mark(number int, tokens []Token) error {
	if len(tokens) != 3 {
		return malformed(1, "a mark is written as %q", "mark 42 1a2b3c4d")
	}
	if _, err := hex.DecodeString(tokens[2].Text); err != nil {
		return malformed(tokens[2].Column, "%q is not a fingerprint of a view", tokens[2].Text)
	}
	seq, err := strconv.Atoi(tokens[1].Text)
	if err != nil || seq < 0 {
		return malformed(tokens[1].Column, "%q is not a number of inputs", tokens[1].Text)
	}
	if end := p.journal.End; end != nil && end.State == "abandoned" {
		p.journal.End = nil
	}
	p.journal.Lines = append(p.journal.Lines, Line{Number: number, Mark: &Mark{Seq: seq, Hash: tokens[2].Text}})
	return nil
}

func (p *parser) end(tokens []Token) error {
	if len(tokens) < 2 || tokens[1].Text != "finished" && tokens[1].Text != "abandoned" {
		return malformed(1, "an end is written as %q or %q", "end finished red", "end abandoned")
	}
	end := &End{State: tokens[1].Text}
	for _, t := range tokens[2:] {
		if seat := Seat(t.Text); seat != Table && !p.journal.Setup.Has(seat) {
			return malformed(t.Column, "nobody sits at %q", t.Text)
		}
		end.Winners = append(end.Winners, Seat(t.Text))
	}
	p.journal.End = end
	return nil
}

// head reads one line between the first and "begin".
func (p *parser) head(text string, tokens []Token) error {
	s := &p.journal.Setup
	word := func(i int) string {
		if i < len(tokens) {
			return tokens[i].Text
		}
		return ""
	}
	wants := func(low, high int, as string) error {
		if len(tokens) < low || len(tokens) > high {
			return malformed(1, "this line is written as %q", as)
		}
		return nil
	}
	switch word(0) {
	case "seat", "pool", "first":
		if len(tokens) > 1 && !IsWord(word(1)) {
			return malformed(tokens[1].Column, "%q cannot name a seat", word(1))
		}
	}
	switch tokens[0].Text {
	case "game":
		if err := wants(2, 4, "game mutants/second-edition rules 1"); err != nil {
			return err
		}
		if s.Game != "" {
			return malformed(1, "a journal has one game; a line before says %q", s.Game)
		}
		s.Game = word(1)
		if len(tokens) > 2 {
			rules, err := strconv.Atoi(word(3))
			if word(2) != "rules" || err != nil || rules < 1 {
				return malformed(tokens[2].Column, "after the game stands %q", "rules 1")
			}
			s.Rules = rules
		}
	case "option":
		if err := wants(3, 3, "option spaces 12"); err != nil {
			return err
		}
		if _, twice := s.Options[word(1)]; twice {
			return malformed(tokens[1].Column, "option %q has a line already: several values of a list stand in one, with commas between", word(1))
		}
		s.Options[word(1)] = word(2)
	case "define":
		if err := wants(2, 64, "define card zombie freeze 1"); err != nil {
			return err
		}
		s.Definitions = append(s.Definitions, strings.TrimSpace(text[tokens[1].Column-1:]))
	case "seat":
		if err := wants(2, 3, "seat red Alice"); err != nil {
			return err
		}
		s.Seats = append(s.Seats, Player{Seat(word(1)), word(2)})
	case "pool":
		if err := wants(3, 4, "pool red zombie-king 2"); err != nil {
			return err
		}
		pool := Pool{Seat: Seat(word(1)), Card: word(2)}
		if len(tokens) == 4 {
			n, err := strconv.Atoi(word(3))
			if err != nil || n < 1 || n > 99 {
				return malformed(tokens[3].Column, "%q is not a number of copies", word(3))
			}
			pool.N = n
		}
		s.Pools = append(s.Pools, pool)
	case "first":
		if err := wants(2, 2, "first blue"); err != nil {
			return err
		}
		if s.First != "" {
			return malformed(1, "only one seat is first; a line before says %q", s.First)
		}
		s.First = Seat(word(1))
	case "begin":
		if err := wants(2, 2, "begin 2026-11-20T20:15:00Z"); err != nil {
			return err
		}
		at, err := time.Parse(time.RFC3339, word(1))
		if year := at.UTC().Year(); err != nil || year < 1 || year > 9999 {
			return malformed(tokens[1].Column, "%q is not a moment such as 2026-11-20T20:15:00Z", word(1))
		}
		if s.Game == "" {
			return malformed(1, "no game line stands before this one")
		}
		s.Begin = at
		p.begun = true
	default:
		return malformed(tokens[0].Column, "%q does not belong into the head of a journal (game, option, define, seat, pool, first, begin)", word(0))
	}
	return nil
}
