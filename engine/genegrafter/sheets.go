package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// Cards are those of the box, with an owner's lines.
func (g *game) Cards(standIn bool, own []string) (cardfile.Cards, error) {
	lines, err := parseOwn(own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	d, err := with(standIn, lines)
	if err != nil {
		return cardfile.Cards{}, err
	}
	cards := cardfile.Cards{Words: d.Words(), Gaps: d.gaps()}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		cards.Sheets = append(cards.Sheets, cardfile.Sheet{ID: k.ID, Lines: k.Lines(), StandIn: k.StandIn(), Copies: k.Copies})
	}
	return cards, nil
}

// gaps lists what is unknown, then what stand-ins fill, in printed order.
func (d *Data) gaps() []engine.Text {
	var unknown, made []engine.Text
	add := func(list *[]engine.Text, gap string, k *Kind, field string) {
		*list = append(*list, engine.T(gap, "what", engine.CardWord(k.ID), "field", engine.Word("field."+field)))
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, lang := range cardfile.LanguageFields {
			if k.Names[lang] == "" {
				add(&unknown, "gap.no-name", k, lang)
			}
		}
		if k.workingTitle {
			unknown = append(unknown, engine.T("gap.working-title", "what", engine.CardWord(k.ID)))
		}
		if !k.invented && k.before > 0 {
			switch {
			case k.known&FieldCopies == 0:
				add(&unknown, "gap.unknown", k, "copies")
			case k.made&FieldCopies != 0:
				add(&made, "gap.stand-in", k, "copies")
			}
		}
		for i, name := range fieldNames {
			if k.unknown()&(1<<i) != 0 || name == "does" && slices.ContainsFunc(k.Does, func(s Step) bool { return s.Do == ChangeDie }) {
				add(&unknown, "gap.unknown", k, name)
			}
			if k.made&(1<<i) != 0 && !k.invented {
				add(&made, "gap.stand-in", k, name)
			}
		}
		if k.invented {
			made = append(made, engine.T("gap.invented", "what", engine.CardWord(k.ID)))
		}
	}
	if slices.Contains(d.Colours[:], "") {
		unknown = append(unknown, engine.T("gap.colours"))
	}
	return append(append(unknown, engine.T("gap.sixth-face")), made...)
}
