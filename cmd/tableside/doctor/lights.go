package doctor

import (
	"context"
	"errors"
	"fmt"
	"image"
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
		d.failed("lights", err, "")
		return
	}
	if !d.Try {
		d.ok("lights", fmt.Sprintf("%d LEDs on %s%s", c.Count, c.SPI, d.flickerAdvice(c)),
			"its port opens; no strip can say whether it is there")
		return
	}
	if err := errors.Join(d.showColours(ctx, dev), dev.Halt()); err != nil {
		d.failed("lights", err, "")
		return
	}
	d.ok("lights", fmt.Sprintf("a red, a green and a blue LED, then a rainbow over %d; "+
		"if the first colours were others, set another order in [lights]%s", c.Count, d.flickerAdvice(c)),
		"sent; no strip can say whether it is there")
}

// showColours shows one red, one green and one blue LED, and then a rainbow.
func (d *doctor) showColours(ctx context.Context, dev display.Drawer) error {
	fmt.Fprintf(d.Out, "the strip begins with one red, one green and one blue LED for %v, then a rainbow runs\n",
		orderTime)
	frame := image.NewNRGBA(dev.Bounds())
	ticker := time.NewTicker(40 * time.Millisecond)
	defer ticker.Stop()
	for began := time.Now(); time.Since(began) < orderTime+rainbowTime; {
		for x, c := range lights.TrialColours(frame.Rect.Dx(), time.Since(began)) {
			frame.SetNRGBA(x, 0, c)
		}
		if err := dev.Draw(dev.Bounds(), frame, image.Point{}); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
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
