package panel

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

// A face is a font at one size, in pure black and white. Its letters stand on
// whole pixels and are kept once they are drawn.
type face struct {
	font   font.Face
	glyphs map[rune]glyph
	ascent int // of an accented capital, above the baseline
	line   int // from the top of an accented capital to the bottom of a g
	cap    int // height of a capital
}

type glyph struct {
	at      image.Rectangle // around the ink, the dot at 0,0
	ink     []bool          // row by row
	advance int
	drawn   bool // whether the font has it
}

// The sizes, in pixels to the em, are those whose small letters end on whole
// pixels in the Go fonts: 7, 8, 9 and so on. A panel has 120 to 130 pixels to
// the inch, so that the smallest capital is 1.8 mm high.
const (
	size7  = 11.4
	size8  = 13.25
	size9  = 15.1
	size10 = 17
	size13 = 22
	size18 = 31
	size24 = 41.5
)

func newFace(ttf []byte, size float64) *face {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the fonts are part of the program
	}
	f, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(err)
	}
	out := &face{font: f, glyphs: map[rune]glyph{}}
	out.cap = -out.glyph('H').at.Min.Y
	out.ascent = -min(out.glyph('É').at.Min.Y, out.glyph('Ç').at.Min.Y, out.glyph('Î').at.Min.Y)
	out.line = out.ascent + max(out.glyph('g').at.Max.Y, out.glyph('Ç').at.Max.Y)
	return out
}

// threshold is the least coverage of a pixel that becomes ink, of 255. It is
// below one half so that hairlines never vanish.
const threshold = 0x68

func (f *face) glyph(r rune) glyph {
	if g, ok := f.glyphs[r]; ok {
		return g
	}
	g := f.render(r)
	f.glyphs[r] = g
	return g
}

func (f *face) render(r rune) glyph {
	switch {
	case r == '\u202f' || r == '\u00a0':
		return glyph{advance: f.glyph(' ').advance, drawn: true}
	case unicode.Is(unicode.Mn, r):
		return glyph{drawn: true} // a loose accent would blur the letter before it
	}
	at, mask, from, advance, ok := f.font.Glyph(fixed.Point26_6{}, r)
	if _, has := f.font.GlyphAdvance(r); !has || !ok || f.isMissing(r) {
		return f.unknown()
	}
	g := glyph{at: at, advance: advance.Round(), drawn: true, ink: make([]bool, at.Dx()*at.Dy())}
	for y := range at.Dy() {
		for x := range at.Dx() {
			_, _, _, a := mask.At(from.X+x, from.Y+y).RGBA()
			g.ink[y*at.Dx()+x] = a>>8 >= threshold
		}
	}
	if r == '0' {
		g.open(f.thick())
	}
	return g
}

