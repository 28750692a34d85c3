package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/tape"
)

// replayTape is doctor --replay.
func (p *program) replayTape(ctx context.Context, file string, asJSON bool) error {
	f, err := os.Open(file)
	if err != nil {
		return no("--replay "+file, config.Reason(err), "")
	}
	defer f.Close()
	t, err := tape.Read(f)
	if err != nil {
		if syntax := (&tape.SyntaxError{}); errors.As(err, &syntax) {
			return no(fmt.Sprintf("%s:%d:%d", file, syntax.Line, syntax.Column), syntax.Text, "")
		}
		return no("--replay "+file, config.Reason(err), "")
	}
	if len(t.Parts) == 0 {
		return no("--replay "+file, "nothing passed over a bus while it was recorded",
			"a tape needs parts that are wired, and no table that has them already")
	}
	parts, err := rig.Replay(ctx, t)
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
			left = fmt.Sprintf(", %d calls not compared: they were cut short, or come behind one that was", part.Left)
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
