package mutants

import (
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

func parseAbility(words string) (Ability, error) {
	return abilityKind{transform: true, block: true}.read(cardfile.NewParser(words, 1))
}

// abilityIn returns the ability that a statement gives a card or a boss.
func abilityIn(s Statement) Ability {
	k, b := Kind{Action: &Action{}}, Boss{}
	switch s.Subject {
	case aCard, aAction:
		cardfile.Set(&k, &s)
	case aBoss:
		cardfile.Set(&b, &s)
	}
	switch s.Field {
	case "deploy":
		return k.Deploy
	case "leave":
		return k.Leave
	case "block":
		return k.Block
	case "ongoing":
		return k.Ongoing
	case "set-up":
		return b.SetUp
	}
	return b.Power
}

// expand returns copies of steps, each with one of the options.
func expand[V any](steps []Step, options []V, set func(*Step, V)) (all []Step) {
	for _, s := range steps {
		for _, option := range options {
			with := s
			set(&with, option)
			all = append(all, with)
		}
	}
	return all
}

func everyCount(attacked bool) []Count {
	var all []Count
	for item := Mutants; item <= OpponentsOnTop; item++ {
		c := Count{Item: item}
		switch item {
		case ArenaGenes, FrozenGenes:
			c.ByGene, c.Gene = true, Mythic
		case Mutants, OtherMutants, FrozenCards, DiscardedCards:
			all = append(all, Count{Item: item, ByGene: true, Gene: Necro})
		case Opponents, OpponentsInRedZone, OpponentsOnTop: // an opponent's are the attacker's
			c.Attacker = attacked
		}
		if all = append(all, c); attacked && !c.Attacker {
			c.Attacker = true
			all = append(all, c)
		}
	}
	return all
}

// rowsIn returns the ids of the rows that stand in a slot.
func rowsIn(slot string) (ids []string) {
	for line := range strings.Lines(rowsFile) {
		head := strings.Fields(strings.Split(line, "|")[0])
		if len(head) > 2 && head[0] == "row" && slices.Contains(head[2:], slot) {
			ids = append(ids, strings.TrimSuffix(head[1], "!"))
		}
	}
	return ids
}

// everyEffect lists every effect that stands in a slot, with every value of its own slots.
func everyEffect(slot string) (all []Step) {
	for _, row := range rowsIn(slot) {
		s := effectOf(cardfile.Slot{Name: slot, Row: row})
		list := []Step{s}
		objects := ""
		for line := range strings.Lines(rowsFile) {
			head := strings.Fields(strings.Split(line, "|")[0])
			if len(head) > 2 && head[1] == row && slices.Contains(head[2:], slot) {
				_, after, _ := strings.Cut(line, ":object}")
				before := strings.TrimSuffix(line, ":object}"+after)
				objects = before[strings.LastIndex(before, "{")+1:]
				if after == "" {
					objects = ""
				}
			}
		}
		for _, in := range slotsOf(row, slot) {
			switch in {
			case "n":
				list = expand(list, []int{1, 2, maxNumber}, func(s *Step, n int) { s.N = n })
			case "q":
				list = expand(list, []Step{{N: 1}, {N: 2}, {N: 1, UpTo: true}, {N: 3, UpTo: true}}, (*Step).many)
			case "per":
				list = slices.Concat(list, expand(list, append(everyCount(slot == "theirs"), Count{Item: Those}),
					func(s *Step, c Count) { s.Per = c }))
			case "value":
				list = expand(list, []CountItem{FreezeThis, FreezeThat}, func(s *Step, item CountItem) {
					s.Per.Item, s.N = item, 1
				})
			case "to":
				to := "to"
				if s.Do == GainCard {
					to = "gain-to"
				}
				list = expand(list, rowsIn(to), func(s *Step, zone string) { s.To = zonesByName[zone] })
			case "timing":
				list = expand(list, []Timing{OnDeploy, OnLeave, OnDeploy | OnLeave}, func(s *Step, t Timing) { s.Copies = t })
			case "object":
				list = expand(list, rowsIn(objects), func(s *Step, name string) { s.Object = objectNames.value(name) })
				several := slices.DeleteFunc(slices.Clone(list), func(s Step) bool {
					return s.object().Slots == nil || s.Do == Deploy || s.Do == Copy
				})
				list = append(list, expand(several, []Step{{N: 2}, {N: 1, UpTo: true}, {N: 9, UpTo: true}}, (*Step).many)...)
			}
		}
		all = append(all, list...)
	}
	return slices.DeleteFunc(all, func(s Step) bool {
		a := Ability{Steps: []Step{s}}
		return abilityKind{transform: true, block: true}.refusal(&a) != "" && s.Do != Heal || slot == "price" && s.UpTo ||
			slot == "deed" && s.Object == SameSlot
	})
}

func (s *Step) many(q Step) {
	if s.N, s.UpTo = q.N, q.UpTo; s.N == 1 && !s.UpTo && s.Do == GainCard {
		s.N = 0
	}
}

var everyTarget = []Targets{EachOpponent, Dominating, Dominated, InRedZone, ChosenOpponent, OnTop, Leader, Attacker,
	EachPlayer, OneOf | Dominating, OneOf | Dominated, OneOf | InRedZone, OneOf | OnTop}

func everyClause() (all []Clause) {
	for c := InTopSpace; c < IfCount; c++ {
		all = append(all, Clause{Condition: c})
		if c != IfDominating && c != IfNotDominating && c != IfDominatingAll {
			all = append(all, Clause{Condition: c, Not: true})
		}
	}
	for _, c := range everyCount(false) {
		for _, how := range []Comparison{AtLeast, AtMost, Exactly} {
			for n := 1; n < 3; n++ {
				all = append(all, Clause{Condition: IfCount, Comparison: how, N: n, Count: c})
			}
		}
		all = append(all, Clause{Condition: IfCount, Comparison: AtMost, Count: c})
	}
	return all
}

// bare returns an ability without what it was read from.
func (a Ability) bare() Ability {
	a.said, a.remembers, a.transforms = cardfile.Slot{}, false, false
	anyStep(a.Steps, func(s *Step) bool {
		s.said = cardfile.Slot{}
		return false
	})
	return a
}

// notFrench finds what elides or contracts in French, and has not.
var notFrench = regexp.MustCompile(
	`(?i)(^| )((de|le|la|que|ne|se|sa) [aeiouyéèêàâîôh]|de (\d|jusqu)|(de|à) les? |des autres|jusqu'à un|si ils?\b)`)

// readsBack checks that an ability is written in both languages, and read as itself.
func readsBack(t *testing.T, a Ability) {
	t.Helper()
	is := abilityKind{transform: true, block: true, waits: a.Trigger != NoTrigger,
		boss: anyStep(a.Steps, func(s *Step) bool { return s.Do == Heal })}
	is.transform, is.block = !is.boss, !is.boss
	for _, lang := range engine.Languages {
		words := a.write(lang)
		again, err := is.read(cardfile.NewParser(words, 1))
		if err == nil && rows().Write(lang, again.said) != words {
			t.Errorf("%q is written %q", words, rows().Write(lang, again.said))
		}
		if lang == engine.French && notFrench.MatchString(words) {
			t.Errorf("%q is no French: %q", notFrench.FindString(words), words)
		}
		if again = again.bare(); err != nil || !reflect.DeepEqual(a, again) {
			t.Errorf("%q is read as %#v and not %#v: %v", words, again, a, err)
		}
	}
}

// TestEveryRow writes every row with every value of its slots, and reads it back.
func TestEveryRow(t *testing.T) {
	n := 0
	reads := func(a Ability) {
		n++
		readsBack(t, a)
	}
	for _, s := range everyEffect("deed") {
		reads(Ability{Steps: []Step{s}})
	}
	for i, s := range everyEffect("theirs") {
		if s.Object == This || s.Object == AnotherInArena {
			t.Errorf("%+v is of an attack", s)
		}
		reads(Ability{Steps: []Step{{Do: Attack, Targets: everyTarget[i%len(everyTarget)], Attack: []Step{s}}}})
	}
	for _, s := range everyEffect("price") {
		reads(Ability{Steps: []Step{{Do: GainPower, N: 2, Price: []Step{s}}}})
	}
	for _, c := range everyClause() {
		reads(Ability{Steps: []Step{{Do: GainPower, N: 2, If: Test{Clauses: []Clause{c}}}}})
	}
	for _, row := range rowsIn("trigger") {
		reads(Ability{Trigger: triggerOf(slot("trigger", row)), Steps: []Step{{Do: GainPower, N: 2}}})
	}
	if n < 1000 {
		t.Errorf("only %d sentences", n)
	}
	t.Log(n, "sentences")
}

// TestRandomAbilities reads abilities of up to three parts, joined in every way.
func TestRandomAbilities(t *testing.T) {
	chance := rand.New(rand.NewPCG(4, 2))
	deeds, theirs, prices, clauses := everyEffect("deed"), everyEffect("theirs"), everyEffect("price"), everyClause()
	deeds = slices.DeleteFunc(deeds, func(s Step) bool { return s.Do == Heal })
	n := 1500
	if enginetest.Nightly() {
		n = 10_000
	}
	for range n {
		readsBack(t, randomAbility(chance, deeds, theirs, prices, clauses))
	}
}

func randomAbility(chance *rand.Rand, deeds, theirs, prices []Step, clauses []Clause) (a Ability) {
	pick := func(list []Step) Step { return list[chance.IntN(len(list))] }
	some := func(list []Step) Step {
		s := pick(list)
		for chance.IntN(3) == 0 {
			s.And = append(s.And, pick(list))
		}
		return s
	}
	attack := func() Step {
		s := Step{Do: Attack, Targets: everyTarget[chance.IntN(len(everyTarget))]}
		if chance.IntN(3) == 0 {
			s.Attack = []Step{{Do: Choose, Or: []Step{some(theirs), some(theirs), some(theirs)}[:2+chance.IntN(2)]}}
		} else {
			first := some(theirs)
			s.Attack = first.splitGroup()
		}
		return s
	}
	group := func() Step {
		if chance.IntN(3) == 0 {
			return attack()
		}
		s := some(deeds)
		if chance.IntN(4) == 0 {
			s.And = append(s.And, attack())
		}
		return s
	}
	body := func() Step {
		if chance.IntN(4) > 0 {
			return group()
		}
		return Step{Do: Choose, Or: []Step{group(), group(), group()}[:2+chance.IntN(2)]}
	}
	for i := range 1 + chance.IntN(3) {
		s := body()
		if s.May = chance.IntN(3) == 0; chance.IntN(3) == 0 {
			price := some(prices)
			s.Price = price.splitGroup()
		}
		if chance.IntN(3) == 0 {
			for range 1 + chance.IntN(3) {
				s.If.Clauses = append(s.If.Clauses, clauses[chance.IntN(len(clauses))])
			}
			if s.If.Any = len(s.If.Clauses) > 1 && chance.IntN(2) == 0; chance.IntN(2) == 0 {
				instead := body()
				s.Else = instead.splitGroup()
			}
		}
		s.Also = i > 0 && chance.IntN(2) == 0
		if len(s.If.Clauses) == 0 && !s.May && s.Price == nil {
			s.And = nil // these are parts of their own
		}
		a.Steps = append(a.Steps, s)
	}
	return a
}

// TestPrintedSentences reads every sentence of the boxes, and writes it as it stands there.
func TestPrintedSentences(t *testing.T) {
	n := 0
	for _, s := range slices.Concat(printed(), standIns()) {
		if s.NoRow != nil {
			t.Error(s.NoRow)
		}
		if s.Field == "weakness" && !s.Unknown {
			var k Kind
			k.Action = &Action{}
			cardfile.Set(&k, &s)
			if w := k.Action.Weakness.String(); !strings.HasSuffix(s.Text, " "+w) {
				t.Errorf("%s is written %q", s.Text, w)
			}
		}
		if a := abilityIn(s); len(a.Steps) > 0 {
			if n++; !strings.HasSuffix(s.Text, " "+a.String()) {
				t.Errorf("%s is written %q", s.Text, a)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d abilities", n)
	}
}

// TestOtherSpelling reads what differs only in capital letters, the number 1 and the last full stop.
func TestOtherSpelling(t *testing.T) {
	for said, means := range map[string]string{
		"Gain one power.":                  "gain 1 power",
		"GAIN 2 POWER":                     "gain 2 power",
		"Draw a card.":                     "draw 1 card",
		"You may freeze this mutant.":      "you may freeze this mutant",
		"Vous pouvez geler ce Mutant.":     "you may freeze this mutant",
		"Gagnez 2 Force, puis cyclez 1.":   "gain 2 power, then cycle 1",
		"Mettez K.O. ce Mutant.":           "knock down this mutant",
		"Ignorez l’attaque.":               "ignore the attack",
		"Gelez une carte de votre main.":   "freeze 1 card from your hand",
		"Gagnez 2 Force. Piochez 1 carte.": "gain 2 power. Draw 1 card",
		"Gagnez 1 Force; cyclez 1.":        "gain 1 power. Cycle 1",
		"Rien":                             "none",
		"None.":                            "none",
		"?":                                "?",
	} {
		if a, err := parseAbility(said); err != nil || a.String() != means {
			t.Errorf("%q is read as %q, %v", said, a, err)
		}
	}
}

// TestNearMisses refuses what people may type instead of a sentence, and lists the rows that
// come nearest; none of these texts may be read as something else.
func TestNearMisses(t *testing.T) {
	for said, near := range map[string]string{
		"gain 2 powers":                                     `"gain 1 power"`,
		"gain two power":                                    `"gain 1 power"`,
		"each oponent loses 1 power":                        `"each opponent loses 1 power"`,
		"all opponents lose 1 power":                        `loses 1 power"`,
		"attack each opponent: lose 1 power":                `"each opponent loses 1 power"`,
		"freeze a card":                                     `"freeze`,
		"freeze this":                                       `"freeze this mutant"`,
		"freeze 2 of your mutant":                           `"freeze`,
		"knock down all mutants":                            `"knock down`,
		"each opponent knocks down this mutant":             `"`,
		"each opponent discards 1 card from your hand":      `"`,
		"each opponent loses 1 power or discards 1 card":    `"`,
		"lose 1 power or discard 1 card":                    `"`,
		"gain 1 mutant":                                     `"gain 1 mutant to your hand"`,
		"if dominated, gain 1 power":                        `"if an opponent dominates you, gain 2 power"`,
		"if you are in the red zone gain 1 power":           `"if you are in the Red Zone`,
		"gain 1 power if you are in the red zone":           `"if you are in the Red Zone`,
		"gain 1 power, otherwise, draw 1 card":              `"`,
		"you may each opponent loses 1 power":               `"each opponent loses 1 power"`,
		"you may discard 1 card. If you do, gain 3 power":   `"`,
		"gain 2 power, cycle 1":                             `"cycle 1"`,
		"gain 2 power then cycle 1":                         `"`,
		"gain power equal to its freeze value":              `"gain power equal to this mutant's Freeze value"`,
		"gain 1 power for each mutants in your arena":       `mutant`,
		"gain 1 power for each mutant in their arena":       `mutant`,
		"if you have at least 2 card in your hand, cycle 1": `"if you have at least 1 mutant`,
		"copy a deploy":                                     `"copy the Deploy ability`,
		"move 1 card from your gene pool to your hand":      `"`,
		"deploy 2 cards from your hand":                     `"deploy 1 card from your hand"`,
		"Recyclez 1":                                        `"cyclez 1"`,
		"Perdez 2 Forces":                                   `"perdez 1 Force"`,
		"Gagnez 2 Force, then cycle 1":                      `"`,
		"gain 1 power,":                                     `"`,
		"gain 1 power, then":                                `"`,
		"":                                                  `"gain 1 power"`,
	} {
		a, err := parseAbility(said)
		var e *engine.SyntaxError
		switch {
		case !errors.As(err, &e) || !errors.Is(err, cardfile.ErrNoRow):
			t.Errorf("%q is read as %q: %v", said, a, err)
		case !strings.Contains(e.Reason, near) || e.Suggest != "" || e.Column < 1 || e.Column > len(said)+1:
			t.Errorf("%q: got %v, want %s and no suggestion", said, e, near)
		default:
			t.Log(said, "|", e, "|", cardfile.Translations(faultsFile).Say(e))
		}
	}
}

// TestRefusals refuses sentences of the table that no such ability may have, in both languages.
func TestRefusals(t *testing.T) {
	for said, why := range map[string]string{
		"card a leave transform this mutant":                                       "only a deploy ability",
		"card a deploy ignore the attack":                                          "only a block ability",
		"card a deploy the attacker loses 1 power":                                 "there is an attacker only in",
		"card a ongoing each time you freeze 1 mutant, the attacker loses 1 power": "there is an attacker only in",
		"card a deploy discard up to 2 cards to gain 1 power":                      "paid in full",
		"card a deploy move 1 card from your hand to your hand":                    "where it is",
		"card a deploy move 1 card from your hand to your discard pile":            `by "discard"`,
		"card a deploy gain 2 mutants to your incubator":                           "an incubator holds one mutant",
		"card a deploy move up to 1 of your mutants to your incubator":             "an incubator holds one mutant",
		"card a deploy gain 2 health":                                              "only a boss has health",
		"boss a set-up draw 1 card":                                                "a boss has only",
		"boss a set-up gain 1 VP":                                                  "a boss has only",
		"boss a set-up if your incubator is empty, gain 1 power":                   "a boss has only",
		"boss a set-up gain 1 power for each card in your hand":                    "a boss has only",
		"boss a set-up copy the Deploy ability of 1 card from your hand":           "a boss has only",
		"action a deploy you may discard 1 card to gain 2 power":                   "a boss has only",
		"boss a power each time you freeze 1 mutant, gain 1 power":                 "are the boss here",
		"boss a power each time an opponent freezes 1 mutant, draw 1 card":         "a boss has only",
	} {
		_, err := cardfile.ReadOne("", 1, said, readStatement)
		var e *engine.SyntaxError
		if !errors.As(err, &e) || errors.Is(err, cardfile.ErrNoRow) || !strings.Contains(e.Reason, why) ||
			cardfile.Translations(faultsFile).Say(e) == "" {
			t.Errorf("%s: got %v, want %s in both languages", said, err, why)
		}
	}
}

// TestWordsWithoutRow checks that an owner's older sentence stays as words: it is a fault of the
// file, its card can be played, and its effect is resolved by hand.
func TestWordsWithoutRow(t *testing.T) {
	const file = "card zombie deploy attack each opponent: lose 1 power\n" +
		"card zombie ongoing each time you freeze: gain 2 power\n" +
		"card zombie freeze 2\ncard robot leave text \"Sing.\"\naction heat-death weakness trois quand vous gelez\n"
	lines, faults := owners.Define("mine.txt", file)
	if len(lines) != 5 || len(faults) != 3 || faults[0].Line != 1 || faults[0].Column != 20 {
		t.Fatalf("got the lines %q, faults %v", lines, faults)
	}
	d, err := build(uprisingEdition, true, lines)
	if err != nil {
		t.Fatal(err)
	}
	zombie, robot := kindOf(t, d, "zombie"), kindOf(t, d, "robot")
	for _, c := range []struct {
		Ability
		want string
	}{{zombie.Deploy, "attack each opponent: lose 1 power"}, {zombie.Ongoing, "each time you freeze: gain 2 power"},
		{robot.Leave, "Sing."}} {
		if want := engine.T("printed", "text", c.want); !c.Unknown || !reflect.DeepEqual(c.Text(), want) {
			t.Errorf("got %+v, want %v", c.Ability, want)
		}
	}
	if gaps := zombie.fields().Gaps(&zombie); len(gaps) > 0 {
		t.Errorf("%s has the gaps %v", zombie.ID, gaps)
	}
	if w := kindOf(t, d, "heat-death").Action.Weakness; w.N != -1 || w.Exploit != (Exploit{Unknown: true}) {
		t.Errorf("got the weakness %v", w)
	}
	enginetest.PromisesIn(t, 10, Games()[1], engine.Setup{Seats: enginetest.Seats(3), Definitions: lines[:4],
		Options: map[string]string{"data": "stand-in"}})
}

// FuzzAbility checks that reading any text never panics, and that an ability
// reads back as the same from its written form.
func FuzzAbility(f *testing.F) {
	for _, source := range [][]Statement{printed(), standIns()} {
		for _, s := range source {
			if a := abilityIn(s); len(a.Steps) > 0 {
				f.Add(a.String())
			}
		}
	}
	f.Add("if an opponent dominates you, you may attack: each opponent in the red zone loses 3 power " +
		"and discards a card, " +
		"then flip all knocked-down mutants in your arena face up. Gain 1 power")
	f.Add("Mettez K.O. 2 de vos autres Mutants pour, au choix : ")
	f.Add("?")
	f.Fuzz(func(t *testing.T, words string) {
		a, err := parseAbility(words)
		if err != nil {
			e, ok := err.(*engine.SyntaxError)
			if !ok || e.Column < 1 || e.Column > len(words)+1 {
				t.Fatalf("error without a column in the words: %#v", err)
			}
			return
		}
		for _, lang := range engine.Languages {
			canonical := a.write(lang)
			if len(a.Steps) == 0 {
				canonical = a.String()
			}
			again, err := parseAbility(canonical)
			if err != nil {
				t.Fatalf("%q is not read again: %v", canonical, err)
			}
			if !reflect.DeepEqual(a.bare(), again.bare()) {
				t.Fatalf("%q is read as %+v, %q as %+v", words, a, canonical, again)
			}
		}
	})
}

// TestKeptSentences plays matches with sentences of the table in both languages, and with words
// that are kept as text.
func TestKeptSentences(t *testing.T) {
	data, err := os.ReadFile("testdata/cards/made-up.cards")
	if err != nil {
		t.Fatal(err)
	}
	var own []string
	for i, line := range strings.Split(string(data), "\n") {
		s, err := cardfile.ReadOne("f", i+1, line, readStatement)
		if err != nil {
			t.Fatal(err)
		}
		if s.Text == "" {
			continue
		}
		head := s.Text[:s.ValueAt-1]
		if a := abilityIn(s); i%3 == 0 {
			own = append(own, head+"text "+strconv.Quote(a.String()))
		} else {
			own = append(own, head+a.write(engine.French))
		}
	}
	lines, faults := owners.Define("f", strings.Join(own, "\n"))
	if faults != nil {
		t.Fatal(faults[0])
	}
	enginetest.PromisesIn(t, 10, Games()[1], engine.Setup{Seats: enginetest.Seats(3),
		Definitions: lines, Options: map[string]string{"data": "stand-in"}})
}

// TestOlderWords plays random matches of rules before 4 with words that only those rules could read.
func TestOlderWords(t *testing.T) {
	enginetest.PromisesIn(t, 10, Games()[1], engine.Setup{Seats: enginetest.Seats(3), Rules: rules3,
		Options: map[string]string{"data": "stand-in"}, Definitions: []string{"card zombie deploy attack all: 1 power",
			"card robot leave Piochez deux cartes.", "card warrior ongoing each time you draw: may gain 1 power",
			"card beast block may gain 1 power"}})
	enginetest.PromisesIn(t, 10, Games()[2], engine.Setup{Seats: enginetest.Seats(1), Rules: rules3,
		Options: map[string]string{"data": "stand-in", "boss": "singularity-wizard"}, Definitions: []string{
			"action heat-death deploy attack all: 1 power", "action heat-death weakness 2 when it is knocked over",
			"card zombie leave Piochez deux cartes."}})
}
