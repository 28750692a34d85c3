package mindbug

import (
	_ "embed"
	"slices"
	"sync"

	"tableside/engine"
	"tableside/engine/cardfile"
)

//go:embed cards.txt
var printedFile string

// Data is all that the boxes say, in printed order.
type Data struct{ Kinds []Kind }

// Printed is what is known of the real boxes. It is parsed once and not to be
// changed.
func Printed() []Statement { return printed() }

var printed = sync.OnceValue(func() []Statement {
	statements, err := ParseData("mindbug/cards.txt", printedFile)
	if err != nil {
		panic(err)
	}
	return statements
})

// Definitions checks an owner's file against what is printed and returns its
// statements as lines for engine.Setup.Definitions.
func Definitions(file, source string) ([]string, error) {
	own, err := ParseData(file, source)
	if err != nil {
		return nil, err
	}
	if _, err := Build(Printed(), own); err != nil {
		return nil, err
	}
	lines := make([]string, len(own))
	for i, s := range own {
		lines[i] = s.Text
	}
	return lines, nil
}

// build puts what is printed and an owner's lines together.
func build(definitions []string) (Data, error) {
	var own []Statement
	for i, line := range definitions {
		s, err := ParseStatement("define", i+1, line)
		if err != nil {
			return Data{}, err
		}
		if s.Text != "" {
			own = append(own, s)
		}
	}
	return Build(Printed(), own)
}

// Build puts statements together. What it returns is not to be changed: it
// may be shared by any number of matches.
func Build(sources ...[]Statement) (Data, error) {
	var d Data
	index := map[string]int{}
	var first []*Statement
	for _, source := range sources {
		for i := range source {
			s := &source[i]
			at, known := index[s.id]
			if !known {
				at = len(d.Kinds)
				index[s.id] = at
				d.Kinds = append(d.Kinds, Kind{ID: s.id, Energy: s.energy, Names: map[string]string{}})
				first = append(first, s)
			}
			if d.Kinds[at].Energy != s.energy {
				return Data{}, s.fail("card %q is of the other kind already; another card needs another name", s.id)
			}
			d.Kinds[at].add(s)
		}
	}
	for i := range d.Kinds {
		if err := d.check(&d.Kinds[i], first[i]); err != nil {
			return Data{}, err
		}
	}
	if err := d.lines(index, first); err != nil {
		return Data{}, err
	}
	return d, nil
}

// mostLevels: 001 lexicon, "Évoluer": a line consists of three creatures.
const mostLevels = 3

// lines finds out what evolves into what, and counts the levels.
func (d *Data) lines(index map[string]int, first []*Statement) error {
	from := map[string]string{}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		if k.Into = k.into(); k.Into == "" {
			continue
		}
		at, known := index[k.Into]
		switch {
		case !known || d.Kinds[at].Energy:
			return first[i].fail("card %q evolves into %q, and there is no such creature", k.ID, k.Into)
		case from[k.Into] != "":
			return first[i].fail("card %q evolves into %q, as %q does already", k.ID, k.Into, from[k.Into])
		case d.Kinds[at].Set != k.Set || d.Kinds[at].Copies != k.Copies:
			return first[i].fail("card %q evolves into %q, which is of another set or has another number of copies", k.ID, k.Into)
		}
		from[k.Into] = k.ID
	}
	for i := range d.Kinds {
		if from[d.Kinds[i].ID] == "" && d.Kinds[i].Into != "" {
			d.count(index, i)
		}
	}
	for i := range d.Kinds {
		if k := &d.Kinds[i]; k.Level > mostLevels || k.Into != "" && k.Level == 0 {
			return first[i].fail("card %q: a line of evolution has at most %d levels, and begins with a card that none evolves into", k.ID, mostLevels)
		}
	}
	return nil
}

// count numbers the levels of a line that begins with a card.
func (d *Data) count(index map[string]int, i int) {
	for level := 1; ; level++ {
		d.Kinds[i].Level = level
		if d.Kinds[i].Into == "" {
			return
		}
		i = index[d.Kinds[i].Into]
	}
}

// into is the creature that one of the abilities makes of the card.
func (k *Kind) into() string {
	for _, t := range triggers {
		for i := range k.ability(t).Steps {
			for step := &k.ability(t).Steps[i]; step != nil; step = step.Or {
				if step.Do == Evolve {
					return step.Into
				}
			}
		}
	}
	return ""
}

func (k *Kind) add(s *Statement) {
	switch s.field {
	case "set":
		k.Set, k.Copies = s.name, s.n
	case "en", "fr":
		k.Names[s.field] = s.name
	case "power":
		k.Power = s.n
	case "dice":
		k.Dice = s.n
	case "price":
		k.Price = s.n
	case "keywords":
		k.Keywords = s.words
	case "always":
		k.setRules(s, &k.Always)
	case "in-discard":
		k.setRules(s, &k.InDiscard)
	default:
		if a := k.ability(s.field); !s.open || a.none() {
			*a = s.does
		}
	}
}

// setRules takes rules of a field; "?" takes none away.
func (k *Kind) setRules(s *Statement, rules *[]Rule) {
	if s.open && len(*rules) > 0 {
		return
	}
	*rules = s.rules
	k.Open = slices.DeleteFunc(k.Open, func(field string) bool { return field == s.field })
	if s.open {
		k.Open = append(k.Open, s.field)
	}
}

// ability is what a trigger sets off: "Déclencheurs".
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

// triggers are the words of a card file and of what is said.
var triggers = []string{"play", "attack", "defeated", "action", "discarded", "effect", "life-lost"}

// check finds what a card lacks.
func (d *Data) check(k *Kind, first *Statement) error {
	lacks := func(what, as string) error {
		ids := make([]string, 0, len(d.Kinds))
		for i := range d.Kinds {
			if other := &d.Kinds[i]; other.Set != "" && len(other.Names) > 0 {
				ids = append(ids, other.ID)
			}
		}
		if near := engine.Nearest(k.ID, ids); near != "" && k.Set == "" {
			return first.fail("there is no card %q; did you mean %q?", k.ID, near)
		}
		return first.fail("card %q has no %s; a line is missing: card %s %s", k.ID, what, k.ID, as)
	}
	switch {
	case k.Set == "":
		return lacks("set", "set first-contact 1")
	case k.Power == 0 && !k.Energy:
		return lacks("power", "power 5")
	case k.Price == 0 && k.Energy:
		return first.fail("card %q has no price; a line is missing: energy %s price 1", k.ID, k.ID)
	case len(k.Names) == 0:
		return lacks("name", "en \"…\"")
	}
	return nil
}

// A Gap is something that is not known of a card.
type Gap struct{ Card, Field string }

// Text says the gap to people.
func (g Gap) Text() engine.Text {
	key := "gap.unknown"
	if slices.Contains(cardfile.LanguageFields, g.Field) {
		key = "gap.no-name"
	}
	return engine.T(key, "what", engine.CardWord(g.Card), "field", engine.Word("field."+g.Field))
}

// Missing lists what is unknown, in printed order.
func (d Data) Missing() []Gap {
	var gaps []Gap
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, lang := range cardfile.LanguageFields {
			if k.Names[lang] == "" {
				gaps = append(gaps, Gap{k.ID, lang})
			}
		}
		for _, t := range triggers {
			if k.ability(t).Unknown {
				gaps = append(gaps, Gap{k.ID, t})
			}
		}
		for _, field := range k.Open {
			gaps = append(gaps, Gap{k.ID, field})
		}
	}
	return gaps
}
