//go:build linux

package gpiochip

import (
	"errors"
	"fmt"
	"sync"

	"github.com/warthog618/go-gpiocdev/uapi"
	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"
)

// Pin is one line, for periph's drivers. The line is taken from the kernel when the Pin is
// first used, and stays taken until Halt. Until then nobody else can drive the line.
//
// If the chip of the line goes away, the next call returns an error, and the call after that
// takes the line again. A Pin is safe for use by several goroutines.
//
// A Pin reads no edges; package drivers/keys does. Nor does it have what else periph asks of pins
// that drivers do not use, such as PWM.
type Pin struct {
	gpio.PinIO
	chip *Chip
	line int

	mu    sync.Mutex
	fd    int             // -1: not taken
	flags uapi.LineFlagV2 // how the line was requested
}

// Pin returns a line of the chip. Nothing is touched yet.
func (c *Chip) Pin(line int) *Pin { return &Pin{PinIO: gpio.INVALID, chip: c, line: line, fd: -1} }

// String returns the same as Name.
func (p *Pin) String() string { return p.Name() }

// Name returns the name that a Raspberry Pi's documentation gives the line:
// "GPIO17".
func (p *Pin) Name() string { return fmt.Sprintf("GPIO%d", p.line) }

// Number returns the number of the line.
func (p *Pin) Number() int { return p.line }

// Out makes the line an output with this level. If the line is an output already, its level
// changes without a glitch. If somebody else holds the line, the error is a *BusyError.
func (p *Pin) Out(level gpio.Level) error {
	var bits uapi.LineBitmap
	if level {
		bits = 1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd < 0 || p.flags != uapi.LineFlagV2Output {
		config := uapi.LineConfig{Flags: uapi.LineFlagV2Output, NumAttrs: 1}
		config.Attrs[0] = uapi.LineConfigAttribute{Attr: uapi.OutputValues(bits).Encode(), Mask: 1}
		return p.set(&config)
	}
	if err := uapi.SetLineValuesV2(uintptr(p.fd), uapi.LineValues{Bits: bits, Mask: 1}); err != nil {
		return errors.Join(fmt.Errorf("set line %d: %w", p.line, err), p.release())
	}
	return nil
}

// In makes the line an input. With gpio.PullNoChange, the pull resistor stays as it is. With
// gpio.Float, the resistor is switched off. If the edge is not gpio.NoEdge, In returns an
// error.
func (p *Pin) In(pull gpio.Pull, edge gpio.Edge) error {
	if edge != gpio.NoEdge {
		return fmt.Errorf("line %d: a pin reads no edges: use drivers/keys", p.line)
	}
	config := uapi.LineConfig{Flags: uapi.LineFlagV2Input}
	switch pull {
	case gpio.PullNoChange:
	case gpio.Float:
		config.Flags |= uapi.LineFlagV2BiasDisabled
	case gpio.PullUp:
		config.Flags |= uapi.LineFlagV2BiasPullUp
	case gpio.PullDown:
		config.Flags |= uapi.LineFlagV2BiasPullDown
	default:
		return fmt.Errorf("line %d: got %v, want a pull that gpio has a name for", p.line, pull)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.set(&config)
}

// set takes the line, or changes the configuration of a line that is taken. If the
// change fails, the line is given back.
func (p *Pin) set(config *uapi.LineConfig) error {
	if p.fd < 0 {
		fd, err := p.chip.Request([]int{p.line}, config, 0)
		if err != nil {
			return err
		}
		p.fd = fd
	} else if err := uapi.SetLineConfigV2(uintptr(p.fd), config); err != nil {
		return errors.Join(fmt.Errorf("change line %d: %w", p.line, err), p.release())
	}
	p.flags = config.Flags
	return nil
}

// Read returns the level of an input, or the level that an output has on the wire. If the line
// is not taken yet, Read makes it an input. Read cannot report an error. It returns gpio.Low
// instead and gives the line back, so that the next In or Out reports what is wrong.
func (p *Pin) Read() gpio.Level {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd < 0 && p.set(&uapi.LineConfig{Flags: uapi.LineFlagV2Input}) != nil {
		return gpio.Low
	}
	values := uapi.LineValues{Mask: 1}
	if err := uapi.GetLineValuesV2(uintptr(p.fd), &values); err != nil {
		_ = p.release()
		return gpio.Low
	}
	return values.Get(0) == 1
}

// Halt gives the line back. The next use of the pin takes the line again.
func (p *Pin) Halt() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.release()
}

func (p *Pin) release() error {
	if p.fd < 0 {
		return nil
	}
	fd := p.fd
	p.fd = -1
	if err := unix.Close(fd); err != nil {
		return fmt.Errorf("give line %d back: %w", p.line, err)
	}
	return nil
}

var _ gpio.PinIO = (*Pin)(nil)
