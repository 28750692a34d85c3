package panel

import (
	"image"
	"slices"

	"tableside/display/text"
	"tableside/engine"
)

// play is the picture of a match that goes on.
func (s *screen) play() []part {
	header := s.header()
	warning := s.warning()
	tracks := s.tracks()
	seats := s.seats(tracks)
	table := s.table()
	prompt := s.prompt()

	blocks := []*block{header, warning, seats}
	var steps []step
	if !s.Status.Keeping {
		steps = append(steps, step{warning, 1})
	}
	// A track is worth more than a second line of anything else: it is what
	// players look up from their cards for.
	for level := range 2 {
		for _, t := range tracks {
			steps = append(steps, step{t.block, level + 1})
		}
		steps = append(steps, step{prompt, level + 1}, step{seats, level + 1})
	}
	steps = append(steps, step{table, 1}, step{seats, 3}, step{warning, 1}, step{prompt, 3}, step{table, 2}, step{seats, 5})
	for _, t := range tracks {
		blocks = append(blocks, t.block)
		steps = append(steps, step{t.block, 3})
	}
	steps = append(steps, step{seats, 99}, step{prompt, 99}, step{table, 99})
	for _, t := range tracks {
		steps = append(steps, step{t.block, 99})
	}
	blocks = append(blocks, table, prompt)
	stretch(blocks, s.size.Y, steps)
	return stack(blocks, s.size)
}

// header says in white on black where the match is and whose turn it is.
func (s *screen) header() *block {
	return &block{name: "header", heights: []int{s.bold.line + 1}, draw: func(c *canvas, r image.Rectangle) {
		c.fill(r, black)
		r = inset(r, 4)
		if turn := engine.Seat(s.View.Turn); turn != "" {
			said := text.Say(s.Frame, "turn", "seat", text.Name(&s.View, turn))
			r.Max.X = c.right(s.bold, image.Rect(r.Min.X+r.Dx()/3, r.Min.Y, r.Max.X, r.Max.Y), said, white) - s.bold.cap
		}
		round := text.Round(s.Frame)
		end := c.left(s.bold, r, round, white)
		title := s.View.Title
		if title == "" || title == round {
			return
		}
		if rest := image.Rect(end+s.bold.cap, r.Min.Y, r.Max.X, r.Max.Y); rest.Dx() >= s.body.width(title) {
			c.left(s.body, rest, title, white)
		}
	}}
}

// warning is a strip that says what players must know.
func (s *screen) warning() *block {
	warnings := text.Warnings(s.Frame)
	if len(warnings) == 0 {
		return &block{heights: []int{0}}
	}
	return &block{name: "warning", heights: []int{0, s.small.line + 1}, draw: func(c *canvas, r image.Rectangle) {
		flag := image.Rect(r.Min.X+3, r.Min.Y+1, r.Min.X+3+r.Dy()-2, r.Max.Y-1)
		c.warn(s.small, flag)
		r.Min.X = flag.Max.X + 4
		r.Max.X -= 3
		line := warnings[0]
		for _, w := range warnings[1:] {
			line += " · " + w
		}
		c.left(s.small, r, line, black)
	}}
}

// warn draws a black sign with an exclamation mark.
func (c *canvas) warn(f *face, r image.Rectangle) {
	c.fill(inset(r, 1), black)
	c.fill(image.Rect(r.Min.X, r.Min.Y+1, r.Max.X, r.Max.Y-1), black)
	x, h := (r.Min.X+r.Max.X)/2-1, r.Dy()
	c.fill(image.Rect(x, r.Min.Y+2, x+2, r.Max.Y-h/3), white)
	c.fill(image.Rect(x, r.Max.Y-h/3+1, x+2, r.Max.Y-2), white)
}

// table is what belongs to no seat: counters, cards and dice.
func (s *screen) table() *block {
	v := &s.View
	var items []item
	for _, counter := range v.Counters {
		items = append(items, s.counter(text.Label(v, "counter."+counter.Name), counter.Value))
	}
	for _, d := range v.Dice {
		items = append(items, s.die(d))
	}
	items = append(items, s.zones(v.Zones)...)
	if len(items) == 0 {
		return &block{heights: []int{0}}
	}
	line := s.line()
	heights := []int{0}
	for n := range len(pour(items, s.size.X-6, 99)) {
		heights = append(heights, (n+1)*line+3)
	}
	return &block{name: "table", heights: heights, draw: func(c *canvas, r image.Rectangle) {
		c.shade(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), 2)
		r.Min.Y += 3
		c.items(items, inset(r, 3), line)
	}}
}

// line is the height of a line of items.
func (s *screen) line() int { return max(s.bold.line, s.body.line) }

func (s *screen) counter(label string, value int) item {
	return item{{f: s.small, s: label}, {f: s.bold, s: number(value)}}
}

// die is a die with its seat's letter and its face. One that is kept is black.
func (s *screen) die(d engine.Die) item {
	face := "?"
	if d.Face != "" {
		face = text.Label(&s.View, "face."+string(d.Face))
	}
	die := span{f: s.small, s: face, look: boxed}
	if d.State == "kept" {
		die.look = filled
	}
	if m, ok := s.marks[d.Seat]; ok {
		return item{{f: s.small, s: m.letter}, die}
	}
	return item{die}
}

// zones tells what lies in zones: the cards by name where they are known and
// few, else how many.
func (s *screen) zones(zones engine.Zones) []item {
	var items []item
	for _, z := range zones {
		if len(z.Cards) == 0 {
			continue
		}
		label := text.Label(&s.View, "zone."+z.Name)
		anonymous := slices.ContainsFunc(z.Cards, func(c engine.Card) bool { return c.Kind == "" && len(c.State) == 0 })
		if anonymous || len(z.Cards) > 6 {
			items = append(items, s.counter(label, len(z.Cards)))
			continue
		}
		for i, card := range z.Cards {
			it := s.card(card)
			if i == 0 {
				it = append(item{{f: s.small, s: label}}, it...)
			}
			items = append(items, it)
		}
	}
	return items
}

// card is its power or other number in a box, its name, and in small letters
// its keywords and state.
func (s *screen) card(card engine.Card) item {
	var it item
	for _, counter := range card.Counters {
		it = append(it, span{f: s.small, s: number(counter.Value), look: boxed})
	}
	name := card.Name
	if name == "" {
		name = "?"
		if card.Kind != "" {
			name = string(card.Kind)
		}
	}
	it = append(it, span{f: s.body, s: name, shrink: true})
	for _, keyword := range card.Keywords {
		it = append(it, span{f: s.small, s: short(text.Label(&s.View, "keyword."+keyword)), look: underlined})
	}
	for _, state := range card.State {
		it = append(it, span{f: s.small, s: "(" + text.Label(&s.View, "state."+state) + ")"})
	}
	if n := len(card.Under) + len(card.Attached); n > 0 {
		it = append(it, span{f: s.small, s: "+" + number(n)})
	}
	return it
}

// short cuts a keyword to its first four letters.
func short(word string) string {
	runes := []rune(word)
	if len(runes) <= 5 {
		return word
	}
	return string(runes[:4]) + "."
}
