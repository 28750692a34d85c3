package mutants

import (
	"slices"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// rulebookPhrases lists what the abilities of cards are said to do in the rulebooks of the first
// edition (EN) and of the newer one (FR), with the heading, and the row that plays it. A phrase
// without a row stays text.
var rulebookPhrases = []struct{ heading, printed, said, row string }{
	{"EN Player turn example, Sara, Tricera Tank", "gain 2 power and cycle 1", "Gain 2 power, then cycle 1.", "cycle"},
	{"FR Exemple de tour, Sara", "elle gagne 2 Force, puis elle Cycle 1", "Gagnez 2 Force, puis cyclez 1.", "gain-power"},
	{"EN Player turn example, Sara, Alien", "copy the Deploy ability of one of her other mutants",
		"Copy the Deploy ability of another of your mutants.", "copy"},
	{"EN Player turn example, Sara, Beast", "discard 2 cards to gain a mutant from her gene pool",
		"Discard 2 cards to gain 1 mutant to your hand.", "gain-card"},
	{"FR Exemple, Lycan", "défausser 2 cartes pour gagner un Mutant",
		"Défaussez 2 cartes pour gagner 1 Mutant dans votre main.", "discard"},
	{"EN Attack", "each opponent knocks down one mutant of their choice", "Each opponent knocks down 1 of their mutants.",
		"knock-down"},
	{"EN Attack, Laura, Valkyrie", "each opponent dominating her knocks down a mutant",
		"Each opponent dominating you knocks down 1 of their mutants.", "dominating"},
	{"FR Attaque, Laura, Guerrier", "les adversaires qui la dominent mettent K.O. leurs Mutants présents sur le même Flanc",
		"Chaque adversaire qui vous domine met K.O. son Mutant de la même zone.", "same"},
	{"FR Parade, John, Tyran Noir", "chaque adversaire qui le domine perd 2 Force",
		"Chaque adversaire qui vous domine perd 2 Force.", "lose-power"},
	{"FR Parade, Ted, Démonette", "mettre ce Mutant K.O. et gagner 1 Force", "Mettez K.O. ce Mutant et gagnez 1 Force.", "this"},
	{"EN Block", "ignore the attack", "Ignore the attack.", "ignore"},
	{"EN Copy, John, Zombie", "you may freeze this mutant", "You may freeze this mutant.", "may"},
	{"FR Copie, John, Zombie", "il peut geler ce Mutant", "Vous pouvez geler ce Mutant.", "freeze"},
	{"EN Copy, John, Super Novus", "copy another mutant's Leave ability", "Copy the Leave ability of another of your mutants.",
		"leave"},
	{"FR Copie, John, Supernovus", "copier la capacité de Déploiement ou de Retrait d'un autre Mutant",
		"Copiez la capacité de Déploiement ou de Retrait d'un autre de vos Mutants.", "either"},
	{"EN Cycle", "draw 2 cards, then discard 2 cards", "Draw 2 cards, then discard 2 cards.", "draw"},
	{"EN Draw", "shuffle the discard pile", "Shuffle your discard pile into your deck.", "shuffle"},
	{"EN Crush the competition", "all players discard all cards remaining in their hand", "Each player discards their hand.",
		"discard-hand"},
	{"EN Gain", "the mutant goes to the top of the deck", "Gain 1 mutant to the top of your deck.", "deck"},
	{"EN Gain", "the mutant goes to the Freeze zone", "Gain 1 mutant to your Freeze zone.", "freeze"},
	{"FR Gain", "un Mutant dans l'Incubateur", "Gagnez 1 Mutant dans votre Incubateur.", "incubator"},
	{"FR Gel", "une carte de la défausse", "Gelez 1 carte de votre défausse.", "freeze"},
	{"EN Knock down", "flip knocked-down mutants face-up", "Flip all knocked-down mutants in your Arena face up.", "flip-up"},
	{"FR K.O.", "retourner face visible un Mutant K.O.", "Retournez face visible 1 Mutant K.O. de votre Arène.", "some"},
	{"FR Permanent, Sarah, Noble Saigneur", "chaque fois qu'elle gèle un Mutant, elle gagne 2 Force",
		"Chaque fois que vous gelez 1 Mutant, gagnez 2 Force.", "freeze"},
	{"EN Transform", "transform", "Transform this mutant.", "transform"},
	{"FR Transformation, Ted, Xeleroth", "perdre 1 Force, puis copier une capacité de Déploiement",
		"Perdez 1 Force, puis copiez la capacité de Déploiement d'un autre de vos Mutants.", "copy"},
	{"FR Transformation, Ted, Tech-Tao", "prendre un Mutant de sa défausse, puis défausser une carte",
		"Placez 1 carte de votre défausse dans votre main, puis défaussez 1 carte.", "take"},
	{"EN Variable freeze value", "for each Necro gene in the Freeze zone",
		"Gain 1 power for each Necro gene in your Freeze zone.", "frozen-gene"},
	{"EN Ongoing", "at the end of the round", "Gain 2 power at the end of the round.", ""},
}

func TestRulebookPhrases(t *testing.T) {
	for _, c := range rulebookPhrases {
		a, err := parseAbility(c.said)
		if err != nil {
			a, err = abilityKind{waits: true}.read(cardfile.NewParser(c.said, 1))
		}
		if played := err == nil; played != (c.row != "") || played && !slices.Contains(rowsOf(a.said), c.row) {
			t.Errorf("%s, %q: %s is read as %v, %v", c.heading, c.printed, c.said, rowsOf(a.said), err)
			continue
		}
		var written []string
		for _, lang := range engine.Languages {
			written = append(written, engine.Capital(rows().Write(lang, a.said))+".")
		}
		if c.row != "" && !slices.Contains(written, c.said) {
			t.Errorf("%s is written %q", c.said, written)
		}
	}
}

// rowsOf lists the rows of a sentence.
func rowsOf(said cardfile.Slot) []string {
	ids := []string{said.Row}
	for _, inside := range said.Slots {
		ids = append(ids, rowsOf(inside)...)
	}
	return ids
}
