package rig

import (
	"context"
	"encoding/hex"
	"errors"
	"image"
	"strconv"
	"strings"
	"time"

	"periph.io/x/conn/v3/display"

	"tableside/display/panel"
	"tableside/drivers/nfc"
	"tableside/drivers/tape"
)

// A rerun repeats, on the driver of one part, the calls that the tape holds for this part.
type rerun struct {
	ctx    context.Context
	parts  *Parts
	ports  *tapePorts
	player *tape.Player

	reader nfc.Reader
	memory nfc.Memory
	glass  panel.Glass
	lights display.Drawer
}

// play makes the calls of a part up to the first difference. It cannot compare a call that was
// cut short. It also cannot compare the later calls, until the part is opened or initialized
// again. The field Left of the result counts the calls that could not be compared.
func (r *rerun) play(part *tape.Part) PartResult {
	out := PartResult{Part: part.Name}
	lost := true
	for i := range part.Calls {
		call := &part.Calls[i]
		if call.Name == "open" || call.Name == "init" && r.reader != nil || call.Name == "run" {
			lost = false
		}
		if call.Name == "open" && call.Result == tape.Failed { // it failed without traffic to replay
			lost = true
		}
		if lost || call.Result == tape.Cut || call.Result == tape.Open {
			lost = true
			out.Left += 1 + call.SameCount
			continue
		}
		repeats, left := call.Repeats()
		out.Left += left
		for range 1 + repeats {
			if r.ctx.Err() != nil {
				return out
			}
			r.player.Begin(call)
			err := r.call(call)
			out.Calls++
			out.Transfers = r.player.Transfers()
			if out.Differ = r.player.End(err); out.Differ != nil {
				return out
			}
		}
	}
	return out
}

// setsUp reports whether the recorded call has set up the screen before it sent its picture.
// The driver sets up the screen from time to time, but the times of a replay differ. So the
// replay makes the driver set up the screen in the same calls as on the tape.
func setsUp(c *tape.Call) bool {
	const window = 8 // commands that only place a picture are shorter
	if len(c.Lines) == 0 {
		return false
	}
	l := &c.Lines[0]
	return l.Verb == tape.I2C && len(l.W) > window && l.W[0] == 0x00
}

// errUnknownCall is the error for a call on the tape that this version does not know, or that
// lacks arguments.
var errUnknownCall = errors.New("this version of tableside has no such call")

// call makes the driver repeat a recorded call, and returns the driver's error. If the call
// cannot be made, the error is errUnknownCall.
func (r *rerun) call(c *tape.Call) error {
	part := r.player.Part().Name
	kind, name, _ := strings.Cut(part, "-")
	switch {
	case kind == "reader" && c.Name == "open":
		return r.openReader(name)
	case kind == "reader" && r.reader != nil:
		return r.callReader(c)
	case part == panelPart && c.Name == "open" && r.parts.wiring.Panel != nil:
		return r.openGlass(func() (panel.Glass, error) { return r.parts.OpenPanel(r.parts.wiring.Panel) })
	case kind == "screen" && c.Name == "open":
		for i := range r.parts.wiring.Screens {
			if s := &r.parts.wiring.Screens[i]; s.Seat == name {
				return r.openGlass(func() (panel.Glass, error) { return r.parts.OpenScreen(s) })
			}
		}
	case r.glass != nil:
		return r.callGlass(c)
	case part == lightsPart && c.Name == "open" && r.parts.wiring.Lights != nil:
		dev, err := r.parts.OpenStrip(r.parts.wiring.Lights)
		if err == nil {
			r.lights = dev
		}
		return err
	case r.lights != nil:
		return r.callLights(c)
	case part == keysPart && c.Name == "run":
		return r.runKeys(c)
	}
	return errUnknownCall
}

func (r *rerun) openReader(name string) error {
	for i := range r.parts.wiring.Readers {
		c := &r.parts.wiring.Readers[i]
		if c.Name == name {
			dev, _, err := r.parts.OpenReader(c)
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
		if dev, ok := r.reader.(SelfTester); ok {
			return dev.SelfTest(r.ctx)
		}
	case "select":
		uid, err := nfc.ParseUID(arg(c, 0))
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
	page, err := strconv.ParseUint(arg(c, 0), 10, 8)
	if err != nil || r.memory == nil {
		return errUnknownCall
	}
	if c.Name == "read" {
		var to [16]byte
		return r.memory.ReadPages(r.ctx, byte(page), &to)
	}
	data, err := hex.DecodeString(arg(c, 1))
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
		width, err := strconv.ParseUint(arg(c, 1), 10, 12)
		height, err2 := strconv.ParseUint(arg(c, 2), 10, 12)
		bits, _, err3 := tape.ParseBytes(arg(c, 3))
		if errors.Join(err, err2, err3) != nil || len(bits) != int(width*height+7)/8 {
			return errUnknownCall
		}
		return r.glass.Update(r.ctx, unpackBits(bits, int(width), int(height)), arg(c, 0) == "true" || setsUp(c))
	case "check":
		if checked, ok := r.glass.(panel.Checker); ok {
			return checked.Check(r.ctx)
		}
	case "sleep":
		return r.glass.Sleep(r.ctx)
	case "off":
		if supplied, ok := r.glass.(Switchable); ok {
			return supplied.SwitchOff()
		}
	}
	return errUnknownCall
}

func (r *rerun) callLights(c *tape.Call) error {
	switch c.Name {
	case "draw":
		colours, _, err := tape.ParseBytes(arg(c, 0))
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
	stuck, err := strconv.ParseInt(arg(c, 0), 10, 32)
	if err != nil {
		return errUnknownCall
	}
	opts.Stuck = time.Duration(stuck) * time.Microsecond
	dev, err := r.parts.OpenKeys(&opts)
	if err != nil {
		return err
	}
	ctx, over := context.WithCancel(r.ctx)
	defer over()
	r.ports.endRun = over
	return dev.Run(ctx, r.player.Event)
}

// arg returns the argument with the index i of a call. If the call has no such argument, arg
// returns "".
func arg(c *tape.Call, i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}
