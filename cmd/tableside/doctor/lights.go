package doctor

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"time"

	"periph.io/x/conn/v3/display"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
)

// strip looks whether the strip can be driven, and lets a rainbow run over it.
func (d *doctor) strip(ctx context.Context, p *rig.Parts, c *config.Lights) {
	if c.Chip == "wled" {
		d.wled(ctx, p, c)
		return
	}
	dev, err := p.OpenStrip(c)
	if err != nil {
		d.fail("lights", err.Error(), "")
		return
	}
	if c.Chip != "apa102" { // which has a clock line
		d.coreClock()
	}
	if !d.Try {
		d.ok("lights", fmt.Sprintf("%d LEDs on %s%s", c.Count, c.SPI, d.noDMA(c)),
			"its port opens; no strip can say whether it is there")
		return
	}
	d.announceTry()
	err = showOrder(ctx, dev)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, tryRainbow)
		defer cancel()
		err = runRainbow(ctx, dev)
	}
	if err != nil {
		d.fail("lights", err.Error(), "")
		return
	}
	d.ok("lights", fmt.Sprintf("a red, a green and a blue LED, then a rainbow over %d; "+
		"other colours at the beginning ask for another order in [lights]%s", c.Count, d.noDMA(c)),
		"sent; no strip can say whether it is there")
}

func (d *doctor) announceTry() {
	fmt.Fprintf(d.Say, "the strip begins with one red, one green and one blue LED for %v, then a rainbow runs\n", tryOrder)
}

// showOrder lights the first three LEDs: one red, one green, one blue. It
// repeats them each second, for strips on the network.
func showOrder(ctx context.Context, dev display.Drawer) error {
	frame := image.NewNRGBA(dev.Bounds())
	for x, c := range []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}} {
		frame.SetNRGBA(x, 0, c) // a strip may be shorter: what is outside is dropped
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for began := time.Now(); time.Since(began) < tryOrder; {
		if err := dev.Draw(dev.Bounds(), frame, image.Point{}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), dev.Halt())
		case <-ticker.C:
		}
	}
	return nil
}

// noDMA says what to do about flicker where the strip's bus pauses when the
// processor is late, as SPI1 and SPI2 do before the Raspberry Pi 5
// (spi-bcm2835aux.c): in the middle of a frame that is its end.
func (d *doctor) noDMA(c *config.Lights) string {
	bus, _, _ := config.ParseSPI(c.SPI)
	on := config.Model(d.root)
	if c.Chip == "apa102" || bus != 1 && bus != 2 || on == "" || config.IsPi5(on) {
		return ""
	}
	return fmt.Sprintf("; if it flickers, wire it to SPI0: SPI%d has no DMA", bus)
}

func runRainbow(ctx context.Context, dev display.Drawer) error {
	frame := image.NewNRGBA(dev.Bounds())
	ticker := time.NewTicker(40 * time.Millisecond)
	defer ticker.Stop()
	for turn := 0.0; ; turn += 0.02 {
		for x := range frame.Rect.Dx() {
			frame.SetNRGBA(x, 0, hue(turn+float64(x)/float64(frame.Rect.Dx())))
		}
		if err := dev.Draw(dev.Bounds(), frame, image.Point{}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return dev.Halt()
		case <-ticker.C:
		}
	}
}

// hue is a colour of the rainbow; one turn leads around it.
func hue(turn float64) color.NRGBA {
	part := func(shift float64) uint8 {
		return uint8(255 * (0.5 + 0.5*math.Cos(2*math.Pi*(turn-shift))))
	}
	return color.NRGBA{R: part(0), G: part(1.0 / 3), B: part(2.0 / 3), A: 255}
}
