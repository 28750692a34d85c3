package lights

import (
	"math"
	"strconv"
	"time"

	"tableside/engine"
)

// seat returns the light of a seat at this moment. The light has the seat's colour and winks.
// During the seat's turn, the light also breathes. If the seat's time is short or over, the
// light blinks instead. If there is no seat with this id, the light is a dim white.
func (s *strip) seat(id engine.Seat) light {
	for i, seat := range s.View.Seats {
		if seat.ID != id {
			continue
		}
		if hurry := s.View.Clock.Hurry(id); hurry != "" {
			return s.hurrying(colourOf(seat.Colour), hurry)
		}
		k := winking(i, s.age)
		if s.View.Turn == engine.Null(id) {
			k = min(k, breathing(s.age))
		}
		return colourOf(seat.Colour).times(k)
	}
	return light{0.2, 0.2, 0.2}
}

// winking returns the brightness of seat i, counted from 0. The age is the time since
// something last happened. The number of winks in each breath is i modulo 8. After 10 minutes
// without news (restAfter), the seat is bright all the time.
func winking(i int, age time.Duration) float64 {
	if age >= restAfter {
		return 1
	}
	const begin = breath / 8
	at := age%breath - begin
	if at >= 0 && at < time.Duration(2*(i%8))*wink && at/wink%2 == 0 {
		return 0.12
	}
	return 0.8
}

// blink is half a period of the light of a seat whose time is over. The light is bright for
// this time and then dark for the same time.
const blink = 200 * time.Millisecond // more than three flashes a second harm some people

// hurrying returns the blinking light of a seat whose time is short or over. The caller passes
// the steady light of the seat as l. If hurry is "low", the light blinks slowly. If hurry is
// "over", the light blinks twice as fast. After 10 minutes without news (restAfter), the light
// of a seat whose time is over stays on.
func (s *strip) hurrying(l light, hurry string) light {
	period := 2 * blink
	if hurry == "over" {
		if s.age >= restAfter {
			return l
		}
		period = blink
	}
	if s.age/period%2 == 0 {
		return l
	}
	return l.times(0.03)
}

// breathing returns a brightness that goes from 1 down to 0.3 and up again in each breath. The
// age is the time since something last happened. After 10 minutes without news (restAfter),
// the brightness stays at 1.
func breathing(age time.Duration) float64 {
	if age >= restAfter {
		return 1
	}
	phase := float64(age%breath) / float64(breath)
	return 0.65 + 0.35*math.Cos(2*math.Pi*phase)
}

// colourOf returns the light of a colour such as "#d7263d", as bright as its hue allows. If
// the colour is almost black on screens, the light is a faint cold white, because a dark LED
// would belong to nobody. If the text is not a colour, the light is grey.
func colourOf(hex string) light {
	n, err := strconv.ParseUint(hex[min(1, len(hex)):], 16, 32)
	if err != nil || len(hex) != 7 {
		return light{0.5, 0.5, 0.5}
	}
	l := light{linear(n >> 16), linear(n >> 8 & 255), linear(n & 255)}
	top := max(l.r, l.g, l.b)
	if top < 0.1 {
		return light{0.10, 0.12, 0.22}
	}
	return l.times(1 / top)
}

func linear(part uint64) float64 { return math.Pow(float64(part&255)/255, 2.2) }
