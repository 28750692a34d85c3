package epaper_test

import (
	"context"
	"flag"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

var stories = flag.Int("stories", 1, "random stories for each panel")

// TestStories checks through random events that the picture of a successful update
// is on the glass, that the emulated controller counts no violation, and that an
// update refreshes at most once, and not at all without a change.
func TestStories(t *testing.T) {
	steps := 60
	if testing.Short() {
		steps = 16
	}
	for i, name := range epaper.Panels() {
		steps := steps
		if large(name) {
			steps /= 2
		}
		eachTrait(t, name, func(t *testing.T) {
			for n := range *stories {
				seed := uint64(n*len(epaper.Panels()) + i) // or all of them would be mounted the same way
				if tell(t, name, seed, steps); t.Failed() {
					return
				}
			}
		})
	}
}

// A story is a random series of events of one panel.
type story struct {
	t    *testing.T
	r    *rand.Rand
	seed uint64
	dev  *epaper.Dev
	p    *epapertest.Panel
	img  *image.Gray

	known bool        // the last update succeeded
	on    image.Image // what it showed
	told  []string
}

func tell(t *testing.T, name string, seed uint64, steps int) {
	s := &story{t: t, seed: seed, r: rand.New(rand.NewPCG(seed, uint64(42+traitOf(t))))} // each trait has its own
	opts := epaper.Opts{Panel: name, Rotate: s.r.IntN(4) * 90, FullEvery: s.r.IntN(8)}
	s.dev, s.p = connect(t, opts)
	s.p.PingPong(s.r.IntN(2) == 0)
	s.img = blank(s.dev.Bounds().Size())
	s.told = append(s.told, fmt.Sprintf("turned by %d degrees", opts.Rotate))
	for range steps {
		s.step(opts.Rotate)
		if t.Failed() {
			break
		}
	}
	if words, n := s.p.Violations(); n > 0 {
		t.Errorf("seed %d: %d violations: %q", seed, n, words)
	}
	if t.Failed() {
		t.Log(s.told)
	}
}

func (s *story) step(degrees int) {
	switch s.r.IntN(14) {
	case 0:
		s.tell("sleep")
		if err := s.dev.Sleep(context.Background()); err != nil {
			s.known = false
		}
	case 1:
		s.tell("time passes")
		time.Sleep(time.Duration(s.r.IntN(100000)) * time.Millisecond)
	case 2:
		s.tell("brown-out")
		s.p.BrownOut()
		if s.r.IntN(2) == 0 {
			if err := s.dev.Sleep(context.Background()); err != nil {
				s.known = false
			}
		}
		s.update(degrees) // not while BUSY is stuck, which would hide it
	case 3:
		s.tell("brown-out in a refresh")
		end := s.inARefresh(func() {
			time.Sleep(time.Duration(s.r.IntN(50)) * time.Millisecond)
			s.p.BrownOut()
		})
		s.update(degrees)
		end()
	case 4:
		s.tell("unplugged")
		s.p.Float(gpio.Level(s.r.IntN(2) == 0))
		s.p.Unplug()
		for range s.r.IntN(3) {
			s.update(degrees)
		}
		s.p.Plug()
	case 5:
		s.tell("dies in a refresh")
		end := s.inARefresh(s.p.Kill)
		s.update(degrees)
		end()
		s.p.Revive()
	case 6:
		d := time.Duration(s.r.IntN(60000)) * time.Millisecond
		s.tell("BUSY sticks for %v", d)
		s.p.StickBusy(d)
		s.update(degrees)
		s.p.FreeBusy()
	case 7:
		n := s.r.IntN(40)
		s.tell("mute after %d", n)
		s.p.MuteAfter(n)
		s.update(degrees)
		s.update(degrees)
		s.p.MuteAfter(-1)
	case 8:
		d := time.Duration(s.r.IntN(3000)) * time.Millisecond
		s.tell("given up after %v", d)
		s.updateWithin(degrees, d)
	default:
		s.update(degrees)
	}
}

func (s *story) tell(format string, args ...any) {
	s.told = append(s.told, fmt.Sprintf(format, args...))
}

// inARefresh calls do when the next refresh has begun. The function it returns
// ends the wait.
func (s *story) inARefresh(do func()) (end func()) {
	full, partial := s.p.Refreshes()
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			if f, q := s.p.Refreshes(); f+q > full+partial {
				do()
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() { close(stop); <-done }
}

func (s *story) update(degrees int) { s.updateWithin(degrees, time.Hour) }

func (s *story) updateWithin(degrees int, d time.Duration) {
	what := s.draw()
	full := s.r.IntN(10) == 0
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	before, wire := refreshes(s.p), s.p.Wire()
	start := time.Now()
	err := s.dev.Update(ctx, s.img, full)
	s.tell("%s (full: %v): %v", what, full, err)
	if took := time.Since(start); took > min(d, 2*limit) {
		s.t.Errorf("seed %d: it took %v", s.seed, took)
	}
	did := refreshes(s.p) - before
	changed := s.on == nil || differ(s.on, s.img) != ""
	switch {
	case did > 1:
		s.t.Errorf("seed %d: %d refreshes for a picture", s.seed, did)
	case s.known && !changed && !full && (did > 0 || s.p.Wire() != wire):
		s.t.Errorf("seed %d: something was sent for nothing", s.seed)
	}
	s.known = err == nil
	if err != nil {
		return
	}
	s.on = copied(s.img)
	if d := differ(s.p.Glass(), turned(s.img, degrees)); d != "" {
		s.t.Errorf("seed %d: on the glass %s", s.seed, d)
	}
}

func refreshes(p *epapertest.Panel) int {
	full, partial := p.Refreshes()
	return full + partial
}

// draw changes the picture, or leaves it unchanged.
func (s *story) draw() string {
	size := s.img.Rect.Max
	c := color.Gray{Y: uint8(s.r.IntN(2) * 255)}
	switch s.r.IntN(8) {
	case 0:
		return "nothing new"
	case 1:
		fill(s.img, s.img.Rect, c)
		return "a blank page"
	case 2:
		fill(s.img, image.Rect(0, 0, s.r.IntN(size.X), s.r.IntN(size.Y)), c)
		return "a large block"
	}
	for range 1 + s.r.IntN(4) {
		at := image.Pt(s.r.IntN(size.X), s.r.IntN(size.Y))
		fill(s.img, image.Rectangle{at, at.Add(image.Pt(1+s.r.IntN(20), 1+s.r.IntN(20)))},
			color.Gray{Y: uint8(s.r.IntN(2) * 255)})
	}
	return "marks"
}

func copied(img *image.Gray) *image.Gray {
	to := image.NewGray(img.Rect)
	copy(to.Pix, img.Pix)
	return to
}
