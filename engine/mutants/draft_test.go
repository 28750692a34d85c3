package mutants_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/mutants"
)

// TestDraftStaysSecret checks that no view, event or refusal names a drafted
// card before it tops a pile.
func TestDraftStaysSecret(t *testing.T) {
	match, err := engine.NewMatch(mutants.Games()[1], setup(2, "pools", "draft"))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"table key next", "red tap android.1"}
	for range 6 {
		lines = append(lines, "red key next", "blue key next")
	}
	picked := map[string][]string{"red": {"android", "krunk", "marv", "nebulon", "anubis", "omikami"},
		"blue": {"primal", "wampara", "triple-b", "pit-lord", "rakshasa", "kolossus"}}
	for _, seat := range []string{"red", "blue"} {
		for _, card := range picked[seat] {
			lines = append(lines, seat+" tap "+card+".1", "blue tap "+card+".1")
		}
		lines = append(lines, seat+" tap "+picked[seat][0]+".2", seat+" tap primal.1", seat+" key next", "table undo",
			"table redo")
	}
	for _, line := range lines {
		in, err := engine.ParseInput(line)
		if err != nil {
			t.Fatal(err)
		}
		step, err := match.Apply(in)
		refusal, refused := engine.AsRefusal(err)
		if err != nil && !refused {
			t.Fatalf("%s: %v", line, err)
		}
		seen, err := json.Marshal(map[string]any{"view": match.View(),
			"events": match.Words().SpeakEvents(engine.English, step.Events, nil), "refusal": refusal})
		if err != nil {
			t.Fatal(err)
		}
		for _, cards := range picked {
			for _, card := range cards {
				if strings.Contains(string(seen), card) {
					t.Errorf("after %q %s can be seen in %s", line, card, seen)
				}
			}
		}
	}
	if v := match.View(); v.Prompts[0].Key != "show-pool" {
		t.Errorf("the draft does not end: %+v", v.Prompts)
	}
}
