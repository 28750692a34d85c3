package ssd1306_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"
	periph "periph.io/x/devices/v3/ssd1306"

	"tableside/drivers/ssd1306"
	"tableside/drivers/ssd1306/ssd1306test"
)

// plugged returns a driver on an emulated screen.
func plugged(t testing.TB, o ssd1306.Opts) (*ssd1306.Dev, *ssd1306test.Chip) {
	t.Helper()
	addr, height := o.Addr, o.Height
	if addr == 0 {
		addr = 0x3c
	}
	if height == 0 {
		height = 64
	}
	c := module(o.Chip, height, addr)
	d, err := ssd1306.New(c.I2C(), &o)
	if err != nil {
		t.Fatal(err)
	}
	return d, c
}

func module(chip ssd1306.Chip, height int, addr uint16) *ssd1306test.Chip {
	switch chip {
	case ssd1306.SSD1309:
		return ssd1306test.NewSSD1309(addr)
	case ssd1306.SH1106:
		return ssd1306test.NewSH1106(addr)
	}
	return ssd1306test.New(height, addr)
}

// chips lists all chips of the driver.
var chips = []ssd1306.Chip{ssd1306.SSD1306, ssd1306.SSD1309, ssd1306.SH1106}

func random(chance *rand.Rand, size image.Rectangle) *image.Paletted {
	img := image.NewPaletted(size, color.Palette{color.Black, color.White})
	for range 30 {
		x, y := size.Min.X+chance.IntN(size.Dx()), size.Min.Y+chance.IntN(size.Dy())
		r := image.Rect(x, y, x+chance.IntN(40), y+chance.IntN(20))
		draw.Draw(img, r, image.NewUniform(img.Palette[chance.IntN(2)]), image.Point{}, draw.Src)
	}
	return img
}

func update(t testing.TB, d *ssd1306.Dev, img image.Image, full bool) {
	t.Helper()
	if err := d.Update(t.Context(), img, full); err != nil {
		t.Fatal(err)
	}
}

// expect compares the glass with a picture once the display has lit up.
func expect(t testing.TB, c *ssd1306test.Chip, what string, want image.Image) {
	t.Helper()
	time.Sleep(100 * time.Millisecond)
	if at, ok := same(c.Glass(), want); !ok {
		t.Errorf("%s: the glass differs at %v", what, at)
	}
}

func same(glass *image.Paletted, want image.Image) (image.Point, bool) {
	b := want.Bounds()
	for y := range glass.Rect.Dy() {
		for x := range glass.Rect.Dx() {
			r, _, _, _ := want.At(b.Min.X+x, b.Min.Y+y).RGBA()
			if (glass.ColorIndexAt(x, y) == 1) != (r > 0x8000) {
				return image.Pt(x, y), false
			}
		}
	}
	return image.Point{}, true
}

func dark(c *ssd1306test.Chip) bool {
	_, ok := same(c.Glass(), image.NewGray(image.Rect(0, 0, 128, 64)))
	return ok
}

// TestPictures shows pictures on every kind of module.
func TestPictures(t *testing.T) {
	for _, o := range []ssd1306.Opts{{}, {Addr: 0x3d}, {Height: 32}, {Addr: 0x3d, Height: 32},
		{Chip: ssd1306.SSD1306}, {Chip: ssd1306.SSD1309}, {Chip: ssd1306.SH1106}, {Chip: ssd1306.SH1106, Addr: 0x3d}} {
		synctest.Test(t, func(t *testing.T) {
			d, c := plugged(t, o)
			chance := rand.New(rand.NewPCG(1, 1))
			for range 20 {
				img := random(chance, d.Bounds().Add(image.Pt(chance.IntN(3)-1, chance.IntN(3)-1)))
				update(t, d, img, chance.IntN(4) == 0)
				expect(t, c, d.String(), img)
			}
			if v := c.Violations(); v != (ssd1306test.Violations{}) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestRotated checks that a screen that is mounted upside down shows the
// picture upside down, on the glass as it would be the right way up.
func TestRotated(t *testing.T) {
	for _, o := range []ssd1306.Opts{{Height: 64}, {Height: 32}, {Chip: ssd1306.SSD1309, Height: 64},
		{Chip: ssd1306.SH1106, Height: 64}} {
		synctest.Test(t, func(t *testing.T) {
			o.Rotated = true
			d, c := plugged(t, o)
			img := random(rand.New(rand.NewPCG(2, 2)), d.Bounds())
			update(t, d, img, false)
			turned := image.NewGray(img.Rect)
			for y := range o.Height {
				for x := range 128 {
					turned.Set(127-x, o.Height-1-y, img.At(x, y))
				}
			}
			expect(t, c, "rotated", turned)
		})
	}
}

// TestSmallerPicture checks that the screen is dark around a small picture.
func TestSmallerPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c := plugged(t, ssd1306.Opts{})
		update(t, d, image.NewUniform(color.White), false)
		expect(t, c, "white", image.White)
		small := image.NewGray(image.Rect(10, 10, 30, 30))
		draw.Draw(small, small.Rect, image.White, image.Point{}, draw.Src)
		update(t, d, small, false)
		want := image.NewGray(d.Bounds())
		draw.Draw(want, image.Rect(0, 0, 20, 20), image.White, image.Point{}, draw.Src)
		expect(t, c, "small", want)
	})
}

// TestBytes checks that nothing is sent if no pixel has changed, little if few have,
// and everything on request.
func TestBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c := plugged(t, ssd1306.Opts{})
		if c.Wire().Transactions != 0 {
			t.Error("New has sent something")
		}
		sent := func(img image.Image, full bool) int {
			before := c.Wire().Written
			update(t, d, img, full)
			return c.Wire().Written - before
		}
		img := image.NewGray(d.Bounds())
		all := sent(img, false)
		if all < 1024 || all > 1024+120 {
			t.Errorf("the first picture takes %d bytes", all)
		}
		if n := sent(img, false); n != 0 {
			t.Errorf("the same picture takes %d bytes", n)
		}
		img.SetGray(64, 32, color.Gray{Y: 255})
		if n := sent(img, false); n == 0 || n > 10 {
			t.Errorf("a pixel takes %d bytes", n)
		}
		if n := sent(img, true); n != all-1 { // a display that is on is not turned off for it
			t.Errorf("everything takes %d bytes, want %d", n, all-1)
		}
	})
}

