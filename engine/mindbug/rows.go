package mindbug

import (
	_ "embed"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"tableside/engine/cardfile"
)

const maxNumber = 30 // of life, cards and power in one ability

//go:embed rows.txt
var rowsFile string

// rows returns the card language: docs/mindbug-cards.md. The functions of this file turn what
// its rows say into the values that the engine resolves.
var rows = sync.OnceValue(func() *cardfile.Table {
	return cardfile.Must(cardfile.ParseTable("mindbug/rows.txt", rowsFile, maxNumber))
})

var keywordNames = []string{"frenzy", "hunter", "poisonous", "sneaky", "tough"} // by their bits

// parseAbility reads the word "none", a "?", or a list of effects, such as "gain 2 life, then
// defeat 1 creature".
func parseAbility(p *cardfile.Parser) (a Ability, err error) {
	if unknown, nothing, err := p.TakeNone(); nothing || err != nil {
		return Ability{Unknown: unknown}, err
	}
	from := p.Column()
	if a.said, err = p.Sentence(rows(), "ability", "deed", "if"); err != nil {
		return Ability{}, err
	}
	a.Steps = stepsOf(a.said)
	for s := range a.deeds {
		if err := s.Gift.circular(p, from); err != nil {
			return a, err
		}
	}
	return a, nil
}

// parseRule reads a permanent ability, such as "if it is your turn, this creature has +6
// power". It also reads "none", and "?" for an unknown rule. The slot for it and for its row say
// where its card lies.
func parseRule(p *cardfile.Parser, slot, row string) ([]Rule, error) {
	unknown, nothing, err := p.TakeNone()
	switch {
	case unknown:
		return []Rule{{Unknown: true}}, err
	case nothing || err != nil:
		return nil, err
	}
	from := p.Column()
	said, err := p.Sentence(rows(), slot, row, "if")
	if err != nil {
		return nil, err
	}
	r := ruleOf(said)
	if err := r.circular(p, from); err != nil {
		return nil, err
	}
	return []Rule{r}, nil
}

// circular returns an error, at a column, if a rule is not allowed. A rule must not make a power
// or a keyword depend on itself. It must also not compare powers in a way that is reserved for
// effects.
func (r *Rule) circular(p *cardfile.Parser, from int) error {
	of := &r.Creatures
	byPower := of.Low > 0 || of.High > 0 || slices.Contains([]Trait{Highest, Lowest, Shared, Weaker}, of.Trait)
	switch byKeywords := of.Keywords != noKeywords; {
	case r.Ruling == Have && r.Power != 0 && (byPower || byKeywords || r.While == EqualAllies):
		return p.FailAt(from, "more power cannot depend on power or keywords")
	case r.Ruling == Have && r.Keywords != noKeywords && byKeywords:
		return p.FailAt(from, "keywords cannot depend on keywords")
	case of.Trait == Weaker:
		return p.FailAt(from, "only effects compare powers with that of this creature")
	}
	return nil
}

func stepsOf(parts cardfile.Slot) (steps []Step) {
	for _, in := range parts.Slots {
		if in.Name == "more" {
			return append(steps, stepsOf(in)...)
		}
		steps = append(steps, stepOf(in))
	}
	return steps
}

func stepOf(part cardfile.Slot) (s Step) {
	for _, in := range part.Slots {
		if in.Name == "if" {
			s.If = Condition(in.Row)
			continue
		}
		s.May = strings.HasPrefix(in.Row, "may")
		s.read(in.Slots[0])
		for _, other := range in.Slots[1:] {
			s.Or = &Step{}
			s.Or.read(other)
		}
	}
	return s
}

func ruleOf(standing cardfile.Slot) Rule {
	var s Step
	s.read(standing)
	r := s.Gift
	r.While, r.Creatures, r.Power, r.said = s.If, s.Creatures, r.Power+s.N, standing
	return r
}

// read sets the effect of a step, and what it is about.
func (s *Step) read(said cardfile.Slot) {
	s.said = said
	s.set(said)
	if s.Do == ThisTurn {
		s.Gift.Ruling, s.Gift.Creatures, s.Creatures = Have, s.Creatures, Creatures{}
	}
}

// set sets what a slot holds, and then what its own slots hold.
func (s *Step) set(v cardfile.Slot) {
	of, gift := &s.Creatures, &s.Gift
	switch v.Name {
	case "effect":
		s.Do = Effect(v.Row)
	case "theirs":
		s.Do = Effect(v.Row + " opponent")
	case "per":
		if v.Row != "once" {
			s.Do += Effect(" " + v.Row)
		}
	case "rule":
		gift.Ruling = Ruling(v.Row)
	case "if":
		s.If = Condition(v.Row)
	case "n":
		s.N = v.N
	case "into":
		s.Do, s.Into = Evolve, v.Row
	case "creatures", "up-to", "whom", "one", "able", "shared", "those", "barred", "kind":
		if of.Count = Count(v.Row); v.Row == string(This) {
			of.Count, of.Side = Some, This
		}
	case "count":
		of.N = v.N
	case "side":
		of.Side = Side(v.Row)
	case "trait":
		of.Trait = Trait(v.Row)
	case "low":
		of.Low = v.N
	case "high":
		of.High = v.N
	case "has":
		of.Keywords = keywordOf(v.Row)
	case "card":
		if slices.Contains(triggers, v.Row) {
			s.Card.Trigger = v.Row
		}
	case "least":
		s.Card.Low = v.N
	case "pile", "discards":
		s.From = Pile(v.Row)
	case "gifts":
		gift.Per = v.Row == "per-ally"
	case "power":
		gift.Power = v.N
	case "less":
		gift.Power = -v.N
	case "dice":
		gift.Dice = v.N
	case "keyword":
		for _, one := range v.Slots {
			gift.Keywords |= keywordOf(one.Row)
		}
	}
	for _, inside := range v.Slots {
		s.set(inside)
	}
}

func keywordOf(name string) Keywords { return 1 << slices.Index(keywordNames, name) }

func (k Keywords) list() (names []string) {
	for ; k != noKeywords; k &= k - 1 {
		names = append(names, keywordNames[bits.TrailingZeros8(uint8(k))])
	}
	return names
}
