package rig

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"tableside/cmd/tableside/config"
	"tableside/drivers/tape"
)

// PartResult holds the result of replaying one part of a tape.
type PartResult struct {
	Part      string           `json:"part"`
	Calls     int              `json:"calls"`
	Transfers int              `json:"transfers"`
	Left      int              `json:"left"` // calls that cannot be compared
	Differ    *tape.Difference `json:"difference,omitempty"`
}

// Replay makes the drivers repeat the calls on a tape. It compares the traffic of the drivers
// with the traffic on the tape. The results hold the differences. If the tape's wiring is
// invalid, or if the context has ended, Replay returns an error.
func Replay(ctx context.Context, t *tape.Tape) ([]PartResult, error) {
	w, err := config.ParseWiring(t.Wiring)
	if err != nil {
		return nil, err
	}
	ports := &tapePorts{wires: newTapeWires(w), players: map[string]*tape.Player{}, openChannels: map[string]i2cState{}}
	for _, part := range t.Parts {
		ports.players[part.Name] = tape.NewPlayer(part, ports.wires.chips[part.Name])
	}
	all := make([]PartResult, len(t.Parts))
	var playing sync.WaitGroup
	parts := NewParts(ports, w)
	for i, part := range t.Parts {
		playing.Go(func() {
			all[i] = (&rerun{ctx: ctx, parts: parts, ports: ports, player: ports.players[part.Name]}).play(part)
		})
	}
	playing.Wait()
	return all, ctx.Err()
}

// A TapeFault is a reason why the drivers do not agree with a tape. It may also be a reason
// why the drivers and the tape cannot be compared.
type TapeFault struct {
	Part   string // "" for the whole tape
	Line   int    // of the tape, 0 for the whole of it
	Call   string // "" for all calls of the part
	Reason string
}

// Judge returns the faults of a tape and of its replay. The faults of parts are in the order
// of their lines on the tape. A fault of the whole tape comes last. If everything agrees,
// Judge returns none.
func Judge(t *tape.Tape, parts []PartResult) []TapeFault {
	var faults []TapeFault
	for i, p := range parts {
		switch calls := t.Parts[i].Calls; {
		case p.Differ != nil:
			want, got := p.Differ.Brief()
			faults = append(faults, TapeFault{Part: p.Part, Line: p.Differ.Number, Call: p.Differ.Call,
				Reason: fmt.Sprintf("the tape has %s, ours has %s", want, got)})
		case p.Calls == 0 && len(calls) > 0:
			why := "nothing of it can be compared: the tape does not have how it was opened"
			if calls[0].Name == "open" {
				why = "nothing of it can be compared: it could not be opened while the tape was recorded"
			}
			faults = append(faults, TapeFault{Part: p.Part, Line: calls[0].Number, Reason: why})
		}
	}
	slices.SortStableFunc(faults, func(a, b TapeFault) int { return cmp.Compare(a.Line, b.Line) })
	if !t.Whole {
		faults = append(faults, TapeFault{Reason: "the tape was cut off: it has no last line"})
	}
	return faults
}
