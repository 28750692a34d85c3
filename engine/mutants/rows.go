package mutants

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"tableside/engine/cardfile"
)

const maxNumber = 20 // of power, points and cards in one effect: more than a power track or a hand has

//go:embed rows.txt
var rowsFile string

// rows returns the card language: docs/cards.md. The functions of this file turn what its rows
// say into the values that the engine resolves.
var rows = sync.OnceValue(func() *cardfile.Table {
	return cardfile.Must(cardfile.ParseTable("mutants/rows.txt", rowsFile, maxNumber))
})

// These variables hold the names of values in the rows, by the values.
var (
	effectNames = names[Effect]{"", "gain-power", "lose-power", "draw", "discard", "cycle", "freeze", "knock-down",
		"flip-up", "gain-card", "take", "deploy", "transform", "copy", "attack", "heal", "gain-points", "lose-points", "swap",
		"ignore", "choose", "discard-hand", "shuffle"}
	objectNames = names[Object]{"", "this", "some", "all", "same", "hand", "discard", "pool", "others", "anywhere",
		"active", "left", "right", "incubated", "deck-top", "all-others"}
	targetNames = names[Targets]{"", "each", "dominating", "dominated", "red-zone", "chosen", "top", "leader", "attacker",
		"each-player"}
	conditionNames = names[Condition]{"", "top", "red-zone", "dominated", "dominating", "incubating", "not-dominating",
		"active", "left", "right", "dominating-all"}
	comparisonNames = names[Comparison]{"", "at-least", "at-most", "exactly"}
	countNames      = names[CountItem]{"", "mutant", "other", "down", "hand", "frozen", "discard", "deck", "pool",
		"arena-gene", "frozen-gene", "opponent", "dominating", "dominated", "red-zone", "top", "those", "this", "that"}
	triggerNames = names[Trigger]{"", "freeze", "breed", "incubate", "deploy", "block", "attacked", "turn", "attack",
		"gain", "cycle", "leave", "transform", "crush", "crushed", "down", "turn-end"}
	timingNames = names[Timing]{"", "deploy", "leave", "either"} // by their bits
)

// names holds the names of values, which are its indexes. Any other name is that of the value 0.
type names[T ~uint8] []string

func (all names[T]) value(name string) T { return T(max(0, slices.Index(all, name))) }

// An abilityKind says what an ability may do.
type abilityKind struct {
	transform bool // whether the ability may transform
	block     bool // whether it is a Block
	boss      bool // whether the ability is a boss's
	waits     bool // whether it waits for an event
}

// slots returns the slot that holds such an ability, and the ones that hold its examples.
func (is abilityKind) slots() (name string, examples []string) {
	if is.waits {
		return "ongoing", []string{"waiting", "example"}
	}
	return "ability", []string{"example"}
}

// read reads the word "none", a "?", or what an ability does, such as "gain 2 power, then cycle 1".
func (is abilityKind) read(p *cardfile.Parser) (a Ability, err error) {
	if unknown, nothing, err := p.TakeNone(); nothing || err != nil {
		return Ability{Unknown: unknown}, err
	}
	from := p.Column()
	name, near := is.slots()
	said, err := p.Sentence(rows(), name, near...)
	if err != nil {
		return Ability{}, err
	}
	a = abilityOf(said)
	if reason := is.refusal(&a); reason != "" {
		return Ability{}, p.FailAt(from, "%s", reason)
	}
	return a, nil
}

