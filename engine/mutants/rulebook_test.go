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
	{"EN Player Turn Example, Sara", "Copy the Deploy ability of one of her other Mutants in the Arena",
		"Copy the Deploy ability of another of your mutants.", "copy"},
	{"EN Player Turn Example, Sara", "discards two cards from hand to gain a mutant from her Gene-pool",
		"Discard 2 cards to gain 1 mutant to your hand.", "gain-card"},
	{"EN Gain Power", "Gain power equal to the number shown", "Gain 2 power.", "gain-power"},
	{"EN Lose Power", "Lose power equal to the number shown", "Lose 2 power.", "lose-power"},
	{"EN Cycle", "draw 2 cards, then discard 2 cards", "Draw 2 cards, then discard 2 cards.", "draw"},
	{"EN Cycle", "Draw the indicated number of cards from the draw deck then discard the same number of cards",
		"Cycle 2.", "cycle"},
	{"EN Freeze", "Freeze a card", "Freeze 1 card from your hand.", "freeze"},
	{"EN Transform", "causes its mutant to immediately leave", "Transform this mutant.", "transform"},
	{"EN Attack", "Each opponent knocks down one mutant of their choice",
		"Each opponent knocks down 1 of their mutants.", "knock-down"},
	{"EN Attack, Laura", "causes each opponent dominating Laura to knock down a mutant",
		"Each opponent dominating you knocks down 1 of their mutants.", "dominating"},
	{"EN Block", "instead of resolving the effect of the attack", "Ignore the attack.", "ignore"},
	{"EN Knock Down", "flip knocked-down mutants face-up",
		"Flip all knocked-down mutants in your Arena face up.", "flip-up"},
	{"EN Gain", "the top of your deck", "Gain 1 mutant to the top of your deck.", "deck"},
	{"EN Gain", "your incubator", "Gain 1 mutant to your Incubator.", "incubator"},
	{"EN Gain", "your Freeze zone", "Gain 1 mutant to your Freeze zone.", "freeze"},
	{"EN Ongoing", "ongoing effects can no longer resolve", "Gain 2 power at the end of the round.", ""},
	{"EN Copy, John", "Copy another mutant's Leave ability",
		"Copy the Leave ability of another of your mutants.", "leave"},
	{"EN Copy", "mutant in your hand, your discard pile or gene-pool",
		"Copy the Leave ability of 1 card from your gene pool.", "pool"},
	{"EN Copy, John", "You may Freeze this Mutant", "You may freeze this mutant.", "may"},
	{"EN Variable Freeze Value", "for each Necro Gene in Sara's Freeze zone",
		"Gain 1 VP for each Necro gene in your Freeze zone.", "frozen-gene"},
	{"FR Gain de Force", "Gagnez autant de Force que la valeur indiquée", "Gagnez 2 Force.", "gain-power"},
	{"FR Cycle", "piochez 2 cartes, les ajoutez à votre main, puis défaussez 2 cartes", "Cyclez 2.", "cycle"},
	{"FR Attaque, Laura", "les adversaires dominant Laura à mettre K.O. leurs Mutants présents sur le même Flanc",
		"Chaque adversaire qui vous domine met K.O. son Mutant de la même zone.", "same"},
	{"FR Transformation, Ted", "choisit de prendre un Guerrier de sa défausse … et défausse un Lycan de sa main",
		"Placez 1 carte de votre défausse dans votre main, puis défaussez 1 carte.", "take"},
	{"FR Transformation, Ted", "perd donc 1 Force, puis choisit de Copier la capacité de Déploiement du Guerrier",
		"Perdez 1 Force, puis copiez la capacité de Déploiement d'un autre de vos Mutants.", "copy"},
	{"FR Parade, John", "chaque adversaire qui le domine à perdre 2 Force",
		"Chaque adversaire qui vous domine perd 2 Force.", "lose-power"},
	{"FR Parade, Sarah", "celle-ci se retrouve K.O. … et lui fait gagner 1 Force",
		"Mettez K.O. ce Mutant, puis gagnez 1 Force.", "this"},
	{"FR K.O.", "retournez face visible un Mutant K.O.",
		"Retournez face visible 1 Mutant K.O. de votre Arène.", "some"},
	{"FR Gain", "le dessus de votre deck", "Gagnez 1 Mutant sur le dessus de votre deck.", "deck"},
	{"FR Permanent, Sarah", "Chaque fois qu'elle Gèle un Mutant, elle gagne",
		"Chaque fois que vous gelez 1 Mutant, gagnez 2 Force.", "freeze"},
	{"FR Copie, John", "Copier la capacité de Déploiement ou de Retrait d'un autre Mutant",
		"Copiez la capacité de Déploiement ou de Retrait d'un autre de vos Mutants.", "either"},
	{"FR Copie, John", "Vous pouvez Geler ce Mutant", "Vous pouvez geler ce Mutant.", "may"},
	{"FR Furie", "si vous êtes en Furie", "Si vous êtes sur la case Furie, gagnez 1 PV.", "top"},
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
