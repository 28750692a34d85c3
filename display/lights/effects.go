package lights

import (
	"math"
	"slices"
	"time"

	"tableside/engine"
)

// An effect is the strip's reaction to an input. An effect begins as soon as the input is
// handled, because players expect the reaction within a tenth of a second.
type effect struct {
	duration time.Duration
	draw     func(s *strip, leds []light, at float64) // at goes from 0 to 1 while the effect lasts
}

var (
	sweep = effect{420 * time.Millisecond, func(_ *strip, leds []light, at float64) {
		comet(leds, at, light{0.55, 1, 0.6})
	}}
	undoEffect = effect{600 * time.Millisecond, rewind}
	redoEffect = effect{600 * time.Millisecond, func(_ *strip, leds []light, at float64) {
		comet(leds, at, light{0.5, 0.75, 1})
	}}
	pulses  = effect{560 * time.Millisecond, pulse}
	flicker = effect{640 * time.Millisecond, spark}
)

func effectOf(f engine.Frame, age time.Duration) *effect {
	e := answer(f)
	if e == nil || age >= e.duration {
		return nil
	}
	return e
}

func answer(f engine.Frame) *effect {
	for _, e := range f.Events {
		switch e.Name {
		case engine.EventUndo:
			return &undoEffect
		case engine.EventRedo:
			return &redoEffect
		}
	}
	if r := f.Status.Receipt; r != nil {
		switch r.Outcome {
		case engine.Accepted:
			return &sweep
		case engine.Unknown:
			return &flicker
		case engine.Refused, engine.Malformed, engine.Failed:
			return &pulses
		}
	}
	return nil
}

// effect draws the effect that plays now, if there is one, over the picture. If each seat has
// a bar, the effect covers only the bar of the seat that acted. Otherwise it covers the whole
// strip.
func (s *strip) effect() {
	e := effectOf(s.Frame, s.age)
	if e == nil {
		return
	}
	e.draw(s, s.region(), float64(s.age)/float64(e.duration))
}

func (s *strip) region() []light {
	if s.track != nil || s.Status.Receipt == nil || s.View.Match == "" || len(s.View.Winners) > 0 {
		return s.leds
	}
	for i, seat := range s.View.Seats {
		if seat.ID == s.Status.Receipt.Seat {
			return s.span(i, len(s.View.Seats))
		}
	}
	return s.leds
}

// comet draws a light that runs from the low end of the LEDs to the high end. The light fades
// on both sides. The caller passes the progress of the light, from 0 to 1.
func comet(leds []light, progress float64, l light) {
	n := float64(len(leds))
	width := max(1.5, n/8)
	head := progress * (n + width)
	for i := range leds {
		behind := math.Abs(head - float64(i) - 0.5)
		if k := 1 - behind/width; k > 0 {
			leds[i] = l.blend(leds[i], min(1, k*1.6))
		}
	}
}

func rewind(_ *strip, leds []light, progress float64) {
	slices.Reverse(leds)
	comet(leds, progress, light{0.5, 0.75, 1})
	slices.Reverse(leds)
}

// pulse lights the LEDs twice in amber. The caller passes the progress of the effect, from 0
// to 1.
func pulse(_ *strip, leds []light, progress float64) {
	k := 0.0
	switch {
	case progress < 0.40:
		k = 1
	case progress >= 0.60:
		k = 1 - (progress-0.60)/0.40*0.5
	}
	paint(leds, light{1, 0.32, 0}.times(k*0.8))
}

// spark draws a blue-violet flicker, with the same pattern each time. The caller passes the
// progress of the effect, from 0 to 1.
func spark(s *strip, leds []light, progress float64) {
	step := uint32(s.age / (2 * tick))
	for i := range leds {
		x := (uint32(i)+1)*2654435761 ^ (step+1)*2246822519
		x ^= x >> 15
		x *= 2654435761
		k := float64(x>>24) / 255
		leds[i] = light{0.35, 0.05, 1}.times((0.15 + 0.85*k*k) * (1 - progress/2))
	}
}

// waveTime is how long the wave of a win runs. Afterwards the winners' colours stay.
const waveTime = 12 * time.Second

// winners fills the strip with the winners' colours, from its middle outwards. A wave runs
// over the colours. After 12 s (waveTime) the wave ends, and the colours stay but become
// dimmer.
func (s *strip) winners() {
	n := len(s.leds)
	for i := range s.leds {
		winner := s.View.Winners[i*len(s.View.Winners)/n]
		l := light{1, 0.7, 0.2}
		if seat := s.View.Seat(winner); seat != nil {
			l = colourOf(seat.Colour)
		}
		fromMiddle := math.Abs(2*float64(i)+1-float64(n)) / float64(n)
		grown := float64(s.age) / float64(1500*time.Millisecond)
		switch {
		case s.age >= waveTime:
			s.leds[i] = l.times(0.45)
		case fromMiddle > grown:
			s.leds[i] = ground
		default:
			wave := math.Cos(2 * math.Pi * (fromMiddle*1.5 - float64(s.age)/float64(1600*time.Millisecond)))
			s.leds[i] = light{1, 1, 1}.blend(l, max(0, wave-0.6)).times(0.6 + 0.4*wave)
		}
	}
}
