package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tableside/device"
	"tableside/engine"
)

// A script is a journal that is played into a table.
type script struct {
	file    string
	journal *engine.Journal
	fast    bool // as fast as the table takes it, instead of in its own time
}

// begin lays the script's head into the data folder as a match that has just
// begun, and lets the table continue it. An order to begin would choose who
// begins where the script leaves that to the game.
func (sc *script) begin(s *sitting) error {
	game, err := s.games.find(sc.journal.Setup.Game)
	if err != nil {
		return err
	}
	for begin := time.Now().UTC().Truncate(time.Second); ; begin = begin.Add(time.Second) {
		setup := sc.journal.Setup
		setup.Begin = begin
		match, err := engine.NewMatch(game, setup)
		if err != nil {
			return s.setupFailure(sc.file, game, err)
		}
		err = s.lay(match.Setup())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return no(sc.file, reason(err), "")
		}
		receipt := s.table.Prepare(engine.Order{Do: "resume", Match: setup.MatchID()})
		if receipt.Outcome != engine.Accepted {
			return no(sc.file, receipt.Spoken, "")
		}
		return nil
	}
}

// lay writes the head of a journal.
func (s *sitting) lay(setup engine.Setup) error {
	var b strings.Builder
	for _, line := range setup.Head() {
		b.WriteString(engine.Seal(line))
	}
	file := filepath.Join(s.config.Table.Data, "matches", setup.MatchID()+".journal")
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	return errors.Join(err, f.Sync(), f.Close())
}

// play gives each input to the table and tells what was refused.
func (sc *script) play(ctx context.Context, s *sitting) error {
	if h, ok := s.parts.(handy); ok {
		if err := h.ready(ctx, s.table); err != nil {
			return no("readers", err.Error(), "")
		}
	}
	start, inputs, refused := time.Now(), 0, 0
	for _, line := range sc.journal.Lines {
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
		receipt, err := s.do(ctx, line.Input)
		if err != nil {
			return no(fmt.Sprintf("%s:%d: %s", sc.file, line.Number, line.Input.Command()), err.Error(), "")
		}
		if receipt.Outcome != engine.Accepted {
			refused++
			s.tell("script", fmt.Sprintf("%s:%d: %s: %s: %s", sc.file, line.Number, line.Input.Command(), receipt.Outcome, receipt.Spoken))
		}
	}
	s.tell("script", fmt.Sprintf("%s is played: %d inputs, %d not accepted", sc.file, inputs, refused))
	return nil
}

// A handy equipment has hands, which do inputs at the table.
type handy interface {
	ready(ctx context.Context, t *device.Table) error
	play(ctx context.Context, t *device.Table, in engine.Input) (receipt engine.Receipt, done bool, err error)
}

// do gives an input to the table: by hand where the equipment can do that.
func (s *sitting) do(ctx context.Context, in engine.Input) (engine.Receipt, error) {
	if p, ok := s.parts.(handy); ok {
		if receipt, done, err := p.play(ctx, s.table, in); done || err != nil {
			return receipt, err
		}
	}
	return s.table.Input(ctx, in), nil
}
