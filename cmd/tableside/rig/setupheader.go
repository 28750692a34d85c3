package rig

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/display/lights"
	"tableside/display/web/setup"
	"tableside/drivers/epaper"
	"tableside/drivers/wled"
	"tableside/engine"
)

// headerPanel returns the configuration of a panel that is plugged onto the header. It has the
// pins that an Inky or a HAT of Waveshare uses (docs/hardware.md, "Your own table"). The
// argument power says whether the board has a pin PWR.
func headerPanel(model string, power bool) *config.Panel {
	c := &config.Panel{Model: model, Bus: config.Bus{SPI: "SPI0.0"}, DC: "GPIO25", Reset: "GPIO17", Busy: "GPIO24"}
	switch {
	case epaper.IsInky(model):
		c.DC, c.Reset, c.Busy = "GPIO22", "GPIO27", "GPIO17"
	case power:
		c.Power = "GPIO18"
	}
	return c
}

func lightsOf(o *setup.Order) *config.Lights {
	c := &config.Lights{Chip: cmp.Or(o.Chip, wledChip), Host: strings.TrimSpace(o.Host), Count: o.Count, Order: o.Order, LimitMA: o.Limit}
	if c.Chip != wledChip {
		c.SPI = "SPI0.0"
	}
	return c
}

const wledChip = "wled"

// A tester is an output that can show a test picture. Test returns nil once the picture is
// shown, or the reason why it is not shown.
type tester interface{ Test(context.Context) error }

// These are the times of a test. testLimit is long because a panel with colours first keeps
// its earlier picture for up to half a minute. Then the panel flashes for up to half a minute,
// or longer in the cold.
const (
	testLimit       = 2 * time.Minute // for a test picture to appear
	testNoticeDelay = 2 * time.Second // until people are told that the test takes a while
)

// test begins to show a test picture on a panel or a strip. It does not wait for the picture.
// The outcome becomes the newest answer on the page. If the part no longer runs or cannot be
// tested, test returns a refusal.
func (s *Setup) test(part string) error {
	i := s.rig.index(part)
	if i < 0 {
		return refuse("setup.said-gone")
	}
	out, ok := s.rig.Parts.All[i].Output.(tester)
	if !ok {
		return refuse("setup.said-no-test", "name", part)
	}
	_, isWLED := out.(*networkStrip)
	s.start(func() {
		ctx, cancel := context.WithTimeout(s.ctx, testLimit)
		defer cancel()
		soon := make(chan struct{})
		told := time.AfterFunc(testNoticeDelay, func() {
			defer close(soon)
			s.say(true, engine.T("setup.said-soon"))
		})
		err := out.Test(ctx)
		if !told.Stop() {
			<-soon // the answer comes after it
		}
		switch {
		case s.ctx.Err() != nil || errors.Is(err, errHalted): // the table ends, or the part was removed
		case errors.Is(err, errNoTest):
			s.say(false, engine.T("setup.said-no-test", "name", part))
		case err != nil:
			s.say(false, engine.T("setup.said-dark", "name", part, "reason", darkReason(err)))
		case part == "lights" && isWLED:
			s.say(true, engine.T("setup.said-colours"))
		case part == "lights":
			s.say(true, engine.T("setup.said-sent"))
		default:
			s.say(true, engine.T("setup.said-picture"))
		}
	})
	return nil
}

// darkReason returns why a test picture did not appear. If people can do something about the
// reason without knowing wires, the result is a text in their language. Otherwise the result
// is what the driver says.
func darkReason(err error) any {
	for _, known := range []struct {
		is  error
		say engine.Text
	}{
		{errNotShown, engine.T("setup.said-unseen", "port", wled.Port)},
		{ErrOverridden, engine.T("setup.said-overridden")},
		{wled.ErrUnknownName, engine.T("setup.said-no-name")},
		{wled.ErrNotWLED, engine.T("setup.said-not-wled")},
		{wled.ErrSilent, engine.T("setup.said-silent")},
		{lights.ErrNotDriven, engine.T("setup.said-not-driven")},
	} {
		if errors.Is(err, known.is) {
			return known.say
		}
	}
	return engine.ErrorSaid(err)
}
