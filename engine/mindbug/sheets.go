package mindbug

import (
	"slices"

	"tableside/engine/cardfile"
)

// Define checks the text of an owner's file and returns its lines.
func (g *game) Define(file, source string) ([]string, error) { return Definitions(file, source) }

// Cards are those of the edition's box and of what is added to it, with an
// owner's lines.
func (g *game) Cards(_ bool, own []string) (cardfile.Cards, error) {
	all, err := build(own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	d := all.of(slices.Concat(g.edition.sets, g.edition.more))
	cards := cardfile.Cards{Words: d.Words()}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		cards.Sheets = append(cards.Sheets, cardfile.Sheet{ID: k.ID, Lines: k.Lines(), Copies: k.Copies})
	}
	for _, gap := range d.Missing() {
		cards.Gaps = append(cards.Gaps, gap.Text())
	}
	return cards, nil
}
