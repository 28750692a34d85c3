package mutants_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/mutants"
)

// madeUp returns a box that an owner could have entered, which uses the whole card
// language.
func madeUp(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("testdata/cards/made-up.cards")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := mutants.Definitions("made-up.cards", string(source))
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// A writer makes up abilities from the words of the card language.
type writer struct{ *rand.Rand }

func (w writer) one(of ...string) string {
	words := strings.Fields(of[w.IntN(len(of))])
	for i, word := range words {
		if word == "<n>" {
			words[i] = fmt.Sprint(2 + w.IntN(2))
		}
	}
	return strings.Join(words, " ")
}

func (w writer) counted() string {
	return w.one("mutants in your arena", "other mutants in your arena", "knocked-down mutants in your arena",
		"saber mutants in your arena",
		"cards in your hand", "cards in your freeze zone", "necro cards in your freeze zone", "cards in your discard pile",
		"cards in your deck",
		"cards in your gene pool", "cyber genes in your arena", "opponents dominating you", "opponents in the red zone")
}

func (w writer) price() string {
	return w.one("discard <n> cards", "discard 1 card", "lose 1 power", "lose <n> power", "lose 1 victory point",
		"freeze this", "freeze a card from hand",
		"knock down a mutant", "knock down another mutant", "freeze a card from discard", "move the incubated mutant to deck",
		"move a card from hand to deck")
}

func (w writer) suffered() string {
	return w.one("lose 1 power", "lose <n> power or discard 1 card", "discard 1 card at random",
		"knock down the left mutant", "knock down a mutant and lose 1 power",
		"move the incubated mutant to discard", "knock down <n> mutants", "lose 1 power for each "+w.counted(),
		"lose 1 victory point", "swap the left and right mutants",
		"knock down their mutant in the same slot", "freeze the top card of the deck", "move a mutant to hand")
}

func (w writer) effect() string {
	switch w.IntN(4) {
	case 0:
		return "attack " + w.one("each opponent", "the leader", "opponents in the top space", "an opponent",
			"an opponent you dominate", "opponents dominating you") + ": " + w.suffered()
	case 1:
		return w.one("gain 1 power", "gain 1 victory point", "draw 1 card", "lose 1 power") + " for each " + w.counted()
	}
	return w.one("gain <n> power", "gain a mutant to hand", "gain up to <n> mutants to discard",
		"gain a mutant to incubator", "gain a mutant to freeze", "draw up to <n> cards",
		"discard up to <n> cards", "freeze up to <n> cards from hand", "freeze <n> cards from discard",
		"freeze the incubated mutant", "freeze the top card of the deck",
		"cycle <n>", "move this to incubator", "move this to hand", "move another mutant to deck", "move a mutant to discard",
		"take a card from discard to deck",
		"move the top card of the deck to incubator", "swap the left and right mutants", "flip a mutant face up",
		"flip the right mutant face up",
		"gain power equal to this mutant's freeze value", "gain power equal to its freeze value",
		"gain 1 power for each of them", "copy a deploy", "copy a leave from incubator",
		"copy a deploy from the left mutant", "gain 1 victory point", "lose 1 victory point", "knock down the active mutant")
}

func (w writer) ability() string {
	var parts []string
	for range 1 + w.IntN(3) {
		part := w.effect()
		switch w.IntN(5) {
		case 0:
			part = w.price() + " to " + part
		case 1:
			part = "may " + part
		case 2:
			part = "may " + w.price() + " to " + part
		}
		if w.IntN(4) == 0 && !strings.Contains(part, "attack") {
			part += " " + w.one("and", "or") + " " + w.effect()
		}
		if w.IntN(4) == 0 {
			part = "if " + w.one("dominated", "not in the red zone", "in the top space or incubating",
				"at least <n> "+w.counted(), "no "+w.counted(),
				"this is in the left slot") + ": " + part
			if w.IntN(2) == 0 {
				part += ", otherwise " + w.effect()
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", then ")
}

// cards returns a made-up line for each ability of each card.
func (w writer) cards() []string {
	var lines []string
	line := func(card, field, words string) {
		if len(strings.Fields(words)) < 50 {
			lines = append(lines, fmt.Sprintf("card %s %s %s", card, field, words))
		}
	}
	for _, card := range mutants.Games()[1].Info().Cards {
		// A card that returns as soon as it is deployed would be played forever.
		line(card, "deploy", strings.ReplaceAll(w.ability(), "move this to hand", "move this to deck"))
		line(card, "leave", w.ability())
		if w.IntN(4) == 0 {
			line(card, "block", w.one("ignore the attack", "attack the attacker: "+w.suffered(), w.ability()))
		}
		if w.IntN(3) == 0 {
			line(card, "ongoing", w.one("each time you freeze", "each time you deploy", "each time you are attacked",
				"at the start of your turn", "each time you attack",
				"each time you gain a mutant", "each time you cycle", "each time a mutant leaves your arena",
				"each time you transform", "each time you crush",
				"each time an opponent crushes")+": "+w.effect())
		}
	}
	return lines
}

// TestRandomCards checks the promises of every game with cards that have any
// ability of the card language.
func TestRandomCards(t *testing.T) {
	for _, game := range mutants.Games()[:2] {
		t.Run(game.Info().Name, func(t *testing.T) {
			t.Parallel()
			setups := []engine.Setup{setup(3)}
			setups[0].Definitions = madeUp(t)
			for seed := range uint64(5) {
				s := setup(2 + int(seed%3))
				s.Definitions = writer{rand.New(rand.NewPCG(seed, 7))}.cards()
				setups = append(setups, s)
			}
			enginetest.PromisesIn(t, 4, game, setups...)
		})
	}
}

// TestUprisingRandomCards does the same against a boss, who has no hand, no
// incubator and no score.
func TestUprisingRandomCards(t *testing.T) {
	own, random := solo(), solo()
	own.Definitions = madeUp(t)
	random.Definitions = writer{rand.New(rand.NewPCG(1, 8))}.cards()
	enginetest.PromisesIn(t, 4, uprising(), own, random)
}
