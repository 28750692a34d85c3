package bench

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3/display"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/device"
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
	readers   *simulated.Readers
	network   *reader.Network // tags read by phones and other machines
	cards     simulated.Cards
	glass     *simulated.Screen
	strip     *simulated.Screen
	lights    *lights.Output
	drawn     chan struct{}     // of capacity 1; filled after each drawing of the strip
	copyPanel func(image.Image) // receives the panel's pictures; nil if nobody does
}

// NewSimulated returns the equipment for the usual seats and for the seats of the given
// players.
func NewSimulated(seats []engine.Player) *Simulated {
	h := &Simulated{
		glass: simulated.NewPanel(DemoPanelWidth, DemoPanelHeight), strip: simulated.NewStrip(DemoLights),
		drawn: make(chan struct{}, 1),
	}
	places := []simulated.Place{{Name: string(engine.Table)}}
	names := slices.Clone(engine.UsualSeats)
	for _, p := range seats {
		if !slices.Contains(names, p.Seat) {
			names = append(names, p.Seat)
		}
	}
	for _, seat := range names {
		places = append(places, simulated.Place{Name: string(seat), Seat: seat})
	}
	h.readers = simulated.NewReaders(places...)
	h.lights = lights.NewOutput(notifyingStrip{h.strip, h.drawn}, lights.Layout{})
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
	h.cards.Games = c.Games
	c.Tags, c.Follower, c.Simulated = h.card, &h.cards, true
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
	c.Panel = h.glass.Image
	c.Lights = func() image.Image {
		if leds := h.lights.Calm(); leds != nil {
			return lights.Picture(leds)
		}
		return nil
	}
	c.Readers = rig.NetworkReaders(h.network)
	c.Simulated = &web.Simulated{
		Tap: func(ctx context.Context, place, tag string) error {
			_, err := h.readers.Tap(ctx, place, tag)
			return placeError(err)
		},
		Lift: func(ctx context.Context, place, tag string) error {
			_, err := h.readers.Lift(ctx, place, tag)
			return placeError(err)
		},
		Press: func(ctx context.Context, seat engine.Seat, key string) error {
			_, err := h.readers.Press(ctx, seat, key)
			return placeError(err)
		},
		Piles:    h.cards.Piles,
		Pick:     func(place, card string) error { return placeError(h.cards.Pick(place, card)) },
		Describe: h.cards.Describe,
	}
}

// placeError turns an error about an unknown place or card into a web.ErrNoSuchPlace. It
// returns any other error unchanged.
func placeError(err error) error {
	if errors.Is(err, simulated.ErrNoSuchPlace) || errors.Is(err, simulated.ErrNothingThere) {
		return noSuchPlaceError{err}
	}
	return err
}

// A noSuchPlaceError is a web.ErrNoSuchPlace with the text of another error.
type noSuchPlaceError struct{ error }

func (n noSuchPlaceError) Unwrap() error { return n.error }

func (noSuchPlaceError) Is(target error) bool { return target == web.ErrNoSuchPlace }

// Add adds the simulated hardware to the table. The hardware tells the page when a picture
// changes.
func (h *Simulated) Add(t *device.Table, page *web.Server) {
	h.network.Connect(t)
	t.Add(device.Part{Name: "readers", Source: h.readers})
	painter := &rig.CopyingDrawer{Drawer: panel.NewPainter(), Sink: &h.copyPanel}
	t.Add(device.Part{Name: "panel", Output: notifyingPanel{
		panel.NewOutput(h.glass, painter, rig.PanelIdle), h.glass, page}})
	t.Add(device.Part{Name: "lights", Output: h.lights,
		Source: device.SourceFunc(func(ctx context.Context, _ device.Emit) error {
			telling, stop := context.WithCancel(ctx)
			var tell sync.WaitGroup
			tell.Go(func() { h.notifyLights(telling, page) })
			defer tell.Wait()
			defer stop()
			return h.lights.Run(ctx)
		})})
}

// A notifyingPanel is the output of the panel. It also tells the page whenever the panel was
// drawn.
type notifyingPanel struct {
	device.Output
	glass *simulated.Screen
	page  *web.Server
}

func (p notifyingPanel) Show(ctx context.Context, f engine.Frame) error {
	before := p.glass.Draws()
	err := p.Output.Show(ctx, f)
	if p.glass.Draws() != before {
		p.page.Redrawn("panel")
	}
	return err
}

// A notifyingStrip is a strip that puts a value into its channel after each drawing.
type notifyingStrip struct {
	*simulated.Screen
	drawn chan struct{}
}

var _ display.Drawer = notifyingStrip{}

func (s notifyingStrip) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	err := s.Screen.Draw(r, src, at)
	select {
	case s.drawn <- struct{}{}:
	default:
	}
	return err
}

// lightsEvery is the shortest time after which a page fetches the picture of the strip again.
// The lights are drawn 30 times a second, which is more often than a browser needs.
const lightsEvery = 250 * time.Millisecond

// notifyLights tells the page when the picture of the strip has changed. The picture does not
// show the breathing of the lights. So the page hears nothing while the lights only breathe.
func (h *Simulated) notifyLights(ctx context.Context, page *web.Server) {
	pause := time.NewTicker(lightsEvery)
	defer pause.Stop()
	var shown []color.NRGBA
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.drawn:
			if now := h.lights.Calm(); !slices.Equal(now, shown) {
				shown = now
				page.Redrawn("lights")
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}
