package epapertest

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// spidevLimit is the largest spidev transfer, in bytes, by Linux's default (module
// parameter bufsiz).
const spidevLimit = 4096

// maxClock is the highest clock frequency for writing (SSD1680 rev. 0.14 table 12-1, p. 42;
// SSD1683 rev. 1.0 table 12-1, p. 45; UC8179c rev. 0.6 AC characteristics).
const maxClock = 20 * physic.MegaHertz

// Pins holds the panel's lines besides SPI.
type Pins struct{ DC, Busy, Reset gpio.PinIO }

// Pins returns the lines to wire to a driver.
func (p *Panel) Pins() Pins { return Pins{DC: p.dc, Busy: p.busy, Reset: p.reset} }

// Power returns the pin PWR of a driver board of Rev 2.3. While the pin is high, the panel has
// a supply. The first call of Power switches the panel off, because the pin begins low, like
// an unset pin of a Raspberry Pi.
func (p *Panel) Power() gpio.PinIO {
	if p.power == nil {
		p.Kill()
		p.power = &pin{p: p, name: "PWR", level: gpio.Low}
	}
	return p.power
}

// SPI returns the bus. The port handles chip select itself, like spidev.
func (p *Panel) SPI() spi.PortCloser { return (*port)(p) }

type port Panel

func (s *port) String() string { return "emulated:" + s.model.name }

// MaxTxSize implements conn.Limits.
func (s *port) MaxTxSize() int { return spidevLimit }

// LimitSpeed implements spi.PortCloser.
func (s *port) LimitSpeed(physic.Frequency) error { return nil }

// Close interrupts the panel's work; the glass keeps its picture.
func (s *port) Close() error {
	p := (*Panel)(s)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
	return nil
}

// Connect refuses speeds, modes and word sizes that the chips do not support.
func (s *port) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	switch {
	case mode != spi.Mode0:
		return nil, fmt.Errorf("epapertest: %s takes SPI mode 0, not %s", s.model.name, mode)
	case bits != 8:
		return nil, fmt.Errorf("epapertest: %s takes 8 bits a word, not %d", s.model.name, bits)
	case f > maxClock:
		return nil, fmt.Errorf("epapertest: %s takes %s at most, not %s", s.model.name, maxClock, f)
	}
	return (*wire)(s), nil
}

type wire Panel

func (w *wire) String() string      { return (*port)(w).String() }
func (w *wire) Duplex() conn.Duplex { return conn.Half }
func (w *wire) MaxTxSize() int      { return spidevLimit }

// Tx passes bytes to the controller. The level of DC says whether they are commands or
// data.
func (w *wire) Tx(out, in []byte) error {
	if len(out) > spidevLimit || len(in) > spidevLimit {
		return fmt.Errorf("epapertest: a transfer of %d bytes is longer than %d", max(len(out), len(in)), spidevLimit)
	}
	if len(out) != 0 && len(in) != 0 && len(out) != len(in) {
		return errors.New("epapertest: both ways, but not as long as each other")
	}
	clear(in) // no panel here has its data line wired back
	p := (*Panel)(w)
	p.mu.Lock()
	p.counts.Transactions++
	p.counts.Written += len(out)
	p.counts.Read += len(in)
	p.take(out, p.dc.level == gpio.High)
	p.mu.Unlock()
	p.tell()
	return nil
}

func (w *wire) TxPackets(packets []spi.Packet) error {
	for _, packet := range packets {
		if err := w.Tx(packet.W, packet.R); err != nil {
			return err
		}
	}
	return nil
}

// A pin is a line between host and panel. The host drives DC and Reset, the
// panel drives Busy.
type pin struct {
	p      *Panel
	name   string
	level  gpio.Level
	driven bool // by the panel
	edge   gpio.Edge
}

func (n *pin) String() string         { return n.name }
func (n *pin) Halt() error            { return nil }
func (n *pin) Name() string           { return n.name }
func (n *pin) Number() int            { return -1 }
func (n *pin) Function() string       { return "" }
func (n *pin) Pull() gpio.Pull        { return gpio.Float }
func (n *pin) DefaultPull() gpio.Pull { return gpio.Float }
func (n *pin) PWM(gpio.Duty, physic.Frequency) error {
	return errors.New("epapertest: no PWM on " + n.name)
}

func (n *pin) In(pull gpio.Pull, edge gpio.Edge) error {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	if n.driven && pull != gpio.PullNoChange {
		n.p.pull = pull
	}
	n.edge = edge
	return nil
}

func (n *pin) Read() gpio.Level {
	n.p.mu.Lock()
	defer n.p.mu.Unlock()
	return n.read()
}

func (n *pin) read() gpio.Level {
	if n.driven {
		return n.p.busyLevel()
	}
	return n.level
}

// WaitForEdge waits for an edge as package gpio describes it. If the timeout is negative,
// WaitForEdge waits forever. Drivers of this project do not call it.
func (n *pin) WaitForEdge(timeout time.Duration) bool {
	n.p.mu.Lock()
	start, last, edge := time.Now(), n.read(), n.edge
	n.p.mu.Unlock()
	for timeout < 0 || time.Since(start) < timeout {
		time.Sleep(time.Millisecond)
		level := n.Read()
		rising := last == gpio.Low && level == gpio.High
		falling := last == gpio.High && level == gpio.Low
		last = level
		if rising && edge&gpio.RisingEdge != 0 || falling && edge&gpio.FallingEdge != 0 {
			return true
		}
	}
	return false
}

func (n *pin) Out(l gpio.Level) error {
	p := n.p
	p.mu.Lock()
	if n.driven {
		p.violate("the host drives %s", n.name)
		p.mu.Unlock()
		return errors.New("epapertest: " + n.name + " is driven by the panel")
	}
	before := n.level
	n.level = l
	if n == p.reset && before != l {
		p.resetLine(l)
	}
	p.mu.Unlock()
	if n == p.power && before != l {
		if l {
			p.Revive()
			p.mu.Lock()
			p.supplied = time.Now()
			p.mu.Unlock()
		} else {
			p.Kill()
		}
	}
	p.tell()
	return nil
}
