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
	"tableside/drivers/keys"
	"tableside/drivers/tape"
)

// Playing ports have what is on a tape behind them instead of chips.
type playing struct {
	wires   *tapeWires
	players map[string]*tape.Player
	over    func() // ends the call of the keys

	mu   sync.Mutex
	open map[string]i2cState // by bus
}

var errNotOnTape = errors.New("the tape has no such part")

func (p *playing) player(part string) (*tape.Player, error) {
	if player := p.players[part]; player != nil {
		return player, nil
	}
	return nil, errNotOnTape
}

func (p *playing) SPI(name string) (spi.Port, error) {
	player, err := p.player(p.wires.spi[name])
	if err != nil {
		return nil, err
	}
	return player.SPI(name), nil
}

func (p *playing) Serial(path string) (SerialPort, error) {
	player, err := p.player(p.wires.serial[path])
	if err != nil {
		return nil, err
	}
	return player.Serial(), nil
}

// Pin is a line of a part, or one that is not on a tape: that resets a
// multiplexer.
func (p *playing) Pin(name string) (gpio.PinIO, error) {
	if player := p.players[p.wires.pins[name].part]; player != nil {
		return player.Pin(p.wires.pins[name].name), nil
	}
	return loose{gpio.INVALID}, nil
}

// A loose pin leads nowhere.
type loose struct{ gpio.PinIO }

func (loose) Out(gpio.Level) error { return nil }

func (p *playing) Keys() keys.Chip                         { return p.players[keysPart].Keys(func() { p.over() }) }
func (p *playing) Hold() func(time.Duration)               { return func(time.Duration) {} } // the pins take their time
func (p *playing) Missing(*config.Wiring) []*config.Error  { return nil }
func (p *playing) BusyPins(*config.Wiring) []*config.Error { return nil }

func (p *playing) I2C(path string) (i2c.Bus, error) { return &playedBus{p, path}, nil }

// A playedBus sends what it is told to the part that the open channels lead to.
type playedBus struct {
	playing *playing
	path    string
}

func (b *playedBus) String() string                  { return b.path }
func (b *playedBus) SetSpeed(physic.Frequency) error { return nil }

func (b *playedBus) Tx(address uint16, w, r []byte) error {
	p := b.playing
	p.mu.Lock()
	open := p.open[b.path]
	if open == nil {
		open = i2cState{}
		p.open[b.path] = open
	}
	mux := slices.Contains(p.wires.muxes[b.path], address)
	part := p.wires.at(b.path, open, address)
	switch {
	case mux && len(w) == 1:
		open[address] = w[0]
		part = p.wires.behind(b.path, address, w[0])
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
