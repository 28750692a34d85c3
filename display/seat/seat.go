// Package seat draws a frame for a small OLED screen in front of one player. The screen has
// 128×64 or 128×32 pixels, light on black, and is an inch wide. It shows the player's
// question, whose turn it is, and the player's counters. The first counter is as large as
// possible.
//
// The first 16 rows are the header. On many modules of 64 rows, the header has another colour.
// When the player is asked something, the header is filled, so that the player sees this from
// the corner of an eye.
package seat

import (
	_ "embed"
	"image"
	"slices"

	"tableside/display/canvas"
	"tableside/display/text"
	"tableside/engine"
)

//go:embed words.txt
var wordsFile string

var words = engine.MustWords("display/seat/words.txt", wordsFile)

// A Painter draws pictures for one seat. It caches letters; only one goroutine may use it.
type Painter struct {
	seat      engine.Seat
	textFaces []*canvas.Face // the larger ones first
	boldFaces []*canvas.Face
}

// These are the sizes of letters for texts. Their capitals are 7, 9 and 10 pixels high. On
// modules of 0.96 inches, this is 1.2, 1.5 and 1.7 mm.
const (
	size7  = 9.5
	size9  = 11.4
	size10 = 13.25
)

// boldSizes are the sizes of the bold letters, for numbers and winners.
var boldSizes = []float64{36, 31, 28, 25, 22, 17, 15.1, size10, size9, size7}

// NewPainter returns a painter for a seat.
func NewPainter(seat engine.Seat) *Painter {
	p := &Painter{seat: seat}
	for _, size := range []float64{size10, size9, size7} {
		p.textFaces = append(p.textFaces, canvas.Medium(size))
	}
	for _, size := range boldSizes {
		p.boldFaces = append(p.boldFaces, canvas.Bold(size))
	}
	return p
}

// Draw draws a frame for a screen of the given size in pixels. The palette of the picture is
// Glow.
func (p *Painter) Draw(f engine.Frame, size image.Point) *image.Paletted {
	c := canvas.NewTight(size, Glow)
	p.paint(c, f)
	return c.Picture
}

func (p *Painter) paint(c *canvas.Canvas, f engine.Frame) {
	s := &screen{Frame: f, Painter: p, seatView: f.View.Seat(p.seat)}
	s.Question = s.ask()
	s.draw(c)
}

func (p *Painter) small() *canvas.Face { return p.textFaces[len(p.textFaces)-1] }

func (p *Painter) bold(s string, width, line int) *canvas.Face {
	f, _ := canvas.Largest(p.boldFaces, func(f *canvas.Face) bool { return f.Line() <= line && f.Width(s) <= width })
	return f
}

// A screen is a picture being drawn.
type screen struct {
	engine.Frame
	*Painter
	text.Question
	seatView *engine.SeatView // nil if the seat does not play
}

// signSide is the side length, in pixels, of the square sign that warns of trouble.
const signSide = 11

// These are heights of the header, in pixels. The little header is for a short screen whose
// seat takes part in an unfinished match. While a question is asked, a short screen has no
// header.
const (
	headerHeight       = 16
	littleHeaderHeight = 11
)

func short(r image.Rectangle) bool { return r.Dy() < 3*headerHeight }

func (s *screen) draw(c *canvas.Canvas) {
	over := len(s.View.Winners) > 0
	body := c.Rect
	switch {
	case !short(c.Rect):
		body.Min.Y = headerHeight + 1
		s.head(c.In(image.Rect(0, 0, body.Max.X, headerHeight-1)), s.bold("", 0, headerHeight-2))
	case !s.asked() && !over && s.seatView != nil:
		body.Min.Y = littleHeaderHeight + 1
		s.head(c.In(image.Rect(0, 0, body.Max.X, littleHeaderHeight)), s.bold("", 0, littleHeaderHeight))
	}
	switch c := c.In(body); {
	case s.asked():
		s.prompt(c)
	case over:
		s.drawResult(c)
	case s.seatView != nil && len(s.values()) > 0:
		s.drawCounters(c)
	default:
		f, lines := s.largestFace(s.state(), c.Rect.Dx()-4, c.Rect.Dy())
		writeLines(c, f, canvas.Inset(c.Rect, 2), lines)
	}
	if s.won() && !s.asked() {
		for i, was := range c.Picture.Pix { // the whole screen is lit
			c.Picture.Pix[i] = uint8(canvas.Ink(was).Other())
		}
	}
}

