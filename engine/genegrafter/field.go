package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Field is one property of a card, or a set of properties. Such sets record which properties
// are known.
type Field uint16

const (
	FieldCopies Field = 1 << iota // which no card prints
	FieldType
	FieldAttack
	FieldDefence
	FieldPower
	FieldMarkers
	FieldCategory
	FieldBase
	FieldSuper
	FieldPlace
	FieldDoes
)

// fieldsOf holds, for each type of card, the fields that are printed on the card besides its
// name.
var fieldsOf = []Field{
	UnknownType: FieldType,
	Character:   FieldType | FieldAttack | FieldDefence | FieldPower | FieldMarkers | FieldDoes,
	Ability:     FieldType | FieldCategory | FieldBase | FieldSuper | FieldPower | FieldDoes,
	Event:       FieldType | FieldDoes,
	Gear:        FieldType | FieldPlace | FieldDoes,
	DNA:         FieldType,
}

// cardFields is the schema of a card. It lists the titles first, then the fields that have a
// Field constant, in the order of the constants, and the text of the card last.
var cardFields = cardfile.Schema[Kind]{
	title(engine.English), title(engine.French),
	{Name: "copies", Control: cardfile.Control{Kind: cardfile.Number, High: maxCopies, Aside: true},
		Gap: func(k *Kind) bool { return k.knownFields&FieldCopies == 0 && !k.invented && k.defaultCopies > 0 },
		Read: recordKnown(FieldCopies, cardfile.Value(
			func(l *cardfile.Line) (int, error) { return l.Number("the number of copies", 0, maxCopies) },
			func(k *Kind, n int) { k.Copies = n }))},
	{Name: "kind", Example: "character", Required: true, Gap: func(k *Kind) bool { return k.Type == UnknownType },
		Control: cardfile.Control{Kind: cardfile.OneWord, Words: typeNames[1:]},
		Read: recordKnown(FieldType, acceptWord("a kind of card", typeNames[1:], func(k *Kind, i int) {
			k.Type = Type(i + 1)
		}))},
	dice("attack", FieldAttack, func(k *Kind) *int { return &k.Attack }),
	dice("defence", FieldDefence, func(k *Kind) *int { return &k.Defence }),
	newField("power", FieldPower, acceptWords("a power", powerNames, func(k *Kind, numbers []int) {
		k.Powers = 0
		for _, i := range numbers {
			k.Powers |= 1 << i
		}
	}), func(k *Kind) engine.Text { return listed(k.Powers.list()) }),
	newField("markers", FieldMarkers, acceptWords("a marker", markerNames, func(k *Kind, numbers []int) {
		k.Markers, k.markerColours = [categoryCount]int{}, nil
		for _, i := range numbers {
			if i < len(categoryNames) {
				k.Markers[i]++
			} else {
				k.markerColours = append(k.markerColours, colours[i-len(categoryNames)])
			}
		}
	}), func(k *Kind) engine.Text {
		var names []string
		for i, n := range k.Markers {
			names = append(names, slices.Repeat(categoryNames[i:i+1], n)...)
		}
		return listed(names)
	}),
	newField("category", FieldCategory, acceptWord("a category", categoryNames, func(k *Kind, i int) {
		k.Category = Category(i)
	}), func(k *Kind) engine.Text { return engine.T("keyword." + categoryNames[k.Category]) }),
	dice("base", FieldBase, func(k *Kind) *int { return &k.Base }),
	dice("super", FieldSuper, func(k *Kind) *int { return &k.Super }),
	newField("place", FieldPlace, acceptWord("a place of the body", places, func(k *Kind, i int) { k.Place = places[i] }),
		func(k *Kind) engine.Text { return engine.T("keyword." + k.Place) }),
	newField("does", FieldDoes, readEffects, (*Kind).text),
	cardfile.Text(func(k *Kind) *string { return &k.Printed }),
}

var markerNames = slices.Concat(categoryNames, colours)

// A readFunc parses the value of a field and returns the function that sets it.
type readFunc = func(*cardfile.Line) (func(*Kind), error)

// fieldNames lists the names of the fields that have a Field constant, in the order of the
// constants. The titles and the text have none.
var fieldNames = cardFields.Names()[len(cardfile.LanguageFields) : len(cardFields)-1]

func fieldNamed(name string) Field {
	if i := slices.Index(fieldNames, name); i >= 0 {
		return 1 << i
	}
	return 0
}

func title(lang engine.Lang) cardfile.Field[Kind] {
	f := cardfile.Title(lang, "Super Punch", func(k *Kind) *engine.Wording {
		if !k.hasTitle() {
			k.Names = engine.Wording{} // so that the other language does not keep "Card 7"
		}
		return &k.Names
	})
	f.Read = orUnknown(f.Read)
	f.Gap = func(k *Kind) bool { return k.Names.In(lang) == "" }
	return f
}

