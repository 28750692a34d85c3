package seat

import (
	"testing"

	"tableside/engine"
)

// TestPrompted checks which question a seat's screen shows: what it may do hides no question.
func TestPrompted(t *testing.T) {
	must, may := engine.Prompt{Seat: "red"}, engine.Prompt{Seat: "red", May: true}
	table, other := engine.Prompt{Seat: engine.Table}, engine.Prompt{Seat: "blue"}
	tableMay := engine.Prompt{Seat: engine.Table, May: true}
	for i, c := range []struct {
		prompts []engine.Prompt
		want    int
	}{
		{[]engine.Prompt{other, must, may}, 1},
		{[]engine.Prompt{table, must}, 1},
		{[]engine.Prompt{table, may}, 0},
		{[]engine.Prompt{other, may, tableMay}, 1},
		{[]engine.Prompt{other, tableMay}, 1},
		{[]engine.Prompt{other}, -1},
	} {
		s := &screen{Painter: NewPainter("red")}
		s.View.Prompts = c.prompts
		if got := s.prompted(); got != c.want {
			t.Errorf("case %d: got %d, want %d", i, got, c.want)
		}
	}
}
