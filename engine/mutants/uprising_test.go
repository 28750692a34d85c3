package mutants_test

import (
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
)

func uprising() engine.Game { return mutants.Games()[2] }

func solo(options ...string) engine.Setup {
	s := setup(1, options...)
	s.First = ""
	return s
}

func TestUprisingPromises(t *testing.T) {
	t.Parallel()
	mosh := solo("spaces", "7", "tough", "on")
	mosh.Pools = []engine.Pool{{Seat: "red", Card: "mosh-pit"}}
	enginetest.PromisesIn(t, 300, uprising(),
		solo(),
		mosh,
		solo("data", "known"),
		solo("without", "cyber", "boss", "jack-ice"),
		solo("without", "necro", "boss", "singularity-wizard"),
		solo("without", "saber", "boss", "vat-mother"),
		solo("without", "zoomorph", "boss", "jack-ice", "data", "known", "tough", "on"),
		solo("without", "galactic", "boss", "singularity-wizard", "data", "known"),
		solo("without", "mythic", "tough", "on"))
}

func TestUprisingHiddenCards(t *testing.T) {
	beliefs := []string{
		"refusal.card-elsewhere", "refusal.not-yours", "refusal.card-of",
		"refusal.unknown-card", "refusal.no-such-copy", "refusal.not-deck-top", "refusal.tops-known",
	}
	enginetest.Hidden(t, beliefs, func(seed uint64) (engine.Game, engine.Setup) {
		return uprising(), solo("boss", []string{"vat-mother", "jack-ice", "singularity-wizard"}[seed%3])
	})
}

func TestUprisingPromptsAreShort(t *testing.T) {
	enginetest.ShortPrompts(t, uprising(), "singularity-wizard-1")
}

// TestUprisingPage checks that the page explains every prompt, here or above,
// and that its match is won.
func TestUprisingPage(t *testing.T) {
	data, err := os.ReadFile("../../docs/inputs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(string(data), "\n# Mutants\n")
	ordinary, page, found := strings.Cut(page, "\n# Uprising\n")
	solo, _, _ := strings.Cut(page, "\n# Mindbug\n")
	if !found {
		t.Fatal("there is no such chapter")
	}
	v := enginetest.InputsPage(t, uprising(), solo+ordinary,
		func(prompt string) bool { return strings.HasPrefix(prompt, "may-") })
	if err := enginetest.Expect(v, "winners", "red"); err != nil {
		t.Error(err)
	}
}

// TestUprisingDescribes checks that a boss and its cards are described to those
// who cannot read them.
func TestUprisingDescribes(t *testing.T) {
	match, err := engine.NewMatch(uprising(), solo())
	if err != nil {
		t.Fatal(err)
	}
	words := match.Words()
	for card, want := range map[string]string{
		"vat-mother": "health: 40\nset-up: gain 1 power\nspecial power: each time you are attacked, gain 1 power",
		"acid-bath.2": "boss: Vat Mother\narrow: right\nDeploy: each opponent knocks down their mutant in " +
			"the same slot\nLeave: gain 1 power\nWeakness: 2 when knocked down",
		"heat-death.1": "boss: Singularity Wizard\narrow: left\nDeploy: not known yet\nLeave: not known " +
			"yet\nWeakness: not known yet",
	} {
		var lines []string
		for _, text := range match.State().(engine.Describer).Describe(card) {
			lines = append(lines, words.Say(engine.English, text, nil))
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%s is told as %q", card, got)
		}
	}
}

// TestUprisingOwnersBoss checks that "any" means a boss that an owner has
// entered, and that values learnt at the table complete it.
func TestUprisingOwnersBoss(t *testing.T) {
	const mine = `
boss mine en "My Boss"
boss mine health 12
action fist boss mine 3
action fist en Fist
action fist arrow left
action fist weakness ? when knocked down
action fist weakness 4 when ?
`
	lines, err := mutants.Definitions("mutants.txt", mine)
	if err != nil {
		t.Fatal(err)
	}
	s := solo()
	s.Definitions = lines
	match, err := engine.NewMatch(uprising(), s)
	if err != nil {
		t.Fatal(err)
	}
	v := match.View()
	if err := enginetest.Expect(v, "zone", "table", "boss", "mine"); err != nil {
		t.Error(err)
	}
	if err := enginetest.Expect(v, "table", "deck", "3"); err != nil {
		t.Error(err)
	}
	if err := enginetest.Expect(v, "no", "notice", "stand-in-boss"); err != nil {
		t.Error(err)
	}
	cards, err := uprising().(interface {
		Cards(bool, []string) (cardfile.Cards, error)
	}).Cards(false, lines)
	if err != nil {
		t.Fatal(err)
	}
	last := cards.Sheets[len(cards.Sheets)-1]
	if last.ID != "fist" || last.Copies != 3 ||
		cards.Words.Say(engine.English, last.Lines[2], nil) != "Weakness: 4 when knocked down" {
		t.Errorf("%+v", last)
	}
}

func FuzzUprising(f *testing.F) {
	begin := func(b byte) (engine.Game, engine.Setup) {
		return uprising(), solo("boss", []string{"vat-mother", "jack-ice", "singularity-wizard"}[int(b)%3], "data",
			[]string{"stand-in", "stand-in", "known"}[int(b)%3])
	}
	enginetest.FuzzApply(f, begin, func(match *engine.Match, pick enginetest.Picker) []string {
		if pick("card", "card", "counter") == "counter" {
			return []string{pick("hand", "deck", "power", "health", "round", "score"), pick("0", "1", "2", "5", "12")}
		}
		set := []string{pick(match.Game().Info().Cards...) + pick(".1", ".2"),
			pick("hand", "deck", "left", "active", "right", "discard", "removed", "freeze", "pool-1", "boss")}
		if pick("up", "up", "up", "face-down") == "face-down" {
			set = append(set, "face-down")
		}
		return set
	})
}