// refusal returns the reason why there can be no such ability, or "".
func (is abilityKind) refusal(a *Ability) (reason string) {
	if is.boss {
		if a.Trigger&OfOpponent == 0 && a.Trigger != NoTrigger && a.Trigger != EachDeploy && a.Trigger != EachAttacked {
			return `"you" are the boss here, who only deploys and is attacked; say what an opponent does`
		}
		if slices.ContainsFunc(a.Steps, func(s Step) bool { return s.beyondBoss() }) {
			return "a boss has only power, health, an Arena, a deck and a discard pile"
		}
	}
	answers := is.block || a.Trigger == EachAttacked || a.Trigger == EachBlock
	anyStep(a.Steps, func(s *Step) bool {
		switch {
		case s.Do == Transform && !is.transform:
			reason = "only a deploy ability can transform"
		case s.Do == Ignore && !is.block:
			reason = "only a block ability ignores an attack"
		case s.Do == Heal && !is.boss:
			reason = "only a boss has health"
		case s.Targets == Attacker && !answers:
			reason = "there is an attacker only in a block ability, or where an ongoing ability answers an attack"
		case slices.ContainsFunc(s.Price, func(price Step) bool { return price.UpTo }):
			reason = `a price is paid in full: "up to" says too little`
		case s.Do == Take && zonesOf(s) == s.To:
			reason = "a card cannot be moved to where it is"
		case s.Do == Take && s.Object == FromHand && s.To == InDiscard:
			reason = `a card goes from the hand to the discard pile by "discard"`
		case (s.Do == Take || s.Do == GainCard) && s.To == InIncubator && (s.N > 1 || s.UpTo):
			reason = "an incubator holds one mutant"
		}
		return reason != ""
	})
	return reason
}

// These variables list what a boss's abilities may say. A boss has no hand, gene pool,
// incubator, freeze zone or points, and it blocks nothing.
var (
	bossEffects = []Effect{0, GainPower, LosePower, KnockDown, FlipUp, Copy, Attack, Heal, Choose}
	bossObjects = []Object{0, This, AMutant, AnotherInArena, AllMutants, AllOthers, FromDiscard, InActiveSlot,
		InLeftSlot, InRightSlot}
	bossCounts = []CountItem{0, Mutants, OtherMutants, DownMutants, DiscardedCards, DeckCards, Opponents,
		OpponentsDominating, OpponentsDominated, OpponentsInRedZone, OpponentsOnTop}
	bossConditions = []Condition{InTopSpace, IfInRedZone, IfDominated, IfDominating, IfNotDominating, IfDominatingAll,
		IfCount}
)

// beyondBoss reports whether a step needs something that a boss does not have.
func (s *Step) beyondBoss() bool {
	beyond := func(c Clause) bool {
		return !slices.Contains(bossConditions, c.Condition) || !slices.Contains(bossCounts, c.Count.Item)
	}
	each := func(steps []Step) bool {
		return slices.ContainsFunc(steps, func(s Step) bool { return s.beyondBoss() })
	}
	return !slices.Contains(bossEffects, s.Do) || !slices.Contains(bossObjects, s.Object) ||
		!slices.Contains(bossCounts, s.Per.Item) || s.Do == Copy && s.Object != AnotherInArena && s.Object != FromDiscard ||
		slices.ContainsFunc(s.If.Clauses, beyond) || each(s.Price) || each(s.Or) || each(s.And) || each(s.Else)
}

// abilityOf returns the ability that a sentence says.
func abilityOf(said cardfile.Slot) Ability {
	a := Ability{said: said}
	a.add(false, said.Slots)
	a.transforms = anyStep(a.Steps, func(s *Step) bool { return s.Do == Transform })
	a.remembers = anyStep(a.Steps, func(s *Step) bool { return s.Per.Item == Those || s.Per.Item == FreezeThat })
	return a
}

func (a *Ability) add(also bool, parts []cardfile.Slot) {
	for _, in := range parts {
		switch in.Name {
		case "trigger":
			a.Trigger = triggerOf(in)
		case "part":
			s := partOf(in)
			s.Also = also
			// Where only "and" joins effects, they have nothing in common.
			if len(s.If.Clauses) == 0 && !s.May && s.Price == nil {
				a.Steps = append(a.Steps, s.splitGroup()...)
			} else {
				a.Steps = append(a.Steps, s)
			}
		case "more":
			a.add(in.Row == "also", in.Slots)
		}
	}
}

