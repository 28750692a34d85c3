package doctor

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"time"

	"periph.io/x/conn/v3/display"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/display/lights"
)

// strip checks whether the LED strip can be driven. If Try is set, the strip shows the colour
// order and a rainbow.
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
	if !d.Try {
		d.ok("lights", fmt.Sprintf("%d LEDs on %s%s", c.Count, c.SPI, d.flickerAdvice(c)),
			"its port opens; no strip can say whether it is there")
		return
	}
	d.announceTry()
	err = showOrder(ctx, dev)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, rainbowTime)
		defer cancel()
		err = runRainbow(ctx, dev)
	}
	if err != nil {
		d.fail("lights", err.Error(), "")
		return
	}
	d.ok("lights", fmt.Sprintf("a red, a green and a blue LED, then a rainbow over %d; "+
		"if the first colours were others, set another order in [lights]%s", c.Count, d.flickerAdvice(c)),
		"sent; no strip can say whether it is there")
}

func (d *doctor) announceTry() {
	fmt.Fprintf(d.Out, "the strip begins with one red, one green and one blue LED for %v, then a rainbow runs\n",
		orderTime)
}

// showOrder lights the first three LEDs for 3 s (orderTime). The first LED is red, the second
// green and the third blue. showOrder draws the LEDs again each second, because strips on the
// network need new data.
func showOrder(ctx context.Context, dev display.Drawer) error {
	frame := image.NewNRGBA(dev.Bounds())
	for x, c := range []color.NRGBA{{R: 255, A: 255}, {G: 255, A: 255}, {B: 255, A: 255}} {
		frame.SetNRGBA(x, 0, c) // ignored beyond the end of a shorter strip
	}
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for began := time.Now(); time.Since(began) < orderTime; {
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

// flickerAdvice returns advice for a strip that may flicker because its bus has no DMA. For
// any other strip, it returns "". Before the Raspberry Pi 5, the buses SPI1 and SPI2 have no
// DMA (spi-bcm2835aux.c). These buses pause when the processor is late, and a pause ends the
// frame of a strip.
//
// An APA102 gets no advice, because it has a clock line, which waits with the data.
func (d *doctor) flickerAdvice(c *config.Lights) string {
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
			frame.SetNRGBA(x, 0, lights.Hue(turn+float64(x)/float64(frame.Rect.Dx())))
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