// TestNoNoise watches the glass from power-up on: it never shows the noise in the
// RAM, and does not flicker when everything is sent again.
func TestNoNoise(t *testing.T) {
	for i, speed := range []physic.Frequency{100 * physic.KiloHertz, 400 * physic.KiloHertz, 400 * physic.KiloHertz,
		100 * physic.KiloHertz} {
		synctest.Test(t, func(t *testing.T) {
			d, c := plugged(t, ssd1306.Opts{Chip: chips[i%len(chips)]})
			if err := c.I2C().SetSpeed(speed); err != nil {
				t.Fatal(err)
			}
			img := random(rand.New(rand.NewPCG(3, 3)), d.Bounds())
			done := make(chan struct{})
			go func() {
				defer close(done)
				seen := false
				for range 800 {
					time.Sleep(4*time.Millisecond + 100*time.Microsecond)
					glass := c.Glass()
					ok := bytes.Equal(glass.Pix, img.Pix)
					seen = seen || ok
					if !ok && (seen || slices.Contains(glass.Pix, 1)) {
						t.Errorf("at %v something else is seen", speed)
						return
					}
				}
				if !seen {
					t.Errorf("at %v nothing is seen", speed)
				}
			}()
			for range 12 {
				update(t, d, img, false)
				time.Sleep(300 * time.Millisecond)
				update(t, d, img, true)
				time.Sleep(100 * time.Millisecond)
			}
			<-done
		})
	}
}

// TestBrownOut checks that a screen that lost its power for a moment shows the picture
// again within five seconds, although it answers as before and the picture is the same.
func TestBrownOut(t *testing.T) {
	for _, chip := range chips {
		brownOut(t, chip)
	}
}

func brownOut(t *testing.T, chip ssd1306.Chip) {
	synctest.Test(t, func(t *testing.T) {
		d, c := plugged(t, ssd1306.Opts{Chip: chip})
		img := random(rand.New(rand.NewPCG(4, 4)), d.Bounds())
		update(t, d, img, false)
		expect(t, c, "before", img)
		c.BrownOut()
		if !dark(c) || c.On() {
			t.Error("a brown-out is seen")
		}
		began := time.Now()
		for time.Since(began) < 5*time.Second-150*time.Millisecond {
			update(t, d, img, false)
			time.Sleep(500 * time.Millisecond)
		}
		expect(t, c, "after", img)
		// One that asks for everything need not wait.
		c.BrownOut()
		update(t, d, img, true)
		expect(t, c, "full", img)
	})
}

// TestDies kills the screen after any number of transactions of a picture, and
// checks that the next picture that arrives is whole.
func TestDies(t *testing.T) {
	for n := range 20 {
		synctest.Test(t, func(t *testing.T) {
			d, c := plugged(t, ssd1306.Opts{Chip: chips[n%len(chips)]})
			chance := rand.New(rand.NewPCG(5, uint64(n)))
			if n%2 == 0 {
				update(t, d, random(chance, d.Bounds()), false)
			}
			c.MuteAfter(n)
			img := random(chance, d.Bounds())
			if err := d.Update(t.Context(), img, true); (err == nil) != (n >= 18) || err != nil &&
				(!errors.Is(err, syscall.EREMOTEIO) || !strings.HasPrefix(err.Error(), string(chips[n%len(chips)])+": update: ")) {
				t.Errorf("after %d transactions: %v", n, err)
			}
			c.Kill()
			if err := d.Check(t.Context()); !errors.Is(err, syscall.EREMOTEIO) {
				t.Errorf("check: %v", err)
			}
			c.Unplug()
			if err := d.Update(t.Context(), img, false); err == nil {
				t.Error("a picture on a screen that is not there")
			}
			c.Plug()
			c.Revive()
			if err := d.Check(t.Context()); err != nil {
				t.Error(err)
			}
			update(t, d, img, false)
			expect(t, c, "plugged in again", img)
		})
	}
}

