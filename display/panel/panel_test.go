package panel

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"testing"

	"tableside/display/displaytest"
)

var sizes = []image.Point{{250, 122}, {296, 128}, {400, 300}}

// Large panels use a larger type; a few pictures show it.
var (
	large  = image.Pt(800, 480)
	atSize = []string{"genegrafter-en", "genegrafter-fr", "mindbug-fr", "mindbug-boosts-en", "mutants-2-fr",
		"mutants-4-fr", "mutants-16-fr", "tally-en", "boss-fr", "empty-en", "join-fr", "winner-fr", "trouble-fr"}
)

func TestGolden(t *testing.T) {
	p := NewPainter()
	for _, size := range append(sizes, large) {
		for _, s := range displaytest.Samples() {
			if size == large && !slices.Contains(atSize, s.Name) {
				continue
			}
			name := fmt.Sprintf("%s-%dx%d.png", s.Name, size.X, size.Y)
			t.Run(name, func(t *testing.T) {
				displaytest.Golden(t, filepath.Join("testdata", name), p.Draw(s.Frame, size))
			})
		}
	}
}
