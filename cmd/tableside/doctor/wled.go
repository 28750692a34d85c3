package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/wled"
)

// wled checks whether the WLED answers. If Try is set, it also checks whether the WLED shows
// what the doctor sends.
func (d *doctor) wled(ctx context.Context, p *rig.Parts, c *config.Lights) {
	dev, err := p.OpenWLED(c)
	if err != nil {
		d.failed("lights", err, "")
		return
	}
	info, err := dev.Connect(ctx)
	if err != nil {
		d.fail("lights", err.Error(), wledFix(err, c.Host))
		return
	}
	said := fmt.Sprintf("%s at %s", info, dev.Address())
	if info.Name != "" {
		said += fmt.Sprintf(", called %q", info.Name)
	}
	info.Live = true // nothing was sent yet that it could miss
	if d.Try {
		var shows wled.Info
		if err = d.showColours(ctx, dev); err == nil {
			shows, err = dev.Ask(ctx)
		}
		if info.Live = shows.Live; err != nil {
			d.fail("lights", errors.Join(err, dev.Halt()).Error(), wledFix(err, c.Host))
			return
		}
		said += fmt.Sprintf("; a red, a green and a blue LED, then a rainbow over %d: if the first colours were others, "+
			"set another color order in its LED preferences", c.Count)
	}
	overridden, err := dev.Overridden(ctx)
	if err = cmp.Or(err, dev.Halt()); err != nil {
		d.failed("lights", err, "")
		return
	}
	switch why := rig.WLEDProblem(info, c.Count); {
	case !info.Live:
		d.fail("lights", why.Error(), "allow UDP to it: a firewall or a guest network is the usual cause")
	case why != nil:
		fix := fmt.Sprintf("set count = %d, or the length in its LED preferences", info.LEDs)
		d.fail("lights", why.Error(), fix)
	case overridden:
		d.fail("lights", rig.ErrOverridden.Error(),
			`end the override on the page of the WLED, or send {"lor":0} to its /json/state`)
	default:
		d.ok("lights", said, "it answered over HTTP")
	}
}

// wledFix returns advice for a WLED that does not answer.
func wledFix(err error, host string) string {
	switch {
	case errors.As(err, new(*rig.NoAvahiError)):
		return "sudo apt install avahi-daemon, which resolves names that end in .local; or set its address instead"
	case errors.Is(err, wled.ErrUnknownName):
		return "its name is in its WiFi settings (mDNS address); or give it a fixed address in the router"
	}
	return "is it on, and in the same network? its page must open at http://" + host
}
