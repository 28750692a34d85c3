package mutants_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
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

// TestInputsPage: the page explains every prompt there is and no other, and
// its match is played as it stands there.
func TestInputsPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "\n# Mutants\n")
	page = regexp.MustCompile(`\n# \w+\n`).Split(page, 2)[0] // until the next game
	for key := range mutants.Games()[0].Info().Words {
		name, prompt := strings.CutPrefix(key, "prompt.")
		if prompt && !strings.HasPrefix(name, "may-") && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("prompt %s is not explained", name)
		}
	}
	begin := strings.Index(page, "tableside-journal 1")
	source, _, _ := strings.Cut(page[max(0, begin):], "```")
	journal, err := engine.ParseJournal("inputs.md", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(mutants.Games()[1], journal.Setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range journal.Lines {
		if _, _, err := match.Apply(line.Input); err != nil {
			t.Fatalf("line %d: %q: %v", line.Number, line.Input.Command(), err)
		}
	}
	if err := enginetest.Expect(match.View(), "winners", "red"); err != nil {
		t.Error(err)
	}
}

// TestRulings: every script that the page names exists.
func TestRulings(t *testing.T) {
	data, err := os.ReadFile("../../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\[([a-z0-9, -]+)\](?:[^(]|$)`).FindAllStringSubmatch(string(data), -1) {
		for name := range strings.SplitSeq(m[1], ", ") {
			if files, _ := filepath.Glob("testdata/*/" + name + ".txt"); len(files) == 0 {
				t.Errorf("there is no script %s", name)
			}
		}
	}
}

// An owner's card is said by its title, which the game itself does not know.
func TestOwnersCardIsSaid(t *testing.T) {
	game := mutants.Games()[1]
	lines, err := mutants.Definitions("mutants.txt", "card my-monster kind advanced\ncard my-monster en \"My Monster\"\ncard my-monster fr \"Mon Monstre\"\ncard my-monster genes cyber saber\n")
	if err != nil {
		t.Fatal(err)
	}
	s := setup(2)
	s.Definitions = lines
	for _, card := range []string{"my-monster", "android", "krunk", "marv", "anubis", "nebulon"} {
		s.Pools = append(s.Pools, engine.Pool{Seat: "blue", Card: card, N: 2})
	}
	match, err := engine.NewMatch(game, s)
	if err != nil {
		t.Fatal(err)
	}
	_, events, err := match.Apply(engine.Input{Seat: "blue", Verb: engine.Tap, Args: []string{"my-monster.1"}})
	if err != nil {
		t.Fatal(err)
	}
	spoken := match.Words().SpeakEvents(engine.French, events, nil)
	if len(spoken) == 0 || !strings.Contains(spoken[0].Spoken, "Mon Monstre") {
		t.Errorf("it is said as %+v", spoken)
	}
}
