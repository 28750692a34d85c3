package bench

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/epaper/epapertest"
	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
	"tableside/drivers/keys"
	"tableside/drivers/keys/keystest"
	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
	"tableside/drivers/mfrc522/mfrc522test"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pcsc"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
	"tableside/drivers/ssd1306/ssd1306test"
	"tableside/drivers/tca9548/tca9548test"
)

// Bench implements rig.Ports with emulated chips, which tests can break.
type Bench struct {
	Buses     map[string]spi.Port              // SPI ports, by name
	Lines     map[string]func() rig.SerialPort // open serial lines, by path
	Pins      map[string]gpio.PinIO
	Chips     map[string]faultyChip // by the reader's name
	Fields    map[string]*nfctest.Field
	Wires     *tca9548test.Bus // the bus I2CBus; nil is no bus
	Mux       *tca9548test.Mux // on Wires
	Board     *keystest.Board
	Glass     *epapertest.Panel
	Screen    *ssd1306test.Chip // of the first seat; nil without seats
	Strip     *ledstriptest.Strip
	Keyboards evdevtest.Host

	CardReaders string // the socket of a pcscd; "" is none
}

// A faultyChip is an emulated reader chip with faults that tests can cause. The chip is a
// PN532 or an MFRC522.
type faultyChip interface {
	Kill()
	Revive()
	Unplug()
	Plug()
	BrownOut()
	MuteAfter(n int)
	Corrupt(n int)
}

// benchPoll is the poll interval of the emulated readers. It is half of the default, because a
// script plays faster than people do.
const benchPoll = 25 * time.Millisecond

// I2CBus names the only I2C bus of the bench, and MuxAddress is the address of the multiplexer
// on it.
const (
	I2CBus     = "/dev/i2c-1"
	MuxAddress = 0x70
)

// addReader puts card reader number i on the bench, and returns the configuration of the card
// reader. The argument name is the name of the card reader and of its place. The chip and
// the kind of bus depend on i, so that a table with four readers has both chips and all three
// kinds of bus.
func (b *Bench) addReader(i int, name string) config.Reader {
	c := config.Reader{Name: name, Chip: "pn532", Every: benchPoll}
	field := &nfctest.Field{}
	b.Fields[name] = field
	if i%4 == 1 {
		chip := mfrc522test.New(field)
		c.Chip, c.SPI = "mfrc522", fmt.Sprintf("SPI0.%d", i)
		b.Buses[c.SPI], b.Chips[name] = chip.SPI(), chip
		return c
	}
	chip := pn532test.New(field)
	b.Chips[name] = chip
	switch i % 4 {
	case 0:
		c.SPI = fmt.Sprintf("SPI0.%d", i)
		b.Buses[c.SPI] = chip.SPI()
	case 2:
		c.Serial = fmt.Sprintf("/dev/ttyUSB%d", i)
		b.Lines[c.Serial] = func() rig.SerialPort { return chip.UART() }
	case 3:
		c.I2C, c.Mux, c.Channel = I2CBus, MuxAddress, i%8
		b.Mux.Put(c.Channel, pn532.Address, chip.I2C())
	}
	return c
}

// addOutputs puts a panel and a strip on the bench, and adds both to the wiring. If there is a
// seat, addOutputs also adds a screen for the first seat.
func (b *Bench) addOutputs(w *config.Wiring) error {
	w.Panel = &config.Panel{Model: "waveshare-2in13-v4", Bus: config.Bus{SPI: "SPI1.0"}, DC: "DC", Busy: "BUSY",
		Reset: "RST"}
	if len(w.Readers) > 1 { // the first reader is the table's, the second the first seat's
		seat := w.Readers[1].Seat
		b.Screen = ssd1306test.New(64, 0x3c)
		b.Wires.Put(0x3c, b.Screen.I2C())
		w.Screens = append(w.Screens, config.Screen{Seat: seat, Chip: "ssd1306", Bus: config.Bus{I2C: I2CBus}, Height: 64})
	}
	if err := b.PutPanel(w.Panel); err != nil {
		return err
	}
	w.Lights = &config.Lights{Chip: "ws2812", Bus: config.Bus{SPI: "SPI2.0"}, Count: DemoLights, LimitMA: 1500}
	b.Strip = ledstriptest.New(ledstrip.WS2812, w.Lights.Count)
	b.Buses[w.Lights.SPI] = b.Strip.SPI()
	return nil
}

// PutPanel puts an emulated panel of the configured model on the bench. If this model is
// unknown, PutPanel fails.
func (b *Bench) PutPanel(w *config.Panel) (err error) {
	if b.Glass, err = epapertest.New(w.Model); err != nil {
		return err
	}
	wires := b.Glass.Pins()
	b.Pins["DC"], b.Pins["BUSY"], b.Pins["RST"] = wires.DC, wires.Busy, wires.Reset
	b.Buses[w.SPI] = b.Glass.SPI()
	return nil
}

// Hold returns time.Sleep, the function with which drivers wait. The wait need not be exact,
// because a delay damages no emulated chip. Tests may fake the time.
func (b *Bench) Hold() func(time.Duration) { return time.Sleep }

func (b *Bench) PCSC() *pcsc.Daemon {
	if b.CardReaders == "" {
		return nil
	}
	return &pcsc.Daemon{Socket: b.CardReaders}
}

func (b *Bench) SPI(name string) (spi.Port, error) { return findPort(b.Buses, name) }

func (b *Bench) Pin(name string) (gpio.PinIO, error)     { return findPort(b.Pins, name) }
func (b *Bench) Inputs() evdev.Host                      { return &b.Keyboards }
func (b *Bench) Keys() keys.Chip                         { return b.Board }
func (b *Bench) Missing(*config.Wiring) []*config.Error  { return nil }
func (b *Bench) BusyPins(*config.Wiring) []*config.Error { return nil }

// Adapters lists the serial lines of the bench.
func (b *Bench) Adapters() []rig.Adapter {
	var all []rig.Adapter
	for _, path := range slices.Sorted(maps.Keys(b.Lines)) {
		all = append(all, rig.Adapter{Path: path, Names: []string{path}})
	}
	return all
}

func (b *Bench) I2C(path string) (i2c.Bus, error) {
	buses := map[string]i2c.Bus{}
	if b.Wires != nil {
		buses[I2CBus] = b.Wires
	}
	return findPort(buses, path)
}

func (b *Bench) Serial(path string) (rig.SerialPort, error) {
	open, err := findPort(b.Lines, path)
	if err != nil {
		return nil, err
	}
	return open(), nil
}

func findPort[T any](ports map[string]T, name string) (T, error) {
	one, ok := ports[name]
	if !ok {
		return one, fmt.Errorf("there is no %s on the bench", name)
	}
	return one, nil
}
