// Package panel draws a frame for e-paper: black and white, one bit per pixel. The picture is
// legible at arm's length or, on a large glass, from two metres. The package draws whatever
// the View holds and depends on no game.
//
// A picture is a column of blocks: whose turn it is, the seats, the tracks, the table and the
// prompt. Each block can be drawn in several heights. The most important blocks get room
// first. Blocks for which there is no room are left out.
package panel

import (
	"image"
	"image/color"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

// Paper is the palette of every picture: e-paper is white where nothing is drawn.
var Paper = color.Palette{color.White, color.Black}

const (
	white canvas.Ink = iota
	black
)

// A Painter draws pictures. It caches letters; only one goroutine may use it.
type Painter struct{ fonts *fonts }

// NewPainter returns a painter.
func NewPainter() *Painter { return &Painter{newFonts()} }

// Draw draws a frame for a glass of the given size in pixels. The palette of the picture is
// Paper.
func (p *Painter) Draw(f engine.Frame, size image.Point) *image.Paletted {
	c := canvas.New(size, Paper)
	p.paint(c, f)
	return c.Picture
}

func (p *Painter) paint(c *canvas.Canvas, f engine.Frame) {
	for _, b := range p.compose(f, c.Rect.Max) {
		b.draw(c.In(b.bounds), b.bounds)
	}
}

// A part is a block with its place in the picture.
type part struct {
	name   string
	bounds image.Rectangle
	draw   func(c *canvas.Canvas, r image.Rectangle)
}

func (p *Painter) compose(f engine.Frame, size image.Point) []part {
	f.View = text.Seated(f.View)
	s := screen{Frame: f, fonts: p.fonts, typeset: p.fonts.typesetOf(size), size: size,
		Question: text.QuestionOf(f, min(0, len(f.View.Prompts)-1), true)}
	s.marks = marks(&f.View, s.bold)
	switch {
	case f.View.Match == "":
		return s.idle()
	case len(f.View.Winners) > 0:
		return s.layOutEnd()
	case isReadFromAfar(size):
		return s.layOutFar()
	}
	return s.play()
}

// A screen holds the data that all blocks of one picture share.
type screen struct {
	engine.Frame
	typeset
	text.Question
	fonts *fonts
	size  image.Point
	marks map[engine.Seat]mark
}

// A block is a piece of a picture that can be drawn in several heights. The first height is
// always 0. At this height the block is left out, because there is no room for it.
type block struct {
	name    string
	heights []int // ascending
	level   int   // index of the chosen height
	draw    func(c *canvas.Canvas, r image.Rectangle)
}

func (b *block) height() int { return b.heights[b.level] }

// emptyBlock returns a block that is never drawn.
func emptyBlock() *block { return &block{heights: []int{0}} }

// stretch distributes free height, in pixels, among the blocks. It goes through the steps in
// order. For each step, it raises the block from level to level, up to the level of the step,
// until there is no more room.
func stretch(room int, steps []step) {
	for _, s := range steps {
		level := min(s.level, len(s.block.heights)-1)
		for s.block.level < level {
			more := s.block.heights[s.block.level+1] - s.block.height()
			if more > room {
				break
			}
			s.block.level++
			room -= more
		}
	}
}

// noLimit is a limit that has no effect. It is greater than any level, any number of lines and
// any number of items.
const noLimit = 99

// A step is one step in the layout of a picture. It raises a block to the given level, as far
// as there is room.
type step struct {
	block *block
	level int
}

// maxGap is the largest gap between blocks on a small panel, in pixels.
const maxGap = 8

// stack returns the parts of a picture, from top to bottom: one for each block with a height
// above 0. If the last block is such a block, it is at the bottom edge. The parts above it are
// separated by equal gaps, none of which is higher than the limit, in pixels.
func stack(blocks []*block, size image.Point, limit int) []part {
	room := size.Y
	shown := 0
	for _, b := range blocks {
		room -= b.height()
		if b.height() > 0 {
			shown++
		}
	}
	gap := 0
	if shown > 1 {
		gap = min(max(room, 0)/shown, limit)
	}
	var parts []part
	y := 0
	for i, b := range blocks {
		h := b.height()
		if h == 0 {
			continue
		}
		if i == len(blocks)-1 {
			y = size.Y - h
		}
		parts = append(parts, part{b.name, image.Rect(0, y, size.X, y+h), b.draw})
		y += h + gap
	}
	return parts
}
