package genegrafter

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
	"tableside/engine/enginetest"
)

func sheets(t *testing.T, standIn bool, own ...string) cardfile.Cards {
	t.Helper()
	box, ok := Games()[0].(interface {
		Cards(bool, []string) (cardfile.Cards, error)
	})
	if !ok {
		t.Fatal("the game has no cards")
	}
	cards, err := box.Cards(standIn, own)
	if err != nil {
		t.Fatal(err)
	}
	return cards
}

// TestCardTexts prints every card in both languages, as people read it.
func TestCardTexts(t *testing.T) {
	var b strings.Builder
	for _, standIn := range []bool{false, true} {
		cards := sheets(t, standIn)
		words := engine.Merge(engine.CoreWords(), cards.Words)
		for _, sheet := range cards.Sheets {
			if slotNumber(sheet.ID) > 1 {
				continue // they are all alike
			}
			for _, lang := range engine.Languages {
				fmt.Fprintf(&b, "%s × %d\n", words.Say(lang, engine.T("card."+sheet.ID), nil), sheet.Copies)
				for _, line := range sheet.Lines {
					fmt.Fprintf(&b, "  %s\n", words.Say(lang, line, nil))
				}
			}
		}
		for _, gap := range cards.Gaps {
			if said := words.Say(engine.English, gap, nil); !strings.HasPrefix(said, "Card ") {
				fmt.Fprintf(&b, "- %s\n", said)
			}
		}
	}
	if s := b.String(); strings.ContainsAny(s, "«{}") {
		t.Errorf("not all is said:\n%s", s)
	}
	enginetest.Golden(t, "testdata/cards.golden", b.String())
}

// TestBoxes checks that a box has 54 cards (004 "Matériel"), however many of
// them are known, and that the stand-ins cover every kind of card, every power and
// category.
func TestBoxes(t *testing.T) {
	for _, sources := range [][][]Statement{{printedStatements()}, {printedStatements(), standIns()}} {
		if d := cardfile.Must(build(sources...)); d.cards() != boxSize {
			t.Errorf("%d sources make a box of %d cards", len(sources), d.cards())
		}
	}
	d := cardfile.Must(build(printedStatements(), standIns()))
	types, powers, markers, places := map[Type]int{}, Powers(0), map[Category]bool{}, map[string]bool{}
	for _, k := range d.Kinds {
		types[k.Type] += k.Copies
		if k.unknownFields() != 0 {
			t.Errorf("of %s not all is said: %b", k.ID, k.unknownFields())
		}
		if k.Type == Character {
			powers |= k.Powers
		}
		for i, n := range k.Markers {
			markers[Category(i)] = markers[Category(i)] || n > 0
		}
		places[k.Place] = true
	}
	if want := map[Type]int{Character: 20, Ability: 20, Event: 6, Gear: 5, DNA: 3}; !reflect.DeepEqual(types, want) {
		t.Errorf("the box holds %v, and not %v", types, want)
	}
	if powers != 1<<len(powerNames)-1 || len(markers) != int(categoryCount) || len(places) < 4 {
		t.Errorf("powers %b, markers %v, places %v", powers, markers, places)
	}
}

// TestStandInsOnlyFill checks that stand-ins fill unknown fields and correct nothing.
func TestStandInsOnlyFill(t *testing.T) {
	known := map[string]bool{}
	for _, s := range printedStatements() {
		known[s.ID+" "+s.Field] = !s.Unknown && !strings.Contains(s.Text, "as the card says")
	}
	for _, s := range standIns() {
		if known[s.ID+" "+s.Field] {
			t.Errorf("%q is known", s.Text)
		}
	}
}

