package panel

import (
	"image"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// A mark identifies a seat without colour: by its shape, its pattern and a letter.
type mark struct {
	style  int // index into styles, from the seat's place, clockwise
	letter string
}

// marks returns the mark of each seat. A mark usually shows the initial of the player. If the
// font lacks this letter, the mark shows the seat's number, counted from 1.
func marks(v *engine.View, f *canvas.Face) map[engine.Seat]mark {
	initials := text.Initials(v)
	all := make(map[engine.Seat]mark, len(v.Seats))
	for i, s := range v.Seats {
		letter := initials[s.ID]
		for _, r := range letter {
			if !f.Has(r) {
				letter = number(i + 1)
			}
		}
		all[s.ID] = mark{style: i % len(styles), letter: letter}
	}
	return all
}

// A style is the look of a mark.
type style struct {
	outline func(x, y, w, h int) int     // how deep inside the shape a pixel is; 0 or less is outside
	edge    int                          // thickness of the black edge
	fill    func(x, y, w int) canvas.Ink // between the edge and the letter
	plate   canvas.Ink                   // behind the letter
}

// styles are ordered so that the marks of neighbouring seats differ most.
var styles = []style{
	{outline: square, edge: 1, fill: solid, plate: black},
	{outline: round, edge: 2, fill: empty, plate: white},
	{outline: pointed, edge: 1, fill: solid, plate: black},
	{outline: square, edge: 1, fill: flagInk, plate: white},
	{outline: round, edge: 1, fill: func(_, y, _ int) canvas.Ink { return canvas.Ink(y / 2 % 2) }, plate: white},
	{outline: pointed, edge: 2, fill: empty, plate: white},
	{outline: square, edge: 1, fill: dots, plate: white},
	{outline: pointed, edge: 1, fill: flagInk, plate: white},
}

func solid(_, _, _ int) canvas.Ink { return black }
func empty(_, _, _ int) canvas.Ink { return white }
func dots(x, y, _ int) canvas.Ink  { return canvas.Ink((x + y) % 2) }

// flagInk returns the colour of column x in a mark that looks like a flag. The middle of the
// mark is white, and its left and right ends are black. The mark is w pixels wide.
func flagInk(x, _, w int) canvas.Ink {
	if min(x, w-1-x) < max(2, w/6) {
		return black
	}
	return white
}

func square(x, y, w, h int) int { return 1 + min(x, y, w-1-x, h-1-y) }

func round(x, y, w, h int) int {
	x, y = min(x, w-1-x), min(y, h-1-y)
	radius := min(w, h) / 3
	if x+y < radius-1 {
		return 0
	}
	return min(1+min(x, y), x+y-radius+2)
}

func pointed(x, y, w, h int) int {
	fromMiddle := max(h/2-1-y, y-(h+1)/2, 0)
	return min(1+min(y, h-1-y), 1+min(x, w-1-x)-fromMiddle/2)
}

// draw draws the mark so that it fills r. f is the face of the mark's letter.
func (m mark) draw(c *canvas.Canvas, f *canvas.Face, r image.Rectangle) {
	s := styles[m.style]
	w, h := r.Dx(), r.Dy()
	plate := f.Width(m.letter)/2 + 1
	for y := range h {
		for x := range w {
			depth := s.outline(x, y, w, h)
			switch {
			case depth <= 0:
			case depth <= s.edge:
				c.Set(r.Min.X+x, r.Min.Y+y, black)
			case x >= w/2-plate && x <= (w-1)/2+plate:
				c.Set(r.Min.X+x, r.Min.Y+y, s.plate)
			default:
				c.Set(r.Min.X+x, r.Min.Y+y, s.fill(x, y, w))
			}
		}
	}
	for _, letter := range m.letter {
		c.Letter(f, r, letter, s.plate.Other())
	}
}
