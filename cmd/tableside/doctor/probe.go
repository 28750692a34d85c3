package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/display/panel"
	"tableside/drivers/keys"
)

// checkHardware checks the wired parts one by one. If running is set, a running table uses the
// parts. Then checkHardware touches no part. Instead, it refers to the page of the running
// table or, if Try is set, adds a fault.
func (d *doctor) checkHardware(ctx context.Context, c *config.Config, running bool) {
	w := &c.Wiring
	if len(w.Claims()) == 0 {
		d.ok("hardware", "none is configured", "nothing was asked")
		return
	}
	missing := map[string]bool{}
	for _, f := range d.ports.Missing(w) {
		d.fail(f.Key, f.Reason, f.Hint)
		missing[f.Key] = true
	}
	switch {
	case running && d.Try:
		d.fail("hardware", "the running table has it: nothing was tested", stopTable)
		return
	case running:
		d.ok("hardware", "the running table has it: its page shows the health of each part; to test them here, "+stopTable,
			"no part was tested")
		return
	}
	if !missing["pins"] {
		for _, f := range d.ports.BusyPins(w) {
			d.fail(f.Key, f.Reason, f.Hint)
			missing[f.Key] = true
		}
	}
	if w.Lights != nil && w.Lights.Chip != "wled" && w.Lights.Chip != "apa102" { // an apa102 has a clock line
		d.checkCoreClock() // even if the port is missing: to mend either takes a line in config.txt and a reboot
	}
	rest := w.Without(func(p config.Part) bool { return missing[p.Who()] })
	p := rig.NewParts(d.ports, &rest)
	for _, part := range rest.Parts() {
		switch c := part.(type) {
		case *config.Reader:
			d.reader(ctx, p, c)
		case *config.Lights:
			d.strip(ctx, p, c)
		case *config.Panel:
			if d.inky(p, c) && !(d.Try && missing["pins"]) {
				d.glass(ctx, c, func() (panel.Glass, error) { return p.OpenPanel(c) })
			}
		case *config.Screen:
			d.glass(ctx, c, func() (panel.Glass, error) { return p.OpenScreen(c) })
		}
	}
	d.keyboards(ctx, p, &rest)
	switch pins := len(rest.Keys) + len(rest.Encoders); {
	case pins == 0 || missing["pins"]:
	case d.Try:
		d.pressKeys(ctx, p, &rest)
	default: // without a finding people might believe that they were tested
		d.ok("keys", "are not listened to; --try waits for each",
			fmt.Sprintf("nobody else has the pins of %d keys and knobs", pins))
	}
}

// stopTable is the command that frees the hardware for the doctor.
const stopTable = "sudo systemctl stop tableside, and start it again afterwards"

// These are the times that the test of a part may take, or for which the part shows something.
const (
	readerTimeout = 3 * time.Second
	glassTimeout  = time.Minute // a panel of four colours is slow, and slower in the cold
	orderTime     = 3 * time.Second
	rainbowTime   = 3 * time.Second
	keysTime      = 10 * time.Second
	stuckTime     = keysTime / 2 // a key held this long is stuck
)

// reader asks a reader for its firmware, and polls it once.
func (d *doctor) reader(ctx context.Context, p *rig.Parts, c *config.Reader) {
	ctx, cancel := context.WithTimeout(ctx, readerTimeout)
	defer cancel()
	dev, closeBus, err := p.OpenReader(c)
	if err != nil {
		usual := ""
		if c.Serial != "" && errors.Is(err, fs.ErrNotExist) {
			usual = "plug the adapter in; ls /dev/serial/by-id lists those that are there"
		}
		d.failed(c.Who(), err, usual)
		return
	}
	defer func() { _ = errors.Join(dev.Halt(), closeBus()) }()
	console := rig.ConsoleHint(d.root, c.Serial)
	began := time.Now()
	if err := dev.Init(ctx); err != nil {
		d.fail(c.Who(), err.Error(), cmp.Or(console,
			fixFor(err, "look at its wires and at the switches or jumpers that choose its bus; docs/hardware.md draws them")))
		return
	}
	ready := time.Now()
	tags, err := dev.Poll(ctx, nil)
	if err != nil {
		d.fail(c.Who(), dev.Firmware()+" answers, but a poll fails: "+err.Error(),
			cmp.Or(console, fixFor(err, "a long or thin supply wire is the usual cause")))
		return
	}
	polled := time.Now()
	said := fmt.Sprintf("%s, %d tags on it", dev.Firmware(), len(tags))
	if console != "" {
		said += "; " + console
	}
	d.ok(c.Who(), said+d.slowAdapter(c.Serial), fmt.Sprintf("it answered over %s: set up in %d ms, polled in %d ms",
		c.Port(), ready.Sub(began).Milliseconds(), polled.Sub(ready).Milliseconds()))
}

