package epaper_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// each runs a test for every panel with every trait, several at once, in faked time.
func each(t *testing.T, test func(t *testing.T, name string)) {
	for _, name := range epaper.Panels() {
		eachTrait(t, name, func(t *testing.T) { test(t, name) })
	}
}

// eachTrait runs a test for one panel with every trait.
func eachTrait(t *testing.T, name string, test func(t *testing.T)) {
	for _, trait := range epapertest.Traits() {
		if trait == epapertest.KeepsSources && otherFamily(name) {
			continue // they have no register 21h
		}
		if trait != epapertest.Plain && testing.Short() && large(name) {
			continue // too slow on an emulated processor
		}
		t.Run(name+"/"+string(trait), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, test)
		})
	}
}

// emulate returns a panel with the trait that the name of the test ends with.
func emulate(t testing.TB, name string) *epapertest.Panel {
	t.Helper()
	p, err := epapertest.New(name)
	if err != nil {
		t.Fatal(err)
	}
	if i := traitOf(t); i >= 0 {
		p.SetTrait(epapertest.Traits()[i])
	}
	return p
}

func traitOf(t testing.TB) int {
	return slices.IndexFunc(epapertest.Traits(), func(trait epapertest.Trait) bool {
		return strings.HasSuffix(t.Name(), "/"+string(trait))
	})
}

func large(name string) bool {
	return !strings.HasPrefix(name, "waveshare-2in") && !strings.HasPrefix(name, "inky-")
}

func twin(name string) bool {
	return name == "waveshare-5in83-v2" || strings.HasPrefix(name, "waveshare-7in3-")
}

func fullOnly(name string) bool {
	return strings.HasPrefix(name, "inky-") || strings.HasPrefix(name, "waveshare-7in3-")
}

// forgetful reports whether a panel gets everything for a refresh with each
// picture, so that a loss of power between two does not matter.
func forgetful(name string) bool { return otherFamily(name) }

func otherFamily(name string) bool {
	return name == "inky-phat-4colour" || large(name) && name != "waveshare-4in2-v2"
}

func connect(t testing.TB, opts epaper.Opts) (*epaper.Dev, *epapertest.Panel) {
	t.Helper()
	p := emulate(t, opts.Panel)
	return attach(t, p, opts), p
}

