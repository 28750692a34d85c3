package enginetest

import (
	"math/rand/v2"
	"testing"
	"time"

	"tableside/engine"
)

// BenchFold measures how fast inputs fold, in inputs/s. It plays random matches once. Then it
// folds these matches again and again. An undo folds a match in the same way.
func BenchFold(b *testing.B, game engine.Game, setup engine.Setup) {
	var matches []*engine.Match
	for s := range uint64(8) {
		t, err := sit(game, setup, rand.New(rand.NewPCG(s, 1)))
		if err != nil {
			b.Fatal(err)
		}
		for !t.isOver() && t.match.Seq() < maxInputs {
			if err := t.play(); err != nil {
				b.Fatalf("seed %d: %v", s, err)
			}
		}
		matches = append(matches, t.match)
	}
	inputs := 0
	for b.Loop() {
		for _, match := range matches {
			state, err := match.InitialState()
			if err != nil {
				b.Fatal(err)
			}
			for _, in := range match.Inputs() {
				if _, err := state.Apply(in); err != nil {
					b.Fatal(err)
				}
				inputs++
			}
		}
	}
	b.ReportMetric(float64(inputs)/b.Elapsed().Seconds(), "inputs/s")
	b.ReportMetric(0, "ns/op")
}

// BenchPlay measures whole random matches, in games/s. The matches go through a Match, as at a
// table. Each input leads to a view. Inputs may be refused, and cards are dealt and move.
func BenchPlay(b *testing.B, game engine.Game, setup engine.Setup) {
	chance := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		if _, err := Play(game, setup, chance); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// BenchView measures a view in the middle of a random match.
func BenchView(b *testing.B, game engine.Game, setup engine.Setup) {
	benchMiddle(b, game, setup, func(t *table) { t.match.View() })
}

// BenchJudge measures the verdicts on all cards that a page shows of a simulated table, in the middle
// of a random match.
func BenchJudge(b *testing.B, game engine.Game, setup engine.Setup) {
	benchMiddle(b, game, setup, func(t *table) { t.match.Judge(engine.Moves(t.view(), t.dealer.Piles())) })
}

func benchMiddle(b *testing.B, game engine.Game, setup engine.Setup, measure func(*table)) {
	t, err := sit(game, setup, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	for range 150 {
		if err := t.play(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		measure(t)
	}
}

// BenchUndo measures a refusal and an undo in a match of n inputs. Both fold inputs again.
// BenchUndo reports the milliseconds of each. If the random players end the match earlier,
// they undo their last input and play on. After 50 such ends, renamings make up the missing
// inputs.
func BenchUndo(b *testing.B, game engine.Game, setup engine.Setup, n int) {
	t, err := sit(game, setup, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		b.Fatal(err)
	}
	undo, redo := engine.Input{Seat: engine.Table, Verb: engine.Undo}, engine.Input{Seat: engine.Table, Verb: engine.Redo}
	seat := t.match.Setup().Seats[0].Seat
	name := engine.Input{Seat: seat, Verb: engine.Set, Args: []string{"name", "Alice"}}
	apply := func(in engine.Input) {
		if err := t.send(in); err != nil {
			b.Fatal(err)
		}
	}
	for ends := 0; len(t.match.Inputs()) < n && ends < 50; {
		if err := t.play(); err != nil {
			b.Fatal(err)
		}
		if t.isOver() {
			apply(undo)
			ends++
		}
	}
	played := len(t.match.Inputs())
	for range n - played {
		apply(name)
	}
	wrong := engine.Input{Seat: seat, Verb: engine.Set, Args: []string{"no-such-thing", "1"}}
	var refusals, undos time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := t.match.Apply(wrong); err == nil {
			b.Fatal("set no-such-thing is accepted")
		}
		refusals += time.Since(start)
		start = time.Now()
		if _, err := t.match.Apply(undo); err != nil {
			b.Fatal(err)
		}
		undos += time.Since(start)
		if _, err := t.match.Apply(redo); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(refusals.Seconds()*1000/float64(b.N), "ms/refusal")
	b.ReportMetric(undos.Seconds()*1000/float64(b.N), "ms/undo")
	b.ReportMetric(float64(played), "inputs")
	b.ReportMetric(0, "ns/op")
}
