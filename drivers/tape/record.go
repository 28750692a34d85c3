package tape

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Opts are the options of a recording.
type Opts struct {
	// Limit is the greatest length of a tape in bytes. The last line of the tape is not
	// counted. If Limit is 0, DefaultLimit is used.
	Limit int64

	// Keep is a prefix. Text on a tag that begins with this prefix goes onto the tape
	// unchanged. All other text becomes filler. If Keep is empty, all text becomes filler.
	Keep string
}

// DefaultLimit is the limit of a tape for which Opts.Limit is 0.
const DefaultLimit = 32 << 20

// spillSize is the length in bytes at which the recorder begins to write a call in pieces, before
// the call is over. flushInterval is the least time between two flushes of the buffer.
const (
	spillSize     = 1 << 16
	flushInterval = time.Second
)

// A Recorder writes a tape. Its parts may be used by several goroutines.
type Recorder struct {
	began      time.Time
	salt       [32]byte
	seed       maphash.Seed
	keepPrefix string
	ended      atomic.Bool // nothing more is written

	mu        sync.Mutex
	w         *bufio.Writer
	bytesLeft int64
	flushed   time.Time
	tracks    []*Track
	hasCalls  bool // more than the header was written
	err       error
}

// NewRecorder begins a tape with the header h and writes it to w. If writing to w fails, Close
// returns the error.
func NewRecorder(w io.Writer, h *Header, opts *Opts) *Recorder {
	r := &Recorder{began: time.Now(), seed: maphash.MakeSeed(), keepPrefix: opts.Keep,
		w: bufio.NewWriterSize(w, 1<<16), bytesLeft: opts.Limit}
	if r.bytesLeft <= 0 {
		r.bytesLeft = DefaultLimit
	}
	rand.Read(r.salt[:]) // never fails
	var b strings.Builder
	line := func(key, value string) { // a value of the header must not contain a line break
		fmt.Fprintf(&b, "%s %s\n", key, strings.Join(strings.FieldsFunc(value, isControl), " "))
	}
	fmt.Fprintln(&b, Magic)
	line("version", h.Version)
	line("model", h.Model)
	line("kernel", h.Kernel)
	for _, value := range h.Config {
		line("config", value)
	}
	for _, value := range h.Wiring {
		line("wiring", value)
	}
	b.WriteByte('\n')
	r.commit([]byte(b.String()))
	r.hasCalls = false
	return r
}

// Empty reports whether a closed tape has no calls.
func (r *Recorder) Empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.hasCalls
}

// Close writes what is still buffered and ends the tape. It returns the errors of
// the writer.
func (r *Recorder) Close() error {
	r.mu.Lock()
	tracks := r.tracks
	r.mu.Unlock()
	for _, t := range tracks {
		t.mu.Lock()
		t.flush()
		t.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writeLast("end")
	return r.err
}

// writeLast writes the last line of the tape and flushes the buffer. The caller passes the
// word in this line, which is "end" or "full". If the tape has ended before, writeLast does
// nothing.
func (r *Recorder) writeLast(word string) {
	if r.ended.Swap(true) {
		return
	}
	fmt.Fprintf(r.w, "%d - %s\n", time.Since(r.began).Microseconds(), word)
	r.err = errors.Join(r.err, r.w.Flush())
}

// Full reports whether the tape has ended. A tape ends with Close, or earlier if it has no
// more room or cannot be written.
func (r *Recorder) Full() bool { return r.ended.Load() }

// commit writes whole lines to the tape. If there is no room for all the lines, commit writes
// none of them and ends the tape with "full".
func (r *Recorder) commit(text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended.Load() || len(text) == 0 {
		return
	}
	r.hasCalls = true
	if r.bytesLeft -= int64(len(text)); r.bytesLeft < 0 {
		r.writeLast("full")
		return
	}
	_, err := r.w.Write(text)
	if now := time.Now(); err == nil && now.Sub(r.flushed) >= flushInterval {
		err, r.flushed = r.w.Flush(), now
	}
	if err != nil {
		r.err = err
		r.ended.Store(true)
	}
}
