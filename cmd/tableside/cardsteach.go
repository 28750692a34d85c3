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

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/catalogue"
	"tableside/device/reader"
	"tableside/engine"
)

// teach runs the command "cards learn" or, if write is set, "cards write". It opens a card
// reader and goes through the deck.
func (c *cards) teach(ctx context.Context, write bool, d catalogue.Deck, tags *catalogue.Catalogue,
	settings config.Config) error {
	l := &catalogue.Lesson{Deck: d, Tags: tags, Out: c.out, Lang: c.lang}
	if c.card != "" {
		m, err := c.flagMeaning(d)
		if err != nil {
			return err
		}
		l.Only = &m
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var hand *bench.BlankHand
	var read config.Reader
	var typist *config.Keyboard // a reader that types; nil if it is a chip: then read describes it
	wired := &settings.Wiring   // has all multiplexers on the reader's bus
	if c.chips {
		wired = &config.Wiring{}
		one, emulated := bench.NewTagBench()
		c.ports, read, hand = one, emulated, bench.NewBlankHand(one.Fields[emulated.Name])
	} else {
		alone, err := c.findReader(settings)
		switch {
		case err != nil:
			return err
		case len(alone.Readers) > 0:
			read = alone.Readers[0]
		case write:
			return negativeFailure(alone.Keyboards[0].Who(), "a reader that types cannot write", "use cards learn")
		default:
			typist = &alone.Keyboards[0]
		}
	}
	l.Dealt = hand.Next
	signals := make(chan device.Signal)
	emit := func(s device.Signal) <-chan engine.Receipt {
		select {
		case signals <- s:
		case <-ctx.Done():
		}
		hand.Notice(ctx, s)
		return nil
	}
	// RunTyping and Reader.Run report failures as signals, and return no error.
	run, halt := func() { _ = rig.NewParts(c.ports, wired).RunTyping(ctx, typist, emit) }, func() error { return nil }
	if typist == nil {
		chip := rig.NewSharedChip(c.ports, wired, &read)
		if write {
			l.Write = chip.Write
		}
		r := reader.New(reader.Config{
			Name: read.Who(), Place: read.Name, Chip: chip, Every: read.Poll, TapInitial: true,
		})
		run, halt = func() { _ = r.Run(ctx, emit) }, chip.Halt
	}
	var all sync.WaitGroup
	all.Go(run)
	all.Go(func() { hand.Run(ctx) })
	lines := make(chan string)
	all.Go(func() { readLines(ctx, c.in, lines) })
	err := l.Run(ctx, signals, lines)
	cancel()
	all.Wait()
	return errors.Join(err, halt())
}

// flagMeaning returns the meaning of the tag that --card names. The tag may mean a card of the
// deck, or something else. If the flag is wrong, or if it names a card that is not in the
// deck, flagMeaning fails.
func (c *cards) flagMeaning(d catalogue.Deck) (device.Meaning, error) {
	full := c.card
	if !strings.Contains(full, "/") {
		full = d.Box + "/" + full
	}
	m, err := device.ParseMeaning(full)
	if err != nil {
		return m, usageFailure("--card", err.Error(), "")
	}
	if m.Kind == device.CardTag && (m.Box != d.Box || !slices.Contains(d.Copies, m.Name)) {
		return m, usageFailure("--card", fmt.Sprintf("there is no %s in the box", full),
			config.Suggest(m.Name, d.Copies, "tableside cards list prints the cards"))
	}
	return m, nil
}

// findReader finds a card reader in the configuration, and returns a wiring that has only this
// reader. The flag --reader names the reader. Without the flag, the configuration must have
// exactly one reader. The reader may be a chip, or a device that types the tags as a keyboard
// does. If a running table uses the reader, findReader fails.
func (c *cards) findReader(settings config.Config) (*config.Wiring, error) {
	var names []string
	var wirings []config.Wiring
	for i, r := range settings.Readers {
		names, wirings = append(names, r.Name), append(wirings, config.Wiring{Readers: settings.Readers[i : i+1]})
	}
	for i, k := range settings.Keyboards {
		if k.Reads == config.ReadsTags {
			names = append(names, k.Name)
			wirings = append(wirings, config.Wiring{Keyboards: settings.Keyboards[i : i+1]})
		}
	}
	known := "the configuration has " + strings.Join(names, ", ")
	switch {
	case len(names) == 0:
		return nil, negativeFailure("reader", "the configuration has none",
			"docs/configuration.md describes how to wire one; --chips needs none")
	case c.reader == "" && len(names) > 1:
		return nil, usageFailure("--reader", "which one?", known)
	}
	i := 0
	if c.reader != "" {
		if i = slices.Index(names, c.reader); i < 0 {
			return nil, usageFailure("--reader", "there is no reader "+c.reader, config.Suggest(c.reader, names, known))
		}
	}
	if inUse(settings.Table.Data) {
		return nil, negativeFailure("reader "+names[i], "a running table uses it",
			"stop it first, as by systemctl stop tableside, or teach the tags on its page")
	}
	if faults := c.ports.Missing(&wirings[i]); len(faults) > 0 {
		return nil, faults[0]
	}
	return &wirings[i], nil
}

// inUse reports whether a running table has locked this data folder.
func inUse(data string) bool {
	f, err := os.Open(data + "/lock")
	if err != nil {
		return false
	}
	defer f.Close() // releases the lock, too
	return syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}

// readLines sends each line of the input to the channel lines. When the context or the input
// ends, it closes the channel.
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

// A waitingFile is a terminal or pipe. Its Read returns the context's error when the context
// ends.
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
