package rig

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spitest"

	"tableside/cmd/tableside/config"
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
	Fault     string           `json:"-"` // why the part and the tape do not agree or cannot be compared, or ""
}

// Faults returns why a tape and its replay do not agree, or cannot be compared: none if all is well.
func Faults(t *tape.Tape, parts []PartResult) (faults []string) {
	for _, p := range parts {
		if p.Fault != "" {
			faults = append(faults, p.Fault)
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
	if d := result.Differ; d != nil {
		result.Fault = fmt.Sprintf("line %d: %s: %s, number %d: the tape has %s, ours has %s", d.Line, part.Name, d.Call, d.IO, d.Want, d.Got)
	} else if result.Calls == 0 {
		result.Fault = part.Name + ": nothing of it can be compared: the tape does not have how it was opened"
	}
	return result
}
