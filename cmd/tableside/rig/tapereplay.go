package rig

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strconv"
	"sync"
	"time"

	"periph.io/x/conn/v3/display"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spitest"

	"tableside/cmd/tableside/config"
	"tableside/display/panel"
	"tableside/drivers/keys"
	"tableside/drivers/nfc"
	"tableside/drivers/pcsc"
	"tableside/drivers/tape"
)

// MaxRepeats is the largest number of repeats of a call that are played: more would show nothing
// new, because no driver counts its calls that far.
const MaxRepeats = 1000

// PartResult is the result of replaying one part of a tape.
type PartResult struct {
	Part      string           `json:"part"`
	Calls     int              `json:"calls"`
	Transfers int              `json:"transfers"`
	Left      int              `json:"left"` // calls that cannot be compared
	Differ    *tape.Difference `json:"difference,omitempty"`
}

// Fault returns why the part and the tape do not agree or cannot be compared, or "".
func (p *PartResult) Fault() string {
	switch d := p.Differ; {
	case d != nil:
		return fmt.Sprintf("line %d: %s: %s, number %d: the tape has %s, ours has %s", d.Line, p.Part, d.Call, d.IO, d.Want, d.Got)
	case p.Calls == 0:
		return p.Part + ": nothing of it can be compared: the tape does not have how it was opened"
	}
	return ""
}

// Faults returns why a tape and its replay do not agree, or cannot be compared: none if all is well.
func Faults(t *tape.Tape, parts []PartResult) (faults []string) {
	for i := range parts {
		if fault := parts[i].Fault(); fault != "" {
			faults = append(faults, fault)
		}
	}
	if !t.Whole {
		faults = append(faults, "the tape was cut off: it has no last line")
	}
	return faults
}

// Replay makes the drivers repeat the calls on a tape, and compares their traffic with the tape.
// If the tape cannot be replayed at all, or if the context has ended, Replay returns an error.
func Replay(ctx context.Context, t *tape.Tape) ([]PartResult, error) {
	if t.Hidden {
		return nil, errors.New("it was recorded with --hide-tags: it can be read, but not replayed")
	}
	w, err := config.ParseWiring(t.Wiring)
	if err != nil {
		return nil, err
	}
	all := make([]PartResult, len(t.Parts))
	var playing sync.WaitGroup
	for i, part := range t.Parts {
		r := &replay{ctx: ctx, player: tape.NewPlayer()}
		r.parts = NewParts(r, w)
		playing.Go(func() { all[i] = r.play(part) })
	}
	playing.Wait()
	return all, ctx.Err()
}

// A replay repeats, on the driver of one part, the calls that the tape holds for this part. It is
// also the ports of the part without its chip: the tape answers.
type replay struct {
	Ports
	ctx    context.Context
	parts  *Parts
	player *tape.Player
	dev    any        // as it was opened last
	memory nfc.Memory // of the tag that was selected last
}

func (*replay) SPI(string) (spi.Port, error)      { return &spitest.Playback{}, nil }
func (*replay) I2C(string) (i2c.Bus, error)       { return &i2ctest.Playback{DontPanic: true}, nil }
func (*replay) Serial(string) (SerialPort, error) { return noSerial{}, nil }
func (*replay) Pin(string) (gpio.PinIO, error)    { return noPin{gpio.INVALID}, nil }
func (*replay) Keys() keys.Chip                   { return nil }
func (*replay) PCSC() *pcsc.Daemon                { return nil }

// Hold returns a function that does not wait: the pins keep the times that are on the tape.
func (*replay) Hold() func(time.Duration) { return func(time.Duration) {} }

type noSerial struct{ SerialPort }

func (noSerial) SetReadTimeout(time.Duration) error { return nil }
func (noSerial) Close() error                       { return nil }

type noPin struct{ gpio.PinIO }

func (noPin) In(gpio.Pull, gpio.Edge) error { return nil }

// play makes the calls of a part up to the first difference. It cannot compare a call that was
// cut short or failed to open the part, nor the later calls, until the part is opened or
// initialized again. The same is true of the self-test of an MFRC522, which is not made any more.
func (r *replay) play(part *tape.Part) PartResult {
	result, lost := PartResult{Part: part.Name}, true
	for i := 0; i < len(part.Calls) && result.Differ == nil; i++ {
		c := &part.Calls[i]
		switch name := c.Words[0]; {
		case c.Cut, name == "open" && c.Err != "", name == "selftest":
			lost = true
		case name == "open", name == "run", name == "init" && r.dev != nil:
			lost = false
		}
		repeats := min(c.N, 1+MaxRepeats)
		if lost {
			repeats = 0
		}
		result.Left += c.N - repeats
		for ; repeats > 0 && result.Differ == nil && r.ctx.Err() == nil; repeats-- {
			r.player.Begin(c)
			result.Differ = r.player.End(r.call(part.Name, c))
			result.Calls++
		}
	}
	result.Transfers = r.player.Played
	return result
}

