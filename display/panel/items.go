package panel

import (
	"image"
	"slices"
	"strconv"

	"tableside/display/canvas"
	"tableside/display/text"
)

// An item is a few words that stay together on a line.
type item []span

// A span is words in one face.
type span struct {
	face    *canvas.Face
	smaller *canvas.Face // to be tried before the words are cut; or nil
	text    string
	look    look
	shrink  shrink
}

// A shrink says how a span is shortened if its item is too wide.
type shrink uint8

const (
	stays    shrink = iota
	optional        // is left out
	labels          // is cut once names are down to about eight letters
	names           // is cut to about eight letters before the labels, further after them
)

// A look is the decoration around the words of a span.
type look uint8

const (
	plain      look = iota
	boxed           // a thin frame
	filled          // white on black
	underlined      // a thin line below
)

func number(n int) string { return strconv.Itoa(n) }

func (p span) width() int { return p.face.Width(p.text) + p.edge() }

// edge returns the width, in pixels, that a frame or a black background adds to the span. If
// the span has neither, edge returns 0.
func (p span) edge() int {
	if p.look == boxed || p.look == filled {
		return 5
	}
	return 0
}

// spanGap returns the gap in pixels between two spans of an item.
func (p span) spanGap() int { return max(2, p.face.Cap()/3) }

func (it item) width() int {
	width := 0
	for i, p := range it {
		if i > 0 {
			width += p.spanGap()
		}
		width += p.width()
	}
	return width
}

// gapBefore returns the gap in pixels between an item and the item before it. If the item
// begins with a frame, the gap is smaller, because the frame already separates the two items.
func (it item) gapBefore() int {
	if it[0].look == boxed || it[0].look == filled {
		return it[0].face.Cap()/2 + 1
	}
	return it[0].face.Cap() + 1
}

// shortenTo returns a copy of the item, shortened to the given width in pixels as far as
// possible. It takes these steps, one after another, until the copy fits:
//
//  1. Spans that may be left out are removed, the last one first.
//  2. The label before a card's power is removed.
//  3. Names get smaller letters.
//  4. Names are cut to about eight letters, so that they remain distinct.
//  5. Labels are cut to about four letters.
//  6. Names are cut to about four letters.
//  7. Spans at the end are removed, and the first span is cut to fit.
func (it item) shortenTo(width int) item {
	out := slices.Clone(it)
	for out.width() > width && len(out) > 1 {
		last := len(out) - 1
		for last > 0 && out[last].shrink != optional {
			last--
		}
		if last == 0 {
			break
		}
		out = slices.Delete(out, last, last+1)
	}
	if out.width() > width && len(out) > 1 && out[0].shrink == labels && out[1].edge() > 0 {
		out = out[1:] // the power of a card says that it is in play
	}
	for i := range out {
		if p := &out[i]; p.smaller != nil && out.width() > width {
			p.face = p.smaller
		}
	}
	out.cut(names, width, 8)
	out.cut(labels, width, 4)
	out.cut(names, width, 4)
	for out.width() > width && len(out) > 1 {
		out = out[:len(out)-1]
	}
	out.cut(out[0].shrink, width, 0)
	return out
}

// cut shortens those spans whose field shrink has the given value, until the item fits into
// the given width in pixels. Each shortened span keeps room for about the given number of
// letters. Long words of a label are abbreviated first. If the item also has a name, its label
// then loses whole words.
func (it item) cut(by shrink, width, letters int) {
	named := slices.ContainsFunc(it, func(p span) bool { return p.shrink == names })
	for i := range it {
		p := &it[i]
		if by == labels && p.shrink == by && it.width() > width {
			p.text = text.Short(p.text)
		}
		over := it.width() - width
		if over <= 0 || p.shrink != by {
			continue
		}
		room := max(p.width()-over, letters*p.face.Cap()) - p.edge()
		if words := p.face.Words(p.text, room); by == labels && named && words != "" {
			if len(words) < 3 {
				words = "" // "In" alone means nothing
			}
			p.text = words
			continue
		}
		p.text = p.face.Fit(p.text, room)
	}
}

// writeItems writes items into r, as many as fit. line is the height of a line in pixels.
func writeItems(c *canvas.Canvas, items []item, r image.Rectangle, line int) {
	for _, one := range lay(items, r.Dx(), max(r.Dy()/line, 0)) {
		at := canvas.Row(&r, line)
		for i, it := range one {
			if i > 0 {
				at.Min.X += it.gapBefore()
			}
			at.Min.X = writeItem(c, it, at)
		}
	}
}

// writeItem writes one item at the left edge of r. It returns the x coordinate at which the
// item ends. All spans of the item stand on one baseline.
func writeItem(c *canvas.Canvas, it item, r image.Rectangle) int {
	tall := it[0].face
	for _, p := range it {
		if p.face.Cap() > tall.Cap() {
			tall = p.face
		}
	}
	base := c.Middle(tall, r) + tall.Ascent()
	x := r.Min.X
	for i, p := range it {
		if i > 0 {
			x += p.spanGap()
		}
		end := x + p.width()
		top := image.Pt(x, base-p.face.Ascent())
		box := image.Rect(x, base-p.face.Cap()-2, end, base+2)
		if p.shrink == names {
			box.Max.Y = base + p.face.Line() - p.face.Ascent() + 1 // below the tail of a g
		}
		switch p.look {
		case boxed:
			c.Frame(box, 0, black)
			c.Line(p.face, top.Add(image.Pt(3, 0)), p.text, black)
		case filled:
			c.Fill(box, black)
			c.Line(p.face, top.Add(image.Pt(3, 0)), p.text, white)
		case underlined:
			c.Line(p.face, top, p.text, black)
			c.Shade(image.Rect(x, base+2, end, base+3), 1)
		default:
			c.Line(p.face, top, p.text, black)
		}
		x = end
	}
	return x
}
