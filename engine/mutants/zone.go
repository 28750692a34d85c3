package mutants

import "tableside/engine/cardgame"

// A Zone is where a seat's card can lie. A set of zones is what is known of
// a card that nobody sees.
type Zone = cardgame.Place

const (
	InHand Zone = 1 << iota
	InDeck
	InActive
	InLeft
	InRight
	InIncubator
	InDiscard
	InFreeze
	InPile1 // the three piles of the gene pool
	InPile2
	InPile3
	InLeaving // out of the arena, its Leave ability is resolving
	OnBoard   // FR "La Révolte": the boss's own card, on its board
	InBox     // FR "Faiblesses": out of the game

	zoneCount = 14

	inArena = InActive | InLeft | InRight
	inPool  = InPile1 | InPile2 | InPile3
)

// zoneNames are the words of views, scripts and corrections.
var zoneNames = map[Zone]string{
	InHand: "hand", InDeck: "deck", InActive: "active", InLeft: "left", InRight: "right",
	InIncubator: "incubator", InDiscard: "discard", InFreeze: "freeze",
	InPile1: "pool-1", InPile2: "pool-2", InPile3: "pool-3", InLeaving: "leaving",
	OnBoard: "boss", InBox: "removed",
}
