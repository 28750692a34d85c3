package mutants

import (
	"regexp"
	"testing"

	"tableside/engine"
)

// TestFrenchTitles says every title of the boxes after "de" and "à", where its
// article joins them.
func TestFrenchTitles(t *testing.T) {
	wrong := regexp.MustCompile(` (de|à) (Les? |La |L'|[AEÉIOUŒ])`)
	contracted := 0
	for _, edition := range []string{"first-edition", "second-edition"} {
		d := mustBuild(edition, true)
		words := engine.Merge(engine.MustWords("words.txt", wordsFile), d.Words())
		for _, k := range d.Kinds {
			for _, key := range []string{"prompt.freeze-value", "prompt.by-hand-leave"} {
				said := words.Say(engine.French, engine.T(key, "card", engine.CardWord(k.ID)), nil)
				if wrong.MatchString(said) {
					t.Errorf("%q", said)
				}
				if regexp.MustCompile(` (du|des) [A-Z]`).MatchString(said) {
					contracted++
				}
			}
			said := words.Say(engine.French, engine.T("prompt.choose-leaving", "card", engine.CardWord(k.ID)), nil)
			if regexp.MustCompile(` à (Les? |La |L')`).MatchString(said) {
				t.Errorf("%q", said)
			}
		}
	}
	if contracted == 0 {
		t.Error("no title has an article")
	}
}
