package host

import (
	"context"
	"fmt"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/engine"
)

// A Script is a journal that is played into a table. At the end, the table shows what a replay
// of the journal would show. Therefore the match has the options of the journal, and the
// inputs are not changed. The match uses stand-ins, which are made-up card data, only if an
// option asks for them.
type Script struct {
	File         string
	Setup        engine.Setup
	Lines        []engine.Line
	RefusedLines map[int]bool // those that replay refuses, by number
	StopError    error        // why replay stops after these lines, or nil
	Fast         bool         // as fast as the table takes it, instead of at its own times
}

// play gives each input to the table and prints the inputs that were not accepted. If the
// context ends, play stops early; it may then return an error.
func (sc *Script) play(ctx context.Context, h *Host) error {
	if hands, ok := h.Parts.(handEquipment); ok {
		if err := hands.Ready(ctx, h.table); err != nil {
			return config.Failed("readers", err.Error(), "")
		}
	}
	start, inputs, refused := time.Now(), 0, 0
	for _, line := range sc.Lines {
		if line.Mark != nil {
			continue
		}
		if !sc.Fast {
			device.Pause(ctx, time.Until(start.Add(line.Input.At)))
		}
		if ctx.Err() != nil {
			return nil
		}
		inputs++
		receipt, err := h.playInput(ctx, line.Input, !sc.RefusedLines[line.Number])
		if err != nil {
			return config.Failed(fmt.Sprintf("%s:%d: %s", sc.File, line.Number, line.Input.Command()), err.Error(), "")
		}
		if receipt.Outcome != engine.Accepted {
			refused++
			h.tell("script", fmt.Sprintf("%s:%d: %s: %s: %s", sc.File, line.Number, line.Input.Command(), receipt.Outcome,
				receipt.Spoken))
		}
	}
	h.tell("script", fmt.Sprintf("%s is played: %d inputs, %d not accepted", sc.File, inputs, refused))
	if sc.StopError != nil {
		h.tell("script", "it stops there: "+sc.StopError.Error())
	}
	return nil
}

// A handEquipment is equipment with hands that make inputs at the table. Ready waits until the
// hands can begin. If the hands cannot make an input, the second result of Play (done) is
// false.
type handEquipment interface {
	Ready(ctx context.Context, t *device.Table) error
	Play(ctx context.Context, t *device.Table, in engine.Input) (receipt engine.Receipt, done bool, err error)
}

// playInput gives an input to the table. If byHand is set and the equipment has hands that can
// make the input, the hands make the input. Otherwise the table gets the input directly. If a
// key that the hands pressed has only moved the cursor, the table also gets the input
// directly.
func (h *Host) playInput(ctx context.Context, in engine.Input, byHand bool) (engine.Receipt, error) {
	if hands, ok := h.Parts.(handEquipment); ok && byHand {
		seq := h.table.Frame().View.Seq
		receipt, done, err := hands.Play(ctx, h.table, in)
		moved := receipt.Outcome == engine.Accepted && receipt.Seq == seq
		if err != nil || done && !moved {
			return receipt, err
		}
	}
	return h.table.Play(ctx, in), nil
}
