package main

import (
	"slices"
)

// route gives each net of a side its lane, in an order with few crossings. A lane is the place
// of a wire that runs down, counted from the header. route returns the width of all lanes
// together.
func (p *plan) route(s int) float64 {
	var nets []*net
	for _, n := range p.sorted() {
		if len(n.sides[s].taps) > 0 {
			nets = append(nets, n)
		}
	}
	if len(nets) == 0 {
		return 0
	}
	best := crossings(nets, s)
	for better := true; better; {
		better = false
		for i := range nets {
			for j := range nets {
				moved := slices.Clone(nets)
				n := moved[i]
				moved = slices.Insert(slices.Delete(moved, i, i+1), j, n)
				if c := crossings(moved, s); c < best {
					nets, best, better = moved, c, true
				}
			}
		}
	}
	for i, n := range nets {
		n.sides[s].x = lane * (float64(i) + 1.6)
	}
	return lane * (float64(len(nets)) + 3.6)
}

// crossings counts the crossings of wires that run down in the given order. The first wire is
// next to the header. A crossing near the end of a wire is counted like any other crossing.
func crossings(nets []*net, s int) int {
	count := 0
	for i, n := range nets {
		side := n.sides[s]
		for j, other := range nets {
			top, low := other.reach(s)
			within := func(y float64) bool { return top < y && y < low }
			if j < i && n.leaves(s) && within(side.startY) {
				count++
			}
			if j > i {
				for _, y := range side.taps {
					if within(y) {
						count++
					}
				}
			}
		}
	}
	return count
}

// reach returns the start and end of a net's vertical part.
func (n *net) reach(s int) (top, low float64) {
	ys := n.sides[s].taps
	if n.leaves(s) {
		ys = append(slices.Clone(ys), n.sides[s].startY)
	}
	return slices.Min(ys), slices.Max(ys)
}
