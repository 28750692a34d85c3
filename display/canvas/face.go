package canvas

import (
	"image"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// A Face is a font at one size, in pure black and white. Its letters begin on whole pixels.
// The fonts have no kerning. A Face caches its letters, so only one goroutine may use it.
type Face struct {
	font       font.Face
	glyphs     map[rune]*glyph
	ascent     int // height of an accented capital above the baseline
	lineHeight int // from the top of an accented capital to the bottom of a g
	capHeight  int // height of a capital
}

// A glyph is a drawn letter.
type glyph struct {
	bounds  image.Rectangle // around the ink; 0,0 is the font's dot, on the baseline
	ink     []bool          // row by row
	advance int
	inFont  bool // otherwise the ink is a hollow box
}

// Medium returns a face of medium weight, for text; the size is in pixels per em.
func Medium(size float64) *Face { return newFace(gomedium.TTF, size) }

// Bold returns a bold face, for numbers and names; the size is in pixels per em.
func Bold(size float64) *Face { return newFace(gobold.TTF, size) }

func newFace(ttf []byte, size float64) *Face {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the fonts are part of the program
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err)
	}
	out := &Face{font: f, glyphs: map[rune]*glyph{}}
	out.capHeight = -out.glyph('H').bounds.Min.Y
	out.ascent = -min(out.glyph('É').bounds.Min.Y, out.glyph('Ç').bounds.Min.Y, out.glyph('Î').bounds.Min.Y)
	out.lineHeight = out.ascent + max(out.glyph('g').bounds.Max.Y, out.glyph('Ç').bounds.Max.Y)
	return out
}

// Cap returns the height of a capital, in pixels. Ascent returns the height of an accented
// capital. Line returns the height from the top of an accented capital to the bottom of a g.
func (f *Face) Cap() int    { return f.capHeight }
func (f *Face) Ascent() int { return f.ascent }
func (f *Face) Line() int   { return f.lineHeight }

// Has reports whether the font has a letter. A letter that it lacks is drawn as a hollow
// box.
func (f *Face) Has(r rune) bool { return f.glyph(r).inFont }

// threshold is the least coverage, out of 255, at which a pixel becomes ink. The threshold is
// below one half so that even the thinnest strokes are drawn.
const threshold = 0x68

func (f *Face) glyph(r rune) *glyph {
	g := f.glyphs[r]
	if g == nil {
		g = f.render(r)
		f.glyphs[r] = g
	}
	return g
}

func (f *Face) render(r rune) *glyph {
	switch {
	case r == '\u202f' || r == '\u00a0':
		return &glyph{advance: f.glyph(' ').advance, inFont: true}
	case unicode.Is(unicode.Mn, r):
		return &glyph{inFont: true} // a loose accent would blur the letter before it
	}
	at, mask, from, advance, ok := f.font.Glyph(fixed.Point26_6{}, r)
	if _, has := f.font.GlyphAdvance(r); !has || !ok || f.isMissing(r) {
		return f.unknown()
	}
	g := &glyph{bounds: at, advance: advance.Round(), inFont: true, ink: make([]bool, at.Dx()*at.Dy())}
	cover := mask.(*image.Alpha) // opentype always draws one; At would allocate for each pixel
	for y := range at.Dy() {
		line := cover.Pix[cover.PixOffset(from.X, from.Y+y):]
		for x := range at.Dx() {
			g.ink[y*at.Dx()+x] = line[x] >= threshold
		}
	}
	if r == '0' {
		g.removeSlash(f.thickness())
	}
	return g
}

// removeSlash removes the slash from a zero. With the slash, a small zero would look
// like an 8. The caller passes the width of a letter's stroke in pixels.
func (g *glyph) removeSlash(thick int) {
	w := g.bounds.Dx()
	top, bottom := slices.Index(g.ink, true)/w, g.bounds.Dy()-1
	for !slices.Contains(g.ink[bottom*w:bottom*w+w], true) {
		bottom--
	}
	for y := top + thick; y <= bottom-thick; y++ {
		line := g.ink[y*w : y*w+w]
		first, last := slices.Index(line, true), w-1
		for last > first && !line[last] {
			last--
		}
		for x := first + thick; x <= last-thick; x++ {
			line[x] = false
		}
	}
}

