package mutants

import "tableside/engine/cardfile"

// Define checks the text of an owner's file and returns its lines.
func (g *game) Define(file, source string) ([]string, error) { return Definitions(file, source) }

// Cards are those of the box with an owner's lines, and with what was made up
// for what is not known.
func (g *game) Cards(standIn bool, own []string) (cardfile.Cards, error) {
	d, err := build(g.edition.name, standIn, own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	cards := cardfile.Cards{Words: d.Words()}
	for i := range d.Bosses { // they need no tag, so there is no copy to learn
		b := &d.Bosses[i]
		cards.Sheets = append(cards.Sheets, cardfile.Sheet{ID: b.ID, Lines: b.Lines(), StandIn: b.StandIn})
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		if k.Copies() > 0 {
			cards.Sheets = append(cards.Sheets, cardfile.Sheet{ID: k.ID, Lines: k.Lines(), StandIn: k.StandIn, Copies: k.Copies()})
		}
	}
	for _, gap := range d.Missing() {
		cards.Gaps = append(cards.Gaps, gap.Text())
	}
	return cards, nil
}
