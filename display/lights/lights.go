// Package lights shows a frame on a strip of coloured LEDs. The strip shows the table's track.
// For a game without a track, the strip shows a bar for each seat.
//
// Draw computes a picture from the frame and the time since something last happened. Output
// sends such pictures to the strip one after the other.
//
// Seats differ not only in their colours. The light of each seat winks in its own rhythm, once
// for the second seat, twice for the third and so on. The light of the seat whose turn it is
// also breathes.
package lights

import (
	"image/color"
	"maps"
	"slices"
	"time"

	"tableside/engine"
)

// A Layout describes the LEDs of a strip and what they show.
type Layout struct {
	LEDs    int    // how many the strip has
	Track   string // ID of the track beside the strip; "" means the first one of 2 to 25 spaces
	Reverse bool   // the first LED lies at the high end
	Chances int    // how many LEDs at the high end show the seats' chances, if the frame has them
}

// maxSpaces is the length of the longest track that the strip shows if the layout names no
// track. Longer tracks count a score, so the strip shows one only if the layout names it.
const maxSpaces = 25

// Times of animations.
const (
	breath       = 4 * time.Second        // one breath of the seat in turn, and one round of winks
	wink         = 110 * time.Millisecond // one wink, and the pause after it
	markerTime   = 700 * time.Millisecond // how long each marker of a stack with too few LEDs is shown
	restAfter    = 10 * time.Minute       // without news, after which only a low clock still blinks
	tick         = time.Second / 30       // from one picture to the next while something moves
	warningBlink = time.Second            // how long the red ends are on, and then off
)

// Draw returns the picture of a frame, which has one colour for each LED. The colours are
// linear, so half the value gives half the light. The age is the time since something last
// happened.
func Draw(f engine.Frame, l Layout, age time.Duration) []color.NRGBA {
	s := &strip{Frame: f, layout: l, age: age, track: trackOf(f, l), leds: make([]light, max(l.LEDs, 0))}
	if len(s.leds) == 0 {
		return nil
	}
	all, free := s.leds, min(max(l.Chances, 0), l.LEDs/2)
	s.leds = all[:len(all)-free]
	switch {
	case f.View.Match == "":
		s.idle()
	case len(f.View.Winners) > 0:
		s.winners()
	case s.track != nil:
		s.spaces()
	default:
		s.drawBars()
	}
	s.leds = all
	s.drawChances(all[len(all)-free:])
	s.warn()
	s.effect()
	return s.colours()
}

// Next returns how long the picture stays unchanged. If the picture stays unchanged until
// something happens, Next returns 0. The age is the time since something last happened.
func Next(f engine.Frame, l Layout, age time.Duration) time.Duration {
	switch {
	case l.LEDs <= 0:
		return 0
	case effectOf(f, age) != nil:
		return tick
	case age >= restAfter && isTimeLow(f.View.Clock):
		return 2*blink - age%(2*blink)
	case f.View.Match == "" || age >= restAfter:
		return 0
	case !f.Status.Keeping:
		return tick
	case len(f.View.Winners) > 0:
		if age < waveTime {
			return tick
		}
		return 0
	case f.View.Turn == "" && len(f.View.Seats) < 2:
		return 0
	}
	return tick
}

func isTimeLow(c *engine.ClockView) bool {
	return c != nil && slices.ContainsFunc(c.Running, func(id engine.Seat) bool { return c.Hurry(id) == "low" })
}

// A light is the colour of one LED. Each part is linear, from 0 to 1.
type light struct{ r, g, b float64 }

func (a light) times(k float64) light { return light{a.r * k, a.g * k, a.b * k} }

func (a light) blend(b light, k float64) light {
	return light{b.r + (a.r-b.r)*k, b.g + (a.g-b.g)*k, b.b + (a.b-b.b)*k}
}

// A strip is a picture that is being drawn. The first of its LEDs is at the low end of the
// strip.
type strip struct {
	engine.Frame
	layout Layout
	age    time.Duration // since something last happened
	track  *engine.Track
	leds   []light
}

func trackOf(f engine.Frame, l Layout) *engine.Track {
	for i, t := range f.View.Tracks {
		n := t.Last - t.First + 1
		if t.ID == l.Track && n > 0 || l.Track == "" && n > 1 && n <= maxSpaces {
			return &f.View.Tracks[i]
		}
	}
	return nil
}

// span divides the strip into n equal parts and returns the LEDs of part i, counted from 0. If
// there are fewer LEDs than parts, neighbouring parts share one LED.
func (s *strip) span(i, n int) []light {
	if per := len(s.leds) / n; per > 0 {
		return s.leds[i*per : (i+1)*per] // leftover LEDs stay dark at the high end
	}
	at := i * len(s.leds) / n
	return s.leds[at:min(at+1, len(s.leds))]
}

// Lights that belong to no seat.
var (
	redZone  = light{0.055, 0, 0}
	topSpace = light{0.05, 0.045, 0.03}
	area     = light{0.012, 0.014, 0.02}
	ground   = light{0.010, 0.007, 0.004}
	energy   = light{0.20, 0.22, 0.20}
)

