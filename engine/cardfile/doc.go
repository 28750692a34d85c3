// Package cardfile reads the files in which a game describes its cards, and in
// which an owner adds what the box says: a statement a line,
//
//	card killer-bee power 5
//	card killer-bee defeated gain 2 life, then draw a card  # a comment
//
// A game says which words may follow each other: with a Line for the words of
// a statement, with a Parser for the plain words of an ability. Every mistake
// is an *engine.SyntaxError at the word at fault, which says what could stand
// there. docs/cards.md describes the files.
//
// The words themselves stand in tables of Phrases, a row for each value, which
// reads, writes and says it:
//
//	var piles = cardfile.Phrases[Pile]{
//		{OwnHand, "does.from.hand", "your hand / the hand"},
//		{Unused, "does.from.unused", "the unused pile"},
//	}
//
//	pile, err := piles.Read(p, "a pile")          // at a Parser
//	words := piles.Write(pile)                    // "your hand"
//	text := engine.T(piles.Key(pile))             // for people
//
// Where phrases have holes for the fields of an effect, "gain <n> life", Forms
// are the same table with a Hole for each of them.
package cardfile
