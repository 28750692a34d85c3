package poster

import (
	"image"
	"strconv"

	"tableside/engine"
)

// roundsShown is the greatest number of rounds for which the ranking has columns. For a
// match of more rounds, it shows only the totals.
const roundsShown = 8

// ranking draws the list of the seats into the rectangle r. It shows each seat's rank,
// shape and name. If the game counts points, it shows the total and, for two to roundsShown
// rounds, the points of each.
func (p *picture) ranking(r image.Rectangle) {
	rounds := p.Rounds
	if p.Counter == "" || len(rounds) < 2 || len(rounds) > roundsShown {
		rounds = nil
	}
	top := r.Min.Y
	if len(rounds) > 0 {
		top += 26
	}
	height := min(76, (r.Max.Y-top)/max(1, len(p.Seats)))
	size := max(16, height*56/100)
	name, number := typeface{true, size}, typeface{false, max(17, size*4/5)}
	total := typeface{true, max(18, size*5/4)}
	widest := 0
	for _, s := range p.Seats {
		widest = max(widest, p.width(total, strconv.Itoa(s.Value)))
	}
	unit := 0
	if p.Counter != "" {
		unit = p.width(number, p.Label) + 14
	}
	column := func(i int) int { return r.Max.X - 24 - unit - widest - 40 - (len(rounds)-1-i)*70 }
	for i, round := range rounds {
		p.right(typeface{false, 20}, column(i), r.Min.Y+16, p.say("round", "n", round.Round), dim)
	}
	for i, s := range p.Seats {
		row := image.Rect(r.Min.X, top+i*height, r.Max.X, top+(i+1)*height-6)
		p.row(row, s, name)
		base := row.Min.Y + (row.Dy()+size*72/100)/2
		x := r.Max.X - 24
		if p.Counter != "" {
			x = p.right(number, x, base, p.Label, dim) - 14
			p.right(total, x, base+size*8/100, strconv.Itoa(s.Value), ink)
			x -= widest + 40
		}
		for j, round := range rounds {
			p.right(number, column(j), base, points(round.Points[s.Seat]), dim)
		}
		x -= 70 * len(rounds)
		left := row.Min.X + 92 + size + 18
		p.text(name, left, base, p.fit(name, s.Shown, x-left), ink)
	}
}

// row draws the rank and the shape of a seat.
func (p *picture) row(row image.Rectangle, s engine.Standing, name typeface) {
	p.fill(row, panel)
	p.fill(image.Rect(row.Min.X, row.Min.Y, row.Min.X+8, row.Max.Y), p.colourOf(s.Seat))
	rank := strconv.Itoa(s.Rank)
	c := dim
	if s.Won {
		c = signal
	}
	p.text(name, row.Min.X+50-p.width(name, rank)/2, row.Min.Y+(row.Dy()+name.size*72/100)/2, rank, c)
	shape := image.Pt(row.Min.X+92, row.Min.Y+(row.Dy()-name.size)/2)
	if bright := p.colourOf(s.Seat); int(bright.R)+int(bright.G)+int(bright.B) < 220 { // too dark
		p.shape(p.shapes[s.Seat], shape.Sub(image.Pt(3, 3)), name.size+6, dim)
	}
	p.shape(p.shapes[s.Seat], shape, name.size, p.colourOf(s.Seat))
}

func points(n int) string {
	switch {
	case n > 0:
		return "+" + strconv.Itoa(n)
	case n < 0:
		return "−" + strconv.Itoa(-n)
	}
	return "·"
}

// writeMoves writes the last decisive moves at the lower edge. It writes at most three moves,
// and fewer if there are many seats. It returns the y coordinate at which the moves begin.
func (p *picture) writeMoves() int {
	moves := p.Moves
	room := max(0, min(3, 6-len(p.Seats))) // many seats need the height
	if len(moves) > room {
		moves = moves[len(moves)-room:]
	}
	t := typeface{false, 22}
	top := Height - 40 - len(moves)*32
	if len(moves) > 0 {
		p.fill(image.Rect(margin, top-14, Width-margin, top-12), raised)
	}
	for i, d := range moves {
		y := top + i*32 + 24
		p.shape(p.shapes[d.Seat], image.Pt(margin, y-18), 20, p.colourOf(d.Seat))
		for t.size = 22; t.size > 17 && p.width(t, d.Text) > Width-2*margin-36; t.size-- {
		}
		p.text(t, margin+36, y, p.fit(t, d.Text, Width-2*margin-36), dim)
	}
	return top - 14
}
