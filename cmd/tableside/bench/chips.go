package bench

import (
	"context"
	"fmt"
	"image"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/simulated"
	"tableside/display/lights"
	"tableside/display/web"
	"tableside/drivers/keys/keystest"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/tca9548/tca9548test"
	"tableside/engine"
)

// Chips is the equipment of "demo --chips". It runs the same drivers as "tableside run", but
// on emulated chips. The chips are wired as a configuration would wire real chips.
type Chips struct {
	rig.Rig
	Bench *Bench
	cards simulated.Cards
	hands *hands
}

// maxSeats is the largest number of seats with keys. The kernel grants 64 GPIO lines in one
// request. The table and each seat need ten lines.
const maxSeats = 5

// NewChips wires a table with a card reader and keys for each of the seats. It also wires a
// shared reader and shared keys. If there are more than five seats (maxSeats), NewChips fails.
func NewChips(seats []engine.Seat) (*Chips, error) {
	if len(seats) > maxSeats {
		return nil, fmt.Errorf("got %d seats, want at most %d", len(seats), maxSeats)
	}
	c := &Chips{Bench: &Bench{
		Buses: map[string]spi.Port{}, Lines: map[string]func() rig.SerialPort{}, Pins: map[string]gpio.PinIO{},
		Chips: map[string]faultyChip{}, Fields: map[string]*nfctest.Field{}, Board: keystest.New(),
		Wires: tca9548test.NewBus(),
	}}
	var err error
	if c.Bench.Mux, err = c.Bench.Wires.Mux(MuxAddress); err != nil {
		return nil, err
	}
	w := &config.Wiring{}
	free := 0 // the number of the next pin; a Raspberry Pi need not have such a pin
	pin := func() string { free++; return fmt.Sprintf("GPIO%d", free-1) }
	for i, seat := range append([]engine.Seat{engine.Table}, seats...) {
		r := c.Bench.addReader(i, string(seat))
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
	if err := c.Bench.addOutputs(w); err != nil {
		return nil, err
	}
	c.Ports, c.Wiring = c.Bench, w
	c.hands = newHands(c.Bench, w)
	return c, nil
}

// Configure prepares the parts in the same way as Rig.Configure. It also makes the emulated
// hands watch the signals of the parts.
func (c *Chips) Configure(config *device.Config) error {
	if err := c.Rig.Configure(config); err != nil {
		return err
	}
	for i := range c.Parts.All {
		if part := &c.Parts.All[i]; part.Source != nil {
			part.Source = c.hands.watch(part.Source)
		}
	}
	c.cards.Games = config.Games
	config.Followers, config.Simulated = append(config.Followers, &c.cards), true
	return nil
}

// Show puts the pictures of the emulated panel and strip on the page. It also connects the
// readers and keys of the page to the emulated hands.
func (c *Chips) Show(config *web.Config) {
	c.Rig.Show(config)
	config.Panel = func() image.Image { return c.Bench.Glass.Glass() }
	config.Lights = func() image.Image { return lights.Picture(c.Bench.Strip.Colours()) }
	config.Simulated = onPage(&c.cards)
	config.Simulated.Tap = func(ctx context.Context, place, tag string) error {
		_, err := c.hands.tap(ctx, place, tag, c.text(tag))
		return err
	}
	config.Simulated.Lift = func(_ context.Context, place, tag string) error { return c.hands.lift(place, tag) }
	config.Simulated.Press = func(ctx context.Context, seat engine.Seat, key string) error {
		_, err := c.hands.press(ctx, seat, key)
		return err
	}
}

func (c *Chips) text(card string) string {
	game := c.cards.Game()
	box := engine.Title(game)
	kind, copy := engine.SplitCopy(card)
	if box == "" || !engine.IsWord(kind) || copy < 1 {
		return ""
	}
	return device.Meaning{Box: box, Name: card}.TagText()
}

// Ready waits until every reader has been polled. If that takes more than 3 s (patience), it
// returns errMute.
func (c *Chips) Ready(ctx context.Context, t *device.Table) error { return c.hands.waitReady(ctx, t) }

// Play makes an input as players would make it, with cards, knob and buttons. If the input
// cannot be made by hand, Play reports false.
func (c *Chips) Play(ctx context.Context, t *device.Table, in engine.Input) (engine.Receipt, bool, error) {
	return c.hands.play(ctx, t, in, c.text)
}

// Add adds the parts to the table. It also arranges that the page hears of each change of a
// picture.
func (c *Chips) Add(t *device.Table, page *web.Server) {
	c.Bench.Glass.OnChange(func() { page.Redrawn("panel") })
	for i := range c.Parts.All {
		if part := &c.Parts.All[i]; part.Name == "lights" {
			part.Source = notifyLights(page, c.Bench.Strip.Colours, part.Source)
		}
	}
	c.Rig.Add(t, page)
}
