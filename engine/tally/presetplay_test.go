package tally_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

// TestPresetsAtRandom plays every preset to its end, with each number of seats that it takes. Only
// a preset without an end of its own is ended by hand. The winners have the best score.
func TestPresetsAtRandom(t *testing.T) {
	game := tally.Games()[0]
	for i, p := range game.Info().Presets {
		played := 0
		for seats := 1; seats <= 8; seats++ {
			setup := engine.Setup{Game: "tally/score", Options: p.Options, Seats: enginetest.Seats(seats),
				First: "red", Begin: time.Date(2026, 12, 1, 20, 15, 0, 0, time.UTC)}
			m, err := engine.NewMatch(game, setup)
			if errors.As(err, new(*engine.SetupError)) {
				continue
			}
			if err == nil {
				err = keepScore(m, p, rand.New(rand.NewPCG(uint64(i), uint64(seats))))
			}
			if err != nil {
				t.Errorf("%s with %d seats: %v", p.Name, seats, err)
			}
			played++
		}
		if played == 0 {
			t.Errorf("%s can be played with no number of seats", p.Name)
		}
	}
}

// keepScore enters random answers and points until the match is over.
func keepScore(m *engine.Match, p engine.Preset, chance *rand.Rand) error {
	number := func(option string) int { // the first one
		first, _, _ := strings.Cut(p.Options[option], ",")
		n, _ := strconv.Atoi(first)
		return n
	}
	target, start := number("target"), number("start")
	ends := p.Options["target"] != "" || p.Options["rounds"] != "" || p.Options["rows"] != ""
	for tries := 0; len(m.View().Winners) == 0; tries++ {
		if tries == 20000 {
			return fmt.Errorf("the match is not over after %d inputs: round %d", m.Seq(), m.View().Round)
		}
		prompts := m.View().Prompts
		prompt := prompts[chance.IntN(len(prompts))]
		o := prompt.Options[chance.IntN(len(prompt.Options))]
		line := o.Input
		switch {
		case o.Input == "table choose end" && (ends || tries < 60):
			continue
		case o.Key == "gain" || o.Key == "lose":
			most := max(20, max(target-start, start-target)/3)
			line = fmt.Sprintf("%s choose %+d", prompt.Seat, most/3-chance.IntN(most))
			if target > start {
				line = fmt.Sprintf("%s choose %+d", prompt.Seat, chance.IntN(most)-most/3)
			}
		}
		in, err := engine.ParseInput(line)
		if err == nil {
			_, err = m.Apply(in)
		}
		if _, refused := engine.AsRefusal(err); err != nil && !refused {
			return err
		}
	}
	return checkWinners(m.View(), p.Options["goal"] == "low")
}

func checkWinners(v engine.View, low bool) error {
	best := slices.MaxFunc(v.Seats, func(a, b engine.SeatView) int {
		if low {
			a, b = b, a
		}
		return a.Counters[0].Value - b.Counters[0].Value
	})
	for _, s := range v.Seats {
		if slices.Contains(v.Winners, s.ID) != (s.Counters[0].Value == best.Counters[0].Value) {
			return fmt.Errorf("%v win: %v", v.Winners, v.Seats)
		}
	}
	return nil
}
