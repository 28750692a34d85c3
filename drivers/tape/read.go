package tape

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// maxTime is the longest time of a tape that is played: a tape may come from anybody.
const maxTime = 31 * 24 * time.Hour

// Read reads a tape. If the tape was cut off, even within a line, Read returns the tape up to its
// last whole line.
func Read(r io.Reader) (*Tape, error) {
	t, parts := &Tape{}, map[string]*Part{}
	lines := bufio.NewReader(io.LimitReader(r, MaxSize+1<<10))
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		switch {
		case number == 1 && (err == nil || err == io.EOF):
			err = t.readHeader(line)
		case err == io.EOF:
			return t, nil
		case err == nil:
			err = t.readCall(line, number, parts)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
}

func (t *Tape) readHeader(line []byte) error {
	if bytes.HasPrefix(line, []byte("tableside-tape ")) {
		return fmt.Errorf("recorded by an earlier version of tableside: replay it with that version")
	}
	if err := json.Unmarshal(line, &t.Header); err != nil || t.Tape == 0 {
		return fmt.Errorf("got %.40q, want the first line of a tape", line)
	}
	if t.Tape != format {
		return fmt.Errorf("this is a tape of format %d, and this version of tableside replays format %d", t.Tape, format)
	}
	return nil
}

func (t *Tape) readCall(line []byte, number int, parts map[string]*Part) error {
	c := &Call{Line: number}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(c); err != nil {
		return err
	}
	if t.Whole {
		return fmt.Errorf("got a line behind the last one")
	}
	if t.Whole = c.Last != ""; t.Whole {
		return nil
	}
	p := parts[c.Part]
	if p == nil {
		p = &Part{Name: c.Part}
		parts[c.Part] = p
		t.Parts = append(t.Parts, p)
	}
	switch {
	case c.Part == "" || c.N < 0 || c.End < 0 || c.End > maxTime.Microseconds():
		return fmt.Errorf("got no part, or a number that no recording has")
	case c.Again > 0 && c.Again <= len(p.written):
		again := *p.written[c.Again-1]
		again.N = c.N
		p.Calls = append(p.Calls, again)
	case c.Again == 0 && len(c.Words) > 0:
		c.N = 1
		p.written = append(p.written, c)
		p.Calls = append(p.Calls, *c)
	default:
		return fmt.Errorf("got neither a call nor the number of an earlier one")
	}
	return nil
}
