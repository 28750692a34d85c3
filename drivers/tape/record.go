package tape

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"
	"time"
)

// MaxSize is the greatest length of a tape in bytes, without its last line.
const MaxSize = 32 << 20

const maxIO = 1 << 16 // in a call: a loose key must not fill the memory

// A Recorder writes a tape. Its parts may be used by several goroutines.
type Recorder struct {
	began  time.Time
	hidden bool

	mu     sync.Mutex
	w      io.Writer
	room   int // bytes
	lines  int
	tracks []*Track
	ended  string // how: "end" or "full"
	err    error
}

// NewRecorder begins a tape with the header h and writes it to w. The tape ends when it would be
// longer than limit. If writing fails, Close returns the error.
func NewRecorder(w io.Writer, h Header, limit int) *Recorder {
	r := &Recorder{began: time.Now(), hidden: h.Hidden, w: w, room: limit}
	h.Tape = format
	r.write(h)
	return r
}

// Empty reports whether the tape has no calls.
func (r *Recorder) Empty() bool { return r.lines < 2 }

// Close ends the tape. The first result is true if the tape has ended before, because it was full.
func (r *Recorder) Close() (full bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tracks {
		t.writeRepeats()
	}
	r.end("end")
	return r.ended == "full", r.err
}

func (r *Recorder) end(how string) {
	if r.ended == "" {
		r.room = 1 << 10
		r.write(Call{T: r.now(), Last: how})
		r.ended = how
	}
}

func (r *Recorder) now() int64 { return time.Since(r.began).Microseconds() }

// write writes a line. If there is no room for it, write ends the tape.
func (r *Recorder) write(line any) {
	if r.ended != "" || r.err != nil {
		return
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	r.err = encoder.Encode(line)
	if r.room -= text.Len(); r.room < 0 {
		r.end("full")
	} else if r.err == nil {
		r.lines++
		_, r.err = r.w.Write(text.Bytes())
	}
}

// A Track records one part. The calls of the part come one after the other.
type Track struct {
	r     *Recorder
	name  string
	hides bool // what passes between the program and tags

	call    *Call                     // under way, or nil
	known   map[[sha256.Size]byte]int // numbers of the calls that are written out
	repeats Call                      // of a call, not written yet, if N > 0
	levels  map[string]bool           // of pins, in this call
}

// Part returns the track of the part with this name. Tags are hidden only on a reader.
func (r *Recorder) Part(name string, reader bool) *Track {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := slices.IndexFunc(r.tracks, func(t *Track) bool { return t.name == name }); at >= 0 {
		return r.tracks[at]
	}
	t := &Track{r: r, name: name, hides: r.hidden && reader, known: map[[sha256.Size]byte]int{}, levels: map[string]bool{}}
	r.tracks = append(r.tracks, t)
	return t
}

// Do implements Wire. If the call was written out before, the tape only counts it.
func (t *Track) Do(run func() error, words ...string) error {
	t.r.mu.Lock()
	c := &Call{T: t.r.now(), Part: t.name, Words: words}
	t.call = c
	clear(t.levels) // so that a call does not depend on one that was cut
	t.r.mu.Unlock()
	err := run()
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	t.call, c.End = nil, t.r.now()
	c.Cut = errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !c.Cut {
		c.Err = err.Error()
	}
	if len(c.IO) == 0 && err == nil && words[0] != "open" { // the driver had nothing to do
		return nil
	}
	print := c.fingerprint()
	number := t.known[print]
	if number != t.repeats.Again {
		t.writeRepeats()
	}
	if number > 0 {
		t.repeats = Call{T: c.End, Part: t.name, Again: number, N: t.repeats.N + 1}
		return err
	}
	t.known[print] = len(t.known) + 1
	if t.hides {
		hide(c)
	}
	t.r.write(c)
	return err
}

func (t *Track) writeRepeats() {
	if t.repeats.N > 0 {
		t.r.write(t.repeats)
	}
	t.repeats = Call{}
}

// do implements Wire. It records a level only if it is new. The caller passes a time only if it
// is not now.
func (t *Track) do(o *IO, real func() error) error {
	err := real()
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	level, known := t.levels[o.Pin]
	if t.call == nil || t.r.ended != "" || known && level == o.High && o.Bus != edge && err == nil {
		return err
	}
	if o.Pin != "" {
		t.levels[o.Pin] = o.High
	}
	if o.T == 0 {
		o.T = t.r.now()
	}
	if err != nil {
		o.Err = err.Error()
	}
	if n := len(t.call.IO); n == maxIO {
		t.r.end("full")
	} else if n > 0 && o.repeats(&t.call.IO[n-1]) {
		t.call.IO[n-1].N = max(t.call.IO[n-1].N, 1) + 1
		return err
	}
	o.W, o.R = slices.Clone(o.W), slices.Clone(o.R)
	t.call.IO = append(t.call.IO, *o)
	return err
}

// repeats reports whether a chip is not ready, and a serial line silent, as it was before.
func (o *IO) repeats(last *IO) bool {
	silent := o.Bus == receive && last.Bus == receive && len(o.R) == 0 && o.Err == ""
	return (silent || o.asksLike(last)) && bytes.Equal(o.R, last.R) && o.Err == last.Err
}

// fingerprint leaves out what depends on the computer: times, how often the driver found the chip
// not ready, and in which pieces bytes came over a serial line.
func (c *Call) fingerprint() [sha256.Size]byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, c.Words, c.Err)
	for i := range c.IO {
		switch o := &c.IO[i]; {
		case i+1 < len(c.IO) && o.asksLike(&c.IO[i+1]):
		case o.Bus == receive && o.Err == "":
			b.Write(o.R)
		default:
			fmt.Fprintf(&b, "\n%s %x %x %s %t %v %s", o.Bus, o.W, o.R, o.Pin, o.High, o.Words, o.Err)
		}
	}
	return sha256.Sum256(b.Bytes())
}

// fifoWrite is the byte that addresses an MFRC522's FIFO (data sheet, 8.1.2).
const fifoWrite = 0x09 << 1

// uids matches the number of a tag in an error.
var uids = regexp.MustCompile(`\b[0-9A-F]{8,20}\b`)

// hide replaces by zeros what passed between a reader and tags: their numbers, and the texts on
// them. Nothing is left of answers. Of what was sent, a PN532's command and its first parameter
// are left (UM0701-02, 6.2.1), or the command for a tag and the level or page in an MFRC522's FIFO.
func hide(c *Call) {
	c.Err = uids.ReplaceAllString(c.Err, "…")
	c.Words = c.Words[:1]
	for i := range c.IO {
		o, left := &c.IO[i], 9
		if len(o.W) > 0 && o.W[0] == fifoWrite {
			left = 3
		}
		clear(o.W[min(left, len(o.W)):])
		clear(o.R)
		o.Err = uids.ReplaceAllString(o.Err, "…")
	}
}
