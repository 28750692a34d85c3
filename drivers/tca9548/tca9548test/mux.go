package tca9548test

import (
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
)

// A Mux is one switch.
type Mux struct {
	bus      *Bus
	address  uint16
	channels [8]devices
	mask     byte // the control register (8.5.4)
	openMask byte // the channels that are open, as the last stop condition left them
	hung     byte // channels that are held low
	dead     bool
	inReset  bool // its reset line is low
	reset    resetPin
}

// Put connects a device to a channel from 0 to 7. The caller passes the device in the form of
// a bus, d. On this bus, the device must be alone and must answer to the given address.
func (m *Mux) Put(channel int, address uint16, d i2c.Bus) {
	m.bus.hold()
	defer m.bus.free()
	m.channels[channel] = append(m.channels[channel], device{address, d})
}

// Open returns which channels are open: bit n stands for channel n.
func (m *Mux) Open() byte {
	m.bus.hold()
	defer m.bus.free()
	return m.openMask
}

// Reset returns the host's pin on the line RESET. While the line is low, all channels are
// closed (8.4.1).
func (m *Mux) Reset() gpio.PinIO { return &m.reset }

// BrownOut interrupts the supply for a moment: all channels are closed (8.4.2).
func (m *Mux) BrownOut() {
	m.bus.hold()
	defer m.bus.free()
	m.mask, m.openMask = 0, 0
}

// Kill breaks the switch: it no longer answers, and its channels are closed.
func (m *Mux) Kill() {
	m.bus.hold()
	defer m.bus.free()
	m.dead, m.mask, m.openMask = true, 0, 0
}

// Revive replaces a broken switch by one that works.
func (m *Mux) Revive() {
	m.bus.hold()
	defer m.bus.free()
	m.dead = false
}

// Hang makes a device hold a channel low. If hung is false, the device releases the channel.
// While a channel that is held low is open, no transaction is possible on the whole bus.
func (m *Mux) Hang(channel int, hung bool) {
	m.bus.hold()
	defer m.bus.free()
	m.hung &^= 1 << channel
	if hung {
		m.hung |= 1 << channel
	}
}

func (m *Mux) isDown() bool { return m.dead || m.inReset }

func (m *Mux) stuck() bool { return m.openMask&m.hung != 0 }

// tx does a transaction with the switch itself. It writes w to the control register of the
// switch, and fills r from the register. If w has several bytes, the register keeps the last
// one.
func (m *Mux) tx(w, r []byte) {
	if len(w) > 0 {
		m.mask = w[len(w)-1]
	}
	for i := range r {
		r[i] = m.mask
	}
}

// A resetPin is the host's pin on the line RESET. A resistor holds the line high. If a method
// of gpio.PinIO is not defined for resetPin itself, the method fails.
type resetPin struct {
	gpio.PinIO
	mux   *Mux
	level gpio.Level
}

func (p *resetPin) String() string { return p.Name() }
func (p *resetPin) Name() string   { return "RESET" }

// In makes the pin an input. Then the resistor on the line makes the line high.
func (p *resetPin) In(gpio.Pull, gpio.Edge) error { return p.Out(gpio.High) }

func (p *resetPin) Read() gpio.Level {
	p.mux.bus.hold()
	defer p.mux.bus.free()
	return p.level
}

func (p *resetPin) Out(l gpio.Level) error {
	p.mux.bus.hold()
	defer p.mux.bus.free()
	p.level = l
	if p.mux.inReset = l == gpio.Low; p.mux.inReset {
		p.mux.mask, p.mux.openMask = 0, 0
	}
	return nil
}
