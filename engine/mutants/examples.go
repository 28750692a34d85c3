package mutants

import (
	"tableside/engine"
	"tableside/engine/cardfile"
)

// fieldExamples holds examples of what owners type in a field, in the style of the cards. The
// keys are the names of fields. The key "" is for all fields of a card that have no key of
// their own. The parser can read each example.
var fieldExamples = map[string]cardfile.Examples{
	"": {
		engine.English: {
			"Gain 2 power.", "Draw 2 cards.", "Draw 2 cards, then discard 1.", "Discard 1 card to gain 2 power.",
			"Cycle 2 and gain 1 power.", "Freeze this mutant.", "You may freeze this mutant.",
			"Gain 1 power for each Cyber mutant in your arena.", "Each opponent loses 1 power.",
			"Attack: the leader loses 3 power.", "Choose one: gain 2 power, or draw 2 cards.",
			"If you are not in the Red Zone, lose 1 power.", "Gain a mutant to your hand.", "Put this card on top of your deck.",
			"Copy the Deploy ability of another mutant in your arena.", "none",
		},
		engine.French: {
			"Gagnez 2 de Force.", "Piochez 2 cartes.", "Piochez 2 cartes, puis défaussez une carte.",
			"Cycle 2, puis gagnez 1 de Force.", "Gelez ce mutant.",
			"Vous pouvez geler ce mutant.", "Chaque adversaire perd 1 de Force.",
		},
	},
	"block": {
		engine.English: {"Ignore the attack.", "The attacker loses 1 power.", "none"},
		engine.French:  {"Ignorez l'attaque.", "L'attaquant perd 1 de Force."},
	},
	"ongoing": {
		engine.English: {"Each time you freeze: gain 2 power", "At the start of your turn, gain 1 power.",
			"Whenever an opponent crushes, draw a card.", "Each time a mutant leaves your arena, cycle 1.", "none"},
		engine.French: {"Chaque fois que vous gelez une carte, gagnez 2 de Force.",
			"Au début de votre tour, gagnez 1 de Force."},
	},
	"power": {
		engine.English: {"Each time you deploy: gain 1 power", "Each time the player freezes: gain 1 power", "none"},
		engine.French: {"Chaque fois que vous déployez un mutant, gagnez 1 de Force.",
			"Chaque fois que le joueur gèle, gagnez 1 de Force.", "aucun"},
	},
	"set-up": {
		engine.English: {"Gain 2 power.", "Gain 3 health.", "The player loses 1 power.", "none"},
		engine.French:  {"Gagnez 2 de Force.", "Gagnez 3 de Santé.", "Le joueur perd 1 de Force.", "aucune"},
	},
}

// weaknessExamples holds examples of weaknesses. Each example gives the health that the boss
// loses and the condition for this loss.
var weaknessExamples = cardfile.Examples{
	engine.English: {"3 when you breed", "2 when you block", "2 when knocked down", "1 when you are in the top space",
		"2 when something else", "none"},
	engine.French: {"3 si vous engendrez", "2 si vous faites une Parade", "2 s'il est mis K.O.",
		"1 si vous êtes sur la case Furie", "2 si autre chose", "aucune"},
}

func (p parser) examples(field string) cardfile.Examples {
	if list, found := fieldExamples[field]; found {
		return list
	}
	if p.boss {
		return fieldExamples["set-up"]
	}
	return fieldExamples[""]
}
