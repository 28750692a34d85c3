package genegrafter

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"tableside/engine/cardfile"
)

//go:embed cards.txt
var printedFile string

//go:embed standin.txt
var standInFile string

// Data holds all cards of a box, in printed order.
type Data struct {
	SixthFace string // the words for the special die's sixth face; "" if nobody has entered them

	Kinds     []*Kind
	Colours   [categoryCount]string // of the categories; "" where nobody has entered one
	cardCount int                   // cards in the box, as its owner has counted; 0 if nobody has
}

// printedStatements and standIns return the statements of the embedded files, which are read
// only once. Callers must not change the results.
var (
	printedStatements = sync.OnceValue(func() []Statement {
		return cardfile.MustParse("genegrafter/cards.txt", printedFile, parseStatement)
	})
	standIns = sync.OnceValue(func() []Statement {
		all := cardfile.MustParse("genegrafter/standin.txt", standInFile, parseStatement)
		for i := range all {
			all[i].StandIn = true
		}
		return all
	})
)

// Owners returns the cardfile.Owners that reads the owner's files of this game.
func (g *game) Owners() *cardfile.Owners { return owners }

//go:embed faults.txt
var faultsFile string

var owners = &cardfile.Owners{
	Reader: func() func(*cardfile.Line) (Statement, error) { return parseStatement },
	Build:  checkOwn,
	French: faultsFile,
	Known:  printedStatements,
	MadeUp: standIns,
	Forms:  forms(),
}

func forms() []cardfile.Form {
	colours := cardfile.Form{Line: "category"}
	for _, name := range categoryNames {
		colours.Rows = append(colours.Rows, colourFields(name).Form("category").Under(name).Rows...)
	}
	return []cardfile.Form{cardFields.Form("card"), colours, boxFields.Form("box")}
}

func withOwn(standIn bool, lines []string) (Data, []Statement, error) {
	own, err := parseData("define", strings.Join(lines, "\n"))
	if err != nil {
		return Data{}, nil, err
	}
	d, err := mergeOwn(standIn, own)
	return d, own, err
}

func checkOwn(own []Statement) error {
	for _, standIn := range []bool{true, false} { // with stand-ins first: the owner may mean one of them
		if _, err := mergeOwn(standIn, own); err != nil {
			return err
		}
	}
	return nil
}

// mergeOwn merges the known cards with an owner's lines. If standIn is true, the known cards
// include the stand-ins. If the lines give an invented card a kind, the owner's card replaces
// the invented card with the same id. If the lines only correct an invented card, they count
// only with stand-ins.
func mergeOwn(standIn bool, own []Statement) (Data, error) {
	real, madeUp := printedStatements(), standIns()
	invented, taken := map[string]bool{}, map[string]bool{}
	for _, s := range madeUp {
		invented[s.ID] = true
	}
	for _, s := range real {
		delete(invented, s.ID)
	}
	for _, s := range own {
		taken[s.ID] = taken[s.ID] || s.Field == "kind" && !s.Unknown
	}
	if standIn {
		return build(real, leaveOut(madeUp, func(id string) bool { return invented[id] && taken[id] }), own)
	}
	return build(real, leaveOut(own, func(id string) bool { return invented[id] && !taken[id] }))
}

func leaveOut(list []Statement, which func(id string) bool) []Statement {
	return slices.DeleteFunc(slices.Clone(list), func(s Statement) bool { return which(s.ID) })
}

// build makes a box from statements. The statements of an owner come last. Matches share the
// result, so callers must not change it.
func build(sources ...[]Statement) (Data, error) {
	var d Data
	var cards cardfile.Book[Kind]
	all := slices.Concat(sources...)
	for i := range all {
		s := &all[i]
		if s.ID == "" {
			cardfile.Set(&d, s)
		} else if err := d.take(&cards, s, i >= len(sources[0])); err != nil {
			return Data{}, err
		}
	}
	for _, e := range cards.All() {
		if colour := d.paint(&e.Value); colour != "" {
			s := cmp.Or(e.Last("does"), e.Last("markers"))
			if len(e.Value.markerColours) > 0 {
				s = e.Last("markers")
			}
			return Data{}, s.FailAt(s.ValueAt, noColour, colour, colour)
		}
	}
	for i := range all {
		if s := &all[i]; s.ID != "" {
			if err := d.check(&cards, s); err != nil {
				return Data{}, err
			}
		}
	}
	d.makeRoom()
	if err := d.checkBox(all); err != nil {
		return Data{}, err
	}
	d.fill()
	return d, nil
}

