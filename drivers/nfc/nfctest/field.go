// Package nfctest emulates tags and the field of an antenna, down to the bits of ISO/IEC
// 14443-3 frames. Several tags answer at once and collide, frames have checksums, and a tag
// falls asleep again after an error. The package is the base of emulated reader chips, which
// are for tests and for the program's demonstration.
package nfctest

import (
	"slices"
	"sync"
	"time"
)

// A Field is the field of one antenna, with the tags in it. The zero Field is empty and has no
// power. Several goroutines may call its methods. The bytes of an Answer are valid until the
// next Transceive.
type Field struct {
	mu     sync.Mutex
	tags   []*Tag
	on     bool
	offAt  time.Time // when the power was last switched off
	fade   time.Duration
	frames int
	air    []byte
}

// An Answer holds the bits that the antenna receives after a frame.
type Answer struct {
	// OK reports that something was received; if not, there is no data and Collision is
	// -1.
	OK bool

	// Data holds the bits in the order in which they came, including checksums. The lowest
	// bit of a byte comes first. After a collision, a bit is 1 if any tag sent it as 1.
	// Data is valid until the next Transceive.
	Data []byte

	// Bits is the number of bits: 4 for ACK and NAK.
	Bits int

	// Collision is the index in Data of the first bit that tags sent differently, or -1.
	Collision int

	// ParityError reports that the parity bit of a byte was wrong.
	ParityError bool
}

// Put puts a tag into the field, unless it is there already.
func (f *Field) Put(t *Tag) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !slices.Contains(f.tags, t) {
		t.reset()
		f.tags = append(f.tags, t)
	}
}

// Take removes a tag, if it is there.
func (f *Field) Take(t *Tag) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tags = slices.DeleteFunc(f.tags, func(other *Tag) bool { return other == t })
}

// Tags returns the tags in the field, in the order in which they were put there.
func (f *Field) Tags() []*Tag {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.tags)
}

// SetFade sets how long the field must be off until tags lose their state. The default is 0.
// Real tags need at most 5.1 ms, and readers must keep the field off for that time (tFIELD_OFF
// of NFC Forum Digital Protocol 1.1).
func (f *Field) SetFade(t time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fade = t
}

// SetPower switches the field on or off. If the field was off for at least the time of
// SetFade, the tags lose their state when the field comes back.
func (f *Field) SetPower(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.on && !on:
		f.offAt = time.Now()
	case on && !f.on && time.Since(f.offAt) >= f.fade:
		for _, t := range f.tags {
			t.reset()
		}
	}
	f.on = on
}

// Power reports whether the field is on.
func (f *Field) Power() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.on
}

// Edge puts a tag at the edge of the field. At the edge, every n-th answer of the tag is
// spoilt. The faults alternate: one spoilt answer has a flipped bit, and the next is cut off.
// If n is 0, Edge puts the tag back into the middle.
func (f *Field) Edge(t *Tag, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.spoilEvery, t.answers = n, 0
}

// Frames returns the number of frames that a reader has sent.
func (f *Field) Frames() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.frames
}

// Transceive sends a frame, including its checksum, and returns the answer. lastBits is the
// number of bits to send of the last byte, such as 7 for REQA. If lastBits is 0, all bits are
// sent.
func (f *Field) Transceive(frame []byte, lastBits int) Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	none := Answer{Collision: -1}
	if !f.on || len(frame) == 0 {
		return none
	}
	f.frames++
	bits := 8 * len(frame)
	if lastBits %= 8; lastBits != 0 {
		bits += lastBits - 8
	}
	answer := none
	f.air = f.air[:0]
	for _, t := range f.tags {
		t.mu.Lock()
		t.receive(frame, bits)
		answer.overlay(&f.air, t)
		t.mu.Unlock()
	}
	answer.Data = f.air
	if !answer.OK {
		answer.Data = nil
	}
	return answer
}

// overlay adds a tag's answer to the bits that other tags have put on the air before. If the
// answer and these bits differ in length, the rest of the longer one is received alone.
func (a *Answer) overlay(air *[]byte, t *Tag) {
	if t.outBits == 0 {
		return
	}
	both := min(a.Bits, t.outBits)
	for i := range both {
		if ((*air)[i/8]^t.out[i/8])>>(i%8)&1 != 0 {
			if a.Collision < 0 || i < a.Collision {
				a.Collision = i
			}
			break
		}
	}
	for i, b := range t.out {
		if i < len(*air) {
			(*air)[i] |= b
		} else {
			*air = append(*air, b)
		}
	}
	a.OK = true
	a.Bits = max(a.Bits, t.outBits)
	a.ParityError = a.ParityError || t.parityError
}
