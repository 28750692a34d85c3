package history

import (
	"maps"
	"slices"
	"time"

	"tableside/engine"
)

// Removed is the text that stands for a removed name in notes. In a journal it stands for the
// name if the name was set during the match. If a seat had the name at the beginning of the
// match, the name is left out instead.
const Removed = "?"

// A Person is somebody who sat at this table.
type Person struct {
	Name    string      `json:"name"`  // as it is shown
	Typed   []string    `json:"typed"` // what was typed at the table, sorted
	Seat    engine.Seat `json:"seat"`  // in the last match, as are Colour and Game
	Colour  string      `json:"colour"`
	Game    string      `json:"game"`
	Last    time.Time   `json:"last"` // when the last match began
	Matches int         `json:"matches"`
	Wins    int         `json:"wins"`
}

// Players returns the people who sat at this table. The people who played last come first. All
// matches except deleted ones count, however they ended.
func (h *History) Players() ([]Person, error) {
	r, err := h.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	found := map[string]*Person{}
	_ = r.Each(false, func(e Entry) error { e.count(found); return nil })
	all := sorted(found)
	typed := r.typed()
	for i := range all {
		p := &all[i]
		p.Typed = slices.DeleteFunc(slices.Clone(typed), func(name string) bool { return shownAs(r.names, name) != p.Name })
	}
	return all, nil
}

// typed returns all names that players have typed, in sorted order. The names in deleted
// matches are among them.
func (r *Reading) typed() []string {
	found := map[string]bool{}
	for _, which := range []int{kept, deleted} {
		_ = r.visitFolder(which, false, func(e Entry) error {
			for _, p := range e.Seats {
				if named(p.Name) {
					found[p.Name] = true
				}
			}
			return nil
		})
	}
	return slices.Sorted(maps.Keys(found))
}

// sorted lists players; whoever played last comes first.
func sorted(found map[string]*Person) []Person {
	all := make([]Person, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		all = append(all, *found[name])
	}
	slices.SortStableFunc(all, func(a, b Person) int { return b.Last.Compare(a.Last) })
	return all
}

// count counts a match for the players of the match. It must be called for the newest match
// first, because the newest match of a player gives the player's seat, colour and game, and
// the time of the player's last match.
func (e *Entry) count(found map[string]*Person) {
	for _, s := range e.Seats {
		if !named(s.Name) {
			continue
		}
		p := found[s.Name]
		if p == nil {
			p = &Person{Name: s.Name, Seat: s.Seat, Colour: s.Colour, Game: e.Game, Last: e.Begin}
			found[s.Name] = p
		}
		p.Matches++
		if s.Won {
			p.Wins++
		}
	}
}

// named reports whether the name of a seat tells which player sat there.
func named(name string) bool { return name != "" && name != Removed }

// players returns the seats of a match, the best first. It leaves out the seat of the table,
// and seats whose player is unknown.
func (e Entry) players() []Player {
	unknown := func(p Player) bool { return !named(p.Name) || p.Seat == engine.Table }
	return slices.DeleteFunc(slices.Clone(e.Seats), unknown)
}
