package mutants

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

func TestParseAbility(t *testing.T) {
	one := func(s Step) []Step { return []Step{s} }
	for _, test := range []struct {
		words     string
		canonical string // "" for the words themselves
		steps     []Step
	}{
		{"none", "", nil},
		{"gain 2 power", "", one(Step{Do: GainPower, N: 2})},
		{"lose 1 power", "", one(Step{Do: LosePower, N: 1})},
		{"draw 1 card", "", one(Step{Do: Draw, N: 1})},
		{"draw a card", "draw 1 card", one(Step{Do: Draw, N: 1})},
		{"draw 2", "draw 2 cards", one(Step{Do: Draw, N: 2})},
		{"discard 2 cards", "", one(Step{Do: Discard, N: 2})},
		{"cycle 1", "", one(Step{Do: Cycle, N: 1})},
		{"Cycle 2 cards", "cycle 2", one(Step{Do: Cycle, N: 2})},
		{"freeze this", "", one(Step{Do: Freeze, Object: This})},
		{"may freeze this mutant", "may freeze this", one(Step{Do: Freeze, Object: This, May: true})},
		{"freeze a mutant", "", one(Step{Do: Freeze, Object: AMutant})},
		{"freeze a card from hand", "", one(Step{Do: Freeze, Object: FromHand})},
		{"freeze a mutant from discard", "freeze a card from discard", one(Step{Do: Freeze, Object: FromDiscard})},
		{"freeze a card from pool", "", one(Step{Do: Freeze, Object: FromPool})},
		{"knock down this", "", one(Step{Do: KnockDown, Object: This})},
		{"knock down one mutant", "knock down a mutant", one(Step{Do: KnockDown, Object: AMutant})},
		{"knock down every mutant", "knock down all mutants", one(Step{Do: KnockDown, Object: AllMutants})},
		{"flip a mutant face up", "", one(Step{Do: FlipUp, Object: AMutant})},
		{"flip all mutants face up", "", one(Step{Do: FlipUp, Object: AllMutants})},
		{"gain a mutant to hand", "", one(Step{Do: GainCard, To: InHand})},
		{"gain a card to deck", "gain a mutant to deck", one(Step{Do: GainCard, To: InDeck})},
		{"gain a mutant to incubator", "", one(Step{Do: GainCard, To: InIncubator})},
		{"gain a mutant to discard", "", one(Step{Do: GainCard, To: InDiscard})},
		{"gain a mutant to freeze", "", one(Step{Do: GainCard, To: InFreeze})},
		{"take a card from discard to hand", "", one(Step{Do: Take, Object: FromDiscard, To: InHand})},
		{"take a mutant from discard to deck", "take a card from discard to deck",
			one(Step{Do: Take, Object: FromDiscard, To: InDeck})},
		{"deploy a card from hand", "", one(Step{Do: Deploy, Object: FromHand})},
		{"deploy a card from discard", "", one(Step{Do: Deploy, Object: FromDiscard})},
		{"deploy a card from pool", "", one(Step{Do: Deploy, Object: FromPool})},
		{"transform", "", one(Step{Do: Transform})},
		{"copy a deploy", "", one(Step{Do: Copy, Copies: OnDeploy, Object: AnotherInArena})},
		{"copy another mutant’s leave", "copy a leave", one(Step{Do: Copy, Copies: OnLeave, Object: AnotherInArena})},
		{"copy a deploy or leave", "", one(Step{Do: Copy, Copies: OnDeploy | OnLeave, Object: AnotherInArena})},
		{"copy a deploy from hand", "", one(Step{Do: Copy, Copies: OnDeploy, Object: FromHand})},
		{"copy a leave from discard", "", one(Step{Do: Copy, Copies: OnLeave, Object: FromDiscard})},
		{"copy a deploy from pool", "", one(Step{Do: Copy, Copies: OnDeploy, Object: FromPool})},
		{"copy a deploy or leave from anywhere", "",
			one(Step{Do: Copy, Copies: OnDeploy | OnLeave, Object: AnotherAnywhere})},
		{"attack each opponent: lose 2 power", "", one(Step{Do: Attack, Targets: EachOpponent,
			Attack: one(Step{Do: LosePower, N: 2})})},
		{"attack each opponent dominating you: discard a card", "attack opponents dominating you: discard 1 card",
			one(Step{Do: Attack, Targets: Dominating, Attack: one(Step{Do: Discard, N: 1})})},
		{"attack opponents you dominate: knock down their mutant in the same slot", "",
			one(Step{Do: Attack, Targets: Dominated, Attack: one(Step{Do: KnockDown, Object: SameSlot})})},
		{"attack opponents in the red zone: knock down all mutants", "",
			one(Step{Do: Attack, Targets: InRedZone, Attack: one(Step{Do: KnockDown, Object: AllMutants})})},
		{"may attack one opponent: lose 1 power and knock down a mutant, then gain 1 power",
			"may attack an opponent: lose 1 power and knock down a mutant, then gain 1 power",
			[]Step{
				{Do: Attack, May: true, Targets: ChosenOpponent,
					Attack: []Step{{Do: LosePower, N: 1}, {Do: KnockDown, Object: AMutant}}},
				{Do: GainPower, N: 1},
			}},
		{"if in the top space: gain 1 power", "", one(Step{If: when(InTopSpace), Do: GainPower, N: 1})},
		{"if in the red zone: may draw 1 card", "", one(Step{If: when(IfInRedZone), May: true, Do: Draw, N: 1})},
		{"if dominated : cycle 1", "if dominated: cycle 1", one(Step{If: when(IfDominated), Do: Cycle, N: 1})},
		{"if dominating: cycle 1", "", one(Step{If: when(IfDominating), Do: Cycle, N: 1})},
		{"if not dominating: cycle 1", "", one(Step{If: when(IfNotDominating), Do: Cycle, N: 1})},
		{"if incubating: cycle 1", "", one(Step{If: when(IfIncubating), Do: Cycle, N: 1})},
		{"gain 2 power then cycle 1,lose 1 power", "gain 2 power, then cycle 1, then lose 1 power",
			[]Step{{Do: GainPower, N: 2}, {Do: Cycle, N: 1}, {Do: LosePower, N: 1}}},
	} {
		got, err := parseAbility(test.words)
		if err != nil {
			t.Errorf("%s: %v", test.words, err)
			continue
		}
		if !reflect.DeepEqual(got.Steps, test.steps) || got.Unknown || got.Source != test.words {
			t.Errorf("%s: got %+v, want %+v", test.words, got, test.steps)
		}
		want := test.canonical
		if want == "" {
			want = test.words
		}
		if got.String() != want {
			t.Errorf("%s: canonical form %q, want %q", test.words, got, want)
		}
	}
	if a, err := parseAbility(" ? "); err != nil || !a.Unknown || a.String() != "?" {
		t.Errorf("?: %+v, %v", a, err)
	}
}