// open takes the slash out of a zero: at these sizes it closes the figure,
// which then looks like an 8. Strokes are so many pixels thick.
func (g glyph) open(thick int) {
	w := g.at.Dx()
	top, bottom := slices.Index(g.ink, true)/w, g.at.Dy()-1
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

// thick is the width of an upright stroke, in pixels.
func (f *face) thick() int {
	l := f.glyph('l')
	w, h := l.at.Dx(), l.at.Dy()
	thick := 0
	for _, on := range l.ink[h/2*w : h/2*w+w] {
		if on {
			thick++
		}
	}
	return max(thick, 1)
}

// isMissing reports whether the font lacks the rune: GlyphAdvance then speaks
// of glyph 0.
func (f *face) isMissing(r rune) bool {
	if r == '\ufffd' {
		return false
	}
	zero, _, _ := f.font.GlyphBounds('\U000fffff')
	this, _, _ := f.font.GlyphBounds(r)
	a, _ := f.font.GlyphAdvance('\U000fffff')
	b, _ := f.font.GlyphAdvance(r)
	return this == zero && a == b && r != ' '
}

// unknown stands for a letter that the font lacks: a small hollow box.
func (f *face) unknown() glyph {
	w, h := max(4, f.cap/2), max(5, f.cap-2)
	g := glyph{at: image.Rect(1, -h, 1+w, 0), advance: w + 2, ink: make([]bool, w*h)}
	for y := range h {
		for x := range w {
			g.ink[y*w+x] = x == 0 || y == 0 || x == w-1 || y == h-1
		}
	}
	return g
}

// kern is how much closer two letters stand.
func (f *face) kern(a, b rune) int { return f.font.Kern(a, b).Round() }

// width of a line, in pixels. The ink of a last letter may reach beyond where
// the next would begin.
func (f *face) width(s string) int {
	width, ink := 0, 0
	last := rune(-1)
	for _, r := range s {
		if last >= 0 {
			width += f.kern(last, r)
		}
		g := f.glyph(r)
		ink = width + g.at.Max.X
		width += g.advance
		last = r
	}
	return max(width, ink)
}

const ellipsis = "…"

// fit cuts a line that is too wide, and says so with an ellipsis.
func (f *face) fit(s string, width int) string {
	if f.width(s) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		cut := strings.TrimRight(string(runes[:n]), "\u00a0 ,;:·.-") + ellipsis
		if f.width(cut) <= width {
			return cut
		}
	}
	if f.width(ellipsis) <= width {
		return ellipsis
	}
	return ""
}

// words are the first words of a line that fit, "" where not even one does.
func (f *face) words(s string, width int) string {
	for f.width(s) > width {
		end := strings.LastIndexByte(s, ' ')
		if end < 0 {
			return ""
		}
		s = s[:end]
	}
	return s
}

// wrap breaks a text into at most so many lines; what does not fit ends in an
// ellipsis.
func (f *face) wrap(s string, width, lines int) []string {
	var out []string
	line := ""
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' && r != '\u202f' })
	for i, word := range words {
		longer := word
		if line != "" {
			longer = line + " " + word
		}
		switch {
		case f.width(longer) <= width:
			line = longer
		case len(out) == lines-1:
			rest := strings.Join(words[i:], " ")
			if line != "" {
				rest = line + " " + rest
			}
			return append(out, f.fit(rest, width))
		case line == "":
			out = append(out, f.fit(word, width))
		default:
			out = append(out, line)
			line = word
			if f.width(word) > width {
				line = f.fit(word, width)
			}
		}
	}
	if line != "" && len(out) < lines {
		out = append(out, line)
	}
	return out
}

// A typeset is the faces that one picture is written in.
type typeset struct {
	small, body, bold, big, huge *face
}

// fonts hold the faces of every size of panel.
type fonts struct {
	little, middle, large typeset
}

func newFonts() *fonts {
	m7, m8, m9, m10 := newFace(gomedium.TTF, size7), newFace(gomedium.TTF, size8), newFace(gomedium.TTF, size9), newFace(gomedium.TTF, size10)
	b8, b9, b10 := newFace(gobold.TTF, size8), newFace(gobold.TTF, size9), newFace(gobold.TTF, size10)
	m13 := newFace(gomedium.TTF, size13)
	b13, b18, b24 := newFace(gobold.TTF, size13), newFace(gobold.TTF, size18), newFace(gobold.TTF, size24)
	return &fonts{
		little: typeset{small: m7, body: m8, bold: b8, big: b10, huge: b13},
		middle: typeset{small: m8, body: m9, bold: b9, big: b13, huge: b18},
		large:  typeset{small: m10, body: m13, bold: b13, big: b18, huge: b24},
	}
}

// of chooses the faces for a size of panel.
func (f *fonts) of(size image.Point) typeset {
	switch {
	case min(size.X, size.Y) >= 420 && max(size.X, size.Y) >= 600:
		return f.large // half as large again as the middle one, on glass that has more than that more room
	case size.Y >= 200 && size.X >= 300:
		return f.middle
	}
	return f.little
}
