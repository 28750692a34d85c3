package epaper

import (
	"context"
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/spi"
)

// These waits are the same for all panels.
const (
	// settleLimit ends the wait for BUSY after a reset and after the short
	// commands. SSD1680 §9.1 (p. 39) waits 10 ms after each reset; the UC8179
	// takes about 130 ms to switch its power on.
	settleLimit = time.Second

	// riseLimit is how long a controller may take to show that it is busy. The
	// SSD16xx does so at once (20h, SSD1680 p. 25); UC8179 DRF R12h has the host
	// wait 200 µs before it looks.
	riseLimit = 100 * time.Millisecond

	// supplyRise is the wait between switching the supply on and pulling the reset
	// line. SSD1680 §9.1 (p. 39) waits 10 ms once the supply is stable.
	supplyRise = 10 * time.Millisecond

	// firstLook is the time between two reads of BUSY at the beginning of a wait. It is
	// short, so that a short wait ends soon and the rise is not missed. In a long wait for
	// the controller to be idle, the time grows up to laterLook.
	firstLook = time.Millisecond
	laterLook = 10 * time.Millisecond
)

// line holds the connections to the panel: SPI, and the lines DC, BUSY and RST.
type line struct {
	panel     *panel
	c         spi.Conn
	name      string
	dc        gpio.PinOut
	busy      gpio.PinIn
	reset     gpio.PinOut
	hold      func(time.Duration) // waits as Opts.Hold does
	power     gpio.PinOut         // nil: the supply is always on
	supplyOff bool

	buf   []byte // as long as the longest transfer
	fill  int    // how many bytes of buf are to be sent as data
	timer *time.Timer

	refreshEnd time.Time    // latest end of a refresh that nobody waited for
	lastBusyAt time.Time    // when the panel was last seen busy
	usual      [2]usualTime // how long refreshes take: partial, full
	speed      float64      // how many times faster than a real panel
}

// open sets the pins to their levels at rest. If the supply has a switch, open assumes that
// the supply is off.
func (l *line) open() error {
	l.supplyOff = l.power != nil
	if err := l.dc.Out(gpio.Low); err != nil {
		return fmt.Errorf("pin DC (%s): %w", l.dc, err)
	}
	if err := l.busy.In(l.panel.idlePull(), gpio.NoEdge); err != nil {
		return fmt.Errorf("pin BUSY (%s): %w", l.busy, err)
	}
	if l.reset != nil {
		if err := l.reset.Out(gpio.High); err != nil {
			return fmt.Errorf("pin RST (%s): %w", l.reset, err)
		}
	}
	return nil
}

func (l *line) switchOn(ctx context.Context) error {
	if !l.supplyOff {
		return nil
	}
	if err := l.power.Out(gpio.High); err != nil {
		return fmt.Errorf("pin PWR (%s): %w", l.power, err)
	}
	l.supplyOff = false
	return l.pause(ctx, supplyRise)
}

func (l *line) switchOff() error {
	if err := l.power.Out(gpio.Low); err != nil {
		return fmt.Errorf("pin PWR (%s): %w", l.power, err)
	}
	l.supplyOff = true
	return nil
}

// send sends a command with its data.
func (l *line) send(command byte, data ...byte) error {
	if err := l.command(command); err != nil {
		return err
	}
	for _, b := range data {
		if err := l.put(b); err != nil {
			return err
		}
	}
	return l.flush()
}

// command sends a command byte. The caller may then send data with the methods put and flush.
func (l *line) command(c byte) error {
	if err := l.dc.Out(gpio.Low); err != nil {
		return fmt.Errorf("pin DC (%s): %w", l.dc, err)
	}
	l.buf[0] = c
	l.fill = 0
	if err := l.c.Tx(l.buf[:1], nil); err != nil {
		return fmt.Errorf("command %02Xh: %w", c, err)
	}
	if err := l.dc.Out(gpio.High); err != nil {
		return fmt.Errorf("pin DC (%s): %w", l.dc, err)
	}
	return nil
}

func (l *line) put(b byte) error {
	l.buf[l.fill] = b
	l.fill++
	if l.fill == len(l.buf) {
		return l.flush()
	}
	return nil
}

// flush sends the bytes that put has collected.
func (l *line) flush() error {
	n := l.fill
	l.fill = 0
	if n == 0 {
		return nil
	}
	if err := l.c.Tx(l.buf[:n], nil); err != nil {
		return fmt.Errorf("%d bytes of data: %w", n, err)
	}
	return nil
}

// A command is a command byte with its data.
type command struct {
	code byte
	data []byte
}

func (l *line) sendAll(commands []command) error {
	for _, c := range commands {
		if err := l.send(c.code, c.data...); err != nil {
			return err
		}
	}
	return nil
}

// deepSleep sends the commands of a deep sleep. If the state of the panel is trusted,
// deepSleep waits first until the panel is ready. Otherwise it resets the panel first.
func (l *line) deepSleep(ctx context.Context, trusted bool, commands ...command) error {
	var err error
	if trusted {
		err = l.waitIdle(ctx, "the last picture", settleLimit)
	} else {
		err = l.restart(ctx)
	}
	if err != nil {
		return err
	}
	return l.sendAll(commands)
}

