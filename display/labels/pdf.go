package labels

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// A document is a PDF file (ISO 32000-1) with pages of rectangles and text. Its methods
// measure in millimetres from the upper left corner of the paper.
type document struct {
	title   string
	paper   Paper
	faces   [2]*face
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

// A face is a typeface. The whole typeface is embedded in the file. Text in this face is
// written as the numbers of its glyphs.
type face struct {
	name      string
	file      []byte
	font      *sfnt.Font
	buf       sfnt.Buffer
	usedRunes map[sfnt.GlyphIndex]rune
	widths    map[sfnt.GlyphIndex]float64 // in em
}

// em is the font size at which the widths of glyphs are read. The width tables of PDF count in
// thousandths of an em.
const em = 1000

func newDocument(title string, paper Paper) (*document, error) {
	d := &document{title: title, paper: paper}
	for i, f := range []*face{{name: "GoMedium", file: gomedium.TTF}, {name: "GoBold", file: gobold.TTF}} {
		parsed, err := sfnt.Parse(f.file)
		if err != nil {
			return nil, fmt.Errorf("labels: %s: %w", f.name, err)
		}
		f.font, f.usedRunes, f.widths = parsed, map[sfnt.GlyphIndex]rune{}, map[sfnt.GlyphIndex]float64{}
		d.faces[i] = f
	}
	return d, nil
}

// glyphs returns the glyphs of a text, and the width of the text in em. For a letter that the
// typeface lacks, the glyph is that of a box.
func (f *face) glyphs(text string) (glyphs []sfnt.GlyphIndex, width float64) {
	for _, r := range text {
		g, err := f.font.GlyphIndex(&f.buf, r)
		if err != nil {
			continue
		}
		w, known := f.widths[g]
		if !known {
			advance, err := f.font.GlyphAdvance(&f.buf, g, fixed.I(em), font.HintingNone)
			if err != nil {
				continue
			}
			w = float64(advance) / 64 / em
			f.widths[g] = w
		}
		f.usedRunes[g] = r
		glyphs, width = append(glyphs, g), width+w
	}
	return glyphs, width
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

// grey sets the colour of everything drawn afterwards. level is from 0 for black to 1 for
// white.
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
func (p *page) text(f int, size, x, y float64, text string) {
	if p.preview != nil {
		p.preview.text(p.doc.faces[f].font, size, x, y, text)
		return
	}
	glyphs, _ := p.doc.faces[f].glyphs(text)
	fmt.Fprintf(&p.buf, "BT /F%d %.3f Tf %.3f %.3f Td <", f, size*millimetre, x*millimetre, (p.doc.paper.H-y)*millimetre)
	for _, g := range glyphs {
		fmt.Fprintf(&p.buf, "%04X", g)
	}
	p.buf.WriteString("> Tj ET\n")
}

// width returns the width of a text in the face f, which is medium or bold. The caller passes
// the size of the letters. The width is in the same unit as this size.
func (d *document) width(f int, size float64, text string) float64 {
	_, w := d.faces[f].glyphs(text)
	return w * size
}

// Numbers of the first objects of the file. Other objects refer to these objects. After the
// objects of the faces come the pages. Each page is followed by its content.
const (
	catalogObject = 1 + iota
	pagesObject
	firstFontObject // each face has fontObjects of them
)

// fontObjects is the number of objects for each face: font, descendant, descriptor, file and
// text map.
const fontObjects = 5

// writeTo writes the document as a PDF to w.
func (d *document) writeTo(w io.Writer) error {
	d.out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	first := firstFontObject + fontObjects*len(d.faces)
	d.object(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R "+
		"/ViewerPreferences << /PrintScaling /None /DisplayDocTitle true >> >>", pagesObject))
	var kids strings.Builder
	for i := range d.pages {
		fmt.Fprintf(&kids, "%d 0 R ", first+2*i)
	}
	d.object(fmt.Sprintf("<< /Type /Pages /Count %d /MediaBox [0 0 %.3f %.3f] /Kids [%s] /Resources << /Font << "+
		"/F0 %d 0 R /F1 %d 0 R >> >> >>", len(d.pages), d.paper.W*millimetre, d.paper.H*millimetre, kids.String(),
		firstFontObject, firstFontObject+fontObjects))
	for i, f := range d.faces {
		if err := d.fontObjects(f, firstFontObject+fontObjects*i); err != nil {
			return err
		}
	}
	for i, p := range d.pages {
		d.object(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /Contents %d 0 R >>", pagesObject, first+2*i+1))
		d.stream("", p.buf.Bytes())
	}
	d.object("<< /Title <FEFF" + utf16Hex(d.title) + "> /Producer (Tableside) >>")
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

// object writes the next object, whose content is body.
func (d *document) object(body string) {
	d.offsets = append(d.offsets, d.out.Len())
	fmt.Fprintf(&d.out, "%d 0 obj\n%s\nendobj\n", len(d.offsets), body)
}

// stream compresses the data and writes it as the next object. The given entries go into the
// object's dictionary unchanged.
func (d *document) stream(entries string, data []byte) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(data) // a buffer takes everything
	_ = z.Close()
	d.object(fmt.Sprintf("<< /Length %d /Filter /FlateDecode%s >>\nstream\n%s\nendstream", packed.Len(), entries,
		packed.String()))
}

// fontObjects writes the objects of a face, of which the first has the number n. The face
// becomes a composite font whose codes are the numbers of glyphs (ISO 32000-1, 9.7). A map
// from these numbers to letters lets people search and copy text.
func (d *document) fontObjects(f *face, n int) error {
	bounds, err := f.font.Bounds(&f.buf, fixed.I(em), font.HintingNone)
	if err != nil {
		return fmt.Errorf("labels: %s: %w", f.name, err)
	}
	metrics, err := f.font.Metrics(&f.buf, fixed.I(em), font.HintingNone)
	if err != nil {
		return fmt.Errorf("labels: %s: %w", f.name, err)
	}
	var widths, letters strings.Builder
	var used []sfnt.GlyphIndex
	for g := range f.usedRunes {
		used = append(used, g)
	}
	slices.Sort(used)
	for _, g := range used {
		fmt.Fprintf(&widths, "%d [%.0f] ", g, f.widths[g]*em)
		fmt.Fprintf(&letters, "1 beginbfchar <%04X> <%s> endbfchar\n", g, utf16Hex(string(f.usedRunes[g])))
	}
	d.object(fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] "+
		"/ToUnicode %d 0 R >>", f.name, n+1, n+4))
	d.object(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) "+
		"/Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /W [%s] >>", f.name, n+2,
		widths.String()))
	d.object(fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%d %d %d %d] /ItalicAngle 0 "+
		"/Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %d 0 R >>", f.name, bounds.Min.X.Floor(),
		-bounds.Max.Y.Ceil(), bounds.Max.X.Ceil(), -bounds.Min.Y.Floor(), metrics.Ascent.Ceil(), -metrics.Descent.Ceil(),
		metrics.CapHeight.Ceil(), n+3))
	d.stream(fmt.Sprintf(" /Length1 %d", len(f.file)), f.file)
	d.stream("", []byte("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def /CMapName /L def\n"+
		"1 begincodespacerange <0000> <FFFF> endcodespacerange\n"+letters.String()+"endcmap end end"))
	return nil
}
