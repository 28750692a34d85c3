package rig

import (
	"errors"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/drivers/evdev"
	"tableside/drivers/keys"
	"tableside/drivers/tape"
)

// tapePorts are the ports of a replay, in which the tape answers instead of chips.
type tapePorts struct {
	wires   *tapeWires
	players map[string]*tape.Player
	endRun  func() // ends the call "run" of the keys

	mu           sync.Mutex
	openChannels map[string]i2cState // by bus
}

var errNotOnTape = errors.New("the tape has no such part")

func (p *tapePorts) player(part string) (*tape.Player, error) {
	if player := p.players[part]; player != nil {
		return player, nil
	}
	return nil, errNotOnTape
}

func (p *tapePorts) SPI(name string) (spi.Port, error) {
	player, err := p.player(p.wires.spi[name])
	if err != nil {
		return nil, err
	}
	return player.SPI(name), nil
}

func (p *tapePorts) Serial(path string) (SerialPort, error) {
	player, err := p.player(p.wires.serial[path])
	if err != nil {
		return nil, err
	}
	return player.Serial(), nil
}

// PCSC returns no socket, because a tape does not hold the traffic with pcscd.
func (p *tapePorts) PCSC() string { return "" }

// Inputs returns no keyboards, because typed keys pass over none of the buses that a tape
// records.
func (p *tapePorts) Inputs() evdev.Host { return nil }

// Pin returns the pin of a part. The reset of a multiplexer is not on the tape. For this
// reset, Pin returns a pin that does nothing.
func (p *tapePorts) Pin(name string) (gpio.PinIO, error) {
	if player := p.players[p.wires.pins[name].part]; player != nil {
		return player.Pin(p.wires.pins[name].name), nil
	}
	return unconnectedPin{gpio.INVALID}, nil
}

// An unconnectedPin is a pin that is connected to nothing.
type unconnectedPin struct{ gpio.PinIO }

func (unconnectedPin) Out(gpio.Level) error { return nil }

func (p *tapePorts) Keys() keys.Chip                         { return p.players[keysPart].Keys(func() { p.endRun() }) }
func (p *tapePorts) Adapters() []Adapter                     { return nil }
func (p *tapePorts) Missing(*config.Wiring) []*config.Error  { return nil }
func (p *tapePorts) BusyPins(*config.Wiring) []*config.Error { return nil }

// Hold returns a function that does not wait, because the pins of a replay keep the times that
// are on the tape.
func (p *tapePorts) Hold() func(time.Duration) { return func(time.Duration) {} }

func (p *tapePorts) I2C(path string) (i2c.Bus, error) { return &playedBus{p, path}, nil }

// A playedBus is an I2C bus of a replay. It passes each transfer to the part that the open
// channels of the multiplexers select.
type playedBus struct {
	ports *tapePorts
	path  string
}

func (b *playedBus) String() string                  { return b.path }
func (b *playedBus) SetSpeed(physic.Frequency) error { return nil }

func (b *playedBus) Tx(address uint16, w, r []byte) error {
	p := b.ports
	p.mu.Lock()
	open := p.openChannels[b.path]
	if open == nil {
		open = i2cState{}
		p.openChannels[b.path] = open
	}
	mux := slices.Contains(p.wires.muxes[b.path], address)
	part := p.wires.partAt(b.path, open, address)
	switch {
	case mux && len(w) == 1:
		open[address] = w[0]
		part = p.wires.partBehind(b.path, address, w[0])
	case mux && len(r) == 1:
		r[0] = open[address]
	}
	p.mu.Unlock()
	player := p.players[part]
	switch {
	case player == nil && mux:
		return nil
	case player == nil:
		return errNotOnTape
	case mux:
		return player.Mux(w)
	}
	return player.I2C(w, r)
}