func triggerOf(v cardfile.Slot) Trigger {
	if name, hero := strings.CutPrefix(v.Row, "their-"); hero {
		return OfOpponent | triggerNames.value(name)
	}
	if name, other := strings.CutPrefix(v.Row, "other-"); other {
		return OfOther | triggerNames.value(name)
	}
	return triggerNames.value(v.Row)
}

func partOf(part cardfile.Slot) (s Step) {
	for _, in := range part.Slots {
		switch in.Name {
		case "test":
			s.If = testOf(in)
		case "wish":
			wanted := in.Slots[len(in.Slots)-1]
			test := s.If
			s = choiceOf(wanted)
			s.If, s.May = test, strings.HasPrefix(in.Row, "may")
			if len(in.Slots) > 1 {
				s.Price = effectsOf(in.Slots[:1])
			}
		case "does":
			s.Else = choiceOf(in).splitGroup()
		}
	}
	return s
}

// testOf returns the conditions in a slot and in its own slots.
func testOf(v cardfile.Slot) (t Test) {
	for _, in := range v.Slots {
		if in.Name == "if" {
			t.Clauses = append(t.Clauses, clauseOf(in))
		} else {
			t.Clauses = append(t.Clauses, testOf(in).Clauses...)
		}
	}
	t.Any = v.Row == "or"
	return t
}

func clauseOf(v cardfile.Slot) (c Clause) {
	var counted Step
	counted.set(v)
	counted.Per.Attacker = false
	c = Clause{Condition: IfCount, Comparison: comparisonNames.value(v.Row), N: counted.N, Count: counted.Per}
	name, opponent := strings.CutPrefix(v.Row, "opponent-")
	switch {
	case c.Comparison != 0:
	case opponent:
		c.Comparison, c.N, c.Count.Item = AtLeast, 1, countNames.value(name)
	case v.Row == "none":
		c.Comparison = AtMost
	default:
		c = Clause{Condition: conditionNames.value(v.Row)}
		if c.Condition == Always {
			name, c.Not = strings.CutPrefix(v.Row, "not-")
			c.Condition = conditionNames.value(name)
		}
	}
	return c
}

// choiceOf returns a group of effects, or the choice between several groups.
func choiceOf(v cardfile.Slot) Step {
	if v.Row != "choose" {
		return group(v.Slots)
	}
	return Step{Do: Choose, Or: options(v.Slots)}
}

func options(slots []cardfile.Slot) []Step {
	last := len(slots) - 1
	if !strings.HasSuffix(slots[last].Name, "or") {
		last++
	}
	first := group(slots[:last])
	first.said = cardfile.Slot{Name: "suffers", Row: "group", Slots: slots[:last]}
	if len(slots) == 1 || slots[0].Name != "theirs" {
		first.said = slots[0]
	}
	if last == len(slots) {
		return []Step{first}
	}
	return append([]Step{first}, options(slots[last].Slots)...)
}

// group returns the effects of slots, joined by "and".
func group(slots []cardfile.Slot) (first Step) {
	all := effectsOf(slots)
	if len(all) > 0 {
		first = all[0]
	}
	if len(all) > 1 {
		first.And = all[1:]
	}
	return first
}

func (s Step) splitGroup() []Step {
	more := s.And
	s.And = nil
	return append([]Step{s}, more...)
}

// effectsOf lists the effects of slots, without those between which one chooses.
func effectsOf(slots []cardfile.Slot) (all []Step) {
	for _, v := range slots {
		switch last := len(all) - 1; v.Name {
		case "whom":
			all = append(all, attackOn(v))
		case "suffers":
			suffered := choiceOf(v)
			all[last].Attack = suffered.splitGroup()
		case "deed", "price", "theirs":
			s := effectOf(v)
			if last >= 0 && v.Name == "theirs" && all[last].Do == Attack {
				all[last].Attack = []Step{s}
			} else {
				all = append(all, s)
			}
		default:
			all = append(all, effectsOf(v.Slots)...)
		}
	}
	return all
}

