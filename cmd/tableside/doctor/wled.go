package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/wled"
)

// wled looks whether the WLED is there, and whether it shows what it is sent.
func (d *doctor) wled(ctx context.Context, p *rig.Parts, c *config.Lights) {
	dev, err := p.OpenWLED(c)
	if err != nil {
		d.fail("lights", err.Error(), "")
		return
	}
	info, err := dev.Connect(ctx)
	if err != nil {
		d.fail("lights", err.Error(), mendWLED(err, c.Host))
		return
	}
	said := fmt.Sprintf("%s at %s", info, dev.Address())
	if info.Name != "" {
		said += fmt.Sprintf(", called %q", info.Name)
	}
	info.Live = true // nothing was sent yet
	if d.Try {
		if info.Live, err = d.tryWLED(ctx, dev); err != nil {
			d.fail("lights", err.Error(), mendWLED(err, c.Host))
			return
		}
		said += fmt.Sprintf("; a red, a green and a blue LED, then a rainbow over %d: other colours at the beginning "+
			"ask for another color order in its LED preferences", c.Count)
	}
	err = dev.Halt()
	switch why := rig.WrongWLED(info, c.Count); {
	case !info.Live:
		d.fail("lights", strings.Join(why, "; "), "let UDP to it pass: a firewall or a guest network is the usual cause")
	case len(why) > 0:
		fix := fmt.Sprintf("set count = %d, or the length in its LED preferences", info.LEDs)
		d.fail("lights", strings.Join(why, "; "), fix)
	case err != nil:
		d.fail("lights", err.Error(), "")
	default:
		d.ok("lights", said, "it answered over HTTP")
	}
}

// tryWLED lets the strip show what every strip does, and finds out whether the
// WLED says that it shows it.
func (d *doctor) tryWLED(ctx context.Context, dev *wled.Dev) (live bool, err error) {
	d.announceTry()
	if err = showOrder(ctx, dev); err == nil {
		var info wled.Info
		info, err = dev.Ask(ctx)
		live = info.Live
	}
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, tryRainbow)
		defer cancel()
		err = runRainbow(ctx, dev)
	}
	if err != nil {
		err = errors.Join(err, dev.Halt())
	}
	return live, err
}

// mendWLED is what to do where a WLED was not found.
func mendWLED(err error, host string) string {
	switch {
	case errors.As(err, new(*rig.NoAvahi)):
		return "sudo apt install avahi-daemon, which finds names that end in .local; or name its address instead"
	case errors.Is(err, wled.ErrUnknownName):
		return "its name is in its WiFi settings (mDNS address); a fixed address from the router does as well"
	}
	return "is it on, and in the same network? its page must open at http://" + host
}
