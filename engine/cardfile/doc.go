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
//
// What can be said of a card stands in a Schema, a row for each field, which
// reads and sets it, shows it, and tells whether it is missing:
//
//	var cardFields = cardfile.Schema[Kind]{
//		cardfile.Title(engine.English, "Killer Bee", (*Kind).names),
//		cardfile.Title(engine.French, "Killer Bee", (*Kind).names),
//		{Name: "power", Example: "5", Required: true,
//			Read: cardfile.Value(readPower, func(k *Kind, n int) { k.Power = n }),
//			Show: func(k *Kind) (engine.Text, bool) { return engine.T("card-power", "n", k.Power), true }},
//		{Name: "defeated",
//			Read: cardfile.Value(readAbility, func(k *Kind, a Ability) { k.Defeated = a }),
//			Show: func(k *Kind) (engine.Text, bool) { return k.Defeated.Text(), k.Defeated.Does() },
//			Gap:  func(k *Kind) bool { return k.Defeated.Unknown }},
//	}
//
// A game reads a line's subject and id itself, and leaves the rest to
// cardFields.Read, which makes a Statement of it. A Book puts the statements
// about each card together in an Entry: Add keeps what is known where a later
// line says "?", and what was made up; Check finds what a card lacks. Then
// cardFields.Lines are what a Sheet shows, cardFields.Gaps what nobody knows,
// and Entry.StandIns what was made up. A test walks the Schema to see that the
// page for owners shows every field.
package cardfile