func attach(t testing.TB, p *epapertest.Panel, opts epaper.Opts) *epaper.Dev {
	t.Helper()
	pins := p.Pins()
	opts.DC, opts.Busy, opts.Hold = pins.DC, pins.Busy, time.Sleep
	if opts.Reset == nil {
		opts.Reset = pins.Reset
	}
	dev, err := epaper.New(p.SPI(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// page returns a picture with letters in it, so that its orientation shows, and a
// mark in its top left corner.
func page(size image.Point) *image.Gray {
	img := blank(size)
	for i, row := range []string{
		"#### ",
		"#   #",
		"#### ",
		"#  # ",
		"#   #",
	} {
		for j, c := range row {
			if c == '#' {
				fill(img, image.Rect(20+j*7, 30+i*9, 20+j*7+7, 30+i*9+9), color.Black)
			}
		}
	}
	fill(img, image.Rect(0, 0, 3, 1), color.Black)
	fill(img, image.Rect(0, 1, 1, 5), color.Black)
	fill(img, image.Rect(size.X-2, size.Y-1, size.X, size.Y), color.Black)
	return img
}

func blank(size image.Point) *image.Gray {
	img := image.NewGray(image.Rectangle{Max: size})
	fill(img, img.Rect, color.White)
	return img
}

func fill(img draw.Image, r image.Rectangle, c color.Color) {
	if gray, ok := img.(*image.Gray); ok { // a shortcut: with the race detector the loop is slow
		r = r.Intersect(gray.Rect)
		line := bytes.Repeat([]byte{color.GrayModel.Convert(c).(color.Gray).Y}, max(r.Dx(), 0))
		for y := r.Min.Y; y < r.Max.Y; y++ {
			copy(gray.Pix[gray.PixOffset(r.Min.X, y):], line)
		}
		return
	}
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// turned returns a picture turned clockwise, a quarter at a time.
func turned(img *image.Gray, degrees int) *image.Gray {
	for ; degrees > 0; degrees -= 90 {
		w, h := img.Rect.Dx(), img.Rect.Dy()
		to := image.NewGray(image.Rect(0, 0, h, w))
		pix := to.Pix
		for y := range h {
			for x, v := range img.Pix[y*w:][:w] {
				pix[x*h+h-1-y] = v
			}
		}
		img = to
	}
	return img
}

// differ returns where two black and white pictures differ, or "".
func differ(got, want image.Image) string {
	if got.Bounds().Size() != want.Bounds().Size() {
		return fmt.Sprintf("the size is %v, not %v", got.Bounds().Size(), want.Bounds().Size())
	}
	n, first := 0, image.Point{}
	g, w, wide := light(got), light(want), got.Bounds().Dx()
	if bytes.Equal(g, w) { // a shortcut, too
		return ""
	}
	for i := range g {
		if g[i] != w[i] {
			if n == 0 {
				first = image.Pt(i%wide, i/wide)
			}
			n++
		}
	}
	return fmt.Sprintf("%d pixels differ, the first at %v", n, first)
}

// light returns for each pixel 1 if it is light, else 0.
func light(img image.Image) []byte {
	b := img.Bounds()
	out := make([]byte, b.Dx()*b.Dy())
	var lights [256]byte // of a pixel's byte
	isLight := func(c color.Color) byte { return color.GrayModel.Convert(c).(color.Gray).Y >> 7 }
	switch img := img.(type) {
	case *image.Gray:
		for i := range lights {
			lights[i] = byte(i >> 7)
		}
		for i, v := range img.Pix {
			out[i] = lights[v]
		}
	case *image.Paletted:
		for i, c := range img.Palette {
			lights[i] = isLight(c)
		}
		for i, v := range img.Pix {
			out[i] = lights[v]
		}
	default:
		for i := range out {
			out[i] = isLight(img.At(b.Min.X+i%b.Dx(), b.Min.Y+i/b.Dx()))
		}
	}
	return out
}

func update(t testing.TB, dev *epaper.Dev, img image.Image, full bool) {
	t.Helper()
	if err := dev.Update(context.Background(), img, full); err != nil {
		t.Fatal(err)
	}
}

func shows(t testing.TB, p *epapertest.Panel, want image.Image) {
	t.Helper()
	if d := differ(p.Glass(), want); d != "" {
		t.Fatalf("on the glass %s", d)
	}
}

func refreshed(t testing.TB, p *epapertest.Panel, full, partial int) {
	t.Helper()
	if f, q := p.Refreshes(); f != full || q != partial {
		t.Fatalf("%d full refreshes and %d partial ones, not %d and %d", f, q, full, partial)
	}
}

func lawful(t testing.TB, p *epapertest.Panel) {
	t.Helper()
	if words, n := p.Violations(); n > 0 {
		t.Fatalf("%d violations: %s", n, strings.Join(words, "; "))
	}
}

func TestEveryPanelEveryWayUp(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		for _, degrees := range []int{0, 90, 180, 270} {
			dev, p := connect(t, epaper.Opts{Panel: name, Rotate: degrees})
			img := page(dev.Bounds().Size())
			update(t, dev, img, false)
			shows(t, p, turned(img, degrees))
			refreshed(t, p, 1, 0)

			// A second mark, by a partial refresh where there is one.
			fill(img, image.Rect(100, 60, 112, 76), color.Black)
			update(t, dev, img, false)
			shows(t, p, turned(img, degrees))
			lawful(t, p)
		}
	})
}

func TestNothingIsSentWhenNothingChanged(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p := connect(t, epaper.Opts{Panel: name})
		img := page(dev.Bounds().Size())
		update(t, dev, img, true)
		before := p.Wire()
		update(t, dev, img, false)
		update(t, dev, img, true) // nothing to clean
		if after := p.Wire(); after != before {
			t.Fatalf("%+v, before %+v", after, before)
		}
		if err := dev.Sleep(context.Background()); err != nil {
			t.Fatal(err)
		}
		before = p.Wire()
		update(t, dev, img, false)
		if after := p.Wire(); after != before {
			t.Fatal("a picture that is there woke the panel")
		}
	})
}

