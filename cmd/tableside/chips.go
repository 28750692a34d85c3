package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"slices"
	"strings"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/simulated"
	"tableside/display/lights"
	"tableside/display/web"
	"tableside/drivers/epaper/epapertest"
	"tableside/drivers/keys"
	"tableside/drivers/keys/keystest"
	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
	"tableside/drivers/mfrc522/mfrc522test"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
	"tableside/drivers/ssd1306/ssd1306test"
	"tableside/drivers/tca9548/tca9548test"
	"tableside/engine"
)

// Chips is the equipment of "demo --chips": every driver that run uses, on
// chips that are emulated. It is wired as a configuration would say.
type chips struct {
	rig.Rig
	bench *bench
	cards simulated.Cards
	hands hands
}

// A bench has emulated chips on its ports. Tests break them.
type bench struct {
	buses  map[string]spi.Port
	lines  map[string]func() rig.SerialPort
	pins   map[string]gpio.PinIO
	chips  map[string]faultyChip // by the reader's name
	fields map[string]*nfctest.Field
	wires  *tca9548test.Bus // benchI2C
	mux    *tca9548test.Mux // on it
	board  *keystest.Board
	glass  *epapertest.Panel
	screen *ssd1306test.Chip // of the first seat
	strip  *ledstriptest.Strip
}

// A faultyChip is what both kinds of emulated reader chips can do.
type faultyChip interface {
	Kill()
	Revive()
	Unplug()
	Plug()
	BrownOut()
	MuteAfter(n int)
	Corrupt(n int)
}

// mostSeats is how many seats have keys: the kernel grants 64 lines together,
// and each seat needs ten, as the table does.
const mostSeats = 5

// benchPoll is how often the emulated readers are polled: twice as often as
// real ones, because a script plays faster than hands.
const benchPoll = 25 * time.Millisecond

// newChips wires a table for these seats, and one more reader for all.
func newChips(seats []engine.Seat) (*chips, error) {
	if len(seats) > mostSeats {
		return nil, wrong("--chips", fmt.Sprintf("there is room for %d seats, not for %d", mostSeats, len(seats)), "")
	}
	c := &chips{bench: &bench{
		buses: map[string]spi.Port{}, lines: map[string]func() rig.SerialPort{}, pins: map[string]gpio.PinIO{},
		chips: map[string]faultyChip{}, fields: map[string]*nfctest.Field{}, board: keystest.New(),
		wires: tca9548test.NewBus(),
	}}
	var err error
	if c.bench.mux, err = c.bench.wires.Mux(benchMux); err != nil {
		return nil, err
	}
	w := &config.Wiring{}
	free := 0 // the next pin; beyond those of a Raspberry Pi, where a seat has too many
	pin := func() string { free++; return fmt.Sprintf("GPIO%d", free-1) }
	for i, seat := range append([]engine.Seat{engine.Table}, seats...) {
		r := c.bench.reader(i, string(seat))
		if seat != engine.Table {
			r.Seat = string(seat)
		}
		w.Readers = append(w.Readers, r)
		w.Encoders = append(w.Encoders, config.Encoder{A: pin(), B: pin(), Seat: string(seat), Left: "left", Right: "right"})
		for _, key := range config.Pressable {
			if key != "left" && key != "right" {
				w.Keys = append(w.Keys, config.Key{Pin: pin(), Seat: string(seat), Key: key})
			}
		}
	}
	if err := c.bench.outputs(w); err != nil {
		return nil, err
	}
	c.Ports, c.Wiring = c.bench, w
	c.hands = newHands(c.bench, w)
	return c, nil
}

// benchI2C is the one I2C bus of the bench, with a multiplexer on it.
const (
	benchI2C = "/dev/i2c-1"
	benchMux = 0x70
)

// reader puts a reader on the bench: all kinds and buses that there are, in
// turn.
func (b *bench) reader(i int, name string) config.Reader {
	c := config.Reader{Name: name, Chip: "pn532", Poll: benchPoll}
	field := &nfctest.Field{}
	b.fields[name] = field
	if i%4 == 1 {
		chip := mfrc522test.New(field)
		c.Chip, c.SPI = "mfrc522", fmt.Sprintf("SPI0.%d", i)
		b.buses[c.SPI], b.chips[name] = chip.SPI(), chip
		return c
	}
	chip := pn532test.New(field)
	b.chips[name] = chip
	switch i % 4 {
	case 0:
		c.SPI = fmt.Sprintf("SPI0.%d", i)
		b.buses[c.SPI] = chip.SPI()
	case 2:
		c.Serial = fmt.Sprintf("/dev/ttyUSB%d", i)
		b.lines[c.Serial] = func() rig.SerialPort { return chip.UART() }
	case 3:
		c.I2C, c.Mux, c.Channel = benchI2C, benchMux, i%8
		b.mux.Put(c.Channel, pn532.Address, chip.I2C())
	}
	return c
}

