package shelf

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine/cardfile"
)

func ownersOf(title string) cardfile.Owners { return allGames().Owners(title) }

// TestCSV checks that a spreadsheet of a file is the same file again.
func TestCSV(t *testing.T) {
	for game, source := range map[string]string{
		"genegrafter": "card zorro kind character\ncard zorro en \"El Zorro\"\ncard zorro attack 2\n" +
			"card zorro does text \"Skip, then rest.\"\ncard boots kind gear\ncard boots en =HYPERLINK(1)\n" +
			"card boots does +1 attack\ncard hat en 'Ello\ncard hat kind event\n" +
			"box sixth-face \"Draw two.\"\ncategory mental colour red\n",
		"mutants": "card krunk freeze 2\ncard krunk leave@first-edition may freeze this\ncard krunk draft\n" +
			"board spaces 12\nprecon mine en \"My Own\"\nprecon mine krunk marv anubis omikami wampara primal\n",
	} {
		owners := ownersOf(game)
		if _, faults := owners.Define("f", source); faults != nil {
			t.Fatal(faults[0])
		}
		sheet := owners.CSV(source)
		if formula := regexp.MustCompile(`(^|,|\n)"?[=+@-]`).FindString(sheet); formula != "" {
			t.Errorf("a spreadsheet calculates %q of\n%s", formula, sheet)
		}
		for _, comma := range []string{",", ";"} {
			other := sheet
			if comma == ";" {
				other = strings.ReplaceAll(strings.ReplaceAll(sheet, "Skip, then", "Skip then"), ",", ";")
			}
			got, _, err := owners.FromCSV("f", other)
			if err != nil {
				t.Fatal(err)
			}
			want := source
			if comma == ";" {
				want = strings.ReplaceAll(source, "Skip, then", "Skip then")
			}
			if sorted(got) != sorted(want) {
				t.Errorf("%s\ngives\n%s", other, got)
			}
		}
	}
}

// TestCSVOfManyFaults checks that a spreadsheet leaves out the lines that cannot be read, even
// those after the last line that Define reads in a file with so many faults.
func TestCSVOfManyFaults(t *testing.T) {
	source := strings.Repeat("crad zorro\n", 250) + "card \"zorro\ncard zorro attack 2\n"
	want := "line,id,attack\ncard,zorro,2\n"
	if got := ownersOf("genegrafter").CSV(source); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// sorted returns the lines of a file in the order of the alphabet.
func sorted(source string) string {
	all := strings.Split(source, "\n")
	slices.Sort(all) // a sheet has one order of columns
	return strings.Join(all, "\n")
}

// FuzzCSV checks that no sheet and no file makes the program fail.
func FuzzCSV(f *testing.F) {
	owners := ownersOf("genegrafter")
	f.Add("line,id,kind,en\ncard,zorro,character,El Zorro\n", "card zorro kind gear\ncategory mental colour red\n")
	f.Fuzz(func(t *testing.T, sheet, source string) {
		if text, _, err := owners.FromCSV("f", sheet); err == nil {
			_, _ = owners.Define("f", text)
		}
		if _, _, err := owners.FromCSV("f", owners.CSV(source)); err != nil {
			t.Error(err)
		}
	})
}

// TestDefineEnds checks that a check of a file that is no card file gives up, and
// that a sound card is left of a file with many faults.
func TestDefineEnds(t *testing.T) {
	for name, text := range map[string]string{
		"bad lines": strings.Repeat("card robot freez 2\n", 50_000),
		"too many":  strings.Repeat("card robot freeze 2\n", 50_000),
		"long":      "card " + strings.Repeat("x", 1<<20),
		"empty":     strings.Repeat("\n", 1<<20),
	} {
		if _, faults := ownersOf("mutants").Define("f", text); len(faults) == 0 || len(faults) > 200 {
			t.Errorf("%s: %d faults", name, len(faults))
		}
	}
	text := "card zombie freeze 2\ncard robot freez 1\ncard robot leave none\ncard fox kind basic\nboard spaces many\n"
	text += "precon mine krunk marv anubis omikami wampara fox\nboard red-zone 3\n"
	lines, faults := ownersOf("mutants").Define("f", text)
	if want := "card zombie freeze 2|board red-zone 3"; strings.Join(lines, "|") != want || len(faults) != 4 {
		t.Errorf("got %q, %v", lines, faults)
	}
}

func BenchmarkCheck(b *testing.B) {
	var box strings.Builder
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		for _, n := range []string{"1", "2", "3", "4", "5"} {
			card := "card " + id + n
			box.WriteString(card + " kind character\n" + card + " en \"The " + id + n + "\"\n" + card + " attack 2\n" +
				card + " defence 1\n" + card + " power luck light\n" + card + " markers mental energy\n" +
				card + " does Reroll one of your dice.\n")
		}
	}
	owners := map[string]cardfile.Owners{"mutants": ownersOf("mutants"),
		"genegrafter": ownersOf("genegrafter")}
	for _, test := range []struct{ name, game, text string }{
		{"genegrafter card", "genegrafter", "card zorro kind character\ncard zorro en Zorro\ncard zorro attack 2\n"},
		{"genegrafter box", "genegrafter", box.String()},
		{"mutants card", "mutants", "card zombie freeze 2\ncard zombie leave may freeze this\n"},
		{"mutants box", "mutants",
			strings.Repeat("card zombie freeze 2\ncard robot leave gain 2 power, then draw a card\n", 100)},
	} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				owners[test.game].Define("f", test.text)
			}
		})
	}
}
