package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/evdev"
)

// keyboards checks whether each keyboard is plugged in and may be opened; with Try, it
// waits for keys, and names those that are pressed.
func (d *doctor) keyboards(ctx context.Context, p *rig.Parts, w *config.Wiring) {
	var there []*config.Keyboard
	for i := range w.Keyboards {
		c := &w.Keyboards[i]
		info, err := p.ProbeKeyboard(c)
		switch {
		case errors.Is(err, evdev.ErrAbsent):
			d.fail(c.Who(), err.Error(), fixFor(err, "plug it in; what is plugged in and not used is listed below"))
		case err != nil:
			d.fail(c.Who(), err.Error(), fixFor(err, ""))
		case d.Try:
			there = append(there, c)
		default:
			d.ok(c.Who(), info.Name+" is plugged in; --try names the keys that are pressed", "opened and grabbed "+info.Path)
		}
	}
	if len(there) > 0 {
		d.pressKeyboards(ctx, p, there)
	}
}

// pressKeyboards waits for a key or a code of every keyboard, and names each.
func (d *doctor) pressKeyboards(ctx context.Context, p *rig.Parts, all []*config.Keyboard) {
	fmt.Fprintf(d.Say, "press keys of every keyboard, and hold a card to every reader that types: %v\n", tryKeys)
	ctx, cancel := context.WithTimeout(ctx, tryKeys)
	defer cancel()
	var mu sync.Mutex // of what the keyboards share: Say and heard
	heard := make([]int, len(all))
	failed := make([]error, len(all))
	var runs sync.WaitGroup
	for i, c := range all {
		dev, err := p.OpenKeyboard(c)
		if err != nil {
			failed[i] = err
			continue
		}
		runs.Go(func() {
			failed[i] = dev.Run(ctx, func(e evdev.Event) {
				mu.Lock()
				defer mu.Unlock()
				if e.Text == "" {
					return
				}
				heard[i]++
				text := e.Text
				if key := c.Pressed(e.Text); e.Kind == evdev.Press && key != "" {
					text += " is " + key
				}
				fmt.Fprintf(d.Say, "  %s: %s\n", c.Who(), text)
			})
		})
	}
	runs.Wait()
	for i, c := range all {
		switch {
		case failed[i] != nil:
			d.fail(c.Who(), failed[i].Error(), fixFor(failed[i], ""))
		case heard[i] == 0:
			d.fail(c.Who(), "nothing was pressed or read", "press a key when asked; where that has no effect, "+
				"device names another part of the same keyboard")
		default:
			d.ok(c.Who(), fmt.Sprintf("%d keys or codes came", heard[i]), "read from it")
		}
	}
}

// unusedKeyboards lists the keyboards that are plugged in and that no section names, with
// the section to add. It opens none.
func (d *doctor) unusedKeyboards(w *config.Wiring) {
	host := d.ports.Inputs()
	if host == nil {
		return
	}
	all, err := host.List()
	if err != nil {
		d.fail("keyboards", err.Error(), "")
		return
	}
	used := func(i evdev.Info) bool {
		return slices.ContainsFunc(w.Keyboards, func(k config.Keyboard) bool {
			found, err := evdev.Find(all, k.Device)
			return err == nil && found.SameCase(i)
		})
	}
	for _, i := range evdev.Main(all) {
		if i.Bus != evdev.USB && i.Bus != evdev.Bluetooth || used(i) {
			continue
		}
		d.ok("keyboards", i.Name+" is plugged in and not used; add a section to use it", i.Path)
		d.findings[len(d.findings)-1].Paste = fmt.Sprintf(`[[keyboards]]
device = %q
#seat = "red"      # whose it is; without it, everybody's
#reads = "tags"    # for a reader that types
`, i.Device(all))
	}
}
