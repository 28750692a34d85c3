// Package reader polls a reader of tags for a table: what lies on it, what was
// tapped and lifted, and how the reader does. It stands above any chip: what
// lies there is remembered over errors, resets and runs that failed, so none
// of them is ever a tap.
package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A Chip is a reader chip with its antenna. One goroutine uses it. Every call
// ends soon after its context does.
type Chip interface {
	// Init resets the chip, where its reset line is wired, and sets it up. It
	// is also the way back after errors.
	Init(context.Context) error
	// Poll appends the UIDs of the tags in the field. Blurred says that
	// something else is there that could not be read. After an error nothing
	// is known. The strings may be the same ones each time.
	Poll(ctx context.Context, seen []string) (tags []string, blurred bool, err error)
	// Text reads what is written on a tag that the last poll has found.
	// ErrNoText: nothing that is a text. Any other error: it is worth another
	// try.
	Text(ctx context.Context, tag string) (string, error)
	// Firmware names the chip as it was at the last Init: "PN532 1.6".
	Firmware() string
}

// ErrNoText is a tag without a text: blank, or of a kind that has no memory.
var ErrNoText = errors.New("the tag bears no text")

// Bounds of what a chip may take, and when it is given up.
const (
	usualEvery = 50 * time.Millisecond  // 20 polls a second
	pollLimit  = 500 * time.Millisecond // with what is read of tags that are new
	initLimit  = 1500 * time.Millisecond

	tolerated = 3 // errors in a row, then the chip is set up again
	firstWait = 100 * time.Millisecond
	lastWait  = 2 * time.Second // with initLimit, a chip is back within 4 s
)

// A Config is what a reader is made of. Chip is needed.
type Config struct {
	Name  string      // of the part, in health: "reader red"
	Place string      // as the configuration names it
	Seat  engine.Seat // whose it is; "" is the table's
	Chip  Chip
	Every time.Duration // between polls; 0 is 50 ms
	// Know tells what a tag means, by its UID or else by the text it bears,
	// as device.Config.Tags does. Nil knows none.
	Know func(tag, text string) (device.Meaning, bool)
	// Board is shared by all readers of a table. Nil: it is the only one.
	Board *Board
	// Anew: what lies there at the first look is tapped. See Presence.
	Anew bool
}

// A Reader is a device.Source. What it knows of the tags on it outlives Run.
type Reader struct {
	Config
	presence  Presence
	health    health
	found     []string        // by the last poll
	ctx       context.Context // of the poll under way
	emit      device.Emit
	forgotten []string // tags that other readers have now; under the board's lock
}

var _ device.Source = (*Reader)(nil)

// New makes a reader that has not looked yet.
func New(config Config) *Reader {
	if config.Every == 0 {
		config.Every = usualEvery
	}
	if config.Board == nil {
		config.Board = NewBoard()
	}
	return &Reader{Config: config, presence: Presence{Anew: config.Anew}, health: health{name: config.Name}}
}

// Run polls until the context ends. It sets the chip up again by itself when
// it fails, and returns no error.
func (r *Reader) Run(ctx context.Context, emit device.Emit) error {
	r.emit = emit
	stop := r.health.watch(emit)
	defer stop()
	var wait time.Duration
	for {
		if r.session(ctx) {
			wait = 0
		}
		if ctx.Err() != nil {
			return nil
		}
		pause(ctx, wait)
		if ctx.Err() != nil {
			return nil
		}
		wait = min(max(firstWait, 2*wait), lastWait)
		r.health.reset()
	}
}

func pause(ctx context.Context, wait time.Duration) {
	if wait == 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// session sets the chip up and polls it until it fails too often in a row, or
// does not answer in time. It tells whether there was a good poll.
func (r *Reader) session(parent context.Context) (good bool) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	r.ctx = ctx
	limit := time.AfterFunc(initLimit, cancel)
	defer limit.Stop()
	err := r.Chip.Init(ctx)
	if !limit.Stop() && err != nil {
		err = late(initLimit, err)
	}
	if parent.Err() != nil {
		return false
	}
	if err != nil {
		r.health.bad(err)
		return false
	}
	r.health.named(r.Chip.Firmware())
	tick := time.NewTicker(r.Every)
	defer tick.Stop()
	for errs := 0; ; {
		limit.Reset(pollLimit)
		outcome, err := r.look(ctx)
		inTime := limit.Stop()
		if parent.Err() != nil {
			return good
		}
		if err != nil {
			if errs++; !inTime {
				err = late(pollLimit, err)
			}
			r.health.bad(err)
		} else {
			errs, good = 0, true
			r.health.good(outcome)
		}
		if errs >= tolerated || ctx.Err() != nil { // the limit has ended it
			return good
		}
		select {
		case <-ctx.Done():
			return good
		case <-tick.C:
		}
	}
}

// late says what a cancelled call cannot: that it was too slow.
func late(limit time.Duration, err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("no answer within %v", limit)
	}
	return fmt.Errorf("no answer within %v: %w", limit, err)
}

// look polls once, and says what that has changed.
func (r *Reader) look(ctx context.Context) (Outcome, error) {
	found, blurred, err := r.Chip.Poll(ctx, r.found[:0])
	r.found = found
	outcome := Clean
	switch {
	case err != nil:
		outcome, r.found = Failed, found[:0]
	case slices.ContainsFunc(found, isRandom):
		outcome, r.found = Blurred, slices.DeleteFunc(found, isRandom)
	case blurred:
		outcome = Blurred
	}
	for _, tag := range r.Board.saw(r, r.found) {
		r.presence.Forget(tag)
	}
	for _, c := range r.presence.See(outcome, r.found, r) {
		r.Board.tell(r, c)
	}
	return outcome, err
}

// isRandom tells whether a UID is made up anew each time the field comes on,
// as phones and bank cards do: four bytes that begin with 08 (ISO/IEC 14443-3,
// uid0 in 6.5.4). Such a thing is no tag, but it is there.
func isRandom(tag string) bool { return len(tag) == 8 && strings.HasPrefix(tag, "08") }

// Take tells whether this reader may have a tag that it has found.
func (r *Reader) Take(tag string) bool { return r.Board.take(r, tag) }

// Name asks a tag what it is: the catalogue first, then the tag.
func (r *Reader) Name(tag string) (text string, policy Policy, ok bool) {
	if r.Know != nil {
		if m, known := r.Know(tag, ""); known {
			return "", PolicyOf(m.Kind), true
		}
	}
	text, err := r.Chip.Text(r.ctx, tag)
	switch {
	case errors.Is(err, ErrNoText):
		return "", PolicyOf(device.CardTag), true
	case err != nil:
		return "", Policy{}, false
	}
	if r.Know != nil {
		if m, known := r.Know(tag, text); known {
			return text, PolicyOf(m.Kind), true
		}
	}
	return text, PolicyOf(device.CardTag), true
}
