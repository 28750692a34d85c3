package shelf

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"tableside/engine"
	"tableside/engine/cardfile"
)

func ownersOf(title string) *cardfile.Owners { return allGames().Owners(title) }

// TestCSV checks that a spreadsheet of a file is the same file again.
func TestCSV(t *testing.T) {
	for game, source := range map[string]string{
		"genegrafter": "card zorro kind character\ncard zorro en \"El Zorro\"\ncard zorro attack 2\n" +
			"card zorro does text \"Skip, then rest.\"\ncard boots kind gear\ncard boots en =HYPERLINK(1)\n" +
			"card boots does +1 attack\ncard hat en 'Ello\ncard glove en ＝1+1\ncard glove kind event\ncard hat kind event\n" +
			"box sixth-face \"Draw two.\"\ncategory mental colour red\n",
		"mutants": "card krunk freeze 2\ncard krunk leave@first-edition you may freeze this mutant\ncard krunk draft\n" +
			"board spaces 12\nprecon mine en \"My Own\"\nprecon mine krunk marv anubis omikami wampara primal\n",
	} {
		owners := ownersOf(game)
		if _, faults := owners.Define("f", source); faults != nil {
			t.Fatal(faults[0])
		}
		sheet := owners.CSV(source, false)
		if formula := regexp.MustCompile(`(^|,|\n)"?[=+@＝＋－＠-]`).FindString(sheet); formula != "" {
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

// TestKeptWords checks that a sentence that no row of Mindbug has is named, stays in a
// spreadsheet and what an owner shares, and does not keep its card out of matches.
func TestKeptWords(t *testing.T) {
	const source = "card killer-bee play Destroy an enemy creature.\ncard killer-bee power 6\n" +
		"card gorillion play text \"Sing, then rest.\"\ncard luchataur play Détruisez une créature ennemie.\n"
	owners := ownersOf("mindbug")
	lines, faults := owners.Define("f", source)
	if strings.Join(lines, "\n")+"\n" != source || len(faults) != 1 || faults[0].Line != 1 || faults[0].Suggest != "" {
		t.Errorf("got the lines %q, faults %v", lines, faults)
	}
	if got, _, err := owners.FromCSV("f", owners.CSV(source, false)); err != nil || sorted(got) != sorted(source) {
		t.Errorf("a spreadsheet gives %q, %v", got, err)
	}
	if got := cardfile.Shared(owners, source); got != source {
		t.Errorf("%q is shared", got)
	}
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "cards"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "cards", "mindbug.txt"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[engine.Lang]string{engine.English: "these words are resolved by hand", engine.French: "se résolvent à la main"} {
		if _, broken := allGames().Files(home, lang); len(broken) != 1 || !strings.Contains(broken[0].Text, want) {
			t.Errorf("got %v, want %q", broken, want)
		}
	}
}

// TestLeftOut checks that a card is said to be left out because of its own line, and not of a
// sentence that only stays as words.
func TestLeftOut(t *testing.T) {
	const source = "card killer-bee play Destroy an enemy creature.\ncard gorillion pwer 3\n"
	file := filepath.Join(t.TempDir(), "mindbug.txt")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	lines, faults := ownersOf("mindbug").Define(file, source)
	got := LeftOut(file, faults, lines, engine.English)
	if len(faults) != 2 || !strings.Contains(got, "pwer") || !strings.Contains(got, "1 card is left out") ||
		!strings.HasSuffix(got, ": gorillion") {
		t.Errorf("got %q for %v", got, faults)
	}
}

// TestJoinKeptWords checks that a file whose sentences stay as words can be joined.
func TestJoinKeptWords(t *testing.T) {
	const theirs = "card killer-bee play Destroy an enemy creature.\n"
	j, err := cardfile.Join(ownersOf("mindbug"), "card gorillion power 9\n", theirs, func(cardfile.Difference) string { return "" })
	if err != nil || !strings.Contains(j.Joined, theirs) {
		t.Errorf("got %+v, %v", j, err)
	}
}

// TestSheetsOfPrograms reads what spreadsheet programs and people save.
func TestSheetsOfPrograms(t *testing.T) {
	const want = "card krunk freeze 2\ncard krunk deploy gain 1 power, then draw 1 card\n"
	const tabs = "line\tid\tfreeze\tdeploy\ncard\tkrunk\t2\tgain 1 power, then draw 1 card\t\t\n"
	for name, sheet := range map[string]string{
		"tabs":          tabs,
		"sep":           "sep=;\r\n" + strings.ReplaceAll(tabs, "\t", ";"),
		"UTF-16":        "\xff\xfe" + string(utf16Bytes(tabs, binary.LittleEndian)),
		"UTF-16, big":   "\xfe\xff" + string(utf16Bytes(tabs, binary.BigEndian)),
		"by hand":       "Card;freeze;deploy\nkrunk;2;gain 1 power, then draw 1 card\n",
		"with comments": "line;id;# name;freeze;deploy\ncard;krunk;Krunk;2;gain 1 power, then draw 1 card\n",
	} {
		if got, _, err := ownersOf("mutants").FromCSV("f", sheet); err != nil || got != want {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for sheet, want := range map[string]string{
		"line,id,freeze,deploy\ncard,zombie,2,gain 1 power, then draw 1 card\n": `f:2:1: "then draw 1 card" stands beyond ` +
			`the last column: put a cell with "," inside in quotes`,
		"sep=;\nline;id;freeze\ncard;zombie;2\ncard;Zombie;3\n": `f:4:1: "card Zombie freeze" stands in line 3 already`,
		"line,id,freeze,freeze\ncard,zombie,2,3\n":              `f:2:1: "card zombie freeze" stands in line 2 already`,
	} {
		if got, _, err := ownersOf("mutants").FromCSV("f", sheet); err == nil || err.Error() != want {
			t.Errorf("%q: got %q, error %v, want %s", sheet, got, err, want)
		}
	}
}

func utf16Bytes(text string, order binary.AppendByteOrder) (b []byte) {
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

// TestSheetOfTheBox checks that an owner gets a row for each card of the box, and that what was
// not filled in is nothing.
func TestSheetOfTheBox(t *testing.T) {
	owners := ownersOf("mutants")
	const own = "card krunk freeze 2\n"
	sheet := owners.CSV(own, true)
	if !strings.HasPrefix(sheet, "line,id,# name,freeze,") || !strings.Contains(sheet, "\ncard,zombie,Zombie,,") {
		t.Errorf("got\n%s", sheet)
	}
	if got, _, err := owners.FromCSV("f", sheet); got != own || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestCSVOfManyFaults checks that a spreadsheet leaves out the lines that cannot be read, even
// those after the last line that Define reads in a file with so many faults.
func TestCSVOfManyFaults(t *testing.T) {
	source := strings.Repeat("crad zorro\n", 250) + "card \"zorro\ncard zorro attack 2\n"
	want := "line,id,attack\ncard,zorro,2\n"
	if got := ownersOf("genegrafter").CSV(source, false); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

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
		if _, _, err := owners.FromCSV("f", owners.CSV(source, false)); err != nil {
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
	owners := map[string]*cardfile.Owners{"mutants": ownersOf("mutants"),
		"genegrafter": ownersOf("genegrafter")}
	for _, test := range []struct{ name, game, text string }{
		{"genegrafter card", "genegrafter", "card zorro kind character\ncard zorro en Zorro\ncard zorro attack 2\n"},
		{"genegrafter box", "genegrafter", box.String()},
		{"mutants card", "mutants", "card zombie freeze 2\ncard zombie leave you may freeze this mutant\n"},
		{"mutants box", "mutants",
			strings.Repeat("card zombie freeze 2\ncard robot leave gain 2 power, then draw 1 card\n", 100)},
	} {
		b.Run(test.name, func(b *testing.B) {
			for b.Loop() {
				owners[test.game].Define("f", test.text)
			}
		})
	}
}
