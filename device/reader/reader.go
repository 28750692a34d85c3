// Package reader polls a tag reader for a table. It reports taps, lifts and the reader's
// health, and works with any chip. The package remembers the tags on the reader across errors,
// resets and failed runs. None of these events ever counts as a tap.
package reader

import (
	"cmp"
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
	// TapInitial treats tags present at startup as taps: rule 6 of Board does not apply.
	TapInitial bool
}

// A Reader is a device.Source. From one Run to the next, it remembers which tags lie on the
// reader.
type Reader struct {
	Config
	health        health
	foundTags     []string // by the last poll
	lying         []*lyingTag
	goodPolls     int             // polls so far that did not fail
	firstLookOver bool            // see rule 6 of Board
	ctx           context.Context // of the current session
	tooSlow       bool            // a call of this session has taken too long
	emit          device.Emit
}

var _ device.Source = (*Reader)(nil)

// New returns a reader that has not polled yet.
func New(config Config) *Reader {
	config.Every, config.Board = cmp.Or(config.Every, defaultEvery), cmp.Or(config.Board, NewBoard())
	return &Reader{Config: config, health: health{name: config.Name}}
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
		device.Pause(ctx, wait)
		if ctx.Err() != nil {
			return nil
		}
		wait = min(max(minInitWait, 2*wait), maxInitWait)
		r.health.reset()
	}
}

// session sets the chip up and polls the chip until the context ends. session ends earlier if
// setting up fails, if too many polls in a row fail, or if the chip does not answer in time.
// It reports whether there was a good poll.
func (r *Reader) session(ctx context.Context) (good bool) {
	r.ctx, r.tooSlow = ctx, false
	if err := r.limit(initLimit, r.Chip.Init); err != nil {
		if ctx.Err() == nil {
			r.health.recordBad(err)
		}
		return false
	}
	r.health.setFirmware(r.Chip.Firmware())
	tick := time.NewTicker(r.Every)
	defer tick.Stop()
	for errs := 0; errs < maxErrors && !r.tooSlow; {
		outcome, err := r.poll()
		switch {
		case ctx.Err() != nil:
			return good
		case err != nil:
			errs++
			r.health.recordBad(err)
		default:
			errs, good = 0, true
			r.health.recordGood(outcome, r.firstLookOver)
		}
		select {
		case <-ctx.Done():
			return good
		case <-tick.C:
		}
	}
	return good
}

// limit calls a method of the chip, with a context that ends after a time. The error then says so.
// If the call's own error only says that its context has ended, it is left out.
func (r *Reader) limit(most time.Duration, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(r.ctx, most)
	defer cancel()
	err := call(ctx)
	if err == nil || ctx.Err() == nil || r.ctx.Err() != nil {
		return err
	}
	r.tooSlow = true
	if !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("no answer within %v: %w", most, err)
	}
	return fmt.Errorf("no answer within %v", most)
}

// poll polls once, and reports the changes to the table.
func (r *Reader) poll() (Outcome, error) {
	found, blurred := r.foundTags[:0], false
	err := r.limit(pollLimit, func(ctx context.Context) (err error) {
		found, blurred, err = r.Chip.Poll(ctx, found)
		return err
	})
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
	r.Board.see(r, outcome, r.foundTags)
	return outcome, err
}

// isRandom reports whether a UID is random. Phones and bank cards have such a UID, which
// changes each time the field comes on. A random UID has four bytes and begins with 08
// (ISO/IEC 14443-3, uid0 in 6.5.4). It identifies no tag; it only shows that something lies on
// the reader.
func isRandom(tag string) bool { return len(tag) == 8 && strings.HasPrefix(tag, "08") }

// identify finds out what a tag means. If the catalogue does not know the tag, identify reads
// the text on the tag. It returns that text, or "" if no text was read.
//
// The policy is the policy for the tag's kind. A tag without a text has the policy of a card,
// and so has a tag whose text means nothing. If the text could not be read, ok is false.
func (r *Reader) identify(tag string) (text string, policy Policy, ok bool) {
	if r.Know != nil {
		if m, known := r.Know(tag, ""); known {
			return "", PolicyOf(m.Kind), true
		}
	}
	err := r.limit(pollLimit, func(ctx context.Context) (err error) {
		text, err = r.Chip.Text(ctx, tag)
		return err
	})
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
