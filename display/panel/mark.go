package panel

import (
	"image"

	"tableside/display/text"
	"tableside/engine"
)

// A mark tells a seat from the others without colour: by its shape, its
// pattern and a letter.
type mark struct {
	style  int // the seat's place, clockwise
	letter string
}

func marks(v *engine.View) map[engine.Seat]mark {
	initials := text.Initials(v)
	all := make(map[engine.Seat]mark, len(v.Seats))
	for i, s := range v.Seats {
		all[s.ID] = mark{style: i % len(styles), letter: initials[s.ID]}
	}
	return all
}

// A style is the look of a mark.
type style struct {
	outline func(x, y, w, h int) int // how deep inside the shape a pixel lies: 0 is outside
	edge    int                      // thickness of the black edge
	fill    func(x, y int) ink       // between the edge and the letter
	plate   ink                      // behind the letter
}

// styles are ordered so that neighbours differ most.
var styles = []style{
	{outline: square, edge: 1, fill: solid, plate: black},
	{outline: round, edge: 2, fill: empty, plate: white},
	{outline: pointed, edge: 1, fill: solid, plate: black},
	{outline: square, edge: 1, fill: stripes, plate: white},
	{outline: round, edge: 1, fill: solid, plate: black},
	{outline: pointed, edge: 2, fill: empty, plate: white},
	{outline: square, edge: 1, fill: dots, plate: white},
	{outline: pointed, edge: 1, fill: stripes, plate: white},
}

func solid(int, int) ink { return black }
func empty(int, int) ink { return white }
func stripes(x, _ int) ink {
	return ink((x + 1) % 2)
}
func dots(x, y int) ink { return ink((x + y) % 2) }

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

// draw fills r with the mark.
func (m mark) draw(c *canvas, f *face, r image.Rectangle) {
	s := styles[m.style]
	w, h := r.Dx(), r.Dy()
	plate := f.width(m.letter)/2 + 1
	for y := range h {
		for x := range w {
			depth := s.outline(x, y, w, h)
			switch {
			case depth <= 0:
			case depth <= s.edge:
				c.set(r.Min.X+x, r.Min.Y+y, black)
			case x >= w/2-plate && x <= (w-1)/2+plate:
				c.set(r.Min.X+x, r.Min.Y+y, s.plate)
			default:
				c.set(r.Min.X+x, r.Min.Y+y, s.fill(x, y))
			}
		}
	}
	base := r.Min.Y + (h+f.cap+1)/2
	x := r.Min.X + (w-f.width(m.letter)+1)/2
	c.in(r).line(f, image.Pt(x, base-f.ascent), m.letter, s.plate.other())
}
