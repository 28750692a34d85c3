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

// mixes returns all ways to mix the boxes.
func mixes() []string {
	boxes := []string{"first-contact", "new-servants", "beyond-eternity", "beyond-evolution", "king-of-tokyo"}
	var all []string
	for set := 1; set < 1<<len(boxes); set++ {
		var mix []string
		for i, box := range boxes {
			if set>>i&1 == 1 {
				mix = append(mix, box)
			}
		}
		all = append(all, strings.Join(mix, ","))
	}
	return all
}

func TestPromises(t *testing.T) {
	open := setup()
	open.First = ""
	setups := map[string][]engine.Setup{
		"mindbug/first-contact": {open, setup("mindbug", "action"), setup("silent-no", "on"), setup("cards", "off")},
		"mindbug/king-of-tokyo": {open, setup("mindbug", "turn"), setup("silent-no", "on"), setup("cards", "off")},
	}
	for i, mix := range mixes() {
		game := []string{"mindbug/first-contact", "mindbug/king-of-tokyo"}[i%2]
		setups[game] = append(setups[game], setup("sets", mix, "mindbug", []string{"rulebook", "turn", "action"}[i%3]))
	}
	for _, game := range mindbug.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			enginetest.Promises(t, game, setups[game.Info().Name]...)
		})
	}
}

// TestClock checks the clock, with the first player to be found.
func TestClock(t *testing.T) {
	open := setup("mindbug", "turn")
	open.First = ""
	enginetest.Clock(t, mindbug.Games()[0], open)
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, mindbug.Games(), "testdata/*/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, mindbug.Games()[0], setup()) }

func TestPromptsAreShort(t *testing.T) {
	enginetest.ShortPrompts(t, mindbug.Games()[0], "sharky-crab-dog-mummypus")
}

// TestInputsPage checks that the page explains every prompt, and plays its match.
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

// TestPages checks that the scripts named by the rulings exist, and that the statements shown to owners are read.
func TestPages(t *testing.T) {
	rulings, err := os.ReadFile("../../docs/rulings.md")
	if err != nil {
		t.Fatal(err)
	}
	_, own, _ := strings.Cut(string(rulings), "\n# Rulings: Mindbug\n")
	own = regexp.MustCompile(`\n# \w+`).Split(own, 2)[0] // until the next game
	for row := range strings.Lines(own) {
		if strings.HasPrefix(row, "| ") && !strings.HasPrefix(row, "| question") && !strings.HasPrefix(row, "| ---") &&
			!strings.Contains(row, "/testdata/") {
			t.Errorf("no script shows it: %s", row)
		}
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
