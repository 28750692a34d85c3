package panel

import (
	"image"
	"slices"
	"strings"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// play lays out the picture of a match in progress on a small glass. Names, the question and
// its answers matter more than the header. Therefore play leaves out the header in three
// cases:
//
//   - The names, question and answers fit only without the header.
//   - They never fit, but more of the question is visible without the header.
//   - No rounds are counted, so the header says little, and more of the table is visible
//     without the header.
func (s *screen) play() []part {
	with := s.compose(true)
	if with.enough && s.View.Round > 0 {
		return with.parts
	}
	without := s.compose(false)
	if without.enough && (!with.enough || without.levels > with.levels) ||
		!with.enough && without.promptLevel > with.promptLevel {
		return without.parts
	}
	return with.parts
}

// A composition holds the parts of a picture, and says how much the picture shows.
type composition struct {
	parts       []part
	enough      bool // names, question and all answers that are not cards are visible
	promptLevel int
	levels      int // seats + 2×table + prompt, each the level of that block
}

// compose lays out a match on a small glass, with the header only if withHeader is set.
func (s *screen) compose(withHeader bool) composition {
	warning, tracks := s.warning(), s.tracks()
	header := emptyBlock()
	if withHeader {
		header = s.header(warning)
	}
	table, prompt := s.table(), s.prompt()
	seats, cards := s.seats(tracks)
	sheet := s.sheet()

	steps := []step{{header, 1}, {seats, 1}, {prompt, 1}}
	if !s.Status.Keeping {
		steps = append(steps, step{warning, 1})
	}
	raise := func(level int) {
		for _, t := range tracks {
			steps = append(steps, step{t.block, level})
		}
	}
	// A track is worth more than a second line of anything else, because players
	// look at it most.
	raise(1)
	steps = append(steps, step{seats, 2}, step{prompt, 3}, step{prompt, s.neededLevel()}, step{seats, 3})
	if len(warning.heights) > 1 {
		steps = append(steps, step{prompt, noLimit}, step{warning, 1}) // no answer is hidden for the sake of a warning
	}
	raise(2)
	// Dice come first, because players look at them now. Then cards in play come
	// before cards for sale, and both before other cards.
	if len(s.dice()) > 0 {
		steps = append(steps, step{table, 1})
	}
	steps = append(steps, step{seats, cards})
	if len(numbered(s.View.Zones)) > 0 {
		steps = append(steps, step{table, 1})
	}
	steps = append(steps, step{seats, 4}, step{table, 2}, step{seats, 6})
	raise(3)
	steps = append(steps, step{seats, noLimit}, step{table, noLimit}, step{prompt, noLimit}, step{sheet, noLimit})
	stretch(s.size.Y, steps)

	blocks := []*block{header, warning, seats}
	for _, t := range tracks {
		blocks = append(blocks, t.block)
	}
	last := func(b *block) int { return len(b.heights) - 1 }
	return composition{
		parts:       stack(append(blocks, table, sheet, prompt), s.size, maxGap),
		enough:      seats.level >= min(2, last(seats)) && prompt.level >= min(max(2, s.neededLevel()), last(prompt)),
		promptLevel: prompt.level,
		levels:      seats.level + 2*table.level + prompt.level,
	}
}

// header returns the block that says which round it is and whose turn it is, white on black.
// If the two do not fit side by side, the round is left out. Where there is room, the header
// also shows the title. If the picture has no room for the strip of warnings, the header shows
// a warning sign, provided that the sign fits.
func (s *screen) header(strip *block) *block {
	return &block{name: "header", heights: []int{0, s.bold.Line() + 1}, draw: func(c *canvas.Canvas, r image.Rectangle) {
		c.Fill(r, black)
		r = canvas.Inset(r, 4)
		round := text.Round(s.Frame)
		unsaid := strip.level == 0 && len(strip.heights) > 1 // there was no room for the warnings: at least a sign
		if said, answers := text.Turn(s.Frame); said != "" {
			room := r.Dx() - s.bold.Width(round) - s.bold.Cap()
			if s.bold.Width(answers) <= room {
				said = answers
			}
			if room < min(r.Dx()/2, s.bold.Width(said)) {
				if unsaid {
					warn(c, image.Rect(r.Min.X, r.Min.Y+2, r.Max.X, r.Max.Y-2), white)
					r.Min.X += s.bold.Line()
				}
				c.Left(s.bold, r, said, white)
				return
			}
			at := image.Rect(r.Max.X-room, r.Min.Y, r.Max.X, r.Max.Y)
			r.Max.X = c.Right(s.bold, at, said, white) - s.bold.Cap()
		}
		end := c.Left(s.bold, r, round, white)
		if unsaid && end+s.bold.Line() < r.Max.X {
			warn(c, image.Rect(end+s.bold.Cap()/2, r.Min.Y+2, r.Max.X, r.Max.Y-2), white)
			end += s.bold.Line()
		}
		title := s.View.Title
		if title == "" || title == round {
			return
		}
		if r.Min.X = end + s.bold.Cap(); r.Dx() >= s.body.Width(title) {
			c.Left(s.body, r, title, white)
		}
	}}
}

// warning returns a block with the warnings for players. If there are none, it returns
// an empty block (emptyBlock).
func (s *screen) warning() *block {
	warnings := text.Warnings(s.Frame)
	if len(warnings) == 0 {
		return emptyBlock()
	}
	return &block{name: "warning", heights: []int{0, s.small.Line() + 1}, draw: func(c *canvas.Canvas, r image.Rectangle) {
		flag := image.Rect(r.Min.X+3, r.Min.Y+1, r.Min.X+3+r.Dy()-2, r.Max.Y-1)
		warn(c, flag, black)
		r.Min.X = flag.Max.X + 4
		r.Max.X -= 3
		line := warnings[0]
		for _, w := range warnings[1:] {
			line += " · " + w
		}
		c.Left(s.small, r, line, black)
	}}
}

func warn(c *canvas.Canvas, r image.Rectangle, i canvas.Ink) {
	c.Warn(image.Rect(r.Min.X, r.Min.Y, r.Min.X+r.Dy(), r.Max.Y), r.Dy()/3, i)
}

// table returns the block of the table. The block shows the dice in use, and the counters and
// cards that belong to no seat. If there are none, the block is empty.
func (s *screen) table() *block {
	v := &s.View
	var items []item
	for _, d := range s.dice() { // players look at thrown dice
		items = append(items, s.die(d))
	}
	items = append(items, s.zones(numbered(v.Zones))...)
	for _, counter := range v.Counters {
		items = append(items, s.counter(text.Label(v, "counter."+counter.Name), counter.Value))
	}
	items = append(items, s.zones(unnumbered(v.Zones))...)
	if len(items) == 0 {
		return emptyBlock()
	}
	line := s.line()
	heights := []int{0}
	for n := range countLines(items, s.size.X-6) {
		heights = append(heights, (n+1)*line+3)
	}
	return &block{name: "table", heights: heights, draw: func(c *canvas.Canvas, r image.Rectangle) {
		c.Shade(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1), 2)
		r.Min.Y += 3
		writeItems(c, items, canvas.Inset(r, 3), line)
	}}
}

