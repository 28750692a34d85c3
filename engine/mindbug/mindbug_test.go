package mindbug_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mindbug"
)

func setup(options ...string) engine.Setup {
	s := engine.Setup{Seats: enginetest.Seats(2), First: "blue", Options: map[string]string{}}
	for i := 0; i < len(options); i += 2 {
		s.Options[options[i]] = options[i+1]
	}
	return s
}

func TestPromises(t *testing.T) {
	for _, game := range mindbug.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			open := setup()
			open.First = ""
			enginetest.Promises(t, game, open, setup("mindbug", "action"), setup("cards", "off"),
				setup("sets", "first-contact,king-of-tokyo"), setup("sets", "first-contact,new-servants"), setup("sets", "new-servants"), setup("sets", "king-of-tokyo", "mindbug", "turn"))
		})
	}
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, mindbug.Games(), "testdata/*/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, mindbug.Games()[0], setup()) }

// TestPromptsAreShort: two lines of the smallest panel hold about 40 letters
// each.
func TestPromptsAreShort(t *testing.T) {
	const most = 80
	words := mindbug.Games()[0].Info().Words
	args := engine.Args{"seat": engine.Seat("red"), "n": 2, "card": engine.Word("card.chameleon-sniper")}
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
	data, err := os.ReadFile("../../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "\n# Mindbug\n")
	page = regexp.MustCompile(`\n# \w+\n`).Split(page, 2)[0] // until the next game
	for key := range mindbug.Games()[0].Info().Words {
		if name, prompt := strings.CutPrefix(key, "prompt."); prompt && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("prompt %s is not explained", name)
		}
	}
	begin := strings.Index(page, "tableside-journal 1")
	source, _, _ := strings.Cut(page[max(0, begin):], "```")
	journal, err := engine.ParseJournal("inputs.md", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	match, err := engine.NewMatch(mindbug.Games()[0], journal.Setup)
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

// TestPages: the scripts that the rulings name exist, and the statements that
// owners are shown are read.
func TestPages(t *testing.T) {
	rulings, err := os.ReadFile("../../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\(\.\./(engine/mindbug/[^)]+)\)`).FindAllStringSubmatch(string(rulings), -1)
	if len(links) < 20 {
		t.Errorf("%d scripts are named", len(links))
	}
	for _, m := range links {
		if _, err := os.Stat("../../" + m[1]); err != nil {
			t.Error(err)
		}
	}
	cards, err := os.ReadFile("../../docs/mindbug-cards.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `(card [^`]*)`").FindAllStringSubmatch(string(cards), -1) {
		if _, err := mindbug.ParseStatement("mindbug-cards.md", 1, m[1]); err != nil {
			t.Error(err)
		}
	}
}
