package cardfile_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// TestRead checks positions, texts and errors, whatever surrounds a statement.
func TestRead(t *testing.T) {
	var got []string
	statement := func(l *cardfile.Line) error {
		edition, column, _ := l.Prefix("/")
		id, err := l.Identifier("a card", "bat")
		if err != nil {
			return err
		}
		suffix, at, _ := l.Suffix("@")
		field, err := l.Among("a field", []string{"power", "en"})
		if err != nil {
			return err
		}
		var value any
		if field == "en" {
			value, err = l.Title("The Bat")
		} else {
			value, err = l.NumberOr(-1, "a power", 1, 9)
		}
		file, line := l.Position()
		got = append(got, fmt.Sprint(file, " ", line, " ", edition, column, " ", id, " ", field, suffix, at, " ", value,
			" | ", l.Text()))
		return err
	}
	source := "\ufeff# mine\r\n\r\n  bat power 3 # strong\r\nfirst/bat power@now ?\nbat en \"The \\\"Bat\\\"\""
	if err := readLines("f", source, statement); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`f 3 0 bat power0 3 | bat power 3`,
		`f 4 first1 bat powernow17 -1 | first/bat power@now ?`,
		`f 5 0 bat en0 The "Bat" | bat en "The \"Bat\""`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	for source, want := range map[string]string{
		"bat power 3 4":        `f:1:13: unexpected "4": the line is complete without it; say more on a new line`,
		`bat en "Bat" power 3`: `f:1:14: unexpected "power": the line is complete without it; say more on a new line`,
		"\nbat":                `f:2:4: a field is missing: expected power or en`,
		"a/Bat! power " +
			"3": `f:1:3: "Bat!" cannot be the id of a card: small letters and digits with - between them, as in "bat"`,
		"bat power":                           `f:1:10: a power is missing: a number from 1 to 9, or ?`,
		"bat power 03":                        `f:1:11: "03" is not a power: a number from 1 to 9, or ?`,
		"bat en The Bat":                      `f:1:12: a name of several words is quoted, as in "The Bat"`,
		"bat en \"":                           `f:1:8: quoted word has no end`,
		"bat en x" + strings.Repeat(" y", 70): `f:1:124: a statement has at most 60 words`,
		"bat en " + strings.Repeat("x", 4000): `f:1:3997: a statement has at most 3996 bytes`,
		"bat en " + strings.Repeat("x", 41):   `f:1:8: a name has 1 to 40 letters, and neither { nor }`,
	} {
		err := readLines("f", source, statement)
		if e, ok := err.(*engine.SyntaxError); !ok || e.Error() != want {
			t.Errorf("%.20q: %v, want %s", source, err, want)
		}
	}
}

// TestCheck checks which required field an error names, and when it suggests
// another id.
func TestCheck(t *testing.T) {
	type thing struct {
		names engine.Wording
		kind  string
		power int
	}
	number := func(l *cardfile.Line) (int, error) { return l.NumberOr(0, "a power", 1, 9) }
	schema := cardfile.Schema[thing]{
		cardfile.Title(engine.English, "Bat", func(t *thing) *engine.Wording { return &t.names }),
		{Name: "kind", Example: "bird", Required: true, Read: cardfile.Value(
			func(l *cardfile.Line) (string, error) { return l.Next(), nil }, func(t *thing, kind string) { t.kind = kind })},
		{Name: "power", Example: "3", Required: true,
			Read: cardfile.Value(number, func(t *thing, n int) { t.power = n })},
	}
	check := func(sources ...string) (failed error) {
		var book cardfile.Book[thing]
		for i, source := range sources {
			if err := readLines(fmt.Sprint("f", i), source, func(l *cardfile.Line) error {
				s := l.Statement()
				s.Subject, s.IDAt = l.Next(), l.Column()
				s.ID = l.Next()
				e := book.Find(s.ID)
				if e == nil {
					e = book.Begin(&s, cardfile.NewEntry(schema, "card", thing{}))
				}
				err := schema.Read(l, &s, "a field")
				e.Add(&s)
				return err
			}); err != nil {
				return err
			}
		}
		for _, e := range book.All() {
			failed = cmp.Or(failed, book.Check(e))
		}
		return failed
	}
	const known = "card bat kind mammal\ncard bat power 3\ncard bat en Bat"
	for own, want := range map[string]string{
		"card rat kind rodent\ncard rat power 3\ncard rat en ?": "",
		"card rat kind rodent\ncard rat power 3": "" +
			`f1:1:6: card "rat" has no name; a line is missing: card rat en "…"`,
		"card rat power 3\ncard rat en Rat": `f1:1:6: card "rat" has no kind; a line is missing: card rat kind bird`,
		"card rat en Rat":                   `f1:1:6: there is no card "rat"; did you mean "bat"?`,
		"card bat power ?\ncard bat en ?":   "",
		"card my-a en A\ncard my-b kind fish\ncard my-b power 1\ncard my-b en B": "" +
			`f1:1:6: card "my-a" has no kind; a line is missing: card my-a kind bird`,
	} {
		err := check(known, own)
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%q: got %v, want %s", own, err, want)
		}
	}
}

// TestOneOf joins any number of words.
func TestOneOf(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := engine.OneOf(words).String(); got != want {
			t.Errorf("%q: got %q, want %q", words, got, want)
		}
	}
}

// TestWordsOfASentence checks how a sentence falls into words, as people write it.
func TestWordsOfASentence(t *testing.T) {
	for wrote, want := range map[string]string{"A card.": "a|card", "Gain 2; then cycle 1. ": "gain|2|.|then|cycle|1",
		"K.O. this, if": "k.o.|this|,|if"} {
		p := cardfile.NewParser(wrote, 1)
		var words []string
		for !p.Done() {
			words = append(words, p.Peek())
			p.Take(p.Peek())
		}
		if got := strings.Join(words, "|"); got != want {
			t.Errorf("%q: got %q, want %q", wrote, got, want)
		}
	}
}

func readLines(file, source string, statement func(*cardfile.Line) error) error {
	_, err := cardfile.Parse(file, source, func(l *cardfile.Line) (s cardfile.Statement, err error) { return s, statement(l) })
	return err
}
