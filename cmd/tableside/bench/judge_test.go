package bench

import (
	"context"
	"sync"
	"testing"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/mutants"
)

// TestJudge asks a table for verdicts while it plays. They are always those of the frame.
func TestJudge(t *testing.T) {
	h := NewSimulated(nil, false)
	config := device.Config{Dir: t.TempDir(), Games: mutants.Games()}
	if err := h.Configure(&config); err != nil {
		t.Fatal(err)
	}
	table, err := device.New(config)
	if err != nil {
		t.Fatal(err)
	}
	h.table = table
	running, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(running) }()
	ask := func(match string, seq int) (moves []engine.Move, verdicts []engine.Verdict, ok bool) {
		v := table.Frame().View
		moves = engine.Moves(&v, h.cards.Piles())
		verdicts, ok = table.Judge(t.Context(), match, seq, moves)
		return moves, verdicts, ok
	}
	if _, _, ok := ask("", 0); ok {
		t.Error("a table without a match judges")
	}
	setup := engine.Setup{Game: "mutants/second-edition", Options: map[string]string{"data": "stand-in"}, First: "red",
		Seats: []engine.Player{{Seat: "red"}, {Seat: "blue"}}}
	if r := table.Do(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	for range 2 {
		table.Input(t.Context(), engine.Input{Seat: engine.Table, Verb: engine.Key, Args: []string{"next"}})
	}
	var pages sync.WaitGroup
	played := make(chan struct{})
	for range 2 {
		pages.Go(func() {
			for v := table.Frame().View; ; v = table.Frame().View {
				select {
				case <-played:
					return
				default:
				}
				if moves, verdicts, ok := ask(string(v.Match), v.Seq); ok && len(verdicts) == 0 && len(moves) > 0 {
					t.Errorf("no verdict on %d moves at %d", len(moves), v.Seq)
					return
				}
			}
		})
	}
	for range 30 {
		for _, pile := range h.cards.Piles() {
			if pile.Place == "red/hand" {
				table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Tap, Args: pile.Cards[:1]})
			}
		}
		table.Input(t.Context(), engine.Input{Seat: engine.Table, Verb: engine.Undo})
	}
	close(played)
	pages.Wait()
	v := table.Frame().View
	if _, verdicts, ok := ask(string(v.Match), v.Seq); !ok || len(verdicts) < 6 {
		t.Errorf("%v, verdicts %+v", ok, verdicts)
	}
	for _, seq := range []int{v.Seq - 1, v.Seq + 1} {
		if _, _, ok := ask(string(v.Match), seq); ok {
			t.Errorf("view %d is judged in place of %d", v.Seq, seq)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
