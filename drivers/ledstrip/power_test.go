package ledstrip_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
)

// TestLimit draws random pictures on random strips with any brightness and limit,
// and computes the current from the colours that the LEDs show.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chance := rand.New(rand.NewPCG(7, 7))
		limited := 0
		for range 600 {
			o := ledstrip.Opts{Chip: chips[chance.IntN(len(chips))], Count: 1 + chance.IntN(70),
				Brightness: 1 - chance.Float64()}
			if chance.IntN(3) == 0 {
				o.Brightness /= 50
			}
			if chance.IntN(4) > 0 {
				o.LimitMilliamps = o.Count + chance.IntN(1+o.Count*[]int{1, 10, 100}[chance.IntN(3)])
			}
			d, s := wired(t, o, ledstriptest.Host{})
			img := random(chance, o.Count)
			show(t, d, img)

			levels := s.Levels()
			wanted := make([][4]float64, o.Count) // at full brightness
			asked, drawn := 0.0, 0
			for i := range levels {
				c := img.NRGBAAt(i, 0)
				r, g, b, w := float64(c.R), float64(c.G), float64(c.B), 0.0
				if o.Chip == ledstrip.SK6812 {
					w = min(r, g, b)
					r, g, b = r-w, g-w, b-w
				}
				wanted[i] = [4]float64{r, g, b, w}
				for k := range 4 {
					asked += wanted[i][k] * o.Brightness * 20 / 255
					drawn += levels[i][k]
				}
			}
			current := float64(o.Count) + float64(drawn)*20/255/31
			if o.LimitMilliamps > 0 && current > float64(o.LimitMilliamps)+1e-9 {
				t.Fatalf("%+v draws %v mA", o, current)
			}
			if want := int(math.Ceil(current - 1e-9)); d.Current() != want {
				t.Fatalf("%+v draws %v mA, said to be %d", o, current, d.Current())
			}

			// Every colour is dimmed by the same factor: to the nearest step, or to
			// the step below where that takes too much current.
			plain := dimmed(o, wanted, levels, o.Brightness, 0.5, 0.5)
			if room := float64(o.LimitMilliamps - o.Count); o.LimitMilliamps > 0 && plain != nil {
				if err := dimmed(o, wanted, levels, o.Brightness*min(1, room/asked), 0, 1); err != nil {
					t.Fatalf("%+v: %v", o, err)
				}
				limited++
			} else if plain != nil {
				t.Fatalf("%+v: %v", o, plain)
			}
			if v := s.Violations(); v != (ledstriptest.Violations{}) {
				t.Fatalf("%+v", v)
			}
		}
		if limited < 100 {
			t.Errorf("only %d pictures were too bright", limited)
		}
	})
}

// dimmed checks that every level is the wanted one times a scale, within parts of a
// step up or down.
func dimmed(o ledstrip.Opts, wanted [][4]float64, levels [][4]int, scale, up, down float64) error {
	for i := range levels {
		step := 31.0
		if o.Chip == ledstrip.APA102 && max(wanted[i][0], wanted[i][1], wanted[i][2])*scale*31 < 255 {
			step = 1
		}
		for k, level := range levels[i] {
			if off := float64(level) - wanted[i][k]*scale*31; off > up*step+0.2 || off < -down*step-0.2 {
				return fmt.Errorf("LED %d shows %v, want %v × %v × 31", i, levels[i], wanted[i], scale)
			}
		}
	}
	return nil
}

// TestGreatLimits checks that numbers beyond any supply do not overflow.
func TestGreatLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, limit := range []int{4000*61 - 1, 4000 * 61, math.MaxInt32, math.MaxInt} {
			d, s := wired(t, ledstrip.Opts{Chip: ledstrip.WS2812, Count: 4000, LimitMilliamps: limit},
				ledstriptest.Host{Bufsiz: 1 << 16})
			show(t, d, white)
			if want := min(limit, 4000*61); d.Current() > want || d.Current() < want-4000 {
				t.Errorf("limit %d: %d mA", limit, d.Current())
			}
			if s.Levels()[3999][0] < 31*250 {
				t.Errorf("limit %d: the last LED is dim", limit)
			}
		}
	})
}

// TestLimitOfTheIdle draws with a limit below the current of dark LEDs.
func TestLimitOfTheIdle(t *testing.T) {
	for _, chip := range chips {
		synctest.Test(t, func(t *testing.T) {
			d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 60, LimitMilliamps: 60}, ledstriptest.Host{})
			show(t, d, white)
			if d.Current() != 60 || s.Levels()[0] != [4]int{} {
				t.Errorf("%s draws %d mA", chip, d.Current())
			}
		})
	}
}
