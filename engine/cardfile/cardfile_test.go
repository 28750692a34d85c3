package cardfile_test

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
)

type effect int

const (
	gain effect = iota + 1
	gainEach
	draw
)

type step struct {
	do effect
	n  int
}

var effects = cardfile.Forms[effect, step]{
	Phrases: cardfile.Phrases[effect]{
		{gain, "does.gain", "gain <n> life"},
		{gainEach, "does.gain-each", "gain <n> life per card / gain <n> life for each|every card"},
		{draw, "does.draw", "draw a card"},
	},
	Holes: map[string]cardfile.Hole[step]{"<n>": {
		Read:  func(p *cardfile.Parser, s *step) (err error) { s.n, err = p.Number(9); return err },
		Write: func(s *step) string { return strconv.Itoa(s.n) },
	}},
}

func Example() {
	for _, words := range []string{
		"gain 2 life, then draw a card", "gain 2 life for every card", "gain 2 lives", "gain 2 life par card", "drwa a card",
		"gain",
	} {
		p := cardfile.NewParser(words, 1)
		err := p.Parts(8, func() (err error) {
			var s step
			if s.do, err = effects.Read(p, "an effect", &s); err == nil {
				fmt.Println(effects.Write(s.do, &s), effects.Phrases.Key(s.do))
			}
			return err
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// gain 2 life does.gain
	// draw a card does.draw
	// gain 2 life per card does.gain-each
	// column 8: "lives" cannot follow "2": expected life
	// gain 2 life does.gain
	// column 13: "par" does not follow here: the ability ends, or goes on with ", then"
	// column 1: "drwa" is not an effect; did you mean "draw"?
	// column 5: a number from 1 to 9 is missing
}

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

// TestSentences reads phrases with alternatives and optional words, in
// sentences as people write them.
func TestSentences(t *testing.T) {
	phrases := cardfile.Phrases[int]{{1, "", "a card"}, {2, "", "cards"}, {3, "", "a|one card from [your|the] hand"}}
	for words, want := range map[string]int{"A card.": 1, "one card from hand": 3, "One card from your hand": 3,
		"pair": 2} {
		p := cardfile.NewParser(words, 1)
		p.Sentences()
		p.Replace(map[string]string{"pair": "cards"})
		if got, err := phrases.Read(p, "what"); got != want || err != nil || !p.Done() {
			t.Errorf("%s: %d, %v, left %q", words, got, err, p.Left())
		}
	}
	p := cardfile.NewParser("gain 2; then cycle 1. ", 1)
	p.Sentences()
	parts := 0
	err := p.Parts(3, func() error {
		parts++
		p.TakeAny("gain", "cycle")
		_, err := p.Number(9)
		return err
	})
	if parts != 2 || err != nil {
		t.Errorf("%d parts, %v", parts, err)
	}
	p = cardfile.NewParser("one card from a friend", 7)
	_, err = phrases.Read(p, "what")
	if e, ok := err.(*engine.SyntaxError); !ok || e.Column != 21 || e.Reason != `"a" cannot follow "from": expected hand` {
		t.Errorf("%#v", err)
	}
	if p := cardfile.NewParser("if you do", 1); p.TakeAll("if", "you", "may") || !p.TakeAll("if", "you") ||
		p.Peek() != "do" {
		t.Error("TakeAll takes words that do not come next")
	}
}

// TestTranslatedWords checks that errors name phrases as they were written, and what is
// expected in the words of the language.
func TestTranslatedWords(t *testing.T) {
	phrases := map[string]string{"gagnez": "gain", "chaque fois que vous": "each time you", "puis": "then"}
	for source, want := range map[string]string{
		"gagnez puis":          `8: got "puis", want "2" here`,
		"chaque fois que vous": `1: got "chaque fois que vous", want "gain" here`,
		"gain thn":             `6: got "thn", want "2" here`,
		"aucune gagnez":        `1: got "aucune", want "gain" here`,
	} {
		p := cardfile.NewParser(source, 1)
		p.Translate(phrases)
		err := p.Need("gain", "here")
		if err == nil {
			err = p.Need("2", "here")
		}
		var e *engine.SyntaxError
		if !errors.As(err, &e) || fmt.Sprintf("%d: %s", e.Column, e.Reason) != want {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
}

// TestFrenchWords checks which French words an error names: the shortest phrase that means
// just what is expected and the imperative of two, else the word that begins one.
func TestFrenchWords(t *testing.T) {
	phrases := map[string]string{"geler": "freeze", "gelez": "freeze", "congelez": "freeze", "une carte": "a card",
		"l'adversaire perd": "opponent loses", "l'adversaire défausse": "opponent discards", "pv": "life"}
	french, vocabulary := cardfile.Translations(""), cardfile.NewFrench(phrases)
	for source, want := range map[string]string{
		"":              `il manque un effet : on attend gelez, une …, l'adversaire … ou fly`,
		"gelex":         `"gelex" n'est pas un effet ; vouliez-vous dire "gelez" ?`,
		"fle":           `"fle" n'est pas un effet ; vouliez-vous dire "fly" ?`,
		"life x":        `"life" n'est pas un effet : on attend gelez, une …, l'adversaire … ou fly`,
		"fly fly, x":    `"," n'est pas un effet : on attend freeze, a, opponent ou fly`,
		"fly fly, x pv": `"," n'est pas un effet : on attend gelez, une …, l'adversaire … ou fly`,
	} {
		p := cardfile.NewParser(source, 1)
		p.TranslateFrench(vocabulary)
		p.TakeAll("fly", "fly")
		var e *engine.SyntaxError
		err := p.Expected("an effect", "freeze", "a", "opponent", "fly")
		if !errors.As(err, &e) || french.Say(e) != want {
			t.Errorf("%q: got %v, in French %s, want %s", source, err, french.Say(e), want)
		}
	}
}

func readLines(file, source string, statement func(*cardfile.Line) error) error {
	_, err := cardfile.Parse(file, source, func(l *cardfile.Line) (s cardfile.Statement, err error) { return s, statement(l) })
	return err
}
