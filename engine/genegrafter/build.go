package genegrafter

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"tableside/engine"
)

//go:embed cards.txt
var printedFile string

//go:embed standin.txt
var standInFile string

// Data is all that is said of a box, in printed order.
type Data struct {
	Kinds   []Kind
	Colours [categoryCount]string // of the categories; "" where nobody has said
}

// printed is what is known of the real box, and standIns what this project
// made up to complete it. Both are parsed once and not to be changed.
var (
	printed  = sync.OnceValue(func() []Statement { return mustParse("genegrafter/cards.txt", printedFile) })
	standIns = sync.OnceValue(func() []Statement {
		all := mustParse("genegrafter/standin.txt", standInFile)
		for i := range all {
			all[i].made = true
		}
		return all
	})
)

func mustParse(file, source string) []Statement {
	all, err := parseData(file, source)
	if err != nil {
		panic(err)
	}
	return all
}

func mustBuild(sources ...[]Statement) Data {
	d, err := build(sources...)
	if err != nil {
		panic(err)
	}
	return d
}

// Define checks an owner's file against what is known and returns its
// statements as lines for engine.Setup.Definitions.
func (g *game) Define(file, source string) ([]string, error) {
	own, err := parseData(file, source)
	if err != nil {
		return nil, err
	}
	if _, err := build(printed(), standIns(), own); err != nil {
		return nil, err
	}
	lines := make([]string, len(own))
	for i, s := range own {
		lines[i] = s.Text
	}
	return lines, nil
}

// with puts what is known and an owner's lines together.
func with(standIn bool, own []string) (Data, error) {
	lines, err := parseData("define", strings.Join(own, "\n"))
	if err != nil {
		return Data{}, err
	}
	if standIn {
		return build(printed(), standIns(), lines)
	}
	return build(printed(), lines)
}

// build puts statements together. What it returns is not to be changed: it
// may be shared by any number of matches.
func build(sources ...[]Statement) (Data, error) {
	var d Data
	index := map[string]int{}
	for n, source := range sources {
		for i := range source {
			s := &source[i]
			if s.id == "" {
				if s.colour != nil {
					s.colour(&d)
				}
				continue
			}
			at, known := index[s.id]
			if !known {
				at = len(d.Kinds)
				index[s.id] = at
				d.Kinds = append(d.Kinds, newKind(s))
				d.Kinds[at].added = n > 0 && !s.made
			}
			k := &d.Kinds[at]
			if was := k.Type; s.field == "kind" && was != UnknownType {
				if k.add(s); k.Type != was {
					return Data{}, s.fail(s.column, "card %q is of kind %s already; another card needs another id", s.id, typeNames[was])
				}
				continue
			}
			k.add(s)
		}
	}
	for _, source := range sources {
		for i := range source {
			if s := &source[i]; s.id != "" {
				if err := d.check(s, &d.Kinds[index[s.id]]); err != nil {
					return Data{}, err
				}
			}
		}
	}
	d.makeRoom()
	d.fill()
	return d, nil
}

func newKind(s *Statement) Kind {
	if n := slotNumber(s.id); n > 0 {
		return newSlot(n)
	}
	return Kind{ID: s.id, Names: map[string]string{}, Copies: 1, invented: s.made}
}

// add takes a statement in.
func (k *Kind) add(s *Statement) {
	if s.set == nil {
		return
	}
	s.set(k)
	if i := slices.Index(fieldNames, s.field); i >= 0 {
		k.known |= 1 << i
		k.made &^= 1 << i
		if s.made {
			k.made |= 1 << i
		}
	}
}

// check finds what a statement says of a card that has no such thing.
func (d *Data) check(s *Statement, k *Kind) error {
	field := Field(0)
	if i := slices.Index(fieldNames, s.field); i >= 0 {
		field = 1 << i
	}
	switch {
	case k.Type == UnknownType && !k.slot:
		if near := engine.Nearest(k.ID, d.ids()); near != "" {
			return s.fail(s.column, "there is no card %q; did you mean %q?", k.ID, near)
		}
		return s.fail(s.column, "card %q has no kind; a line is missing: card %s kind character", k.ID, k.ID)
	case len(k.Names) == 0 && !k.slot:
		return s.fail(s.column, "card %q has no name; a line is missing: card %s en \"…\"", k.ID, k.ID)
	case k.Type == UnknownType && field&^FieldType != 0:
		return s.fail(s.column, "card %q has no kind yet; a line is missing: card %s kind character", k.ID, k.ID)
	case field&^fieldsOf[k.Type] != 0:
		return s.fail(s.fieldAt, "card %q is of kind %s, which has no %q", k.ID, typeNames[k.Type], s.field)
	}
	for _, step := range s.does {
		if step.Do.doer() != k.Type {
			return s.fail(s.fieldAt, "%q is nothing that a card of kind %s does, but one of kind %s", step, typeNames[k.Type], typeNames[step.Do.doer()])
		}
	}
	return nil
}

// ids are the cards that are sound, for those who have misspelt one.
func (d *Data) ids() []string {
	var ids []string
	for i := range d.Kinds {
		if d.Kinds[i].Type != UnknownType {
			ids = append(ids, d.Kinds[i].ID)
		}
	}
	return ids
}

// makeRoom: each card that an owner adds takes the place of one that was made
// up, of its kind as long as there is one.
func (d *Data) makeRoom() {
	leaves := func(t Type) bool {
		for i := range slices.Backward(d.Kinds) {
			if k := &d.Kinds[i]; k.invented && k.Copies > 0 && (k.Type == t || t == UnknownType) {
				k.Copies--
				return true
			}
		}
		return false
	}
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.added {
			for n := 0; n < k.Copies && d.cards() > boxSize; n++ {
				if !leaves(k.Type) {
					leaves(UnknownType)
				}
			}
		}
	}
	d.Kinds = slices.DeleteFunc(d.Kinds, func(k Kind) bool { return k.Copies == 0 })
}

// fill completes the box with cards of which nothing is known: 004
// "Matériel", 54 cards.
func (d *Data) fill() {
	for n := 1; d.cards() < boxSize; n++ {
		slot := newSlot(n)
		if !slices.ContainsFunc(d.Kinds, func(k Kind) bool { return k.ID == slot.ID }) {
			d.Kinds = append(d.Kinds, slot)
		}
	}
}

// newSlot is a card that nobody has named.
func newSlot(n int) Kind {
	return Kind{ID: fmt.Sprintf("card-%d", n), Copies: 1, slot: true, Names: map[string]string{
		"en": fmt.Sprintf("Card %d", n), "fr": fmt.Sprintf("Carte %d", n),
	}}
}

// slotNumber is 7 for "card-7", 0 for the id of a card with a name.
func slotNumber(id string) int {
	digits, _ := strings.CutPrefix(id, "card-")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > boxSize || newSlot(n).ID != id {
		return 0
	}
	return n
}

// cards counts them.
func (d *Data) cards() int {
	n := 0
	for i := range d.Kinds {
		n += d.Kinds[i].Copies
	}
	return n
}
