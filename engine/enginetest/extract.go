package enginetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// Extract returns a view in short lines, for people who review scripts. If parts are named,
// the lines show only these parts. A part is a seat, "table", the id of a track, "tracks",
// "prompts", "dice", "sheet" or "match".
func Extract(v engine.View, parts ...string) []string {
	wants := func(names ...string) bool {
		return len(parts) == 0 || slices.ContainsFunc(names, func(n string) bool { return slices.Contains(parts, n) })
	}
	var lines []string
	if wants("match") {
		lines = append(lines, matchLine(v))
	}
	for _, t := range v.Tracks {
		if wants(t.ID, "tracks") {
			lines = append(lines, t.ID+": "+stacks(t))
		}
	}
	for _, s := range v.Seats {
		if wants(string(s.ID)) {
			lines = append(lines, placeLines(string(s.ID), s.State, s.Counters, s.Zones)...)
		}
	}
	if wants("table") {
		lines = append(lines, placeLines("table", nil, v.Counters, v.Zones)...)
	}
	for _, d := range v.Dice {
		if wants("dice") {
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("die %s of %s: %s %s", d.ID, d.Seat, cmp.Or(string(d.Face), "?"),
				d.State)))
		}
	}
	if wants("sheet") {
		lines = append(lines, sheetLines(v.Sheet)...)
	}
	for _, p := range v.Prompts {
		if wants("prompts") {
			lines = append(lines, promptLine(p))
		}
	}
	return lines
}

func matchLine(v engine.View) string {
	line := v.Phase
	if v.Round > 0 {
		line += fmt.Sprintf(", round %d", v.Round)
	}
	if v.Rounds > 0 {
		line += fmt.Sprintf(" of %d", v.Rounds)
	}
	if v.Turn != "" {
		line += ", turn " + string(v.Turn)
	}
	if len(v.Winners) > 0 {
		line += ", winners" + list(v.Winners)
	}
	if len(v.Notices) > 0 {
		line += ", notices " + strings.Join(v.Notices, " ")
	}
	return line
}

// sheetLines returns the rows of a sheet as "round-1: red 20 (bid 1, tricks 1)".
func sheetLines(s *engine.Sheet) []string {
	if s == nil {
		return nil
	}
	var lines []string
	for _, row := range s.Rows {
		var cells []string
		for _, column := range s.Columns {
			if cell := cellText(row, string(column[0])); cell != "" {
				cells = append(cells, strings.TrimSpace(list(column))+" "+cell)
			}
		}
		lines = append(lines, row.ID+": "+cmp.Or(strings.Join(cells, ", "), "empty"))
	}
	return lines
}

func cellText(row engine.SheetRow, column string) string {
	var parts []string
	for _, p := range row.Parts {
		if n, ok := p.Cells.Get(column); ok {
			parts = append(parts, fmt.Sprintf("%s %d", p.Name, n))
		}
	}
	n, ok := row.Cells.Get(column)
	switch {
	case !ok && len(parts) == 0:
		return ""
	case !ok:
		return "(" + strings.Join(parts, ", ") + ")"
	case len(parts) == 0:
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d (%s)", n, strings.Join(parts, ", "))
}

// list returns the seats as a text, in their order, with a space before each seat. The seats
// of a stack are in order from the bottom to the top.
func list(seats []engine.Seat) string {
	var b strings.Builder
	for _, s := range seats {
		b.WriteString(" " + string(s))
	}
	return b.String()
}

func stacks(t engine.Track) string {
	var parts []string
	for _, space := range slices.Backward(slices.Sorted(maps.Keys(t.Stacks))) {
		parts = append(parts, strconv.Itoa(space)+list(t.Stacks[space]))
	}
	return strings.Join(parts, " | ")
}

func placeLines(place string, state []string, counters engine.Counters, zones engine.Zones) []string {
	var lines []string
	parts := slices.Clone(state)
	for _, c := range counters {
		parts = append(parts, fmt.Sprintf("%s %d", c.Name, c.Value))
	}
	if len(parts) > 0 {
		lines = append(lines, place+": "+strings.Join(parts, ", "))
	}
	for _, z := range zones {
		if len(z.Cards) > 0 {
			lines = append(lines, place+" "+z.Name+": "+cardList(z.Cards))
		}
	}
	return lines
}

func cardList(cards []engine.Card) string {
	var parts []string
	for _, c := range cards {
		parts = append(parts, cardText(c))
	}
	return strings.Join(parts, ", ")
}

// cardText returns a card as "zombie.1 (face-down, power 3; under: android.2)".
func cardText(c engine.Card) string {
	details := slices.Clone(c.State)
	for _, counter := range c.Counters {
		details = append(details, fmt.Sprintf("%s %d", counter.Name, counter.Value))
	}
	details = append(details, c.Keywords...)
	var groups []string
	if len(details) > 0 {
		groups = append(groups, strings.Join(details, ", "))
	}
	if len(c.Under) > 0 {
		groups = append(groups, "under: "+cardList(c.Under))
	}
	if len(c.Attached) > 0 {
		groups = append(groups, "attached: "+cardList(c.Attached))
	}
	text := cmp.Or(c.ID(), "?")
	if len(groups) > 0 {
		text += " (" + strings.Join(groups, "; ") + ")"
	}
	return text
}

// promptLine returns a prompt as "prompt red turn: key plus | tap …red/hand".
func promptLine(p engine.Prompt) string {
	var answers []string
	for _, o := range p.Options {
		text := strings.TrimPrefix(o.Input, string(p.Seat)+" ")
		if o.Zone != "" {
			text += " …" + o.Zone
		}
		answers = append(answers, text)
	}
	if p.Roll != nil {
		answers = append(answers, fmt.Sprintf("roll %d %s", p.Roll.N, p.Roll.Kind))
	}
	return fmt.Sprintf("prompt %s %s: %s", p.Seat, p.Key, strings.Join(answers, " | "))
}