func TestPartialThenFull(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		if fullOnly(name) {
			t.Skip("has no partial refresh")
		}
		for _, swaps := range []bool{false, true} {
			dev, p := connect(t, epaper.Opts{Panel: name, FullEvery: 3})
			p.PingPong(swaps)
			img := page(dev.Bounds().Size())
			update(t, dev, img, false)
			for i := range 3 {
				fill(img, image.Rect(i*40, 60, i*40+12, 76), color.Black)
				fill(img, image.Rect(i*40+20, 61, i*40+22, 70), color.White)
				update(t, dev, img, false)
				shows(t, p, img)
				refreshed(t, p, 1, i+1)
				if differ(p.Memory(false), img) != "" {
					t.Fatal("the new memory is not what is on the glass")
				}
				if differ(p.Memory(true), img) != "" {
					t.Fatal("the old memory is not what is on the glass")
				}
			}
			fill(img, image.Rect(90, 90, 95, 95), color.Black)
			update(t, dev, img, false)
			refreshed(t, p, 2, 3) // due
			fill(img, image.Rect(80, 90, 85, 95), color.Black)
			update(t, dev, img, false)
			update(t, dev, img, true) // the same picture, cleaned
			refreshed(t, p, 3, 4)
			fill(img, img.Rect, color.Black)
			update(t, dev, img, false)
			refreshed(t, p, 4, 4) // much has changed
			shows(t, p, img)
			lawful(t, p)
		}
	})
}

func TestAfterAFullRefreshBothMemoriesHoldThePicture(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p := connect(t, epaper.Opts{Panel: name})
		img := page(dev.Bounds().Size())
		update(t, dev, img, true)
		if d := differ(p.Memory(false), img); d != "" {
			t.Error("new:", d)
		}
		want := image.Image(img)
		if name == "inky-phat" { // its second memory is for a colour, which must be absent
			b := blank(dev.Bounds().Size())
			fill(b, b.Rect, color.Black)
			want = b
		}
		if d := differ(p.Memory(true), want); d != "" {
			t.Error("old:", d)
		}
	})
}

func TestSleepKeepsThePictureAndWakesByItself(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p := connect(t, epaper.Opts{Panel: name})
		if err := dev.Sleep(context.Background()); err != nil { // before the first update
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		update(t, dev, img, false)
		for range 2 {
			if err := dev.Halt(); err != nil {
				t.Fatal(err)
			}
		}
		shows(t, p, img)
		time.Sleep(8 * time.Hour)
		fill(img, image.Rect(60, 60, 70, 70), color.Black)
		update(t, dev, img, false)
		shows(t, p, img)
		if !fullOnly(name) {
			refreshed(t, p, 1, 1) // what is on the glass is still known
		}
		lawful(t, p)
	})
}

func TestWithoutAResetLine(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		pins := p.Pins()
		dev, err := epaper.New(p.SPI(), &epaper.Opts{Panel: name, DC: pins.DC, Busy: pins.Busy})
		if err != nil {
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		for i := range 3 {
			fill(img, image.Rect(i*10, 60, i*10+5, 70), color.Black)
			update(t, dev, img, false)
			shows(t, p, img)
			if err := dev.Sleep(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		lawful(t, p)
	})
}

func TestAPreviousProgramLeftThePanelAsleep(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		dev, p := connect(t, epaper.Opts{Panel: name})
		update(t, dev, page(dev.Bounds().Size()), false)
		if err := dev.Sleep(context.Background()); err != nil {
			t.Fatal(err)
		}
		again := attach(t, p, epaper.Opts{Panel: name})
		img := blank(again.Bounds().Size())
		update(t, again, img, false)
		shows(t, p, img)
		refreshed(t, p, 2, 0)
		lawful(t, p)
	})
}

