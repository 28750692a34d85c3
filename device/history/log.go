package history

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tableside/device"
	"tableside/engine"
)

// The file of the log in the data folder, and the first line of this file. Every line ends
// with a seal, as in a journal. A seal is a checksum that also covers the seal of the line
// before.
const (
	logFile  = "history.log"
	logMagic = "tableside-history 1"
)

// A logContent is the content of the log.
type logContent struct {
	notes   map[string]timedText // by match
	deleted map[string]timedText // by match
	names   map[string]timedText // under which a player is shown, by what was typed

	headerRead bool // the first line has been read
	length     int  // bytes of the lines that have been read
	sealer     engine.Sealer
	damage     error // why the next line cannot be read; nil if there is none, or it only lacks its end
}

// A timedText is a text with the time at which it was written.
type timedText struct {
	at   time.Time
	text string
}

// readLog reads the log of a data folder. If there is no log, the result is empty. If the last
// line has no line break, power was cut while this line was written, and readLog drops the
// line. If the log is damaged, only the lines before the damage count, and the field damage
// has the reason.
func readLog(data string) (logContent, error) {
	c := logContent{notes: map[string]timedText{}, deleted: map[string]timedText{}, names: map[string]timedText{},
		sealer: engine.ChainedSealer()}
	text, err := device.ReadJournal(filepath.Join(data, logFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("%s: %s", logFile, plainReason(err))
	}
	for number := 1; ; number++ {
		raw, _, whole := bytes.Cut(text[c.length:], []byte("\n"))
		if !whole {
			return c, nil
		}
		sealer := c.sealer
		line, err := sealer.Open(string(raw))
		if err == nil {
			err = c.take(line)
		}
		if err != nil {
			c.damage = inLog(err, number)
			return c, nil
		}
		c.sealer = sealer
		c.length += len(raw) + 1
	}
}

// inLog returns an error about a line of the log. To a syntax error it adds the name of the
// log and the number of the line. Any other error is returned unchanged.
func inLog(err error, number int) error {
	syntax, ok := errors.AsType[*engine.SyntaxError](err)
	if !ok {
		return err
	}
	here := *syntax
	here.File, here.Line = logFile, number
	return &here
}

// forms holds the verbs of the log, each with the form of its line.
var forms = map[string]string{
	"note": "note MATCH TEXT", "delete": "delete MATCH", "restore": "restore MATCH",
	"name": "name TYPED SHOWN", "separate": "separate TYPED",
}

// take reads a line and does what it says. An error says what is wrong with the line.
func (c *logContent) take(line string) error {
	if !c.headerRead {
		c.headerRead = line == logMagic
		if !c.headerRead {
			return engine.Faultf(0, "got %q, want %q", line, logMagic)
		}
		return nil
	}
	tokens, err := engine.Tokens(line)
	if err != nil {
		return err
	}
	if len(tokens) < 2 {
		return engine.Faultf(0, "want a time and what was said")
	}
	at, err := time.Parse(time.RFC3339, tokens[0].Text)
	if err != nil {
		return engine.Faultf(0, "%q is not a time such as %s", tokens[0].Text, time.RFC3339)
	}
	verb := tokens[1].Text
	form := forms[verb]
	if form == "" {
		return engine.Faultf(0, "%q is not known; must be one of %s", verb,
			strings.Join(slices.Sorted(maps.Keys(forms)), ", "))
	}
	args := tokens[2:]
	if len(args) != len(strings.Fields(form))-1 {
		return engine.Faultf(0, "want a line such as %q, with a time before it", form)
	}
	c.do(at, verb, args[0].Text, args[len(args)-1].Text)
	return nil
}

// do carries out a line of the log. verb is the verb of the line. subject is its first
// argument, a match or a typed name. text is its last argument.
func (c *logContent) do(at time.Time, verb, subject, text string) {
	switch verb {
	case "note":
		c.notes[subject] = timedText{at, text}
		if text == "" {
			delete(c.notes, subject)
		}
	case "delete":
		c.deleted[subject] = timedText{at, ""}
	case "restore":
		delete(c.deleted, subject)
	case "name":
		c.names[subject] = timedText{at, text}
	case "separate":
		delete(c.names, subject)
	}
}

// shownNames returns a map from typed names to the names that are shown for them. Only typed
// names for which another name is shown are in the map.
func (c *logContent) shownNames() map[string]string {
	names := make(map[string]string, len(c.names))
	for typed, to := range c.names {
		if to.text != typed {
			names[typed] = to.text
		}
	}
	return names
}

// tell returns an entry with the note on the match, and with the names under which players are
// shown. aliases is the result of shownNames.
func (c *logContent) tell(e Entry, aliases map[string]string) Entry {
	e.Note = c.notes[e.ID].text
	if len(aliases) > 0 {
		e.Seats = slices.Clone(e.Seats)
	}
	for i := range e.Seats {
		if to, renamed := aliases[e.Seats[i].Name]; renamed {
			e.Seats[i].Name = to
		}
	}
	return e
}

func shownAs(names map[string]string, typed string) string {
	if to, renamed := names[typed]; renamed {
		return to
	}
	return typed
}

// write appends lines to the log in a data folder, and returns once the disk has the lines.
// Each line is given as a verb and its arguments. write puts the present time before the verb.
// If the log is damaged, write first copies the log aside. The new lines then follow the last
// good line.
func (c *logContent) write(data string, now time.Time, lines ...[]string) (err error) {
	path := filepath.Join(data, logFile)
	if c.damage != nil {
		if err := setAside(path); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o640)
	if err != nil {
		return fmt.Errorf("%s: %s", logFile, plainReason(err))
	}
	defer func() {
		if e := f.Close(); err == nil && e != nil {
			err = fmt.Errorf("%s: %s", logFile, plainReason(e))
		}
	}()
	var text strings.Builder
	if !c.headerRead {
		text.WriteString(c.sealer.Seal(logMagic))
	}
	for _, words := range lines {
		text.WriteString(c.sealer.Seal(logLine(now, words)))
	}
	err = f.Truncate(int64(c.length))
	if err == nil {
		_, err = f.WriteAt([]byte(text.String()), int64(c.length))
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = device.SyncFolder(data)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %s", logFile, plainReason(err)), f.Truncate(int64(c.length)))
	}
	return nil
}

// logLine returns a line of the log.
func logLine(at time.Time, words []string) string {
	line := at.UTC().Format(time.RFC3339)
	for _, word := range words {
		line += " " + engine.Quote(word)
	}
	return line
}

// setAside copies a file to a new name beside it, which ends in .aside-1, .aside-2 and so on.
func setAside(path string) error {
	text, err := device.ReadJournal(path)
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.aside-%d", path, n)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return device.ReplacePrivate(aside, string(text))
		}
	}
}
