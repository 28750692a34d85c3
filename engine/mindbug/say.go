package mindbug

import (
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
	for _, r := range k.Always {
		lines = append(lines, r.Text())
	}
	for _, r := range k.InDiscard {
		lines = append(lines, engine.T("card-line", "trigger", engine.Word("trigger.in-discard"), "text", r.Text()))
	}
	if len(k.UnknownRules) > 0 {
		lines = append(lines, engine.T("does.unknown"))
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

// Text returns the ability as people read it. Data.Words returns the words of this text.
func (a Ability) Text() engine.Text {
	switch {
	case a.Unknown:
		return engine.T("does.unknown")
	case len(a.Steps) == 0:
		return engine.T("does.none")
	}
	text := a.Steps[0].Text()
	for _, s := range a.Steps[1:] {
		text = engine.T("does.then", "first", text, "next", s.Text())
	}
	return text
}

// Text returns one part of an ability as people read it.
func (s Step) Text() engine.Text {
	text := engine.T(effectForms.Phrases.Key(s.Do), "n", s.N)
	if countsOf[s.Do] != nil {
		text = engine.T(text.Key, "what", s.Creatures.Text(), "n", s.N)
	}
	switch s.Do {
	case Evolve:
		text = engine.T(text.Key, "what", engine.CardWord(s.Into))
	case PlayCard, DrawCard:
		text = engine.T(text.Key, "what", s.Card.text(s.N), "from", engine.T(pileForms.Key(s.From)))
	case ThisTurn:
		text = engine.T(text.Key, "do", s.Gift.Text())
	}
	if s.Or != nil {
		text = engine.T("does.or", "first", text, "next", s.Or.Text())
	}
	if s.May {
		text = engine.T("does.may", "do", text)
	}
	if s.If != Always {
		text = engine.T("does.if", "when", engine.T(conditionForms.Key(s.If)), "do", text)
	}
	return text
}

// text returns the phrase for a number of cards of a pile, as people read it. For one card,
// the phrase also says which cards fit the filter.
func (f Filter) text(n int) engine.Text {
	switch {
	case n > 1:
		return engine.T("does.cards", "n", n)
	case f.Trigger != "":
		return engine.T("does.card-with", "trigger", engine.Word("trigger."+f.Trigger))
	case f.Low > 0:
		return engine.T("does.card-low", "n", f.Low)
	}
	return engine.T("does.card")
}

// Text returns the phrase for the creatures, as people read it: "all enemy creatures with
// power 4 or less".
func (c Creatures) Text() engine.Text { return c.text(countForms.Phrases.Key(c.Count)) }

func (c Creatures) text(count string) engine.Text {
	if c.Side == This {
		return engine.T("does.this")
	}
	text := engine.T(count+sideForms.Key(c.Side), "n", c.N)
	key := traitForms.Phrases.Key(c.trait())
	switch {
	case key == "":
		return text
	case c.Low > 0 && c.High > 0:
		return engine.T(key, "what", text, "low", c.Low, "high", c.High)
	case c.Low > 0 || c.High > 0:
		return engine.T(key, "what", text, "n", max(c.Low, c.High))
	case c.Keywords != noKeywords:
		return engine.T(key, "what", text, "words", c.Keywords.Text())
	}
	return engine.T(key, "what", text)
}

// Text returns a permanent ability as people read it.
func (r Rule) Text() engine.Text {
	key := ruleForms.Phrases.Key(r.Ruling)
	switch {
	case r.Ruling == Have:
		key += r.giftKey()
	case r.Creatures.Side == This && (r.Ruling == CannotAttack || r.Ruling == CannotBlock || r.Ruling == Idle):
		key += ".this"
	case r.Ruling == CannotBlock && r.Creatures.Side == AnySide:
		key = "does.cannot-block-any"
	}
	text := engine.T(key, "who", r.Creatures.text("does.those"), "n", max(r.Power, -r.Power, r.Dice),
		"words", r.Keywords.Text())
	if r.While != Always {
		text = engine.T("does.while", "when", engine.T(conditionForms.Key(r.While)), "do", text)
	}
	return text
}

// giftKey returns the last part of a key that begins with "does.have-". This part stands for
// what a rule gives, such as "dice" or "power".
func (r Rule) giftKey() string {
	switch {
	case r.Per:
		return "per"
	case r.Dice > 0:
		return "dice"
	case r.Power < 0:
		return "less"
	case r.Power == 0:
		return "keywords"
	case r.Keywords == noKeywords:
		return "power"
	}
	return "both"
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
