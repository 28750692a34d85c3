// Package cardfile reads the files in which a game describes its cards, and in which
// an owner adds the facts from the box, one statement on each line:
//
//	card killer-bee power 5
//	card killer-bee defeated gain 2 life, then draw a card  # a comment
//
// The words of a statement are taken from a Line, the plain words of an ability
// from a Parser. Every mistake is an *engine.SyntaxError at the wrong word that
// lists what is allowed there. docs/cards.md describes the files.
//
// A table of Phrases reads and writes the values of a type, and knows their texts:
//
//	var piles = cardfile.Phrases[Pile]{
//		{OwnHand, "does.from.hand", "your hand / the hand"},
//		{Unused, "does.from.unused", "the unused pile"},
//	}
//
//	pile, err := piles.Read(p, "a pile")          // from a Parser
//	words := piles.Write(pile)                    // "your hand"
//	text := engine.T(piles.Key(pile))             // for people
//
// Forms does the same for phrases with holes, "gain <n> life".
//
// A Schema lists the fields of a card. Each field reads, sets and shows its
// value and reports whether it is missing:
//
//	var cardFields = cardfile.Schema[Kind]{
//		cardfile.Title(engine.English, "Killer Bee", (*Kind).names),
//		{Name: "defeated",
//			Read: cardfile.Value(readAbility, func(k *Kind, a Ability) { k.Defeated = a }),
//			Show: func(k *Kind) (engine.Text, bool) { return k.Defeated.Text(), k.Defeated.Does() },
//			Gap:  func(k *Kind) bool { return k.Defeated.Unknown }},
//	}
//
// A game reads a line's subject and id itself, then cardFields.Read completes
// the Statement. A Book keeps the statements about each card in an Entry; a
// later "?" removes nothing. A test of the game checks that the page for owners
// shows every field.
package cardfile
