package bench

import (
	"context"
	"image"
	"image/color"
	"slices"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
	"tableside/device/computer"
	"tableside/device/reader"
	"tableside/device/simulated"
	"tableside/display/lights"
	"tableside/display/panel"
	"tableside/display/web"
	"tableside/engine"
)

// These are the sizes of the simulated panel and the simulated strip. The panel is a common
// small e-paper. The strip has two LEDs for each of the twelve spaces of the longest Power
// Track.
const (
	DemoPanelWidth, DemoPanelHeight = 250, 122
	DemoLights                      = 24
)

// Simulated is the equipment of a simulated table. Each seat has a card reader and keys. The
// table also has a shared reader, shared keys, an e-paper and an LED strip.
type Simulated struct {
	seats     map[string]engine.Seat // of the readers; the table's is ""
	network   *reader.Network        // tags read by phones and other machines
	cards     simulated.Cards
	glass     *glass
	lights    *lights.Output
	copyPanel func(image.Image) // receives the panel's pictures; nil if nobody does
	table     *device.Table
	computer  computer.Player

	mu   sync.Mutex        // held until the table has a signal, so that signals have the order of the calls
	tags map[string]string // that lie there, by reader
}

// NewSimulated returns the equipment for the usual seats and for the seats of the given
// players. The table plays its own seats without pauses if it is hurried.
func NewSimulated(players []engine.Player, hurried bool) *Simulated {
	h := &Simulated{
		seats:  map[string]engine.Seat{string(engine.Table): ""},
		glass:  &glass{},
		lights: lights.NewOutput(strip{}, lights.Layout{}),
		tags:   map[string]string{},
	}
	h.glass.picture = image.NewPaletted(h.glass.Bounds(), color.Palette{color.White})
	for _, seat := range engine.UsualSeats {
		h.seats[string(seat)] = seat
	}
	for _, p := range players {
		h.seats[string(p.Seat)] = p.Seat
	}
	h.computer.Cards, h.computer.Hurried = &h.cards, hurried
	return h
}

// card finds out what a tag means. It returns false if the tag has no meaning. If the tag
// carries a text, as a printed card does, the text gives the meaning. Otherwise the name of
// the tag must be the name of its card, such as "zombie.2".
//
// The method does not check whether there is such a card. The owner may have made the card,
// and only the game knows the owner's cards.
func (h *Simulated) card(tag, text string) (device.Meaning, bool) {
	if m, ok := device.ParseTagText(text); ok {
		return m, true
	}
	kind, copy := engine.SplitCopy(tag)
	return device.Meaning{Name: tag}, engine.IsWord(kind) && copy > 0
}

// Configure sets up how the table reads tags. The table reads simulated tags, and also the
// tags that phones and other machines have read.
func (h *Simulated) Configure(c *device.Config) error {
	h.cards.Games, h.computer.Games, h.computer.Log = c.Games, c.Games, c.Log
	c.Tags, c.Followers, c.Computer, c.Simulated = h.card, []device.Follower{&h.cards, &h.computer}, &h.computer, true
	h.network = rig.NewNetwork(&config.Wiring{}, c, nil)
	return nil
}

// Halt does nothing, because no hardware needs to be stopped.
func (h *Simulated) Halt() error { return nil }

// CopyPanel passes each picture of the panel to the given function. It always reports true,
// because there is always a panel.
func (h *Simulated) CopyPanel(to func(image.Image)) bool {
	h.copyPanel = to
	return true
}

// Show puts the simulated panel, lights, readers and keys on the page.
func (h *Simulated) Show(c *web.Config) {
	c.Panel = h.glass.shown
	c.Lights = func() image.Image {
		if leds := h.lights.Calm(); leds != nil {
			return lights.Picture(leds)
		}
		return nil
	}
	c.Readers = rig.NetworkReaders(h.network)
	c.Simulated = onPage(&h.cards)
	c.Simulated.Hint = h.computer.Hint
	c.Simulated.Tap, c.Simulated.Lift, c.Simulated.Press = h.tap, h.lift, h.press
}

// onPage returns what the page shows of simulated cards, as yet without readers and keys.
func onPage(cards *simulated.Cards) *web.Simulated {
	return &web.Simulated{Piles: cards.Piles, Describe: cards.Describe, Pick: func(place, card string) error {
		if !cards.Pick(place, card) {
			return engine.FaultOf(web.ErrNoSuchPlace, "%s does not lie on %s", card, place)
		}
		return nil
	}}
}

