package genegrafter_test

import (
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

// setups returns matches with all numbers of seats and all options.
func setups() []engine.Setup {
	own := setup(3, "data", "known")
	own.Definitions = []string{
		"card zorro kind character", "card zorro en Zorro", "card zorro copies 3", "card zorro attack 2",
		"card zorro power luck", "card zorro markers mental",
		"card anvil kind ability", "card anvil en Anvil", "card anvil does draw 1 card", "card super-punch copies 4",
		"card super-punch base 1", "card card-1 kind event",
	}
	able := setup(4)
	able.Definitions = []string{
		"card anvil does draw 1 card, then roll a die again and keep the better",
		"card lumen does opponent discards 1 card, then heal a character",
		"card geiger does resolve it by hand", "card rookie attack 0", "card rookie defence 0", "card bulwark defence 0",
		"box cards 56",
	}
	first := setup(2, "difficulty", "medium")
	first.First = "blue"
	return []engine.Setup{
		setup(2), first, setup(2, "difficulty", "hard"), setup(2, "events", "0"), setup(4, "difficulty", "medium"),
		setup(2, "data", "known", "events", "5"), own,
		setup(3, "attacks", "one-by-one", "gear", "off"), setup(4, "data", "known", "gear", "off"), able,
	}
}

func TestPromises(t *testing.T) {
	for _, game := range genegrafter.Games() {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			enginetest.PromisesIn(t, 100, game, setups()...) // 200 with the other edition
		})
	}
}

// TestClock checks the clock, with a first player to be found.
func TestClock(t *testing.T) { enginetest.Clock(t, genegrafter.Games()[0], setup(3)) }

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, genegrafter.Games(), "testdata/*/*.txt")
}

func TestPromptsAreShort(t *testing.T) {
	enginetest.ShortPrompts(t, genegrafter.Games()[0], "heal-minor-wound")
}

// TestInputsPage checks that the page explains every prompt, and that its match
// plays as written there.
func TestInputsPage(t *testing.T) {
	v := enginetest.InputsPage(t, genegrafter.Games()[1], chapter(t, "../../docs/inputs.md", "Genegrafter"),
		func(string) bool { return false })
	if err := enginetest.Expect(v, "winners", "red"); err != nil {
		t.Error(err)
	}
}

func chapter(t *testing.T, file, title string) string {
	t.Helper()
	_, page, found := strings.Cut(read(t, file), "\n# "+title+"\n")
	if !found {
		t.Fatalf("%s has no chapter %q", file, title)
	}
	return regexp.MustCompile(`\n# (Rulings: )?\w+\n`).Split(page, 2)[0]
}

// TestPages checks that each ruling names scripts that exist, that each script
// is named,
func TestPages(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\(\.\./engine/genegrafter/(testdata/[^)]+\.txt)\)`)
	for row := range strings.Lines(chapter(t, "../../docs/rulings.md", "Rulings: Genegrafter")) {
		named := link.FindAllStringSubmatch(row, -1)
		if strings.HasPrefix(row, "| ") && !strings.HasPrefix(row, "| question") && !strings.HasPrefix(row, "| ---") &&
			named == nil {
			t.Errorf("no script shows it: %s", row)
		}
		for _, m := range named {
			if !slices.Contains(scripts, m[1]) {
				t.Errorf("there is no script %s", m[1])
			}
		}
	}
	page := read(t, "../../docs/genegrafter-cards.md")
	statements := regexp.MustCompile("(?m)^\\| `((?:card|category|box) [^`]*)`").FindAllStringSubmatch(page, -1)
	for _, m := range statements {
		if _, err := genegrafter.ParseStatement("genegrafter-cards.md", 1, m[1]); err != nil {
			t.Error(err)
		}
	}
	if len(statements) < 10 {
		t.Errorf("%d statements are shown", len(statements))
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
