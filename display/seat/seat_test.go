package seat

import (
	"fmt"
	"image"
	"path/filepath"
	"testing"

	"tableside/display/displaytest"
	"tableside/engine"
)

var sizes = []image.Point{{128, 64}, {128, 32}}

// TestGolden draws every sample for the seat that is asked, and some for another
// seat.
func TestGolden(t *testing.T) {
	for _, size := range sizes {
		for _, s := range displaytest.Samples() {
			for _, seat := range []engine.Seat{"red", "blue", "yellow"} {
				if s.Frame.View.Seat(seat) == nil && (seat != "red" || s.Frame.View.Match != "") {
					continue
				}
				name := fmt.Sprintf("%s-%s-%dx%d.png", s.Name, seat, size.X, size.Y)
				t.Run(name, func(t *testing.T) {
					displaytest.Golden(t, filepath.Join("testdata", name), NewPainter(seat).Draw(s.Frame, size))
				})
			}
		}
	}
}
