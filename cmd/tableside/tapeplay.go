package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/display/panel"
	"tableside/drivers/keys"
	"tableside/drivers/nfc"
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

func (p *playing) spi(name string) (spi.Port, error) {
	player, err := p.player(p.wires.spi[name])
	if err != nil {
		return nil, err
	}
	return player.SPI(name), nil
}

func (p *playing) serial(path string) (serialPort, error) {
	player, err := p.player(p.wires.serial[path])
	if err != nil {
		return nil, err
	}
	return player.Serial(), nil
}

// pin is a line of a part, or one that is not on a tape: that resets a
// multiplexer.
func (p *playing) pin(name string) (gpio.PinIO, error) {
	if player := p.players[p.wires.pins[name].part]; player != nil {
		return player.Pin(p.wires.pins[name].name), nil
	}
	return gpio.INVALID, nil
}

func (p *playing) keys() keys.Chip           { return p.players[keysPart].Keys(func() { p.over() }) }
func (p *playing) hold() func(time.Duration) { return time.Sleep }
func (p *playing) missing(*wiring) []*fault  { return nil }

func (p *playing) i2c(path string) (i2c.Bus, error) { return &playedBus{p, path}, nil }

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

// A played part is what a tape says of it.
type played struct {
	Part      string `json:"part"`
	Calls     int    `json:"calls"`
	Transfers int    `json:"transfers"`
	Left      int    `json:"left"` // calls that could not be compared
	differ    *tape.Difference
}

// playTape plays the tape in a file to the drivers.
func playTape(ctx context.Context, t *tape.Tape) ([]played, error) {
	w, err := tapeWiring(t.Wiring)
	if err != nil {
		return nil, err
	}
	ports := &playing{wires: w.tapeWires(), players: map[string]*tape.Player{}, open: map[string]i2cState{}}
	for _, part := range t.Parts {
		ports.players[part.Name] = tape.NewPlayer(part, ports.wires.chips[part.Name])
	}
	all := make([]played, len(t.Parts))
	var playing sync.WaitGroup
	parts := newParts(ports, w)
	for i, part := range t.Parts {
		playing.Go(func() {
			r := &rerun{ctx: ctx, parts: parts, ports: ports, player: ports.players[part.Name]}
			all[i] = r.play(part)
		})
	}
	playing.Wait()
	return all, ctx.Err()
}

// A rerun has the driver of a part do what it did on the tape.
type rerun struct {
	ctx    context.Context
	parts  *parts
	ports  *playing
	player *tape.Player

	reader nfc.Reader
	memory nfc.Memory
	glass  panel.Glass
	lights strip
}

// play does the calls of a part up to the first difference. One that was cut
// short cannot be compared, nor what comes behind it before the part begins
// anew.
func (r *rerun) play(part *tape.Part) played {
	out := played{Part: part.Name}
	lost := true
	for i := range part.Calls {
		call := &part.Calls[i]
		if call.Name == "open" || call.Name == "init" && r.reader != nil || call.Name == "run" {
			lost = false
		}
		if call.Name == "open" && call.Result == tape.Failed { // not on a wire
			lost = true
		}
		if lost || call.Result == tape.Cut || call.Result == tape.Open {
			lost = true
			out.Left += 1 + call.Same
			continue
		}
		for range 1 + call.Same {
			if r.ctx.Err() != nil {
				return out
			}
			r.player.Begin(call)
			err := r.call(call)
			out.Calls++
			out.Transfers = r.player.Transfers()
			if out.differ = r.player.End(err); out.differ != nil {
				return out
			}
		}
	}
	return out
}

// setsUp reports whether a screen was set up for a picture: it is, now and
// then, when enough time has passed, and times may differ.
func setsUp(c *tape.Call) bool {
	const window = 8 // what is sent to place a picture is shorter
	if len(c.Lines) == 0 {
		return false
	}
	l := &c.Lines[0]
	return l.Verb == tape.I2C && len(l.W) > window && l.W[0] == 0x00
}

// errUnknownCall is a call that this version does not know, or that has lost
// its words.
var errUnknownCall = errors.New("this version of tableside knows no such call")

// call does a call.
func (r *rerun) call(c *tape.Call) error {
	kind, name, _ := strings.Cut(r.player.Part().Name, "-")
	switch {
	case kind == "reader" && c.Name == "open":
		return r.openReader(name)
	case kind == "reader" && r.reader != nil:
		return r.callReader(c)
	case kind == panelPart && c.Name == "open" && r.parts.wiring.Panel != nil:
		return r.openGlass(func() (panel.Glass, error) { return r.parts.openPanel(r.parts.wiring.Panel) })
	case kind == "screen" && c.Name == "open":
		for i := range r.parts.wiring.Screens {
			if s := &r.parts.wiring.Screens[i]; s.Seat == name {
				return r.openGlass(func() (panel.Glass, error) { return r.parts.openScreen(s) })
			}
		}
	case r.glass != nil:
		return r.callGlass(c)
	case kind == lightsPart && c.Name == "open" && r.parts.wiring.Lights != nil:
		dev, err := r.parts.openStrip(r.parts.wiring.Lights)
		if err == nil {
			r.lights = dev
		}
		return err
	case r.lights != nil:
		return r.callLights(c)
	case kind == keysPart && c.Name == "run":
		return r.runKeys(c)
	}
	return errUnknownCall
}

