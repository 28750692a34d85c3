package history

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// indexFile is the name of the index, a file in the data folder. It begins with indexVersion.
// Then it has a line of JSON for each match, sealed. The index spares the program from reading all
// journals again. It can be deleted at any time.
const indexFile = "matches.index"

// indexVersion changes when the form of the index changes, or when a game counts its figures in
// a new way.
const indexVersion = "tableside-index 5\n"

// A record is what the index knows of a match. Size and time of the journal and the version of
// the rules show whether the record is still valid.
type record struct {
	journalName
	Size    int64            `json:"size"`
	Changed time.Time        `json:"changed"`
	Rules   int              `json:"rules"` // with which the match was folded
	Info    engine.MatchInfo `json:"info"`
	Entry   json.RawMessage  `json:"entry,omitempty"` // nil until somebody asks for the history: it takes a fold
}

// A journalName names a journal in one of the two folders.
type journalName struct {
	ID     string `json:"id"`
	Folder int    `json:"folder"`
}

// records returns what is known of each journal: first of those that are kept, then of the
// deleted ones, each the newest first. The id of a journal shows its age, because an id is the
// time at which a match began. If full is set, all records have an Entry.
//
// records reads only the journals that are new or have changed since the index was written, and
// then replaces the index. It is always written whole, because an old line may have a name that was
// removed from the journal. The journal of an unfinished match grows as the match goes on: this does
// not have the index written, unless clean is set.
//
// A disk without room costs the index if clean is set, or if the old index may have a name that was
// removed: one of its lines is damaged, or a journal is gone or has changed in any other way than by
// growing. Otherwise the old index stays. If clean is set, an error says that not even removing the
// index was possible.
func (h *History) records(full, clean bool) ([]record, error) {
	files, err := h.files()
	if err != nil {
		return nil, err
	}
	rules := make(map[string]int, len(h.games))
	for _, g := range h.games {
		info := g.Info()
		rules[info.Name] = info.Rules
	}
	known, whole := h.readIndex()
	differs, loses := make([]bool, len(files)), make([]bool, len(files))
	parallel(len(files), func(i int) {
		f := &files[i]
		k, has := known[f.journalName]
		same := has && k.Size == f.Size && k.Changed.Equal(f.Changed)
		if same && k.Rules == rules[k.Info.Game] && (k.Entry != nil || !full) {
			*f = k
			return
		}
		h.sum(f, full)
		f.Rules = rules[f.Info.Game]
		grows := k.Info.State == "unfinished" && f.Size > k.Size
		goesOn := grows && f.Info.State == "unfinished"
		differs[i] = has && (clean || !goesOn) || !has && f.isLasting()
		loses[i] = has && !same && !grows
	})
	for _, f := range files {
		delete(known, f.journalName)
	}
	obsolete := []string{"matches.json", "history.json"} // of earlier versions; they may have names, too
	damaged := known != nil && !whole
	if (!whole || len(known) > 0 || slices.Contains(differs, true)) && h.writeIndex(files) != nil &&
		(clean || damaged || len(known) > 0 || slices.Contains(loses, true)) {
		obsolete = append(obsolete, indexFile)
	}
	for _, name := range obsolete {
		if err := os.Remove(filepath.Join(h.data, name)); err != nil && !errors.Is(err, fs.ErrNotExist) && clean {
			return nil, fmt.Errorf("%s: %s", name, disk.Cause(err))
		}
	}
	return files, nil
}

// isLasting reports whether the index may keep the record. A journal with a fault is read again
// each time, so that the fault is named in the table's present language. A journal of which
// only a part of the head was written is no match.
func (r *record) isLasting() bool { return r.Info.State != "" && r.Info.Reason == "" }

// files lists the journals of both folders, in the order of records.
func (h *History) files() (all []record, err error) {
	for _, which := range []int{kept, deleted} {
		entries, err := os.ReadDir(h.folder(which))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range slices.Backward(entries) {
			id, ok := strings.CutSuffix(e.Name(), suffix)
			if !ok || strings.HasPrefix(id, ".") || !e.Type().IsRegular() {
				continue
			}
			f := record{journalName: journalName{id, which}}
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) { // it has just been taken away
				continue
			}
			if err == nil { // else reading it says what is wrong
				f.Size, f.Changed = info.Size(), info.ModTime()
			}
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b record) int { // the suffix has changed the order
		return cmp.Or(a.Folder-b.Folder, strings.Compare(b.ID, a.ID))
	})
	return all, nil
}

// sum reads a journal, and sets what is known of the match.
func (h *History) sum(r *record, full bool) {
	data, err := disk.ReadJournal(h.file(r.Folder, r.ID))
	if err == nil {
		r.Info = h.Info(r.ID, data)
		if full {
			r.Entry, err = json.Marshal(sum(r.ID, data, h.games, nil))
		}
	}
	if err != nil {
		e := blank(r.ID)
		r.Info, e.Reason = noInfo(r.ID), disk.Cause(err).Error()
		r.Info.Reason = disk.Reason(err, h.Lang)
		r.Entry, _ = json.Marshal(e)
	}
	if text, err := json.Marshal(r); err == nil { // a word of the journal would keep all of it in memory
		*r = record{}
		_ = json.Unmarshal(text, r)
	}
}

// readIndex reads the index, and reports whether it is whole. It is not if it is missing, has
// another version, or has a bad line or two lines of a match.
func (h *History) readIndex() (known map[journalName]record, whole bool) {
	data, err := os.ReadFile(filepath.Join(h.data, indexFile))
	text, current := strings.CutPrefix(string(data), indexVersion)
	if err != nil || !current {
		return nil, false
	}
	known, lines := map[journalName]record{}, 0
	for sealed := range strings.Lines(text) {
		lines++
		var r record
		if line, intact := engine.Unseal(sealed); intact && json.Unmarshal([]byte(line), &r) == nil {
			known[r.journalName] = r
		}
	}
	return known, len(known) == lines
}

func (h *History) writeIndex(records []record) error {
	text := []byte(indexVersion)
	for i := range records {
		if records[i].isLasting() {
			line, err := json.Marshal(&records[i])
			if err != nil {
				return err
			}
			text = append(text, engine.Seal(string(line))...)
		}
	}
	path := filepath.Join(h.data, indexFile)
	if _, err := os.Lstat(path); len(text) == len(indexVersion) && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return disk.ReplacePrivate(path, string(text))
}