// TestOwnersFile checks that an owner's card takes the place of a made-up one
// of its kind, and a named card that of an unknown one.
func TestOwnersFile(t *testing.T) {
	own := []string{"card zorro kind character", "card zorro en Zorro", "card zorro copies 2", "card anvil attack 4",
		"card anvil defence ?"}
	for _, standIn := range []bool{true, false} {
		cards := sheets(t, standIn, own...)
		n, ids := 0, map[string]cardfile.Sheet{}
		for _, s := range cards.Sheets {
			n += s.Copies
			ids[s.ID] = s
		}
		if n != boxSize || ids["zorro"].Copies != 2 {
			t.Errorf("stand-ins %t: %d cards, %+v", standIn, n, ids["zorro"])
		}
		if _, there := ids["rookie"]; there || standIn && ids["bulwark"].Copies > 0 {
			t.Errorf("stand-ins %t: the last characters that were made up are still there", standIn)
		}
	}
	lines, faults := owners.Define("mine.txt",
		"# mine\ncard zorro kind character\ncard zorro en \"El Zorro\"  # twice\n\ncategory energy colour red\n")
	if want := []string{"card zorro kind character", `card zorro en "El Zorro"`,
		"category energy colour red"}; faults != nil || !reflect.DeepEqual(lines, want) {
		t.Errorf("%q, %v", lines, faults)
	}
}

// TestOwnersCardTakesID checks that a line that gives a made-up card a kind
// replaces it: nothing made up is left under its id. More copies make room,
// too.
func TestOwnersCardTakesID(t *testing.T) {
	own := []string{"card anvil en Amboss", "card anvil kind gear", "card anvil place head", "card super-punch copies 9"}
	for _, standIn := range []bool{true, false} {
		d, _, err := withOwn(standIn, own)
		if err != nil {
			t.Fatal(err)
		}
		k := d.kind("anvil")
		if k.Type != Gear || k.madeUpFields != 0 || k.invented || k.unknownFields() != FieldDoes ||
			k.Names.In(engine.French) != "" {
			t.Errorf("stand-ins %t: %+v", standIn, k)
		}
		if d.cards() != boxSize || d.kind("super-punch").Copies != 9 {
			t.Errorf("stand-ins %t: %d cards, %d of them Super Punch", standIn, d.cards(), d.kind("super-punch").Copies)
		}
	}
}

// TestCompleteFiles checks that the 42 unknown cards and the 12 known ones make
// a box, however many copies the stand-ins have. Gear may come on top or be
// absent.
func TestCompleteFiles(t *testing.T) {
	own := func(characters, gear int, more ...string) []string {
		var lines []string
		for i := range characters {
			lines = append(lines, fmt.Sprintf("card hero-%d kind character", i), fmt.Sprintf("card hero-%d en Hero", i))
		}
		for i := range gear {
			lines = append(lines, fmt.Sprintf("card tool-%d kind gear", i), fmt.Sprintf("card tool-%d en Tool", i))
		}
		return append(lines, more...)
	}
	none := "card tin-foil-hat copies 0"
	for _, test := range []struct {
		name      string
		own       []string
		all, gear int
	}{
		{"gear among the 54", own(38, 4), 54, 5},
		{"one card of 54 is gear", own(42, 0), 54, 1},
		{"gear beside the 54", own(43, 4), 59, 5},
		{"no gear", own(43, 0, none), 54, 0},
		{"counted", own(48, 6, "box cards 66"), 66, 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := Games()[1].(*game)
			lines, faults := owners.Define("mine.txt", strings.Join(test.own, "\n")+"\n")
			if faults != nil {
				t.Fatal(faults)
			}
			for _, data := range []string{"known", "stand-in"} {
				for option, all := range map[string]int{"on": test.all, "off": test.all - test.gear} {
					setup := engine.Setup{Definitions: lines, Seats: enginetest.Seats(2),
						Options: map[string]string{"data": data, "gear": option, "events": "0"}}
					match, err := engine.NewMatch(g, setup)
					if err != nil {
						t.Fatalf("%s, gear %s: %v", data, option, err)
					}
					// The three events that are known stay aside.
					if deck, _ := match.View().Counters.Get("deck"); deck != all-3-2*handSize {
						t.Errorf("%s, gear %s: the deck has %d cards, and not %d", data, option, deck, all-3-2*handSize)
					}
				}
			}
		})
	}
}

