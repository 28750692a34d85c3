package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"testing"
)

const docs = "../.."

// TestDrawings checks that the pictures and tables in the repository are those
// of the examples beside them.
func TestDrawings(t *testing.T) {
	files, err := draw(docs)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1+len(drawings) {
		t.Errorf("%d files", len(files))
	}
	for name, text := range files {
		if kept, err := os.ReadFile(name); err != nil || string(kept) != text {
			t.Errorf("%s is not what the examples say (%v): go run ./docs/hardware/draw", name, err)
		}
	}
}

// A line is a straight piece of a wire, horizontal (x) or vertical (y).
type line struct {
	wire     *wire
	at       float64
	from, to float64
}

// TestWires checks that no wire overlaps another, so that readers can follow each.
func TestWires(t *testing.T) {
	for _, d := range drawings {
		p, err := d.plan(docs)
		if err != nil {
			t.Fatal(err)
		}
		var lying, standing []line
		for _, w := range p.Wires {
			var x, y float64
			for _, step := range regexp.MustCompile(`[MHV][0-9. ]+`).FindAllString(w.Path, -1) {
				var err error
				to := 0.0
				switch step[0] {
				case 'M':
					_, err = fmt.Sscan(step[1:], &x, &y)
				case 'H':
					_, err = fmt.Sscan(step[1:], &to)
					lying, x = append(lying, line{w, y, x, to}), to
				case 'V':
					_, err = fmt.Sscan(step[1:], &to)
					standing, y = append(standing, line{w, x, y, to}), to
				}
				if err != nil {
					t.Fatalf("%s: %s: %v", w.net, w.Path, err)
				}
			}
		}
		if len(lying) <= len(p.Wires) || len(standing) < len(p.Wires) {
			t.Errorf("%s: %d lying and %d standing lines of %d wires", d.File, len(lying), len(standing), len(p.Wires))
		}
		apart(t, d.File, lying, 3.5)
		apart(t, d.File, standing, lane)
	}
}

// apart fails if two parallel lines are closer than least.
func apart(t *testing.T, file string, lines []line, least float64) {
	t.Helper()
	for i, a := range lines {
		for _, b := range lines[:i] {
			overlap := min(max(a.from, a.to), max(b.from, b.to)) > max(min(a.from, a.to), min(b.from, b.to))
			if a.wire != b.wire && overlap && math.Abs(a.at-b.at) < least {
				t.Errorf("%s: %s and %s are only %g apart", file, a.wire.net, b.wire.net, math.Abs(a.at-b.at))
			}
		}
	}
}