func (r *replay) open(c config.Part) (err error) {
	switch c := c.(type) {
	case *config.Reader:
		r.dev, _, err = r.parts.OpenReader(c)
	case *config.Panel:
		r.dev, err = r.parts.OpenPanel(c)
	case *config.Screen:
		r.dev, err = r.parts.OpenScreen(c)
	case *config.Lights:
		r.dev, err = r.parts.OpenStrip(c)
	}
	return err
}

// errUnknownCall is the error for a call on the tape that this version does not know, or that
// lacks arguments.
var errUnknownCall = errors.New("this version of tableside has no such call")

// with calls a function with a device if the device is of its type.
func with[T any](dev any, do func(T) error) error {
	if d, ok := dev.(T); ok {
		return do(d)
	}
	return errUnknownCall
}

// call repeats a call, and returns the driver's error.
func (r *replay) call(part string, c *tape.Call) error {
	switch c.Words[0] {
	case "open":
		for _, c := range r.parts.wiring.Parts() {
			if config.NameOf(c) == part {
				return r.open(c)
			}
		}
	case "run":
		if part == config.KeysName {
			opts, _ := KeyOptions(r.parts.wiring)
			opts.Stuck, _ = time.ParseDuration(c.Arg(0))
			dev, err := r.parts.OpenKeys(&opts)
			if err != nil {
				return err
			}
			return r.parts.RunKeys(r.ctx, dev, &opts, func(keys.Event) {})
		}
	case "init":
		return with(r.dev, func(d nfc.Reader) error { return d.Init(r.ctx) })
	case "poll":
		return with(r.dev, func(d nfc.Reader) error { _, err := d.Poll(r.ctx, nil); return err })
	case "select":
		return with(r.dev, func(d nfc.Reader) error {
			uid, err := nfc.ParseUID(c.Arg(0))
			if err == nil {
				r.memory, err = d.Select(r.ctx, uid)
			}
			return err
		})
	case "read", "write":
		return with(r.memory, func(m nfc.Memory) error {
			page, _ := strconv.ParseUint(c.Arg(0), 10, 8)
			if data, _ := hex.DecodeString(c.Arg(1)); len(data) == 4 {
				return m.WritePage(r.ctx, byte(page), [4]byte(data))
			}
			return m.ReadPages(r.ctx, byte(page), new([16]byte))
		})
	case "halt":
		return with(r.dev, func(d interface{ Halt() error }) error { return d.Halt() })
	case "update":
		return with(r.dev, func(d panel.Glass) error {
			file, _ := base64.StdEncoding.DecodeString(c.Arg(1))
			picture, err := png.Decode(bytes.NewReader(file))
			if err == nil {
				err = d.Update(r.ctx, picture, c.Arg(0) == "true" || setsUp(c))
			}
			return err
		})
	case "check":
		return with(r.dev, func(d panel.Checker) error { return d.Check(r.ctx) })
	case "sleep":
		return with(r.dev, func(d panel.Glass) error { return d.Sleep(r.ctx) })
	case "off":
		return with(r.dev, func(d Switchable) error { return d.SwitchOff() })
	case "draw":
		return with(r.dev, func(d display.Drawer) error {
			picture := image.NewNRGBA(d.Bounds())
			data, _ := hex.DecodeString(c.Arg(0))
			copy(picture.Pix, data)
			return d.Draw(picture.Rect, picture, image.Point{})
		})
	}
	return errUnknownCall
}

// setsUp reports whether the recorded call has set up the screen before it sent its picture.
// The driver sets up the screen from time to time, but the times of a replay differ. So the
// replay makes the driver set up the screen in the same calls as on the tape.
func setsUp(c *tape.Call) bool {
	const window = 8 // commands that only place a picture are shorter
	return len(c.IO) > 0 && c.IO[0].Bus == tape.I2CBus && len(c.IO[0].W) > window && c.IO[0].W[0] == 0x00
}
