package history

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"time"

	"tableside/device"
)

const indexFile = "history.json"

// version counts the forms of the index.
const version = 2

// An index holds what the journals said when they were read.
type index struct {
	Version int             `json:"version"`
	Matches map[string]line `json:"matches"`
}

// A line is an entry, with what shows whether it still holds.
type line struct {
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
	Rules   int       `json:"rules"` // with which it was folded
	Entry   Entry     `json:"entry"`
}

// readIndex reads the index of a data folder. It is empty if that cannot be read.
func readIndex(data string) index {
	var x index
	text, err := os.ReadFile(filepath.Join(data, indexFile))
	if err != nil || json.Unmarshal(text, &x) != nil || x.Version != version {
		return index{Version: version}
	}
	return x
}

// next returns an empty index, to be filled.
func (x index) next() index { return index{version, make(map[string]line, len(x.Matches))} }

// key returns the name of a journal in the index.
func (f *found) key() string {
	if f.which == deleted {
		return "deleted/" + f.id
	}
	return f.id
}

// entry returns the entry of a journal, if the index knows it as it is now.
func (x index) entry(f *found, rules map[string]int) (Entry, bool) {
	l, known := x.Matches[f.key()]
	return l.Entry, known && l.Entry.ID == f.id && l.Size == f.info.Size() && l.Changed.Equal(f.info.ModTime()) &&
		l.Rules == rules[l.Entry.Game]
}

func (x index) put(f found, rules int) {
	x.Matches[f.key()] = line{f.info.Size(), f.info.ModTime(), rules, f.entry}
}

// equal reports whether both hold the same journals, as they were at the same time.
func (x index) equal(other index) bool {
	return maps.EqualFunc(x.Matches, other.Matches, func(a, b line) bool {
		return a.Size == b.Size && a.Changed.Equal(b.Changed) && a.Rules == b.Rules
	})
}

func (x index) write(data string) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return device.ReplacePrivate(filepath.Join(data, indexFile), string(text)+"\n")
}
