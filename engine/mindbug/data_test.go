package mindbug

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

// TestCardTexts prints every card in both languages, as people read it.
func TestCardTexts(t *testing.T) {
	d, err := Build(Printed())
	if err != nil {
		t.Fatal(err)
	}
	words := d.Words()
	var b strings.Builder
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, lang := range engine.Languages {
			fmt.Fprintf(&b, "%s × %d\n", words.Say(lang, engine.T("card."+k.ID), nil), k.Copies)
			for _, line := range k.Lines() {
				fmt.Fprintf(&b, "  %s\n", words.Say(lang, line, nil))
			}
		}
	}
	if s := b.String(); strings.ContainsAny(s, "«{}") {
		t.Errorf("words are missing:\n%s", s)
	}
	enginetest.Golden(t, "testdata/cards.golden", b.String())
}

// TestPrinted counts the cards. 001 "Matériel": 48 creatures in First Contact. Of Beyond Evolution eight are sides of
// four cards that nobody is dealt.
func TestPrinted(t *testing.T) {
	d, err := Build(Printed())
	if err != nil {
		t.Fatal(err)
	}
	for set, want := range map[string][2]int{"first-contact": {32, 48}, "new-servants": {12, 24},
		"beyond-eternity": {32, 48}, "beyond-evolution": {38, 44}, "king-of-tokyo": {48, 48}} {
		kinds, cards := 0, 0
		for _, k := range d.Kinds {
			if k.Set == set {
				kinds++
				if k.Level < 2 {
					cards += k.Copies
				}
			}
		}
		if kinds != want[0] || cards != want[1] {
			t.Errorf("%s has %d kinds and %d cards", set, kinds, cards)
		}
	}
}