// head draws the header. The title is at the left. If there is trouble, a warning sign is at
// the right. Otherwise, while the body shows a question, the seat's first counter is at the
// right, if there is one. In all other cases, the round is at the right, if there are rounds.
func (s *screen) head(c *canvas.Canvas, f *canvas.Face) {
	colour := lit
	if s.asked() {
		c.Fill(c.Rect, lit)
		colour = dark
	} else if !short(c.Picture.Rect) {
		dots(c, image.Rect(c.Rect.Min.X, c.Rect.Max.Y, c.Rect.Max.X, c.Rect.Max.Y+1))
	}
	r := canvas.Inset(c.Rect, 2)
	switch {
	case s.hasTrouble():
		top := r.Min.Y + (r.Dy()-signSide)/2
		r.Max.X = warn(c, image.Rect(r.Max.X-signSide, top, r.Max.X, top+signSide), colour) - 5
	case s.asked() && s.seatView != nil && len(s.seatView.Counters) > 0:
		r.Max.X = c.Right(f, r, number(s.seatView.Counters[0].Value), colour) - 5
	case s.View.Round > 0:
		round := number(s.View.Round)
		if s.View.Rounds > 0 {
			round += "/" + number(s.View.Rounds)
		}
		r.Max.X = c.Right(f, r, round, colour) - 5
	}
	c.Left(f, r, s.title(f, r.Dx()), colour)
}

// title returns the text of the header, which normally says whose turn it is. A long name is
// cut so that the text fits the width.
//
// If it is nobody's turn, or if the match is over, title returns the name of this seat's
// player. If something is asked after the match, it returns who won. Without a match, it
// returns "Tableside".
func (s *screen) title(f *canvas.Face, width int) string {
	v := &s.View
	switch turn := engine.Seat(v.Turn); {
	case v.Match == "":
		return "Tableside"
	case len(v.Winners) > 0 && s.asked():
		return s.winner()
	case len(v.Winners) > 0 || turn == "":
		return text.Name(v, s.seat)
	case turn == s.seat:
		return words.Say(s.Lang, engine.T("your-turn"), nil)
	default:
		// The end of a long name is cut, not the end of the sentence.
		name := []rune(text.Name(v, turn))
		said := text.Say(s.Frame, "turn", "seat", string(name))
		for n := len(name) - 1; n > 0 && f.Width(said) > width; n-- {
			said = text.Say(s.Frame, "turn", "seat", string(name[:n])+"…")
		}
		return said
	}
}

func (s *screen) hasTrouble() bool {
	return !s.Status.Keeping && s.View.Match != "" || slices.ContainsFunc(s.Status.Health, func(p engine.Part) bool {
		return p.Health == engine.Broken || p.Health == engine.Degraded
	})
}

func (s *screen) state() string {
	switch {
	case s.View.Match == "":
		return text.Say(s.Frame, "empty")
	case s.seatView == nil:
		return s.View.Title
	}
	return text.Name(&s.View, s.seat)
}

func (s *screen) won() bool { return slices.Contains(s.View.Winners, s.seat) }

func (s *screen) winner() string {
	if s.won() {
		return words.Say(s.Lang, engine.T("you-win"), nil)
	}
	return text.Winner(s.Frame)
}

// largestFace returns the largest bold letters in which a sentence fits, and the lines of the
// sentence in these letters. A line is at most 26 pixels high. If the sentence does not fit in
// any letters, largestFace returns the smallest letters, and the lines are cut.
func (s *screen) largestFace(said string, width, height int) (*canvas.Face, []string) {
	var lines []string
	f, _ := canvas.Largest(s.boldFaces, func(f *canvas.Face) bool {
		lines = f.Wrap(said, width, max(1, height/f.Line()))
		n := len(lines)
		return f.Line() <= min(26, height) && n*f.Line() <= height && isComplete(f.Wrap(said, width, n)) &&
			len(f.Wrap(said, width, n+1)) == n
	})
	return f, lines
}
