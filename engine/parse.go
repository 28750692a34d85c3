package engine

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// markWord and endWord begin the lines that hold a Mark and an End. No seat may have one of
// these words as its name.
const (
	markWord = "mark"
	endWord  = "end"
)

// ParseJournal reads a whole journal. If the last line has no line end, power was cut while
// the line was written. ParseJournal drops this line and reports the journal as Torn, unless
// the line belongs to the head. Any other fault is a *SyntaxError. If the fault is after the
// head, ParseJournal also returns the journal up to the fault.
func ParseJournal(file string, data []byte) (*Journal, error) {
	p := parser{journal: &Journal{Setup: Setup{Options: map[string]string{}}}}
	j := p.journal
	number := 0
	for rest := data; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		sealer := j.Sealer
		number++
		var err error
		if j.Torn = !whole && p.begun; j.Torn {
			err = p.checkTornLine(string(line))
		} else {
			err = p.readLine(number, strings.TrimSuffix(string(line), "\r"))
		}
		if err != nil {
			j.Torn, j.Sealer = false, sealer // as before this line, though its seal may be right
			err = locate(err, file, number)
			if !p.begun {
				return nil, err
			}
			return j, err
		}
		rest = after
		if !j.Torn {
			j.Length = len(data) - len(after)
		}
	}
	if !p.begun {
		return nil, locate(malformed(1, "the journal ends before its begin line"), file, max(number, 1))
	}
	return j, nil
}

// Unbegun reports whether a journal ends within its head, as a power cut leaves it while the
// table writes the head. Nobody has seen anything of such a match. Lines without a seal were
// written by hand, and are no such journal.
func Unbegun(data []byte) bool {
	p := parser{journal: &Journal{Setup: Setup{Options: map[string]string{}}}}
	for number := 1; ; number++ {
		raw, after, whole := bytes.Cut(data, []byte("\n"))
		line := string(raw)
		if !whole && p.magic {
			return p.checkTornLine(line) == nil
		}
		if !whole {
			return startsMagic(line)
		}
		_, _, sealed := cutSeal(line)
		if !sealed || p.readLine(number, line) != nil || p.begun {
			return false
		}
		data = after
	}
}

func startsMagic(text string) bool {
	chained := ChainedSealer()
	return strings.HasPrefix(Seal(looseMagic), text) || strings.HasPrefix(chained.Seal(chainedMagic), text)
}

// Miscounted reports whether lines are missing or duplicate before a mark. The mark is the
// first one in Lines[i] or later. It gives the number of inputs before it. Miscounted compares
// this number with the inputs that Lines really has before the mark.
func (j *Journal) Miscounted(i int) bool {
	inputs := 0
	for k, line := range j.Lines {
		switch {
		case line.Mark == nil:
			inputs++
		case k >= i:
			return line.Mark.Seq != inputs
		}
	}
	return false
}

// CountMoves returns the number of moves in the rest of a journal, given the number of moves
// before the rest.
//
// The rest may be damaged. Every text that ends with a seal or a line end counts as a move,
// unless the text is legible as something else. A mark says how many moves the whole journal
// has before the mark. From this number, CountMoves subtracts the moves before the rest. The
// difference replaces the count so far. A mark in the first line of the rest is ignored.
func CountMoves(rest []byte, played int) int {
	moves := 0
	for i, line := range strings.Split(string(rest), "\n") {
		for k, text := range strings.Split(line, " "+sealMark) {
			if k > 0 { // skip the digits of the seal and a damaged line end
				text = text[min(sealDigits+1, len(text)):]
			}
			tokens, err := Tokens(strings.TrimSuffix(text, "\r"))
			switch {
			case err != nil:
				moves++
			case len(tokens) == 0 || tokens[0].Text == endWord:
			case tokens[0].Text != markWord:
				moves++
			case i > 0 && len(tokens) == 3:
				if seq, err := strconv.Atoi(tokens[1].Text); err == nil && seq >= played {
					moves = seq - played
				}
			}
		}
	}
	return moves
}

