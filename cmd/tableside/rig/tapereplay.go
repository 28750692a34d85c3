package rig

import (
	"context"
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

// Replay makes the drivers repeat the calls of a tape and compares their traffic.
func Replay(ctx context.Context, t *tape.Tape) ([]PartResult, error) {
	w, err := config.ParseWiring(t.Wiring)
	if err != nil {
		return nil, err
	}
	ports := &tapePorts{wires: newTapeWires(w), players: map[string]*tape.Player{}, open: map[string]i2cState{}}
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
