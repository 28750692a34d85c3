package mutants_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
)

func setup(seats int, options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(seats), First: "blue", Options: map[string]string{"data": "stand-in"}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	for _, game := range mutants.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			open := setup(3)
			open.First = ""
			setups := []engine.Setup{setup(4), open, setup(2, "data", "known"), setup(3, "cards", "off")}
			if !testing.Short() {
				setups = append(setups, setup(2), setup(3),
					setup(4, "data", "known", "spaces", "9"),
					setup(4, "spaces", "7"),
					setup(2, "cards", "off", "data", "known"))
			}
			enginetest.Promises(t, game, setups...)
		})
	}
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, mutants.Games(), "testdata/*/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, mutants.Games()[1], setup(2)) }

func BenchmarkUndo500(b *testing.B) { enginetest.BenchUndo(b, mutants.Games()[1], setup(4), 500) }

// TestPromptsAreShort: two lines of the smallest panel hold about 40 letters
// each.
func TestPromptsAreShort(t *testing.T) {
	const most = 80
	words := mutants.Games()[1].Info().Words
	names := map[engine.Seat]string{"red": "Alice"}
	args := engine.Args{"seat": engine.Seat("red"), "n": 2, "card": engine.Word("card.dracus-nobilis")}
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if !strings.HasPrefix(key, "prompt.") {
			continue
		}
		for _, lang := range engine.Languages {
			said := words.Say(lang, engine.Text{Key: key, Args: args}, names)
			if n := len([]rune(said)); n > most {
				t.Errorf("%s in %q has %d letters and not at most %d: %s", key, lang, n, most, said)
			}
		}
	}
}
