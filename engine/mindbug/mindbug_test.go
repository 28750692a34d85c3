package mindbug_test

import (
	"os"
	"regexp"
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
				setup("sets", "first-contact,king-of-tokyo"), setup("sets", "first-contact,new-servants"), setup("sets", "new-servants"), setup("sets", "king-of-tokyo", "mindbug", "turn"), setup("sets", "beyond-eternity"), setup("sets","beyond-evolution"), setup("sets", "first-contact,new-servants,beyond-eternity,beyond-evolution,king-of-tokyo"))
		})
	}
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, mindbug.Games(), "testdata/*/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, mindbug.Games()[0], setup()) }

func TestPromptsAreShort(t *testing.T) {
	enginetest.ShortPrompts(t, mindbug.Games()[0], "chameleon-sniper")
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
	v := enginetest.InputsPage(t, mindbug.Games()[0], page, func(string) bool { return false })
	if err := enginetest.Expect(v, "winners", "red"); err != nil {
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