func TestPicturesOfAnyKind(t *testing.T) {
	eachTrait(t, epaper.DefaultOpts.Panel, func(t *testing.T) {
		dev, p := connect(t, epaper.DefaultOpts)
		size := dev.Bounds().Size()
		at := image.Rect(7, 9, 7+size.X, 9+size.Y) // not at 0, 0
		gray := page(size)
		rgba := image.NewRGBA(at)
		paletted := image.NewPaletted(at, color.Palette{color.White, color.Black, color.RGBA{R: 0xff, A: 0xff},
			color.RGBA{R: 0xff, G: 0xff, A: 0xff}})
		for y := range size.Y {
			for x := range size.X {
				dark := gray.GrayAt(x, y).Y < 0x80
				c, i := color.RGBA{R: 0xff, G: 0xff, A: 0xff}, uint8(3) // yellow is light
				if dark {
					c, i = color.RGBA{R: 0xff, A: 0xff}, 2 // red is dark
				}
				rgba.SetRGBA(7+x, 9+y, c)
				paletted.SetColorIndex(7+x, 9+y, i)
			}
		}
		for _, img := range []image.Image{rgba, paletted, slow{rgba}} {
			update(t, dev, blank(size), true)
			update(t, dev, img, true)
			shows(t, p, gray)
		}
		err := dev.Update(context.Background(), blank(image.Pt(100, 50)), false)
		if err == nil || !strings.Contains(err.Error(), "(100,50)") {
			t.Fatal("a picture of another size:", err)
		}
	})
}

// slow is an image without direct access to its pixels.
type slow struct{ image.Image }

func TestNewRefuses(t *testing.T) {
	p, err := epapertest.New("waveshare-2in13-v4")
	if err != nil {
		t.Fatal(err)
	}
	defer p.SPI().Close()
	pins := p.Pins()
	for _, test := range []struct {
		opts epaper.Opts
		want string
	}{
		{epaper.Opts{Panel: "kindle", DC: pins.DC, Busy: pins.Busy}, `got panel "kindle", want one of waveshare-2in13-v3,`},
		{epaper.Opts{Panel: "waveshare-2in13-v4", Busy: pins.Busy}, "the pin DC is missing"},
		{epaper.Opts{Panel: "waveshare-2in13-v4", DC: pins.DC}, "the pin BUSY is missing"},
		{epaper.Opts{Panel: "waveshare-2in13-v4", DC: pins.DC, Busy: pins.Busy, Rotate: 45}, "got a turn of 45 degrees"},
		{epaper.Opts{Panel: "waveshare-2in13-v4", DC: pins.DC, Busy: pins.DC, Reset: gpio.INVALID}, "pin RST"},
	} {
		if _, err := epaper.New(p.SPI(), &test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, not %q", err, test.want)
		}
	}
}

func TestAnEndedContextSendsNothing(t *testing.T) {
	eachTrait(t, epaper.DefaultOpts.Panel, func(t *testing.T) {
		dev, p := connect(t, epaper.DefaultOpts)
		update(t, dev, blank(dev.Bounds().Size()), false)
		before := p.Wire()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := dev.Update(ctx, page(dev.Bounds().Size()), false); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if p.Wire() != before {
			t.Fatal("something was sent")
		}
		update(t, dev, page(dev.Bounds().Size()), false)
		refreshed(t, p, 1, 1) // nothing was lost
	})
}

func ExampleDev_Update() {
	panel, _ := epapertest.New("waveshare-2in13-v4")
	panel.SetSpeed(100)
	pins := panel.Pins()
	dev, err := epaper.New(panel.SPI(), &epaper.Opts{
		Panel: "waveshare-2in13-v4",
		DC:    pins.DC, Busy: pins.Busy, Hold: time.Sleep, Reset: pins.Reset,
		Speed: 100,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	img := image.NewGray(dev.Bounds())
	if err := dev.Update(context.Background(), img, false); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dev, dev.Bounds().Size())
	// Output: waveshare-2in13-v4 on emulated:waveshare-2in13-v4 (250,122)
}
