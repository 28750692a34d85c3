// Package reader polls a tag reader for a table. It reports taps, lifts and the reader's
// health, and works with any chip. The package remembers the tags on the reader across errors,
// resets and failed runs. None of these events ever counts as a tap.
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

// A Chip is a reader chip with its antenna. One goroutine uses it. Every call returns soon
// after its context has ended.
type Chip interface {
	// Init sets the chip up. If the chip's reset line is wired, Init first resets the
	// chip. Init is called at the start and after errors.
	Init(context.Context) error
	// Poll appends the UIDs of the tags in the field to seen. blurred reports that
	// something else is there that could not be read. After an error, what lies on the
	// reader is unknown. Poll may return the same strings as the call before.
	Poll(ctx context.Context, seen []string) (tags []string, blurred bool, err error)
	// Text reads the text on a tag that the last poll found. ErrNoText reports
	// that there is no text; any other error is worth another try.
	Text(ctx context.Context, tag string) (string, error)
	// Firmware returns the chip's name and version, such as "PN532 1.6", as the last Init has
	// read them.
	Firmware() string
}

// ErrNoText reports that a tag has no text: it is blank, or of a kind without memory.
var ErrNoText = errors.New("the tag has no text")

// These constants limit how long a chip may take, and how the reader retries after errors.
const (
	defaultEvery = 50 * time.Millisecond  // 20 polls a second
	pollLimit    = 500 * time.Millisecond // for a poll, and for reading each text
	initLimit    = 1500 * time.Millisecond

	maxErrors   = 3                      // errors in a row, then the chip is set up again
	minInitWait = 100 * time.Millisecond // between two attempts to set it up; it doubles each time
	maxInitWait = 2 * time.Second        // with initLimit, a chip is back within 4 s
)

// A Config describes a reader. Chip is required.
type Config struct {
	Name  string      // of the part, in health, such as "reader red"
	Place string      // as the configuration names it
	Seat  engine.Seat // the reader's seat; "" means the table
	Chip  Chip
	Every time.Duration // between polls; 0 is 50 ms
	// Know returns the meaning of a tag, by its UID or else by its text, as
	// device.Config.Tags does. nil means that no tag has a meaning.
	Know func(tag, text string) (device.Meaning, bool)
	// Board is shared by all readers of a table. nil means that this is the only reader.
	Board *Board
	// TapInitial treats tags present at startup as taps. See Presence.
	TapInitial bool
}

// A Reader is a device.Source. From one Run to the next, it remembers which tags lie on the
// reader.
type Reader struct {
	Config
	presence  Presence
	health    health
	foundTags []string        // by the last poll
	ctx       context.Context // of the current poll
	callTimer *time.Timer     // ends ctx when a call takes too long; nil before the first Run
	emit      device.Emit
	forgotten []string // tags that other readers have taken over; under the board's lock
}

var _ device.Source = (*Reader)(nil)

// New returns a reader that has not polled yet.
func New(config Config) *Reader {
	if config.Every == 0 {
		config.Every = defaultEvery
	}
	if config.Board == nil {
		config.Board = NewBoard()
	}
	return &Reader{Config: config, presence: Presence{TapInitial: config.TapInitial}, health: health{name: config.Name}}
}

// Run polls until the context ends. It sets the chip up again after failures,
// and always returns nil.
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
		wait = min(max(minInitWait, 2*wait), maxInitWait)
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

// session sets the chip up and polls the chip until the context ends. session ends earlier if
// setting up fails, if too many polls in a row fail, or if the chip does not answer in time.
// It reports whether there was a good poll.
func (r *Reader) session(parent context.Context) (good bool) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	r.ctx = ctx
	callTimer := time.AfterFunc(initLimit, cancel)
	defer callTimer.Stop()
	r.callTimer = callTimer
	err := r.Chip.Init(ctx)
	if !callTimer.Stop() && err != nil {
		err = tooSlow(initLimit, err)
	}
	if parent.Err() != nil {
		return false
	}
	if err != nil {
		r.health.recordBad(err)
		return false
	}
	r.health.setFirmware(r.Chip.Firmware())
	tick := time.NewTicker(r.Every)
	defer tick.Stop()
	for errs := 0; ; {
		callTimer.Reset(pollLimit)
		outcome, err := r.poll(ctx)
		inTime := callTimer.Stop()
		if parent.Err() != nil {
			return good
		}
		if err != nil {
			if errs++; !inTime {
				err = tooSlow(pollLimit, err)
			}
			r.health.recordBad(err)
		} else {
			errs, good = 0, true
			r.health.recordGood(outcome, r.presence.firstLookOver)
		}
		if errs >= maxErrors || ctx.Err() != nil { // the time limit of a call has ended the session
			return good
		}
		select {
		case <-ctx.Done():
			return good
		case <-tick.C:
		}
	}
}

// tooSlow returns the error of a call that was cancelled after a time limit. If the call's own
// error, err, only says that the call was cancelled, it is left out. Otherwise the returned
// error wraps err.
func tooSlow(limit time.Duration, err error) error {
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("no answer within %v", limit)
	}
	return fmt.Errorf("no answer within %v: %w", limit, err)
}

// poll polls once, and reports the changes to the table.
func (r *Reader) poll(ctx context.Context) (Outcome, error) {
	found, blurred, err := r.Chip.Poll(ctx, r.foundTags[:0])
	r.foundTags = found
	outcome := Clean
	switch {
	case err != nil:
		outcome, r.foundTags = Failed, found[:0]
	case slices.ContainsFunc(found, isRandom):
		outcome, r.foundTags = Blurred, slices.DeleteFunc(found, isRandom)
	case blurred:
		outcome = Blurred
	}
	for _, tag := range r.Board.recordFound(r, r.foundTags) {
		r.presence.Forget(tag)
	}
	for _, c := range r.presence.See(outcome, r.foundTags, r) {
		r.Board.tell(r, c)
	}
	return outcome, err
}

// isRandom reports whether a UID is random. Phones and bank cards have such a UID, which
// changes each time the field comes on. A random UID has four bytes and begins with 08
// (ISO/IEC 14443-3, uid0 in 6.5.4). It identifies no tag; it only shows that something lies on
// the reader.
func isRandom(tag string) bool { return len(tag) == 8 && strings.HasPrefix(tag, "08") }

// Take gives a found tag to this reader, unless another reader has the tag. Take reports
// whether this reader has the tag now.
func (r *Reader) Take(tag string) bool { return r.Board.take(r, tag) }

// Identify finds out what a tag means. If the catalogue does not know the tag, Identify reads
// the text on the tag. It returns that text, or "" if no text was read.
//
// The policy is the policy for the tag's kind. A tag without a text has the policy of a card,
// and so has a tag whose text means nothing. If the text could not be read, ok is false.
func (r *Reader) Identify(tag string) (text string, policy Policy, ok bool) {
	if r.Know != nil {
		if m, known := r.Know(tag, ""); known {
			return "", PolicyOf(m.Kind), true
		}
	}
	if r.callTimer != nil && r.ctx.Err() == nil {
		r.callTimer.Reset(pollLimit)
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
