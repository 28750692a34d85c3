package genegrafter

import (
	_ "embed"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords is what cards and gaps are said with.
var cardWords = engine.MustWords("genegrafter/cardwords.txt", cardWordsFile)

// Words is the catalogue of the cards: their titles as card.<id>, and all
// that is said of them. A category whose colour is known says it.
func (d Data) Words() engine.Words {
	words := engine.Words{}
	for _, k := range d.Kinds {
		words["card."+k.ID] = cardfile.Titles(k.Names)
	}
	for i, colour := range d.Colours {
		if colour == "" {
			continue
		}
		said := map[engine.Lang]string{}
		for _, lang := range engine.Languages {
			said[lang] = cardWords.Say(lang, engine.T("category-colour",
				"category", engine.Word("keyword."+categoryNames[i]), "colour", engine.Word("colour."+colour)), nil)
		}
		words["keyword."+categoryNames[i]] = said
	}
	return engine.Merge(cardWords, words)
}

// Describe tells what a card is and does.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	for _, c := range s.Cards {
		if c.kind.ID == id { // with what was entered at the table
			return c.kind.Lines()
		}
	}
	return nil
}

// Lines tell a card: its kind, then a line for each thing that it prints.
func (k *Kind) Lines() []engine.Text {
	lines := []engine.Text{engine.T("kind." + typeNames[k.Type])}
	for i, name := range fieldNames {
		field := Field(1 << i)
		if field == FieldType || fieldsOf[k.Type]&field&(k.known|k.unknown()) == 0 {
			continue
		}
		if text, said := k.fieldText(field); said {
			lines = append(lines, engine.T("card-line", "field", engine.Word("field."+name), "text", text))
		}
	}
	return lines
}

// fieldText says a field; an ability that does no more than its dice has
// nothing to say.
func (k *Kind) fieldText(field Field) (engine.Text, bool) {
	if k.known&field == 0 {
		return engine.T("does.unknown"), true
	}
	number := func(n int) (engine.Text, bool) { return engine.T("dice", "n", n), true }
	switch field {
	case FieldAttack:
		return number(k.Attack)
	case FieldDefence:
		return number(k.Defence)
	case FieldBase:
		return number(k.Base)
	case FieldSuper:
		return number(k.Super)
	case FieldCategory:
		return engine.T("keyword." + categoryNames[k.Category]), true
	case FieldPlace:
		return engine.T("keyword." + k.Place), true
	case FieldPower:
		return listed(k.Powers.list())
	case FieldMarkers:
		var names []string
		for i, n := range k.Markers {
			for range n {
				names = append(names, categoryNames[i])
			}
		}
		return listed(names)
	}
	if len(k.Does) == 0 {
		return engine.Text{}, false
	}
	text := k.Does[0].Text()
	for _, s := range k.Does[1:] {
		text = engine.T("does.then", "first", text, "next", s.Text())
	}
	return text, true
}

func listed(names []string) (engine.Text, bool) {
	if len(names) == 0 {
		return engine.T("does.none"), true
	}
	text := engine.T("keyword." + names[0])
	for _, name := range names[1:] {
		text = engine.T("does.list", "first", text, "next", engine.T("keyword."+name))
	}
	return text, true
}

// Cards returns the cards of the box, with an owner's lines.
func (g *game) Cards(standIn bool, own []string) (cardfile.Cards, error) {
	d, _, err := withOwn(standIn, own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	cards := cardfile.Cards{Words: d.Words(), Gaps: d.gaps()}
	for _, k := range d.Kinds {
		sheet := cardfile.Sheet{ID: k.ID, Lines: k.Lines(), StandIn: k.StandIn(), Copies: k.Copies}
		cards.Sheets = append(cards.Sheets, sheet)
	}
	return cards, nil
}

// gaps lists what is unknown, then what stand-ins fill, in printed order.
func (d *Data) gaps() []engine.Text {
	var unknown, made []engine.Text
	add := func(list *[]engine.Text, gap string, k *Kind, field string) {
		*list = append(*list, engine.T(gap, "what", engine.CardWord(k.ID), "field", engine.Word("field."+field)))
	}
	for _, k := range d.Kinds {
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
			if k.unknown()&(1<<i) != 0 || name == "does" && k.has(ChangeDie) {
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
