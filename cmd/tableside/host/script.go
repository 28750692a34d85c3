package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// startMatch begins the match of the script. It writes the script's head into the data folder,
// as the journal of a match that has just begun. Then it lets the table resume the match.
// startMatch does not order the table to begin a match, because such an order would decide who
// begins, even if the script leaves this decision to the game.
func (sc *Script) startMatch(h *Host) error {
	for begin := time.Now().UTC().Truncate(time.Second); ; begin = begin.Add(time.Second) {
		setup := sc.Setup
		setup.Begin = begin
		err := h.lay(setup)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return failed(sc.File, config.Reason(err), "")
		}
		receipt := h.table.Prepare(engine.Order{Do: "resume", Match: setup.MatchID()})
		if receipt.Outcome != engine.Accepted {
			return failed(sc.File, receipt.Spoken, "")
		}
		return nil
	}
}

// lay writes the head of a new journal into the data folder. The journal is for a match with
// the given setup. If the match has a journal already, the error is fs.ErrExist.
func (h *Host) lay(setup engine.Setup) error {
	head, _ := setup.SealedHead()
	f, err := os.OpenFile(h.journalFile(setup.MatchID()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteString(head)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(f.Name()) // the error to report is the first
	}
	return err
}

// journalFile returns the path of a match's journal.
func (h *Host) journalFile(id string) string {
	return filepath.Join(h.Config.Table.Data, "matches", id+".journal")
}

// play gives each input to the table and prints the inputs that were not accepted. If the
// context ends, play stops early; it may then return an error.
func (sc *Script) play(ctx context.Context, h *Host) error {
	if hands, ok := h.Parts.(handEquipment); ok {
		if err := hands.Ready(ctx, h.table); err != nil {
			return failed("readers", err.Error(), "")
		}
	}
	start, inputs, refused := time.Now(), 0, 0
	for _, line := range sc.Lines {
		if line.Mark != nil {
			continue
		}
		if !sc.Fast {
			timer := time.NewTimer(time.Until(start.Add(line.Input.At)))
			select {
			case <-ctx.Done():
				timer.Stop()
				return nil
			case <-timer.C:
			}
		}
		inputs++
		receipt, err := h.playInput(ctx, line.Input, !sc.RefusedLines[line.Number])
		if err != nil {
			return failed(fmt.Sprintf("%s:%d: %s", sc.File, line.Number, line.Input.Command()), err.Error(), "")
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
