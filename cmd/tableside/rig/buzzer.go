package rig

import (
	"context"
	"fmt"

	"tableside/cmd/tableside/config"
	"tableside/drivers/buzzer"
	"tableside/engine"
)

func (p *Parts) openBuzzer(c *config.Buzzer) (openPart, error) {
	pin, err := p.Ports.Pin(c.Pin)
	if err != nil {
		return openPart{}, fmt.Errorf("buzzer: %w", err)
	}
	dev, err := buzzer.New(pin, &buzzer.Opts{Silent: c.Silent})
	if err != nil {
		return openPart{}, err
	}
	return openPart{show: (&soundPlayer{dev: dev}).Show, halt: dev.Halt}, nil
}

// A soundPlayer plays a sound for a tap or a key. The sound tells whether the table has
// accepted the input.
type soundPlayer struct {
	dev        *buzzer.Dev
	lastPlayed int // number of the last receipt that was played
}

// Show implements device.Output. It plays the sound for the newest receipt. If several
// receipts come together, Show skips the earlier receipts. If the input came from no reader or
// key, Show plays nothing. For example, the input may have come from the page.
func (s *soundPlayer) Show(ctx context.Context, f engine.Frame) error {
	r := f.Status.Receipt
	if r == nil || r.N == s.lastPlayed || r.Place == "" {
		return nil
	}
	pattern := buzzer.Accepted
	switch r.Outcome {
	case engine.Accepted:
	case engine.Unknown:
		pattern = buzzer.Unknown
	default:
		pattern = buzzer.Refused
	}
	if err := s.dev.Play(ctx, pattern); err != nil {
		return err // the next Show plays it
	}
	s.lastPlayed = r.N
	return nil
}
