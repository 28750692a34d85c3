package mutants

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// TestSay prints every ability of every card in both languages.
func TestSay(t *testing.T) {
	d := mustBuild("second-edition", true)
	words := d.Words()
	var b strings.Builder
	for _, k := range d.Kinds {
		fmt.Fprintf(&b, "%s / %s\n", words.Say(engine.English, engine.T("card."+k.ID), nil),
			words.Say(engine.French, engine.T("card."+k.ID), nil))
		say := func(field string, text engine.Text) {
			for _, lang := range engine.Languages {
				fmt.Fprintf(&b, "  %s %s\n", lang, words.Say(lang,
					engine.T("does.if", "when", engine.Word("field."+field), "do", text), nil))
			}
		}
		say("freeze", k.Freeze.Text())
		for _, a := range []struct {
			field string
			Ability
		}{{"deploy", k.Deploy}, {"leave", k.Leave}, {"block", k.Block}} {
			if len(a.Steps) > 0 {
				say(a.field, a.Text())
			}
		}
		if k.Ongoing.Trigger != NoTrigger {
			say("ongoing", k.Ongoing.Text())
		}
	}
	enginetest.Golden(t, "testdata/cards/said.golden", b.String())
}

// Say returns the text of an ability.
func (a Ability) Say(lang engine.Lang) string { return cardWords.Say(lang, a.Text(), nil) }

func parseStatement(line string) (Statement, error) {
	all, err := cardfile.Parse("", line, readStatement)
	if err != nil {
		return Statement{}, err
	}
	return all[0], nil
}

// TestSayMadeUp prints abilities that an owner could write in both languages.
func TestSayMadeUp(t *testing.T) {
	var b strings.Builder
	for _, line := range madeUp(t) {
		s, err := parseStatement(line)
		if err != nil {
			t.Fatal(err)
		}
		text := abilityOf(s).Text()
		fmt.Fprintf(&b, "%s\n  %s\n  %s\n", line, cardWords.Say(engine.English, text, nil),
			cardWords.Say(engine.French, text, nil))
	}
	enginetest.Golden(t, "testdata/cards/said-made-up.golden", b.String())
}

