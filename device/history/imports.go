package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device/disk"
	"tableside/engine"
)

// importFolder is the folder with a file of entries for each import. Such matches have no journal.
const importFolder = "imports"

const importSuffix = ".json"

// An Import says what a file of plays holds, and what of it the history has taken.
type Import struct {
	ID      string       `json:"id,omitempty"` // with which ForgetImport takes it back; "" if nothing was taken
	Plays   int          `json:"plays"`        // that are new
	Again   int          `json:"again"`        // that the history has, also as deleted ones; they are left out
	Games   []ImportName `json:"games"`        // of the new plays, by how often they were played
	Players []ImportName `json:"players"`
}

// An ImportName is a game by its title, or a player.
type ImportName struct {
	Name  string `json:"name"`
	Plays int    `json:"plays"`
	Known bool   `json:"known"` // the history has others of this game, or the program knows it; or of this player
}

// Import reads a file of plays that another program kept, and with keep adds those that are new to
// the history, all of them or none. It writes one file, which ForgetImport removes.
func (h *History) Import(data string, keep bool, lang engine.Lang, now time.Time) (Import, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	b, err := h.read()
	if err != nil {
		return Import{}, err
	}
	plays, err := h.readPlays(data)
	if err != nil {
		return Import{}, err
	}
	seen, people, titles := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range slices.Concat(b.Matches, b.Deleted) {
		seen[e.identity()], seen[identity("play", e.ID)] = true, true
		titles[e.title()[0]] = true
		for _, p := range e.Seats {
			people[NameKey(p.Name)] = true
		}
	}
	var fresh []Entry
	games, players := map[string]*ImportName{}, map[string]*ImportName{}
	for _, e := range plays {
		if seen[e.Source] || seen[e.Also] {
			continue
		}
		seen[e.Source] = true
		fresh = append(fresh, e)
		title, _ := h.Describe(e, lang)
		count(games, title, title, e.Game != otherGame || titles[e.title()[0]])
		for _, p := range e.players() {
			name := shownAs(b.names, p.Name)
			count(players, NameKey(name), name, people[NameKey(name)])
		}
	}
	found := Import{Plays: len(fresh), Again: len(plays) - len(fresh), Games: listed(games), Players: listed(players)}
	if !keep || len(fresh) == 0 {
		return found, nil
	}
	for {
		found.ID = engine.Setup{Begin: now.UTC()}.MatchID()
		if _, err := os.Lstat(h.importFile(found.ID)); errors.Is(err, fs.ErrNotExist) {
			break
		}
		now = now.Add(time.Second)
	}
	for i := range fresh {
		fresh[i].Imported, fresh[i].Also = found.ID, ""
	}
	if err := os.MkdirAll(filepath.Join(h.data, importFolder), 0o750); err != nil {
		return Import{}, disk.Cause(err)
	}
	return found, h.writeImport(found.ID, fresh)
}

func count(names map[string]*ImportName, key, name string, known bool) {
	if names[key] == nil {
		names[key] = &ImportName{Name: name, Known: known}
	}
	names[key].Plays++
}

func listed(names map[string]*ImportName) []ImportName {
	list := []ImportName{}
	for _, key := range slices.Sorted(maps.Keys(names)) {
		list = append(list, *names[key])
	}
	slices.SortStableFunc(list, func(a, b ImportName) int { return b.Plays - a.Plays })
	return list
}

// ForgetImport takes all matches of an import out of the history again.
func (h *History) ForgetImport(id string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !isMatch(id) {
		return engine.Refuse("past.unknown", "name", id)
	}
	err := os.Remove(h.importFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return engine.Refuse("past.unknown", "name", id)
	}
	if err == nil {
		err = disk.SyncFolder(filepath.Join(h.data, importFolder))
	}
	if err != nil {
		return disk.Cause(err)
	}
	return nil
}

func (h *History) importFile(id string) string {
	return filepath.Join(h.data, importFolder, id+importSuffix)
}

func (h *History) writeImport(id string, entries []Entry) error {
	text, err := json.Marshal(entries)
	if err == nil {
		err = disk.Replace(h.importFile(id), string(text))
	}
	if err != nil {
		return fmt.Errorf("%s: %s", importFolder, disk.Cause(err))
	}
	return nil
}

// imports calls a function with the entries of each import, the oldest first. It names the first file
// that cannot be read, and leaves it out.
func (h *History) imports(do func(id string, entries []Entry) error) (damage error) {
	files, err := os.ReadDir(filepath.Join(h.data, importFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Cause(err)
	}
	for _, f := range files {
		id, is := strings.CutSuffix(f.Name(), importSuffix)
		if !is || !isMatch(id) {
			continue
		}
		var entries []Entry
		text, err := disk.ReadJournal(h.importFile(id))
		if err == nil {
			err = json.Unmarshal(text, &entries)
		}
		if err != nil {
			err = engine.Faultf(0, "%s/%s cannot be read: %s", importFolder, f.Name(), disk.Cause(err))
		} else {
			err = do(id, entries)
		}
		if damage == nil {
			damage = err
		}
	}
	return damage
}

// removeFromImports removes names from all imports, and reports whether it changed any.
func (h *History) removeFromImports(names []string) (changed bool, err error) {
	err = h.imports(func(id string, entries []Entry) error {
		found := false
		for i := range entries {
			e := &entries[i]
			note := engine.ReplaceNames(e.Note, names, NameKey, Removed)
			found = found || note != e.Note
			e.Note = note
			for j := range e.Seats {
				if slices.ContainsFunc(names, func(name string) bool { return SameName(name, e.Seats[j].Name) }) {
					e.Seats[j].Name, found = "", true
				}
			}
		}
		if !found {
			return nil
		}
		changed = true
		return h.writeImport(id, entries)
	})
	return changed, err
}
