package reader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tableside/device"
	"tableside/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errDead = errors.New("fake: the bus floats")

// A chip is a fake reader chip: it takes time, and does nothing before it is set
// up.
type chip struct {
	mu      sync.Mutex
	lying   []string
	texts   map[string]string // what is written on tags; others are blank
	garbled map[string]int    // the number of attempts to read a tag that will fail
	blurred bool              // something unreadable lies on the reader
	ready   bool              // set up
	dead    bool              // every call fails, after a while
	mute    bool              // calls hang until their context ends
	stuck   chan struct{}     // calls hang until it is closed, even if their context ends
	slow    time.Duration     // what reading a text takes
	faulty  int               // every n-th poll fails
	inits   int
	polls   int
	asked   int
}

func (c *chip) with(do func(*chip)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do(c)
}

func (c *chip) counts() (inits, polls, asked int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.inits, c.polls, c.asked
}

func (c *chip) lay(tags ...string) { c.with(func(c *chip) { c.lying = tags }) }

// wait delays a call and returns the chip's error, if it has one.
func (c *chip) wait(ctx context.Context) error {
	c.mu.Lock()
	dead, mute, stuck := c.dead, c.mute, c.stuck
	c.mu.Unlock()
	switch {
	case stuck != nil:
		<-stuck
		return errDead
	case mute:
		<-ctx.Done()
		return ctx.Err()
	case dead:
		device.Pause(ctx, 80*time.Millisecond)
		return errDead
	}
	return ctx.Err()
}

func (c *chip) Init(ctx context.Context) error {
	c.with(func(c *chip) { c.inits++; c.ready = false })
	if err := c.wait(ctx); err != nil {
		return fmt.Errorf("init: %w", err)
	}
	device.Pause(ctx, 150*time.Millisecond)
	c.with(func(c *chip) { c.ready = true })
	return ctx.Err()
}

func (c *chip) Poll(ctx context.Context, seen []string) ([]string, bool, error) {
	if err := c.wait(ctx); err != nil {
		return seen, false, fmt.Errorf("poll: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.polls++
	switch {
	case !c.ready:
		return seen, false, errors.New("fake: polled before it was set up")
	case c.faulty > 0 && c.polls%c.faulty == 0:
		return append(seen, "half"), false, errDead
	}
	return append(seen, c.lying...), c.blurred, nil
}

func (c *chip) Text(ctx context.Context, tag string) (string, error) {
	if device.Pause(ctx, c.slow); ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err := c.wait(ctx); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	switch {
	case !slices.Contains(c.lying, tag):
		return "", errors.New("fake: no such tag")
	case c.garbled[tag] > 0:
		c.garbled[tag]--
		return "", errors.New("fake: cut off")
	case c.texts[tag] == "":
		return "", ErrNoText
	}
	return c.texts[tag], nil
}

func (c *chip) Firmware() string { return "fake 1.0" }

// A table records what readers report.
type table struct {
	mu      sync.Mutex
	said    []string
	reports []engine.Part
	when    []time.Time
}

func (t *table) emit(s device.Signal) <-chan engine.Receipt {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch s := s.(type) {
	case device.TagOn:
		t.said = append(t.said, strings.TrimSpace(fmt.Sprintf("%s+%s %s", s.Place, s.Tag, s.Text)))
	case device.TagOff:
		t.said = append(t.said, strings.TrimSpace(fmt.Sprintf("%s-%s %s", s.Place, s.Tag, s.Text)))
	case device.Report:
		t.reports, t.when = append(t.reports, s.Part.Said(engine.English)), append(t.when, time.Now())
	}
	return make(chan engine.Receipt, 1)
}

// heard returns the reports since the last call.
func (t *table) heard() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := strings.Join(t.said, ", ")
	t.said = nil
	return all
}

func (t *table) health() engine.Part {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.reports) == 0 {
		return engine.Part{}
	}
	return t.reports[len(t.reports)-1]
}

// start runs readers until stop is called.
func start(tab *table, readers ...*Reader) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, r := range readers {
		all.Go(func() { _ = r.Run(ctx, tab.emit) })
	}
	return func() { cancel(); all.Wait() }
}

func know(tag, text string) (device.Meaning, bool) {
	if strings.HasPrefix(tag, "C") {
		return device.Meaning{Box: "mutants", Name: "zombie.1"}, true
	}
	return device.ParseTagText(text)
}

func newReader(c *chip, place string, board *Board) *Reader {
	return New(Config{Name: "reader " + place, Place: place, Seat: engine.Seat(place), Chip: c, Know: know, Board: board})
}
