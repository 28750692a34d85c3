package panel

import (
	"slices"

	"tableside/display/text"
)

// lay sets items into at most the given number of lines, each width pixels wide. If the items
// do not fit, spans that may be left out are dropped instead of taking a line of their own;
// then labels are shortened. If there is still no room for some items, a number at the end
// says how many are missing.
func lay(items []item, width, lines int) [][]item {
	for _, set := range [][]item{separateExtras(items, width), items} {
		if out := pour(set, width, all); len(out) <= lines {
			return out
		}
	}
	return pour(brief(items), width, lines)
}

// wanted returns how many lines items take if nothing is shortened.
func wanted(items []item, width int) int { return len(pour(separateExtras(items, width), width, all)) }

// separateExtras returns the items for lines of width pixels. If an item is wider than a line, its
// spans that may be left out become an item of their own, which follows it.
func separateExtras(items []item, width int) []item {
	var out []item
	for _, it := range items {
		var core, extra item
		for _, p := range it {
			if p.shrink == leaves {
				extra = append(extra, p)
			} else {
				core = append(core, p)
			}
		}
		if it.width() <= width || len(core) == 0 || len(extra) == 0 {
			out = append(out, it)
			continue
		}
		out = append(out, core, extra)
	}
	return out
}

// isFull reports whether no item may be added to the line. This is so if the line ends with
// spans that the function apart has separated from their card: beside the next card, they
// would seem to belong to that card.
func isFull(line []item) bool { return line[len(line)-1][0].shrink == leaves }

// brief returns the items with the long words of their labels abbreviated.
func brief(items []item) []item {
	out := make([]item, len(items))
	for i, it := range items {
		out[i] = append(item(nil), it...)
		for j := range out[i] {
			if p := &out[i][j]; p.shrink == labels {
				p.s = text.Short(p.s)
			}
		}
	}
	return out
}

// pour sets items into at most the given number of lines, and shortens each item to width.
// Items that do not fit are counted at the end of the last line.
func pour(items []item, width, lines int) [][]item {
	var out [][]item
	x := 0
	for i, it := range items {
		it = it.shortenTo(width)
		if len(out) > 0 && !isFull(out[len(out)-1]) && x+it.gapBefore()+it.width() <= width {
			out[len(out)-1] = append(out[len(out)-1], it)
			x += it.gapBefore() + it.width()
			continue
		}
		if len(out) == lines {
			return count(out, rest(items[i:]), width)
		}
		out = append(out, []item{it})
		x = it.width()
	}
	return out
}

// rest returns the number to show for items that have no room. If the first of them are the
// remaining cards of a zone, it is the number of those cards. Else it is the number of items
// that begin with a label, which are counters and zones. If no item has a label, it is the
// number of all items.
func rest(items []item) int {
	labelled := func(it item) bool { return it[0].shrink == labels }
	switch at := slices.IndexFunc(items, labelled); {
	case at > 0:
		return at
	case at == 0:
		items = slices.DeleteFunc(slices.Clone(items), func(it item) bool { return !labelled(it) })
	}
	return len(items)
}

// count writes the number of missing items, as in "+3", at the end of the last line, which is
// width pixels wide. To make room, it removes items from that line and adds them to the
// number. One item always stays on the line; if it is too wide, count shortens it.
func count(out [][]item, missing, width int) [][]item {
	if len(out) == 0 {
		return out
	}
	last := out[len(out)-1]
	for {
		more := item{{f: last[0][0].f, s: "+" + number(missing)}}
		x := more.gapBefore() + more.width()
		for i, it := range last {
			x += it.width()
			if i > 0 {
				x += it.gapBefore()
			}
		}
		if x > width && len(last) == 1 {
			last[0] = last[0].shortenTo(width - more.gapBefore() - more.width())
			x = width
		}
		if x <= width {
			out[len(out)-1] = append(last, more)
			return out
		}
		last = last[:len(last)-1]
		missing++
	}
}
