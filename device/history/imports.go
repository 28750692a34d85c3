package history

import (
	"cmp"
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
	if _, damage := h.imports(); damage != nil || err != nil {
		return Import{}, cmp.Or(err, damage) // what cannot be read may hold the same plays
	}
	seen, people, titles := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, e := range slices.Concat(b.Matches, b.Deleted) {
		seen[e.identity()], seen[identity("play", e.ID)], titles[e.title()[0]] = true, true, true
		for _, p := range e.Seats {
			people[NameKey(p.Name)] = true
		}
	}
	var fresh []Entry
	games, players := counts{}, counts{}
	for _, e := range plays {
		if seen[e.Source] {
			continue
		}
		seen[e.Source] = true
		fresh = append(fresh, e)
		title, _ := h.Describe(e, lang)
		games.add(title, e.Game != otherGame || titles[e.title()[0]])
		for _, p := range e.players() {
			name := shownAs(b.names, p.Name)
			players.add(name, people[NameKey(name)])
		}
	}
	found := Import{Plays: len(fresh), Again: len(plays) - len(fresh), Games: games.list(), Players: players.list()}
	if !keep || len(fresh) == 0 {
		return found, nil
	}
	for ; err == nil; now = now.Add(time.Second) { // until there is no such file
		found.ID = engine.Setup{Begin: now.UTC()}.MatchID()
		_, err = os.Lstat(h.importFile(found.ID))
	}
	for i := range fresh {
		fresh[i].Imported = found.ID
	}
	return found, h.writeImport(found.ID, fresh)
}

// The counts of plays, by NameKey.
type counts map[string]*ImportName

func (c counts) add(name string, known bool) {
	key := NameKey(name)
	if c[key] == nil {
		c[key] = &ImportName{Name: name, Known: known}
	}
	c[key].Plays++
}

func (c counts) list() []ImportName {
	list := []ImportName{}
	for _, key := range slices.Sorted(maps.Keys(c)) {
		list = append(list, *c[key])
	}
	slices.SortStableFunc(list, func(a, b ImportName) int { return b.Plays - a.Plays })
	return list
}

// ForgetImport takes all matches of an import out of the history again.
func (h *History) ForgetImport(id string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := fs.ErrNotExist
	if isMatch(id) {
		err = os.Remove(h.importFile(id))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return engine.Refuse("past.unknown", "name", id)
	}
	return disk.Cause(cmp.Or(err, disk.SyncFolder(filepath.Join(h.data, importFolder))))
}

func (h *History) importFile(id string) string {
	return filepath.Join(h.data, importFolder, id+importSuffix)
}

func (h *History) writeImport(id string, entries []Entry) error {
	text, err := json.Marshal(entries)
	switch {
	case err == nil && len(text) > disk.MaxJournal:
		return tooLarge()
	case err == nil:
		err = disk.Replace(h.importFile(id), string(text))
	}
	if err != nil {
		return fmt.Errorf("%s: %s", importFolder, disk.Cause(err))
	}
	return nil
}

// imports returns the entries of each import. It names the first file that cannot be read, and leaves it out.
func (h *History) imports() (all map[string][]Entry, damage error) {
	files, damage := os.ReadDir(filepath.Join(h.data, importFolder))
	if errors.Is(damage, fs.ErrNotExist) {
		damage = nil
	}
	all = map[string][]Entry{}
	for _, f := range files {
		id, is := strings.CutSuffix(f.Name(), importSuffix)
		if !is || !isMatch(id) {
			continue
		}
		var entries []Entry
		text, err := disk.ReadJournal(h.importFile(id))
		if err = cmp.Or(err, json.Unmarshal(text, &entries)); err != nil {
			damage = cmp.Or(damage, engine.Faultf(0, "%s/%s cannot be read: %s", importFolder, f.Name(), disk.Cause(err)))
			continue
		}
		all[id] = entries
	}
	return all, disk.Cause(damage)
}

// removeFromImports removes names from all imports, and reports whether it changed any.
func (h *History) removeFromImports(names []string) (changed bool, err error) {
	imports, err := h.imports()
	for id, entries := range imports {
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
		if found {
			changed, err = true, cmp.Or(err, h.writeImport(id, entries))
		}
	}
	return changed, err
}