// outputs puts a screen, a panel and a strip on the bench.
func (b *bench) outputs(w *config.Wiring) error {
	w.Panel = &config.Panel{Model: "waveshare-2in13-v4", Bus: config.Bus{SPI: "SPI1.0"}, DC: "DC", Busy: "BUSY", Reset: "RST"}
	if len(w.Readers) > 1 { // the first seat, behind the table
		seat := w.Readers[1].Seat
		b.screen = ssd1306test.New(64, 0x3c)
		b.wires.Put(0x3c, b.screen.I2C())
		w.Screens = append(w.Screens, config.Screen{Seat: seat, Chip: "ssd1306", Bus: config.Bus{I2C: benchI2C}, Height: 64})
	}
	var err error
	if b.glass, err = epapertest.New(w.Panel.Model); err != nil {
		return err
	}
	wires := b.glass.Pins()
	b.pins["DC"], b.pins["BUSY"], b.pins["RST"] = wires.DC, wires.Busy, wires.Reset
	b.buses[w.Panel.SPI] = b.glass.SPI()

	w.Lights = &config.Lights{Chip: "ws2812", Bus: config.Bus{SPI: "SPI2.0"}, Count: demoLights, LimitMA: 1500}
	b.strip = ledstriptest.New(ledstrip.WS2812, w.Lights.Count)
	b.buses[w.Lights.SPI] = b.strip.SPI()
	return nil
}

// Hold may be inexact: an emulated chip keeps its memories, and time may be
// faked.
func (b *bench) Hold() func(time.Duration) { return time.Sleep }

func (b *bench) SPI(name string) (spi.Port, error) { return found(b.buses, name) }

func (b *bench) Pin(name string) (gpio.PinIO, error)     { return found(b.pins, name) }
func (b *bench) Keys() keys.Chip                         { return b.board }
func (b *bench) Missing(*config.Wiring) []*config.Error  { return nil }
func (b *bench) BusyPins(*config.Wiring) []*config.Error { return nil }
func (b *bench) I2C(path string) (i2c.Bus, error) {
	return found(map[string]i2c.Bus{benchI2C: b.wires}, path)
}

func (b *bench) Serial(path string) (rig.SerialPort, error) {
	open, err := found(b.lines, path)
	if err != nil {
		return nil, err
	}
	return open(), nil
}

func found[T any](all map[string]T, name string) (T, error) {
	one, ok := all[name]
	if !ok {
		return one, fmt.Errorf("there is no %s on the bench", name)
	}
	return one, nil
}

// Configure opens the drivers, and lets hands see what comes of taps.
func (c *chips) Configure(config *device.Config) error {
	if err := c.Rig.Configure(config); err != nil {
		return err
	}
	for i := range c.Parts.All {
		if part := &c.Parts.All[i]; part.Source != nil {
			part.Source = c.hands.watch(part.Source)
		}
	}
	config.Follower, config.Simulated = &c.cards, true
	return nil
}

// Show puts what the glass and the strip really show on the page, and hands
// at its readers and keys.
func (c *chips) Show(config *web.Config) {
	config.Panel = func() image.Image { return c.bench.glass.Glass() }
	config.Lights = func() image.Image { return lights.Picture(c.bench.strip.Colours()) }
	config.Simulated = &web.Simulated{
		Tap: func(ctx context.Context, place, tag string) error {
			_, err := c.hands.tap(ctx, place, tag, c.text(tag))
			return err
		},
		Lift: func(_ context.Context, place, tag string) error { return c.hands.lift(place, tag) },
		Press: func(ctx context.Context, seat engine.Seat, key string) error {
			_, err := c.hands.press(ctx, seat, key)
			return err
		},
		Piles:    c.cards.Piles,
		Pick:     func(place, card string) error { return placeError(c.cards.Pick(place, card)) },
		Describe: c.cards.Describe,
	}
}

// text is what is written on the tag of a card: it names itself. A tag that
// is no card has nothing on it.
func (c *chips) text(card string) string {
	game := c.cards.Game()
	box, _, _ := strings.Cut(game, "/")
	kind, copy := engine.SplitCopy(card)
	if box == "" || !engine.IsWord(kind) || copy < 1 {
		return ""
	}
	return device.Meaning{Box: box, Name: card}.TagText()
}

// ready implements handy.
func (c *chips) ready(ctx context.Context, t *device.Table) error { return c.hands.ready(ctx, t) }

// play implements handy.
func (c *chips) play(ctx context.Context, t *device.Table, in engine.Input) (engine.Receipt, bool, error) {
	return c.hands.play(ctx, t, in, c.text)
}

// Add connects the chips, and the page to what they show.
func (c *chips) Add(t *device.Table, page *web.Server) {
	c.bench.glass.OnChange(func() { page.Redrawn("panel") })
	for i := range c.Parts.All {
		if part := &c.Parts.All[i]; part.Name == "lights" {
			part.Source = c.telling(page, part.Source)
		}
	}
	c.Rig.Add(t, page)
}

// telling is the source of the lights, which tells the page meanwhile when
// the strip shows something else.
func (c *chips) telling(page *web.Server, lights device.Source) device.Source {
	return device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		looking := start(ctx, "strip", func(ctx context.Context) error {
			ticker := time.NewTicker(lightsEvery)
			defer ticker.Stop()
			shown := c.bench.strip.Colours()
			for {
				select {
				case <-ctx.Done():
					return nil
				case <-ticker.C:
				}
				if now := c.bench.strip.Colours(); !slices.Equal(now, shown) {
					shown = now
					page.Redrawn("lights")
				}
			}
		})
		return errors.Join(lights.Run(ctx, emit), looking.stop())
	})
}

// uidOf makes the UID of a card's tag: the same each time. NXP's begin with 04
// (ISO/IEC 7816-6, registered manufacturers).
func uidOf(card string) nfc.UID {
	h := fnv.New64a()
	h.Write([]byte(card))
	sum := h.Sum(nil)
	uid, err := nfc.NewUID(append([]byte{0x04}, sum[:6]...))
	if err != nil {
		panic(err) // seven bytes are a UID
	}
	return uid
}
