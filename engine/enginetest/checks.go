package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"tableside/engine"
)

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "no JSON: " + err.Error()
	}
	return string(data)
}

// A report collects problems.
type report []string

func (r *report) add(format string, args ...any) { *r = append(*r, fmt.Sprintf(format, args...)) }

// matchProblems checks a match's current view against the match, and returns the problems that
// it finds. ViewProblems checks the view alone.
func matchProblems(m *engine.Match, v engine.View) []string {
	text := mustJSON(v)
	r := jsonProblems(v, text)
	if again := mustJSON(m.View()); again != text {
		r.add("the view is another when it is asked for twice: %s", again)
	}
	if string(v.Game) != m.Game().Info().Name {
		r.add("the view is of game %q", v.Game)
	}
	for i, p := range m.Setup().Seats {
		if i >= len(v.Seats) || v.Seats[i].ID != p.Seat {
			r.add("seat %s is not at place %d of the view", p.Seat, i)
		}
	}
	return r
}

// ViewProblems returns the contradictions in a view that can be found without its match.
func ViewProblems(v engine.View) []string {
	var r report
	isSeat := func(s engine.Seat) bool { return s == engine.Table || v.Seat(s) != nil }
	if v.Phase == "" {
		r.add("the view has no phase")
	}
	if v.Rounds > 0 && v.Round > v.Rounds {
		r.add("round %d of %d", v.Round, v.Rounds)
	}
	for _, s := range []engine.Null{v.Turn, v.First} {
		if s != "" && !isSeat(engine.Seat(s)) {
			r.add("turn or first is %q, where nobody sits", s)
		}
	}
	for _, s := range v.Winners {
		if !isSeat(s) {
			r.add("winner %q sits nowhere", s)
		}
	}
	lying := map[string]string{}
	placeProblems(&r, "table", v.Counters, v.Zones, lying)
	for i := range v.Seats {
		placeProblems(&r, string(v.Seats[i].ID), v.Seats[i].Counters, v.Seats[i].Zones, lying)
	}
	trackProblems(&r, v, isSeat)
	dice := map[string]bool{}
	for _, d := range v.Dice {
		if dice[d.ID] || !isSeat(d.Seat) {
			r.add("die %q is there twice, or of seat %q, where nobody sits", d.ID, d.Seat)
		}
		dice[d.ID] = true
	}
	sheetProblems(&r, v)
	promptProblems(&r, v, isSeat)
	return r
}

// sheetProblems reports the problems of a view's score sheet. A row must not occur twice, each
// cell must have a column, and somebody must sit at each seat of a column.
func sheetProblems(r *report, v engine.View) {
	if v.Sheet == nil {
		return
	}
	columns, rows := map[string]bool{}, map[string]bool{}
	for _, seats := range v.Sheet.Columns {
		columns[string(seats[0])] = true
		if slices.ContainsFunc(seats, func(s engine.Seat) bool { return v.Seat(s) == nil }) {
			r.add("a column of the sheet is for %v, where nobody sits", seats)
		}
	}
	cells := func(id string, cells engine.Counters) {
		if rows[id] {
			r.add("row %q of the sheet is there twice", id)
		}
		rows[id] = true
		for _, c := range cells {
			if !columns[c.Name] {
				r.add("row %q of the sheet has a cell of %q, which has no column", id, c.Name)
			}
		}
	}
	for _, row := range v.Sheet.Rows {
		cells(row.ID, row.Cells)
		for _, part := range row.Parts {
			cells(part.ID, part.Cells)
		}
	}
}

// jsonProblems returns the problems of a view's JSON text. It is a problem if the text loses
// something, or if the text has null where readers expect a list or an object.
func jsonProblems(v engine.View, text string) report {
	var r report
	var back engine.View
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&back); err != nil {
		r.add("the view's JSON does not decode: %v: %s", err, text)
		return r
	}
	// Compare the values and not the texts: in back, the arguments are plain JSON objects,
	// whose members are sorted.
	once, again := decodeAny(text), mustJSON(back)
	if again != text && !reflect.DeepEqual(once, decodeAny(again)) {
		r.add("the view's JSON comes back as another: %v and %v", once, decodeAny(again))
	}
	if !slices.Equal(memberOrder(v), memberOrder(back)) {
		r.add("the order of zones or counters is lost in JSON")
	}
	object, _ := once.(map[string]any)
	for _, list := range []string{"seats", "tracks", "dice", "prompts", "winners", "notices"} {
		if _, ok := object[list].([]any); !ok {
			r.add("%q is no list in JSON", list)
		}
	}
	for _, p := range v.Prompts {
		if p.Options == nil || p.Args == nil {
			r.add("prompt %s has null for options or args", p.Key)
		}
	}
	return r
}

func decodeAny(text string) (value any) {
	_ = json.Unmarshal([]byte(text), &value)
	return value
}

func memberOrder(v engine.View) []string {
	var names []string
	all := func(counters engine.Counters, zones engine.Zones) {
		for _, c := range counters {
			names = append(names, c.Name)
		}
		for _, z := range zones {
			names = append(names, z.Name)
		}
	}
	all(v.Counters, v.Zones)
	for _, s := range v.Seats {
		all(s.Counters, s.Zones)
	}
	return names
}

