package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/device/disk"
	"tableside/engine"
)

// A Removal says how far the removal of a name is.
type Removal struct {
	Name string `json:"name"`
	Done int    `json:"done"` // of the files
	All  int    `json:"all"`
}

type removal struct {
	Removal
	cancel context.CancelFunc
}

// Removal returns how far the removal that is under way is, or nil if there is none.
func (h *History) Removal() *Removal {
	if r := h.removal.Load(); r != nil {
		return &r.Removal
	}
	return nil
}

// StopRemoval ends a removal between two files.
func (h *History) StopRemoval() {
	if r := h.removal.Load(); r != nil {
		r.cancel()
	}
}

// Remove removes a player from everything in this folder. It removes the name under which the
// player is shown, and all names that were typed for the player. It changes the log and every
// journal, even deleted journals and copies of journals that were put aside. Each file is
// written whole and sealed again, and replaces the old file. Others may use the history
// meanwhile: Remove never holds more than one match.
//
// Remove refuses a name that nobody has. The table still writes the journals of matches in use.
// So if a match in use has the name, Remove refuses and changes nothing. If somebody continues
// such a match later, or the removal is stopped or fails, what is done stays done: Remove of the
// same name then does the rest.
func (h *History) Remove(ctx context.Context, name string) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if busy := h.Removal(); busy != nil {
		return engine.Refuse("players.busy", "name", busy.Name)
	}
	if !h.removal.CompareAndSwap(nil, &removal{Removal{Name: name}, cancel}) { // another has just begun
		return engine.Refuse("players.busy", "name", name)
	}
	defer h.removal.Store(nil)
	if err = h.updateIndex(); err == nil { // else a journal without the name may seem to have grown
		err = h.remove(ctx, name, cancel)
	}
	if err = cmp.Or(err, h.updateIndex()); errors.Is(err, context.Canceled) {
		return engine.Refuse("players.stopped", "name", name)
	}
	return err
}

func (h *History) updateIndex() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := h.records(true, true)
	return err
}

func (h *History) remove(ctx context.Context, name string, cancel context.CancelFunc) error {
	h.mu.Lock()
	typed, unknown := h.typedNames(name)
	h.mu.Unlock()
	if _, refused := engine.AsRefusal(unknown); unknown != nil && !refused {
		return unknown
	}
	if !slices.Contains(typed, name) { // where a removal has stopped, it may be left in copies or the log
		typed = append(typed, name)
	}
	files, err := h.copies(kept)
	if err != nil {
		return err
	}
	for _, file := range files { // before anything has changed
		if _, err := h.removeFrom(ctx, file, typed, name, false); err != nil {
			return err
		}
	}
	gone, err := h.copies(deleted)
	if err != nil {
		return err
	}
	if err := disk.Sweep(h.data); err != nil { // what is left of writes has names, too
		return disk.Cause(err)
	}
	files = append(files, gone...)
	rewritten := false
	for i, file := range files {
		h.removal.Store(&removal{Removal{name, i, len(files)}, cancel})
		changed, err := h.removeFrom(ctx, file, typed, name, true)
		if err != nil {
			return err
		}
		rewritten = rewritten || changed
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	changed, err := h.rewriteLog(typed)
	if err == nil {
		var there bool
		there, err = h.removeFromImports(typed)
		changed = changed || there
	}
	if err == nil && !rewritten && !changed {
		return unknown
	}
	return err
}

func matchOf(file string) string {
	match, _, _ := strings.Cut(filepath.Base(file), suffix)
	return match
}

// copies lists the journals in a folder, and also the copies of them that were set aside.
func (h *History) copies(which int) (paths []string, err error) {
	entries, err := os.ReadDir(h.folder(which))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") && strings.Contains(e.Name(), suffix) {
			paths = append(paths, filepath.Join(h.folder(which), e.Name()))
		}
	}
	return paths, err
}