// glass shows a test picture on a panel or screen if Try is set. Otherwise it only says that
// nothing was tested.
func (d *doctor) glass(ctx context.Context, c config.Part, open func() (panel.Glass, error)) {
	part := c.Who()
	if !d.Try {
		d.ok(part, "is not asked; --try shows a picture", config.BusOf(c).Port()+" exists and may be used")
		return
	}
	ctx, cancel := context.WithTimeout(ctx, glassTimeout)
	defer cancel()
	dev, err := open()
	if err != nil {
		d.failed(part, err, "")
		return
	}
	if supplied, ok := dev.(rig.Switchable); ok {
		defer func() { _ = supplied.SwitchOff() }() // errors before it say more
	}
	began := time.Now()
	if err := dev.Update(ctx, panel.TestPicture(dev.Bounds()), true); err != nil {
		d.failed(part, err, "look at its cable and at dc, busy and reset in the configuration")
		return
	}
	took := time.Since(began).Round(100 * time.Millisecond)
	if err := dev.Sleep(ctx); err != nil {
		d.failed(part, err, "")
		return
	}
	d.ok(part, "shows a frame, a cross and a filled corner at the top left",
		fmt.Sprintf("it took the picture in %v; look whether it is right", took))
}

// pressKeys names each key that is pressed. It waits until every key has been pressed, but at
// most 10 s (keysTime). A key that was not pressed is a fault. A stuck key is also a fault.
func (d *doctor) pressKeys(ctx context.Context, p *rig.Parts, w *config.Wiring) {
	opts, _ := rig.KeyOptions(w)
	opts.Stuck = stuckTime
	dev, err := p.OpenKeys(&opts)
	if err != nil {
		d.failed("keys", err, "")
		return
	}
	fmt.Fprintf(d.Out, "press every key and turn every knob now: %v\n", keysTime)
	ctx, cancel := context.WithTimeout(ctx, keysTime)
	defer cancel()
	waits := map[string]bool{}
	for _, b := range opts.Buttons {
		waits[b.Name] = true
	}
	for _, e := range opts.Encoders {
		waits[e.Name] = true
	}
	all := len(waits)
	var stuck []string
	err = p.RunKeys(ctx, dev, &opts, func(e keys.Event) {
		if e.Kind == keys.Stuck {
			stuck = append(stuck, e.Name)
		}
		if waits[e.Name] {
			fmt.Fprintf(d.Out, "  %s\n", e.Name)
		}
		if delete(waits, e.Name); len(waits) == 0 {
			cancel()
		}
	})
	switch {
	case err != nil:
		d.failed("keys", err, "")
	case len(stuck) > 0:
		d.fail("keys", rig.HeldOrShorted(stuck).Error(), "let it go; where nobody holds it, its pin is shorted to ground")
	case len(waits) > 0:
		d.fail("keys", fmt.Sprintf("%d of %d were not pressed: %s", len(waits), all,
			strings.Join(slices.Sorted(maps.Keys(waits)), ", ")),
			"press them all when asked; a key without effect is not wired to its pin and ground")
	default:
		d.ok("keys", fmt.Sprintf("all %d were pressed", all), "their pins changed")
	}
}