func (r *rerun) openReader(name string) error {
	for i := range r.parts.wiring.Readers {
		c := &r.parts.wiring.Readers[i]
		if c.Name == name {
			dev, _, err := r.parts.openReader(c)
			r.reader, r.memory = dev, nil
			return err
		}
	}
	return errUnknownCall
}

func (r *rerun) callReader(c *tape.Call) error {
	switch c.Name {
	case "init":
		return r.reader.Init(r.ctx)
	case "poll":
		_, err := r.reader.Poll(r.ctx, nil)
		return err
	case "halt":
		return r.reader.Halt()
	case "selftest":
		if dev, ok := r.reader.(selfTester); ok {
			return dev.SelfTest(r.ctx)
		}
	case "select":
		uid, err := nfc.ParseUID(word(c, 0))
		if err == nil {
			r.memory, err = r.reader.Select(r.ctx, uid)
		}
		return err
	case "read", "write":
		return r.callMemory(c)
	}
	return errUnknownCall
}

func (r *rerun) callMemory(c *tape.Call) error {
	page, err := strconv.ParseUint(word(c, 0), 10, 8)
	if err != nil || r.memory == nil {
		return errUnknownCall
	}
	if c.Name == "read" {
		var to [16]byte
		return r.memory.ReadPages(r.ctx, byte(page), &to)
	}
	data, err := hex.DecodeString(word(c, 1))
	if err != nil || len(data) != 4 {
		return errUnknownCall
	}
	return r.memory.WritePage(r.ctx, byte(page), [4]byte(data))
}

func (r *rerun) openGlass(open func() (panel.Glass, error)) error {
	dev, err := open()
	if err == nil {
		r.glass = dev
	}
	return err
}

func (r *rerun) callGlass(c *tape.Call) error {
	switch c.Name {
	case "update":
		width, err := strconv.ParseUint(word(c, 1), 10, 12)
		height, err2 := strconv.ParseUint(word(c, 2), 10, 12)
		bits, _, err3 := tape.ParseBytes(word(c, 3))
		if errors.Join(err, err2, err3) != nil || len(bits) != int(width*height+7)/8 {
			return errUnknownCall
		}
		return r.glass.Update(r.ctx, unpackBits(bits, int(width), int(height)), word(c, 0) == "true" || setsUp(c))
	case "sleep":
		return r.glass.Sleep(r.ctx)
	case "off":
		if supplied, ok := r.glass.(switchable); ok {
			return supplied.SwitchOff()
		}
	}
	return errUnknownCall
}

func (r *rerun) callLights(c *tape.Call) error {
	switch c.Name {
	case "draw":
		colours, _, err := tape.ParseBytes(word(c, 0))
		if err != nil || len(colours) != 4*r.lights.Bounds().Dx() {
			return errUnknownCall
		}
		picture := image.NewNRGBA(r.lights.Bounds())
		copy(picture.Pix, colours)
		return r.lights.Draw(picture.Rect, picture, image.Point{})
	case "halt":
		return r.lights.Halt()
	}
	return errUnknownCall
}

func (r *rerun) runKeys(c *tape.Call) error {
	opts, _ := keyOptions(r.parts.wiring)
	stuck, err := strconv.ParseInt(word(c, 0), 10, 32)
	if err != nil {
		return errUnknownCall
	}
	opts.Stuck = time.Duration(stuck) * time.Microsecond
	dev, err := keys.New(r.ports.keys(), &opts)
	if err != nil {
		return err
	}
	ctx, over := context.WithCancel(r.ctx)
	defer over()
	r.ports.over = over
	return dev.Run(ctx, r.player.Event)
}

// word is an argument of a call, "" where it is missing.
func word(c *tape.Call, i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}

// replayTape is doctor --replay.
func (p *program) replayTape(ctx context.Context, file string, asJSON bool) error {
	f, err := os.Open(file)
	if err != nil {
		return no("--replay "+file, reason(err), "")
	}
	defer f.Close()
	t, err := tape.Read(f)
	if err != nil {
		if syntax := (&tape.SyntaxError{}); errors.As(err, &syntax) {
			return no(fmt.Sprintf("%s:%d:%d", file, syntax.Line, syntax.Column), syntax.Text, "")
		}
		return no("--replay "+file, reason(err), "")
	}
	parts, err := playTape(ctx, t)
	if err != nil {
		return no("--replay "+file, err.Error(), "")
	}
	if asJSON {
		if err := p.printJSON(parts); err != nil {
			return err
		}
	}
	var first *tape.Difference
	for _, part := range parts {
		if d := part.differ; d != nil && (first == nil || d.Number < first.Number) {
			first = d
		}
		if asJSON {
			continue
		}
		left := ""
		if part.Left > 0 {
			left = fmt.Sprintf(", %d calls not compared: they were cut short, or come behind one that was", part.Left)
		}
		fmt.Fprintf(p.out, "%-5s %-14s %d calls, %d transfers%s\n", cmp.Or(map[bool]string{true: "FAIL"}[part.differ != nil], "ok"), part.Part, part.Calls, part.Transfers, left)
	}
	if first != nil {
		return no(fmt.Sprintf("%s:%d: %s: %s", file, first.Number, first.Part, first.Call),
			fmt.Sprintf("the tape has %s, ours has %s", first.Want, first.Got), "")
	}
	return nil
}