// TestSleep checks that the screen goes dark and wakes with any picture, the
// same one too.
func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c := plugged(t, ssd1306.Opts{})
		img := random(rand.New(rand.NewPCG(6, 6)), d.Bounds())
		if err := d.Halt(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			update(t, d, img, false)
			expect(t, c, "awake", img)
			if err := d.Sleep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := d.Check(t.Context()); err != nil {
				t.Error(err)
			}
			if c.On() || !dark(c) {
				t.Error("the display is on")
			}
		}
	})
}

// TestEnds checks that a call ends with its context, and by itself if the bus is too
// slow.
func TestEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, c := plugged(t, ssd1306.Opts{})
		img := random(rand.New(rand.NewPCG(7, 7)), d.Bounds())
		over, cancel := context.WithCancel(t.Context())
		cancel()
		for _, do := range []func() error{
			func() error { return d.Update(over, img, false) }, func() error { return d.Check(over) },
			func() error { return d.Sleep(over) },
		} {
			if err := do(); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
		}
		if n := c.Wire().Transactions; n != 0 {
			t.Errorf("%d transactions", n)
		}

		short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		began := time.Now()
		if err := d.Update(short, img, false); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > 14*time.Millisecond {
			t.Errorf("took %v", took)
		}
		update(t, d, img, false)
		expect(t, c, "after it was interrupted", img)

		if err := c.I2C().SetSpeed(2 * physic.KiloHertz); err != nil {
			t.Fatal(err)
		}
		began = time.Now()
		err := d.Update(t.Context(), img, true)
		if err == nil || err.Error() != "ssd1306: update: not done within 3s: context deadline exceeded" {
			t.Errorf("%v", err)
		}
		if took := time.Since(began); took > 4*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestRefused(t *testing.T) {
	for want, o := range map[string]ssd1306.Opts{"0x80": {Addr: 0x80}, "height 48": {Height: 48},
		"height -1":          {Height: -1},
		`got chip "ssd1307"`: {Chip: "ssd1307"}, "sh1106: got height 32": {Chip: ssd1306.SH1106, Height: 32}} {
		if _, err := ssd1306.New(ssd1306test.New(64, 0x3c).I2C(), &o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	d, err := ssd1306.New(ssd1306test.New(32, 0x3d).I2C(), &ssd1306.Opts{Addr: 0x3d, Height: 32})
	if err != nil || d.String() != "ssd1306{emulated-i2c, 0x3d, 128x32}" ||
		d.ColorModel().Convert(color.Gray{Y: 200}) == color.Black {
		t.Errorf("%s, %v", d, err)
	}
}

// TestStranger draws pictures and parts of them with periph's own driver and with
// ours, and checks that the glass is the same. Periph's driver uses commands of
// another addressing mode, ours does not.
func TestStranger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		theirs := ssd1306test.New(64, 0x3c)
		p, err := periph.NewI2C(theirs.I2C(), &periph.DefaultOpts)
		if err != nil {
			t.Fatal(err)
		}
		d, ours := plugged(t, ssd1306.Opts{})
		chance := rand.New(rand.NewPCG(8, 8))
		whole := image.NewGray(d.Bounds())
		for range 50 {
			part := random(chance, image.Rect(0, 0, 1+chance.IntN(128), 1+chance.IntN(64)))
			at := part.Rect.Add(image.Pt(chance.IntN(64), chance.IntN(32)))
			if err := p.Draw(at, part, image.Point{}); err != nil {
				t.Fatal(err)
			}
			draw.Draw(whole, at, part, image.Point{}, draw.Src)
			update(t, d, whole, false)
			expect(t, ours, "ours", whole)
			expect(t, theirs, "theirs", whole)
		}
		if v := ours.Violations(); v != (ssd1306test.Violations{}) {
			t.Errorf("ours: %+v", v)
		}
		if v := theirs.Violations(); v.Mode == 0 || v != (ssd1306test.Violations{Mode: v.Mode}) {
			t.Errorf("theirs: %+v", v)
		}
		if _, err := periph.NewI2C(ssd1306test.New(64, 0x3d).I2C(), &periph.DefaultOpts); err == nil {
			t.Error("periph's driver has found 0x3d")
		}
	})
}

// TestNoAllocations checks that sending a picture allocates nothing but the
// context of the call.
func TestNoAllocations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := plugged(t, ssd1306.Opts{})
		a, b := image.NewGray(d.Bounds()), image.NewGray(d.Bounds())
		draw.Draw(b, b.Rect, image.White, image.Point{}, draw.Src)
		update(t, d, a, false)
		idle := testing.AllocsPerRun(20, func() { update(t, d, a, false) })
		if n := testing.AllocsPerRun(20, func() { update(t, d, b, false); update(t, d, a, false) }); n > 2*idle {
			t.Errorf("a picture allocates %v times more than none", n/2-idle)
		}
	})
}
