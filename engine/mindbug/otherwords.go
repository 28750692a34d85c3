package mindbug

import (
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

func listen(p *cardfile.Parser) {
	p.Sentences()
	p.Translate(otherWords)
	p.TranslateFrench(french())
}

// otherWords maps phrases that people may type to the phrases that the card language uses
// instead.
var otherWords = map[string]string{
	"two of your creatures": "two of your creatures", "two": "2", "three": "3", "four": "4", "five": "5",
	"six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"destroy": "defeat", "this creature": "this", "this card": "this", "and then": "then", "life points": "life",
	"the opponent loses": "opponent loses", "your opponent loses": "opponent loses",
	"the opponent discards": "opponent discards", "your opponent discards": "opponent discards",
	"the opponent takes": "opponent takes", "your opponent takes": "opponent takes",
	"the opponent cannot": "opponent cannot", "your opponent cannot": "opponent cannot",
	"your other creatures": "other allied creatures", "at random from the opponent's hand": "",
	"each enemy creature": "all enemy creatures", "for each enemy creature": "per enemy creature",
}

// french returns the translator from French into phrases of the card language.
var french = sync.OnceValue(func() *cardfile.French {
	return cardfile.NewFrench(map[string]string{
		"gagnez": "gain", "perdez": "lose", "pv": "life", "points de vie": "life", "point de vie": "life",
		"l'adversaire perd": "opponent loses", "votre adversaire perd": "opponent loses",
		"l'adversaire défausse": "opponent discards", "votre adversaire défausse": "opponent discards",
		"l'adversaire prend": "opponent takes", "sa pioche": "their draw pile", "toute sa pioche": "their draw pile",
		"sa main et sa pioche": "their hand and draw pile", "défaussez": "discard", "volez": "steal",
		"au hasard dans la main adverse": "", "au hasard dans la main de l'adversaire": "",
		"carte": "card", "cartes": "cards", "une carte": "a card", "deux": "2", "trois": "3", "quatre": "4", "cinq": "5",
		"une carte de votre main au hasard": "a random card", "prenez toute votre défausse en main": "draw your discard pile",
		"piochez": "draw", "jouez": "play", "cette carte": "this", "cette créature": "this", "jouez-la": "play this",
		"votre défausse": "your discard pile", "de votre défausse": "from your discard pile",
		"la défausse adverse": "the opponent's discard pile", "de la défausse adverse": "from the opponent's discard pile",
		"de n'importe quelle défausse": "from any discard pile", "de votre main": "from your hand",
		"de la pile inutilisée": "from the unused pile", "à effet jouer": "with a play effect",
		"à effet détruit": "with a defeated effect",
		"détruisez":       "defeat", "détruire": "defeat", "éliminez": "defeat",

		"prenez sous votre contrôle": "take control of",
		"prenez le contrôle de":      "take control of", "prenez le contrôle d'une créature": "take control of a creature",
		"prenez le contrôle d'une créature ennemie": "take control of an enemy creature",
		"sous son contrôle":                         "control of", "le contrôle de": "control of", "renvoyez": "return",
		"dans votre main": "to your hand", "dans la main adverse": "to the opponent's hand",
		"copiez l'effet jouer d'une autre créature": "copy the play effect of another creature",
		"déclenchez l'effet jouer de":               "trigger the play effect of",

		"énergie": "energy", "cube d'énergie": "energy", "cubes d'énergie": "energy",
		"une carte énergie": "an energy card",
		"prenez":            "take", "gratuitement": "", "par créature ennemie": "per enemy creature", "jusqu'à": "up to",

		"créature": "creature", "créatures": "creatures", "une créature": "a creature", "ennemie": "enemy",
		"une créature ennemie": "an enemy creature", "une créature adverse": "an enemy creature",
		"une créature alliée": "an allied creature", "toutes les créatures": "all creatures",
		"toutes les créatures ennemies": "all enemy creatures", "toutes les créatures adverses": "all enemy creatures",
		"toutes les créatures alliées": "all allied creatures", "créatures ennemies": "enemy creatures",
		"toutes les autres créatures alliées": "all other allied creatures", "les créatures ennemies": "enemy creatures",
		"autres créatures alliées": "other allied creatures", "les autres créatures alliées": "other allied creatures",
		"vos autres créatures": "other allied creatures", "les créatures alliées": "allied creatures",
		"créatures alliées": "allied creatures", "les créatures": "creatures",
		"de puissance": "with power", "puissance": "power", "en puissance": "power", "ou plus": "or more",
		"ou moins": "or less", "à": "to", "de plus grande puissance": "with the highest power",
		"de plus faible puissance": "with the lowest power", "de même puissance": "with equal power", "avec": "with",
		"furie": "frenzy", "chasseur": "hunter", "venimeux": "poisonous", "furtif": "sneaky", "coriace": "tough",
		"cette créature a": "this has", "ont": "have", "ne peut pas attaquer": "cannot attack",
		"ne peuvent pas attaquer": "cannot attack", "ne peut pas bloquer": "cannot block",
		"ne peuvent pas bloquer":           "cannot block",
		"l'adversaire ne peut pas bloquer": "opponent cannot block",
		"ne peut pas être bloquée par":     "cannot be blocked by", "ce tour": "this turn", "ce tour-ci": "this turn",

		"puis": "then", "et": "and", "ou": "or", "si": "if", "tant que": "while", "vous pouvez": "you may",
		"facultatif": "may", "rien": "none", "aucun": "none", "aucune": "none",
		"vous avez moins de créatures que l'adversaire": "you have fewer creatures than the opponent",
		"vous avez plus de créatures que l'adversaire":  "you have more creatures than the opponent",
		"c'est votre tour": "it is your turn", "c'est votre seule créature": "this is your only creature",
		"vous avez exactement 1 pv": "you have exactly 1 life", "votre défausse est vide": "your discard pile is empty",
		"l'adversaire a 3 créatures ou plus": "the opponent has 3 or more creatures",
		"vous n'avez plus de mindbug":        "you have no mindbugs",
	})
})

// These variables hold examples of what owners type in French. The variable effectExamples
// holds examples of effects. The map ruleExamples holds examples of permanent abilities, by the
// name of their field. English needs no such list, because the cards of the boxes are the
// examples.
var (
	effectExamples = cardfile.Examples{engine.French: {
		"Gagnez 2 PV.", "L'adversaire perd 1 PV.", "L'adversaire défausse 2 cartes.", "Volez 1 carte.",
		"Détruisez une créature ennemie.", "Détruisez une créature de puissance 6 ou plus.",
		"Vous pouvez détruire une créature ennemie.", "Prenez le contrôle d'une créature ennemie.",
		"Jouez une carte de votre défausse.", "Piochez 2 cartes de la défausse adverse.",
		"Renvoyez toutes les créatures ennemies dans la main adverse.", "Une créature ne peut pas bloquer ce tour-ci.",
		"Si vous avez moins de créatures que l'adversaire : détruisez une créature.",
	}}
	ruleExamples = map[string]cardfile.Examples{"in-discard": {engine.French: {
		"Les créatures ennemies ne peuvent pas bloquer.", "Les créatures alliées ont +1 en puissance.",
	}}, "always": {engine.French: {
		"Tant que c'est votre tour : cette créature a +6 en puissance.", "Les autres créatures alliées ont +1 en puissance.",
		"Les autres créatures alliées ont CHASSEUR et VENIMEUX.", "Cette créature ne peut pas attaquer.",
		"Cette créature ne peut pas être bloquée par les créatures de puissance 6 ou plus.",
	}}}
)
