package mindbug

import (
	"time"

	"tableside/engine"
)

// countFigures counts, for each player, the Mindbugs used and the trades. If a player's
// creature defeats a stronger creature in a fight, that player has made a trade. The value of
// the trade is the difference of the two powers. If an effect defeats a creature after the
// fight, this is not a trade.
func countFigures(before *engine.View, _ time.Duration, events []engine.Event,
	add func(engine.Seat, string, float64)) {
	var fights [2]engine.Event // the newest two, one for each side; empty once the fight is over
	for _, e := range events {
		switch e.Name {
		case "mindbug", "mindbug-free":
			add(e.Seat, "mindbugs", 1)
		case "fights":
			fights[0], fights[1] = fights[1], e
		case "triggers": // the fight has defeated whom it defeats: effects wait until then
			fights = [2]engine.Event{}
		case "defeated":
			mine, theirs := fights[0], fights[1]
			if e.Card == mine.Card {
				mine, theirs = theirs, mine
			}
			if by := theirs.N - mine.N; e.Card == theirs.Card && by > 0 {
				add(opponent(before, e.Seat), "trade", float64(by))
			}
		}
	}
}

func opponent(v *engine.View, seat engine.Seat) engine.Seat {
	for _, s := range v.Seats {
		if s.ID != seat {
			return s.ID
		}
	}
	return ""
}
