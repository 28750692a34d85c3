package tally

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"tableside/engine"
)

// TestClockReplay plays random inputs with undo and redo. Whoever reads the journal gets
// the same clock after every line, and an undo leads to the clock of just before the move.
func TestClockReplay(t *testing.T) {
	game := Games()[0]
	for seed := range uint64(30) {
		chance := rand.New(rand.NewPCG(seed, 1))
		setup := engine.Setup{Game: "tally/score", First: "red", Begin: time.Unix(1e9, 0),
			Options: map[string]string{"clock-minutes": "3", "clock-turn": "20", "clock-add": "2"},
			Seats:   []engine.Player{{Seat: "red"}, {Seat: "blue"}, {Seat: "green"}}}
		m, err := engine.NewMatch(game, setup)
		if err != nil {
			t.Fatal(err)
		}
		lines := m.Setup().Head()
		var clocks, befores []*engine.ClockView // after each line, and before each input in force
		commands := []string{"red choose +5", "blue key plus", "table key next", "table key next", "table undo",
			"table undo", "table redo", "table set clock stop", "table set clock run", "blue set clock 60"}
		for range 200 {
			in, err := engine.ParseInput(commands[chance.IntN(len(commands))])
			if err != nil {
				t.Fatal(err)
			}
			in.At = m.Last() + time.Duration(chance.IntN(9000))*time.Millisecond
			before := m.View().Clock.After(in.At - m.Last())
			step, err := m.Apply(in)
			if err != nil {
				continue
			}
			now := m.View().Clock
			if in.Verb == engine.Undo {
				last := len(befores) - 1
				if !reflect.DeepEqual(now, befores[last]) {
					t.Fatalf("seed %d: an undo leads to %+v, want %+v", seed, now, befores[last])
				}
				befores = befores[:last]
			} else {
				befores = append(befores, before)
			}
			lines, clocks = append(lines, step.Input.String()), append(clocks, now)
		}
		j, err := engine.ParseJournal("", []byte(strings.Join(lines, "\n")+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		at := 0
		_, err = engine.Replay(game, j, nil, func(m *engine.Match, _ engine.Step) error {
			if now := m.View().Clock; !reflect.DeepEqual(now, clocks[at]) {
				t.Fatalf("seed %d, line %d: %+v, want %+v", seed, at, now, clocks[at])
			}
			at++
			return nil
		})
		if err != nil || at != len(clocks) || at < 100 {
			t.Errorf("seed %d: %d of %d lines are read: %v", seed, at, len(clocks), err)
		}
	}
}
