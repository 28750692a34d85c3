package mutants

import (
	"regexp"
	"slices"
	"strings"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// String writes an ability in words that read back as the same ability.
func (a Ability) String() string {
	switch {
	case a.Unknown:
		return "?"
	case len(a.Steps) == 0:
		return "none"
	}
	return a.write(engine.English)
}

// write writes an ability from its values, and not from what it was read from.
func (a Ability) write(lang engine.Lang) string {
	said := cardfile.Slot{Name: "more", Row: "none"}
	for _, s := range slices.Backward(a.Steps) {
		row := "then"
		if s.Also {
			row = "also"
		}
		said = slot("more", row, s.part(), said)
	}
	said.Name, said.Row = "ability", "parts"
	if a.Trigger != NoTrigger {
		said = slot("ongoing", "waits", slices.Concat([]cardfile.Slot{a.Trigger.slot()}, said.Slots)...)
	}
	return rows().Write(lang, said)
}

func slot(name, row string, inside ...cardfile.Slot) cardfile.Slot {
	return cardfile.Slot{Name: name, Row: row, Slots: inside}
}

func (t Trigger) slot() cardfile.Slot {
	v := slot("trigger", triggerNames[t&^(OfOpponent|OfOther)])
	switch t &^ (OfOpponent | OfOther) {
	case EachFreeze, EachBreed, EachIncubate, EachDeploy, EachGain, EachTransform, EachLeave, EachDown:
		v.Slots = []cardfile.Slot{{Name: "1", N: 1}}
	}
	if t&OfOpponent != 0 {
		v.Row = "their-" + v.Row
	}
	if t&OfOther != 0 {
		v.Row = "other-" + v.Row
	}
	return v
}

func (s Step) part() cardfile.Slot {
	wish := slot("wish", "order", s.body("does", "group", ""))
	if s.May {
		wish = slot("wish", "may", s.body("wanted", "bare", "bare-"))
	}
	if s.Price != nil {
		cost := cardfile.Slot{}
		for i, price := range slices.Backward(s.Price) {
			if v := price.deed("price"); i == len(s.Price)-1 {
				cost = slot("cost", "last", v)
			} else {
				cost = slot("cost", "more", v, cost)
			}
		}
		wish.Row, wish.Slots = "price", []cardfile.Slot{cost, s.body("wanted", "bare", "bare-")}
		if s.May {
			wish.Row = "may-price"
		}
	}
	switch {
	case len(s.If.Clauses) == 0:
		return slot("part", "always", wish)
	case s.Else == nil:
		return slot("part", "if", s.If.slot(), wish)
	}
	instead := s.Else[0]
	if len(s.Else) > 1 {
		instead.And = s.Else[1:]
	}
	return slot("part", "otherwise", s.If.slot(), wish, instead.body("does", "group", ""))
}

// body writes the effects of a part, or several groups of effects to choose from.
func (s Step) body(name, one, prefix string) cardfile.Slot {
	if s.Do != Choose {
		return slot(name, "group", joined(s.splitGroup(), one, prefix))
	}
	chain := cardfile.Slot{}
	for i, option := range slices.Backward(s.Or) {
		v := joined(option.splitGroup(), one, prefix)
		switch i {
		case len(s.Or) - 1:
			chain = slot(prefix+"or", "last", v)
		case 0:
			chain = slot(name, "choose", v, chain)
		default:
			chain = slot(prefix+"or", "more", v, chain)
		}
	}
	return chain
}

func joined(steps []Step, one, prefix string) cardfile.Slot {
	chain := slot(prefix+"and", "none")
	for i, s := range slices.Backward(steps) {
		name := prefix + "and"
		if i == 0 {
			name = one
		}
		if s.Do == Attack {
			chain = slot(name, "whom", s.Targets.slot(), suffers(s.Attack))
		} else {
			chain = slot(name, "you", s.deed("deed"), chain)
		}
	}
	return chain
}

func (t Targets) slot() cardfile.Slot {
	v := slot("whom", targetNames[t&^OneOf])
	if t&OneOf != 0 {
		v.Row = "one-" + v.Row
	}
	return v
}

func suffers(steps []Step) cardfile.Slot {
	if steps[0].Do != Choose {
		return slot("suffers", "group", theirs(steps)...)
	}
	chain := cardfile.Slot{}
	for i, option := range slices.Backward(steps[0].Or) {
		v := theirs(option.splitGroup())
		switch i {
		case len(steps[0].Or) - 1:
			chain = slot("theirs-or", "last", v...)
		case 0:
			chain = slot("suffers", "choose", append(v, chain)...)
		default:
			chain = slot("theirs-or", "more", append(v, chain)...)
		}
	}
	return chain
}

func theirs(steps []Step) []cardfile.Slot {
	chain := slot("theirs-and", "none")
	for i, s := range slices.Backward(steps) {
		if chain = slot("theirs-and", "they", s.deed("theirs"), chain); i == 0 {
			return chain.Slots
		}
	}
	return nil
}

func (s Step) deed(name string) cardfile.Slot {
	row := effectNames[s.Do]
	switch {
	case s.Per.Item == FreezeThis || s.Per.Item == FreezeThat:
		row += "-equal"
	case s.Random:
		row += "-random"
	}
	v := slot(name, row)
	for _, in := range slotsOf(row, name) {
		switch in {
		case "n":
			v.Slots = append(v.Slots, cardfile.Slot{Name: "n", N: s.N})
		case "q":
			v.Slots = append(v.Slots, s.q())
		case "per":
			v.Slots = append(v.Slots, s.Per.per(name == "theirs"))
		case "value":
			v.Slots = append(v.Slots, slot("value", countNames[s.Per.Item]))
		case "object":
			v.Slots = append(v.Slots, s.object())
		case "to":
			v.Slots = append(v.Slots, slot("to", zoneNames[s.To]))
		case "timing":
			v.Slots = append(v.Slots, slot("timing", timingNames[s.Copies]))
		}
	}
	return v
}

func (s Step) q() cardfile.Slot {
	row := "exactly"
	if s.UpTo {
		row = "up-to"
	}
	return slot("q", row, cardfile.Slot{Name: "n", N: max(1, s.N)})
}

func (s Step) object() cardfile.Slot {
	v := slot("object", objectNames[s.Object])
	switch s.Object {
	case AMutant, AnotherInArena, FromHand, FromDiscard, FromPool:
		switch s.Do {
		case Deploy, Copy:
			if s.Object != AnotherInArena {
				v.Slots = []cardfile.Slot{{Name: "1", N: 1}}
			}
		default:
			v.Slots = []cardfile.Slot{s.q()}
		}
	}
	return v
}

// per writes what follows an amount.
func (c Count) per(attacked bool) cardfile.Slot {
	switch {
	case c == Count{}:
		return slot("per", "once")
	case c.Item == Those:
		return slot("per", "those")
	case c.Attacker && c.Item < Opponents:
		return slot("per", "mine", c.slot("mine", false))
	}
	return slot("per", "each", c.slot("counted", attacked))
}

func (c Count) slot(name string, attacked bool) cardfile.Slot {
	v := slot(name, countNames[c.Item])
	gene := slot("gene", geneNames[c.Gene])
	of := func(what string) {
		if v.Slots = []cardfile.Slot{slot(what, "any")}; c.ByGene {
			v.Slots = []cardfile.Slot{slot(what, "gene", gene)}
		}
	}
	switch c.Item {
	case Mutants, OtherMutants:
		of("mutants")
	case FrozenCards, DiscardedCards:
		of("cards")
	case ArenaGenes, FrozenGenes:
		v.Slots = []cardfile.Slot{gene}
	case OpponentsDominating:
		if attacked && !c.Attacker {
			v.Row = "dominating-them"
		}
	case OpponentsDominated:
		if attacked && !c.Attacker {
			v.Row = "dominated-by-them"
		}
	}
	return v
}

func (t Test) slot() cardfile.Slot {
	row, rest := "and", "ands"
	if t.Any {
		row, rest = "or", "ors"
	}
	chain := cardfile.Slot{}
	for i, c := range slices.Backward(t.Clauses) {
		v := c.slot()
		switch {
		case len(t.Clauses) == 1:
			chain = slot("test", "one", v)
		case i == len(t.Clauses)-1:
			chain = slot(rest, "last", v)
		case i == 0:
			chain = slot("test", row, v, chain)
		default:
			chain = slot(rest, "more", v, chain)
		}
	}
	return chain
}

func (c Clause) slot() cardfile.Slot {
	counted := c.Count.slot("counted", false)
	switch {
	case c.Condition == IfCount && c.Comparison == AtMost && c.N == 0:
		return slot("if", "none", counted)
	case c.Condition == IfCount:
		return slot("if", comparisonNames[c.Comparison], cardfile.Slot{Name: "n", N: c.N}, counted)
	case c.Not:
		return slot("if", "not-"+conditionNames[c.Condition])
	}
	return slot("if", conditionNames[c.Condition])
}

var slotPattern = regexp.MustCompile(`\{(?:[^}:]*:)?([^}]*?)\}`)

// slotsOf returns the names of the slots of a row that stands in a slot.
func slotsOf(row, slot string) (names []string) {
	for line := range strings.Lines(rowsFile) {
		columns := strings.Split(line, "|")
		head := strings.Fields(columns[0])
		if len(head) < 3 || head[0] != "row" || head[1] != row || !slices.Contains(head[2:], slot) {
			continue
		}
		for _, m := range slotPattern.FindAllStringSubmatch(columns[1], -1) {
			names = append(names, m[1])
		}
	}
	return names
}
