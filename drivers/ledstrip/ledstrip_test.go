package ledstrip_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"

	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
)

var chips = []ledstrip.Chip{ledstrip.WS2812, ledstrip.SK6812, ledstrip.APA102}

func wired(t testing.TB, o ledstrip.Opts, h ledstriptest.Host) (*ledstrip.Dev, *ledstriptest.Strip) {
	t.Helper()
	s := ledstriptest.New(o.Chip, o.Count)
	s.On(h)
	d, err := ledstrip.New(s.SPI(), &o)
	if err != nil {
		t.Fatal(err)
	}
	return d, s
}

func random(chance *rand.Rand, leds int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, leds, 1))
	for i := range leds {
		c := color.NRGBA{R: byte(chance.Uint32()), G: byte(chance.Uint32()), B: byte(chance.Uint32()), A: 255}
		switch chance.IntN(4) {
		case 0:
			c.R, c.G, c.B = c.R/32, c.G/32, c.B/32
		case 1:
			c.G, c.B = c.R, c.R
		}
		img.SetNRGBA(i, 0, c)
	}
	return img
}

func show(t testing.TB, d *ledstrip.Dev, img image.Image) {
	t.Helper()
	if err := d.Draw(d.Bounds(), img, image.Point{}); err != nil {
		t.Fatal(err)
	}
}

func colours(img *image.NRGBA) []color.NRGBA {
	var all []color.NRGBA
	for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
		all = append(all, img.NRGBAAt(x, 0))
	}
	return all
}

// TestEveryClock draws on controllers with every core clock of Raspberry Pis: each
// pulse is within the data sheets, and the strip shows the drawn colours at once.
func TestEveryClock(t *testing.T) {
	for _, chip := range chips {
		for _, mhz := range []int64{200, 250, 333, 400, 500, 550} {
			synctest.Test(t, func(t *testing.T) {
				d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 60},
					ledstriptest.Host{Core: physic.Frequency(mhz) * physic.MegaHertz, Aux: true})
				chance := rand.New(rand.NewPCG(1, uint64(mhz)))
				for range 20 {
					img := random(chance, 60)
					show(t, d, img)
					if got := s.Colours(); !slices.Equal(got, colours(img)) {
						t.Fatalf("%s at %d MHz shows\n%v, want\n%v", chip, mhz, got, colours(img))
					}
				}
				if v := s.Violations(); v != (ledstriptest.Violations{}) {
					t.Errorf("%s at %d MHz: %+v", chip, mhz, v)
				}
			})
		}
	}
}

// TestPauseBetweenBytes draws on controllers that pause between two bytes: a low is
// longer than data sheets allow, but no colour is wrong.
func TestPauseBetweenBytes(t *testing.T) {
	for _, chip := range chips {
		for gap := 1; gap <= 3; gap++ {
			synctest.Test(t, func(t *testing.T) {
				d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 30}, ledstriptest.Host{Core: 500 * physic.MegaHertz, Gap: gap})
				img := random(rand.New(rand.NewPCG(2, 2)), 30)
				show(t, d, img)
				if got := s.Colours(); !slices.Equal(got, colours(img)) {
					t.Errorf("%s with a gap of %d shows\n%v, want\n%v", chip, gap, got, colours(img))
				}
				v := s.Violations()
				if v.Low = 0; v != (ledstriptest.Violations{}) {
					t.Errorf("%s with a gap of %d: %+v", chip, gap, v)
				}
			})
		}
	}
}

// TestIdleHigh draws on controllers that leave MOSI high: the strip shows each
// frame at once, and no stray colour from the bit that it reads there.
func TestIdleHigh(t *testing.T) {
	for _, chip := range chips {
		synctest.Test(t, func(t *testing.T) {
			d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 30}, ledstriptest.Host{IdleHigh: true})
			chance := rand.New(rand.NewPCG(3, 3))
			for range 5 {
				time.Sleep(40 * time.Millisecond)
				img := random(chance, 30)
				show(t, d, img)
				if got := s.Colours(); !slices.Equal(got, colours(img)) {
					t.Fatalf("%s shows\n%v, want\n%v", chip, got, colours(img))
				}
			}
		})
	}
}

