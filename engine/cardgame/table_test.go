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
