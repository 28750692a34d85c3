package history

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"tableside/device"
	"tableside/engine"
)

const indexFile = "history.json"

// version counts the forms of the index.
const version = 1

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

// entry returns the entry of a journal, if the index knows it as it is now.
func (x index) entry(id string, info fs.FileInfo, games []engine.Game) (Entry, bool) {
	l, known := x.Matches[id]
	return l.Entry, known && l.Entry.ID == id && l.Size == info.Size() && l.Changed.Equal(info.ModTime()) &&
		l.Rules == rulesOf(games, l.Entry.Game)
}

func (x index) put(info fs.FileInfo, rules int, e Entry) {
	x.Matches[e.ID] = line{info.Size(), info.ModTime(), rules, e}
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

// rulesOf returns the version of a game's rules, or 0 if the game is not here.
func rulesOf(games []engine.Game, name string) int {
	i := slices.IndexFunc(games, func(g engine.Game) bool { return g.Info().Name == name })
	if i < 0 {
		return 0
	}
	return games[i].Info().Rules
}
