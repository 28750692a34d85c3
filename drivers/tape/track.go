package tape

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A Track records one part. The calls of the part come one after the other. The transfers of a
// call may come from several goroutines.
type Track struct {
	r    *Recorder
	name string
	chip Chip

	mu   sync.Mutex
	text []byte // lines that are not written yet
	body []byte // of the current line
	open bool   // a call is under way
	live bool   // each line is written at once

	// If a call has the same bytes as the previous call, the tape only counts
	// the new call.
	sum, lastSum   uint64 // of the call's lines, except those that may be repeated
	size, lastSize int    // their length; 0 means no call
	spilled        bool   // some lines of this call are written already
	bareSize       int    // length of this call without its transfers
	sameCount      int
	counted        time.Time // when a count was written last

	// If a call has the same bytes as a recent call, a line "like" stands for the call. So
	// calls that alternate are written in full only once. For example, every twentieth poll of
	// a driver may have more transfers than the other polls.
	written int // calls that are written in full
	recent  [4]writtenCall

	// If a line that may be repeated any number of times equals the line before, the tape only
	// counts the repeat.
	repeatableSum uint64 // the sum of the line before, or 0 if that line may not be repeated
	repeatCount   int

	mask       mask
	serialData []byte // read and not recorded yet
}

// A writtenCall describes a call that was written in full. It holds the hash sum and the
// length of the call's lines, and the number of the call, counted from 1.
type writtenCall struct {
	sum          uint64
	size, number int
}

// countEvery is the time after which the number of repeats is written to the tape, if the same
// call is still being repeated.
const countEvery = 10 * time.Second

// Part returns the track of the part with this name. The first call for a name makes the
// track. Later calls return the same track.
func (r *Recorder) Part(name string, chip Chip) *Track {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.tracks {
		if t.name == name {
			return t
		}
	}
	t := &Track{r: r, name: name, chip: chip, mask: mask{salt: &r.salt, keepPrefix: r.keepPrefix}}
	r.tracks = append(r.tracks, t)
	return t
}

// UID returns the masked UID in hexadecimal, as it is on the tape.
func (t *Track) UID(uid []byte) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%X", t.mask.uid(uid))
}

// Call records the start of an operation of the driver. The words are the name and the
// arguments of the operation. No word may have a space.
func (t *Track) Call(words ...string) {
	if t.r.ended.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open { // lines that belong to no call
		t.finish("done")
	}
	t.call(words...)
}

func (t *Track) call(words ...string) {
	t.sum, t.size, t.spilled, t.open = 0, 0, false, true
	t.body = append(t.body[:0], "call"...)
	for _, word := range words {
		t.body = append(append(t.body, ' '), word...)
	}
	t.emit(false)
	t.bareSize = t.size
}

// End records how the call has ended; err is what the driver returned.
func (t *Track) End(err error) {
	if t.r.ended.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open {
		return
	}
	t.receive()
	switch {
	case err == nil:
		t.finish("done")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		t.finish("cut")
	default:
		t.finish("failed " + strconv.Quote(t.mask.text(err.Error())))
	}
}

// EndUsed ends a call, and leaves it out of the tape if it had no transfer and err is nil.
// Otherwise EndUsed does the same as End.
func (t *Track) EndUsed(err error) {
	t.mu.Lock()
	if err == nil && t.open && !t.spilled && t.size == t.bareSize && t.repeatCount == 0 && len(t.serialData) == 0 {
		t.text, t.open = t.text[:0], false
	}
	t.mu.Unlock()
	t.End(err)
}

// finish ends a call with the given result as its last line. If the call is the same as the
// one before, finish only counts the call. If the call is the same as another recent call, a
// line "like" replaces the lines of the call.
func (t *Track) finish(result string) {
	t.body = append(t.body[:0], result...)
	t.emit(false)
	t.open = false
	if !t.spilled && t.sum == t.lastSum && t.size == t.lastSize {
		t.sameCount++
		t.text = t.text[:0]
		if now := time.Now(); now.Sub(t.counted) >= countEvery { // in case the tape is cut off
			t.counted = now
			t.flush()
		}
		return
	}
	spilled := t.spilled
	t.counted = time.Now()
	if at := t.find(); at >= 0 {
		t.text = t.text[:0]
		t.stamp()
		t.text = append(strconv.AppendInt(append(t.text, "like "...), int64(t.recent[at].number), 10), '\n')
	} else {
		t.written++
		if !spilled {
			t.recent[t.written%len(t.recent)] = writtenCall{t.sum, t.size, t.written}
		}
	}
	t.flush()
	if t.lastSum, t.lastSize = t.sum, t.size; spilled {
		t.lastSize = 0
	}
}

// find looks in t.recent for a call that has the same lines as the present call. It returns
// the index of that call. If there is none, or if the present call is partly written already,
// find returns -1.
func (t *Track) find() int {
	if t.spilled {
		return -1
	}
	return slices.IndexFunc(t.recent[:], func(c writtenCall) bool { return c.sum == t.sum && c.size == t.size })
}

// flush writes to the tape the lines that the present call has so far. If the last call was
// repeated, flush first writes the number of repeats.
func (t *Track) flush() {
	if t.sameCount > 0 {
		t.r.commit(fmt.Appendf(nil, "%d %s same %d\n", time.Since(t.r.began).Microseconds(), t.name, t.sameCount))
		t.sameCount = 0
	}
	if t.repeatCount > 0 && t.open {
		t.repeated()
	}
	t.r.commit(t.text)
	t.text = t.text[:0]
}

// emit adds the line in t.body to the tape. If no call is open, emit first begins a call with
// the name "other". If repeatable is true, the line may be repeated any number of times. If
// such a line equals the line before, emit only counts the line.
func (t *Track) emit(repeatable bool) {
	if !t.open {
		body := string(t.body)
		t.call("other")
		t.body = append(t.body[:0], body...)
	}
	sum := maphash.Bytes(t.r.seed, t.body)
	if repeatable && sum == t.repeatableSum {
		t.repeatCount++
		return
	}
	if t.repeatCount > 0 {
		t.repeated()
	}
	t.repeatableSum = 0
	if repeatable {
		t.repeatableSum = sum
	} else {
		t.sum = t.sum*31 + sum
		t.size += len(t.body)
	}
	t.stamp()
	t.text = append(append(t.text, t.body...), '\n')
	if t.live || len(t.text) > spillSize {
		t.spilled = true
		t.flush()
	}
}

// repeated adds a line "again" to t.text. The line says how often the line before it was
// repeated.
func (t *Track) repeated() {
	t.stamp()
	t.text = append(t.text, "again "...)
	t.text = append(strconv.AppendInt(t.text, int64(t.repeatCount), 10), '\n')
	t.repeatCount = 0
}

// stamp adds the beginning of a line to t.text: the time and the name of the part.
func (t *Track) stamp() {
	t.text = strconv.AppendInt(t.text, time.Since(t.r.began).Microseconds(), 10)
	t.text = append(append(append(t.text, ' '), t.name...), ' ')
}