func TestErrors(t *testing.T) {
	var b strings.Builder
	tooMany := ""
	for n := range 5 {
		tooMany += fmt.Sprintf("\ncard hero-%d en Hero\ncard hero-%d kind character\ncard hero-%d copies 9", n, n, n)
	}
	for _, lines := range []string{
		"crad x kind gear", "card", "card x! kind gear", "card x", "card x knid gear", "card x kind", "card x kind hero",
		"card x kind gear now", "card x en Two Words",
		"card x copies -1", "card x copies 10", "card x copies ?", "card anvil attack", "card anvil attack many",
		"card anvil attack 21", "card anvil attack -1",
		"card anvil power", "card anvil power telekinesi", "card anvil power flight", "card anvil power none telekinesis",
		"card anvil markers red", "card anvil markers mental mentl",
		"card darkness category blue", "card tin-foil-hat place nose", "card darkness does", "card darkness does heal",
		"card darkness does heal characters", "card darkness does heal a character",
		"card darkness does turn 1 of your dice to 7", "card darkness does draw twenty cards", "card darkness does draw 2",
		"card darkness does draw 21 cards", "card darkness does draw 2 card, then heal 1 of your characters",
		"card darkness does draw 2 cards, than heal 1 of your characters",
		"card darkness does \"heal 1 of your characters\"", "card darkness does none, then draw 1 card",
		"card darkness does +1 attack", "card pools-swapped does your opponent discards 1 card",
		"card pools-swapped does if your character has Luck, draw 1 card", "card pools-swapped does reroll 1 of your dice",
		"card tin-foil-hat does heal 1 of your characters", "card tin-foil-hat does + attack",
		"card tin-foil-hat does +1 speed", "card tin-foil-hat does +21 attack", "card tin-foil-hat does 2 attack",
		"card tin-foil-hat does the bearer has wings", "card tin-foil-hat does the bearer has the red marker for rerolls",
		"card tin-foil-hat does +1 attack and draw 1 card", "card pools-swapped does the highest pools change hands",
		"card anvil base 2", "card darkness attack 2", "card dna does none", "card anvill attack 3", "card zorro attack 3",
		"card zorro kind character", "card card-1 attack 3", "card card-99 kind gear",
		"category mental", "category mental colour pink", "category psychic colour red",
		"card darkness kind gear", "card anvil kind gear",
		"card dna copies 0", "card dna copies 1", "card dna copies 4", "box", "box 59", "box cards 53", "box cards many",
		"box cards 59\ncard card-60 kind event",
		"card zorro en Zorro\ncard zorro kind gear\nbox cards 54\n" + strings.TrimPrefix(tooMany, "\n"),
		"category mental colour red\ncategory energy colour red",
		"card zorro en Zorro\ncard zorro kind dna", "card card-7 kind dna", tooMany,
	} {
		_, faults := owners.Define("mine.txt", lines+"\n")
		var err error
		if len(faults) > 0 {
			err = faults[0]
		}
		said := lines
		if lines == tooMany {
			said = "too many cards"
		}
		fmt.Fprintf(&b, "%s\n  %v\n", said, err)
		if e, ok := err.(*engine.SyntaxError); !ok || e.Column < 1 || e.Line != 1+strings.Count(lines, "\n") {
			t.Errorf("%s: %T %v", lines, err, err)
		}
	}
	enginetest.Golden(t, "testdata/errors.golden", b.String())
}

// written returns what a card does as its line in a card file.
func written(lang engine.Lang, k *Kind) string {
	switch {
	case len(k.Does) == 0:
		return "none"
	case k.Does[0].Printed != "":
		return k.Does[0].String()
	}
	return rows().Write(lang, k.said)
}

// FuzzCardFile checks that any text is read, or refused with line and column.
func FuzzCardFile(f *testing.F) {
	for _, s := range append(printedStatements(), standIns()...) {
		f.Add(s.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseData("f", text)
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
			if s.Field != "does" || s.Unknown {
				continue
			}
			var k, read Kind
			cardfile.Set(&k, &s)
			words := "card x does " + written(engine.English, &k)
			if again, err = ParseStatement("f", 1, words); err == nil {
				cardfile.Set(&read, &again)
			}
			if err != nil || !reflect.DeepEqual(read, k) {
				t.Errorf("%q is written %q: %v", s.Text, words, err)
			}
		}
	})
}

// TestGearBesideCharacters checks that the question offers both: a seat may play characters and a gear.
func TestGearBesideCharacters(t *testing.T) {
	words := engine.MustWords("words.txt", wordsFile)
	for lang, want := range map[engine.Lang]string{engine.English: "and a gear", engine.French: "et un équipement"} {
		if said := words.Say(lang, engine.T("prompt.play", "n", 2), nil); !strings.Contains(said, want) {
			t.Errorf("%q", said)
		}
	}
}
