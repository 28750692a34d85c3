package genegrafter_test

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
	"tableside/engine/genegrafter"
)

func setup(seats int, options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(seats), Options: map[string]string{"data": "stand-in"}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	for _, game := range genegrafter.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			var setups []engine.Setup
			if strings.HasSuffix(game.Info().Name, "/standard") { // one is enough: what is asked for is the same
				setups = append(setups, setup(2, "data", "known", "events", "5"))
			}
			for seats := 2; seats <= 4; seats++ {
				for _, level := range []string{"simple", "medium", "hard"} {
					setups = append(setups, setup(seats, "difficulty", level))
				}
			}
			enginetest.Promises(t, game, setups...)
		})
	}
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, genegrafter.Games(), "testdata/*/*.txt")
}

// TestPromptsAreShort: two lines of the smallest panel hold about 40 letters
// each.
func TestPromptsAreShort(t *testing.T) {
	const most = 80
	words := genegrafter.Games()[0].Info().Words
	args := engine.Args{"seat": engine.Seat("red"), "n": 2, "card": engine.Word("card.heal-minor-wound")}
	for _, key := range slices.Sorted(maps.Keys(words)) {
		if !strings.HasPrefix(key, "prompt.") {
			continue
		}
		for _, lang := range engine.Languages {
			said := words.Say(lang, engine.Text{Key: key, Args: args}, nil)
			if n := len([]rune(said)); n > most {
				t.Errorf("%s in %q has %d letters and not at most %d: %s", key, lang, n, most, said)
			}
		}
	}
}

// TestInputsPage: the page explains every prompt there is, and its match is
// played as it stands there.
func TestInputsPage(t *testing.T) {
	_, page, _ := strings.Cut(read(t, "../../docs/inputs.md"), "\n# Genegrafter\n")
	page = regexp.MustCompile(`\n# \w+\n`).Split(page, 2)[0] // until the next game
	for key := range genegrafter.Games()[0].Info().Words {
		if name, prompt := strings.CutPrefix(key, "prompt."); prompt && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("prompt %s is not explained", name)
		}
	}
	_, source, _ := strings.Cut(page, "```\n")
	source, _, _ = strings.Cut(source, "```")
	journal, err := engine.ParseJournal("inputs.md", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(genegrafter.Games()[1], journal.Setup)
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

// TestPages: the scripts that the rulings name exist,
// and the statements and effects that owners are shown are read.
func TestPages(t *testing.T) {
	rulings := read(t, "../../docs/rulings.md")
	scripts, err := filepath.Glob("testdata/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\(\.\./engine/genegrafter/(testdata/[^)]+\.txt)\)`).FindAllStringSubmatch(rulings, -1) {
		if !slices.Contains(scripts, m[1]) {
			t.Errorf("there is no script %s", m[1])
		}
	}
	page := read(t, "../../docs/genegrafter-cards.md")
	statements := regexp.MustCompile("(?m)^\\| `((?:card|category) [^`]*)`").FindAllStringSubmatch(page, -1)
	for _, m := range statements {
		if _, err := genegrafter.ParseStatement("genegrafter-cards.md", 1, m[1]); err != nil {
			t.Error(err)
		}
	}
	effects := 0
	for _, kind := range []string{"ability", "event", "gear"} {
		_, row, _ := strings.Cut(page, "\n| "+kind+" | ")
		row, _, _ = strings.Cut(row, "\n")
		for _, m := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(row, -1) {
			effects++
			if _, err := genegrafter.ParseStatement("genegrafter-cards.md", 1, "card x does "+m[1]); err != nil {
				t.Error(err)
			}
		}
	}
	if len(statements) < 10 || effects < 15 {
		t.Errorf("%d statements and %d effects are shown", len(statements), effects)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
