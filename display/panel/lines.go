package panel

import (
	"slices"

	"tableside/display/text"
)

// lay divides items into at most the given number of lines. The lines have the given width, in
// pixels.
//
// If the items do not fit, lay first leaves out optional spans that would take a line of their
// own. Then it shortens labels. If some items still do not fit, a number at the end says how
// many are missing.
func lay(items []item, width, lines int) [][]item {
	for _, set := range [][]item{separateExtras(items, width), items} {
		if out := pour(set, width, noLimit); len(out) <= lines {
			return out
		}
	}
	return pour(brief(items), width, lines)
}

func countLines(items []item, width int) int {
	return len(pour(separateExtras(items, width), width, noLimit))
}

// separateExtras splits each item that is wider than a line of the given width, in pixels. The
// spans that may be left out become an item of their own, which follows directly after the
// rest.
func separateExtras(items []item, width int) []item {
	var out []item
	for _, it := range items {
		var core, extra item
		for _, p := range it {
			if p.shrink == optional {
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

// isFull reports whether no further item may be added to the line. A line is full if it ends
// with spans that separateExtras has separated from their card. If another card followed, the
// spans would seem to belong to that card.
func isFull(line []item) bool { return line[len(line)-1][0].shrink == optional }

// brief returns a copy of the items in which the long words of labels are abbreviated.
func brief(items []item) []item {
	out := make([]item, len(items))
	for i, it := range items {
		out[i] = append(item(nil), it...)
		for j := range out[i] {
			if p := &out[i][j]; p.shrink == labels {
				p.text = text.Short(p.text)
			}
		}
	}
	return out
}

// pour divides items into at most the given number of lines, and shortens items that are wider
// than a line. A number at the end of the last line counts the items that do not fit.
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
			return count(out, countMissing(items[i:]), width)
		}
		out = append(out, []item{it})
		x = it.width()
	}
	return out
}

// countMissing returns the number to show in place of the given items, which have no room. A
// counter or a zone begins with an item that has a label. If the first items have no label,
// they are the remaining cards of a zone, and countMissing counts only these cards. Otherwise
// it counts the labels, or all items if there is no label.
func countMissing(items []item) int {
	labelled := func(it item) bool { return it[0].shrink == labels }
	switch at := slices.IndexFunc(items, labelled); {
	case at > 0:
		return at
	case at == 0:
		items = slices.DeleteFunc(slices.Clone(items), func(it item) bool { return !labelled(it) })
	}
	return len(items)
}

// count writes the number of missing items, such as "+3", at the end of the last line. To keep
// the line within the given width, count removes further items and adds them to the number.
// The first item of the line always stays; if that item is too wide, count shortens it.
func count(out [][]item, missing, width int) [][]item {
	if len(out) == 0 {
		return out
	}
	last := out[len(out)-1]
	for {
		more := item{{face: last[0][0].face, text: "+" + number(missing)}}
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
