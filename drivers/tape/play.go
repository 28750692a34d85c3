package tape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// A Difference is the first place where the driver does something that is not on the tape.
type Difference struct {
	Line int    `json:"line"` // of the call
	Call string `json:"call"`
	IO   int    `json:"io"` // number in the call, from 1
	Want string `json:"tape"`
	Got  string `json:"ours"`
}

// errDiffers is the error of every transfer after the first difference.
var errDiffers = errors.New("this is not what the tape has")

// A Player plays one part of a tape to its driver. The driver makes the calls of the part one
// after the other, each between Begin and End.
//
// The driver must send the bytes that are on the tape, in the same order. Only its waits for a
// chip may differ: what it asks several times in a row on the tape, it may ask more or less often.
// The next answer comes when it asks again. Thus a driver does not give up a chip because the
// computer is slow, or that of the tape was.
type Player struct {
	Played int // transfers and events

	call       *Call
	next       int // index of the next IO
	last       *IO // played last; at first, one that begins the call
	lastAt     time.Time
	unread     []byte          // received over a serial line
	levels     map[string]bool // of pins
	difference *Difference
}

// NewPlayer returns a player. No call has begun yet.
func NewPlayer() *Player { return &Player{levels: map[string]bool{}} }

// Begin starts to play a call.
func (p *Player) Begin(c *Call) {
	p.call, p.next, p.unread = c, 0, nil
	p.last, p.lastAt = &IO{T: c.T}, time.Now()
}

// Do implements Wire. The keys of a tape end with it.
func (p *Player) Do(run func() error, _ ...string) error {
	if err := run(); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// End ends the call. The caller passes the error that the driver returned. End returns the first
// difference in all calls so far, or nil.
func (p *Player) End(err error) *Difference {
	p.skipInputs()
	if p.next < len(p.call.IO) {
		_ = p.differ(p.following().String(), fmt.Sprintf("nothing more (error: %v)", err))
	}
	if failed := p.call.Err != ""; failed != (err != nil) {
		_ = p.differ(map[bool]string{true: "it fails", false: "it succeeds"}[failed], fmt.Sprintf("error: %v", err))
	}
	return p.difference
}

func (p *Player) differ(want, got string) error {
	if p.difference == nil {
		p.difference = &Difference{p.call.Line, p.call.Words[0], p.next + 1, want, got}
	}
	return errDiffers
}

// mismatch records that the driver did something other than the next IO of the tape. Of a long
// transfer, it shows the bytes from the first different one on.
func (p *Player) mismatch(got *IO) error {
	want, have, same, where := *p.following(), *got, 0, ""
	for same < min(len(want.W), len(have.W)) && want.W[same] == have.W[same] {
		same++
	}
	if same >= 16 {
		want.W, have.W, where = want.W[same:], have.W[same:], fmt.Sprintf(" from byte %d on", same)
	}
	return p.differ(want.String()+where, have.String()+where)
}

// following returns the next IO; at the end of the call, it has no bus.
func (p *Player) following() *IO {
	if p.next == len(p.call.IO) {
		return &IO{}
	}
	return &p.call.IO[p.next]
}

func (p *Player) take() *IO {
	p.last, p.lastAt = p.following(), time.Now()
	p.next++
	p.Played++
	p.levels[p.last.Pin] = p.last.High
	return p.last
}

func micros(t int64) time.Duration { return time.Duration(t) * time.Microsecond }

func (p *Player) untilDue(o *IO) time.Duration { return micros(o.T-p.last.T) - time.Since(p.lastAt) }

// matches reports whether a driver that does q does what is on the tape.
func (o *IO) matches(q *IO) bool {
	return o.Bus == q.Bus && bytes.Equal(o.W, q.W) && len(o.R) == len(q.R) && o.Pin == q.Pin &&
		o.High == q.High && slices.Equal(o.Words, q.Words)
}

func (p *Player) do(q *IO, _ func() error) error {
	next := p.following()
	if q.Bus == in {
		for ; next.Bus == in && next.Pin == q.Pin && p.untilDue(next) <= 0; next = p.following() {
			p.take()
		}
		q.High = p.levels[q.Pin]
		return nil
	}
	if p.difference != nil {
		return errDiffers
	}
	if q.Bus == receive {
		return p.receive(q)
	}
	p.skipInputs()
	level, known := p.levels[q.Pin]
	switch next = p.following(); {
	case next.matches(q):
		// A pulse lasts as long as on the tape, but at most a second, if a driver may treat it as a long
		// one: in drivers/epaper, the panel then loses its power. Shorter pulses are not waited for,
		// because a busy computer could turn them into long ones.
		if next.Pin != "" && p.last.Pin == next.Pin && micros(next.T-p.last.T) >= 4*time.Millisecond {
			time.Sleep(min(p.untilDue(next), time.Second))
		}
		p.take()
	case len(q.R) > 0 && p.last.matches(q) && p.last.N > 1: // it waits longer than on the tape
		p.Played++
	case q.Bus == out && known && level == q.High:
		return nil
	default:
		return p.mismatch(q)
	}
	copy(q.R, p.last.R)
	return failure(p.last.Err)
}

// skipInputs goes past IOs for which the driver need not wait, and keeps what they bring.
func (p *Player) skipInputs() {
	for o := p.following(); o.Bus == in || o.Bus == receive; o = p.following() {
		p.levels[o.Pin] = o.High
		p.unread = append(p.unread, o.R...)
		p.next++
	}
}

// receive gets the next bytes of a serial line, or none if there are none on the tape now.
func (p *Player) receive(q *IO) (err error) {
	b := q.R
	if next := p.following(); len(p.unread) == 0 && next.Bus == receive {
		p.unread = p.take().R
		err = failure(next.Err)
	}
	if len(p.unread) == 0 && err == nil {
		time.Sleep(q.wait)
	}
	q.R = b[:copy(b, p.unread)]
	p.unread = p.unread[len(q.R):]
	return err
}

func failure(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}
