package genegrafter

import (
	"slices"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Field is one thing that is said of a card; sets of them say what is known.
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

// fieldsOf are what a card of each type prints beside its name.
var fieldsOf = []Field{
	UnknownType: FieldType,
	Character:   FieldType | FieldAttack | FieldDefence | FieldPower | FieldMarkers | FieldDoes,
	Ability:     FieldType | FieldCategory | FieldBase | FieldSuper | FieldPower | FieldDoes,
	Event:       FieldType | FieldDoes,
	Gear:        FieldType | FieldPlace | FieldDoes,
	DNA:         FieldType,
}

// A fieldForm is how a card file says a field, and people are told.
type fieldForm struct {
	name string
	read func(*cardfile.Line) (set func(*Kind), err error)
	text func(*Kind) engine.Text // nil for what is no line of its own
}

// fields are in the order of their constants.
var fields = []fieldForm{
	{"copies", func(l *cardfile.Line) (func(*Kind), error) {
		n, err := l.Number("the number of copies", 0, maxCopies)
		return func(k *Kind) { k.Copies = n }, err
	}, nil},
	{"kind", word("a kind of card", typeNames[1:], func(k *Kind, i int) { k.Type = Type(i + 1) }), nil},
	dice("attack", func(k *Kind) *int { return &k.Attack }),
	dice("defence", func(k *Kind) *int { return &k.Defence }),
	{"power", readPowers, func(k *Kind) engine.Text { return listed(k.Powers.list()) }},
	{"markers", readMarkers, func(k *Kind) engine.Text {
		var names []string
		for i, n := range k.Markers {
			names = append(names, slices.Repeat(categoryNames[i:i+1], n)...)
		}
		return listed(names)
	}},
	{"category", word("a category", categoryNames, func(k *Kind, i int) { k.Category = Category(i) }),
		func(k *Kind) engine.Text { return engine.T("keyword." + categoryNames[k.Category]) }},
	dice("base", func(k *Kind) *int { return &k.Base }),
	dice("super", func(k *Kind) *int { return &k.Super }),
	{"place", word("a place of the body", places, func(k *Kind, i int) { k.Place = places[i] }),
		func(k *Kind) engine.Text { return engine.T("keyword." + k.Place) }},
	{"does", readEffects, (*Kind).doesText},
}

var fieldNames = func() (names []string) {
	for _, f := range fields {
		names = append(names, f.name)
	}
	return names
}()

// fieldNamed returns a field by its name, 0 for the title of a card.
func fieldNamed(name string) Field {
	if i := slices.Index(fieldNames, name); i >= 0 {
		return 1 << i
	}
	return 0
}

// dice is a number of them.
func dice(name string, of func(*Kind) *int) fieldForm {
	return fieldForm{name, func(l *cardfile.Line) (func(*Kind), error) {
		n, err := l.Number("a number of dice", 0, maxDice)
		return func(k *Kind) { *of(k) = n }, err
	}, func(k *Kind) engine.Text { return engine.T("dice", "n", *of(k)) }}
}

// word reads one of some words, and sets it by its number.
func word(what string, words []string, set func(*Kind, int)) func(*cardfile.Line) (func(*Kind), error) {
	return func(l *cardfile.Line) (func(*Kind), error) {
		got, err := l.Among(what, words)
		return func(k *Kind) { set(k, slices.Index(words, got)) }, err
	}
}

// words reads "none", or words up to the end of the line.
func words(l *cardfile.Line, what string, of []string) (list []string, err error) {
	if l.Peek() == "none" {
		l.Next()
		return nil, nil
	}
	for len(list) == 0 || !l.Done() {
		got, err := l.Among(what, of)
		if err != nil {
			return nil, err
		}
		list = append(list, got)
	}
	return list, nil
}

func readPowers(l *cardfile.Line) (func(*Kind), error) {
	list, err := words(l, "a power", powerNames)
	return func(k *Kind) {
		k.Powers = 0
		for _, name := range list {
			k.Powers |= powerNamed(name)
		}
	}, err
}

// readMarkers reads a colour for each marker.
func readMarkers(l *cardfile.Line) (func(*Kind), error) {
	list, err := words(l, "a marker", categoryNames)
	return func(k *Kind) {
		k.Markers = [categoryCount]int{}
		for _, name := range list {
			k.Markers[slices.Index(categoryNames, name)]++
		}
	}, err
}

// readEffects reads "none", or effects: "draw 2 cards, then heal a character".
func readEffects(l *cardfile.Line) (func(*Kind), error) {
	p, err := l.Rest()
	if err != nil {
		return nil, err
	}
	steps, err := parseEffects(p)
	return func(k *Kind) { k.Does = steps }, err
}

// Lines returns what a card is, then a line for each thing that it prints. An
// ability that does no more than its dice has nothing to say of that.
func (k *Kind) Lines() []engine.Text {
	lines := []engine.Text{engine.T("kind." + typeNames[k.Type])}
	for i, form := range fields {
		field := Field(1 << i)
		if form.text == nil || fieldsOf[k.Type]&field&(k.known|k.unknown()) == 0 {
			continue
		}
		text := engine.T("does.unknown")
		if k.known&field != 0 {
			text = form.text(k)
		}
		if text.Key != "" {
			lines = append(lines, engine.T("card-line", "field", engine.Word("field."+form.name), "text", text))
		}
	}
	return lines
}

func (k *Kind) doesText() (text engine.Text) {
	for i, s := range k.Does {
		if i == 0 {
			text = s.Text()
		} else {
			text = engine.T("does.then", "first", text, "next", s.Text())
		}
	}
	return text
}

func listed(names []string) engine.Text {
	text := engine.T("does.none")
	for i, name := range names {
		if word := engine.T("keyword." + name); i == 0 {
			text = word
		} else {
			text = engine.T("does.list", "first", text, "next", word)
		}
	}
	return text
}