func recordKnown(field Field, read readFunc) readFunc {
	return orUnknown(func(l *cardfile.Line) (func(*Kind), error) {
		set, err := read(l)
		return func(k *Kind) {
			set(k)
			k.knownFields, k.madeUpFields = k.knownFields|field, k.madeUpFields&^field
		}, err
	})
}

// newField returns a field that only cards of some types have. If a card has no text for the
// newField, the field is not shown. For example, an ability without effects has no text for
// its effects.
func newField(name string, field Field, read readFunc, text func(*Kind) engine.Text) cardfile.Field[Kind] {
	return cardfile.Field[Kind]{Name: name, Example: examples[name], Read: recordKnown(field, read),
		Control: control(name, field),
		Gap: func(k *Kind) bool {
			return k.unknownFields()&field != 0 || field == FieldDoes && k.hasEffect(ChangeDie)
		},
		Show: func(k *Kind) (engine.Text, bool) {
			switch {
			case k.unknownFields()&field != 0:
				return engine.T("does.unknown"), true
			case k.knownFields&field == 0:
				return engine.Text{}, false
			}
			said := text(k)
			return said, said.Key != ""
		}}
}

// examples holds an example of a value for each field, by the name of the field. If a value
// cannot be read, the error suggests the example.
var examples = map[string]string{
	"attack": "2", "defence": "2", "power": "telekinesis luck", "markers": "mental mental", "category": "physical",
	"base": "1", "super": "3", "place": "head", "does": "draw 2 cards, then heal 1 of your characters",
}

// controls maps the name of a field to the control with which people enter its value.
var controls = map[string]cardfile.Control{
	"attack":  {Kind: cardfile.Number, High: maxDice},
	"defence": {Kind: cardfile.Number, High: maxDice},
	"base":    {Kind: cardfile.Number, High: maxDice},
	"super":   {Kind: cardfile.Number, High: maxDice},
	"power":   {Kind: cardfile.Several, Words: powerNames, Most: len(powerNames), None: true},
	"markers": {Kind: cardfile.Several, Words: categoryNames, Others: colours, Most: 9, Again: true, None: true},

	"category": {Kind: cardfile.OneWord, Words: categoryNames},
	"place":    {Kind: cardfile.OneWord, Words: places},
	"does":     {Kind: cardfile.Sentence, Keeps: true},
}

func control(name string, field Field) cardfile.Control {
	c := controls[name]
	c.Only = kindsWith(field)
	if c.Kind == cardfile.Sentence {
		c.Table, c.Slot = rows(), "ability"
	}
	return c
}

func dice(name string, f Field, valueOf func(*Kind) *int) cardfile.Field[Kind] {
	return newField(name, f, cardfile.Value(
		func(l *cardfile.Line) (int, error) { return l.Number("a number of dice", 0, maxDice) },
		func(k *Kind, n int) { *valueOf(k) = n },
	), func(k *Kind) engine.Text { return engine.T("dice", "n", *valueOf(k)) })
}

func acceptWord(label string, words []string, set func(*Kind, int)) readFunc {
	return cardfile.Value(func(l *cardfile.Line) (int, error) {
		got, err := l.Among(label, words)
		return slices.Index(words, got), err
	}, set)
}

// acceptWords returns a readFunc that accepts one or more of the given words, up to the end of
// the line, or "none". The callback gets the indices of the words and sets the value. In
// errors, label names the kind of word.
func acceptWords(label string, words []string, set func(*Kind, []int)) readFunc {
	return cardfile.Value(func(l *cardfile.Line) (numbers []int, err error) {
		if l.Peek() == "none" {
			l.Next()
			return nil, nil
		}
		for len(numbers) == 0 || !l.Done() {
			got, err := l.Among(label, words)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, slices.Index(words, got))
		}
		return numbers, nil
	}, set)
}

// readEffects reads what a card does, such as "draw 2 cards, then heal 1 of your characters". It
// also reads "none", or the words of a card that is resolved by hand.
var readEffects = cardfile.Value(
	cardfile.OrPrinted(parseEffects, func(words string, noRow bool) does {
		return does{steps: []Step{{Do: ByHand, Printed: words, noRow: noRow}}}
	}),
	func(k *Kind, d does) {
		k.said, k.Does = d.said, slices.Clone(d.steps)
		for _, step := range d.steps {
			if step.Do == WornOn {
				k.Place, k.knownFields = step.Which, k.knownFields|FieldPlace
			}
		}
	})

// Lines returns the type of a card, then a line for each printed field.
func (k *Kind) Lines() []engine.Text {
	return slices.Insert(cardFields.Lines(k), 0, engine.T("kind."+typeNames[k.Type]))
}

func listed(names []string) (text engine.Text) {
	text = engine.T("does.none")
	for i, name := range names {
		if next := engine.T("keyword." + name); i == 0 {
			text = next
		} else {
			text = engine.T("does.list", "first", text, "next", next)
		}
	}
	return text
}
