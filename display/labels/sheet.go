// Package labels draws sheets of labels for cards. Each label has a code that identifies the
// card. The label also has the card's name and number.
package labels

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tableside/display/qr"
	"tableside/engine"
)

// A Paper is a size of paper, in millimetres.
type Paper struct {
	Name string
	W, H float64
}

// Papers lists the sizes of paper.
var Papers = []Paper{{"a4", 210, 297}, {"letter", 215.9, 279.4}}

// A Size is the size of a label or a sticker, in millimetres.
type Size struct {
	Name string
	W, H float64

	// These fields are set only for sheets of stickers that are already cut.
	paper      string  // the name of the sheet's paper; "" if the labels are to be cut out
	left, top  float64 // of the first label
	stepX      float64 // from one column to the next; rows touch each other
	cols, rows int
}

// Sizes lists the sizes that have a name. If a name contains a number, several makers sell the
// same sheets of stickers under this name. The published templates agree on the width and the
// height of a sticker and on the gaps between columns. The rest of the paper is shared equally
// between opposite margins.
//
// For 5160, the program gLabels has a pitch of 70.6 mm and a margin of 4.0 mm. Both lengths
// are wrong, but by less than the border of a code.
var Sizes = []Size{
	{Name: "sleeve", W: 63, H: 88}, // the standard size of a card
	{Name: "mini", W: 44, H: 67},
	{Name: "sticker", W: 30, H: 30},
	{Name: "l7160", W: 63.5, H: 38.1, paper: "a4", left: 7.25, top: 15.15, stepX: 66, cols: 3, rows: 7},
	{Name: "l7651", W: 38.1, H: 21.2, paper: "a4", left: 4.75, top: 10.7, stepX: 40.6, cols: 5, rows: 13},
	{Name: "5160", W: 66.675, H: 25.4, paper: "letter", left: 4.7625, top: 12.7, stepX: 69.85, cols: 3, rows: 10},
}

