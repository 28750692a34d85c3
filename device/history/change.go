package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"tableside/device/disk"
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
	if len([]rune(text)) > maxNoteLen || engine.MarkUnseen(text) != text {
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
	switch {
	case engine.MarkUnseen(to) != to:
		return engine.Refuse("players.name-unseen", "name", engine.Literal(engine.MarkUnseen(to)))
	case to == "" || to == Removed || len([]rune(to)) > maxNameLen:
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
	if _, renamed := log.shownNames()[NameKey(typed)]; !renamed {
		return engine.Refuse("players.unknown", "name", typed)
	}
	return log.write(h.data, now, []string{"separate", typed})
}

// Delete moves a match into the folder of deleted ones. It refuses a match that is on the table,
// or that the table asks to continue.
func (h *History) Delete(match string, now time.Time) error {
	return h.rewrite(context.Background(), match, func(waits bool) error {
		if waits {
			return ErrInUse
		}
		return h.move(match, kept, deleted, []string{"delete", match}, now)
	}, engine.Refuse("past.on-table"))
}

// Restore moves a deleted match back to the matches that are not deleted.
func (h *History) Restore(match string, now time.Time) error {
	return h.rewrite(context.Background(), match, func(bool) error {
		return h.move(match, deleted, kept, []string{"restore", match}, now)
	}, engine.Refuse("past.on-table"))
}

// rewrite calls a function that changes the files of a match, while nobody else uses them. If
// the match is in use, rewrite returns the error inUse.
func (h *History) rewrite(ctx context.Context, match string, change func(waits bool) error, inUse error) error {
	alone := func(waits bool) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		return change(waits)
	}
	err := h.Rewrite(ctx, match, alone)
	switch err {
	case ErrInUse:
		return inUse
	case ErrUnchanged:
		return nil
	}
	return err
}

// move moves a journal from one folder to the other. It writes the log first, because a line
// of the log about a file that was not moved does no harm.
func (h *History) move(match string, from, to int, line []string, now time.Time) error {
	which, err := h.find(match)
	if err != nil || which != from {
		return engine.Refuse("past.unknown", "name", match)
	}
	if err := os.MkdirAll(h.folder(to), 0o750); err != nil {
		return disk.Cause(err)
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
		if err := disk.SyncFolder(h.folder(folder)); err != nil {
			return disk.Cause(err)
		}
	}
	return nil
}

// isMatch reports whether a match can have this name. The name must not be empty or hidden, and
// must be the name of a file in the folder rather than a path.
func isMatch(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, `/\`)
}

// find returns the constant of the folder that holds a match: kept or deleted. If neither
// folder holds the match, find returns a refusal.
func (h *History) find(match string) (which int, err error) {
	if isMatch(match) {
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
	b, err := h.read()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, typed := range b.typed {
		if SameName(shownAs(b.names, typed), name) {
			found[typed] = true
		}
	}
	for typed, to := range b.log.names { // also where a name was corrected during the match
		if SameName(to.text, name) {
			found[typed] = true
		}
	}
	if len(found) == 0 {
		return nil, engine.Refuse("players.unknown", "name", name)
	}
	return slices.Sorted(maps.Keys(found)), nil
}

func (h *History) write(now time.Time, lines ...[]string) error {
	log, err := readLog(h.data)
	if err != nil {
		return err
	}
	return log.write(h.data, now, lines...)
}
