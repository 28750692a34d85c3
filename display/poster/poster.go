// Package poster draws the picture of a result, for players to share. The picture shows the
// winner, the ranking, the points of each round and the decisive moves.
package poster

import (
	_ "embed"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"tableside/engine"
)

//go:embed words.txt
var wordsFile string

// Words returns the catalogue of the picture's texts.
func Words() engine.Words { return engine.MustWords("display/poster/words.txt", wordsFile) }

// Width and Height are the size of a poster, in pixels. Social networks show a picture of
// this size uncut.
const (
	Width  = 1200
	Height = 630
	margin = 56
)

var (
	background = color.RGBA{0x0d, 0x0f, 0x15, 0xff}
	panel      = color.RGBA{0x16, 0x1a, 0x24, 0xff}
	raised     = color.RGBA{0x20, 0x26, 0x36, 0xff}
	ink        = color.RGBA{0xf5, 0xf2, 0xe9, 0xff}
	dim        = color.RGBA{0xaa, 0xb1, 0xc2, 0xff}
	signal     = color.RGBA{0xd2, 0xff, 0x3c, 0xff}
	nobody     = color.RGBA{0x8a, 0x8f, 0x9c, 0xff} // the table's colour
)

// A picture is a poster that is being drawn. It holds the result to show, and what is
// needed to draw it.
type picture struct {
	engine.Result
	img          *image.RGBA
	lang         engine.Lang
	words        engine.Words
	bold, medium *opentype.Font
	faces        map[typeface]font.Face
	shapes       map[engine.Seat]string
}

// A typeface is the weight and the size of letters. The size is in pixels to the em.
type typeface struct {
	bold bool
	size int
}

// Draw draws a result that was summed up in this language. It shows the date in the time zone of
// r.Begin.
func Draw(r engine.Result, lang engine.Lang) image.Image {
	p := &picture{Result: r, img: image.NewRGBA(image.Rect(0, 0, Width, Height)), lang: lang, words: Words(),
		bold: parse(gobold.TTF), medium: parse(gomedium.TTF), faces: map[typeface]font.Face{}, shapes: shapesOf(r.Seats)}
	p.fill(p.img.Rect, background)
	p.head()
	p.headline()
	bottom := p.writeMoves()
	p.ranking(image.Rect(margin, 262, Width-margin, bottom-22))
	return p.img
}

func parse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the fonts are part of the program
	}
	return f
}

func (p *picture) say(key string, pairs ...any) string {
	return p.words.Say(p.lang, engine.T("poster."+key, pairs...), nil)
}

func (p *picture) fill(r image.Rectangle, c color.Color) {
	draw.Draw(p.img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func (p *picture) face(t typeface) font.Face {
	if f := p.faces[t]; f != nil {
		return f
	}
	source := p.medium
	if t.bold {
		source = p.bold
	}
	f, err := opentype.NewFace(source, &opentype.FaceOptions{Size: float64(t.size), DPI: 72})
	if err != nil {
		panic(err) // the sizes are ours
	}
	p.faces[t] = f
	return f
}

func (p *picture) width(t typeface, s string) int { return font.MeasureString(p.face(t), s).Ceil() }

// fit returns s if it is at most width pixels wide. Otherwise it returns the beginning of s
// with an ellipsis. If not even one letter fits, it returns "".
func (p *picture) fit(t typeface, s string, width int) string {
	if p.width(t, s) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		if cut := strings.TrimRight(string(runes[:n]), "\u00a0 ,;:·.-") + "…"; p.width(t, cut) <= width {
			return cut
		}
	}
	return ""
}

func (p *picture) text(t typeface, x, y int, s string, c color.Color) int {
	d := font.Drawer{Dst: p.img, Src: image.NewUniform(c), Face: p.face(t), Dot: fixed.P(x, y)}
	d.DrawString(s)
	return d.Dot.X.Ceil()
}

// right writes the string s on the baseline at height y, so that it ends at x. It returns the
// x at which the string begins.
func (p *picture) right(t typeface, x, y int, s string, c color.Color) int {
	x -= p.width(t, s)
	p.text(t, x, y, s, c)
	return x
}

// head writes the game, the date and, if the match took at least a minute, its duration.
func (p *picture) head() {
	x := p.text(typeface{true, 26}, margin, 70, "TABLE", ink)
	x = p.text(typeface{true, 26}, x, 70, "/", signal)
	x = p.text(typeface{true, 26}, x, 70, "SIDE", ink)
	when := p.date()
	if p.Seconds >= 60 {
		when += " · " + p.duration()
	}
	end := p.right(typeface{false, 24}, Width-margin, 70, when, dim)
	title := typeface{true, 26}
	p.text(title, x+24, 70, p.fit(title, p.Title, end-x-48), dim)
}

func (p *picture) date() string {
	year, month, day := p.Begin.Date()
	return p.say("date", "month", p.say("month-"+strconv.Itoa(int(month))), "day", day, "year", year)
}

func (p *picture) duration() string {
	minutes := (p.Seconds + 30) / 60
	if minutes < 60 {
		return p.say("minutes", "n", minutes)
	}
	return p.say("hours", "h", minutes/60, "n", minutes%60)
}

// headline writes who won, on a band in the first winner's colour. If nobody won, it writes
// that the match is unfinished.
func (p *picture) headline() {
	band := image.Rect(margin, 104, Width-margin, 236)
	c := color.RGBA(ink)
	if len(p.Winners) > 0 {
		c = p.colourOf(p.Winners[0])
	}
	p.fill(band, c)
	for i := range 34 { // the cut corner of the page's banner
		p.fill(image.Rect(band.Max.X-34+i, band.Max.Y-1-i, band.Max.X, band.Max.Y-i), background)
	}
	on := readable(c)
	text := p.say("unfinished")
	if n := len(p.Winners); n > 0 {
		names := make([]string, n)
		for i, seat := range p.Winners {
			names[i] = p.name(seat)
		}
		who, key := names[0], "winner"
		if n > 1 {
			who, key = p.say("and", "first", strings.Join(names[:n-1], ", "), "last", names[n-1]), "winners"
		}
		text = p.say(key, "name", who)
	}
	x := band.Min.X + 32
	if len(p.Winners) > 0 {
		p.shape(p.shapes[p.Winners[0]], image.Pt(x, band.Min.Y+34), 64, on)
		x += 64 + 28
	}
	t := typeface{true, 64}
	for t.size > 36 && p.width(t, text) > band.Max.X-x-48 {
		t.size -= 4
	}
	p.text(t, x, band.Min.Y+66+t.size*35/100, p.fit(t, text, band.Max.X-x-48), on)
}

func (p *picture) name(seat engine.Seat) string {
	i := slices.IndexFunc(p.Seats, func(s engine.Standing) bool { return s.Seat == seat })
	return p.Seats[i].Shown
}

func (p *picture) colourOf(seat engine.Seat) color.RGBA {
	for _, s := range p.Seats {
		if n, err := strconv.ParseUint(strings.TrimPrefix(s.Colour, "#"), 16, 24); s.Seat == seat && err == nil {
			return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
		}
	}
	return nobody
}

func readable(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 140*1000 {
		return color.RGBA{0x10, 0x12, 0x18, 0xff}
	}
	return color.RGBA{0xff, 0xff, 0xff, 0xff}
}
