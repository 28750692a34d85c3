package mutants_test

import (
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
)

// uprising is the solo mode.
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
	enginetest.Promises(t, uprising(),
		solo(),
		mosh,
		solo("without", "cyber", "boss", "jack-ice"),
		solo("data", "known"))
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

// TestUprisingPage: the page explains every prompt there is, here or above,
// and its match is won.
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
	v := enginetest.InputsPage(t, uprising(), solo+ordinary, func(prompt string) bool { return strings.HasPrefix(prompt, "may-") })
	if err := enginetest.Expect(v, "winners", "red"); err != nil {
		t.Error(err)
	}
}
