package labels

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"io"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A document is a PDF file (ISO 32000-1) with pages of rectangles and outlines of letters. Its
// methods measure in millimetres from the upper left corner of the paper.
type document struct {
	title   string
	paper   Paper
	faces   [2]*sfnt.Font
	buf     sfnt.Buffer
	pages   []*page
	offsets []int // of each object in the file
	out     bytes.Buffer
}

// These numbers stand for the two faces of a document. The methods that write or measure text
// take such a number as their parameter f.
const (
	medium = iota
	bold
)

// millimetre is the length of a millimetre in points, the unit of PDF.
const millimetre = 72 / 25.4

// em is the font size at which glyphs are read. A fixed-point number has 64 parts.
const em = 1000

func newDocument(title string, paper Paper) (*document, error) {
	d := &document{title: title, paper: paper}
	for f, file := range [][]byte{medium: gomedium.TTF, bold: gobold.TTF} {
		var err error
		if d.faces[f], err = sfnt.Parse(file); err != nil {
			return nil, fmt.Errorf("labels: %w", err)
		}
	}
	return d, nil
}

// width returns the width of a text in the face f, which is medium or bold. The caller passes
// the size of the letters. The width is in the same unit as this size.
func (d *document) width(f int, size float64, text string) float64 {
	width := 0.0
	for _, r := range text {
		_, advance := d.glyph(f, r)
		width += advance
	}
	return width * size
}

// glyph returns the glyph of a letter and its width in em. For a letter that the typeface
// lacks, the glyph is that of a box.
func (d *document) glyph(f int, r rune) (g sfnt.GlyphIndex, width float64) {
	g, err := d.faces[f].GlyphIndex(&d.buf, r)
	if err != nil {
		return 0, 0
	}
	advance, err := d.faces[f].GlyphAdvance(&d.buf, g, fixed.I(em), font.HintingNone)
	if err != nil {
		return 0, 0
	}
	return g, float64(advance) / 64 / em
}

// A page collects the drawing operators of one page, or draws the page as a preview.
type page struct {
	doc     *document
	buf     bytes.Buffer
	preview *preview // draws the page instead, if not nil
}

func (d *document) page() *page {
	p := &page{doc: d}
	d.pages = append(d.pages, p)
	return p
}

func (p *page) grey(level float64) {
	if p.preview != nil {
		p.preview.ink.Y = uint8(255 * level)
		return
	}
	fmt.Fprintf(&p.buf, "%.2f g\n", level)
}

// rect fills a rectangle with its upper left corner at x, y. Its width is w and its height is
// h. All lengths are in millimetres.
func (p *page) rect(x, y, w, h float64) {
	if p.preview != nil {
		p.preview.rect(x, y, w, h)
		return
	}
	fmt.Fprintf(&p.buf, "%.3f %.3f %.3f %.3f re f\n", x*millimetre, (p.doc.paper.H-y-h)*millimetre, w*millimetre,
		h*millimetre)
}

// text writes a text. The left end of its baseline is at x, y. The face f is medium or bold.
// The letters have the given size in millimetres.
//
// The letters are outlines, so the file needs no typeface and looks the same everywhere.
func (p *page) text(f int, size, x, y float64, text string) {
	if p.preview != nil {
		p.preview.text(p.doc.faces[f], size, x, y, text)
		return
	}
	for _, r := range text {
		g, width := p.doc.glyph(f, r)
		if outline, err := p.doc.faces[f].LoadGlyph(&p.doc.buf, g, fixed.I(em), nil); err == nil && len(outline) > 0 {
			scale := size * millimetre / em
			fmt.Fprintf(&p.buf, "q %.5f 0 0 %.5f %.3f %.3f cm\n", scale, scale, x*millimetre, (p.doc.paper.H-y)*millimetre)
			p.fillOutline(outline)
			p.buf.WriteString("Q\n")
		}
		x += width * size
	}
}

// fillOutline fills the outline of a glyph, whose unit is a thousandth of an em.
func (p *page) fillOutline(outline sfnt.Segments) {
	at := func(q fixed.Point26_6) image.Point { return image.Pt(q.X.Round(), -q.Y.Round()) }
	var pen image.Point
	for _, s := range outline {
		to := at(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			fmt.Fprintf(&p.buf, "%d %d m\n", to.X, to.Y)
		case sfnt.SegmentOpLineTo:
			fmt.Fprintf(&p.buf, "%d %d l\n", to.X, to.Y)
		case sfnt.SegmentOpQuadTo: // as a cubic curve, because PDF has no other
			twice := to.Mul(2)
			to = at(s.Args[1])
			first, second := pen.Add(twice).Div(3), to.Add(twice).Div(3)
			fmt.Fprintf(&p.buf, "%d %d %d %d %d %d c\n", first.X, first.Y, second.X, second.Y, to.X, to.Y)
		}
		pen = to
	}
	p.buf.WriteString("f\n")
}

// Numbers of the first objects of the file. Then come the pages. Each page is followed by its
// content.
const (
	catalogObject = 1 + iota
	pagesObject
	firstPageObject
)

// writeTo writes the document as a PDF to w.
func (d *document) writeTo(w io.Writer) error {
	d.out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	d.object(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R "+
		"/ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>", pagesObject))
	var kids strings.Builder
	for i := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstPageObject+2*i)
	}
	d.object(fmt.Sprintf("<< /Type /Pages /Count %d /MediaBox [0 0 %.3f %.3f] /Kids [%s] /Resources << >> >>",
		len(d.pages), d.paper.W*millimetre, d.paper.H*millimetre, kids.String()))
	for i, p := range d.pages {
		d.object(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /Contents %d 0 R >>", pagesObject, firstPageObject+2*i+1))
		var packed bytes.Buffer
		z := zlib.NewWriter(&packed)
		_, _ = z.Write(p.buf.Bytes()) // a buffer takes everything
		_ = z.Close()
		d.object(fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", packed.Len(), packed.String()))
	}
	var title strings.Builder // in UTF-16, as PDF writes texts beyond ASCII
	for _, unit := range utf16.Encode([]rune("\uFEFF" + d.title)) {
		fmt.Fprintf(&title, "%04X", unit)
	}
	d.object("<< /Title <" + title.String() + "> /Producer (Tableside) >>")
	start := d.out.Len()
	fmt.Fprintf(&d.out, "xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)+1)
	for _, at := range d.offsets {
		fmt.Fprintf(&d.out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&d.out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(d.offsets)+1,
		catalogObject, len(d.offsets), start)
	_, err := w.Write(d.out.Bytes())
	return err
}

func (d *document) object(body string) {
	d.offsets = append(d.offsets, d.out.Len())
	fmt.Fprintf(&d.out, "%d 0 obj\n%s\nendobj\n", len(d.offsets), body)
}