// tap lays a tag on a reader, and takes off the tag that lies there.
func (h *Simulated) tap(ctx context.Context, place, tag string) error {
	seat, there := h.seats[place]
	if !there {
		return engine.FaultOf(web.ErrNoSuchPlace, "this table has no reader called %q", place)
	}
	h.mu.Lock()
	if before := h.tags[place]; before != "" {
		h.table.Emit(device.TagOff{Place: place, Seat: seat, Tag: before})
	}
	h.tags[place] = tag
	answer := h.table.Emit(device.TagOn{Place: place, Seat: seat, Tag: tag})
	h.mu.Unlock()
	return wait(ctx, answer)
}

func (h *Simulated) lift(ctx context.Context, place, tag string) error {
	h.mu.Lock()
	if h.tags[place] != tag {
		h.mu.Unlock()
		return engine.FaultOf(web.ErrNoSuchPlace, "%s does not lie on %s", tag, place)
	}
	delete(h.tags, place)
	answer := h.table.Emit(device.TagOff{Place: place, Seat: h.seats[place], Tag: tag})
	h.mu.Unlock()
	return wait(ctx, answer)
}

func (h *Simulated) press(ctx context.Context, seat engine.Seat, key string) error {
	return wait(ctx, h.table.Emit(device.Press{Place: string(seat), Seat: seat, Key: key}))
}

// wait waits until the table has answered.
func wait(ctx context.Context, answer <-chan engine.Receipt) error {
	select {
	case <-answer:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Add adds the simulated hardware to the table. The hardware tells the page when a picture
// changes.
func (h *Simulated) Add(t *device.Table, page *web.Server) {
	h.table = t
	h.network.Connect(t)
	t.Add(device.Part{Name: "readers"}) // always well
	painter := &rig.CopyingDrawer{Drawer: panel.NewPainter(), Sink: &h.copyPanel}
	h.glass.redrawn = func() { page.Redrawn("panel") }
	t.Add(device.Part{Name: "panel", Output: panel.NewOutput(h.glass, painter, rig.PanelIdle)})
	run := device.SourceFunc(func(ctx context.Context, _ device.Emit) error { return h.lights.Run(ctx) })
	t.Add(device.Part{Name: "lights", Output: h.lights, Source: notifyLights(page, h.lights.Calm, run)}) // breathing is no change
}

// A glass is the simulated panel. It holds the picture for the page, and tells the page of each
// new one.
type glass struct {
	redrawn func()

	mu      sync.Mutex
	picture image.Image
}

func (*glass) String() string              { return "the simulated panel" }
func (*glass) Sleep(context.Context) error { return nil }
func (*glass) Bounds() image.Rectangle     { return image.Rect(0, 0, DemoPanelWidth, DemoPanelHeight) }

func (g *glass) Update(_ context.Context, picture image.Image, _ bool) error {
	g.mu.Lock()
	g.picture = picture
	g.mu.Unlock()
	g.redrawn()
	return nil
}

func (g *glass) shown() image.Image {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.picture
}

// A strip is the simulated strip. It shows nothing, because the page asks the output for the
// colours.
type strip struct{}

func (strip) String() string                                       { return "the simulated strip" }
func (strip) Halt() error                                          { return nil }
func (strip) ColorModel() color.Model                              { return color.NRGBAModel }
func (strip) Bounds() image.Rectangle                              { return image.Rect(0, 0, DemoLights, 1) }
func (strip) Draw(image.Rectangle, image.Image, image.Point) error { return nil }

// lightsEvery is the shortest time after which a page fetches the picture of the strip again.
// The lights are drawn 30 times a second, which is more often than a browser needs.
const lightsEvery = 250 * time.Millisecond

// notifyLights returns a source that runs the lights and tells the page when their colours have
// changed.
func notifyLights(page *web.Server, colours func() []color.NRGBA, lights device.Source) device.Source {
	return device.SourceFunc(func(ctx context.Context, emit device.Emit) error {
		watching, stop := context.WithCancel(ctx)
		var watch sync.WaitGroup
		defer watch.Wait()
		defer stop()
		watch.Go(func() {
			ticker := time.NewTicker(lightsEvery)
			defer ticker.Stop()
			for shown := colours(); ; {
				select {
				case <-watching.Done():
					return
				case <-ticker.C:
				}
				if now := colours(); !slices.Equal(now, shown) {
					shown = now
					page.Redrawn("lights")
				}
			}
		})
		return lights.Run(ctx, emit)
	})
}
