package history

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"tableside/device"
	"tableside/engine"
)

const (
	maxNoteLen = 500 // letters of a note
	maxNameLen = 24  // of a name, as in a setup
)

// Note keeps a note on a match. An empty text removes the note. If the match is unknown or the
// text is not allowed, the error is an *engine.Refusal. The text of this refusal is in the
// page's catalogue. All methods that change a History refuse in the same way. Any other error
// is about the files.
func (h *History) Note(match, text string, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	text = strings.Join(strings.Fields(text), " ")
	if _, err := h.find(match); err != nil {
		return err
	}
	if len([]rune(text)) > maxNoteLen || !printable(text) {
		return engine.Refuse("past.bad-note", "n", maxNoteLen)
	}
	return h.write(now, []string{"note", match, text})
}

// Rename shows a player under another name. If somebody already has that name, the two are
// shown as one player from then on. The journals do not change.
func (h *History) Rename(name, to string, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	to = strings.TrimSpace(to)
	if to == "" || to == Removed || len([]rune(to)) > maxNameLen || !printable(to) {
		return engine.Refuse("players.bad-name", "n", maxNameLen)
	}
	typed, err := h.typedNames(name)
	if err != nil {
		return err
	}
	var lines [][]string
	for _, one := range typed {
		lines = append(lines, []string{"name", one, to})
	}
	return h.write(now, lines...)
}

// Separate undoes Rename for one typed name, which is shown as a player of its own again.
func (h *History) Separate(typed string, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	log, err := readLog(h.data)
	if err != nil {
		return err
	}
	if _, renamed := log.names[typed]; !renamed {
		return engine.Refuse("players.unknown", "name", typed)
	}
	return log.write(h.data, now, []string{"separate", typed})
}

// Delete moves a match into the folder of deleted ones. It refuses a match for which inUse
// reports true.
func (h *History) Delete(match string, now time.Time, inUse func(match string) bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if match != "" && inUse(match) {
		return engine.Refuse("past.on-table")
	}
	return h.move(match, kept, deleted, []string{"delete", match}, now)
}

// Restore moves a deleted match back to the matches that are not deleted.
func (h *History) Restore(match string, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.move(match, deleted, kept, []string{"restore", match}, now)
}

// move moves a journal from one folder to the other. It writes the log first, because a line
// of the log about a file that was not moved does no harm.
func (h *History) move(match string, from, to int, line []string, now time.Time) error {
	which, err := h.find(match)
	if err != nil || which != from {
		return engine.Refuse("past.unknown", "name", match)
	}
	if err := os.MkdirAll(h.folder(to), 0o750); err != nil {
		return errors.New(plainReason(err))
	}
	target := h.file(to, match)
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		return engine.Refuse("past.there-too", "name", match)
	}
	if err := h.write(now, line); err != nil {
		return err
	}
	if err := os.Rename(h.file(from, match), target); err != nil {
		return fmt.Errorf("%s%s: %v", match, suffix, errors.Unwrap(err))
	}
	for _, folder := range []int{to, from, kept} {
		if err := device.SyncFolder(h.folder(folder)); err != nil {
			return errors.New(plainReason(err))
		}
	}
	return nil
}

// find returns the constant of the folder that holds a match: kept or deleted. If neither
// folder holds the match, find returns a refusal.
func (h *History) find(match string) (which int, err error) {
	if match != "" && !strings.HasPrefix(match, ".") && !strings.ContainsAny(match, `/\`) {
		for _, which := range []int{kept, deleted} {
			info, err := os.Lstat(h.file(which, match))
			if err == nil && info.Mode().IsRegular() {
				return which, nil
			}
		}
	}
	return 0, engine.Refuse("past.unknown", "name", match)
}

// typedNames returns the names that were typed for a player, sorted. name is the name under
// which the player is shown. If there is no such player, typedNames returns a refusal.
func (h *History) typedNames(name string) ([]string, error) {
	r, err := h.open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	found := map[string]bool{}
	for _, typed := range r.typed() {
		if shownAs(r.names, typed) == name {
			found[typed] = true
		}
	}
	if len(found) == 0 {
		return nil, engine.Refuse("players.unknown", "name", name)
	}
	for typed, to := range r.names { // also where a name was corrected during the match
		if to == name {
			found[typed] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// write appends lines to the log.
func (h *History) write(now time.Time, lines ...[]string) error {
	log, err := readLog(h.data)
	if err != nil {
		return err
	}
	return log.write(h.data, now, lines...)
}

func printable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}