// sendBox sends a command, and as its data the part of a picture that lies in the box b, line by
// line. In every byte, it inverts the bits that are set in flip. If the picture is nil, it sends
// zeros, whatever flip is.
func (l *line) sendBox(command byte, picture []byte, b box, flip byte) error {
	if err := l.command(command); err != nil {
		return err
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; {
			to := l.buf[l.fill:min(len(l.buf), l.fill+b.Max.X-x)]
			clear(to)
			if picture != nil {
				copy(to, picture[y*l.panel.stride()+x:])
				for i := range to {
					to[i] ^= flip
				}
			}
			x += len(to)
			if l.fill += len(to); l.fill == len(l.buf) {
				if err := l.flush(); err != nil {
					return err
				}
			}
		}
	}
	return l.flush()
}

func (l *line) switchBooster(ctx context.Context, task string, command byte, data ...byte) error {
	if err := l.send(command, data...); err != nil {
		return err
	}
	if _, err := l.rises(ctx, riseLimit); err != nil {
		return err
	}
	return l.waitIdle(ctx, task, settleLimit)
}

func (l *line) isBusy() bool { return l.busy.Read() == l.panel.busyLevel() }

// pause waits for d. If the context ends first, pause returns the context's error.
func (l *line) pause(ctx context.Context, d time.Duration) error {
	if l.timer == nil {
		l.timer = time.NewTimer(d)
	} else {
		l.timer.Reset(d)
	}
	select {
	case <-l.timer.C:
		return nil
	case <-ctx.Done():
		l.timer.Stop()
		return ctx.Err()
	}
}

// waitIdle waits until the controller is no longer busy. If the controller is still busy after
// the time limit, waitIdle returns a stuckError. The argument task is the name of
// the controller's work, for the errors. waitIdle never waits for an edge, because periph's
// WaitForEdge cannot be relied on (docs/decisions/0005-hardware.md).
func (l *line) waitIdle(ctx context.Context, task string, limit time.Duration) error {
	look := firstLook
	for start := time.Now(); ; {
		at := time.Now()
		if !l.isBusy() {
			return nil
		}
		l.lastBusyAt = at
		if time.Since(start) >= limit {
			return stuckError{fmt.Sprint(l.busy), l.panel.busyLevel(), task, limit}
		}
		if err := l.pause(ctx, look); err != nil {
			return fmt.Errorf("%s: %w", task, err)
		}
		look = min(look+firstLook, laterLook)
	}
}

// rises waits until the controller shows that it is busy, and reports whether it did
// so within limit.
func (l *line) rises(ctx context.Context, limit time.Duration) (bool, error) {
	for start := time.Now(); !l.isBusy(); {
		if time.Since(start) >= limit {
			return false, nil
		}
		if err := l.pause(ctx, firstLook); err != nil {
			return false, err
		}
	}
	return true, nil
}

// staysBusy watches BUSY for d and reports whether the panel was busy all the time.
func (l *line) staysBusy(ctx context.Context, d time.Duration) (bool, error) {
	for start := time.Now(); l.isBusy(); {
		if time.Since(start) >= d {
			return true, nil
		}
		if err := l.pause(ctx, firstLook); err != nil {
			return false, err
		}
	}
	return false, nil
}

// restart pulls the reset line. If a refresh that nobody waited for may still be running,
// restart first waits for its end. A refresh should not be interrupted (SSD1680 20h, p. 25).
func (l *line) restart(ctx context.Context) error {
	if left := time.Until(l.refreshEnd); left > 0 {
		if err := l.waitIdle(ctx, "the last refresh", left); err != nil && ctx.Err() != nil {
			return err
		}
	}
	l.refreshEnd = time.Time{}
	_, err := l.pulse(ctx) // after a restart no memory is trusted
	return err
}

// pulse pulls the reset line and waits for the controller. Without a reset line, pulse only
// waits. If the line was low for so long that the panel has lost its power, pulse returns
// false.
func (l *line) pulse(ctx context.Context) (kept bool, err error) {
	if l.reset == nil {
		return true, l.waitIdle(ctx, "a reset", settleLimit)
	}
	wait := l.panel.resetWait
	low, err := l.pull(ctx)
	if err != nil {
		return false, err
	}
	kept = !l.panel.powerBehindReset || low <= longPulse
	if !kept {
		wait = powerUp
	}
	if err := l.pause(ctx, wait); err != nil {
		return false, fmt.Errorf("reset: %w", err)
	}
	return kept, l.waitIdle(ctx, "a reset", settleLimit)
}

// pull holds the reset line low for the time that the panel needs. It returns an upper bound
// for how long the line was low. A pulse cannot be cut short, so pull begins none that would
// outlast the context.
func (l *line) pull(ctx context.Context) (low time.Duration, err error) {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < l.panel.resetLow {
		return 0, fmt.Errorf("reset: %w", context.DeadlineExceeded)
	}
	start := time.Now()
	if err := l.reset.Out(gpio.Low); err != nil {
		return 0, fmt.Errorf("pin RST (%s): %w", l.reset, err)
	}
	if l.panel.powerBehindReset {
		l.hold(l.panel.resetLow)
	} else {
		err = l.pause(ctx, l.panel.resetLow)
	}
	if up := l.reset.Out(gpio.High); up != nil {
		return 0, fmt.Errorf("pin RST (%s): %w", l.reset, up)
	}
	if err != nil {
		return 0, fmt.Errorf("reset: %w", err)
	}
	return time.Since(start), nil
}

// spin waits without yielding the processor. On a machine with one core, a timer of 2 ms takes
// 20 ms as soon as anything else is running.
func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}
