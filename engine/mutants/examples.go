package mutants

// sentences complete what owners type: in the style of the cards and in both languages,
// by the word before them. Each is understood.
var sentences = map[string][]string{
	"": {
		"Gain 2 power.", "Draw 2 cards.", "Draw 2 cards, then discard 1.", "Discard 1 card to gain 2 power.",
		"Cycle 2 and gain 1 power.", "Freeze this mutant.", "You may freeze this mutant.",
		"Gain 1 power for each Cyber mutant in your arena.", "Each opponent loses 1 power.",
		"Attack: the leader loses 3 power.", "Choose one: gain 2 power, or draw 2 cards.",
		"If you are not in the Red Zone, lose 1 power.", "Gain a mutant to your hand.", "Put this card on top of your deck.",
		"Copy the Deploy ability of another mutant in your arena.", "none",
		"Gagnez 2 de Force.", "Piochez 2 cartes.", "Piochez 2 cartes, puis défaussez une carte.",
		"Recyclez 2, puis gagnez 1 de Force.", "Gelez ce mutant.",
		"Vous pouvez geler ce mutant.", "Chaque adversaire perd 1 de Force.",
	},
	"block": {"Ignore the attack.", "The attacker loses 1 power.",
		"Ignorez l'attaque.", "L'attaquant perd 1 de Force.", "none"},
	"ongoing": {"Each time you freeze: gain 2 power", "At the start of your turn, gain 1 power.",
		"Whenever an opponent crushes, draw a card.", "Each time a mutant leaves your arena, cycle 1.",
		"Chaque fois que vous gelez une carte, gagnez 2 de Force.", "Au début de votre tour, gagnez 1 de Force.", "none"},
	"power":  {"Each time you deploy: gain 1 power", "Each time the player freezes: gain 1 power", "none"},
	"set-up": {"Gain 2 power.", "none"},
}

// examples returns the sentences of a field that the parser reads.
func (p parser) examples(field string) []string {
	if list, found := sentences[field]; found {
		return list
	}
	if p.boss {
		return sentences["set-up"]
	}
	return sentences[""]
}
