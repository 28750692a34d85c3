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
	l := &catalogue.Lesson{Deck: d, Tags: tags, Out: c.out, Lang: c.lang, Dealt: func() {}}
	if c.card != "" {
		m, err := c.flagMeaning(d)
		if err != nil {
			return err
		}
		l.Only = &m
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var read config.Reader
	var typist *config.Keyboard // a reader that types; nil if it is a chip: then read describes it
	wired := &settings.Wiring   // has all multiplexers on the reader's bus
	if c.chips {
		wired = &config.Wiring{}
		one, emulated := bench.NewTagBench()
		c.ports, read, l.Dealt = one, emulated, bench.LayBlankTags(one.Fields[emulated.Name])
	} else {
		part, err := c.findReader(&settings)
		if err != nil {
			return err
		}
		switch part := part.(type) {
		case *config.Reader:
			read = *part
		case *config.Keyboard:
			if typist = part; write {
				return negativeFailure(part.Who(), "a reader that types cannot write", "use cards learn")
			}
		}
	}
	signals := make(chan device.Signal)
	emit := func(s device.Signal) <-chan engine.Receipt {
		select {
		case signals <- s:
		case <-ctx.Done():
		}
		return nil
	}
	// RunTyping and Reader.Run report failures as signals, and return no error.
	run, halt := func() { _ = rig.NewParts(c.ports, wired).RunTyping(ctx, typist, emit) }, func() error { return nil }
	if typist == nil {
		chip := rig.NewChip(c.ports, wired, &read)
		if write {
			l.Write = chip.Write
		}
		r := reader.New(reader.Config{
			Name: read.Who(), Place: read.Name, Chip: chip, Every: read.Every, TapInitial: true,
		})
		run, halt = func() { _ = r.Run(ctx, emit) }, chip.Halt
	}
	var all sync.WaitGroup
	all.Go(run)
	lines := make(chan string)
	all.Go(func() { readLines(ctx, c.in, lines) })
	l.Run(ctx, signals, lines)
	cancel()
	all.Wait()
	return halt()
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

// findReader finds a card reader in the configuration. The flag --reader names the reader.
// Without the flag, the configuration must have exactly one reader. The reader may be a chip, or
// a device that types the tags as a keyboard does. If a running table uses the reader, findReader
// fails.
func (c *cards) findReader(settings *config.Config) (config.Part, error) {
	readers := slices.DeleteFunc(settings.Parts(), func(p config.Part) bool { return !config.IsReader(p) })
	var names []string
	for _, p := range readers {
		names = append(names, strings.TrimPrefix(p.Who(), "reader "))
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
	alone := settings.Without(func(p config.Part) bool { return p != readers[i] })
	if faults := c.ports.Missing(&alone); len(faults) > 0 {
		return nil, faults[0]
	}
	return readers[i], nil
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
