package tape

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	tracks []*Track
	empty  bool   // only the header was written
	ended  string // how: "end" or "full"
	err    error
}

// NewRecorder begins a tape with the header h and writes it to w. The tape ends when it would be
// longer than limit. If writing fails, Close returns the error.
func NewRecorder(w io.Writer, h Header, limit int) *Recorder {
	r := &Recorder{began: time.Now(), hidden: h.Hidden, w: w, room: limit}
	h.Tape = format
	r.write(h)
	r.empty = true
	return r
}

// Empty reports whether the tape has no calls.
func (r *Recorder) Empty() bool { return r.empty }

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
		r.empty = false
		_, r.err = r.w.Write(text.Bytes())
	}
}

// A Track records one part. The calls of the part come one after the other.
type Track struct {
	r     *Recorder
	name  string
	hides bool // what passes between the program and tags

	call    *Call               // under way, or nil
	known   map[fingerprint]int // numbers of the calls that are written out
	repeats Call                // of a call, not written yet, if N > 0
	levels  map[string]bool     // of pins, in this call
}

// Part returns the track of the part with this name. Tags are hidden only on a reader.
func (r *Recorder) Part(name string, reader bool) *Track {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := slices.IndexFunc(r.tracks, func(t *Track) bool { return t.name == name }); at >= 0 {
		return r.tracks[at]
	}
	t := &Track{r: r, name: name, hides: r.hidden && reader, known: map[fingerprint]int{}, levels: map[string]bool{}}
	r.tracks = append(r.tracks, t)
	return t
}

// Do runs an operation of the driver and records it as a call. The words are its name and its
// arguments. Do returns the error of the operation.
func (t *Track) Do(run func() error, words ...string) error {
	t.r.mu.Lock()
	t.call = &Call{T: t.r.now(), Part: t.name, Words: words}
	t.r.mu.Unlock()
	clear(t.levels) // so that a call does not depend on one that was cut
	err := run()
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	t.end(err)
	return err
}

// do implements Wire.
func (t *Track) do(o *IO, real func() error) error {
	err := real()
	t.add(*o, err)
	return err
}

// add records an IO of the call under way, with its error, but a level only if it is new. The
// caller passes its time only if it is not now.
func (t *Track) add(o IO, err error) {
	t.r.mu.Lock()
	defer t.r.mu.Unlock()
	level, known := t.levels[o.Pin]
	if t.call == nil || t.r.ended != "" || known && level == o.High && o.Bus != edge && err == nil {
		return
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
	n := len(t.call.IO)
	if n == maxIO {
		t.r.end("full")
	}
	if n > 0 {
		last := &t.call.IO[n-1]
		if (o.asksLike(last) || o.isSilent() && last.isSilent()) && bytes.Equal(o.R, last.R) && o.Err == last.Err {
			last.N = max(last.N, 1) + 1
			return
		}
	}
	o.W, o.R = slices.Clone(o.W), slices.Clone(o.R)
	t.call.IO = append(t.call.IO, o)
}

// end ends the call under way. If it was written out before, the tape only counts it.
func (t *Track) end(err error) {
	c := t.call
	t.call, c.End = nil, t.r.now()
	c.Cut = errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !c.Cut {
		c.Err = err.Error()
	}
	if len(c.IO) == 0 && err == nil && c.Words[0] != "open" { // the driver had nothing to do
		return
	}
	print := c.fingerprint()
	number := t.known[print]
	if number != t.repeats.Again {
		t.writeRepeats()
	}
	if number > 0 {
		t.repeats = Call{T: c.End, Part: t.name, Again: number, N: t.repeats.N + 1}
		return
	}
	t.known[print] = len(t.known) + 1
	if t.hides {
		hide(c)
	}
	t.r.write(c)
}

func (t *Track) writeRepeats() {
	if t.repeats.N > 0 {
		t.r.write(t.repeats)
	}
	t.repeats = Call{}
}

type fingerprint [sha256.Size]byte

// fingerprint leaves out what depends on the computer: times, how often the driver found the chip
// not ready, and in which pieces bytes came over a serial line.
func (c *Call) fingerprint() fingerprint {
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
