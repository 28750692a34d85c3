package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/evdev"
)

// keyboards checks whether each keyboard is plugged in and may be opened. If Try is set,
// keyboards then waits for people to press keys, and names the pressed keys.
func (d *doctor) keyboards(ctx context.Context, p *rig.Parts, w *config.Wiring) {
	var there []*config.Keyboard
	for i := range w.Keyboards {
		c := &w.Keyboards[i]
		info, err := p.ProbeKeyboard(c)
		switch {
		case errors.Is(err, evdev.ErrAbsent):
			d.failed(c.Who(), err, "plug it in; what is plugged in and not used is listed below")
		case err != nil:
			d.failed(c.Who(), err, "")
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

// pressKeyboards listens to the keyboards for 10 s (keysTime). It names each key that is
// pressed and each code that is read. If nothing comes from a keyboard, that is a fault.
func (d *doctor) pressKeyboards(ctx context.Context, p *rig.Parts, all []*config.Keyboard) {
	fmt.Fprintf(d.Out, "press keys of every keyboard, and hold a card to every reader that types: %v\n", keysTime)
	ctx, cancel := context.WithTimeout(ctx, keysTime)
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
				fmt.Fprintf(d.Out, "  %s: %s\n", c.Who(), text)
			})
		})
	}
	runs.Wait()
	for i, c := range all {
		switch {
		case failed[i] != nil:
			d.failed(c.Who(), failed[i], "")
		case heard[i] == 0:
			d.fail(c.Who(), "nothing was pressed or read", "press a key when asked; where that has no effect, "+
				"device names another part of the same keyboard")
		default:
			d.ok(c.Who(), fmt.Sprintf("%d keys or codes came", heard[i]), "read from it")
		}
	}
}

// addUnused adds a finding for each device that is plugged in but not in the configuration.
// The finding holds a section that adds the device to the configuration.
func (d *doctor) addUnused(ctx context.Context, w *config.Wiring) {
	all, err := rig.Unused(ctx, d.ports, w)
	if err != nil {
		d.failed("plugged in", err, "")
	}
	for _, f := range all {
		const whose = "#seat = \"red\"      # whose it is; without it, everybody's\n"
		check, more := config.Section(f.Part), ""
		switch check {
		case "keyboards":
			more = whose + "#reads = \"tags\"    # for a reader that types\n"
		case "readers":
			more = "name = \"table\"\n" + whose
		}
		what := f.Name + " is plugged in and not used"
		if f.Kind == rig.FoundAdapter {
			what += "; it is no reader unless a PN532 is behind it"
		}
		d.ok(check, what+": add a section to use it, or open /setup on the page", f.ID)
		var section config.Wiring
		_ = section.Add(f.Part) // the first of its kind
		d.findings[len(d.findings)-1].Paste = strings.Join(section.Sections(), "\n") + "\n" + more
	}
}
