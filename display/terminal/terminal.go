// Package terminal prints the state of a match as lines of text for a terminal.
package terminal

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tableside/display/text"
	"tableside/engine"
)

// Draw returns the view of a frame as lines for a terminal. The lines show the table, and the
// prompts with the inputs to type. They leave out what is true of a table only, such as the
// health of its parts.
func Draw(f engine.Frame) string {
	f.View = text.Seated(f.View)
	t := teller{Frame: f, initials: text.Initials(&f.View)}
	if len(f.View.Winners) > 0 {
		t.line("%s", t.labelled(f.View.Title, text.Winner(f)))
	} else {
		t.header()
	}
	for _, notice := range f.View.Notices {
		t.line("! %s", t.label("notice."+notice))
	}
	t.seats()
	for _, track := range f.View.Tracks {
		t.track(track)
	}
	t.sheet()
	t.table()
	for _, p := range f.View.Prompts {
		t.prompt(p)
	}
	return t.String()
}

// A teller writes one frame.
type teller struct {
	engine.Frame
	strings.Builder
	initials map[engine.Seat]string
}

func (t *teller) line(format string, args ...any) {
	t.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (t *teller) label(key string) string { return text.Label(&t.View, key) }

func (t *teller) labelled(what, said string) string {
	return text.Say(t.Frame, "of", "what", what, "said", said)
}

func (t *teller) header() {
	parts := []string{text.Round(t.Frame)}
	if title := t.View.Title; title != "" && title != parts[0] {
		parts = append([]string{title}, parts...)
	}
	if turn := engine.Seat(t.View.Turn); turn != "" {
		parts = append(parts, text.Say(t.Frame, "turn", "seat", text.Name(&t.View, turn)))
	}
	t.line("%s", strings.Join(parts, " · "))
}

func (t *teller) seats() {
	names := 0
	for _, s := range t.View.Seats {
		names = max(names, utf8.RuneCountInString(text.Name(&t.View, s.ID)))
	}
	if names > 0 {
		t.line("")
	}
	for _, s := range t.View.Seats {
		arrow := " "
		switch {
		case engine.Seat(t.View.Turn) == s.ID:
			arrow = "▶"
		case slices.Contains(t.View.Winners, s.ID):
			arrow = "★"
		}
		name, said := text.Name(&t.View, s.ID), t.states(s.State)+t.counters(s.Counters)
		t.line("%s %s %-*s  %s", arrow, t.initials[s.ID], names, name, said)
		t.zones(s.Zones, "      ")
	}
}

// sheet writes the score sheet, a line for each row.
func (t *teller) sheet() {
	sheet := t.View.Sheet
	if sheet == nil || len(sheet.Rows) == 0 {
		return
	}
	const width = 6 // of a column: room for the longest score
	names, title := make([]string, len(sheet.Rows)), 0
	for i, row := range sheet.Rows {
		names[i] = strconv.Itoa(row.Round)
		if row.Round == 0 {
			names[i] = t.label("row." + row.ID)
		}
		title = max(title, utf8.RuneCountInString(names[i]))
	}
	line := fmt.Sprintf("  %*s", title, "")
	for _, seats := range sheet.Columns {
		line += fmt.Sprintf(" %*s", width, t.initials[seats[0]])
	}
	t.line("")
	t.line("%s", line)
	for i, row := range sheet.Rows {
		line := fmt.Sprintf("  %-*s", title, names[i])
		for _, seats := range sheet.Columns {
			cell := ""
			if n, ok := row.Cells.Get(string(seats[0])); ok {
				cell = strconv.Itoa(n)
			}
			line += fmt.Sprintf(" %*s", width, cell)
		}
		t.line("%s", strings.TrimRight(line, " "))
	}
}

func (t *teller) states(states []string) string {
	if len(states) == 0 {
		return ""
	}
	all := make([]string, len(states))
	for i, state := range states {
		all[i] = t.label("state." + state)
	}
	return "(" + strings.Join(all, ", ") + ")   "
}

func (t *teller) counters(counters engine.Counters) string {
	all := make([]string, len(counters))
	for i, c := range counters {
		all[i] = t.label("counter."+c.Name) + " " + strconv.Itoa(c.Value)
	}
	return strings.Join(all, "   ")
}

func (t *teller) zones(zones engine.Zones, indent string) {
	for _, z := range zones {
		if len(z.Cards) == 0 {
			continue
		}
		known := text.Known(z.Cards)
		if len(known) == 0 {
			t.line("%s%s", indent, t.labelled(t.label("zone."+z.Name), strconv.Itoa(len(z.Cards))))
			continue
		}
		var cards []string
		for _, c := range known {
			cards = append(cards, t.card(c))
		}
		if more := len(z.Cards) - len(known); more > 0 {
			cards = append(cards, "+"+strconv.Itoa(more))
		}
		t.line("%s%s", indent, t.labelled(t.label("zone."+z.Name), strings.Join(cards, ", ")))
	}
}

// card returns a card's name and, in brackets, all that is known of it.
func (t *teller) card(c engine.Card) string {
	name := cmp.Or(c.Name, string(c.Kind), "?")
	var more []string
	if c.Kind != "" {
		more = append(more, c.ID())
	}
	for _, counter := range c.Counters {
		more = append(more, t.counters(engine.Counters{counter}))
	}
	for _, keyword := range c.Keywords {
		more = append(more, t.label("keyword."+keyword))
	}
	for _, state := range c.State {
		more = append(more, t.label("state."+state))
	}
	for _, below := range c.Under {
		more = append(more, "↓ "+t.card(below))
	}
	for _, attached := range c.Attached {
		more = append(more, "+ "+t.card(attached))
	}
	if len(more) == 0 {
		return name
	}
	return name + " (" + strings.Join(more, ", ") + ")"
}

// track draws a track with its markers. If the track has more than text.MaxSpaces spaces, or if a
// marker is beyond one of its ends, the method only lists the positions of the markers.
func (t *teller) track(track engine.Track) {
	spaces, within := text.Spaces(track)
	t.line("")
	if !within || track.Last-track.First+1 > text.MaxSpaces {
		t.placesOn(track, spaces)
		return
	}
	t.line("%s%s", t.label("track."+track.ID), t.areas(track))
	highest := 0
	for _, space := range spaces {
		highest = max(highest, len(track.Stacks[space]))
	}
	for level := highest - 1; level >= 0; level-- {
		var row strings.Builder
		for space := track.First; space <= track.Last; space++ {
			marker := " "
			if stack := track.Stacks[space]; level < len(stack) {
				marker = t.initials[stack[level]]
			}
			row.WriteString("   " + marker)
		}
		t.line("%s", row.String())
	}
	var numbers, ground strings.Builder
	for space := track.First; space <= track.Last; space++ {
		fmt.Fprintf(&numbers, "%4d", space)
		ground.WriteString(" " + strings.Repeat(areaSign(track, space), 3))
	}
	t.line("%s", ground.String())
	t.line("%s", numbers.String())
}

// placesOn writes one line that lists the given spaces of a track, with the markers on each.
// Every one of these spaces must have a marker.
func (t *teller) placesOn(track engine.Track, spaces []int) {
	var all []string
	for _, space := range spaces {
		stack := ""
		for _, seat := range track.Stacks[space] {
			stack += t.initials[seat]
		}
		all = append(all, fmt.Sprintf("%s %d", stack, space))
	}
	t.line("%s", t.labelled(t.label("track."+track.ID), strings.Join(all, ", ")))
}

// These are the signs below the spaces of a track. The first sign is for a space in an area of
// several spaces. The second is for the last space of the track, if this space is an area by
// itself. The third is for any other area of one space. The last sign is for a space outside
// all areas.
const (
	zoneSign  = "░"
	endSign   = "█"
	otherSign = "═"
	noSign    = "─"
)

func areaSign(track engine.Track, space int) string {
	sign := noSign
	for _, a := range track.Areas {
		if a.From <= space && space <= a.To {
			sign = signOf(track, a)
		}
	}
	return sign
}

func signOf(track engine.Track, a engine.Area) string {
	switch {
	case a.From < a.To:
		return zoneSign
	case a.To == track.Last:
		return endSign
	}
	return otherSign
}

func (t *teller) areas(track engine.Track) string {
	said := ""
	for _, a := range track.Areas {
		said += "   " + signOf(track, a) + " " + t.label("area."+a.ID)
	}
	return said
}

// table writes the counters and cards that belong to no seat, and all dice.
func (t *teller) table() {
	v := &t.View
	if len(v.Counters)+len(v.Dice)+len(v.Zones) == 0 {
		return
	}
	t.line("")
	if len(v.Counters) > 0 {
		t.line("%s", t.labelled(text.Say(t.Frame, "table"), t.counters(v.Counters)))
	}
	t.zones(v.Zones, "")
	if len(v.Dice) > 0 {
		dice := make([]string, len(v.Dice))
		for i, d := range v.Dice {
			face := "?"
			if d.Face != "" {
				face = t.label("face." + string(d.Face))
			}
			dice[i] = strings.TrimSpace(t.initials[d.Seat] + " " + face)
			if d.State == "kept" {
				dice[i] += " ✓"
			}
		}
		t.line("%s", t.labelled(text.Say(t.Frame, "dice"), strings.Join(dice, ", ")))
	}
}

// prompt writes a question, with the inputs that answer it.
func (t *teller) prompt(p engine.Prompt) {
	asked := p.Text
	if p.Seat != engine.Table {
		asked = t.labelled(text.Name(&t.View, p.Seat), text.Asked(&t.View, p))
	}
	t.line("\n%s", asked)
	inputs := make([]string, len(p.Options))
	widest := 0
	for i, o := range p.Options {
		inputs[i] = o.Input
		if o.Zone != "" {
			inputs[i] += " …"
		}
		widest = max(widest, utf8.RuneCountInString(inputs[i]))
	}
	for i, o := range p.Options {
		t.line("  %-*s   %s", widest, inputs[i], o.Text)
	}
	if p.Roll != nil {
		said := strconv.Itoa(p.Roll.N) + " × " + strings.Join(p.Roll.Faces, ", ")
		t.line("  %s roll …   %s", p.Seat, t.labelled(text.Say(t.Frame, "to-roll"), said))
	}
}
