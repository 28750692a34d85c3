package ledstrip_test

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/devices/v3/apa102"
	"periph.io/x/devices/v3/nrzled"

	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
)

// TestStrangerAPA102 draws with periph's driver and with ours, on an APA102 and on
// an SK9822, which is sold as one: the colours are the same. Only the SK9822 shows
// periph's frame late: it ends in ones, which that chip does not accept as an end.
func TestStrangerAPA102(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const leds = 300
		chance := rand.New(rand.NewPCG(8, 8))
		for _, chip := range []ledstrip.Chip{ledstrip.APA102, ledstriptest.SK9822} {
			ours, theirs := ledstriptest.New(chip, leds), ledstriptest.New(chip, leds)
			d, err := ledstrip.New(ours.SPI(), &ledstrip.Opts{Chip: ledstrip.APA102, Count: leds})
			if err != nil {
				t.Fatal(err)
			}
			o := apa102.PassThruOpts
			o.NumPixels = leds
			p, err := apa102.New(theirs.SPI(), &o)
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				img := random(chance, leds)
				show(t, d, img)
				if err := p.Draw(p.Bounds(), img, image.Point{}); err != nil {
					t.Fatal(err)
				}
				if got := ours.Colours(); !slices.Equal(got, colours(img)) {
					t.Fatalf("%s shows %v, want %v", chip, got, colours(img))
				}
				if late := !slices.Equal(theirs.Colours(), colours(img)); late != (chip == ledstriptest.SK9822) {
					t.Fatalf("%s shows the frame late by periph's driver: %v", chip, late)
				}
			}
			for _, s := range []*ledstriptest.Strip{ours, theirs} {
				if v := s.Violations(); v != (ledstriptest.Violations{}) {
					t.Errorf("%+v", v)
				}
			}
		}
	})
}

// TestStrangerAux shows why we do not use periph's driver for APA102: it cannot
// connect to SPI1.
func TestStrangerAux(t *testing.T) {
	s := ledstriptest.New(ledstrip.APA102, 10)
	s.On(ledstriptest.Host{Aux: true})
	if _, err := apa102.New(s.SPI(), &apa102.PassThruOpts); err == nil {
		t.Error("mode 3 on SPI1")
	}
	if _, err := ledstrip.New(s.SPI(), &ledstrip.Opts{Chip: ledstrip.APA102, Count: 10}); err != nil {
		t.Error(err)
	}
}

// TestStrangerNRZ draws whole strips of three colours with periph's driver, whose
// colours are right. Its pulses are outside the limits of today's data sheets,
// though chips read them.
func TestStrangerNRZ(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const leds = 100
		s := ledstriptest.New(ledstrip.WS2812, leds)
		p, err := nrzled.NewSPI(s.SPI(), &nrzled.Opts{NumPixels: leds, Channels: 3, Freq: 2500 * physic.KiloHertz})
		if err != nil {
			t.Fatal(err)
		}
		d, ours := wired(t, ledstrip.Opts{Chip: ledstrip.WS2812, Count: leds}, ledstriptest.Host{})
		chance := rand.New(rand.NewPCG(9, 9))
		for range 10 {
			img := random(chance, leds)
			if err := p.Draw(p.Bounds(), img, image.Point{}); err != nil {
				t.Fatal(err)
			}
			show(t, d, img)
			rest()
			if got := s.Colours(); !slices.Equal(got, colours(img)) || !slices.Equal(got, ours.Colours()) {
				t.Fatalf("shows %v, want %v", got, colours(img))
			}
		}
		if v := s.Violations(); v.High == 0 || v.Low == 0 || v.Torn != 0 {
			t.Errorf("%+v", v)
		}
	})
}

// TestStrangerThreeBits repeats TestPauseBetweenBytes with the encoding of most
// drivers, three bits of SPI for each bit, which fails.
func TestStrangerThreeBits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ledstriptest.New(ledstrip.WS2812, 1)
		s.On(ledstriptest.Host{Gap: 1})
		c, err := s.SPI().Connect(2400*physic.KiloHertz, 0, 8)
		if err != nil {
			t.Fatal(err)
		}
		// 255, 255, 255 as most drivers write it: 110 for each bit.
		frame := append([]byte{0xdb, 0x6d, 0xb6, 0xdb, 0x6d, 0xb6, 0xdb, 0x6d, 0xb6}, make([]byte, 120)...)
		if err := c.Tx(frame, nil); err != nil {
			t.Fatal(err)
		}
		if got := s.Colours()[0]; got.R == 255 && got.G == 255 && got.B == 255 {
			t.Error("the usual encoding has survived the pauses of a Pi 4")
		}
		if v := s.Violations(); v.High == 0 && v.Torn == 0 {
			t.Errorf("%+v", v)
		}
	})
}
