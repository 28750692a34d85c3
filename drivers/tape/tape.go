// Package tape records what passes over the wires of chips, and plays it to the chips' drivers
// without the chips.
//
// # The format
//
// A tape has one JSON object in each line. The first one, a Header, says where the tape was made.
// Each of the others is a call: what a driver was asked to do, and what passed over its wires
// meanwhile. It is written when it is over, that of the keys at the end. Times are in
// microseconds since the tape began.
//
//	{"t":1042,"part":"reader-red","call":["poll"],"io":[…],"end":1700}
//	{"t":1800,"part":"reader-red","call":["halt"],"io":[…],"end":1900,"err":"no answer"}
//	{"t":2500,"part":"reader-red","again":1,"n":57}
//	{"t":9999,"last":"end"}
//
// A call that failed has "err"; one that was ended from outside has "cut". The third line is 57
// more calls like the first one of this part that is written out: only times, and how often a
// chip was not ready, were different. The last line is "full" if the tape had no more room.
//
// These may be in "io", each with its time and perhaps with an error ("err"):
//
//	"bus":"spi","w":"4000","r":"0000","n":6   bytes out and bytes in, six times in a row; also i2c
//	"bus":"tx","w":"5555"                     bytes out over a serial line; rx with "r" is bytes in
//	"bus":"rx","n":3                          three reads in a row that brought nothing
//	"bus":"out","pin":"GPIO25","high":true    a pin got a level; in is a level that was read and is new
//	"bus":"edge","pin":"17","seq":1           an edge of a key, with the kernel's time and number
//	"bus":"event","words":["press","yes"]     an event that the driver derived from edges
//
// A header with "hidden" belongs to a tape without tags: zeros replace what passed between the
// program and tags. Such a tape cannot be played.
package tape

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// format is the number of this format. The formats 1 and 2 were no JSON.
const format = 3

// A Header says where a tape was made.
type Header struct {
	Tape    int      `json:"tape"` // format
	Version string   `json:"version"`
	Model   string   `json:"model"` // of the computer
	Kernel  string   `json:"kernel"`
	Config  []string `json:"config,omitempty"` // lines of config.txt
	Wiring  []string `json:"wiring,omitempty"` // lines of the configuration
	Hidden  bool     `json:"hidden,omitempty"`
}

// A Tape is a recording.
type Tape struct {
	Header
	Parts []*Part // in the order of their first calls
	Whole bool    // its last line is there
}

// A Part holds the calls of one part of the hardware, such as a reader.
type Part struct {
	Name    string
	Calls   []Call
	written []int // indices of those that are written out
}

// A Call is one operation of a driver, or a line of a tape.
type Call struct {
	T     int64    `json:"t"`
	Part  string   `json:"part,omitempty"`
	Words []string `json:"call,omitempty"` // the operation and its arguments
	IO    []IO     `json:"io,omitempty"`
	End   int64    `json:"end,omitempty"`
	Err   string   `json:"err,omitempty"`
	Cut   bool     `json:"cut,omitempty"`
	Again int      `json:"again,omitempty"` // number of another call
	N     int      `json:"n,omitempty"`     // how often in a row
	Last  string   `json:"last,omitempty"`

	Line int `json:"-"` // in the file
}

// Arg returns an argument of the call, or "".
func (c *Call) Arg(i int) string {
	if i+1 < len(c.Words) {
		return c.Words[i+1]
	}
	return ""
}

// A Bus is the kind of an IO.
type Bus string

const (
	SPIBus  Bus = "spi"
	I2CBus  Bus = "i2c"
	send    Bus = "tx"
	receive Bus = "rx"
	out     Bus = "out"
	in      Bus = "in"
	edge    Bus = "edge"
	event   Bus = "event"
)