// TestCanonical checks that a written ability reads back as the same.
func TestCanonical(t *testing.T) {
	d, err := Build(Printed())
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, trigger := range triggers {
			a := k.withoutInto(trigger)
			again, err := ParseAbility(a.String())
			if err != nil || !reflect.DeepEqual(a.unsaid(), again.unsaid()) {
				t.Errorf("%s: %q is read as %+v, %v", k.ID, a.String(), again, err)
			}
		}
		for _, r := range slices.Concat(k.Always, k.InDiscard) {
			again, err := parseRule(cardfile.NewParser(r.String(), 1), r.said.Name, "rule")
			if err != nil || !reflect.DeepEqual([]Rule{r}, again) {
				t.Errorf("%s: %q is read as %+v and not %+v, %v", k.ID, r.String(), again, r, err)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	var b strings.Builder
	for _, line := range []string{
		"crad x power 3", "card", "card x! power 3", "card x pwer 3", "card x power", "card x power 31", "card x power 3 4",
		"card x power ?",
		"card x set", "card x set mine 1", "card x set first-contact", "card x set first-contact 10", "card x en",
		"card x en Killer Bee", "card x en \"\"",
		"card x keywords", "card x keywords toguh", "card x keywords tough wild",
		"card x play", "card x play oponent loses 1 life", "card x play gian 2 life", "card x play gain",
		"card x play gain many life", "card x play gain 2 lives", "card x play gain 2 life now",
		"card x play gain 31 life", "card x play gain 2 life, then", "card x play defeat",
		"card x play defeat enemy creature", "card x play defeat a enmy creature",
		"card x play defeat up to creatures", "card x play defeat a creature with",
		"card x play defeat a creature with power", "card x play defeat a creature with power 5 or fewer",
		"card x play play a card from your deck", "card x play draw a card from your hand",
		"card x play play a card from the unused pile", "card x dice 3", "energy x power 3",
		"card x play if you are rich, gain 1 life", "card x play if you have fewer creatures than your opponent gain 1 life",
		"card x play your opponent discards 2", "card x play none of it", "card x play \"gain 2 life\"",
		"card x play take control of",
		"card x always this creature is strong", "card x always this creature has", "card x always this creature has +x power",
		"card x always this creature has +2 might", "card x always this creature has +2 power and",
		"card x always if it rains, this creature has tough",
		"card x always all other allied creatures with power 4 or less have +1 power",
		"card x always this creature has tough now",
		"card x play boost 2 cards", "card x play boost this creature", "card x play gain 1 life or lose 1 life",
		"card x play choose one: gain 1 life or you may gain 2 life", "card x action evolve into frog.1",
		"card x play defeat a creature with power 6 to 4",
		"card x into", "card x into frog.1", "card x into frog-1 frog-2",
		"card x in-discard this creature has tough",
		"card x in-discard your opponent must attack this creature with a hunter", "card x discarded",
		"card x always all allied creatures have -0 power", "card x always all allied creatures have -2 dice",
		"card x always all creatures with sneaky have +1 power", "card x always all creatures with sneaky have hunter",
		"card x always all creatures with less power than this creature have hunter",
		"card x always if 2 of your creatures have equal power, this creature has +1 power",
		"card x play defeat any number of creatures", "card x play trigger the play effect of all allied creatures",
		"card x play return up to 2 allied creatures to your hand", "card x play boost all creatures with 2 cards",
		"card x play all allied creatures with power 3 or less gain +1 power this turn",
		"card x play defeat 2 creatures with equal", "card x play defeat a creature with power 4 to",
		"card x play defeat a creature with snaky",
	} {
		s, err := ParseStatement("mine.txt", 1, line)
		err = cmp.Or(err, s.NoRow)
		fmt.Fprintf(&b, "%s\n  %v\n", line, err)
		e, ok := err.(*engine.SyntaxError)
		if !ok || e.Column < 1 || e.Line != 1 {
			t.Errorf("%s: %T %v", line, err, err)
		}
	}
	enginetest.Golden(t, "testdata/errors.golden", b.String())
}

func TestOwnersFile(t *testing.T) {
	lines,
		err := Definitions("mine.txt",
		"# my promo\ncard my-promo set first-contact 1\ncard my-promo en \"My Promo\"\ncard my-promo power 6\ncard "+
			"my-promo play ?\ncard killer-bee power 4\ncard killer-bee play ?\n")
	if err != nil || len(lines) != 6 {
		t.Fatalf("%q, %v", lines, err)
	}
	d, err := build(lines)
	if err != nil {
		t.Fatal(err)
	}
	var bee, promo *Kind
	for i := range d.Kinds {
		switch d.Kinds[i].ID {
		case "killer-bee":
			bee = &d.Kinds[i]
		case "my-promo":
			promo = &d.Kinds[i]
		}
	}
	if bee.Power != 4 || bee.Play.Unknown || !promo.Play.Unknown {
		t.Errorf("%+v, %+v", bee, promo)
	}
	want := engine.T("gap.unknown", "what", engine.CardWord("my-promo"), "field", engine.Word("field.play"))
	if gaps := d.gaps(); len(gaps) == 0 || !reflect.DeepEqual(gaps[len(gaps)-1], want) {
		t.Errorf("%v", gaps)
	}
	line := func(id, into string) string {
		return fmt.Sprintf("card %s set first-contact 1\ncard %s en X\ncard %s power 1\n"+
			"card %s into %s\ncard %s play evolve\n",
			id, id, id, id, into, id)
	}
	for _, bad := range []string{
		line("a", "nobody"), line("a", "killer-bee"), line("a", "rage"), line("a", "a"), line("a", "b") + line("b", "a"),
		line("a", "c") + line("b", "c") + line("c", "a"),
		line("a", "b") + line("b", "c") + line("c", "d") + strings.ReplaceAll(line("d", "a"), "into a", "attack none"),
	} {
		if _, err := Definitions("mine.txt", bad); err == nil {
			t.Errorf("%q is accepted", bad)
		} else {
			t.Log(err)
		}
	}
	for _, bad := range []string{"card killer-bea power 3\n", "card new power 3\n", "card new set first-contact 1\n",
		"card new set first-contact 1\ncard new power 3\n"} {
		if _, err := Definitions("mine.txt", bad); err == nil {
			t.Errorf("%q is accepted", bad)
		} else {
			t.Log(err)
		}
	}
}

// TestIntoIsNamed checks that people read the title of the creature into which a card evolves.
func TestIntoIsNamed(t *testing.T) {
	for said, want := range map[string]string{
		"gain 1 life, then evolve into frog-prophet": "" +
			"gain 1 life, then evolve into FROG|gagnez 1 PV, puis évoluez en GRENOUILLE",
		"you may choose one: evolve into frog-prophet or gain 1 life": "",
	} {
		d, err := build([]string{"card frog-prophet en FROG", "card frog-prophet fr GRENOUILLE",
			"card curious-tadpole action " + said})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(d.Kinds, func(k Kind) bool { return k.ID == "curious-tadpole" })
		a, words := &d.Kinds[i].Action, d.Words()
		step := a.Steps[len(a.Steps)-1].Text()
		whole := words.Say(engine.English, a.Text(), nil) + "|" + words.Say(engine.French, a.Text(), nil)
		if want != "" && whole != want || strings.Contains(whole, "frog-prophet") ||
			!strings.Contains(words.Say(engine.French, step, nil), "évoluez en GRENOUILLE") {
			t.Errorf("%q is shown as %q, and its last step as %q", said, whole, words.Say(engine.French, step, nil))
		}
		if written := rows().Write(engine.English, a.said); written != said {
			t.Errorf("%q is written %q", said, written)
		}
	}
}

// TestInto checks what a card evolves into, wherever an owner says so, and whether its levels are dealt.
func TestInto(t *testing.T) {
	const own = "card a set beyond-evolution 1\ncard a en A\ncard a power 1\n" +
		"card b set beyond-evolution 1\ncard b en B\ncard b power 2\n"
	for _, c := range []struct {
		lines, id, into string
		level           int // of b, or of frog-prophet
		says            string
	}{
		{own + "card a action gain 1 life, then evolve into b\n", "a", "b", 2, "gain 1 life, then evolve into b"},
		{own + "card a action Gagnez 1 PV, puis évoluez en b.\n", "a", "b", 2, "gain 1 life, then evolve into b"},
		{own + "card a action evolve\ncard a into b\n", "a", "b", 2, "evolve"},
		{own + "card a into b\ncard a action evolve\n", "a", "b", 2, "evolve"},
		{own + "card a action you may choose one: evolve into b or gain 1 life\n", "a", "b", 2, ""},
		{own + "card a into b\ncard a action text \"Grow.\"\n", "a", "b", 2, ""},
		{own + "card a action opponent discards 1 card, then evolve into b\n", "a", "b", 2, ""},
		{own + "card a action text \"Evolve into some bee.\"\n", "a", "", 0, ""},
		{own + "card a into b\ncard a action gain 1 life\n", "a", "", 0, ""},
		{own + "card a into b\ncard a action evolve\ncard a into none\n", "a", "", 0, ""},
		{"card curious-tadpole into none\n", "curious-tadpole", "", 1, ""},
		{"card curious-tadpole into Aucun\n", "curious-tadpole", "", 1, ""},
		{"card curious-tadpole action none\n", "curious-tadpole", "", 1, ""},
		{"card curious-tadpole action evolve into frog-prophet\n", "curious-tadpole", "frog-prophet", 2, ""},
	} {
		lines, err := Definitions("mine.txt", c.lines)
		if err != nil && !errors.Is(err, cardfile.ErrNoRow) {
			t.Errorf("%s: %v", c.lines, err)
			continue
		}
		d, err := build(lines)
		if err != nil {
			t.Fatal(err)
		}
		for i := range d.Kinds {
			switch k := &d.Kinds[i]; {
			case k.ID == c.id && k.Into != c.into:
				t.Errorf("%s: %s evolves into %q", c.lines, k.ID, k.Into)
			case k.ID == c.id && c.says != "" && rows().Write(engine.English, k.Action.said) != c.says:
				t.Errorf("%s: it is written %q", c.lines, rows().Write(engine.English, k.Action.said))
			case (k.ID == "b" && c.id == "a" || k.ID == "frog-prophet" && c.id != "a") && k.Level != c.level:
				t.Errorf("%s: %s has level %d", c.lines, k.ID, k.Level)
			}
		}
	}
	for bad, line := range map[string]int{
		own + "card a action evolve into b\ncard a into a\n":           8,
		own + "card a action evolve into b\ncard a into none\n":        8,
		own + "card a action evolve into b\ncard a play evolve into a": 8,
		own + "card a action evolve into nobody\n":                     7,
		"card killer-bee power 6\ncard curious-tadpole into nobody\n":  2,
	} {
		lines, faults := owners.Define("mine.txt", bad)
		if len(faults) != 1 || faults[0].Line != line {
			t.Errorf("%s: got the lines %q, faults %v", bad, lines, faults)
		}
		t.Log(lines, faults)
	}
}

// FuzzCardFile checks that any text is read, or refused with line and column.
func FuzzCardFile(f *testing.F) {
	for _, s := range Printed() {
		f.Add(s.Text)
	}
	f.Add("card x always if it is your turn, all other allied creatures have +2 power and hunter, sneaky and tough")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseData("f", text)
		if err != nil {
			if e, ok := err.(*engine.SyntaxError); !ok || e.Line < 1 || e.Column < 1 || e.Reason == "" {
				t.Errorf("%q: %T %v", text, err, err)
			}
			return
		}
		for _, s := range all {
			again, err := ParseStatement("f", 1, s.Text)
			if err != nil || again.Text != s.Text {
				t.Errorf("%q is read as %q, %v", s.Text, again.Text, err)
			}
			k := Kind{}
			cardfile.Set(&k, &s)
			for _, trigger := range triggers {
				words := k.ability(trigger).String()
				if again, err := ParseAbility(words); err != nil || again.String() != words {
					t.Errorf("%q is written %q: %v", s.Text, words, err)
				}
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		if _, err := Build(Printed()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLanguagePage checks that the page for owners shows every row of the language, and every field.
func TestLanguagePage(t *testing.T) {
	data, err := os.ReadFile("../../docs/mindbug-cards.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, slot := range []string{"deed", "rule", "lying", "if"} {
		for _, lang := range engine.Languages {
			for _, sentence := range rows().Examples(lang, slot) {
				if !strings.Contains(page, "| "+sentence+" |") {
					t.Errorf("%q is not shown", sentence)
				}
			}
		}
	}
	for _, field := range slices.Concat(cardFields, energyFields).Names() {
		if !regexp.MustCompile("`(card|energy) [a-z-]+ " + field + " |`" + field + "`").MatchString(page) {
			t.Errorf("field %s is not shown", field)
		}
	}
}
