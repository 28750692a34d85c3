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
					engine.T("card-line", "field", engine.Word("field."+field), "text", text), nil))
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
		text := abilityIn(s).Text()
		fmt.Fprintf(&b, "%s\n  %s\n  %s\n", line, cardWords.Say(engine.English, text, nil),
			cardWords.Say(engine.French, text, nil))
	}
	enginetest.Golden(t, "testdata/cards/said-made-up.golden", b.String())
}

// TestSayFrench checks an example in French, and what is said without a sentence.
func TestSayFrench(t *testing.T) {
	a, err := parseAbility("gain 2 power, then cycle 1")
	if said := a.Say(engine.French); err != nil || said != "gagnez 2 Force, puis cyclez 1" {
		t.Error(said, err)
	}
	if said := (Ability{Unknown: true}).Say(engine.French); said != "à compléter" {
		t.Error(said)
	}
	if said := (Ability{}).Say(engine.English); said != "nothing" {
		t.Error(said)
	}
	for _, lang := range engine.Languages {
		for g := range geneCount {
			if said := cardWords.Say(lang, (Value{N: 1, Per: true, Gene: g}).Text(), nil); strings.ContainsAny(said, "«{}") {
				t.Errorf("%v is said %q", g, said)
			}
		}
	}
}

// TestSayOptions checks that each option of a choice is said in both languages.
func TestSayOptions(t *testing.T) {
	for said, want := range map[string][]string{
		"choose one: gain 2 power or draw 2 cards and cycle 1": {"gain 2 power, gagnez 2 Force",
			"draw 2 cards and cycle 1, piochez 2 cartes et cyclez 1"},
		"you may discard 1 card to choose one: gain 1 VP or attack: each opponent loses 1 power": {"gain 1 VP, gagnez 1 PV",
			"attack: each opponent loses 1 power, attaquer : chaque adversaire perd 1 Force"},
		"each opponent, as they choose, loses 2 power and cycles 1 or discards 1 card": {"lose 2 power and cycle 1, " +
			"perdez 2 Force et cyclez 1", "discard 1 card, défaussez 1 carte"},
	} {
		a, err := parseAbility(said)
		if err != nil {
			t.Error(err)
			continue
		}
		options := a.Steps[0].Or
		if options == nil {
			options = a.Steps[0].Attack[0].Or
		}
		var got []string
		for i := range options {
			text := options[i].Text()
			got = append(got, cardWords.Say(engine.English, text, nil)+", "+cardWords.Say(engine.French, text, nil))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", said, got, want)
		}
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
