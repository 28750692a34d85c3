package cardgame

import (
	"maps"
	"math/rand/v2"
	"testing"

	"tableside/engine"
)

// TestTapAnswers checks the answer for an open card that lies at no seat.
func TestTapAnswers(t *testing.T) {
	r := newRound(true, rand.New(rand.NewPCG(1, 1)))
	c := r.Cards[0]
	r.Move("plays", "red", c, play)
	answers := r.TapAnswers(&Question[*piece]{Seat: "red", In: play}, []*piece{c}, nil)
	want := engine.Args{"card": engine.Word("card.card")}
	if len(answers) != 1 || answers[0].Input != "red tap card.1" || !maps.Equal(answers[0].Args, want) {
		t.Errorf("got %+v", answers)
	}
}

// TestRefusal checks that a refusal has only the arguments that are given.
func TestRefusal(t *testing.T) {
	for _, c := range []struct {
		unfit Unfit[*piece]
		want  engine.Args
	}{
		{Unfit[*piece]{Key: "refusal.x"}, engine.Args{}},
		{Unfit[*piece]{Key: "refusal.x", N: 2}, engine.Args{"n": 2}},
	} {
		if r, _ := engine.AsRefusal(c.unfit.Refusal()); r.Text.Key != "refusal.x" || !maps.Equal(r.Text.Args, c.want) {
			t.Errorf("got %v, want %v", r.Text, c.want)
		}
	}
}

// TestNoRoom checks that At panics for a game with more places than there are bits.
func TestNoRoom(t *testing.T) {
	lay := func(seats, each, table int) (panics any) {
		defer func() { panics = recover() }()
		s := Spots{Seat: make([]Spot, each), Table: make([]Spot, table)}
		s.At(engine.Setup{Seats: make([]engine.Player, seats)})
		return nil
	}
	if got := lay(6, 8, 16); got != nil {
		t.Error(got)
	}
	for _, n := range [][3]int{{7, 8, 1}, {2, 2, 17}} {
		if lay(n[0], n[1], n[2]) == nil {
			t.Errorf("%d seats with %d places and %d of the table fit", n[0], n[1], n[2])
		}
	}
}