func attackOn(whom cardfile.Slot) Step {
	name, one := strings.CutPrefix(whom.Row, "one-")
	s := Step{Do: Attack, Targets: targetNames.value(name)}
	if one {
		s.Targets |= OneOf
	}
	return s
}

func effectOf(v cardfile.Slot) (s Step) {
	s.set(v)
	s.Per.Attacker = s.Per.Attacker && v.Name == "theirs"
	if s.N == 1 && !s.UpTo && (s.Object != 0 || s.Do == GainCard) {
		s.N = 0
	}
	return s
}

// set sets what a slot holds, and then what its own slots hold.
func (s *Step) set(v cardfile.Slot) {
	switch v.Name {
	case "deed", "price", "theirs":
		name, equal := strings.CutSuffix(v.Row, "-equal")
		name, s.Random = strings.CutSuffix(name, "-random")
		if s.Do = effectNames.value(name); equal {
			s.N = 1
		}
	case "n":
		s.N = v.N
	case "q":
		s.UpTo = v.Row == "up-to"
	case "object":
		s.Object = objectNames.value(v.Row)
	case "to":
		s.To = zonesByName[v.Row]
	case "timing":
		s.Copies = timingNames.value(v.Row)
	case "per", "value", "counted", "mine":
		name, theirs := strings.CutSuffix(v.Row, "-them")
		if item := countNames.value(strings.TrimSuffix(name, "-by")); item != 0 {
			s.Per.Item = item
			s.Per.Attacker = v.Name == "mine" || !theirs && item >= Opponents && item <= OpponentsOnTop
		}
	case "gene":
		s.Per.ByGene, s.Per.Gene = true, Gene(slices.Index(geneNames[:], v.Row))
	}
	for _, inside := range v.Slots {
		s.set(inside)
	}
}

// geneNames holds the words for genes in card files, in the order of the Gene constants.
var geneNames = [geneCount]string{"cyber", "necro", "saber", "zoomorph", "galactic", "mythic"}

// exploits holds what exploits a weakness, by the rows for it.
var exploits = map[string]Exploit{
	"down": {Down: true}, "freeze": {Trigger: EachFreeze}, "breed": {Trigger: EachBreed},
	"incubate": {Trigger: EachIncubate}, "deploy": {Trigger: EachDeploy}, "block": {Trigger: EachBlock},
	"top": {If: InTopSpace}, "other": {Other: true}, "unknown": {Unknown: true},
}

// readWeakness reads "3 when knocked down". The number, what exploits the weakness, or both may be
// unknown.
func readWeakness(p *cardfile.Parser) (w Weakness, err error) {
	whole := *p
	switch unknown, nothing, err := whole.TakeNone(); {
	case err != nil || !nothing:
	case unknown:
		return unknownWeakness, nil
	default:
		return Weakness{}, nil
	}
	said, err := p.Sentence(rows(), "weakness", "weakness")
	if err != nil {
		return w, err
	}
	w = Weakness{N: -1, Exploit: exploits[said.Slots[len(said.Slots)-1].Row]}
	if said.Row == "known" {
		w.N = said.Slots[0].N
	}
	return w, nil
}

func (w Weakness) said() cardfile.Slot {
	said := cardfile.Slot{Name: "weakness", Row: "how-many"}
	if w.N > 0 {
		said.Row, said.Slots = "known", []cardfile.Slot{{Name: "n", N: w.N}}
	}
	for name, exploit := range exploits {
		if exploit == w.Exploit {
			said.Slots = append(said.Slots, cardfile.Slot{Name: "exploit", Row: name})
		}
	}
	return said
}
