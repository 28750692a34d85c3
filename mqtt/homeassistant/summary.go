package homeassistant

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A Reading is one sensor of the summary. If State is nil, the state is unknown.
type Reading struct {
	State      any            `json:"state"`
	Attributes map[string]any `json:"attributes"`
}

// maxState is the length, in characters, of the longest state that Home Assistant accepts.
const maxState = 255

// Summary returns those facts from a frame that home automation needs. The keys of the map are
// the keys of tableSensors, "dice" and "ahead". The facts are plain states, with names and colours beside
// them, so that nobody has to search the whole View.
func Summary(f engine.Frame) map[string]Reading {
	v := &f.View
	all := map[string]Reading{"dice": {Attributes: map[string]any{}}, "ahead": {Attributes: map[string]any{}}}
	for _, s := range tableSensors {
		all[s.key] = Reading{Attributes: map[string]any{}}
	}
	all["turn"] = Reading{shown(string(v.Turn)), person(f, engine.Seat(v.Turn))}
	if v.Game != "" {
		names := map[engine.Seat]string{}
		for _, s := range v.Seats {
			names[s.ID] = playerName(f, s.ID)
		}
		all["game"] = Reading{shown(cmp.Or(v.Title, string(v.Game))),
			map[string]any{"game": v.Game, "match": v.Match, "names": names}}
	}
	if v.Round != 0 {
		all["round"] = Reading{v.Round, all["round"].Attributes}
		if v.Rounds > 0 {
			all["round"].Attributes["rounds"] = v.Rounds
		}
	}
	if v.Phase != "" && v.Match != "" {
		all["phase"] = Reading{shown(cmp.Or(v.Labels["phase."+v.Phase], v.Phase)), map[string]any{"phase": v.Phase}}
	}
	if len(v.Winners) > 0 {
		ids := make([]string, len(v.Winners))
		for i, id := range v.Winners {
			ids[i] = string(id)
		}
		all["winners"] = Reading{strings.Join(ids, ", "), map[string]any{"seats": ids, "names": playerNames(f, v.Winners)}}
	}
	if c := f.Status.Chances; c != nil && c.Of > 0 {
		all["ahead"] = aheadReading(f, *c)
	}
	if len(v.Prompts) > 0 {
		all["asked"], all["prompt"] = askedReading(f), promptReading(f)
	}
	if len(v.Dice) > 0 {
		faces := make([]string, len(v.Dice))
		for i, d := range v.Dice {
			faces[i] = cmp.Or(v.Labels["face."+string(d.Face)], string(d.Face), "?")
		}
		all["dice"] = Reading{shown(strings.Join(faces, ", ")), map[string]any{"dice": v.Dice}}
	}
	return all
}

// shown returns a text as Home Assistant accepts it as a state, or nil if it is blank. Home Assistant
// shows nil as an unknown state. For a blank text, it would show nothing at all.
func shown(text string) any {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	letters := []rune(text)
	return string(letters[:min(len(letters), maxState)])
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

func askedReading(f engine.Frame) Reading {
	var seats []engine.Seat
	for _, p := range f.View.Prompts {
		if !p.May && !slices.Contains(seats, p.Seat) {
			seats = append(seats, p.Seat)
		}
	}
	if len(seats) == 0 { // nobody has to answer
		seats = []engine.Seat{engine.Table}
	}
	r := Reading{string(seats[0]), person(f, seats[0])}
	r.Attributes["seats"], r.Attributes["names"] = seats, playerNames(f, seats)
	return r
}

// aheadReading returns who is most likely to win, and the chances of all in percent.
func aheadReading(f engine.Frame, c engine.Chances) Reading {
	best := slices.MaxFunc(c.List, func(a, b engine.Chance) int { return cmp.Compare(a.Mean, b.Mean) })
	percents := map[engine.Seat]int{}
	for _, one := range c.List {
		percents[one.Seat] = int(math.Round(100 * one.Mean))
	}
	r := Reading{string(best.Seat), person(f, best.Seat)}
	r.Attributes["percent"], r.Attributes["chances"] = percents[best.Seat], percents
	return r
}

func promptReading(f engine.Frame) Reading {
	p := f.View.Prompts[0]
	texts, inputs := []string{}, []string{}
	for _, o := range p.Options {
		texts, inputs = append(texts, o.Text), append(inputs, o.Input)
	}
	return Reading{shown(p.Text), map[string]any{
		"seat": p.Seat, "name": playerName(f, p.Seat), "key": p.Key, "texts": texts, "inputs": inputs,
	}}
}