// removeFrom removes the names in typed from a file. If change is false, it only looks. It
// refuses if the file belongs to a match in use, and has a name in typed.
func (h *History) removeFrom(ctx context.Context, file string, typed []string, name string, change bool,
) (changed bool, err error) {
	err = h.rewrite(ctx, matchOf(file), func(bool) error {
		if !change {
			return ErrUnchanged
		}
		path := h.locate(file)
		text, has, err := h.withoutNames(path, typed)
		switch {
		case err != nil:
			return err
		case !has:
			return ErrUnchanged
		}
		if err := h.replaces(path); err != nil {
			return fmt.Errorf("%s: %s", replacedFile, disk.Cause(err))
		}
		if err := disk.Replace(path, string(text)); err != nil {
			return fmt.Errorf("%s: %s", filepath.Base(path), disk.Cause(err))
		}
		changed = true
		return nil
	}, ErrInUse)
	if err == ErrInUse {
		var has bool
		if _, has, err = h.withoutNames(h.locate(file), typed); has {
			err = engine.Refuse("players.on-table", "name", name)
		}
	}
	return changed, err
}

func (h *History) locate(file string) string {
	for _, which := range []int{kept, deleted} {
		if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
			file = filepath.Join(h.folder(which), filepath.Base(file))
		}
	}
	return file
}

// withoutNames returns the text of a journal without the names in typed. changed reports
// whether the journal had any of these names.
func (h *History) withoutNames(path string, typed []string) (text []byte, changed bool, err error) {
	data, err := disk.ReadJournal(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil // somebody has taken it away
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s: %s", filepath.Base(path), disk.Cause(err))
	}
	text, changed = engine.RemoveNames(data, typed, NameKey, Removed, h.games)
	return text, changed, nil
}

// rewriteLog writes the log without these names, and reports whether it had any of them. The
// copies of it that were set aside lose the names, too. A damaged log is set aside without them.
func (h *History) rewriteLog(names []string) (changed bool, err error) {
	log, err := readLog(h.data)
	if err != nil || !log.headerRead && log.damage == nil {
		return false, err
	}
	isRemoved := func(name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return SameName(name, other) })
	}
	var lines []logLine
	for _, l := range log.lines {
		words := slices.Clone(l.words)
		switch words[0] {
		case "note":
			words[2] = engine.ReplaceNames(words[2], names, NameKey, Removed)
		case "name", "separate":
			if slices.ContainsFunc(words[1:], isRemoved) {
				changed = true
				continue
			}
		}
		changed = changed || !slices.Equal(words, l.words)
		lines = append(lines, logLine{l.at, words})
	}
	log.lines = lines
	path := filepath.Join(h.data, LogFile)
	aside, err := filepath.Glob(path + ".aside-*")
	if err != nil {
		return false, err
	}
	if log.damage != nil { // write would set it aside, too
		aside = append(aside, path)
	}
	blotted := map[string]string{}
	for _, file := range aside {
		text, err := disk.ReadJournal(file)
		if err != nil {
			return changed, fmt.Errorf("%s: %s", filepath.Base(file), disk.Cause(err))
		}
		without := blot(string(text), names)
		changed = changed || without != string(text)
		if without != string(text) || file == path {
			blotted[file] = without
		}
	}
	if !changed {
		return false, nil
	}
	for file, text := range blotted {
		if file == path {
			file = newAside(path)
		}
		if err := disk.ReplacePrivate(file, text); err != nil {
			return changed, fmt.Errorf("%s: %s", filepath.Base(file), disk.Cause(err))
		}
	}
	return changed, log.save(h.data)
}

// blot returns the lines of a damaged log without these names. A line that had one loses its
// seal, from which the name could be guessed.
func blot(text string, names []string) string {
	quoted := slices.Clone(names)
	for _, name := range names { // as a line of the log has them
		quoted = append(quoted, strings.Trim(engine.Quote(name), `"`))
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if without := engine.ReplaceNames(line, quoted, NameKey, Removed); without != line {
			line = without
			if at := strings.LastIndex(line, " #="); at >= 0 && at == len(line)-len(" #=01234567\n") {
				line = line[:at] + "\n"
			}
		}
		out.WriteString(line)
	}
	return out.String()
}
