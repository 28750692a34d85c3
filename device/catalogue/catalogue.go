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
// changed. A line with a mistake is not used, and the other lines are. Tags that the table
// learns are written to the file, and every other line stays as the owner wrote it, even one
// with a mistake.
//
// A [Lesson] teaches the catalogue the cards of a [Deck], one after the other.
package catalogue

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/device"
	"tableside/device/disk"
	"tableside/engine"
)

// FileName is the name of the catalogue's file in the data folder of a table.
const FileName = "tags"

// A Catalogue reads and writes the file of tags. Its methods may be called from any goroutine.
type Catalogue struct {
	file string
	read func(file string) ([]byte, os.FileInfo, error)
	put  func(file, text string) error

	disk sync.Mutex // held while the file is read or written, and locked before mu

	mu      sync.Mutex           // never held while the disk works: taps go on meanwhile
	content *content             // as it was read last; it is replaced only with both locks held
	watch   func(faults []error) // is told the faults whenever they change; or nil
}

// A content is what was read from the file.
type content struct {
	fileInfo os.FileInfo // nil if there was none
	unread   error       // why the file cannot be read at all; nil while it can
	faults   []error     // of the lines that are not used, or unread
	lines    []string
	entries  []Entry                   // in the order of the lines
	meanings map[string]device.Meaning // by tag
}

// Open reads a catalogue. If there is no file, the catalogue is empty, and the file is created
// when something is learnt. Open returns a catalogue even if the file cannot be read. That
// catalogue is empty until the file can be read.
func Open(file string) (*Catalogue, error) {
	c := &Catalogue{file: file, read: readFile, put: disk.Replace, content: &content{}}
	c.load()
	return c, c.content.unread
}

// Watch calls a function with what is wrong with the file: now if anything is wrong, and
// whenever this changes. The function must not block or call the catalogue.
func (c *Catalogue) Watch(watch func(faults []error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.watch = watch; len(c.content.faults) > 0 {
		watch(c.content.faults)
	}
}

// Faults returns an error for each line of the file that is not used. If the file cannot be
// read at all, Faults returns only the reason.
func (c *Catalogue) Faults() []error { return c.current().faults }

// load reads the file. If the file cannot be read, the former content is still used.
func (c *Catalogue) load() {
	data, info, err := c.read(c.file)
	if err != nil {
		c.fail(err)
		return
	}
	next := c.parse(string(data))
	if next.fileInfo = info; info != nil && len(data) == 0 {
		next.faults = []error{engine.Faultf(0, "the file is empty")} // write never leaves it so
	}
	c.set(next)
}

func (c *Catalogue) fail(err error) {
	next := *c.content
	next.unread, next.faults = err, []error{err}
	c.set(next)
}

// set replaces the content, and tells once what is wrong with the file.
func (c *Catalogue) set(next content) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.content.faults
	c.content = &next
	same := slices.EqualFunc(next.faults, before, func(a, b error) bool { return a.Error() == b.Error() })
	if !same && c.watch != nil {
		c.watch(next.faults)
	}
}

func (c *Catalogue) parse(source string) content {
	entries, faults := Parse(c.file, source)
	meanings := make(map[string]device.Meaning, len(entries))
	for _, e := range entries {
		meanings[e.Tag] = e.Meaning
	}
	return content{faults: faults, lines: slices.Collect(strings.Lines(source)), entries: entries, meanings: meanings}
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

// readLimit is how long a tap waits for the disk, once for each time that the disk hangs.
const readLimit = time.Second

// current returns the content. It reads the file again if it has changed. If the disk is busy with
// the file, or takes longer than readLimit, what is known counts for now.
func (c *Catalogue) current() *content {
	if c.disk.TryLock() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer c.disk.Unlock()
			c.reload()
		}()
		limit := time.NewTimer(readLimit)
		defer limit.Stop()
		select {
		case <-done:
		case <-limit.C:
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.content
}

// reload reads the file again if it has changed, however long that takes.
func (c *Catalogue) reload() {
	info, err := os.Stat(c.file)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = nil, nil
	}
	switch {
	case err != nil:
		c.fail(err)
	case c.content.unread != nil || !isSameFile(info, c.content.fileInfo):
		c.load()
	}
}

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
	meanings := c.current().meanings
	if m, ok := meanings[tag]; ok {
		return m, true
	}
	if _, everywhere, isKey := device.CutPressed(tag); isKey {
		m, ok := meanings[everywhere]
		return m, ok
	}
	return device.ParseTagText(text)
}

// Entries returns the tags with their meanings, in the order of the file.
func (c *Catalogue) Entries() []Entry { return slices.Clone(c.current().entries) }

// Learn writes the new meaning of a tag to the file, and returns once the disk has the file. A
// card has only one tag. If the card had another tag, Learn removes that tag from the file and
// returns it. Otherwise it returns "" in place of that tag.
//
// If the file cannot be read, Learn writes nothing and returns an error. If the tag is
// malformed or random, the error is an *engine.SyntaxError whose field File is "".
func (c *Catalogue) Learn(tag string, m device.Meaning) (before string, err error) {
	tag, err = ParseTag(tag)
	if err != nil {
		return "", err
	}
	c.disk.Lock()
	defer c.disk.Unlock()
	if c.reload(); c.content.unread != nil {
		return "", c.content.unread // never overwrite what is not known
	}
	drop := map[int]bool{}
	for _, e := range c.content.entries {
		if e.Tag != tag && e.Meaning == m && m.Kind == device.CardTag {
			drop[e.Line] = true
			before = cmp.Or(before, e.Tag)
		}
	}
	return before, c.write(Entry{Tag: tag, Meaning: m}, drop)
}

// Forget removes a tag from the catalogue. If the catalogue does not have the tag, Forget does
// nothing. The tag must be in the form that ParseTag returns. If the file cannot be read,
// Forget writes nothing and returns the error.
func (c *Catalogue) Forget(tag string) error {
	c.disk.Lock()
	defer c.disk.Unlock()
	if c.reload(); c.content.unread != nil {
		return c.content.unread
	}
	for _, e := range c.content.entries {
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
	for _, e := range c.content.entries {
		if e.Tag == entry.Tag {
			if e.Meaning == entry.Meaning && len(omitted) == 0 {
				return nil
			}
			at = e.Line
		}
	}
	var b strings.Builder
	for i, line := range c.content.lines {
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
	if b.Len() == 0 {
		b.WriteString("# no tags\n")
	}
	if err := c.put(c.file, b.String()); err != nil {
		return err
	}
	if c.load(); c.content.unread != nil { // the disk has it, even if it cannot be read again now
		next := c.parse(b.String())
		next.unread, next.faults = c.content.unread, c.content.faults
		c.set(next)
	}
	return nil
}
