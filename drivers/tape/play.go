package tape

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Difference describes the first place where our driver differs from the tape. At this
// place, the driver of today does something that is not on the tape.
type Difference struct {
	Part   string `json:"-"`
	Number int    `json:"line"` // in the file
	Call   string `json:"call"` // the call in progress
	Want   string `json:"tape"` // the line on the tape
	Got    string `json:"ours"` // the transfer that our driver did
}

func (d *Difference) Error() string {
	return fmt.Sprintf("line %d, %s, %s\n  tape: %s\n  ours: %s", d.Number, d.Part, d.Call, d.Want, d.Got)
}

// bytesShown is the number of bytes that Brief shows on each side of the first difference in a
// long line.
const bytesShown = 40

// Brief returns the line on the tape and the transfer of our driver. A long line is shortened
// to its verb, the number of letters that agree, and the text around the first letter that
// differs.
func (d *Difference) Brief() (want, got string) {
	verb := strings.IndexByte(d.Want, ' ') + 1
	if max(len(d.Want), len(d.Got)) <= 4*bytesShown || !strings.HasPrefix(d.Got, d.Want[:verb]) {
		return d.Want, d.Got
	}
	same := verb
	for same < min(len(d.Want), len(d.Got)) && d.Want[same] == d.Got[same] {
		same++
	}
	cut := func(line string) string {
		from, to := max(verb, same-bytesShown), min(len(line), same+bytesShown)
		text := line[from:to]
		if from > verb {
			text = fmt.Sprintf("(%d letters that agree)…%s", from-verb, text)
		}
		if to < len(line) {
			text += "…"
		}
		return line[:verb] + text
	}
	return cut(d.Want), cut(d.Got)
}

// errDiffers reports that the driver does something that is not on the tape. After the first
// difference, every transfer fails with errDiffers.
var errDiffers = errors.New("this is not what the tape has")

// A Player plays one part of a tape to its driver. The driver makes the calls of the part one
// after the other, each between Begin and End.
//
// The driver must send the bytes that are on the tape, in the same order. The timing of the
// driver may differ. If a chip is not ready, the driver may ask any number of times. The chip
// becomes ready as soon as one of these numbers has reached its value on the tape:
//   - the time since the previous transfer;
//   - the time since the transfer that started the chip's work, because the chip keeps working
//     while the computer is too busy to ask;
//   - how often the driver has found the chip not ready.
type Player struct {
	part *Part

	mu            sync.Mutex
	call          *Call
	lines         []Line        // of the call, without its events
	events        []Line        // of the call
	next          int           // index of the next line
	tapeTime      time.Duration // of the last line played
	playedAt      time.Time     // when that line was played
	workTapeTime  time.Duration // of the last line that started the chip's work
	workStartedAt time.Time     // when that line was played
	difference    *Difference
	played        int // transfers and events
	looks         int // looks that found the chip not ready since the last line played
	pins          map[string]bool

	unreadLines []Line // already received
	readTimeout time.Duration
}

// NewPlayer returns a player of the part p, whose chip is of the given kind.
func NewPlayer(p *Part, chip Chip) *Player {
	for i := range p.Calls {
		for j := range p.Calls[i].Lines {
			l := &p.Calls[i].Lines[j]
			l.repeatable = chip.isRepeatable(l.Verb, l.W, l.R, l.Err != "")
			l.starts = chip.startsWork(l)
		}
	}
	return &Player{part: p, pins: map[string]bool{}}
}

// Part returns the part that is played.
func (p *Player) Part() *Part { return p.part }

// Begin starts to play the call c.
func (p *Player) Begin(c *Call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.call, p.lines, p.next, p.events, p.unreadLines = c, c.Lines, 0, nil, nil
	isEvent := func(l Line) bool { return l.Verb == Event }
	if slices.ContainsFunc(p.lines, isEvent) {
		for _, l := range p.lines {
			if isEvent(l) {
				p.events = append(p.events, l)
			}
		}
		p.lines = slices.DeleteFunc(slices.Clone(p.lines), isEvent)
	}
	p.looks = 0
	p.tapeTime, p.playedAt = c.At, time.Now()
	p.workTapeTime, p.workStartedAt = p.tapeTime, p.playedAt // the call before may have started work
}

// End ends the call that Begin has begun. The caller passes the error that the driver
// returned. End returns the first difference in all calls so far, or nil.
func (p *Player) End(err error) *Difference {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.difference == nil {
		p.skip()
		if p.next < len(p.lines) {
			got := "nothing more"
			if err != nil {
				got += fmt.Sprintf(" (%v)", err)
			}
			p.recordMismatch(got)
		} else if len(p.events) > 0 {
			p.recordDifference(p.events[0].Number, p.events[0].String(), "nothing more")
		} else if failed := p.call.Result == Failed; failed != (err != nil) {
			want := map[bool]string{true: "it fails", false: "it succeeds"}[failed]
			p.recordDifference(p.call.Number, want, fmt.Sprint("error ", err))
		}
	}
	p.call = nil
	return p.difference
}

