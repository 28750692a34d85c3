package tally_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/tally"
)

// TestPresets checks that every preset can begin, has titles in all languages, and has an
// example in testdata/presets.txt with just its options, the source of its scoring, and
// whether its numbers are published.
func TestPresets(t *testing.T) {
	data, err := os.ReadFile("testdata/presets.txt")
	if err != nil {
		t.Fatal(err)
	}
	examples := map[string]map[string]string{}
	for _, example := range strings.Split(string(data), "\n# preset ")[1:] {
		name, lines, _ := strings.Cut(example, "\n")
		head, inputs, _ := strings.Cut(lines, "\nbegin ")
		j, err := engine.ParseJournal(name, []byte(head+"\nbegin 2026-11-20T20:15:00Z\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(inputs, "expect ") {
			t.Errorf("the example of %s expects nothing", name)
		}
		if !strings.Contains(inputs, "\n# Source: ") {
			t.Errorf("the example of %s does not say whose scoring it is", name)
		}
		if !strings.Contains(inputs, "Printed ") && !strings.Contains(inputs, "Worked out: ") {
			t.Errorf("the example of %s does not say whether its numbers are printed or worked out", name)
		}
		examples[name] = j.Setup.Options
	}
	game := tally.Games()[0]
	for _, p := range game.Info().Presets {
		if err := p.Check(game); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		for _, lang := range engine.Languages {
			if p.Titles[lang] == "" {
				t.Errorf("%s has no title in %q", p.Name, lang)
			}
		}
		if !maps.Equal(p.Options, examples[p.Name]) {
			t.Errorf("%s has the options %v, its example has %v", p.Name, p.Options, examples[p.Name])
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
		if err := preset.Check(game); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", options, got, want)
		}
	}
}
