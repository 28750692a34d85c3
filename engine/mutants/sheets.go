package mutants

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// Cards returns the cards of the box, as changed by the given lines of an owner's file. If
// standIn is true, made-up values (stand-ins) replace unknown values.
func (g *game) Cards(standIn bool, own []string) (cardfile.Cards, error) {
	d, err := build(g.edition.name, standIn, own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	cards := cardfile.Cards{Words: d.Words()}
	for i := range d.Bosses { // bosses need no tag, so there is no copy to learn
		b := &d.Bosses[i]
		cards.Sheets = append(cards.Sheets, cardfile.Sheet{ID: b.ID, Lines: b.Lines(), StandIn: b.StandIn,
			Gaps: bossFields.Gaps(b)})
	}
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.Copies() > 0 {
			sheet := cardfile.Sheet{ID: k.ID, Lines: k.Lines(), StandIn: k.StandIn, Copies: k.Copies(),
				Gaps: k.fields().Gaps(k)}
			cards.Sheets = append(cards.Sheets, sheet)
		}
	}
	for _, gap := range d.Missing() {
		cards.Gaps = append(cards.Gaps, gap.Text())
	}
	return cards, nil
}

// Describe returns the lines that describe a card, or nil if the match has no such card.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	if b := s.rules.boss; b != nil && b.ID == id {
		return b.Lines()
	}
	if k := s.rules.kinds[id]; k != nil {
		return k.Lines()
	}
	return nil
}

// Lines returns the lines that describe a boss: its health, its set-up and its power.
func (b *Boss) Lines() []engine.Text { return bossFields.Lines(b) }

// Lines returns the lines that describe a card. The lines tell the genes, each ability and the
// freeze value. For a boss's card, lines for the arrow and the weakness replace the genes and
// the freeze value.
func (k *Kind) Lines() []engine.Text {
	lines := k.fields().Lines(k)
	if k.Action != nil {
		return lines
	}
	return append(slices.Insert(lines, 0, k.genesText()), engine.T("card-worth", "text", k.Freeze.Text()))
}

func (k *Kind) genesText() engine.Text {
	text := engine.T(string(k.Genes[0].Word()))
	if len(k.Genes) > 1 {
		text = engine.T("card-genes", "first", text, "next", k.Genes[1].Word())
	}
	if k.Inferred {
		text = engine.T("card-inferred", "text", text)
	}
	return text
}

// A Gap is a field that the data lacks, or that has a made-up value (a stand-in).
type Gap struct {
	Card    string // "" for the board
	Field   string // of the card file
	StandIn bool   // filled with a made-up value
	N, Box  int    // of a boss's deck: action cards in the data and in the box
}

// Text returns the gap as people read it.
func (g Gap) Text() engine.Text {
	key := "gap.unknown"
	switch {
	case g.StandIn:
		key = "gap.stand-in"
	case slices.Contains(cardfile.LanguageFields, g.Field):
		key = "gap.no-name"
	}
	if g.Box > 0 {
		return engine.T("gap.deck", "what", engine.CardWord(g.Card), "n", g.N, "box", g.Box)
	}
	what := engine.Word("field.board")
	if g.Card != "" {
		what = engine.CardWord(g.Card)
	}
	return engine.T(key, "what", what, "field", engine.Word("field."+g.Field))
}

// Missing lists the gaps in the data. The gaps that are still open come first, then the gaps
// that have made-up values. Within both groups, the cards have their printed order, and the
// board comes last.
func (d Data) Missing() []Gap {
	var gaps []Gap
	add := func(card string, fields []string) {
		for _, field := range fields {
			gaps = append(gaps, Gap{Card: card, Field: field})
		}
	}
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.Copies() > 0 { // without copies there is no such card
			add(k.ID, k.fields().Gaps(k))
		}
	}
	for i := range d.Bosses {
		b := &d.Bosses[i]
		add(b.ID, bossFields.Gaps(b))
		if n, box := d.deck(b.ID), boxDecks[b.ID]; box > 0 && n != box {
			gaps = append(gaps, Gap{Card: b.ID, Field: "deck", N: n, Box: box})
		}
	}
	add("", boardFields.Gaps(&d.Board))
	return append(gaps, d.filledGaps...)
}

func removeTitleFields(fields []string) []string {
	return slices.DeleteFunc(fields, func(f string) bool { return slices.Contains(cardfile.LanguageFields, f) })
}