func locate(err error, file string, line int) error {
	if e, ok := err.(*SyntaxError); ok {
		at := *e
		at.File, at.Line = file, line
		return &at
	}
	return fmt.Errorf("%s:%d: %w", file, line, err)
}

type parser struct {
	journal  *Journal
	magic    bool
	begun    bool
	previous string // the line before, with its seal
	last     time.Duration
}

// readLine reads the next line of the journal. The argument raw is the text of the line, and
// number is its number in the file.
func (p *parser) readLine(number int, raw string) error {
	text, sealed, err := p.journal.Sealer.open(raw)
	if err != nil {
		if sealed && raw == p.previous {
			return damaged(1, "duplicate line")
		}
		return err
	}
	p.previous = raw
	tokens, err := Tokens(text)
	if err != nil || len(tokens) == 0 {
		return err
	}
	switch {
	case !p.magic:
		return p.readMagicLine(number, text, sealed)
	case !p.begun:
		return p.readHead(text, tokens)
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
		in.At = p.last // written by hand: it has no time of its own
	}
	if in.At < p.last {
		wrong := malformed
		if sealed {
			wrong = damaged
		}
		return wrong(1, "time runs backwards: %s after %s", formatTime(in.At), formatTime(p.last))
	}
	p.last = in.At
	p.journal.End = nil
	p.journal.Lines = append(p.journal.Lines, Line{Number: number, Input: in})
	return nil
}

// readMagicLine reads the first line of a journal. This line names the form of the journal.
// The argument sealed says whether the line has a seal.
func (p *parser) readMagicLine(number int, text string, sealed bool) error {
	p.magic = true
	switch {
	case text == looseMagic:
		return nil
	case text == maskedMagic:
		return malformed(1, "this journal hides cards that lie face down, so nothing can replay it: the table's owner has "+
			"the whole journal, and after the match everybody")
	case text != chainedMagic:
		return malformed(1, "a journal begins with the line %q", looseMagic)
	case !sealed:
		return malformed(1, "%q needs checksums, which only a table writes; a journal written by hand begins with %q",
			chainedMagic, looseMagic)
	case number > 1:
		return malformed(1, "%q has to be the first line; a journal written by hand begins with %q", chainedMagic, looseMagic)
	}
	p.journal.Sealer.chained = true
	return nil
}

// checkTornLine checks a last line without a line end. If the line may be a piece that a power
// cut has left, checkTornLine returns nil. If the line has zeros in it, or more text after a
// checksum, it is damaged, and checkTornLine returns an error.
func (p *parser) checkTornLine(raw string) error {
	if i := strings.IndexByte(raw, 0); i >= 0 {
		return damaged(i+1, "got zeros, want text")
	}
	at := strings.LastIndex(raw, " "+sealMark)
	end := at + len(" "+sealMark) + sealDigits
	if at < 0 || end >= len(raw) {
		return nil
	}
	sealer := p.journal.Sealer
	if _, _, err := sealer.open(raw[:end]); err != nil {
		return nil // no seal, but a comment that looks like one
	}
	return damaged(end+1, "the line does not end after its checksum")
}