// TestLongest checks that the longest strip of one transfer works, and that the
// error for a longer one says what to do.
func TestLongest(t *testing.T) {
	for chip, most := range map[ledstrip.Chip]int{ledstrip.WS2812: 322, ledstrip.SK6812: 241, ledstrip.APA102: 1006} {
		synctest.Test(t, func(t *testing.T) {
			d, s := wired(t, ledstrip.Opts{Chip: chip, Count: most}, ledstriptest.Host{})
			img := random(rand.New(rand.NewPCG(4, 4)), most)
			show(t, d, img)
			if got := s.Colours(); !slices.Equal(got, colours(img)) {
				t.Errorf("%d %s show %v", most, chip, got)
			}
			if n := s.Wire().Transactions; n != 1 {
				t.Errorf("%d transfers", n)
			}
			_, err := ledstrip.New(s.SPI(), &ledstrip.Opts{Chip: chip, Count: most + 1})
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("is %d LEDs", most)) ||
				!strings.Contains(err.Error(), "spidev.bufsiz=8192") {
				t.Errorf("one more: %v", err)
			}
			s.On(ledstriptest.Host{Bufsiz: 1 << 20})
			if _, err := ledstrip.New(s.SPI(), &ledstrip.Opts{Chip: chip, Count: 4000}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRefused checks that New refuses impossible options with a reason.
func TestRefused(t *testing.T) {
	for want, o := range map[string]ledstrip.Opts{
		`got chip "ws2813", want ws2812, sk6812 or apa102`: {Chip: "ws2813", Count: 1},
		`got chip ""`:              {Count: 1},
		`0 LEDs`:                   {Chip: ledstrip.WS2812},
		`-1 LEDs`:                  {Chip: ledstrip.WS2812, Count: -1},
		`4001 LEDs`:                {Chip: ledstrip.APA102, Count: 4001},
		`9223372036854775807 LEDs`: {Chip: ledstrip.APA102, Count: math.MaxInt},
		`brightness 1.01`:          {Chip: ledstrip.WS2812, Count: 1, Brightness: 1.01},
		`brightness -0.1`:          {Chip: ledstrip.WS2812, Count: 1, Brightness: -0.1},
		`brightness NaN`:           {Chip: ledstrip.WS2812, Count: 1, Brightness: math.NaN()},
		`limit of -1 mA`:           {Chip: ledstrip.WS2812, Count: 1, LimitMilliamps: -1},
		`60 LEDs take 60 mA while`: {Chip: ledstrip.WS2812, Count: 60, LimitMilliamps: 59},
		`order "RGG"`:              {Chip: ledstrip.WS2812, Count: 1, Order: "RGG"},
		`order "RG"`:               {Chip: ledstrip.WS2812, Count: 1, Order: "RG"},
		`order "RGBW"`:             {Chip: ledstrip.SK6812, Count: 1, Order: "rgbw"},
		`order "RÉB"`:              {Chip: ledstrip.APA102, Count: 1, Order: "réb"},
	} {
		if math.MaxInt == math.MaxInt32 {
			want = strings.Replace(want, "9223372036854775807", "2147483647", 1)
		}
		_, err := ledstrip.New(ledstriptest.New(ledstrip.WS2812, 1).SPI(), &o)
		if err == nil || !strings.HasPrefix(err.Error(), "ledstrip: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	closed := ledstriptest.New(ledstrip.WS2812, 1).SPI()
	if _, err := closed.Connect(physic.MegaHertz, 0, 8); err != nil {
		t.Fatal(err)
	}
	if _, err := ledstrip.New(closed, &ledstrip.DefaultOpts); err == nil || !strings.Contains(err.Error(), "connect to") {
		t.Errorf("a port that is taken: %v", err)
	}
}

// TestPartOfStrip draws random parts from random places of random images,
// some of them far outside, and compares with the standard library.
func TestPartOfStrip(t *testing.T) {
	for _, chip := range chips {
		synctest.Test(t, func(t *testing.T) {
			d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 24}, ledstriptest.Host{})
			chance := rand.New(rand.NewPCG(5, 5))
			want := image.NewNRGBA(d.Bounds())
			draw.Draw(want, want.Rect, image.Black, image.Point{}, draw.Src)
			far := func() int {
				if chance.IntN(40) == 0 {
					return []int{math.MaxInt, math.MinInt, math.MaxInt32, math.MinInt32}[chance.IntN(4)]
				}
				return chance.IntN(60) - 20
			}
			for range 500 {
				src := image.NewNRGBA(image.Rect(0, 0, 1+chance.IntN(40),
					1+chance.IntN(3)).Add(image.Pt(chance.IntN(9)-4, chance.IntN(3)-1)))
				for i := range src.Pix {
					if src.Pix[i] = byte(chance.Uint32()); i%4 == 3 {
						src.Pix[i] = 255
					}
				}
				r := image.Rectangle{Min: image.Pt(far(), chance.IntN(3)-1), Max: image.Pt(far(), chance.IntN(3))}
				sp := image.Pt(far(), chance.IntN(5)-2)
				if abs(r.Min.X) < 1000 && abs(r.Max.X) < 1000 && abs(sp.X) < 1000 { // draw.Draw overflows beyond
					draw.Draw(want, r, src, sp, draw.Src)
				} else {
					r.Max.X = r.Min.X // is nothing
				}
				var from image.Image = src
				switch chance.IntN(3) {
				case 0:
					from = opaque{src} // has only At
				case 1:
					rgba := image.NewRGBA(src.Rect)
					draw.Draw(rgba, rgba.Rect, src, src.Rect.Min, draw.Src)
					from = rgba
				}
				if err := d.Draw(r, from, sp); err != nil {
					t.Fatal(err)
				}
				if s.Wire().Transactions > 0 && !slices.Equal(s.Colours(), colours(want)) {
					t.Fatalf("%s: %v of %v at %v shows\n%v, want\n%v", chip, sp, src.Rect, r, s.Colours(), colours(want))
				}
			}
		})
	}
}

func abs(n int) int { return max(n, -n, -n-1) }

// opaque hides the type of an image.
type opaque struct{ image.Image }

// TestHostile draws at coordinates that overflow.
func TestHostile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := wired(t, ledstrip.Opts{Chip: ledstrip.WS2812, Count: 3}, ledstriptest.Host{})
		ends := []int{math.MinInt, math.MinInt + 1, -1, 0, 1, math.MaxInt - 1, math.MaxInt}
		for _, a := range ends {
			for _, b := range ends {
				for _, c := range ends {
					for _, src := range []image.Image{image.NewNRGBA(image.Rect(0, 0, 2, 1)), image.NewUniform(color.White),
						&image.NRGBA{}} {
						if err := d.Draw(image.Rectangle{Min: image.Pt(a, -1), Max: image.Pt(b, 5)}, src, image.Pt(c, -1)); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
	})
}

// TestTransparent checks that a half transparent colour shines half as bright.
func TestTransparent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, s := wired(t, ledstrip.Opts{Chip: ledstrip.WS2812, Count: 1}, ledstriptest.Host{})
		show(t, d, image.NewUniform(color.NRGBA{R: 255, G: 100, A: 128}))
		if got, want := s.Colours()[0], (color.NRGBA{R: 128, G: 50, A: 255}); got != want {
			t.Errorf("shows %v, want %v", got, want)
		}
	})
}

// TestOrder draws on strips whose colours are soldered in another order.
func TestOrder(t *testing.T) {
	for _, chip := range chips {
		synctest.Test(t, func(t *testing.T) {
			native := "GRB"
			if chip == ledstrip.APA102 {
				native = "BGR"
			}
			for _, order := range []string{"RGB", "RBG", "GRB", "GBR", "BRG", "BGR", ""} {
				d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 1, Order: strings.ToLower(order)}, ledstriptest.Host{})
				c := map[byte]byte{'R': 200, 'G': 90, 'B': 0}
				show(t, d, image.NewUniform(color.NRGBA{R: c['R'], G: c['G'], B: c['B'], A: 255}))
				if order == "" {
					order = native
				}
				got := s.Colours()[0]
				for i := range 3 { // the emulated strip is soldered as usual
					seen := map[byte]byte{'R': got.R, 'G': got.G, 'B': got.B}[native[i]]
					if want := c[order[i]]; seen != want {
						t.Errorf("%s, %q: colour %d on the wire is %d, want %d", chip, order, i, seen, want)
					}
				}
			}
		})
	}
}