func numbered(zones engine.Zones) engine.Zones {
	return slices.DeleteFunc(slices.Clone(zones), func(z engine.Zone) bool { return !hasNumbers(z) })
}

func unnumbered(zones engine.Zones) engine.Zones {
	return slices.DeleteFunc(slices.Clone(zones), hasNumbers)
}

func hasNumbers(z engine.Zone) bool {
	return slices.ContainsFunc(z.Cards, func(c engine.Card) bool { return len(c.Counters) > 0 })
}

func (s *screen) line() int { return max(s.bold.Line(), s.body.Line()) }

func (s *screen) counter(label string, value int) item {
	figures := number(value)
	if strings.ContainsAny(label[max(len(label)-1, 0):], "0123456789") {
		figures = "×" + figures // "Pile 1" and 4 are not 14
	}
	return item{{face: s.small, text: label, shrink: labels}, {face: s.bold, text: figures}}
}

func (s *screen) dice() []engine.Die {
	idle := func(d engine.Die) bool { return d.State == "ready" || d.State == "used" }
	return slices.DeleteFunc(slices.Clone(s.View.Dice), idle)
}

// die returns the item of a die: the letter of its seat, then its face. The face is white on
// black if the die is kept.
func (s *screen) die(d engine.Die) item {
	face := "?"
	if d.Face != "" {
		face = text.Label(&s.View, "face."+string(d.Face))
	}
	die := span{face: s.small, text: face, look: boxed}
	if d.State == "kept" {
		die.look = filled
	}
	if m, ok := s.marks[d.Seat]; ok {
		return item{{face: s.small, text: m.letter}, die}
	}
	return item{die}
}