const noColour = "no category is %s: enter the colours of the markers, or another marker; " +
	"in a file: category mental colour %s"

// paint replaces the entered colours of a card by their categories. These are the colours of
// markers, and of effects that give a marker. If a colour belongs to no category, paint stops
// and returns the colour. Otherwise it returns "".
func (d *Data) paint(k *Kind) string {
	for _, colour := range k.markerColours {
		i := slices.Index(d.Colours[:], colour)
		if i < 0 {
			return colour
		}
		k.Markers[i]++
	}
	k.markerColours = nil
	for i := range k.Does {
		step := &k.Does[i]
		if category := slices.Index(d.Colours[:], step.Which); step.Do == HasMarker && category >= 0 {
			step.Which = categoryNames[category]
		} else if step.Do == HasMarker && slices.Contains(colours, step.Which) {
			return step.Which
		}
	}
	return ""
}

// take adds a statement about a card to the box. If the statement comes from the printed
// cards, extra is false. For any other statement, extra is true. If the statement changes the
// kind of a card, take returns an error.
func (d *Data) take(cards *cardfile.Book[Kind], s *Statement, extra bool) error {
	e := cards.Find(s.ID)
	if e == nil {
		is := Kind{ID: s.ID, Copies: 1, invented: s.StandIn}
		if n := slotNumber(s.ID); n > 0 {
			is = *newSlot(n)
		}
		e = cards.Begin(s, cardfile.NewEntry(cardFields, "card", is))
		d.Kinds = append(d.Kinds, &e.Value)
	}
	k, was := &e.Value, e.Value.Type
	if e.Add(s); was != UnknownType && k.Type != was {
		return s.FailAt(s.IDAt, "card %q is of kind %s already; another card needs another id", s.ID, typeNames[was])
	}
	switch field := fieldNamed(s.Field); {
	case slices.Contains(cardfile.LanguageFields, s.Field):
		k.workingTitle = s.Unknown
	case s.StandIn && !s.Unknown:
		k.madeUpFields |= field
	}
	if !extra || s.StandIn {
		k.defaultCopies = k.Copies
	}
	return nil
}

func (d *Data) kind(id string) *Kind {
	if i := slices.IndexFunc(d.Kinds, func(k *Kind) bool { return k.ID == id }); i >= 0 {
		return d.Kinds[i]
	}
	return nil
}

// check returns an error if the card of a statement does not exist or lacks a required field,
// or if the card cannot have what the statement sets.
func (d *Data) check(cards *cardfile.Book[Kind], s *Statement) error {
	e := cards.Find(s.ID)
	if e.Value.slot && slotNumber(s.ID) > d.size() {
		return s.FailAt(s.IDAt, "there is no card %q: the box has %d cards", s.ID, d.size())
	}
	if e.First == s && !e.Value.slot {
		if err := cards.Check(e); err != nil {
			return err
		}
	}
	return checkStatement(s, &e.Value)
}

// checkStatement returns an error for a statement that does not fit the kind of its card.
// Either cards of this kind do not have the field, or they cannot do the effect.
func checkStatement(s *Statement, k *Kind) error {
	field := fieldNamed(s.Field) &^ FieldCopies
	switch {
	case k.Type == UnknownType && field&^FieldType != 0:
		return s.FailAt(s.IDAt, "card %q has no kind yet; a line is missing: card %s kind character", k.ID, k.ID)
	case field&^fieldsOf[k.Type] != 0:
		return s.FailAt(s.FieldAt, "card %q is of kind %s, which has no %q", k.ID, typeNames[k.Type], s.Field)
	}
	if s.Field != "does" {
		return nil
	}
	var set Kind
	cardfile.Set(&set, s)
	for _, step := range set.Does {
		switch doers := step.doers(); {
		case slices.Contains(doers, k.Type):
		case doers == nil:
			return s.FailAt(s.FieldAt, "%q is nothing that happens outside a battle", step)
		default:
			return s.FailAt(s.FieldAt, "%q is nothing that a card of kind %s does, but one of kind %s",
				step, typeNames[k.Type], typeNames[doers[0]])
		}
	}
	return nil
}
