package epaper_test

import (
	"fmt"
	"image"
	"image/color"
	"testing"
	"testing/synctest"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/pin"
	"periph.io/x/devices/v3/waveshare2in13v2"
	"periph.io/x/devices/v3/waveshare2in13v3"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

// noSelect is a chip select line that is not wired: the port selects.
type noSelect struct{ *pin.BasicPin }

func (noSelect) Out(gpio.Level) error                  { return nil }
func (noSelect) PWM(gpio.Duty, physic.Frequency) error { return nil }

func select0() gpio.PinOut { return noSelect{&pin.BasicPin{N: "CS"}} }

// periphV3 returns periph's driver of the 2.13" V3 on an emulated panel.
func periphV3(t testing.TB, origin waveshare2in13v3.Corner) (*waveshare2in13v3.Dev, *epapertest.Panel) {
	t.Helper()
	p, err := epapertest.New("waveshare-2in13-v3")
	if err != nil {
		t.Fatal(err)
	}
	opts := waveshare2in13v3.EPD2in13v3
	opts.Origin = origin
	pins := p.Pins()
	dev, err := waveshare2in13v3.New(p.SPI(), pins.DC, select0(), pins.Reset, pins.Busy, &opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := dev.Init(); err != nil {
		t.Fatal(err)
	}
	return dev, p
}

// TestPeriphsV3ShowsTheSame checks that periph's driver of the 2.13" V3, written
// against the real panel, shows the same picture on the emulated one as ours,
// drawn in full and partially, in every orientation.
func TestPeriphsV3ShowsTheSame(t *testing.T) {
	// periph counts from the panel's upright corner, we from the landscape.
	for degrees, origin := range map[int]waveshare2in13v3.Corner{
		90:  waveshare2in13v3.TopLeft,
		0:   waveshare2in13v3.BottomLeft,
		270: waveshare2in13v3.BottomRight,
		180: waveshare2in13v3.TopRight,
	} {
		t.Run(fmt.Sprint(degrees), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				theirs, glass := periphV3(t, origin)
				ours, panel := connect(t, epaper.Opts{Panel: "waveshare-2in13-v3", Rotate: degrees})
				if theirs.Bounds() != ours.Bounds() {
					t.Fatalf("periph's %v, ours %v", theirs.Bounds(), ours.Bounds())
				}
				img := page(ours.Bounds().Size())
				if err := theirs.Draw(img.Rect, img, image.Point{}); err != nil {
					t.Fatal(err)
				}
				update(t, ours, img, true)
				shows(t, glass, turned(img, degrees))
				shows(t, panel, glass.Glass())

				if err := theirs.SetUpdateMode(waveshare2in13v3.Partial); err != nil {
					t.Fatal(err)
				}
				for i := range 3 {
					mark := image.Rect(60+i*9, 80-i*5, 72+i*9, 96-i*5)
					fill(img, mark, color.Gray{Y: uint8(i % 2 * 255)})
					if err := theirs.Draw(mark, img, mark.Min); err != nil {
						t.Fatal(err)
					}
					update(t, ours, img, false)
					shows(t, glass, turned(img, degrees))
					shows(t, panel, glass.Glass())
				}
			})
		})
	}
}

// TestPeriphsV2ShowsWhatItShould tests the SSD1675 of the 2.13" V2, which is
// emulated only for periph's driver.
func TestPeriphsV2ShowsWhatItShould(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := epapertest.New("waveshare-2in13-v2")
		if err != nil {
			t.Fatal(err)
		}
		opts := waveshare2in13v2.EPD2in13v2
		opts.Origin = waveshare2in13v2.BottomLeft
		pins := p.Pins()
		dev, err := waveshare2in13v2.New(p.SPI(), pins.DC, select0(), pins.Reset, pins.Busy, &opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := dev.Init(); err != nil {
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		if err := dev.Draw(img.Rect, img, image.Point{}); err != nil {
			t.Fatal(err)
		}
		shows(t, p, img)
		refreshed(t, p, 1, 0)
		if err := dev.SetUpdateMode(waveshare2in13v2.Partial); err != nil {
			t.Fatal(err)
		}
		mark := image.Rect(60, 80, 72, 96)
		fill(img, mark, color.Black)
		if err := dev.Draw(mark, img, mark.Min); err != nil {
			t.Fatal(err)
		}
		shows(t, p, img)
		refreshed(t, p, 1, 1)
	})
}

// TestMovingAMarker counts the bytes that move one marker on a 2.13" panel, with
// ours and with periph's driver of the V3: nothing outside of a box around both places is
// sent. Run it with -v for the table.
func TestMovingAMarker(t *testing.T) {
	const commands = 300 // bytes of a partial refresh besides the picture, with its waveform
	from := image.Rect(10, 60, 22, 76)
	t.Logf("%-34s %8s %8s %6s %6s", "moved by", "bytes", "transfers", "full", "part.")
	for _, by := range []image.Point{{15, 0}, {30, 0}, {200, 0}, {120, 40}, {13, -50}} {
		to := from.Add(by)
		for _, name := range []string{"waveshare-2in13-v3", "waveshare-2in13-v4"} {
			synctest.Test(t, func(t *testing.T) {
				dev, p := connect(t, epaper.Opts{Panel: name})
				img := page(dev.Bounds().Size())
				fill(img, from, color.Black)
				update(t, dev, img, false)
				wire := p.Wire()
				fill(img, from, color.White)
				fill(img, to, color.Black)
				update(t, dev, img, false)
				shows(t, p, img)
				refreshed(t, p, 1, 1)
				sent := p.Wire().Written - wire.Written
				t.Logf("%-34s %8d %8d %6d %6d", fmt.Sprintf("%v, %s", by, name), sent, p.Wire().Transactions-wire.Transactions, 0,
					1)
				both := from.Union(to) // the memory's lines are the picture's columns
				if most := commands + 3*both.Dx()*(both.Dy()/8+1); sent > most {
					t.Errorf("%d bytes are more than %d", sent, most)
				}
				lawful(t, p)
			})
		}
		synctest.Test(t, func(t *testing.T) {
			dev, p := periphV3(t, waveshare2in13v3.BottomLeft)
			img := page(dev.Bounds().Size())
			fill(img, from, color.Black)
			if err := dev.Draw(img.Rect, img, image.Point{}); err != nil {
				t.Fatal(err)
			}
			if err := dev.SetUpdateMode(waveshare2in13v3.Partial); err != nil {
				t.Fatal(err)
			}
			wire := p.Wire()
			full, part := p.Refreshes()
			fill(img, from, color.White)
			fill(img, to, color.Black)
			both := from.Union(to)
			if err := dev.Draw(both, img, both.Min); err != nil {
				t.Fatal(err)
			}
			shows(t, p, img)
			f, q := p.Refreshes()
			words, _ := p.Violations()
			t.Logf("%-34s %8d %8d %6d %6d %q", fmt.Sprintf("%v, periph's v3", by), p.Wire().Written-wire.Written,
				p.Wire().Transactions-wire.Transactions, f-full, q-part, words)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		for _, name := range []string{"waveshare-2in13-v3", "waveshare-2in13-v4"} {
			dev, p := connect(t, epaper.Opts{Panel: name})
			update(t, dev, page(dev.Bounds().Size()), true)
			t.Logf("%-34s %8d %8d %6d %6d", "a full picture, "+name, p.Wire().Written, p.Wire().Transactions, 1, 0)
		}
	})
}
