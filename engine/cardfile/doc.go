// Package cardfile reads the files that describe the cards of a game. In such a file, an owner
// can add the facts from the box. A file has one statement on each line:
//
//	card killer-bee power 5
//	card killer-bee defeated gain 2 life, then draw a card  # a comment
//
// A Line gives the words of a statement. A Parser gives the plain words of an ability. Every
// mistake is an *engine.SyntaxError at the wrong word. The error lists what is allowed there.
// docs/cards.md describes the files.
//
// A Table reads and writes what cards do, in each language, from one row for each sentence:
//
//	said, err := p.Sentence(table, "ability", "deed") // from a Parser
//	words := table.Write(engine.French, said)         // for a file, and for people
//
// Genegrafter has no Table, but a grammar of its own, with tables of Phrases. Such a table
// reads and writes the values of a type, and knows their texts:
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
// Forms does the same for phrases with holes, such as "gain <n> life".
//
// A Schema lists the fields of a card. Each field reads, sets and shows its value, and reports
// whether the value is missing:
//
//	var cardFields = cardfile.Schema[Kind]{
//		cardfile.Title(engine.English, "Killer Bee", (*Kind).names),
//		{Name: "defeated",
//			Read: cardfile.Value(readAbility, func(k *Kind, a Ability) { k.Defeated = a }),
//			Show: func(k *Kind) (engine.Text, bool) { return k.Defeated.Text(), k.Defeated.Does() },
//			Gap:  func(k *Kind) bool { return k.Defeated.Unknown }},
//	}
//
// The game itself reads the subject and the id of a line. Then cardFields.Read completes the
// Statement. A Book keeps the statements about each card in an Entry. A later "?" removes
// nothing. A test of the game checks that the page for owners shows every field.
package cardfile