func parseAbility(words string) (Ability, error) {
	return (&parser{Parser: cardfile.NewParser(words, 1), transform: true, block: true}).readAbility()
}

func parseOngoing(words string) (Ability, error) {
	return (&parser{Parser: cardfile.NewParser(words, 1), waitField: "ongoing"}).readAbility()
}

func when(c Condition) Test { return Test{Clauses: []Clause{{Condition: c}}} }

func TestParseOngoing(t *testing.T) {
	for _, words := range triggerPhrases.Written() { // for other ways to say it see TestPeopleSay
		a, err := parseOngoing(words + ": gain 2 power")
		if err != nil || a.Trigger.String() != words || a.String() != "gain 2 power" || a.Source != "gain 2 power" {
			t.Errorf("%s: %+v, %v", words, a, err)
		}
	}
}

// abilityOf returns the ability that a statement gives a card or a boss.
func abilityOf(s Statement) Ability {
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

// TestAbilityErrors checks that every mistake is found at its word, and that
// the error for a slip names the word that was meant.
func TestAbilityErrors(t *testing.T) {
	var b strings.Builder
	for _, words := range []string{
		"",
		"gian 2 power",
		"fly away",
		"gain",
		"gain twelve power",
		"gain 0 power",
		"gain 99 power",
		"gain +2 power",
		"gain 2",
		"gain 2 pwoer",
		"gain 2 power cycle 1",
		"gain 2 power thne cycle 1",
		"gain 2 power, then",
		"gain 2 power,",
		"gain a mutant too hand",
		"gain a mutant from discard to hand",
		"gain a mutant to",
		"gain a mutant to haand",
		"gain a mutant to arena",
		"gain a mutnat to hand",
		"none, then gain 1 power",
		"? maybe",
		"draw cards",
		"draw a power",
		"knock this",
		"freeze all mutants",
		"freeze",
		"knock down the mutant opposite this one",
		"gain 1 power for each frozen necro",
		"flip a mutant up",
		"flip a mutant",
		"take a card from hand to hand",
		"take a card from discard to freeze",
		"move a card from pool to hand",
		"deploy this",
		"copy a dpeloy",
		"copy a deploy or laeve",
		"copy a leave from deck",
		"copy a leave from",
		"attack everybody: lose 1 power",
		"attack each opponent",
		"attack each opponent lose 1 power",
		"attack each opponent: transform",
		"attack each opponent: attack each opponent: lose 1 power",
		"attack each opponent: knock down this",
		"attack each opponent: lose 1 power and",
		"attack an opponent: draw 1 card or discard 1 card, then that opponent loses 2 power",
		"attack an opponent: draw 1 card, then that opponent loses 2 power or discards 1 card",
		"attack an opponent: draw 1 card, then that opponent gains",
		"an opponent draws a card" + strings.Repeat(", then that opponent draws a card", 8),
		"if dominatd: gain 1 power",
		"if dominated gain 1 power",
		"if: gain 1 power",
		"may",
		strings.TrimSuffix(strings.Repeat("cycle 1, ", 9), ", "),
	} {
		a, err := parseAbility(words)
		if err == nil {
			t.Errorf("%q is no error: %+v", words, a)
			continue
		}
		e, ok := err.(*engine.SyntaxError)
		if !ok || e.Column < 1 || e.Column > len(words)+1 {
			t.Errorf("%q: %#v", words, err)
			continue
		}
		fmt.Fprintf(&b, "%s\n%s^ %s\n", words, strings.Repeat(" ", e.Column-1), e.Reason)
	}
	enginetest.Golden(t, "testdata/cards/ability-errors.golden", b.String())
}

// FuzzAbility checks that reading any text never panics, and that an ability
// reads back as the same from its written form.
func FuzzAbility(f *testing.F) {
	for _, source := range [][]Statement{printed(), standIns()} {
		for _, s := range source {
			if a := abilityOf(s); len(a.Steps) > 0 {
				f.Add(a.Source)
			}
		}
	}
	f.Add("if dominated: may attack opponents in the red zone: lose 3 power and discard a card, then flip all " +
		"mutants face up")
	f.Add("take a mutant from discard to deck then copy another mutant’s deploy or leave from anywhere")
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
		canonical := a.String()
		again, err := parseAbility(canonical)
		if err != nil {
			t.Fatalf("%q is not read again: %v", canonical, err)
		}
		if !reflect.DeepEqual(a.Steps, again.Steps) || a.Unknown != again.Unknown {
			t.Fatalf("%q is read as %+v, %q as %+v", words, a, canonical, again)
		}
		if again.String() != canonical {
			t.Fatalf("%q becomes %q", canonical, again)
		}
		for _, lang := range engine.Languages {
			if said := a.Say(lang); strings.ContainsAny(said, "«{}") {
				t.Fatalf("%q is said %q", canonical, said)
			}
		}
	})
}
