package mutants

import (
	"fmt"
	"regexp"
	"strings"
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

// TestEmptyHand checks that question and button call an empty hand what the rulebook calls it.
func TestEmptyHand(t *testing.T) {
	words := engine.MustWords("words.txt", wordsFile)
	for _, key := range []string{"prompt.free-turn", "answer.out-of-cards"} {
		if said := words.Say(engine.French, engine.T(key), nil); !strings.Contains(said, "Main vide") {
			t.Errorf("%s: %q", key, said)
		}
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

// TestFrenchBosses reads what bosses and their cards say in French.
func TestFrenchBosses(t *testing.T) {
	for _, c := range [][2]string{
		{"action a weakness 3 si vous engendrez", "3 when you breed"},
		{"action a weakness 2 si vous gelez.", "2 when you freeze"},
		{"action a weakness 2 s'il est mis K.O.", "2 when knocked down"},
		{"action a weakness 2 S’IL EST MIS K.O", "2 when knocked down"},
		{"action a weakness 1 si vous êtes sur la case Furie", "1 when you are in the Top Space"},
		{"action a weakness 2 si vous faites une Parade", "2 when you block"},
		{"action a weakness 2 si autre chose", "2 when something else"},
		{"action a weakness 2 when you deploy.", "2 when you deploy"},
		{"action a weakness aucune", "none"},
		{"action a weakness ?", "?"},
		{"action a weakness ? si vous gelez", "? when you freeze"},
		{"action a weakness 3 si ?", "3 when ?"},
		{"action a deploy Gagnez 3 Santé.", "gain 3 health"},
		{"action a deploy Chaque adversaire perd 1 Force.", "each opponent loses 1 power"},
		{"action a leave aucune", "none"},
		{"boss a power Chaque fois qu'un adversaire gèle 1 Mutant, gagnez 1 Force.",
			"each time an opponent freezes 1 mutant, gain 1 power"},
		{"boss a power Chaque fois qu'un adversaire fait une Parade, gagnez 2 Santé",
			"each time an opponent blocks, gain 2 health"},
		{"boss a power aucun", "none"},
	} {
		said, means := c[0], c[1]
		subject, _, _ := strings.Cut(said, " a ")
		field := strings.Fields(said)[2]
		if got, want := says(t, said), says(t, subject+" a "+field+" "+means); got != want {
			t.Errorf("%s: got %s, want %s", said, got, want)
		}
	}
}

// says returns what a line about a boss or its card says, in English.
func says(t *testing.T, line string) string {
	t.Helper()
	s, err := cardfile.ReadOne("", 1, line, readStatement)
	if err != nil || s.NoRow != nil {
		t.Fatal(line, err, s.NoRow)
	}
	k, b := &Kind{Action: &Action{}}, &Boss{}
	if s.Subject == aBoss {
		cardfile.Set(b, &s)
	} else {
		cardfile.Set(k, &s)
	}
	return fmt.Sprint(k.Action.Weakness, k.Deploy, k.Leave, b.Power)
}

// TestFrenchFields reads lines with the words that the French box has for fields and genes.
func TestFrenchFields(t *testing.T) {
	for said, field := range map[string]string{
		"card zombie gel 2":                                  "freeze",
		"card zombie déploiement Gagnez 2 Force.":            "deploy",
		"card zombie retrait Cyclez 2, puis gagnez 1 Force.": "leave",
		"card zombie parade Ignorez l'attaque.":              "block",
		"card android genes sabreur nécro":                   "genes",
		"boss jack-ice préparation Gagnez 2 Force.":          "set-up",
	} {
		s, err := cardfile.ReadOne("", 1, said, readStatement)
		if err != nil || s.Field != field {
			t.Errorf("%s: got field %q, %v, want %q", said, s.Field, err, field)
		}
	}
}