// spaces draws the track: its areas dimly, and the markers on its spaces brightly.
func (s *strip) spaces() {
	t := s.track
	n := t.Last - t.First + 1
	for i := range n {
		paint(s.span(i, n), areaLight(t, t.First+i))
	}
	for _, space := range slices.Sorted(maps.Keys(t.Stacks)) {
		if stack := t.Stacks[space]; len(stack) > 0 {
			i := min(max(space-t.First, 0), n-1)
			s.stack(s.span(i, n), stack)
		}
	}
}

func areaLight(t *engine.Track, space int) light {
	var l light
	for _, a := range t.Areas {
		switch {
		case space < a.From || space > a.To:
		case a.From < a.To:
			l = redZone
		case space == t.Last:
			l = topSpace
		default:
			l = area
		}
	}
	return l
}

// stack divides the LEDs of a space among the markers on the space. The bottom marker is at
// the low end. If there are fewer LEDs than markers, the markers take turns, from the bottom
// one to the top one. In this case, only the top marker is shown after 10 minutes without news
// (restAfter).
func (s *strip) stack(leds []light, stack []engine.Seat) {
	if len(leds) < len(stack) {
		i := 0
		if s.age < restAfter {
			i = int(s.age/markerTime) % len(stack)
		} else {
			i = len(stack) - 1
		}
		paint(leds, s.seat(stack[i]))
		return
	}
	for i := range leds {
		leds[i] = s.seat(stack[i*len(stack)/len(leds)])
	}
}

func paint(leds []light, l light) {
	for i := range leds {
		leds[i] = l
	}
}

// drawBars draws two bars in each seat's part of the strip. The bar of the seat's first
// counter begins at the low end. The bar of the seat's energy, if it has any, begins at the
// high end.
func (s *strip) drawBars() {
	v := &s.View
	most := 1
	for _, seat := range v.Seats {
		if len(seat.Counters) > 0 {
			most = max(most, seat.Counters[0].Value)
		}
	}
	for i, seat := range v.Seats {
		leds := s.span(i, len(v.Seats))
		if len(leds) > 3 {
			leds = leds[:len(leds)-1] // a dark LED between neighbours
		}
		paint(leds, ground)
		if len(seat.Counters) == 0 {
			continue
		}
		length := barLength(max(seat.Counters[0].Value, 0), most, len(leds))
		n, _ := seat.Counters.Get("energy")
		free := max(len(leds)-length-1, 0) // one LED apart from the bar
		paint(leds[len(leds)-min(max(n, 0), free):], energy)
		paint(leds[:length], s.seat(seat.ID))
		if length == 0 && len(leds) > 0 {
			leds[0] = s.seat(seat.ID).times(0.08)
		}
	}
}

// drawChances divides LEDs among the seats by their chances.
func (s *strip) drawChances(leds []light) {
	c := s.Status.Chances
	if c == nil || len(s.View.Winners) > 0 {
		return
	}
	from, sum := 0, 0.0
	for _, one := range c.List {
		sum += one.Mean
		to := min(int(sum*float64(len(leds))+.5), len(leds))
		paint(leds[from:max(from, to)], s.seat(one.Seat))
		from = max(from, to)
	}
}

// barLength returns the length, in LEDs, of a bar for the given value. The peak is the highest
// value of all seats. If each point of the peak can have an LED of its own, the length equals
// the value. Otherwise the length is in proportion, but the bar of a value above 0 has at
// least one LED.
func barLength(value, peak, leds int) int {
	if peak <= leds {
		return value
	}
	length := value * leds / peak
	if value > 0 {
		length = max(length, 1)
	}
	return length
}

func (s *strip) idle() {
	for i := 1; i < len(s.leds); i += 3 {
		s.leds[i] = ground
	}
}

// warn makes the LEDs at both ends blink red while the match is not being saved. After 10
// minutes without news (restAfter), these LEDs do not blink but stay red.
func (s *strip) warn() {
	if s.Status.Keeping || s.View.Match == "" || len(s.leds) == 0 {
		return
	}
	if s.age >= restAfter || s.age/warningBlink%2 == 0 {
		s.leds[0], s.leds[len(s.leds)-1] = light{r: 0.6}, light{r: 0.6}
	}
}

func (s *strip) colours() []color.NRGBA {
	all := make([]color.NRGBA, 0, len(s.leds))
	for _, l := range s.leds {
		all = append(all, color.NRGBA{level(l.r), level(l.g), level(l.b), 255})
	}
	if s.layout.Reverse {
		slices.Reverse(all)
	}
	return all
}

// level converts the red, green or blue part of a light from 0–1 to 0–255. Only a part below
// about 0.001 becomes 0.
func level(x float64) uint8 {
	x = min(max(x, 0), 1) * 255
	if x > 0.2 && x < 1 {
		return 1
	}
	return uint8(x + 0.5)
}
