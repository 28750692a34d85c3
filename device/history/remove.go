package history

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device"
	"tableside/engine"
)

// Remove removes a player from everything in this folder. It removes the name under which the
// player is shown, and all names that were typed for the player. It changes the log and every
// journal, even deleted journals and copies of journals that were put aside. Each file is
// written whole and sealed again, and replaces the old file.
//
// Remove returns a list of the matches whose journals have changed, without deleted matches.
// The list is right even if an error ends the work.
//
// Remove refuses a name that nobody has. The table still writes the journals of matches in
// use. So if a match in use has the name, Remove refuses and changes nothing.
func (h *History) Remove(name string, inUse func(match string) bool) (changed []string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	typed, err := h.typedNames(name)
	if err != nil {
		return nil, err
	}
	files, err := h.copies(kept)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if id, ok := strings.CutSuffix(filepath.Base(file), suffix); ok && inUse(id) {
			if _, has, err := h.withoutNames(file, typed); err != nil {
				return nil, err
			} else if has {
				return nil, engine.Refuse("players.on-table", "name", name)
			}
		}
	}
	if err := device.DropIndex(h.data); err != nil { // it has names, too
		return nil, fmt.Errorf("%s", plainReason(err))
	}
	for _, file := range files {
		did, err := h.rewrite(file, typed)
		if err != nil {
			return changed, err
		}
		if id, ok := strings.CutSuffix(filepath.Base(file), suffix); did && ok {
			changed = append(changed, id)
		}
	}
	if files, err = h.copies(deleted); err != nil {
		return changed, err
	}
	for _, file := range files {
		if _, err := h.rewrite(file, typed); err != nil {
			return changed, err
		}
	}
	if err := h.rewriteLog(append(typed, name)); err != nil {
		return changed, err
	}
	r, err := h.open() // writes the index without the name
	if err != nil {
		return changed, err
	}
	return changed, r.Close()
}

// copies lists the journals in a folder, and also the copies of them that were set aside.
func (h *History) copies(which int) (paths []string, err error) {
	err = filepath.WalkDir(h.folder(which), func(path string, file fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return err
		case file.IsDir() && path != h.folder(which):
			return fs.SkipDir
		}
		if file.Type().IsRegular() && !strings.HasPrefix(file.Name(), ".") && strings.Contains(file.Name(), suffix) {
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

// rewrite removes the names in typed from a journal. It reports whether the journal had any of
// these names.
func (h *History) rewrite(path string, typed []string) (bool, error) {
	text, changed, err := h.withoutNames(path, typed)
	if err != nil || !changed {
		return false, err
	}
	if err := h.replaces(path); err != nil {
		return false, fmt.Errorf("%s: %s", replacedFile, plainReason(err))
	}
	if err := device.Replace(path, string(text)); err != nil {
		return false, fmt.Errorf("%s: %s", filepath.Base(path), plainReason(err))
	}
	return true, nil
}

// withoutNames returns the text of a journal without the names in typed. changed reports
// whether the journal had any of these names.
func (h *History) withoutNames(path string, typed []string) (text []byte, changed bool, err error) {
	data, err := device.ReadJournal(path)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %s", filepath.Base(path), plainReason(err))
	}
	text, changed = engine.RemoveNames(data, typed, Removed, h.games)
	return text, changed, nil
}

// rewriteLog writes the log without these names. All copies of it that were set aside are
// removed, as they may hold the names, too.
func (h *History) rewriteLog(names []string) error {
	log, err := readLog(h.data)
	if err != nil || !log.headerRead && log.damage == nil {
		return err
	}
	type entry struct {
		at   time.Time
		line []string
	}
	var lines []entry
	for match, note := range log.notes {
		text := engine.ReplaceNames(note.text, names, Removed)
		lines = append(lines, entry{note.at, []string{"note", match, text}})
	}
	for match, deletion := range log.deleted {
		lines = append(lines, entry{deletion.at, []string{"delete", match}})
	}
	for typed, to := range log.names {
		if !slices.Contains(names, typed) && !slices.Contains(names, to.text) {
			lines = append(lines, entry{to.at, []string{"name", typed, to.text}})
		}
	}
	slices.SortStableFunc(lines, func(a, b entry) int {
		if n := a.at.Compare(b.at); n != 0 {
			return n
		}
		return slices.Compare(a.line, b.line)
	})
	sealer := engine.ChainedSealer()
	text := sealer.Seal(logMagic)
	for _, e := range lines {
		text += sealer.Seal(logLine(e.at, e.line))
	}
	path := filepath.Join(h.data, logFile)
	if err := device.Replace(path, text); err != nil {
		return err
	}
	aside, err := filepath.Glob(path + ".aside-*")
	for _, file := range aside {
		if e := os.Remove(file); err == nil {
			err = e
		}
	}
	return err
}