// TestSayAll checks that the catalogue has texts in both languages for each
// effect, object, target and condition, with "may" and without.
func TestSayAll(t *testing.T) {
	var steps []Step
	for _, e := range append(values(verbPhrases), Choose) {
		s := Step{Do: e, N: 1}
		switch e {
		case GainCard:
			for _, z := range destinations[e] {
				s.To = z
				steps = append(steps, s)
			}
		case Take:
			s.Object, s.To = FromDiscard, InDeck
			steps = append(steps, s)
		case Copy:
			for _, from := range copyPhrases {
				for _, timing := range values(timingPhrases) {
					s.Object, s.Copies = from.Value, timing
					steps = append(steps, s)
				}
			}
		case Attack:
			for _, x := range values(targetPhrases) {
				s.Targets, s.Attack = x, []Step{{Do: LosePower, N: 2}, {Do: KnockDown, Object: SameSlot}}
				steps = append(steps, s)
			}
		case Freeze, KnockDown, FlipUp, Deploy:
			for _, o := range slices.Concat(objectsOf(e, false), objectsOf(e, true)) {
				s.Object = o
				steps = append(steps, s)
				if severalPhrases.Write(o) != "" && e != Deploy {
					steps = append(steps, Step{Do: e, Object: o, N: 2}, Step{Do: e, Object: o, N: 1, UpTo: true})
				}
			}
		case Choose:
			s.Or = []Step{{Do: Transform}, {Do: Cycle, N: 1, And: []Step{{Do: Swap}}}}
			steps = append(steps, s)
		case GainPower, LosePower, GainPoints, LosePoints, Draw, Discard:
			for _, c := range values(slices.Concat(eachPhrases, valuePhrases)) {
				if (e == Draw || e == Discard) && (c == FreezeThis || c == FreezeThat) {
					continue
				}
				s.Per = Count{Item: c, ByGene: slices.Contains(itemsWithGenes, c), Attacker: true}
				s.UpTo, s.Random = e == Draw || e == Discard, e == Discard
				steps = append(steps, s, Step{Do: e, N: 2, Price: []Step{s}, Else: []Step{s}})
			}
		default:
			steps = append(steps, s)
		}
	}
	for _, c := range values(slices.Concat(eachPhrases, valuePhrases)) {
		for _, how := range []Comparison{AtLeast, AtMost, Exactly} {
			if c == Those || c == FreezeThis || c == FreezeThat {
				continue
			}
			for n := range 3 {
				steps = append(steps, Step{If: Test{Any: true,
					Clauses: []Clause{{Condition: IfCount, Comparison: how, N: n, Count: Count{Item: c}},
						{Condition: IfDominated}}}, Do: Transform})
			}
		}
	}
	for _, c := range values(conditionPhrases) {
		steps = append(steps, Step{If: when(c), Do: GainPower, N: 1})
		if c != IfDominating && c != IfNotDominating {
			steps = append(steps, Step{If: Test{Clauses: []Clause{{Condition: c, Not: true}}}, Do: GainPower, N: 1})
		}
	}
	for _, s := range steps {
		for _, may := range []bool{false, true} {
			s.May = may
			for _, lang := range engine.Languages {
				if said := (Ability{Steps: []Step{s}}).Say(lang); strings.ContainsAny(said, "«{}") {
					t.Errorf("%+v is said %q", s, said)
				}
			}
		}
	}
	for _, p := range heroPhrases {
		if said := cardWords.Say(engine.French, p.Value.Text(), nil); strings.ContainsAny(said, "«{}") {
			t.Errorf("%v is said %q", p.Value, said)
		}
		if got := cardWords.Say(engine.English, p.Value.Text(), nil); got != p.Words || p.Value.String() != p.Words {
			t.Errorf("%q is said as %q", p.Words, got)
		}
	}
	for _, x := range values(triggerPhrases) {
		for _, lang := range engine.Languages {
			if said := cardWords.Say(lang, x.Text(), nil); strings.ContainsAny(said, "«{}") {
				t.Errorf("%v is said %q", x, said)
			}
		}
	}
	for _, lang := range engine.Languages {
		for g := range geneCount {
			if said := cardWords.Say(lang, (Value{N: 1, Per: true, Gene: g}).Text(), nil); strings.ContainsAny(said, "«{}") {
				t.Errorf("%v is said %q", g, said)
			}
		}
	}
	if said := (Ability{Unknown: true}).Say(engine.French); said != "à compléter" {
		t.Error(said)
	}
	if said := (Ability{}).Say(engine.English); said != "nothing" {
		t.Error(said)
	}
}

func values[T comparable](phrases cardfile.Phrases[T]) []T {
	var list []T
	for _, row := range phrases {
		list = append(list, row.Value)
	}
	return list
}

// TestSayFrench checks an example in French.
func TestSayFrench(t *testing.T) {
	a, err := parseAbility("gain 2 power, then cycle 1")
	if said := a.Say(engine.French); err != nil || said != "gagne 2 de Force, puis Cycle 1" {
		t.Error(said, err)
	}
}

// TestSayGaps checks that everything that Missing reports has a text.
func TestSayGaps(t *testing.T) {
	for _, standIns := range []bool{false, true} {
		d := mustBuild("first-edition", standIns)
		words := d.Words()
		for _, g := range append(d.Missing(), Gap{Card: "robot", Field: "fr"}, Gap{Card: "robot", Field: "en"}) {
			for _, lang := range engine.Languages {
				if said := words.Say(lang, g.Text(), nil); strings.ContainsAny(said, "«{}") {
					t.Errorf("%+v is said %q", g, said)
				}
			}
		}
	}
}

// TestSayWholeCard checks what is said of a boss's card that is made up as a
// whole.
func TestSayWholeCard(t *testing.T) {
	d := mustBuild(uprisingEdition, true)
	words, said := d.Words(), map[engine.Lang]string{}
	for _, g := range d.Missing() {
		if g.Card != "spawning-vat" {
			continue
		}
		for _, lang := range engine.Languages {
			said[lang] += words.Say(lang, g.Text(), nil) + "\n"
		}
	}
	for lang, want := range map[engine.Lang]string{
		engine.English: "Spawning Vat, the whole card: a stand-in made for this project\n",
		engine.French:  "Cuve de ponte, toute la carte\u00a0: un substitut inventé pour ce projet\n",
	} {
		if said[lang] != want {
			t.Errorf("got %q, want %q", said[lang], want)
		}
	}
}
