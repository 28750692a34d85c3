package genegrafter

import (
	"tableside/engine"
	"tableside/engine/cardfile"
)

// effectExamples holds examples that complete what owners type. The examples are in the style of
// the cards, and the parser can read each example.
var effectExamples = cardfile.Examples{
	engine.English: {
		"Draw 2 cards.", "Heal a character.", "Reroll one of your dice.", "Reroll one of your opponent's dice.",
		"Add 2 to one of your dice.", "Turn one of your dice to a 6.", "Opponent has 1 die less.", "Gain 1 health.",
		"Take an attack token.", "Take a defence token.", "Opponent discards 1 card.", "Each opponent discards 1 card.",
		"If your character has Luck, draw 1 card.", "Each player draws 1 card.", "Each player loses 1 health.",
		"Each player discards 2 cards.", "Heal all characters.", "All characters become tired.",
		"Shuffle the discard pile into the deck.", "+1 attack", "+1 defence", "+1 attack, worn on the head.",
		"+2 defence, worn on the torso.", "none",
	},
	engine.French: {
		"Piochez 2 cartes.", "Soignez un personnage.", "Relancez un de vos dés.", "Relancez un dé de votre adversaire.",
		"Tournez un de vos dés sur 6.", "Prenez un marqueur d'attaque.", "Prenez un marqueur de défense.",
		"Votre adversaire défausse 1 carte.", "Chaque adversaire défausse 1 carte.", "Chaque joueur pioche 1 carte.",
		"Chaque joueur perd 1 point de vie.", "Chaque joueur défausse 2 cartes.", "Soignez tous les personnages.",
		"Mélangez la défausse dans la pioche.", "+1 attaque", "+1 défense",
	},
}
