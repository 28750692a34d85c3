package tally_test

import (
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

// TestPresets checks that every preset can begin, says where its scoring was found, has titles in
// all languages, a file of its name, and an example of its name in testdata/presets. The example
// says which of its numbers are printed in a source, and whose; all others are worked out by hand.
func TestPresets(t *testing.T) {
	game := tally.Games()[0]
	for _, p := range game.Info().Presets {
		if err := p.Fit(game); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		for _, lang := range engine.Languages {
			if p.Titles[lang] == "" {
				t.Errorf("%s has no title in %q", p.Name, lang)
			}
		}
		if p.Source == "" {
			t.Errorf("%s does not say whose scoring it is", p.Name)
		}
		if _, err := os.Stat("presets/" + p.Name + ".txt"); err != nil {
			t.Error(err)
		}
		data, err := os.ReadFile("testdata/presets/" + p.Name + ".txt")
		if err != nil {
			t.Error(err)
		}
		example := string(data)
		for _, want := range []string{"\npreset " + p.Name + "\n", "\nexpect "} {
			if !strings.Contains(example, want) {
				t.Errorf("the example of %s lacks %q", p.Name, want)
			}
		}
		if !strings.Contains(example, "Printed ") && !strings.Contains(example, "Worked out: ") {
			t.Errorf("the example of %s does not say whether its numbers are printed or worked out", p.Name)
		}
	}
}

// TestPresetsClock checks that a preset whose limits of time contradict each other is
// refused.
func TestPresetsClock(t *testing.T) {
	game := tally.Games()[0]
	for options, want := range map[string]string{
		"clock-add 5":                     "setup.clock-add",
		"clock-add 5, clock-turn 60":      "setup.clock-add",
		"clock-add 5, clock-minutes 10":   "",
		"clock-turn 60":                   "",
		"clock-turn 60, counters clock":   "setup.counter-clock name=clock",
		"clock-minutes 9, rows a=1:Clock": "setup.counter-clock name=Clock",
		"counters clock":                  "",
		"counters clock, clock-turn 0":    "",
		"counters Clocks, clock-turn 60":  "",
	} {
		preset := engine.Preset{Options: map[string]string{}}
		for option := range strings.SplitSeq(options, ", ") {
			name, value, _ := strings.Cut(option, " ")
			preset.Options[name] = strings.ReplaceAll(value, ":", ",")
		}
		got := ""
		if err := preset.Fit(game); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", options, got, want)
		}
	}
}

// TestPresetSeats asks with how many seats a preset is played: what the lobby and the first page offer.
func TestPresetSeats(t *testing.T) {
	info := tally.Games()[0].Info()
	for name, want := range map[string][2]int{"tarot": {3, 5}, "darts-501": {1, 8}, "nobody": {1, 8}} {
		if i := info.With(name); i.MinSeats != want[0] || i.MaxSeats != want[1] {
			t.Errorf("%s: %d to %d seats, want %v", name, i.MinSeats, i.MaxSeats, want)
		}
	}
}