func (p *parser) mark(number int, tokens []Token) error {
	if len(tokens) != 3 {
		return malformed(1, "want a mark such as %q", "mark 42 1a2b3c4d")
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
		return malformed(1, "want an end such as %q or %q", "end finished red", "end abandoned")
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

// headForms holds the words with which a line of the head may begin. For each of them, it holds
// how many words such a line may have, and an example.
var headForms = map[string]struct {
	low, high int
	example   string
}{
	"game":     {2, 4, "game mutants/second-edition rules 1"},
	"preset":   {2, 2, "preset skull-king"},
	"option":   {3, 3, "option spaces 12"},
	"define":   {2, 64, "define card zombie freeze 1"},
	"seat":     {2, 3, "seat red Alice"},
	"computer": {3, 3, "computer blue normal"},
	"pool":     {3, 4, "pool red zombie-king 2"},
	"first":    {2, 2, "first blue"},
	"after":    {2, 2, "after 2026-11-20T20-15-00Z"},
	"begin":    {2, 2, "begin 2026-11-20T20:15:00Z"},
}

// readHead reads a line of the head, such as a seat, an option or the final "begin". It does
// not read the first line of the journal.
func (p *parser) readHead(text string, tokens []Token) error {
	s := &p.journal.Setup
	word := func(i int) string {
		if i < len(tokens) {
			return tokens[i].Text
		}
		return ""
	}
	form, known := headForms[word(0)]
	hasSeat := slices.Contains([]string{"seat", "computer", "pool", "first"}, word(0))
	switch {
	case !known:
		return malformed(tokens[0].Column,
			"unexpected %q in the head of a journal (want game, preset, option, define, seat, computer, pool, after, first or begin)", word(0))
	case hasSeat && len(tokens) > 1 && !IsWord(word(1)):
		return malformed(tokens[1].Column, "%q cannot name a seat", word(1))
	case word(0) == "option" && len(tokens) > 3:
		return malformed(tokens[3].Column, "quote a value of several words, as in %s", `option counters "Victory Points"`)
	case word(0) == "seat" && len(tokens) > 3:
		return malformed(tokens[3].Column, "quote a name of several words, as in %s", `seat red "Mary Ann"`)
	case len(tokens) < form.low || len(tokens) > form.high:
		return malformed(1, "want a line such as %q", form.example)
	}
	switch word(0) {
	case "game":
		if s.Game != "" {
			return malformed(1, "a journal has one game; a line before says %q", s.Game)
		}
		s.Game = word(1)
		if len(tokens) > 2 {
			rules, err := strconv.Atoi(word(3))
			if word(2) != "rules" || err != nil || rules < 1 {
				return malformed(tokens[2].Column, "want %q after the game", "rules 1")
			}
			s.Rules = rules
		}
	case "preset":
		if s.Preset != "" || !IsWord(word(1)) {
			return malformed(tokens[1].Column, "want one preset, such as %q", form.example)
		}
		s.Preset = word(1)
	case "option":
		if _, twice := s.Options[word(1)]; twice {
			return malformed(tokens[1].Column,
				"duplicate option %q; write several values on one line, with commas between them", word(1))
		}
		s.Options[word(1)] = word(2)
	case "define":
		s.Definitions = append(s.Definitions, strings.TrimSpace(text[tokens[1].Column-1:]))
	case "seat":
		s.Seats = append(s.Seats, Player{Seat(word(1)), word(2)})
	case "computer":
		seat := Seat(word(1))
		if s.Computer[seat] != "" {
			return malformed(1, "duplicate computer %q", seat)
		}
		if s.Computer == nil {
			s.Computer = map[Seat]string{}
		}
		s.Computer[seat] = word(2)
	case "pool":
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
		if s.First != "" {
			return malformed(1, "only one seat is first; a line before says %q", s.First)
		}
		s.First = Seat(word(1))
	case "after":
		if s.After = word(1); BeginOf(s.After).IsZero() {
			return malformed(tokens[1].Column, "%q is not a match such as 2026-11-20T20-15-00Z", word(1))
		}
	case "begin":
		at, err := time.Parse(time.RFC3339, word(1))
		if year := at.UTC().Year(); err != nil || year < 1 || year > 9999 {
			return malformed(tokens[1].Column, "%q is not a moment such as 2026-11-20T20:15:00Z", word(1))
		}
		if s.Game == "" {
			return malformed(1, "missing game line before this one")
		}
		s.Begin = at
		p.begun = true
	}
	return nil
}
