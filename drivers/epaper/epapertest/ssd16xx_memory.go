package epapertest

// windowFault returns the reason why the current window cannot be written, or "" if it can.
// The window is set with 11h, 44h, 45h, 4Eh and 4Fh (SSD1680 §8.3 to §8.5, pp. 37-38).
func (c *ssd16xx) windowFault() string {
	m := c.p.model
	if max(c.xs, c.xe) >= m.sources/8 || max(c.ys, c.ye) >= m.gates {
		return "the window is outside the memory"
	}
	up := func(on bool, s, e int) bool { return on && s <= e || !on && s >= e }
	if !up(c.entry&1 != 0, c.xs, c.xe) || !up(c.entry&2 != 0, c.ys, c.ye) {
		return "the window is the other way round than the data entry mode"
	}
	if c.x < min(c.xs, c.xe) || c.x > max(c.xs, c.xe) || c.y < min(c.ys, c.ye) || c.y > max(c.ys, c.ye) {
		return "the address counter is outside the window"
	}
	return ""
}

// write stores bytes at the address counters, and advances the counters.
func (c *ssd16xx) write(ram, b []byte) {
	stride := c.p.model.sources / 8
	for len(b) > 0 {
		if c.entry == 3 && c.x <= c.xe { // lines downwards from the left: to the end of this one
			n := copy(ram[c.y*stride+c.x:][:c.xe+1-c.x], b)
			b = b[n:]
			if c.x += n; c.x > c.xe {
				c.x = c.xs
				advance(&c.y, c.ys, c.ye, true)
			}
			continue
		}
		ram[c.y*stride+c.x] = b[0]
		b = b[1:]
		if c.entry&4 == 0 {
			if advance(&c.x, c.xs, c.xe, c.entry&1 != 0) {
				advance(&c.y, c.ys, c.ye, c.entry&2 != 0)
			}
		} else if advance(&c.y, c.ys, c.ye, c.entry&2 != 0) {
			advance(&c.x, c.xs, c.xe, c.entry&1 != 0)
		}
	}
}

// advance moves an address counter by one, upwards if up is set, and downwards otherwise. If
// the counter is at its end, advance moves it back to its start instead, and returns true.
func advance(at *int, start, end int, up bool) bool {
	switch {
	case *at == end:
		*at = start
		return true
	case up:
		*at++
	default:
		*at--
	}
	return false
}
