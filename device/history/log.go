package history

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// LogFile is the name of the log in the data folder; logMagic is its first line. Every line ends
// with a seal, as in a journal. A seal is a checksum that also covers the seal of the line
// before.
const (
	LogFile  = "history.log"
	logMagic = "tableside-history 1"
)

// A logContent is the content of the log.
type logContent struct {
	notes   map[string]timedText // by match
	deleted map[string]timedText // by match
	names   map[string]timedText // under which a player is shown, by what was typed

	lines      []logLine // all that could be read
	headerRead bool      // the first line has been read
	damage     error     // why the next line cannot be read; nil if there is none, or it only lacks its end
}

// A logLine is a line of the log: a verb and its arguments, and when it was written.
type logLine struct {
	at    time.Time
	words []string
}

// A timedText is a text with the time at which it was written.
type timedText struct {
	at   time.Time
	text string
}

// readLog reads the log of a data folder. If there is no log, the result is empty. If the last
// line has no line break, power was cut while this line was written, and readLog drops the
// line. The first line is never cut so, because write makes a new log as a whole. If the log is
// damaged, only the lines before the damage count, and the field damage has the reason.
func readLog(data string) (logContent, error) {
	c := logContent{notes: map[string]timedText{}, deleted: map[string]timedText{}, names: map[string]timedText{}}
	text, err := disk.ReadJournal(filepath.Join(data, LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("%s: %s", LogFile, disk.Cause(err))
	}
	if len(text) == 0 {
		c.damage = inLog(engine.Faultf(0, "the file is empty"), 0) // save never leaves it so
	}
	sealer, number := engine.ChainedSealer(), 0
	for line := range strings.Lines(string(text)) {
		number++
		raw, whole := strings.CutSuffix(line, "\n")
		switch {
		case !whole && !c.headerRead:
			err = engine.Faultf(0, "got %q, want %q", raw, logMagic)
		case strings.IndexByte(raw, 0) >= 0: // no power cut leaves them in a line
			err = engine.Faultf(0, "got zeros, want text")
		case !whole:
			return c, nil
		default:
			if line, err = sealer.Open(raw); err == nil {
				err = c.take(line)
			}
		}
		if err != nil {
			c.damage = inLog(err, number)
			break
		}
	}
	return c, nil
}

// Damage returns what is wrong with the log and the imports, or nil if they are whole.
func (h *History) Damage() error {
	log, err := readLog(h.data)
	_, damage := h.imports()
	return cmp.Or(err, log.damage, damage)
}

func inLog(err error, number int) error {
	syntax, ok := errors.AsType[*engine.SyntaxError](err)
	if !ok {
		return err
	}
	here := *syntax
	here.File, here.Line = LogFile, number
	return &here
}

// argCounts holds the verbs of the log, each with the number of its arguments.
var argCounts = map[string]int{"note": 2, "delete": 1, "restore": 1, "name": 2, "separate": 1}

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
	var words []string
	for _, token := range tokens {
		words = append(words, token.Text)
	}
	if len(words) < 3 || argCounts[words[1]] != len(words)-2 {
		return engine.Faultf(0, "want a line such as %q, with a time before it", "note MATCH TEXT")
	}
	at, err := time.Parse(time.RFC3339, words[0])
	if err != nil {
		return engine.Faultf(0, "%q is not a time such as %s", words[0], time.RFC3339)
	}
	c.lines = append(c.lines, logLine{at, words[1:]})
	c.do(at, words[1], words[2], words[len(words)-1])
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
		maps.DeleteFunc(c.names, func(typed string, _ timedText) bool { return SameName(typed, subject) })
	}
}

func (c *logContent) shownNames() map[string]string {
	typed := slices.SortedFunc(maps.Keys(c.names), func(a, b string) int { // of two spellings the newest decides
		return cmp.Or(c.names[a].at.Compare(c.names[b].at), cmp.Compare(a, b))
	})
	names := make(map[string]string, len(c.names))
	for _, name := range typed {
		names[NameKey(name)] = c.names[name].text
	}
	return names
}

// tell returns an entry with the note on the match, and with the names under which players are
// shown. aliases is the result of shownNames.
func (c *logContent) tell(e Entry, aliases map[string]string) Entry {
	e.Note = cmp.Or(c.notes[e.ID].text, e.Note) // an imported match has one of its own
	if len(aliases) == 0 {
		return e
	}
	e.Seats = slices.Clone(e.Seats)
	for i := range e.Seats {
		e.Seats[i].Name = shownAs(aliases, e.Seats[i].Name)
	}
	return e
}

func shownAs(names map[string]string, typed string) string {
	if to, renamed := names[NameKey(typed)]; renamed {
		return to
	}
	return typed
}

// write adds lines to the log in a data folder, and returns once the disk has them. Each line is
// given as a verb and its arguments. If the log is damaged, write first copies the log aside. The
// new lines then follow the last good line.
func (c *logContent) write(data string, now time.Time, lines ...[]string) error {
	if c.damage != nil {
		if err := setAside(filepath.Join(data, LogFile)); err != nil {
			return err
		}
	}
	for _, words := range lines {
		c.lines = append(c.lines, logLine{now, words})
	}
	return c.save(data)
}

// save writes the whole log, which has a line for each thing that somebody has said on the page.
func (c *logContent) save(data string) error {
	sealer := engine.ChainedSealer()
	var text strings.Builder
	text.WriteString(sealer.Seal(logMagic))
	for _, l := range c.lines {
		line := l.at.UTC().Format(time.RFC3339)
		for _, word := range l.words {
			line += " " + engine.Quote(word)
		}
		text.WriteString(sealer.Seal(line))
	}
	if err := disk.Replace(filepath.Join(data, LogFile), text.String()); err != nil {
		return fmt.Errorf("%s: %s", LogFile, disk.Cause(err))
	}
	return nil
}

func setAside(path string) error {
	text, err := disk.ReadJournal(path)
	if err != nil {
		return err
	}
	return disk.ReplacePrivate(newAside(path), string(text))
}

func newAside(path string) string {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.aside-%d", path, n)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside
		}
	}
}
