package genegrafter

import (
	_ "embed"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords holds the texts that say what cards do, and which of their fields are unknown.
var cardWords = engine.MustWords("genegrafter/cardwords.txt", cardWordsFile)

// Words returns the texts of the cards. The title of a card has the key card.<id>. If the
// colour of a category is known, the name of the category includes the colour.
func (d Data) Words() engine.Words {
	words := engine.Words{}
	for _, k := range d.Kinds {
		words["card."+k.ID] = cardfile.Titles(k.Names)
	}
	for i, colour := range d.Colours {
		if colour == "" {
			continue
		}
		keyword := "keyword." + categoryNames[i]
		text := engine.T("category-colour", "category", engine.Word(keyword), "colour", engine.Word("colour."+colour))
		words[keyword] = engine.Worded(func(lang engine.Lang) string { return cardWords.Say(lang, text, nil) })
	}
	return engine.Merge(cardWords, words)
}

// Describe returns the lines that describe a card, or nil if the match has no such card.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	for _, c := range s.Cards {
		if c.kind.ID == id { // with what was entered at the table
			return c.kind.Lines()
		}
	}
	return nil
}

// Cards returns the cards of the box, changed by the lines of an owner's file. If standIn is
// true, made-up values (stand-ins) replace unknown values. If one of the owner's lines has a
// fault, Cards returns an error.
func (g *game) Cards(standIn bool, own []string) (cardfile.Cards, error) {
	d, _, err := withOwn(standIn, own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	cards := cardfile.Cards{Words: d.Words(), Gaps: d.gaps()}
	for _, k := range d.Kinds {
		sheet := cardfile.Sheet{ID: k.ID, Lines: k.Lines(), StandIn: k.madeUpFields != 0, Copies: k.Copies,
			Gaps: cardFields.Gaps(k), Slot: k.slot}
		cards.Sheets = append(cards.Sheets, sheet)
	}
	return cards, nil
}

// gaps lists first the unknown fields, and then the fields that the project has made up. Both
// groups are in printed order.
func (d *Data) gaps() []engine.Text {
	var unknown, made []engine.Text
	for _, k := range d.Kinds {
		card := engine.CardWord(k.ID)
		if k.workingTitle {
			unknown = append(unknown, engine.T("gap.working-title", "what", card))
		}
		for _, name := range cardFields.Gaps(k) {
			gap := "gap.unknown"
			if fieldNamed(name) == 0 {
				gap = "gap.no-name"
			}
			unknown = append(unknown, engine.T(gap, "what", card, "field", engine.Word("field."+name)))
		}
		for _, name := range fieldNames {
			if k.madeUpFields&fieldNamed(name) != 0 && !k.invented {
				made = append(made, engine.T("gap.stand-in", "what", card, "field", engine.Word("field."+name)))
			}
		}
		if k.invented {
			made = append(made, engine.T("gap.invented", "what", card))
		}
	}
	if slices.Contains(d.Colours[:], "") {
		unknown = append(unknown, engine.T("gap.colours"))
	}
	if d.SixthFace == "" {
		unknown = append(unknown, engine.T("gap.sixth-face"))
	}
	return append(unknown, made...)
}