// An IO is a transfer, or a change of a pin. It is what periph's conntest.IO is, with all that a
// driver can notice besides.
type IO struct {
	T     int64    `json:"t"`
	Bus   Bus      `json:"bus"`
	W     Bytes    `json:"w,omitempty"`
	R     Bytes    `json:"r,omitempty"`
	N     int      `json:"n,omitempty"` // how often in a row; 0 is once
	Pin   string   `json:"pin,omitempty"`
	High  bool     `json:"high,omitempty"`
	Seq   uint32   `json:"seq,omitempty"`
	Words []string `json:"words,omitempty"`
	Err   string   `json:"err,omitempty"`

	wait time.Duration // for bytes over a serial line
}

// String returns what a driver does here, without what the chip answers, and with at most 40 of
// the bytes that it sends.
func (o *IO) String() string {
	switch {
	case o.Bus == "":
		return "nothing more in this call"
	case len(o.R) > 0:
		return fmt.Sprintf("%s %.40x, %d bytes back", o.Bus, o.W, len(o.R))
	case o.Pin != "":
		return fmt.Sprintf("%s %s %s", o.Bus, o.Pin, map[bool]string{true: "high", false: "low"}[o.High])
	case o.Words != nil:
		return fmt.Sprintf("%s %s", o.Bus, o.Words)
	}
	return fmt.Sprintf("%s %.40x", o.Bus, o.W)
}

// asksLike reports whether a driver asks the chip here what it asks there, perhaps for another
// number of bytes. A driver that does so several times in a row waits for the chip.
func (o *IO) asksLike(there *IO) bool {
	return o.Bus == there.Bus && (o.Bus == SPIBus || o.Bus == I2CBus) && len(o.R) > 0 && len(there.R) > 0 &&
		bytes.Equal(o.W, there.W)
}

// Bytes are in hexadecimal on a tape.
type Bytes []byte

func (b Bytes) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b), nil }

func (b *Bytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.AppendDecode(nil, text)
	return err
}

// maxTime is the longest time of a tape that is played: a tape may come from anybody.
const maxTime = 31 * 24 * time.Hour

// Read reads a tape. If the tape was cut off, even within a line, Read returns the tape up to its
// last whole line.
func Read(r io.Reader) (*Tape, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1<<10))
	if err != nil {
		return nil, err
	}
	t, lines := &Tape{}, bytes.SplitAfter(text, []byte("\n"))
	err = t.readHeader(lines[0])
	number := 1
	for ; err == nil && number < len(lines)-1; number++ {
		err = t.readCall(lines[number], number+1)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", number, err)
	}
	return t, nil
}

func (t *Tape) readHeader(line []byte) error {
	switch err := json.Unmarshal(line, &t.Header); {
	case bytes.HasPrefix(line, []byte("tableside-tape ")):
		return errors.New("recorded by an earlier version of tableside: replay it with that version")
	case err != nil || t.Tape == 0:
		return fmt.Errorf("got %.40q, want the first line of a tape", line)
	case t.Tape != format:
		return fmt.Errorf("this is a tape of format %d, and this version of tableside replays format %d", t.Tape, format)
	}
	return nil
}

func (t *Tape) readCall(line []byte, number int) error {
	c := Call{Line: number}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return err
	}
	if t.Whole {
		return errors.New("got a line behind the last one")
	}
	if t.Whole = c.Last != ""; t.Whole {
		return nil
	}
	if c.Part == "" || c.N < 0 || c.End < 0 || c.End > maxTime.Microseconds() {
		return errors.New("got no part, or a number that no recording has")
	}
	at := slices.IndexFunc(t.Parts, func(p *Part) bool { return p.Name == c.Part })
	if at < 0 {
		at = len(t.Parts)
		t.Parts = append(t.Parts, &Part{Name: c.Part})
	}
	switch p := t.Parts[at]; {
	case c.Again > 0 && c.Again <= len(p.written):
		again := p.Calls[p.written[c.Again-1]]
		again.N = c.N
		p.Calls = append(p.Calls, again)
	case c.Again == 0 && len(c.Words) > 0:
		c.N = 1
		p.written = append(p.written, len(p.Calls))
		p.Calls = append(p.Calls, c)
	default:
		return errors.New("got neither a call nor the number of an earlier one")
	}
	return nil
}
