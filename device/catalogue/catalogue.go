// Package catalogue reads and writes the file with the meanings of tags.
//
//	# the starter decks
//	04A1B2C3D4E5F6 mutants/zombie.1
//	04:a1:b2:c3:d4:e5:f7 mutants/zombie.2   # sleeved
//	04A1B2C3D4E5F8 key undo
//	04A1B2C3D4E5F9 roll growth-2
//
// A line has the UID of a tag and the meaning of the tag. The meaning is a copy of a card in
// the box of a game, a key, or the face of a die. A word that begins with # starts a comment.
// Each tag has at most one line.
//
// The owner may edit the file at any time. The package reads the file again when the file has
// changed. Tags that the table learns are written to the file, and every other line stays as
// the owner wrote it.
//
// A [Lesson] teaches the catalogue the cards of a [Deck], one after the other.
package catalogue

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"

	"tableside/device"
)

// FileName is the name of the catalogue's file in the data folder of a table.
const FileName = "tags"

// A Catalogue reads and writes the file of tags. Its methods may be called from any goroutine.
type Catalogue struct {
	file string
	log  *slog.Logger

	mu       sync.Mutex
	fileInfo os.FileInfo               // of the file last read; nil if there was none
	unread   bool                      // the file could not be read at all
	fault    error                     // why the present file is not used; nil while it is used
	lines    []string                  // of the file
	entries  []Entry                   // in the order of the lines
	meanings map[string]device.Meaning // by tag
}

// Open reads a catalogue. If there is no file, the catalogue is empty, and the file is created
// when something is learnt. For a mistake in the file, the error is an *engine.SyntaxError.
// Open returns a catalogue even with an error. That catalogue is empty until the file can be
// read. If log is nil, the catalogue logs nothing.
func Open(file string, log *slog.Logger) (*Catalogue, error) {
	c := &Catalogue{file: file, log: log}
	if log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	return c, c.load()
}

// load reads the file. After an error the former content is still used.
func (c *Catalogue) load() error {
	data, info, err := readFile(c.file)
	if c.unread = err != nil; err == nil {
		c.fileInfo = info
		err = c.take(string(data))
	}
	c.fault = err
	return err
}

// take parses the text of the file and uses it from now on. After an error nothing changes.
func (c *Catalogue) take(source string) error {
	entries, err := Parse(c.file, source)
	if err != nil {
		return err
	}
	c.lines, c.entries, c.meanings =
		slices.Collect(strings.Lines(source)), entries, make(map[string]device.Meaning, len(entries))
	for _, e := range entries {
		c.meanings[e.Tag] = e.Meaning
	}
	return nil
}

// readFile returns a file's content and identity; both are nil if there is no file.
func readFile(file string) ([]byte, os.FileInfo, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat() // before reading, so that a change meanwhile is noticed next time
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(f)
	return data, info, err
}

// refresh reads the file again if it has changed. If the file then has an error, the error is
// logged once, and the former content stays in use.
func (c *Catalogue) refresh() {
	info, err := os.Stat(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = nil, nil
	}
	if err == nil && !c.unread && isSameFile(info, c.fileInfo) {
		return
	}
	before := c.fault
	if err == nil {
		err = c.load()
	} else {
		c.fault, c.unread = err, true
	}
	switch {
	case err == nil:
		c.log.Info("the catalogue of tags has been read again", "tags", len(c.entries))
	case before == nil || err.Error() != before.Error():
		c.log.Error("the catalogue of tags cannot be read as it is now; the table goes on with what it knew", "error", err)
	}
}

// isSameFile reports whether current and earlier describe the same file, unchanged. nil stands
// for no file.
func isSameFile(current, earlier os.FileInfo) bool {
	if current == nil || earlier == nil {
		return current == nil && earlier == nil
	}
	return os.SameFile(current, earlier) && current.ModTime().Equal(earlier.ModTime()) && current.Size() == earlier.Size()
}

// Meaning returns the meaning of a tag. The meaning comes from the catalogue or, if the tag
// has no entry, from the text on the tag. If the tag belongs to a key of one keyboard and has
// no entry, the meaning comes from the entry for the same key on every keyboard. If the tag
// has no meaning, Meaning returns false.
func (c *Catalogue) Meaning(tag, text string) (device.Meaning, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh()
	if m, ok := c.meanings[tag]; ok {
		return m, true
	}
	if _, everywhere, isKey := device.CutPressed(tag); isKey {
		m, ok := c.meanings[everywhere]
		return m, ok
	}
	return device.ParseTagText(text)
}

// Entries returns the tags with their meanings, in the order of the file.
func (c *Catalogue) Entries() []Entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refresh()
	return slices.Clone(c.entries)
}

// Learn writes the new meaning of a tag to the file, and returns once the disk has the file. A
// card has only one tag. If the card had another tag, Learn removes that tag from the file and
// returns it. Otherwise it returns "" in place of that tag.
//
// If the file cannot be read or has a mistake, Learn writes nothing and returns an error. If
// the tag is malformed or random, the error is an *engine.SyntaxError whose field File is "".
func (c *Catalogue) Learn(tag string, m device.Meaning) (before string, err error) {
	tag, err = ParseTag(tag)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refresh(); c.fault != nil {
		return "", c.fault // never overwrite the file while its owner is editing it
	}
	drop := map[int]bool{}
	for _, e := range c.entries {
		if e.Tag != tag && e.Meaning == m && m.Kind == device.CardTag {
			drop[e.Line] = true
			before = cmp.Or(before, e.Tag)
		}
	}
	return before, c.write(Entry{Tag: tag, Meaning: m}, drop)
}

// Forget removes a tag from the catalogue. If the catalogue does not have the tag, Forget does
// nothing. The tag must be in the form that ParseTag returns. If the file cannot be read or
// has a mistake, Forget writes nothing and returns the error of the file.
func (c *Catalogue) Forget(tag string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.refresh(); c.fault != nil {
		return c.fault
	}
	for _, e := range c.entries {
		if e.Tag == tag {
			return c.write(Entry{}, map[int]bool{e.Line: true})
		}
	}
	return nil
}

// write writes the file with a new entry. The entry replaces the line of its tag. If the tag
// has no line, the entry becomes the last line. An entry without a tag adds no line. omitted
// holds the numbers, from 1, of the lines to leave out. If nothing would change, write writes
// nothing.
func (c *Catalogue) write(entry Entry, omitted map[int]bool) error {
	at := 0
	for _, e := range c.entries {
		if e.Tag == entry.Tag {
			if e.Meaning == entry.Meaning && len(omitted) == 0 {
				return nil
			}
			at = e.Line
		}
	}
	var b strings.Builder
	for i, line := range c.lines {
		switch {
		case i+1 == at:
			b.WriteString(entry.String() + "\n")
		case !omitted[i+1]:
			b.WriteString(line)
		}
	}
	if at == 0 && entry.Tag != "" {
		if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
			b.WriteByte('\n') // the owner's editor left the last line without an end
		}
		b.WriteString(entry.String() + "\n")
	}
	if err := device.Replace(c.file, b.String()); err != nil {
		return err
	}
	return c.load()
}
