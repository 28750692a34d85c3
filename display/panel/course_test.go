package panel

import (
	"image"
	"testing"

	"tableside/display/displaytest"
	"tableside/engine"
)

// TestCourseLetters checks that the letters at the ends of the lines are whole and apart
// from each other, also where four lines end at the least value.
func TestCourseLetters(t *testing.T) {
	p, size := NewPainter(), image.Pt(400, 300)
	f := displaytest.Winner(engine.English)
	f.Course = &engine.Course{Counter: "power", Inputs: 10}
	for _, s := range f.View.Seats {
		f.Course.Lines = append(f.Course.Lines, engine.CourseLine{Seat: s.ID,
			Values: []engine.CourseValue{{N: 0, Value: 5}, {N: 9, Value: 1}}})
	}
	var at image.Rectangle
	for _, part := range p.compose(f, size) {
		if part.name == "course" {
			at = part.bounds
		}
	}
	if at.Empty() || len(f.Course.Lines) != 4 {
		t.Fatalf("the course of %d seats is at %v", len(f.Course.Lines), at)
	}
	at.Min.X = at.Max.X - 2*p.fonts.typesetOf(size).bold.Cap()
	img := p.Draw(f, size)
	inked := func(y int) bool {
		for x := at.Min.X; x < at.Max.X; x++ {
			if img.ColorIndexAt(x, y) == uint8(black) {
				return true
			}
		}
		return false
	}
	letters := 0
	for y := at.Min.Y; y < at.Max.Y; y++ {
		if inked(y) && !inked(y-1) {
			letters++
		}
	}
	if letters != 4 || inked(at.Max.Y-1) {
		t.Errorf("got %d letters in %v, and the last ends at the edge: %t", letters, at, inked(at.Max.Y-1))
	}
}

// TestDashes checks that a dash goes on around a corner.
func TestDashes(t *testing.T) {
	text := ""
	for i := range 12 {
		if isInStroke(i%6, []int{2, 1, 1, 2}) {
			text += "x"
		} else {
			text += "."
		}
	}
	if text != "xx.x..xx.x.." {
		t.Errorf("got %s", text)
	}
}