// TestWhite checks that white light comes from the white LED.
func TestWhite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, s := wired(t, ledstrip.Opts{Chip: ledstrip.SK6812, Count: 2}, ledstriptest.Host{})
		img := image.NewNRGBA(d.Bounds())
		img.SetNRGBA(0, 0, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
		img.SetNRGBA(1, 0, color.NRGBA{R: 200, G: 30, B: 80, A: 255})
		show(t, d, img)
		if got, want := s.Levels(), [][4]int{{0, 0, 0, 31 * 255}, {31 * 170, 0, 31 * 50, 31 * 30}}; !slices.Equal(got, want) {
			t.Errorf("levels %v, want %v", got, want)
		}
		if d.Current() != 42 { // 2 idle, 20 white, and 20 × 250/255
			t.Errorf("%d mA", d.Current())
		}
	})
}

// TestDim checks that an APA102 shows dim colours in finer steps than 8 bits, and
// does not use its flickering global brightness for others.
func TestDim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, s := wired(t, ledstrip.Opts{Chip: ledstrip.APA102, Count: 2, Brightness: 0.1}, ledstriptest.Host{})
		img := image.NewNRGBA(d.Bounds())
		img.SetNRGBA(0, 0, color.NRGBA{R: 3, G: 2, B: 1, A: 255})
		img.SetNRGBA(1, 0, color.NRGBA{R: 83, G: 2, B: 1, A: 255})
		show(t, d, img)
		// 0.3, 0.2 and 0.1 of 31; 8.3, 0.2 and 0.1 are whole steps.
		if got, want := s.Levels(), [][4]int{{9, 6, 3, 0}, {31 * 8, 0, 0, 0}}; !slices.Equal(got, want) {
			t.Errorf("levels %v, want %v", got, want)
		}
	})
}

