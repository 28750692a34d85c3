package mindbug

import (
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cards.txt
var printedFile string

const printedName = "mindbug/cards.txt"

// Data holds the cards of the boxes, in printed order.
type Data struct{ Kinds []Kind }

// printed returns the statements about the cards of the real boxes, which are read only once.
// Callers must not change the result.
var printed = sync.OnceValue(func() []Statement {
	return cardfile.MustParse(printedName, printedFile, readStatement)
})

// Owners returns the cardfile.Owners that reads the owner's files of this game.
func (g *game) Owners() *cardfile.Owners { return owners }

//go:embed faults.txt
var faultsFile string

var owners = &cardfile.Owners{
	Reader: func() func(*cardfile.Line) (Statement, error) { return readStatement },
	Build: func(own []Statement) error {
		_, err := Build(printed(), own)
		return err
	},
	French: faultsFile,
	Known:  printed,
	Forms:  []cardfile.Form{cardFields.Form("card"), energyFields.Form("energy")},
}

func build(definitions []string) (Data, error) {
	own, err := ParseData("define", strings.Join(definitions, "\n"))
	if err != nil {
		return Data{}, err
	}
	return Build(printed(), own)
}

// Build makes cards from the statements of the given sources, in their order. A later
// statement replaces an earlier statement about the same field, but a "?" removes nothing.
// Callers must not change the result, because matches share it.
func Build(sources ...[]Statement) (Data, error) {
	var cards cardfile.Book[Kind]
	for _, source := range sources {
		for i := range source {
			s := &source[i]
			e := cards.Find(s.ID)
			if e == nil {
				k := Kind{ID: s.ID, Energy: s.Subject == "energy"}
				e = cards.Begin(s, cardfile.NewEntry(k.fields(), "card", k))
			}
			if e.First.Subject != s.Subject {
				err := s.FailAt(s.IDAt, "card %q is of the other kind already; another card needs another name", s.ID)
				return Data{}, err
			}
			e.Add(s)
		}
	}
	for _, e := range cards.All() {
		if err := cards.Check(e); err != nil {
			return Data{}, err
		}
	}
	if err := evolve(&cards); err != nil {
		return Data{}, err
	}
	var d Data
	for _, e := range cards.All() {
		d.Kinds = append(d.Kinds, e.Value)
	}
	return d, nil
}

// maxLevels is how many creatures a line of evolution may have: 001 lexicon, "Évoluer".
const maxLevels = 3

// evolve finds the lines of evolution and sets the levels of their creatures. A line of
// evolution is a chain of creatures, each of which evolves into the next. If a line is not
// possible in the game, evolve returns an error.
func evolve(cards *cardfile.Book[Kind]) error {
	from := map[string]string{}
	for _, e := range cards.All() {
		k, s := &e.Value, evolving(e)
		next := cards.Find(k.intoByHand())
		if k.Into == "" && e.Last("into") == nil && next != nil && next.Value.Set == k.Set && next.Value.Copies == k.Copies {
			k.Into = next.Value.ID
		}
		switch next := cards.Find(k.Into); {
		case !k.setInto():
			return s.FailAt(s.IDAt, "card %q evolves into %q, and one of its abilities says another creature", k.ID,
				cmp.Or(k.Into, "none"))
		case k.Into == "":
			continue
		case next == nil || next.Value.Energy:
			return s.FailAt(s.IDAt, "card %q evolves into %q, and there is no such creature", k.ID, k.Into)
		case !k.evolves(true):
			k.Into = "" // an owner's line has replaced the ability
			continue
		case from[k.Into] != "":
			return s.FailAt(s.IDAt, "card %q evolves into %q, as %q does already", k.ID, k.Into, from[k.Into])
		case next.Value.Set != k.Set || next.Value.Copies != k.Copies:
			return s.FailAt(s.IDAt, "card %q evolves into %q, which is of another set or has another number of copies",
				k.ID, k.Into)
		}
		from[k.Into] = k.ID
		for _, t := range triggers {
			for s := range k.ability(t).deeds {
				s.title = cardfile.Titles(cards.Find(k.Into).Value.Names)
			}
		}
	}
	for _, e := range cards.All() {
		if from[e.Value.ID] != "" || e.Value.Into == "" {
			continue
		}
		for level := 1; e != nil; level++ {
			e.Value.Level = level
			e = cards.Find(e.Value.Into)
		}
	}
	for _, e := range cards.All() {
		if k := &e.Value; k.Level > maxLevels || k.Into != "" && k.Level == 0 {
			s := evolving(e)
			return s.FailAt(s.IDAt, "card %q: a line of evolution has at most %d levels, "+
				"and begins with a card that none evolves into", k.ID, maxLevels)
		}
	}
	return nil
}

// evolving returns the statement to which an error about the evolution of a card belongs: an
// owner's line, if there is one.
func evolving(e *cardfile.Entry[Kind]) *Statement {
	for _, field := range append([]string{"into"}, triggers...) {
		if s := e.Last(field); s != nil {
			if file, _ := s.Position(); file != printedName {
				return s
			}
		}
	}
	return e.First
}

var intoWords = regexp.MustCompile(`(?i)(?:evolve into|évoluez en) ([a-z0-9_-]+)`)

// intoByHand returns what a card evolves into by an ability that is resolved by hand: that card
// is not dealt, either.
func (k *Kind) intoByHand() string {
	for _, t := range triggers {
		if m := intoWords.FindStringSubmatch(k.ability(t).Printed); m != nil {
			return strings.ToLower(m[1])
		}
	}
	return ""
}

// evolves reports whether an ability of the card evolves it, or may do so because it is resolved
// by hand.
func (k *Kind) evolves(byHand bool) bool {
	return slices.ContainsFunc(triggers, func(t string) bool {
		for s := range k.ability(t).deeds {
			if s.Do == Evolve {
				return true
			}
		}
		return byHand && k.ability(t).Unknown
	})
}

// setInto tells the effects of a card what it evolves into, and reports whether each of them that
// says so says the same. The steps are copied first, because all builds share what was read.
func (k *Kind) setInto() bool {
	for _, t := range triggers {
		a := k.ability(t)
		a.Steps = slices.Clone(a.Steps)
		for i := range a.Steps {
			if step := &a.Steps[i]; step.Or != nil {
				other := *step.Or
				step.Or = &other
			}
		}
		for s := range a.deeds {
			if s.Into != "" && s.Into != k.Into {
				return false
			}
			s.Into = k.Into
		}
	}
	return true
}

// ability returns the ability that belongs to a trigger (001 "Déclencheurs"). For a word that
// is not a trigger, ability returns the Defeated ability.
func (k *Kind) ability(trigger string) *Ability {
	switch trigger {
	case "play":
		return &k.Play
	case "attack":
		return &k.Attack
	case "action":
		return &k.Action
	case "discarded":
		return &k.Discarded
	case "effect":
		return &k.Effect
	case "life-lost":
		return &k.LifeLost
	}
	return &k.Defeated
}

// unread returns the words of an ability that no row has, and that may change what is asked while
// the card is in play, or "".
func (k *Kind) unread() string {
	for _, r := range slices.Concat(k.Always, k.InDiscard) {
		if r.noRow {
			return r.Printed
		}
	}
	if k.Action.noRow {
		return k.Action.Printed
	}
	return ""
}

// triggers lists the names that card files and catalogues use for the triggers.
var triggers = []string{"play", "attack", "defeated", "action", "discarded", "effect", "life-lost"}

// gaps lists the unknown fields, in printed order.
func (d Data) gaps() (gaps []engine.Text) {
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, field := range k.fields().Gaps(k) {
			key := "gap.unknown"
			if slices.Contains(cardfile.LanguageFields, field) {
				key = "gap.no-name"
			}
			gaps = append(gaps, engine.T(key, "what", engine.CardWord(k.ID), "field", engine.Word("field."+field)))
		}
	}
	return gaps
}
