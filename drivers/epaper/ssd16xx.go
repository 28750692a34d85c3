package epaper

import (
	"context"
	"fmt"
	"time"
)

// softResetWait is the pause after the software reset: SSD1680 §9.1 (p. 39) waits 10 ms.
const softResetWait = 10 * time.Millisecond

// asleepLimit is how long to wait for BUSY to rise when the controller falls asleep. The data
// sheet gives no time. It says only that BUSY is high in deep sleep.
const asleepLimit = 20 * time.Millisecond

// startupTime is how long a controller may be busy when it starts after a loss of power. The
// data sheet tells the host to wait 10 ms (SSD1680 §9.1, p. 39).
const startupTime = 15 * time.Millisecond

// ssd16xx is an SSD1680 or SSD1683. The differences between the two are in panels.go. Between
// two pictures, the controller is in deep sleep mode 1 (10h, SSD1680 p. 23, SSD1683 p. 25). In
// this mode it keeps its memories, and only the reset line wakes it.
type ssd16xx struct {
	line  *line
	panel *panel

	asleep bool
	// busyInSleep records that BUSY rises when the controller falls asleep, as the data
	// sheet says. Once busyInSleep is set, two faults can be seen. If BUSY does not rise,
	// the controller has missed the command to sleep. If the controller is awake although
	// nobody woke it, its power has failed during the sleep.
	busyInSleep bool
}

func (c *ssd16xx) wake(ctx context.Context, trusted bool) (kept bool, err error) {
	kept = true
	if c.asleep && c.busyInSleep {
		if kept, err = c.line.staysBusy(ctx, startupTime); err != nil {
			return false, err
		}
	}
	c.asleep = false
	if trusted {
		powered, lost := c.line.pulse(ctx)
		kept, err = kept && powered, lost
	} else {
		err = c.line.restart(ctx)
	}
	if err != nil {
		return false, err
	}
	// 12h resets all registers but leaves the memories alone (p. 24).
	if err := c.line.send(0x12); err != nil {
		return false, err
	}
	if err := c.line.pause(ctx, softResetWait); err != nil {
		return false, fmt.Errorf("software reset: %w", err)
	}
	if err := c.line.waitIdle(ctx, "a software reset", settleLimit); err != nil {
		return false, err
	}
	return kept, c.line.sendAll([]command{
		// driver output control (§8.1): gates, in order
		{0x01, []byte{byte(c.panel.height - 1), byte((c.panel.height - 1) >> 8), 0}},
		{0x11, []byte{0x03}}, // data entry mode (§8.3): columns up, then lines up
		{0x18, []byte{0x80}}, // temperature: the sensor inside (p. 24)
	})
}

func (c *ssd16xx) prepare(u *update) error {
	err := c.line.sendAll([]command{{0x3c, []byte{u.border}}, {0x21, u.sources[:]}})
	if err == nil && u.wave != nil {
		err = u.wave.send(c.line)
	}
	return err
}

func (c *ssd16xx) activate(ctx context.Context, u *update, full bool) error {
	if err := c.line.send(0x22, u.sequence); err != nil {
		return err
	}
	return c.line.refresh(ctx, full, 0x20)
}

// The commands that write the memories. 24h writes the memory of the new picture. 26h writes
// the other memory, which holds the old picture or a colour.
const (
	newMemory = 0x24
	oldMemory = 0x26
)

func (c *ssd16xx) full(ctx context.Context, next []byte) error {
	if err := c.prepare(c.panel.full); err != nil {
		return err
	}
	all := c.panel.wholeBox()
	if err := c.write(newMemory, next, all); err != nil {
		return err
	}
	old := next
	if c.panel.colour {
		old = nil
	}
	if err := c.write(oldMemory, old, all); err != nil {
		return err
	}
	return c.activate(ctx, c.panel.full, true)
}

// partial shows the new picture with a partial refresh, and then writes the picture to both
// memories. Some of the stored waveforms make the controller swap its memories after a partial
// refresh, and others do not (37h F[6], RAM ping-pong, p. 30). Writing both memories is right
// in either case.
func (c *ssd16xx) partial(ctx context.Context, was, next []byte) error {
	if err := c.prepare(c.panel.partial); err != nil {
		return err
	}
	changed := shrink(was, next, c.panel.stride(), c.panel.wholeBox())
	if err := c.write(newMemory, next, changed); err != nil {
		return err
	}
	if err := c.activate(ctx, c.panel.partial, false); err != nil {
		return err
	}
	if err := c.write(newMemory, next, changed); err != nil {
		return err
	}
	return c.write(oldMemory, next, changed)
}

// write writes the box b of a picture to a memory. It sends the window and the address
// counters first (44h, 45h, 4Eh, 4Fh: §8.4 and §8.5, p. 38), and then the bytes. If the
// picture is nil, write sends zeros.
func (c *ssd16xx) write(memory byte, picture []byte, b box) error {
	left, right := byte(b.Min.X+c.panel.column), byte(b.Max.X-1+c.panel.column)
	top, bottom := b.Min.Y, b.Max.Y-1
	err := c.line.sendAll([]command{
		{0x44, []byte{left, right}},
		{0x45, []byte{byte(top), byte(top >> 8), byte(bottom), byte(bottom >> 8)}},
		{0x4e, []byte{left}},
		{0x4f, []byte{byte(top), byte(top >> 8)}},
	})
	if err != nil {
		return err
	}
	return c.line.sendBox(memory, picture, b, 0)
}

func (c *ssd16xx) rest(ctx context.Context) error {
	if c.line.reset == nil {
		return nil // nothing could wake it; clock and analog part are off
	}
	if err := c.line.send(0x10, 0x01); err != nil {
		return err
	}
	c.asleep = true
	rose, err := c.line.rises(ctx, asleepLimit)
	if err == nil && c.busyInSleep && !rose {
		return fmt.Errorf("deep sleep: %w: BUSY (%s) did not change", errNoAnswer, c.line.busy)
	}
	c.busyInSleep = rose
	return err
}

func (c *ssd16xx) sleep(ctx context.Context, trusted bool) error {
	if c.asleep && trusted || c.line.reset == nil {
		return nil
	}
	if err := c.line.restart(ctx); err != nil {
		return err
	}
	return c.rest(ctx)
}
