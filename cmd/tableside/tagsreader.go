package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/device/reader"
	"tableside/drivers/nfc"
	"tableside/engine"
)

// teach is cards learn and cards write: it opens a reader and goes through
// the deck.
func (c *cards) teach(ctx context.Context, write bool, d deck, tags *catalogue.Catalogue, settings config.Config) error {
	l := &lesson{deck: d, tags: tags, out: c.out, say: c.say}
	if c.card != "" {
		m, err := d.one(c.card)
		if err != nil {
			return err
		}
		l.only = &m
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var hand *blankHand
	var read config.Reader
	wired := &settings.Wiring // with all multiplexers on the reader's bus
	if c.chips {
		wired = &config.Wiring{}
		bench, emulated := newTagBench()
		c.ports, read, hand = bench, emulated, newBlankHand(bench.fields[emulated.Name])
	} else {
		found, err := c.findReader(settings)
		if err != nil {
			return err
		}
		read = *found
	}
	chip := &sharedChip{chip: &chip{parts: newParts(c.ports, wired), config: &read}}
	if write {
		l.write = chip.write
	}
	l.dealt = hand.next
	signals := make(chan device.Signal)
	emit := func(s device.Signal) <-chan engine.Receipt {
		select {
		case signals <- s:
		case <-ctx.Done():
		}
		hand.notice(ctx, s)
		return nil
	}
	r := reader.New(reader.Config{Name: read.Who(), Place: read.Name, Chip: chip, Every: read.Poll, Anew: true})
	var all sync.WaitGroup
	all.Go(func() { _ = r.Run(ctx, emit) }) // it reports what fails, and returns no error
	all.Go(func() { hand.run(ctx) })
	lines := make(chan string)
	all.Go(func() { readLines(ctx, c.in, lines) })
	err := l.run(ctx, signals, lines)
	cancel()
	all.Wait()
	return errors.Join(err, chip.halt())
}

// one is what --card names.
func (d deck) one(name string) (device.Meaning, error) {
	full := name
	if !strings.Contains(name, "/") {
		full = d.box + "/" + name
	}
	m, err := device.ParseMeaning(full)
	if err != nil {
		return m, wrong("--card", err.Error(), "")
	}
	if m.Kind == device.CardTag && (m.Box != d.box || !slices.Contains(d.copies, m.Name)) {
		return m, wrong("--card", fmt.Sprintf("there is no %s in the box", full), config.Suggest(m.Name, d.copies, "tableside cards list tells what there is"))
	}
	return m, nil
}

// findReader is the reader of the configuration that is meant, if no running
// table uses it.
func (c *cards) findReader(settings config.Config) (*config.Reader, error) {
	var names []string
	for _, r := range settings.Readers {
		names = append(names, r.Name)
	}
	known := "the configuration has " + strings.Join(names, ", ")
	switch {
	case len(names) == 0:
		return nil, no("reader", "the configuration has none", "docs/configuration.md tells how one is wired; --chips tries it without")
	case c.reader == "" && len(names) > 1:
		return nil, wrong("--reader", "which one?", known)
	}
	i := 0
	if c.reader != "" {
		if i = slices.Index(names, c.reader); i < 0 {
			return nil, wrong("--reader", "there is no reader "+c.reader, config.Suggest(c.reader, names, known))
		}
	}
	if inUse(settings.Table.Data) {
		return nil, no("reader "+names[i], "a running table uses it", "stop it first, as by systemctl stop tableside, or teach the tags on its page")
	}
	alone := &config.Wiring{Readers: settings.Readers[i : i+1]}
	if faults := c.ports.missing(alone); len(faults) > 0 {
		return nil, wrong(faults[0].Key, faults[0].Why, faults[0].Hint)
	}
	return &alone.Readers[0], nil
}

// inUse tells whether a table holds the lock of its data folder.
func inUse(data string) bool {
	f, err := os.Open(data + "/lock")
	if err != nil {
		return false
	}
	defer f.Close() // and with it the lock, if it was to be had
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

// A sharedChip is polled by one goroutine, while another one writes now and
// then.
type sharedChip struct {
	mu sync.Mutex
	*chip
}

// Init implements reader.Chip.
func (c *sharedChip) Init(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.chip.Init(ctx)
}

// Poll implements reader.Chip. While a tag is written, it lies there.
func (c *sharedChip) Poll(ctx context.Context, seen []string) (tags []string, blurred bool, err error) {
	if !c.mu.TryLock() {
		return seen, true, nil
	}
	defer c.mu.Unlock()
	return c.chip.Poll(ctx, seen)
}

// Text implements reader.Chip.
func (c *sharedChip) Text(ctx context.Context, tag string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.chip.Text(ctx, tag)
}

var errReaderGone = errors.New("the reader is gone: plug it in and lay the tag down again")

// How a tag is written.
const (
	writeTries = 3
	writeLimit = 2 * time.Second // all tries; NTAG213 needs 4 ms for each of a few pages
)

// write writes a text on a tag that lies there, and reads it back as every
// table will read it.
func (c *sharedChip) write(ctx context.Context, tag, text string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, writeLimit)
	defer cancel()
	uid, err := nfc.ParseUID(tag)
	if err != nil {
		return err
	}
	if c.dev == nil { // its adapter was unplugged after the tag was found
		return errReaderGone
	}
	for range writeTries {
		if err = c.writeOnce(ctx, uid, text); err == nil || errors.Is(err, nfc.ErrReadOnly) || errors.Is(err, nfc.ErrTooLong) || errors.Is(err, nfc.ErrRefused) {
			break
		}
		_, _, _ = c.chip.Poll(ctx, nil) // the field goes off, and all tags begin anew
	}
	return err
}

func (c *sharedChip) writeOnce(ctx context.Context, uid nfc.UID, text string) error {
	memory, err := c.dev.Select(ctx, uid)
	if err != nil {
		return err
	}
	if err := nfc.WriteText(ctx, memory, text); err != nil { // it reads back what it has written
		return err
	}
	got, err := nfc.ReadText(ctx, memory)
	if err == nil && got != text {
		err = fmt.Errorf("it reads back as %q", got)
	}
	return err
}

// readLines hands on what is typed, until the context or the input ends.
func readLines(ctx context.Context, in io.Reader, lines chan<- string) {
	defer close(lines)
	if f, ok := in.(*os.File); ok {
		in = waitingFile{ctx, f}
	}
	scanner := bufio.NewScanner(in)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-ctx.Done():
			return
		}
	}
}

// A waitingFile is a terminal or pipe on which a Read ends with the context.
type waitingFile struct {
	ctx context.Context
	*os.File
}

func (w waitingFile) Read(p []byte) (int, error) {
	fds := []unix.PollFd{{Fd: int32(w.Fd()), Events: unix.POLLIN}}
	for w.ctx.Err() == nil {
		n, err := unix.Poll(fds, 100) // ms
		if err != nil && !errors.Is(err, unix.EINTR) {
			return 0, err
		}
		if n > 0 {
			return w.File.Read(p)
		}
	}
	return 0, w.ctx.Err()
}