// FindPaper returns the paper with this name, in upper or lower case. If no paper has the
// name, the error lists the names.
func FindPaper(name string) (Paper, error) {
	var names []string
	for _, p := range Papers {
		if p.Name == strings.ToLower(name) {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Paper{}, engine.Faultf(0, "got %q, want %s", name, engine.OneOf(names))
}

// FindSize returns the size with this name, in upper or lower case. A name such as "40x25" is
// a width and a height in millimetres, each from 1 to 1000. For any other name, the error
// lists the names.
func FindSize(name string) (Size, error) {
	var names []string
	for _, s := range Sizes {
		if s.Name == strings.ToLower(name) {
			return s, nil
		}
		names = append(names, s.Name)
	}
	w, h, _ := strings.Cut(strings.ToLower(name), "x")
	width, err := strconv.ParseFloat(w, 64)
	height, err2 := strconv.ParseFloat(h, 64)
	if err != nil || err2 != nil || !(width >= 1 && height >= 1 && width <= 1000 && height <= 1000) {
		return Size{}, engine.Faultf(0, "got %q, want %s, or millimetres such as 40x25", name, strings.Join(names, ", "))
	}
	return Size{Name: name, W: width, H: height}, nil
}

// OnlyPaper returns the name of the only paper on which stickers of this size are sold. If the
// size is for labels to cut out, OnlyPaper returns "".
func (z Size) OnlyPaper() string { return z.paper }

// A Label holds the code and the text of one label.
type Label struct {
	Code   string // the text of its code, such as "tableside:mutants/zombie.2"
	Name   string
	Number string // below the name, such as "Mutants 2/8"
}

// A Sheet says how labels are printed. The Footer is not printed on sheets of stickers.
type Sheet struct {
	Title  string
	Paper  Paper
	Size   Size
	Footer func(page, pages int) string // text left of the Ruler; nil for no text and no Ruler
}

// Ruler is the length in millimetres of the line at the lower edge of each page. People
// measure the line to see whether the print is true to scale.
const Ruler = 50

const (
	minMargin = 7.0  // most printers reach that close to the edge
	minModule = 0.35 // of a code, in millimetres; phones read that from 10 cm
	markGap   = 1.0  // between the labels and a cut mark
	hairline  = 0.15

	footerHeight = 5.4 // from the edge of the paper to the top of the footer
)

// A grid says where the labels are on a page, in millimetres.
type grid struct {
	left, top, stepX float64
	cols, rows       int
}

// layout returns the grid of a page. If the labels are to be cut out, the grid has as many
// labels as the paper holds. If the labels are stickers, the grid is that of the sheet.
//
// layout returns an error if the paper is too small for one label. It also returns an error if
// the stickers are sold on another paper.
func (s Sheet) layout() (grid, error) {
	z := s.Size
	if z.paper != "" {
		if z.paper != s.Paper.Name {
			return grid{}, engine.Faultf(0, "sheets of %s are %s, not %s", z.Name, z.paper, s.Paper.Name)
		}
		return grid{z.left, z.top, z.stepX, z.cols, z.rows}, nil
	}
	g := grid{stepX: z.W, cols: int((s.Paper.W - 2*minMargin) / z.W), rows: int((s.Paper.H - 2*minMargin) / z.H)}
	if g.cols < 1 || g.rows < 1 {
		return grid{}, engine.Faultf(0, "a label of %gx%g mm does not fit on %s", z.W, z.H, s.Paper.Name)
	}
	g.left, g.top = (s.Paper.W-float64(g.cols)*z.W)/2, (s.Paper.H-float64(g.rows)*z.H)/2
	return g, nil
}

func (g grid) perPage() int { return g.cols * g.rows }

func (g grid) pages(labels int) int { return (labels + g.perPage() - 1) / g.perPage() }

// begin returns an empty document and the grid for its labels. If the labels do not fit on the
// paper, begin returns an error. It also returns an error if a code does not fit on a label.
func (s Sheet) begin(labels []Label) (*document, grid, error) {
	g, err := s.layout()
	if err != nil {
		return nil, grid{}, err
	}
	if err := s.Size.fits(labels); err != nil {
		return nil, grid{}, err
	}
	d, err := newDocument(s.Title, s.Paper)
	return d, g, err
}

// Write writes the labels to w as a PDF, and returns the number of its pages.
func (s Sheet) Write(w io.Writer, labels []Label) (int, error) {
	d, g, err := s.begin(labels)
	if err != nil {
		return 0, err
	}
	pages, number := g.pages(len(labels)), 0
	for some := range slices.Chunk(labels, g.perPage()) {
		number++
		if err := s.fill(d.page(), g, some, number, pages); err != nil {
			return 0, err
		}
	}
	return pages, d.writeTo(w)
}

// fill draws a page with the labels. If the labels are to be cut out, fill also draws the cut
// marks and the footer. The caller passes the page's number, counted from 1, and the number of
// pages.
func (s Sheet) fill(p *page, g grid, labels []Label, number, pages int) error {
	for i, l := range labels {
		x, y := g.left+float64(i%g.cols)*g.stepX, g.top+float64(i/g.cols)*s.Size.H
		if err := p.label(s.Size, l, x, y); err != nil {
			return err
		}
	}
	if s.Size.paper == "" {
		p.marks(g, s.Size)
		if s.Footer != nil {
			p.footer(g, s.Footer(number, pages))
		}
	}
	return nil
}

// marks draws the marks along which people cut: black lines outside the labels, and faint
// crosses where four labels meet.
func (p *page) marks(g grid, z Size) {
	right, bottom := g.left+float64(g.cols)*z.W, g.top+float64(g.rows)*z.H
	wide, high := min(4, g.left-markGap-3), min(4, g.top-markGap-footerHeight)
	p.grey(0)
	for i := range g.cols + 1 {
		x := g.left + float64(i)*z.W - hairline/2
		p.rect(x, g.top-markGap-high, hairline, high)
		p.rect(x, bottom+markGap, hairline, high)
	}
	for i := range g.rows + 1 {
		y := g.top + float64(i)*z.H - hairline/2
		p.rect(g.left-markGap-wide, y, wide, hairline)
		p.rect(right+markGap, y, wide, hairline)
	}
	p.grey(0.75)
	for i := 1; i < g.cols; i++ {
		for j := 1; j < g.rows; j++ {
			x, y := g.left+float64(i)*z.W, g.top+float64(j)*z.H
			p.rect(x-1, y-hairline/2, 2, hairline)
			p.rect(x-hairline/2, y-1, hairline, 2)
		}
	}
}

// footer writes text at the lower edge of the page. To the right of the text, it draws a line
// whose length in millimetres is Ruler.
func (p *page) footer(g grid, text string) {
	const size = 2.1
	y := p.doc.paper.H - 3.6
	p.grey(0.3)
	p.text(medium, size, g.left+1, y, text)
	x := g.left + 1 + p.doc.width(medium, size, text) + 2
	p.rect(x, y-0.7, Ruler, 0.2)
	p.rect(x, y-1.5, 0.2, 1.8)
	p.rect(x+Ruler-0.2, y-1.5, 0.2, 1.8)
}

// label draws a label with its upper left corner at x, y. On a wide label, the code is at the
// left of the words. On any other label, the code is above the words. The blank border of the
// code serves as the label's margin.
func (p *page) label(z Size, l Label, x, y float64) error {
	code, err := qr.New(l.Code, qr.Medium)
	if err != nil {
		return fmt.Errorf("labels: %s: %w", l.Code, err)
	}
	f := z.form()
	module := f.codeSide / modules(code)
	if f.wide {
		p.code(code, x, y+(z.H-f.codeSide)/2, module)
		inner := f.codeSide - float64(qr.Border)*module/2 // the words may use half of the border
		p.writeWords(l, x+inner, y, z.W-inner-1.5, z.H, f.nameSize, f.maxLines, false)
		return nil
	}
	edge := (z.H - f.codeSide - f.wordsHeight) / 2
	p.code(code, x+(z.W-f.codeSide)/2, y+edge, module)
	up := float64(qr.Border) * module / 2
	p.writeWords(l, x+1.2, y+edge+f.codeSide-up, z.W-2.4, z.H-edge-f.codeSide+up-0.8, f.nameSize, f.maxLines, true)
	return nil
}

// code draws a code without its blank border. The upper left corner of the border is at x, y.
// The code consists of small squares, the modules. The caller passes the length of a module's
// side in millimetres.
func (p *page) code(c qr.Code, x, y, module float64) {
	p.grey(0)
	for row := range c.Size() {
		for from := 0; from < c.Size(); from++ {
			to := from
			for c.Dark(to, row) {
				to++
			}
			if to > from {
				p.rect(x+float64(from+qr.Border)*module, y+float64(row+qr.Border)*module, float64(to-from)*module, module)
				from = to
			}
		}
	}
}

// writeWords writes the name of a label and, below it, the number. The area of the words has
// its upper left corner at x, y. Its width is w and its height is h. The words are halfway up
// the area.
//
// The letters of the name have the given size. If the name does not fit, the letters become
// smaller. The caller passes the greatest number of lines for the name as limit. If centred is
// false, the lines begin at the left.
func (p *page) writeWords(l Label, x, y, w, h, size float64, limit int, centred bool) {
	name := p.fit(l.Name, w, &size, limit)
	small := max(1.6, 0.62*size)
	height := 1.15*size*float64(len(name)) + 1.25*small
	base := y + (h-height)/2 + 0.85*size
	write := func(f int, size float64, text string) {
		at := x
		if centred {
			at += (w - p.doc.width(f, size, text)) / 2
		}
		p.text(f, size, at, base, text)
	}
	p.grey(0)
	for _, line := range name {
		write(bold, size, line)
		base += 1.15 * size
	}
	base += 1.1*small - 0.85*small
	number := p.shorten(medium, small, l.Number, w)
	p.grey(0.35)
	write(medium, small, number)
}

// fit breaks a name into lines. The caller passes the greatest number of lines as limit, and
// the greatest width of a line in millimetres as w. If the name is too long, fit makes the
// letters smaller and stores the new size in *size. If the letters would become too small,
// some lines are shortened instead.
func (p *page) fit(name string, w float64, size *float64, limit int) []string {
	const least = 1.7
	for ; ; *size *= 0.94 {
		lines, fits := p.wrap(name, w, *size), true
		for _, line := range lines {
			fits = fits && p.doc.width(bold, *size, line) <= w
		}
		if fits && len(lines) <= limit {
			return lines
		}
		if *size*0.94 < least {
			if len(lines) > limit {
				lines = append(lines[:limit-1], strings.Join(lines[limit-1:], " "))
			}
			for i := range lines {
				lines[i] = p.shorten(bold, *size, lines[i], w)
			}
			return lines
		}
	}
}

// wrap breaks a name at its spaces and hyphens into lines of at most w millimetres. The caller
// passes the size of the letters. Only a line of a single word may be wider.
func (p *page) wrap(name string, w, size float64) []string {
	var lines []string
	for part := range strings.SplitAfterSeq(strings.ReplaceAll(name, "-", "-\x00"), " ") {
		for word := range strings.SplitSeq(part, "\x00") {
			if last := len(lines) - 1; last >= 0 && p.doc.width(bold, size, strings.TrimRight(lines[last]+word, " ")) <= w {
				lines[last] += word
				continue
			}
			lines = append(lines, word)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// shorten returns a text unchanged if it is at most w wide. Otherwise it returns the beginning
// of the text and an ellipsis. The caller passes the face and the size of the letters.
func (p *page) shorten(f int, size float64, text string, w float64) string {
	if p.doc.width(f, size, text) <= w {
		return text
	}
	letters := []rune(text)
	for len(letters) > 0 && p.doc.width(f, size, string(letters)+"…") > w {
		letters = letters[:len(letters)-1]
	}
	return string(letters) + "…"
}
