package mutants_test

import (
	"os"
	"path/filepath"
	"regexp"
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
	for _, game := range mutants.Games()[:2] {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			open := setup(3)
			open.First = ""
			setups := []engine.Setup{setup(4), open, setup(2, "data", "known"), setup(3, "cards", "off"),
				setup(4, "pools", "draft"), setup(2), setup(3),
				setup(4, "data", "known", "spaces", "9"),
				setup(4, "spaces", "7"),
				setup(2, "cards", "off", "data", "known"),
				setup(2, "pools", "draft"), setup(4, "pools", "draft", "data", "known"),
				setup(3, "pools", "draft", "cards", "off"), setup(4, "pools", "constructed")}
			enginetest.PromisesIn(t, 100, game, setups...) // 200 with the other edition
		})
	}
}

// TestClock checks the clock, with a draft.
func TestClock(t *testing.T) {
	enginetest.Clock(t, mutants.Games()[1], setup(3, "pools", "draft"))
}

func TestScripts(t *testing.T) {
	enginetest.RunScripts(t, mutants.Games(), "testdata/*/*.txt")
}

func BenchmarkFold(b *testing.B) { enginetest.BenchFold(b, mutants.Games()[1], setup(2)) }

func BenchmarkView(b *testing.B) { enginetest.BenchView(b, mutants.Games()[1], setup(4)) }

func BenchmarkJudge(b *testing.B) { enginetest.BenchJudge(b, mutants.Games()[1], setup(4)) }

func BenchmarkUndo500(b *testing.B) { enginetest.BenchUndo(b, mutants.Games()[1], setup(4), 500) }

func TestPromptsAreShort(t *testing.T) {
	enginetest.ShortPrompts(t, mutants.Games()[1], "dracus-nobilis")
}

// TestInputsPage checks that the page explains every prompt and no other, and
// that its match plays as written there.
func TestInputsPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "\n# Mutants\n")
	page = regexp.MustCompile(`\n# \w+\n`).Split(page, 2)[0] // until the next game
	v := enginetest.InputsPage(t, mutants.Games()[1], page,
		func(prompt string) bool { return strings.HasPrefix(prompt, "may-") })
	if err := enginetest.Expect(v, "winners", "red"); err != nil {
		t.Error(err)
	}
}

// TestRulings checks that every script that the page names exists.
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

// TestOwnersCardIsSaid checks that texts have the title of an owner's card,
// which the game itself does not know.
func TestOwnersCardIsSaid(t *testing.T) {
	game := mutants.Games()[1]
	lines, err := mutants.Definitions("mutants.txt",
		"card my-monster kind advanced\ncard my-monster en \"My Monster\"\ncard my-monster fr \"Mon Monstre\"\ncard "+
			"my-monster genes cyber saber\n")
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
	step, err := match.Apply(engine.Input{Seat: "blue", Verb: engine.Tap, Args: []string{"my-monster.1"}})
	if err != nil {
		t.Fatal(err)
	}
	spoken := match.Words().SpeakEvents(engine.French, step.Events, nil)
	if len(spoken) == 0 || !strings.Contains(spoken[0].Spoken, "Mon Monstre") {
		t.Errorf("it is said as %+v", spoken)
	}
}
