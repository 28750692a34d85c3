package rig

import (
	"context"
	"sync"

	"tableside/cmd/tableside/config"
	"tableside/drivers/tape"
)

// Played says what became of a part of a tape.
type Played struct {
	Part      string           `json:"part"`
	Calls     int              `json:"calls"`
	Transfers int              `json:"transfers"`
	Left      int              `json:"left"` // calls that could not be compared
	Differ    *tape.Difference `json:"difference,omitempty"`
}

// Replay plays a tape to the drivers.
func Replay(ctx context.Context, t *tape.Tape) ([]Played, error) {
	w, err := config.ParseWiring(t.Wiring)
	if err != nil {
		return nil, err
	}
	ports := &playing{wires: newTapeWires(w), players: map[string]*tape.Player{}, open: map[string]i2cState{}}
	for _, part := range t.Parts {
		ports.players[part.Name] = tape.NewPlayer(part, ports.wires.chips[part.Name])
	}
	all := make([]Played, len(t.Parts))
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
