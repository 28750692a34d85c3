package history

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device"
)

const indexFile = "history.json"

// indexVersion is the first line of the index. The number in this line changes when the form of
// the index changes, or when a game counts its figures in a new way.
const indexVersion = `{"version":8}` + "\n"

// A mark is the first part of a line of the index. It shows whether the entry in the line is
// still valid. A tab and the entry follow the mark. The lines are in the order of
// journalFile.compare.
type mark struct {
	ID      string    `json:"id"`
	Deleted bool      `json:"deleted,omitempty"`
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
	Game    string    `json:"game"`
	Rules   int       `json:"rules"` // the version with which the match was folded
}

// openIndex opens the index of a data folder. If the folder has no index of the present
// version, openIndex returns nil.
func openIndex(data string) *os.File {
	file, err := os.Open(filepath.Join(data, indexFile))
	if err != nil {
		return nil
	}
	first := make([]byte, len(indexVersion))
	if _, err := io.ReadFull(file, first); err != nil || string(first) != indexVersion {
		_ = file.Close()
		return nil
	}
	return file
}

// compare compares a journal with another journal, given by its folder and id. The result is
// negative if f comes first, 0 if both are the same journal, and positive if f comes later.
// Deleted journals come last. In each folder the newest journal comes first. The id of a
// journal shows its age, because an id is the time at which a match began.
func (f *journalFile) compare(folder int, id string) int {
	return cmp.Or(cmp.Compare(f.folder, folder), strings.Compare(id, f.id))
}

// lookUp finds the entries of journals in the index, and records where they are. files must be
// sorted. rules holds the version of the rules for each game. If the entry of a journal is out
// of date or missing, lookUp records nothing for this journal. It returns the number of lines
// of the index, up to the first line that cannot be read.
func lookUp(index *os.File, files []journalFile, rules map[string]int) (lines int) {
	for i := range files {
		files[i].lineOffset, files[i].lineLength = 0, 0
	}
	if index == nil {
		return 0
	}
	at := int64(len(indexVersion))
	in := bufio.NewReader(io.NewSectionReader(index, at, 1<<62))
	var line []byte
	for ; ; lines++ {
		var err error
		line, err = appendLine(line[:0], in)
		var m mark
		head, _, _ := bytes.Cut(line, []byte("\t"))
		if err != nil || json.Unmarshal(head, &m) != nil {
			return lines
		}
		which := kept
		if m.Deleted {
			which = deleted
		}
		for len(files) > 0 && files[0].compare(which, m.ID) < 0 {
			files = files[1:]
		}
		if len(files) > 0 && files[0].compare(which, m.ID) == 0 {
			f := &files[0]
			if f.size == m.Size && f.modTime.Equal(m.Changed) && rules[m.Game] == m.Rules {
				f.lineOffset, f.lineLength = at, len(line)-1
			}
		}
		at += int64(len(line))
	}
}

// appendLine appends the next line of a file to b, with its line break, and returns the
// result. At the end of the file, the line may be cut off or missing. appendLine then appends
// the part that is there, and also returns io.EOF.
func appendLine(b []byte, in *bufio.Reader) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		if b = append(b, part...); err != bufio.ErrBufferFull {
			return b, err
		}
	}
}

// isKnown reports whether the index has an entry for the present state of a journal.
func (f *journalFile) isKnown() bool { return f.lineLength > 0 }

// restTime is how long the journal of an unfinished match must have stayed unchanged before
// its entry goes into the index. Without this pause, the index would be written again after
// every input of a match under way.
const restTime = time.Hour

// isIndexDue reports whether the entry of a journal should now be written to the index.
func (f *journalFile) isIndexDue(now time.Time) bool {
	return f.entry.State != "unfinished" || now.Sub(f.modTime) > restTime
}

// errUnchanged says that the index need not be written, because it is right already.
var errUnchanged = errors.New("the index has not changed")

// batchSize is the number of journals that are read together while the index is made. It is
// also the number of entries that are decoded together.
const batchSize = 256

// renew writes a new index of journals. It copies the entries that the old index has, and
// reads the other journals. Some entries should not go into the index yet, and stay in memory
// only. lines is the number of lines of the old index. If nothing has changed, renew keeps the
// old index and returns errUnchanged.
func (h *History) renew(old *os.File, lines int, files []journalFile, rules map[string]int) error {
	now := time.Now()
	return device.WritePrivate(filepath.Join(h.data, indexFile), func(w io.Writer) error {
		if _, err := io.WriteString(w, indexVersion); err != nil {
			return err
		}
		at, added, written := int64(len(indexVersion)), 0, 0
		for part := range slices.Chunk(files, batchSize) {
			h.fold(part)
			for i := range part {
				f := &part[i]
				if f.entry != nil && !f.isIndexDue(now) {
					continue
				}
				if !f.isKnown() {
					added++
				}
				line, err := f.line(old, rules)
				if err == nil {
					_, err = w.Write(append(line, '\n'))
				}
				if err != nil {
					return err
				}
				f.entry, f.lineOffset, f.lineLength = nil, at, len(line)
				at += int64(len(line)) + 1
				written++
			}
		}
		if added == 0 && written == lines {
			return errUnchanged
		}
		return nil
	})
}

// line returns the line that the index has for a journal, without the line break. If the entry
// of the journal is in memory, the line is made from this entry. Otherwise the line is copied
// from the old index.
func (f *journalFile) line(old io.ReaderAt, rules map[string]int) ([]byte, error) {
	if f.entry == nil {
		line := make([]byte, f.lineLength, f.lineLength+1)
		_, err := old.ReadAt(line, f.lineOffset)
		return line, err
	}
	head, err := json.Marshal(mark{f.id, f.folder == deleted, f.size, f.modTime, f.entry.Game, rules[f.entry.Game]})
	if err != nil {
		return nil, err
	}
	entry, err := json.Marshal(f.entry)
	return slices.Concat(head, []byte("\t"), entry), err
}
