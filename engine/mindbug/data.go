package mindbug

import (
	"cmp"
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// Statement is one line of a card file, such as "card killer-bee power 5". A statement sets
// one field of a card. The file docs/mindbug-cards.md describes the format.
type Statement = cardfile.Statement

const (
	maxCopies = 9
	maxDice   = 2 // 002 "Symbole de Lancer de dé": one's own and the opponent's
)

var setField = cardfile.Field[Kind]{Name: "set", Example: "first-contact 1", Required: true,
	Control: cardfile.Control{Kind: cardfile.OneWord, Words: sets, Count: maxCopies},
	Read: func(l *cardfile.Line) (func(*Kind), error) {
		set, err := l.Among("a set", sets)
		if err != nil {
			return nil, err
		}
		n, err := l.Number("the number of copies", 1, maxCopies)
		return func(k *Kind) { k.Set, k.Copies = set, n }, err
	}}

// cardFields is the schema of creatures.
var cardFields = cardfile.Schema[Kind]{
	setField, titleField(engine.English), titleField(engine.French),
	numberField("power", "a power", "5", maxNumber, func(k *Kind) *int { return &k.Power }),
	numberField("dice", "a number of dice", "", maxDice, func(k *Kind) *int { return &k.Dice }),
	{Name: "keywords", Control: cardfile.Control{Kind: cardfile.Several, Words: keywordNames, Most: 5},
		Read: cardfile.Value(readKeywords, func(k *Kind, words Keywords) { k.Keywords = words })},
	abilityField("play"), abilityField("attack"), abilityField("defeated"), abilityField("action"),
	abilityField("discarded"), abilityField("life-lost"),
	{Name: "into", Example: "frog-prophet", Control: cardfile.Control{Aside: true},
		Read: cardfile.Value(readInto, func(k *Kind, id string) { k.Into = id }),
		Gap:  func(k *Kind) bool { return k.Into == "" && k.evolves(false) }},
	rulesField("always", "standing", "rule", func(k *Kind) *[]Rule { return &k.Always }),
	rulesField("in-discard", "discarded", "lying", func(k *Kind) *[]Rule { return &k.InDiscard }),
	printedField,
}

var printedField = cardfile.Text(func(k *Kind) *string { return &k.Printed })

// energyFields is the schema of Energy cards.
var energyFields = cardfile.Schema[Kind]{
	setField, titleField(engine.English), titleField(engine.French),
	numberField("price", "a price", "1", maxNumber, func(k *Kind) *int { return &k.Price }),
	abilityField("effect"),
	printedField,
}

func (k *Kind) fields() cardfile.Schema[Kind] {
	if k.Energy {
		return energyFields
	}
	return cardFields
}

func titleField(lang engine.Lang) cardfile.Field[Kind] {
	return cardfile.Title(lang, "Killer Bee", func(k *Kind) *engine.Wording { return &k.Names })
}

func numberField(name, what, example string, high int, of func(*Kind) *int) cardfile.Field[Kind] {
	return cardfile.Field[Kind]{Name: name, Example: example, Required: example != "",
		Control: cardfile.Control{Kind: cardfile.Number, Low: 1, High: high, Aside: example == ""}, Read: cardfile.Value(
			func(l *cardfile.Line) (int, error) { return l.Number(what, 1, high) }, func(k *Kind, n int) { *of(k) = n })}
}

func abilityField(trigger string) cardfile.Field[Kind] {
	printed := func(words string, noRow bool) Ability { return Ability{Unknown: true, Printed: words, noRow: noRow} }
	return cardfile.Field[Kind]{Name: trigger, Control: sentenceOf("ability"),
		Read: cardfile.Value(cardfile.OrPrinted(parseAbility, printed), func(k *Kind, a Ability) {
			*k.ability(trigger) = a
			for s := range a.deeds {
				k.Into = cmp.Or(s.Into, k.Into)
			}
		}),
		Gap: func(k *Kind) bool { return k.ability(trigger).Unknown && k.ability(trigger).Printed == "" },
	}
}

func sentenceOf(slot string) cardfile.Control {
	return cardfile.Control{Kind: cardfile.Sentence, Keeps: true, Table: rows(), Slot: slot}
}

func rulesField(name, slot, row string, of func(*Kind) *[]Rule) cardfile.Field[Kind] {
	read := func(p *cardfile.Parser) ([]Rule, error) { return parseRule(p, slot, row) }
	printed := func(words string, noRow bool) []Rule { return []Rule{{Printed: words, noRow: noRow}} }
	return cardfile.Field[Kind]{Name: name, Control: sentenceOf(slot),
		Read: cardfile.Value(cardfile.OrPrinted(read, printed), func(k *Kind, list []Rule) { *of(k) = list }),
		Gap:  func(k *Kind) bool { return slices.ContainsFunc(*of(k), func(r Rule) bool { return r.Unknown }) }}
}

// readInto reads the id of a card, or "none".
func readInto(l *cardfile.Line) (string, error) {
	if _, err := l.Among("a card", []string{"none"}); err == nil {
		return "", nil
	}
	return l.Identifier("a card", "frog-prophet")
}

func readKeywords(l *cardfile.Line) (all Keywords, err error) {
	for all == noKeywords || !l.Done() {
		word, err := l.Among("a keyword", keywordNames)
		if err != nil {
			return all, err
		}
		all |= keywordOf(word)
	}
	return all, nil
}

// ParseData reads a card file. An error is an *engine.SyntaxError with file, line and column.
func ParseData(file, source string) ([]Statement, error) {
	return cardfile.Parse(file, source, readStatement)
}

func readStatement(l *cardfile.Line) (s Statement, err error) {
	l.Means(meanings)
	s = l.Statement()
	if s.Subject, err = l.Among("what a line begins with", []string{"card", "energy"}); err != nil {
		return s, err
	}
	s.IDAt = l.Column()
	if s.ID, err = l.Identifier("a card", "killer-bee"); err != nil {
		return s, err
	}
	is := Kind{Energy: s.Subject == "energy"}
	return s, is.fields().Read(l, &s, "a field of a card")
}

// meanings maps words that people may type to the words that a card file uses instead.
var meanings = map[string]string{
	"énergie": "energy", "boîte": "set", "exemplaires": "copies", "force": "power", "puissance": "power",
	"keyword":   "keywords",
	"mots-clés": "keywords", "jouer": "play", "attaque": "attack", "vaincu": "defeated", "vaincue": "defeated",
	"prix": "price", "texte": "text",
}
