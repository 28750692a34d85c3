package mindbug_test

import (
	"testing"

	"tableside/engine"
	"tableside/engine/mindbug"
)

// TestBestTrade checks that a creature counts as traded if a weaker one defeats it in a fight,
// and not if an effect defeats it afterwards.
func TestBestTrade(t *testing.T) {
	const head = "tableside-journal 1\ngame mindbug/first-contact rules 2\nseat red Alice\nseat blue Max\nfirst red\n" +
		"begin 2026-11-20T20:15:00Z\n"
	for blocker, want := range map[string]float64{
		"explosive-toad": 0, // its Defeated effect finds only the attacker
		"killer-bee":     0, // weaker, and not poisonous
		"spider-owl":     7, // poisonous: 3 against 10
	} {
		j, err := engine.ParseJournal("test", []byte(head+"0s red set gorillion.1 play\n1s blue set "+blocker+
			".1 play\n2s red tap gorillion.1\n3s blue tap "+blocker+".1\n"))
		if err != nil {
			t.Fatal(err)
		}
		game := mindbug.Games()[0]
		traded := 0.0
		_, err = engine.Replay(game, j, nil, func(m *engine.Match, s engine.Step) error {
			before := m.View()
			game.Info().Figures.Count(&before, 0, s.Events, func(seat engine.Seat, name string, n float64) {
				if name == "trade" && seat == "blue" {
					traded = max(traded, n)
				}
			})
			return nil
		})
		if err != nil || traded != want {
			t.Errorf("%s: a trade of %v, want %v; %v", blocker, traded, want, err)
		}
	}
}
