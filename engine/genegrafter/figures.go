package genegrafter

import (
	"strings"
	"time"

	"tableside/engine"
)

// fairDie is the average of a die with six equal faces, 1 to 6.
const fairDie = 3.5

// countFigures adds up how far the thrown dice are above or below the average, in pips. It
// also counts captures. A rerolled die counts again, because it was thrown.
func countFigures(_ *engine.View, _ time.Duration, events []engine.Event, add func(engine.Seat, string, float64)) {
	for _, e := range events {
		switch e.Name {
		case "rolls":
			faces, _ := engine.ParseWord(e.Word).(engine.Literal)
			for face := range strings.FieldsSeq(string(faces)) {
				if n := pips(face); n > 0 {
					add(e.Seat, "dice-luck", float64(n)-fairDie)
				}
			}
		case "captured":
			add(e.Seat, "captures", 1)
		}
	}
}
