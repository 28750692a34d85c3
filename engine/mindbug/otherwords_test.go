package mindbug

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// TestPeopleSay reads sentences as people type them from a card, also in French.
func TestPeopleSay(t *testing.T) {
	for _, c := range [][2]string{
		{"Gain 2 life.", "gain 2 life"},
		{"Gain two life. Then defeat a creature.", "gain 2 life, then defeat a creature"},
		{"The opponent loses 1 life.", "opponent loses 1 life"},
		{"Your opponent discards 2 cards", "opponent discards 2 cards"},
		{"You may destroy an enemy creature with power 5 or less.",
			"may defeat an enemy creature with power 5 or less"},
		{"Steal 2 cards at random from the opponent's hand.", "steal 2 cards"},
		{"Gagnez 2 PV.", "gain 2 life"},
		{"Gagnez deux points de vie, puis perdez 1 PV", "gain 2 life, then lose 1 life"},
		{"L'adversaire perd 1 PV", "opponent loses 1 life"},
		{"Votre adversaire défausse 2 cartes.", "opponent discards 2 cards"},
		{"L'adversaire défausse sa main et sa pioche", "opponent discards their hand and draw pile"},
		{"Volez 2 cartes au hasard dans la main adverse", "steal 2 cards"},
		{"Détruisez une créature ennemie de puissance 5 ou moins", "defeat an enemy creature with power 5 or less"},
		{"Détruisez jusqu'à 2 créatures ennemies", "defeat up to 2 enemy creatures"},
		{"Détruisez toutes les autres créatures alliées", "defeat all other allied creatures"},
		{"Détruisez toutes les créatures de plus faible puissance", "defeat all creatures with the lowest power"},
		{"Vous pouvez détruire une créature avec VENIMEUX", "may defeat a creature with poisonous"},
		{"Facultatif, perdez 1 PV", "may lose 1 life"},
		{"Prenez le contrôle d'une créature de puissance 6 ou plus",
			"take control of a creature with power 6 or more"},
		{"Prenez sous votre contrôle une créature ennemie", "take control of an enemy creature"},
		{"L'adversaire prend le contrôle de cette créature", "opponent takes control of this"},
		{"Jouez une carte de la défausse adverse", "play a card from the opponent's discard pile"},
		{"Jouez une carte à effet Jouer de votre défausse", "play a card with a play effect from your discard pile"},
		{"Piochez 2 cartes de la défausse adverse", "draw 2 cards from the opponent's discard pile"},
		{"Renvoyez toutes les créatures ennemies dans la main adverse",
			"return all enemy creatures to the opponent's hand"},
		{"Une créature ne peut pas bloquer ce tour-ci", "a creature cannot block this turn"},
		{"Cette créature a +2 en puissance ce tour-ci", "this has +2 power this turn"},
		{"Gagnez 1 cube d'Énergie par créature ennemie", "gain 1 energy per enemy creature"},
		{"Prenez une carte Énergie gratuitement", "take an energy card"},
		{"Si vous avez moins de créatures que l'adversaire : détruisez une créature",
			"if you have fewer creatures than the opponent: defeat a creature"},
		{"Gagnez 1 PV ou perdez 1 PV", "gain 1 life or lose 1 life"},
		{"Rien", "none"},
	} {
		said, means := c[0], c[1]
		got, err := ParseAbility(said)
		want, _ := ParseAbility(means)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, %v", said, got, err)
		}
	}
}

// TestPeopleRule reads permanent abilities in the same way.
func TestPeopleRule(t *testing.T) {
	rule := func(words string) string {
		list, _, err := parseRule(cardfile.NewParser(words, 1), false)
		return fmt.Sprint(list, err)
	}
	for _, c := range [][2]string{
		{"Your other creatures have +1 power.", "other allied creatures have +1 power"},
		{"This creature cannot attack.", "this cannot attack"},
		{"Tant que c'est votre tour : cette créature a +6 en puissance", "while it is your turn: this has +6 power"},
		{"Vos autres créatures ont CHASSEUR et VENIMEUX.", "other allied creatures have hunter and poisonous"},
		{"Les créatures ennemies ne peuvent pas bloquer", "enemy creatures cannot block"},
		{"L'adversaire ne peut pas bloquer avec les créatures de puissance 7 ou plus",
			"opponent cannot block with creatures with power 7 or more"},
		{"Cette créature ne peut pas être bloquée par les créatures de puissance 6 ou moins",
			"this cannot be blocked by creatures with power 6 or less"},
		{"Tant que votre défausse est vide : cette créature a FURIE",
			"while your discard pile is empty: this has frenzy"},
	} {
		said := c[0]
		if got, want := rule(said), rule(c[1]); got != want {
			t.Errorf("%s: got %s, want %s", said, got, want)
		}
	}
}

// TestFrenchMistakes checks that errors in French name French words where the sentence may
// be French, and only there; in English they name the words of the card language.
func TestFrenchMistakes(t *testing.T) {
	french := cardfile.Translations(faultsFile)
	for said, want := range map[string]string{
		"Gagner 2 PV":        `"gagner" n'est pas un effet ; vouliez-vous dire "gagnez" ?`,
		"Gagnez 2 PVs":       `vouliez-vous dire "pv" ?`,
		"Gagnez 2":           `rien ne suit "2" : on attend pv ou énergie`,
		"gain 2 lives":       `"lives" ne peut pas suivre "2" : on attend life ou energy`,
		"Si c'est votre":     `vous avez plus de créatures que l'adversaire, c'est votre tour`,
		"Volez":              `il manque un nombre de 1 à`,
		"L'adversaire mange": `on attend gagnez, perdez`,
	} {
		_, err := ParseAbility(said)
		var e *engine.SyntaxError
		if !errors.As(err, &e) || !strings.Contains(french.Say(e), want) {
			t.Errorf("%s: got %v, in French %s, want %s", said, err, french.Say(e), want)
		}
	}
	if _, err := ParseAbility("Gagnez 2"); !strings.Contains(fmt.Sprint(err), "expected life or energy") {
		t.Errorf("got %v", err)
	}
}
