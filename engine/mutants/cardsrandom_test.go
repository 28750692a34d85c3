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
		"Saber mutants in your arena",
		"cards in your hand", "cards in your freeze zone", "Necro cards in your freeze zone", "cards in your discard pile",
		"cards in your deck",
		"cards in your gene pool", "Cyber genes in your arena", "opponents dominating you", "opponents in the red zone")
}

var plural = strings.NewReplacer("mutants", "mutant", "cards", "card", "genes", "gene", "opponents", "opponent")

func (w writer) each() string { return "for each " + plural.Replace(w.counted()) }

func (w writer) price() string {
	return w.one("discard <n> cards", "discard 1 card", "lose 1 power", "lose <n> power", "lose 1 VP",
		"freeze this mutant", "freeze 1 card from your hand",
		"knock down 1 of your mutants", "knock down 1 of your other mutants", "freeze 1 card from your discard pile",
		"move the mutant in your incubator to the top of your deck",
		"move 1 card from your hand to the top of your deck")
}

func (w writer) attack() string {
	return w.one("each opponent", "the opponent dominating everybody", "each opponent in the top space",
		"an opponent of your choice",
		"an opponent of your choice whom you dominate", "each opponent dominating you") + " " + w.suffered()
}

func (w writer) suffered() string {
	return w.one("loses 1 power", ", as they choose, loses <n> power or discards 1 card", "discards 1 card at random",
		"knocks down the mutant in their left slot", "knocks down 1 of their mutants and loses 1 power",
		"moves the mutant in their incubator to their discard pile", "knocks down <n> of their mutants",
		"loses 1 power "+w.each(), "loses 1 VP", "swaps the mutants in their left and right slots",
		"knocks down their mutant in the same slot", "freezes the top card of their deck",
		"moves 1 of their mutants to their hand")
}

func (w writer) effect() string {
	if w.IntN(4) == 0 {
		return w.one("gain 1 power", "gain 1 VP", "draw 1 card", "lose 1 power") + " " + w.each()
	}
	return w.one("gain <n> power", "gain 1 mutant to your hand", "gain up to <n> mutants to your discard pile",
		"gain 1 mutant to your incubator", "gain 1 mutant to your freeze zone", "draw up to <n> cards",
		"discard up to <n> cards", "freeze up to <n> cards from your hand", "freeze <n> cards from your discard pile",
		"freeze the mutant in your incubator", "freeze the top card of your deck",
		"cycle <n>", "move this mutant to your incubator", "move this mutant to your hand",
		"move 1 of your other mutants to the top of your deck", "move 1 of your mutants to your discard pile",
		"move 1 card from your discard pile to the top of your deck",
		"move the top card of your deck to your incubator", "swap the mutants in your left and right slots",
		"flip 1 knocked-down mutant in your arena face up", "flip the knocked-down mutant in your right slot face up",
		"gain power equal to this mutant's freeze value", "gain power equal to that card's freeze value",
		"gain 1 power for each of those cards", "copy the deploy ability of another of your mutants",
		"copy the leave ability of the mutant in your incubator",
		"copy the deploy ability of the mutant in your left slot", "gain 1 VP", "lose 1 VP", "knock down your active mutant")
}

// wish returns what a part does, with "you may", a price, or both.
func (w writer) wish() string {
	if w.IntN(4) == 0 {
		if w.IntN(4) == 0 {
			return "you may attack: " + w.attack()
		}
		return w.attack()
	}
	may, price, more := w.IntN(5) == 0, w.IntN(5) == 0, ""
	if w.IntN(4) == 0 {
		more = " and " + w.effect()
	}
	does := w.effect() + more
	if w.IntN(6) == 0 {
		does = "choose one: " + does + " or " + w.effect()
	}
	if price {
		does = w.price() + " to " + does
	}
	if may {
		does = "you may " + does
	}
	return does
}

func (w writer) ability() string {
	var b strings.Builder
	for i := range 1 + w.IntN(3) {
		if i > 0 {
			b.WriteString(w.one(", then ", ", then ", ".") + " ")
		}
		part := w.wish()
		if w.IntN(4) == 0 {
			part = "if " + w.one("an opponent dominates you", "you are not in the red zone",
				"you are in the top space or your incubator holds a mutant",
				"you have at least <n> "+w.counted(), "you have no "+w.counted(),
				"this mutant is in your left slot") + ", " + part
			if w.IntN(2) == 0 {
				part += ", otherwise, " + w.effect()
			}
		}
		b.WriteString(part)
	}
	return b.String()
}

// cards returns a made-up line for each ability of each card.
func (w writer) cards() []string {
	var lines []string
	line := func(card, field, words string) {
		if len(strings.Fields(words)) < 55 {
			lines = append(lines, fmt.Sprintf("card %s %s %s", card, field, words))
		}
	}
	for _, card := range mutants.Games()[1].Info().Cards {
		// A card that returns as soon as it is deployed would be played forever.
		line(card, "deploy", strings.ReplaceAll(w.ability(), "move this mutant to your hand",
			"move this mutant to the top of your deck"))
		line(card, "leave", w.ability())
		if w.IntN(4) == 0 {
			line(card, "block", w.one("ignore the attack", "the attacker "+w.suffered(), w.ability()))
		}
		if w.IntN(3) == 0 {
			line(card, "ongoing", w.one("each time you freeze 1 mutant", "each time you deploy 1 mutant",
				"each time you are attacked",
				"at the start of your turn", "each time you attack",
				"each time you gain 1 mutant", "each time you cycle", "each time 1 of your mutants leaves the arena",
				"each time you transform 1 mutant", "each time you crush the competition",
				"each time an opponent crushes the competition")+", "+w.wish())
		}
	}
	return lines
}

// TestRandomLines checks that every made-up line is a sentence of the table.
func TestRandomLines(t *testing.T) {
	for seed := range uint64(20) {
		lines := writer{rand.New(rand.NewPCG(seed, 7))}.cards()
		if _, err := mutants.Definitions("f", strings.Join(lines, "\n")); err != nil {
			t.Error(err)
		}
	}
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