// zones returns the items of the zones that have cards. A zone with one to six known cards
// shows the names of these cards. A zone with more known cards shows their names only if one
// of its cards has a number. Any other zone shows only how many cards it has.
func (s *screen) zones(zones engine.Zones) []item {
	var items []item
	for _, z := range zones {
		if len(z.Cards) == 0 {
			continue
		}
		label := text.Label(&s.View, "zone."+z.Name)
		known := text.Known(z.Cards)
		if len(known) == 0 || len(known) > 6 && !hasNumbers(z) {
			items = append(items, s.counter(label, len(z.Cards)))
			continue
		}
		groups := groupAlike(known)
		for i, group := range groups {
			it := s.card(group[0])
			if n := len(group); n > 1 {
				it = append(it, span{face: s.small, text: "×" + number(n)})
			}
			if i == 0 {
				it = append(item{{face: s.small, text: label, shrink: labels}}, it...)
			}
			if more := len(z.Cards) - len(known); more > 0 && i == len(groups)-1 {
				it = append(it, span{face: s.small, text: "+" + number(more), shrink: optional})
			}
			items = append(items, it)
		}
	}
	return items
}

// groupAlike puts the copies of the same card into one group. A copy stays alone if it has
// counters, a state, or other cards under it or attached to it.
func groupAlike(cards []engine.Card) [][]engine.Card {
	plain := func(c engine.Card) bool { return len(c.Counters)+len(c.State)+len(c.Under)+len(c.Attached) == 0 }
	var groups [][]engine.Card
	for _, c := range cards {
		i := slices.IndexFunc(groups, func(g []engine.Card) bool {
			return g[0].Kind == c.Kind && g[0].Name == c.Name && plain(c) && plain(g[0])
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// card returns the item of a card. The item begins with the first number, such as the power,
// in a box. The box is black if the card attacks. The name, the state, the other numbers and
// the keywords follow, and then how many cards are under or attached to the card.
//
// If there is little room, the parts after the name are left out, the last part first.
// Therefore the state comes before the numbers and keywords, which players can also read on
// the card itself.
func (s *screen) card(card engine.Card) item {
	var it item
	if len(card.Counters) > 0 {
		power := span{face: s.small, text: number(card.Counters[0].Value), look: boxed}
		if attacks(card) {
			power.look = filled
		}
		it = append(it, power)
	}
	name := card.Name
	if name == "" {
		name = "?"
		if card.Kind != "" {
			name = string(card.Kind)
		}
	}
	it = append(it, span{face: s.body, smaller: s.small, text: name, shrink: names})
	for _, state := range card.State {
		it = append(it, span{face: s.small, text: "(" + text.Label(&s.View, "state."+state) + ")", shrink: optional})
	}
	for _, counter := range card.Counters[min(1, len(card.Counters)):] {
		label := text.Short(text.Label(&s.View, "counter."+counter.Name))
		it = append(it, span{face: s.small, text: label + " " + number(counter.Value), shrink: optional})
	}
	for _, keyword := range card.Keywords {
		label := text.Short(text.Label(&s.View, "keyword."+keyword))
		it = append(it, span{face: s.small, text: label, look: underlined, shrink: optional})
	}
	if n := len(card.Under) + len(card.Attached); n > 0 {
		it = append(it, span{face: s.small, text: "+" + number(n), shrink: optional})
	}
	return it
}
