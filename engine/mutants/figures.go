package mutants

import (
	"slices"
	"time"

	"tableside/engine"
)

// figures returns what is counted for each seat in a match. The figures of a seat are its time
// in the "Top Space" in seconds, the number of its Crushes (EN "1. Crush the Competition"),
// and how often it used "Freeze".
func figures() engine.Figures {
	return engine.Figures{
		Kinds: []engine.Figure{
			{Name: "top-space", Unit: engine.Seconds}, {Name: "crushes"}, {Name: "freezes"},
		},
		Count: countFigures,
	}
}

func countFigures(before *engine.View, elapsed time.Duration, events []engine.Event,
	add func(engine.Seat, string, float64)) {
	for _, t := range before.Tracks {
		i := slices.IndexFunc(t.Areas, func(a engine.Area) bool { return a.ID == "top" })
		if i < 0 || len(before.Winners) > 0 {
			continue
		}
		for _, seat := range t.Stacks[t.Areas[i].From] {
			add(seat, "top-space", elapsed.Seconds())
		}
	}
	for _, e := range events {
		switch e.Name {
		case "crushes", "crushes-all":
			add(e.Seat, "crushes", 1)
		case "freezes":
			add(e.Seat, "freezes", 1)
		}
	}
}