// thickness returns the width of an upright stroke of this face, in pixels.
func (f *Face) thickness() int {
	l := f.glyph('l')
	w, h := l.bounds.Dx(), l.bounds.Dy()
	thick := 0
	for _, on := range l.ink[h/2*w : h/2*w+w] {
		if on {
			thick++
		}
	}
	return max(thick, 1)
}

// isMissing reports whether the font lacks the rune r. GlyphAdvance does not report a missing
// rune but returns the advance of glyph 0.
func (f *Face) isMissing(r rune) bool {
	if r == '\ufffd' {
		return false
	}
	zero, _, _ := f.font.GlyphBounds('\U000fffff')
	this, _, _ := f.font.GlyphBounds(r)
	a, _ := f.font.GlyphAdvance('\U000fffff')
	b, _ := f.font.GlyphAdvance(r)
	return this == zero && a == b && r != ' '
}

func (f *Face) unknown() *glyph {
	w, h := max(4, f.capHeight/2), max(5, f.capHeight-2)
	g := &glyph{bounds: image.Rect(1, -h, 1+w, 0), advance: w + 2, ink: make([]bool, w*h)}
	for y := range h {
		for x := range w {
			g.ink[y*w+x] = x == 0 || y == 0 || x == w-1 || y == h-1
		}
	}
	return g
}

// Width returns the width of the text s in pixels. If the ink of the last letter extends
// beyond the letter's advance, the width includes the ink.
func (f *Face) Width(s string) int {
	width, ink := 0, 0
	for _, r := range s {
		g := f.glyph(r)
		ink = width + g.bounds.Max.X
		width += g.advance
	}
	return max(width, ink)
}

const ellipsis = "…"

// Fit returns s if it fits into the given width in pixels. Otherwise Fit returns the beginning
// of s and an ellipsis. If not even the ellipsis fits, it returns "".
func (f *Face) Fit(s string, width int) string {
	if f.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		cut := strings.TrimRight(string(runes[:n]), "\u00a0 ,;:·.-") + ellipsis
		if f.Width(cut) <= width {
			return cut
		}
	}
	if f.Width(ellipsis) <= width {
		return ellipsis
	}
	return ""
}

// Largest returns the first of the given faces that fits, as the given function reports. If
// none fits, Largest returns the last face and false.
func Largest(faces []*Face, fits func(*Face) bool) (f *Face, ok bool) {
	for _, f = range faces {
		if fits(f) {
			return f, true
		}
	}
	return f, false
}

// Words returns as many words from the beginning of s as fit into the given width in pixels.
// If not even the first word fits, Words returns "".
func (f *Face) Words(s string, width int) string {
	for f.Width(s) > width {
		end := strings.LastIndexByte(s, ' ')
		if end < 0 {
			return ""
		}
		s = s[:end]
	}
	return s
}

// Wrap breaks s at its spaces into at most the given number of lines. Each line fits into the
// given width in pixels. If the text needs more lines, the last line ends in an ellipsis. A
// word that is wider than a line is cut and ends in an ellipsis, too.
func (f *Face) Wrap(s string, width, lines int) []string {
	var out []string
	line := ""
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f' })
	for i, word := range words {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		switch {
		case f.Width(longer) <= width:
			line = longer
		case len(out) == lines-1:
			rest := strings.Join(words[i:], " ")
			if line != "" {
				rest = line + " " + rest
			}
			return append(out, f.Fit(rest, width))
		case line == "":
			out = append(out, f.Fit(word, width))
		default:
			out = append(out, line)
			line = word
			if f.Width(word) > width {
				line = f.Fit(word, width)
			}
		}
	}
	if line != "" && len(out) < lines {
		out = append(out, line)
	}
	return out
}