// placeProblems reports problems of the counters and cards of a seat or of the table. The map
// holds the place where each copy of a card was found so far. placeProblems adds the copies
// that it finds.
func placeProblems(r *report, seat string, counters engine.Counters, zones engine.Zones, lying map[string]string) {
	names := map[string]bool{}
	for _, c := range counters {
		if names[c.Name] || !engine.IsWord(c.Name) {
			r.add("%s: counter %q is there twice or cannot be named so", seat, c.Name)
		}
		names[c.Name] = true
	}
	seen := map[string]bool{}
	for _, z := range zones {
		if seen[z.Name] || !engine.IsWord(z.Name) {
			r.add("%s: zone %q is there twice or cannot be named so", seat, z.Name)
		}
		seen[z.Name] = true
		if n, counted := counters.Get(z.Name); counted && n != countCards(z.Cards) {
			r.add("%s: counter %s is %d, but %d cards lie there", seat, z.Name, n, countCards(z.Cards))
		}
		cardsOf(z.Cards, func(c engine.Card) {
			id := c.ID()
			if c.Copy == 0 { // a kind without a number may be in many places
				return
			}
			if where, twice := lying[id]; twice {
				r.add("%s lies in %s and in %s/%s", id, where, seat, z.Name)
			}
			lying[id] = seat + "/" + z.Name
		})
	}
}

func cardsOf(cards []engine.Card, visit func(engine.Card)) {
	for _, c := range cards {
		visit(c)
		cardsOf(c.Under, visit)
		cardsOf(c.Attached, visit)
	}
}

func trackProblems(r *report, v engine.View, isSeat func(engine.Seat) bool) {
	tracks := map[string]bool{}
	for _, t := range v.Tracks {
		if tracks[t.ID] || t.First > t.Last {
			r.add("track %s is there twice, or runs from %d to %d", t.ID, t.First, t.Last)
		}
		tracks[t.ID] = true
		for _, a := range t.Areas {
			if a.From > a.To || a.From < t.First || a.To > t.Last {
				r.add("area %s, %d to %d, lies beside track %s", a.ID, a.From, a.To, t.ID)
			}
		}
		at := map[engine.Seat]int{}
		for _, space := range slices.Sorted(maps.Keys(t.Stacks)) {
			if len(t.Stacks[space]) == 0 {
				r.add("track %s has an empty stack on %d", t.ID, space)
			}
			for _, marker := range t.Stacks[space] {
				if other, twice := at[marker]; twice || !isSeat(marker) {
					r.add("track %s: marker %q on %d sits nowhere, or is on %d too", t.ID, marker, space, other)
				}
				at[marker] = space
			}
		}
	}
}

func promptProblems(r *report, v engine.View, isSeat func(engine.Seat) bool) {
	for i, p := range v.Prompts {
		if !p.May && i > 0 && v.Prompts[i-1].May || p.May && i == 0 {
			r.add("prompt %s of %s comes after one that nobody has to answer, or there is no other", p.Key, p.Seat)
		}
		if p.Key == "" || !isSeat(p.Seat) {
			r.add("prompt %q is for %q", p.Key, p.Seat)
		}
		if len(p.Options) == 0 && p.Roll == nil {
			r.add("prompt %s of %s has no answer", p.Key, p.Seat)
		}
		if p.Roll != nil && (p.Roll.N < 1 || len(p.Roll.Faces) == 0) {
			r.add("prompt %s asks for %d dice with %d faces", p.Key, p.Roll.N, len(p.Roll.Faces))
		}
		for _, o := range p.Options {
			line := o.Input
			if o.Zone != "" {
				line += " card"
				if _, count := zoneAt(&v, o.Zone); count < 0 {
					r.add("prompt %s takes a card of %q, which the view does not show", p.Key, o.Zone)
				}
			}
			in, err := engine.ParseInput(line)
			if err != nil || in.Command() != line {
				r.add("prompt %s: answer %s has the input %q: %v", p.Key, o.Key, line, err)
			} else if in.Seat != p.Seat && p.Seat != engine.Table {
				r.add("prompt %s of %s is answered by %q", p.Key, p.Seat, line)
			}
		}
	}
}

// cardProblems compares the dealer's piles with the view. If a pile has another number of
// cards in the view, cardProblems returns a problem. If the view names a card in a pile
// without this card, cardProblems also returns a problem.
func (t *table) cardProblems(v *engine.View) []string {
	var r report
	for _, pile := range t.dealer.Piles() {
		cards, count := zoneAt(v, pile.Place)
		switch {
		case count < 0 && len(pile.Cards) > 0:
			r.add("%d cards lie in %s, which the view does not show", len(pile.Cards), pile.Place)
		case count >= 0 && count != len(pile.Cards):
			r.add("%d cards lie in %s, but the view shows %d: %v", len(pile.Cards), pile.Place, count, pile.Cards)
		}
		cardsOf(cards, func(c engine.Card) {
			if id := c.ID(); id != "" && !slices.Contains(pile.Cards, id) {
				r.add("the view shows %s in %s, where there are %v", id, pile.Place, pile.Cards)
			}
		})
	}
	return r
}
