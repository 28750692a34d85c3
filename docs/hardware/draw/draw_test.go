package main

import (
	"bytes"
	"math"
	"os"
	"testing"
)

const docs = "../.."

// TestDrawings checks that the pictures and tables in the repository are those
// of the examples beside them.
func TestDrawings(t *testing.T) {
	page, err := os.ReadFile(docs + "/hardware.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drawings {
		plan, err := d.read(docs)
		if err != nil {
			t.Fatalf("%s: %v", d.file, err)
		}
		picture, err := os.ReadFile(d.picture(docs))
		if err != nil || !bytes.Equal(picture, plan.svg()) {
			t.Errorf("%s is not what examples/%s.toml says (%v): go run ./docs/hardware/draw", d.picture(docs), d.file, err)
		}
		if again, err := plan.tabulate(page); err != nil || !bytes.Equal(page, again) {
			t.Errorf("the table of %s in hardware.md is not what the example says (%v): go run ./docs/hardware/draw", d.file,
				err)
		}
	}
}

// A line is a straight piece of a wire, horizontal (x) or vertical (y).
type line struct {
	net      *net
	at       float64
	from, to float64
}

// TestWires checks that no wire overlaps another, so that readers can follow each.
func TestWires(t *testing.T) {
	for _, d := range drawings {
		p, err := d.read(docs)
		if err != nil {
			t.Fatal(err)
		}
		var lying, standing []line
		for _, n := range p.sorted() {
			for s := range n.sides {
				side := n.sides[s]
				if len(side.taps) == 0 {
					continue
				}
				top, low := n.reach(s)
				standing = append(standing, line{n, side.x, top, low})
				for _, y := range side.taps {
					lying = append(lying, line{n, y, side.x, p.rim(s)})
				}
				start := p.exitX[s]
				if n.crosses(s) {
					start = p.oddX + pinGap/2
				}
				if n.leaves(s) && n.pin > 0 {
					lying = append(lying, line{n, side.startY, start, side.x})
				}
			}
			if n.pin == 0 && n.hasBothRails() {
				lying = append(lying, line{n, n.sides[0].startY, n.sides[0].x, n.sides[1].x})
			}
		}
		apart(t, d.file, lying, 3.5)
		apart(t, d.file, standing, lane)
	}
}

// apart fails if two parallel lines are closer than least.
func apart(t *testing.T, file string, lines []line, least float64) {
	t.Helper()
	for i, a := range lines {
		for _, b := range lines[:i] {
			overlap := min(max(a.from, a.to), max(b.from, b.to)) > max(min(a.from, a.to), min(b.from, b.to))
			if a.net != b.net && overlap && math.Abs(a.at-b.at) < least {
				t.Errorf("%s: %s and %s are only %g apart", file, a.net.name, b.net.name, math.Abs(a.at-b.at))
			}
		}
	}
}
