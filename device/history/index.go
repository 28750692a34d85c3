package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"tableside/device"
)

const indexFile = "history.json"

// version is the first line of the index. It counts its forms.
const version = `{"version":6}` + "\n"

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
	file, err := os.Open(filepath.Join(data, indexFile))
	if err != nil {
		return x
	}
	defer file.Close()
	info, err := file.Stat()
	first := make([]byte, len(version))
	if _, short := io.ReadFull(file, first); errors.Join(err, short) != nil || string(first) != version {
		return x
	}
	parts := make([][]*line, runtime.GOMAXPROCS(0))
	begin, size := int64(len(version)), info.Size()
	var work sync.WaitGroup
	for i := range parts {
		end := lineAfter(file, begin+(size-begin)/int64(len(parts)-i), size)
		part := io.NewSectionReader(file, begin, end-begin)
		begin = end
		work.Go(func() { parts[i] = readLines(part) })
	}
	work.Wait()
	for _, l := range slices.Concat(parts...) {
		x[l.Key] = l
	}
	return x
}

// lineAfter returns where in a file the next line begins, or the file's size.
func lineAfter(file io.ReaderAt, at, size int64) int64 {
	rest, err := bufio.NewReaderSize(io.NewSectionReader(file, at, size-at), 1<<16).ReadSlice('\n')
	if err != nil {
		return size
	}
	return at + int64(len(rest))
}

// readLines reads lines of JSON.
func readLines(from io.Reader) (lines []*line) {
	known := newCommon()
	for in := bufio.NewReader(from); ; {
		raw, err := in.ReadBytes('\n')
		l := new(line)
		if json.Unmarshal(raw, l) == nil && l.Entry.ID != "" {
			if l.Key == l.Entry.ID {
				l.Key = l.Entry.ID
			}
			known.share(&l.Entry)
			lines = append(lines, l)
		}
		if err != nil {
			return lines
		}
	}
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
	if l == nil || l.Entry.ID != f.id || l.Size != f.size || !l.Changed.Equal(f.changed) ||
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
	return device.WritePrivate(filepath.Join(data, indexFile), func(w io.Writer) error {
		_, err := io.WriteString(w, version)
		out := json.NewEncoder(w)
		for i := range files {
			if f := &files[i]; f.lasts() && err == nil {
				err = out.Encode(line{f.key(), f.size, f.changed, rules[f.entry.Game], *f.entry})
			}
		}
		return err
	})
}
