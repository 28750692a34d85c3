package chart

import (
	"image"
	"testing"
)

// Every line has a pattern of its own, and reaches the height of its last value.
func TestDraw(t *testing.T) {
	var c Chart
	for i := range MaxLines {
		c.Lines = append(c.Lines, Line{Name: "Zoé", Steps: []Step{{0.5, i * 3}}})
	}
	c.Title, c.From, c.To = "Wins", "June", "July"
	size := image.Pt(800, 480)
	img := Draw(c, size)
	dots := func(y int) (pattern string) {
		for x := 500; x < 760; x++ {
			pattern += string('0' + rune(img.ColorIndexAt(x, y+1)))
		}
		return pattern
	}
	empty := dots(size.Y - 1)
	seen := map[string]int{}
	heights := 0
	for y := range size.Y / 2 {
		pattern := dots(y)
		if pattern == empty {
			continue
		}
		heights++
		seen[pattern]++
	}
	if heights == 0 || len(seen) < MaxLines/2 {
		t.Errorf("got %d rows with %d patterns", heights, len(seen))
	}
	plain := Draw(Chart{}, size)
	if img.Bounds() != plain.Bounds() {
		t.Errorf("got %v without lines", plain.Bounds())
	}
}

// A dash goes on around a corner.
func TestOn(t *testing.T) {
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
