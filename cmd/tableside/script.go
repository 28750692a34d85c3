package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/engine"
)

// A script is a journal that is played into a table. It ends with the view of its
// replay: it has the same options, so no stand-ins unless the journal has that
// option, and its inputs go to the match unchanged.
type script struct {
	file    string
	setup   engine.Setup
	lines   []engine.Line
	refused map[int]bool // lines that replay refuses, by number
	stop    error        // why replay stops after these lines, or nil
	fast    bool         // as fast as the table takes it, instead of at its own times
}

// readScript reads a journal and replays it.
func (p *program) readScript(file string) (*script, error) {
	journal, err := p.readJournal(file)
	if err != nil {
		return nil, err
	}
	r := &replay{program: p, file: file, until: -1, out: io.Discard}
	stop := r.play(journal)
	if stop != nil && (r.match == nil || journal.damage != nil) {
		return nil, stop
	}
	return &script{file: file, setup: r.match.Setup(), lines: journal.Lines[:r.played], refused: r.refused, stop: stop},
		nil
}

// begin writes the script's head into the data folder as a match that has just
// begun, and lets the table resume it. An order to begin would decide who begins,
// even if the script leaves that to the game.
func (sc *script) begin(s *host) error {
	for begin := time.Now().UTC().Truncate(time.Second); ; begin = begin.Add(time.Second) {
		setup := sc.setup
		setup.Begin = begin
		err := s.lay(setup)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return no(sc.file, config.Reason(err), "")
		}
		receipt := s.table.Prepare(engine.Order{Do: "resume", Match: setup.MatchID()})
		if receipt.Outcome != engine.Accepted {
			return no(sc.file, receipt.Spoken, "")
		}
		return nil
	}
}

// lay writes the head of a journal into the data folder.
func (s *host) lay(setup engine.Setup) error {
	head, _ := setup.SealedHead()
	file := filepath.Join(s.config.Table.Data, "matches", setup.MatchID()+".journal")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteString(head)
	return errors.Join(err, f.Sync(), f.Close())
}

// play gives each input to the table and prints those that were refused.
func (sc *script) play(ctx context.Context, s *host) error {
	if h, ok := s.parts.(handy); ok {
		if err := h.Ready(ctx, s.table); err != nil {
			return no("readers", err.Error(), "")
		}
	}
	start, inputs, refused := time.Now(), 0, 0
	for _, line := range sc.lines {
		if line.Mark != nil {
			continue
		}
		if !sc.fast {
			timer := time.NewTimer(time.Until(start.Add(line.Input.At)))
			select {
			case <-ctx.Done():
				timer.Stop()
				return nil
			case <-timer.C:
			}
		}
		inputs++
		receipt, err := s.do(ctx, line.Input, !sc.refused[line.Number])
		if err != nil {
			return no(fmt.Sprintf("%s:%d: %s", sc.file, line.Number, line.Input.Command()), err.Error(), "")
		}
		if receipt.Outcome != engine.Accepted {
			refused++
			s.tell("script", fmt.Sprintf("%s:%d: %s: %s: %s", sc.file, line.Number, line.Input.Command(), receipt.Outcome,
				receipt.Spoken))
		}
	}
	s.tell("script", fmt.Sprintf("%s is played: %d inputs, %d not accepted", sc.file, inputs, refused))
	if sc.stop != nil {
		s.tell("script", "it stops there: "+sc.stop.Error())
	}
	return nil
}

// A handy equipment has hands, which make inputs at the table.
type handy interface {
	Ready(ctx context.Context, t *device.Table) error
	Play(ctx context.Context, t *device.Table, in engine.Input) (receipt engine.Receipt, done bool, err error)
}

// do gives an input to the table, by hand where asked for and possible. A key may
// have only moved the cursor; then do gives the input itself.
func (s *host) do(ctx context.Context, in engine.Input, byHand bool) (engine.Receipt, error) {
	if p, ok := s.parts.(handy); ok && byHand {
		seq := s.table.Frame().View.Seq
		receipt, done, err := p.Play(ctx, s.table, in)
		moved := receipt.Outcome == engine.Accepted && receipt.Seq == seq
		if err != nil || done && !moved {
			return receipt, err
		}
	}
	return s.table.Play(ctx, in), nil
}
