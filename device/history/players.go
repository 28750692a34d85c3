package history

import (
	"cmp"
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
	Typed   []string    `json:"typed"` // what was typed at the table, sorted; one spelling of each name
	Seat    engine.Seat `json:"seat"`  // in the last match, as are Colour and Game
	Colour  string      `json:"colour"`
	Game    string      `json:"game"`
	Last    time.Time   `json:"last"`    // when the last match began
	Matches int         `json:"matches"` // however they ended
	Wins    int         `json:"wins"`
}

// Players returns the people who sat at this table. The people who played last come first. All
// matches except deleted ones count, however they ended.
func (h *History) Players() ([]Person, error) {
	b, err := h.Read()
	if err != nil {
		return nil, err
	}
	found, all := map[string]*Person{}, []Person{}
	for _, e := range b.Matches { // the newest first: it gives what stands in Person besides numbers
		for _, s := range e.Seats {
			if !named(s.Name) {
				continue
			}
			p := found[NameKey(s.Name)]
			if p == nil {
				p = &Person{Name: s.Name, Typed: []string{}, Seat: s.Seat, Colour: s.Colour, Game: cmp.Or(e.Preset, e.Game), Last: e.Begin}
				found[NameKey(s.Name)] = p
			}
			p.Matches++
			if s.Won {
				p.Wins++
			}
		}
	}
	seen := map[string]bool{}
	for _, name := range b.typed {
		p := found[NameKey(shownAs(b.names, name))]
		if key := NameKey(name); p != nil && !seen[key] {
			seen[key] = true
			if SameName(name, p.Name) {
				name = p.Name
			}
			p.Typed = append(p.Typed, name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		slices.Sort(found[key].Typed)
		all = append(all, *found[key])
	}
	slices.SortStableFunc(all, func(a, b Person) int { return b.Last.Compare(a.Last) })
	return all, nil
}

func named(name string) bool { return name != "" && name != Removed }

func (e Entry) players() []Player {
	unknown := func(p Player) bool { return !named(p.Name) || p.Seat == engine.Table }
	return slices.DeleteFunc(slices.Clone(e.Seats), unknown)
}
