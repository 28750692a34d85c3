package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"tableside/drivers/tape"
)

// A played part is what a tape says of it.
type played struct {
	Part      string           `json:"part"`
	Calls     int              `json:"calls"`
	Transfers int              `json:"transfers"`
	Left      int              `json:"left"` // calls that could not be compared
	Differ    *tape.Difference `json:"difference,omitempty"`
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
			all[i] = (&rerun{ctx: ctx, parts: parts, ports: ports, player: ports.players[part.Name]}).play(part)
		})
	}
	playing.Wait()
	return all, ctx.Err()
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
	if len(t.Parts) == 0 {
		return no("--replay "+file, "nothing passed over a bus while it was recorded",
			"a tape needs parts that are wired, and no table that has them already")
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
		if d := part.Differ; d != nil && (first == nil || d.Number < first.Number) {
			first = d
		}
		if asJSON {
			continue
		}
		verdict, left := "ok", ""
		if part.Differ != nil {
			verdict = "FAIL"
		}
		if part.Left > 0 {
			left = fmt.Sprintf(", %d calls not compared: they were cut short, come behind one that was, "+
				"or repeat one more than %d times", part.Left, tape.MostRepeats)
		}
		fmt.Fprintf(p.out, "%-5s %-14s %d calls, %d transfers%s\n", verdict, part.Part, part.Calls, part.Transfers, left)
	}
	if first != nil {
		want, got := first.Brief()
		return no(fmt.Sprintf("%s:%d: %s: %s", file, first.Number, first.Part, first.Call),
			fmt.Sprintf("the tape has %s, ours has %s", want, got), "")
	}
	return nil
}
