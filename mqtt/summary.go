package mqtt

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A reading is one sensor of the summary. If State is nil, the state is unknown.
type reading struct {
	State      any            `json:"state"`
	Attributes map[string]any `json:"attributes"`
}

// maxState is the length, in characters, of the longest state that Home Assistant accepts.
const maxState = 255

// summary returns those facts from a frame that home automation needs. The keys of the map are
// the keys of tableSensors. The facts are plain states, with names and colours beside them, so
// that nobody has to search the whole View.
func summary(f engine.Frame) map[string]reading {
	v := &f.View
	return map[string]reading{
		"game":    gameReading(f),
		"turn":    {orUnknown(string(v.Turn)), person(f, engine.Seat(v.Turn))},
		"round":   roundReading(v),
		"phase":   phaseReading(v),
		"winners": winnersReading(f),
		"asked":   askedReading(f),
		"prompt":  promptReading(f),
		"dice":    diceReading(v),
	}
}

// orUnknown returns s, or nil if s is blank. Home Assistant shows nil as an unknown state. For
// a blank text, it would show nothing at all.
func orUnknown(s string) any {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return s
}

// playerName returns the name of a seat's player. If the player has no name, it returns the
// word for the seat in the table's language. If there is no word, it returns the seat's id.
func playerName(f engine.Frame, id engine.Seat) string {
	name := ""
	if s := f.View.Seat(id); s != nil {
		name = s.Name
	}
	key := "seat." + string(id)
	name = cmp.Or(name, f.View.Labels[key])
	if name == "" && f.Words.Has(key) {
		name = f.Words.Say(f.Lang, engine.T(key), nil)
	}
	return cmp.Or(name, string(id))
}

// person returns the attributes of a seat: its name and, if it has a colour, its colour. The
// colour is also given as three numbers, which Home Assistant's lights expect. The seat "" has
// no attributes.
func person(f engine.Frame, id engine.Seat) map[string]any {
	if id == "" {
		return map[string]any{}
	}
	p := map[string]any{"name": playerName(f, id)}
	if s := f.View.Seat(id); s != nil && s.Colour != "" {
		p["colour"] = s.Colour
		if n, err := strconv.ParseUint(strings.TrimPrefix(s.Colour, "#"), 16, 24); err == nil {
			p["rgb_color"] = []int{int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff)}
		}
	}
	return p
}

func playerNames(f engine.Frame, seats []engine.Seat) []string {
	names := make([]string, len(seats))
	for i, id := range seats {
		names[i] = playerName(f, id)
	}
	return names
}

func gameReading(f engine.Frame) reading {
	v := &f.View
	if v.Game == "" {
		return reading{Attributes: map[string]any{}}
	}
	names := map[engine.Seat]string{}
	for _, s := range v.Seats {
		names[s.ID] = playerName(f, s.ID)
	}
	return reading{orUnknown(cmp.Or(v.Title, string(v.Game))),
		map[string]any{"game": v.Game, "match": v.Match, "names": names}}
}

func roundReading(v *engine.View) reading {
	if v.Round == 0 {
		return reading{Attributes: map[string]any{}}
	}
	r := reading{v.Round, map[string]any{}}
	if v.Rounds > 0 {
		r.Attributes["rounds"] = v.Rounds
	}
	return r
}

func phaseReading(v *engine.View) reading {
	if v.Phase == "" || v.Match == "" {
		return reading{Attributes: map[string]any{}}
	}
	return reading{orUnknown(cmp.Or(v.Labels["phase."+v.Phase], v.Phase)), map[string]any{"phase": v.Phase}}
}

func winnersReading(f engine.Frame) reading {
	seats := f.View.Winners
	if len(seats) == 0 {
		return reading{Attributes: map[string]any{}}
	}
	ids := make([]string, len(seats))
	for i, id := range seats {
		ids[i] = string(id)
	}
	return reading{strings.Join(ids, ", "), map[string]any{"seats": ids, "names": playerNames(f, seats)}}
}

func askedReading(f engine.Frame) reading {
	var seats []engine.Seat
	for _, p := range f.View.Prompts {
		if !slices.Contains(seats, p.Seat) {
			seats = append(seats, p.Seat)
		}
	}
	if len(seats) == 0 {
		return reading{Attributes: map[string]any{}}
	}
	r := reading{string(seats[0]), person(f, seats[0])}
	r.Attributes["seats"], r.Attributes["names"] = seats, playerNames(f, seats)
	return r
}

func promptReading(f engine.Frame) reading {
	if len(f.View.Prompts) == 0 {
		return reading{Attributes: map[string]any{}}
	}
	p := f.View.Prompts[0]
	texts, inputs := []string{}, []string{}
	for _, o := range p.Options {
		texts, inputs = append(texts, o.Text), append(inputs, o.Input)
	}
	text := []rune(p.Text)
	return reading{orUnknown(string(text[:min(len(text), maxState)])), map[string]any{
		"seat": p.Seat, "name": playerName(f, p.Seat), "key": p.Key, "texts": texts, "inputs": inputs,
	}}
}

func diceReading(v *engine.View) reading {
	if len(v.Dice) == 0 {
		return reading{Attributes: map[string]any{}}
	}
	faces := make([]string, len(v.Dice))
	for i, d := range v.Dice {
		faces[i] = cmp.Or(v.Labels["face."+string(d.Face)], string(d.Face), "?")
	}
	text := []rune(strings.Join(faces, ", "))
	return reading{string(text[:min(len(text), maxState)]), map[string]any{"dice": v.Dice}}
}