// Transfers returns how many transfers and events were played.
func (p *Player) Transfers() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.played
}

// recordDifference records a difference, unless another was recorded before, and returns
// errDiffers. The caller passes the number of the line in the file, the text on the tape, and
// what our driver did.
func (p *Player) recordDifference(number int, want, got string) error {
	if p.difference == nil {
		p.difference = &Difference{Part: p.part.Name, Number: number, Want: want, Got: got}
		if p.call != nil {
			p.difference.Call = p.call.Name
		}
	}
	return errDiffers
}

// recordMismatch records that the driver did something other than the next line of the tape,
// and returns errDiffers. The caller passes what the driver did.
func (p *Player) recordMismatch(got string) error {
	if p.call == nil {
		return p.recordDifference(0, "no call", got)
	}
	if p.next >= len(p.lines) {
		return p.recordDifference(p.call.Number, "nothing more in this call", got)
	}
	l := &p.lines[p.next]
	return p.recordDifference(l.Number, l.String(), got)
}

// String returns the line in the notation of a tape, without time and part.
func (l *Line) String() string {
	b := append([]byte(l.Verb.String()), ' ')
	switch l.Verb {
	case Pin:
		b = append(append(b, l.Name...), ' ', level(bit(l.High)))
	case Receive:
		b = appendBytes(b, l.R)
	case Event:
		b = strconv.AppendQuote(append(append(b, l.Name...), ' '), l.Key)
	case Lines:
		b = fmt.Appendf(b, "%d ", l.Clock.Microseconds())
		for i, line := range l.GPIOLines {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(line), 10)
		}
	case Levels:
		b = fmt.Appendf(b, "%d %s", l.Clock.Microseconds(), l.Name)
	case Edge:
		b = fmt.Appendf(b, "%d %d %c %d", l.Clock.Microseconds(), l.Line, level(bit(l.High)), l.Seq)
	default:
		b = appendBytes(b, l.W)
		if len(l.R) > 0 {
			b = appendBytes(append(b, " > "...), l.R)
		}
	}
	if l.Err != "" {
		b = strconv.AppendQuote(append(b, " ! "...), l.Err)
	}
	return string(b)
}

// isInput reports whether the driver may skip this line of the tape. The driver may skip a
// question that may be repeated any number of times. It may also skip an input for which it
// need not wait, such as received bytes.
func (l *Line) isInput() bool {
	return l.repeatable || l.Verb == Receive || l.Verb == Levels || l.Verb == Pin && l.Name == Busy
}

// Busy is the name of the busy pin on a tape. Drivers only read this pin.
const Busy = "busy"

// skip goes past the next lines of the tape, as long as the driver may skip them.
func (p *Player) skip() {
	for p.next < len(p.lines) && p.lines[p.next].isInput() {
		p.pass()
	}
}

// pass goes past the next line, for which the driver did not wait. If the line is a change of
// a pin, pass records the pin's level. If the line holds received bytes, pass stores the bytes
// for Read.
func (p *Player) pass() {
	switch l := p.lines[p.next]; l.Verb {
	case Pin:
		p.pins[l.Name] = l.High
	case Receive:
		p.unreadLines = append(p.unreadLines, l)
	}
	p.next++
}

// isDue reports whether a time on the tape has come. Both on the tape and now, the time is
// measured from the last line that was played.
func (p *Player) isDue(at time.Duration) bool { return time.Since(p.playedAt) >= at-p.tapeTime }

// isLate reports the same as isDue, but it measures the time from the line that started the
// chip's work, because the chip keeps working while the computer is too busy to ask. A delay
// before that line does not count.
func (p *Player) isLate(at time.Duration) bool {
	return time.Since(p.workStartedAt) >= at-p.workTapeTime
}

// take plays the next line of the tape and returns it. From then on, the player measures time
// from this line.
func (p *Player) take() *Line {
	l := &p.lines[p.next]
	p.next++
	p.played++
	p.looks = 0
	p.tapeTime, p.playedAt = l.At, time.Now()
	if l.starts {
		p.workTapeTime, p.workStartedAt = p.tapeTime, p.playedAt
	}
	return l
}

func (l *Line) err() error {
	if l.Err == "" {
		return nil
	}
	return errors.New(l.Err)
}

// copyAnswer copies the chip's answer into r and fills the rest of r with zeros. It returns
// the error of the line on the tape, or nil.
func (l *Line) copyAnswer(r []byte) error {
	n := copy(r, l.R)
	clear(r[n:])
	return l.err()
}