func TestHalt(t *testing.T) {
	for _, chip := range chips {
		synctest.Test(t, func(t *testing.T) {
			d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 10}, ledstriptest.Host{})
			if d.Current() != 0 {
				t.Errorf("%d mA before anything was sent", d.Current())
			}
			show(t, d, image.White)
			if err := d.Halt(); err != nil {
				t.Fatal(err)
			}
			dark := slices.Repeat([]color.NRGBA{{A: 255}}, 10)
			if got := s.Colours(); !slices.Equal(got, dark) || d.Current() != 10 {
				t.Errorf("%s shows %v at %d mA", chip, got, d.Current())
			}
			// The earlier picture does not come back.
			if err := d.Draw(image.Rect(0, 0, 1, 1), image.White, image.Point{}); err != nil {
				t.Fatal(err)
			}
			if got := s.Colours(); got[0] != (color.NRGBA{255, 255, 255, 255}) || !slices.Equal(got[1:], dark[1:]) {
				t.Errorf("%s shows %v", chip, got)
			}
		})
	}
}

// TestFails checks that an error of the port is returned, and that the strip is
// right again with the next frame.
func TestFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, s := wired(t, ledstrip.Opts{Chip: ledstrip.WS2812, Count: 10}, ledstriptest.Host{})
		broken := errors.New("input/output error")
		s.Fail(broken)
		err := d.Draw(d.Bounds(), image.White, image.Point{})
		if !errors.Is(err, broken) || err.Error() != "ledstrip: send 352 bytes: input/output error" {
			t.Errorf("%v", err)
		}
		if err := d.Halt(); !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
		s.Fail(nil)
		show(t, d, image.White)
		if s.Colours()[9].G != 255 {
			t.Error("the strip stays dark")
		}
		if d.String() != "ws2812{emulated-ws2812, 10 LEDs}" {
			t.Errorf("%s", d)
		}
	})
}

// TestNobodyNotices shows the faults that no driver can notice: a strip whose data
// line is cut shows the old picture without an error, and one that was unplugged
// is dark until a frame is sent again, even the same one.
func TestNobodyNotices(t *testing.T) {
	for _, chip := range chips {
		synctest.Test(t, func(t *testing.T) {
			d, s := wired(t, ledstrip.Opts{Chip: chip, Count: 10}, ledstriptest.Host{})
			chance := rand.New(rand.NewPCG(6, 6))
			before, after := random(chance, 10), random(chance, 10)
			show(t, d, before)
			s.Kill()
			show(t, d, after)
			if got := s.Colours(); !slices.Equal(got, colours(before)) {
				t.Errorf("%s with a cut line shows %v", chip, got)
			}
			s.Revive()
			show(t, d, after)
			if got := s.Colours(); !slices.Equal(got, colours(after)) {
				t.Errorf("%s shows %v", chip, got)
			}
			for _, fault := range []func(){s.BrownOut, func() { s.Unplug(); show(t, d, after); s.Plug() }} {
				fault()
				if got := s.Colours(); slices.ContainsFunc(got, func(c color.NRGBA) bool { return c != color.NRGBA{A: 255} }) {
					t.Errorf("%s without power shows %v", chip, got)
				}
				show(t, d, after)
				if got := s.Colours(); !slices.Equal(got, colours(after)) {
					t.Errorf("%s shows %v", chip, got)
				}
			}
		})
	}
}
