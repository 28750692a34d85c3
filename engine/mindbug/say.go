package mindbug

import (
	"cmp"
	_ "embed"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cardwords.txt
var cardWordsFile string

// cardWords holds the texts that say what cards do, and which of their fields are unknown.
var cardWords = engine.MustWords("mindbug/cardwords.txt", cardWordsFile)

// Words returns the titles of the cards and the texts of their abilities. A title has the key
// "card.<id>". If a card has a title in only one language, the title is used for both
// languages.
func (d Data) Words() engine.Words {
	words := engine.Words{}
	for _, k := range d.Kinds {
		words["card."+k.ID] = cardfile.Titles(k.Names)
	}
	return engine.Merge(cardWords, words)
}

// Lines describes a card. The first line tells the power and the keywords. Further lines tell
// the dice, the level and the abilities, one line for each. An Energy card has a line for the
// price and a line for the effect.
func (k *Kind) Lines() []engine.Text {
	if k.Energy {
		return []engine.Text{engine.T("card-price", "n", k.Price), k.Effect.Text()}
	}
	lines := []engine.Text{engine.T("card-power", "n", k.Power)}
	if k.Keywords != noKeywords {
		lines[0] = engine.T("card-power-keywords", "n", k.Power, "words", k.Keywords.Text())
	}
	if k.Dice > 0 {
		lines = append(lines, engine.T("card-dice", "n", k.Dice))
	}
	for _, t := range triggers {
		if a := k.ability(t); !a.isNone() {
			lines = append(lines, engine.T("card-line", "trigger", engine.Word("trigger."+t), "text", a.Text()))
		}
	}
	if k.Level > 0 {
		lines = append(lines, engine.T("card-level", "n", k.Level))
	}
	if k.Into != "" {
		lines = append(lines, engine.T("card-into", "what", engine.CardWord(k.Into)))
	}
	for _, r := range k.Always {
		lines = append(lines, r.Text())
	}
	for _, r := range k.InDiscard {
		lines = append(lines, engine.T("card-line", "trigger", engine.Word("trigger.in-discard"), "text", r.Text()))
	}
	return lines
}

// Describe returns the lines that describe a card, or nil if the match has no such card.
func (s *state) Describe(card string) []engine.Text {
	id, _ := engine.SplitCopy(card)
	if k := s.rules.kinds[id]; k != nil {
		return k.Lines()
	}
	return nil
}

// Text returns the keywords as people read them.
func (k Keywords) Text() engine.Text {
	var text engine.Text
	for i, name := range k.list() {
		if word := engine.T("keyword." + name); i == 0 {
			text = word
		} else {
			text = engine.T("does.list", "first", text, "next", word)
		}
	}
	return text
}

// Text returns the ability as people read it: the sentence of the card file.
func (a Ability) Text() engine.Text {
	switch {
	case a.Printed != "":
		return engine.T("printed", "text", a.Printed)
	case a.Unknown:
		return engine.T("does.unknown")
	case len(a.Steps) == 0:
		return engine.T("does.none")
	}
	return sentence(a.said, a.Steps)
}

// Text returns the effect of a step as people read it.
func (s *Step) Text() engine.Text { return sentence(s.said, []Step{*s}) }

// textBefore4 returns what Text returned under rules before 4, for the marks of journals. Only
// these alternatives were in the boxes, and no other sentence of those rules is still read.
func (s *Step) textBefore4() engine.Text {
	one := engine.T("does.one", "n", 0)
	switch s.Do {
	case Boost:
		return engine.T("does.boost", "what", one, "n", s.N)
	case Defeat:
		return engine.T("does.defeat", "what", engine.T("does.with-boosts", "what", one), "n", 0)
	}
	return engine.T("does.take-boost", "n", 1)
}

// sentence writes what was read for people, who read the title of a creature where the card file
// has its id.
func sentence(said cardfile.Slot, steps []Step) engine.Text {
	return engine.T("does.sentence", "text", engine.Worded(func(lang engine.Lang) string {
		titles := map[string]string{}
		for s := range (&Ability{Steps: steps}).deeds {
			titles[s.Into] = s.title.In(lang)
		}
		return rows().Write(lang, titled(said, titles))
	}))
}

func titled(said cardfile.Slot, titles map[string]string) cardfile.Slot {
	if said.Name == "into" {
		said.Row = cmp.Or(titles[said.Row], said.Row)
	}
	said.Slots = slices.Clone(said.Slots)
	for i := range said.Slots {
		said.Slots[i] = titled(said.Slots[i], titles)
	}
	return said
}

// Text returns a permanent ability as people read it.
func (r Rule) Text() engine.Text {
	switch {
	case r.Printed != "":
		return engine.T("printed", "text", r.Printed)
	case r.Unknown:
		return engine.T("does.unknown")
	}
	return sentence(r.said, nil)
}

// Cards returns the cards of the edition's box and of the sets that extend the box. The lines
// of an owner's file change these cards. If one of the lines has a fault, Cards returns an
// error.
func (g *game) Cards(_ bool, own []string) (cardfile.Cards, error) {
	all, err := build(own)
	if err != nil {
		return cardfile.Cards{}, err
	}
	d := all.selectSets(slices.Concat(g.edition.sets, g.edition.extensions))
	cards := cardfile.Cards{Words: d.Words(), Gaps: d.gaps()}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		cards.Sheets = append(cards.Sheets, cardfile.Sheet{ID: k.ID, Lines: k.Lines(), Copies: k.Copies, Set: k.Set,
			Gaps: k.fields().Gaps(k)})
	}
	return cards, nil
}
