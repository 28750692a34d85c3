package mutants

import (
	"regexp"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
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

// TestFrenchRounds says in French what is wrong with the points of the rounds.
func TestFrenchRounds(t *testing.T) {
	for _, said := range []string{"trois", "3/1,,5/2", "x/1", "3/x", "3/1", "3/1,4/2,5/2,6/3,8/4,9/5"} {
		_, err := Definitions("f", "board rounds "+said)
		if err == nil || engine.ErrorIn(err, engine.French) == engine.ErrorIn(err, engine.English) {
			t.Errorf("%s: %v", said, err)
		}
	}
}

// TestFrenchFields reads lines with the words that the French box has for fields and genes.
func TestFrenchFields(t *testing.T) {
	for said, field := range map[string]string{
		"card zombie gel 2":                                    "freeze",
		"card zombie déploiement Gagnez 2 Force.":              "deploy",
		"card zombie retrait Cycle 2, puis gagnez 1 de Force.": "leave",
		"card zombie parade Ignorez l'attaque.":                "block",
		"card android genes sabreur nécro":                     "genes",
		"boss jack-ice préparation Gagnez 2 de Force.":         "set-up",
	} {
		s, err := cardfile.ReadOne("", 1, said, readStatement)
		if err != nil || s.Field != field {
			t.Errorf("%s: got field %q, %v, want %q", said, s.Field, err, field)
		}
	}
}
