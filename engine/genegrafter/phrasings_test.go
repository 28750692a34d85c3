package genegrafter

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// TestPhrasings enters sentences as owners may read them on their cards. Most are
// understood, and played in random matches; the others are kept as text.
func TestPhrasings(t *testing.T) {
	data, err := os.ReadFile("testdata/phrasings.txt")
	if err != nil {
		t.Fatal(err)
	}
	g := Games()[1].(*game)
	understood, own := map[string]int{}, []string{"category mental colour red"}
	n := map[string]int{}
	for line := range strings.Lines(string(data)) {
		kind, words, _ := strings.Cut(strings.TrimSpace(line), " ")
		n[kind]++
		id := fmt.Sprintf("%s-%d", kind, n[kind])
		card := []string{fmt.Sprintf("card %s kind %s", id, kind), fmt.Sprintf("card %s en %q", id, id)}
		does := "card " + id + " does " + words
		if _, faults := owners.Define("f", strings.Join(append(append(own, card...), does), "\n")); faults == nil {
			understood[kind]++
		} else {
			t.Log(faults[0])
			does = fmt.Sprintf("card %s does text %q", id, words)
		}
		if own = append(append(own, card...), does); kind == "ability" {
			own = append(own, "card "+id+" category mental", "card "+id+" base 1", "card "+id+" super 2",
				"card "+id+" power luck telekinesis")
		} else if kind == "gear" && !strings.Contains(strings.ToLower(words), "worn") && !strings.Contains(words, "Held") {
			own = append(own, "card "+id+" place legs")
		}
	}
	for kind, least := range map[string]int{"ability": 10, "event": 8, "gear": 5} {
		if understood[kind] < least {
			t.Errorf("%s: %d of %d are understood", kind, understood[kind], n[kind])
		}
	}
	lines, faults := owners.Define("f", strings.Join(own, "\n"))
	if faults != nil {
		t.Fatal(faults[0])
	}
	setup := engine.Setup{Game: g.Info().Name, Seats: enginetest.Seats(3), Definitions: lines,
		Options: map[string]string{"data": "stand-in", "events": "6"}}
	enginetest.PromisesIn(t, 40, g, setup)
	d, err := mergeOwn(true, cardfile.Must(parseData("f", strings.Join(lines, "\n"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range d.Kinds { // each has words in both languages
		for _, lang := range engine.Languages {
			for _, text := range k.Lines() {
				words := engine.Merge(engine.CoreWords(), g.Info().Words)
				if said := words.Say(lang, text, nil); strings.ContainsAny(said, "{}") || strings.Contains(said, "«does") {
					t.Errorf("%s: %s", k.ID, said)
				}
			}
		}
	}
}
