package history

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"tableside/device"
)

const indexFile = "history.json"

// version is the first line of the index. It counts its forms.
const version = `{"version":6}`

// An index holds what the journals said when they were read: a line of JSON for each.
type index map[string]*line

// A line is an entry, with what shows whether it still holds.
type line struct {
	Key     string    `json:"key"`
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
	Rules   int       `json:"rules"` // with which it was folded
	Entry   Entry     `json:"entry"`
}

// readIndex reads the index of a data folder, on all processors. It lacks what cannot be
// read.
func readIndex(data string) index {
	x := index{}
	text, err := os.ReadFile(filepath.Join(data, indexFile))
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	if err != nil || string(first) != version {
		return x
	}
	workers := runtime.GOMAXPROCS(0)
	parts := make([][]line, workers)
	var work sync.WaitGroup
	for i := range parts {
		end := len(rest) / (workers - i)
		if n := bytes.IndexByte(rest[end:], '\n'); n >= 0 {
			end += n + 1
		} else {
			end = len(rest)
		}
		part := rest[:end]
		rest = rest[end:]
		work.Go(func() { parts[i] = readLines(part) })
	}
	work.Wait()
	for _, part := range parts {
		for i := range part {
			x[part[i].Key] = &part[i]
		}
	}
	return x
}

func readLines(text []byte) []line {
	lines := make([]line, 0, bytes.Count(text, []byte("\n")))
	for raw := range bytes.Lines(text) {
		var l line
		if json.Unmarshal(raw, &l) == nil && l.Entry.ID != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// key returns the name of a journal in the index.
func (f *found) key() string {
	if f.which == deleted {
		return "deleted/" + f.id
	}
	return f.id
}

// entry returns the entry of a journal, or nil if the index does not know it as it is now.
func (x index) entry(f *found, rules map[string]int) *Entry {
	l := x[f.key()]
	if l == nil || l.Entry.ID != f.id || l.Size != f.info.Size() || !l.Changed.Equal(f.info.ModTime()) ||
		l.Rules != rules[l.Entry.Game] {
		return nil
	}
	return &l.Entry
}

// holds reports whether the index has exactly what it should have of these journals.
func (x index) holds(files []found) bool {
	n := 0
	for i := range files {
		if f := &files[i]; f.lasts() {
			if n++; !f.known {
				return false
			}
		}
	}
	return n == len(x)
}

// lasts reports whether an entry holds as long as its file stays as it is: one that can
// still be played changes with every input.
func (f *found) lasts() bool { return f.entry.State != "unfinished" }

// writeIndex writes the index of these journals.
func writeIndex(data string, files []found, rules map[string]int) error {
	var text strings.Builder
	text.WriteString(version + "\n")
	out := json.NewEncoder(&text)
	for i := range files {
		f := &files[i]
		if !f.lasts() {
			continue
		}
		if err := out.Encode(line{f.key(), f.info.Size(), f.info.ModTime(), rules[f.entry.Game], *f.entry}); err != nil {
			return err
		}
	}
	return device.ReplacePrivate(filepath.Join(data, indexFile), text.String())
}
