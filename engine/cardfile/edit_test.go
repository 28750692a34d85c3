package cardfile_test

import (
	"slices"
	"strings"
	"testing"

	"tableside/engine/cardfile"
)

const edited = "# my box\ncard bat power 3  # a guess\n\ncard owl en Owl\ncard bat en Bat\nboard spaces 12 # printed\n"

// TestReplace checks that an edit keeps order and comments.
func TestReplace(t *testing.T) {
	for _, test := range []struct {
		card  string
		lines []string
		want  string
	}{
		{"bat", []string{"card bat power 3", "card bat en Bat"}, edited},
		{"bat", []string{"card bat power 4", "card bat en Bat"}, strings.Replace(edited, "power 3", "power 4", 1)},
		{"bat", []string{"card bat en Bat", "card bat fr “La Chauve-souris”"}, "# my box\n# a guess\n\ncard owl en Owl\n" +
			"card bat en Bat\ncard bat fr \"La Chauve-souris\"\nboard spaces 12 # printed\n"},
		{"fox", []string{"card fox en Fox"}, edited + "card fox en Fox\n"},
		{"board", []string{"board spaces 13"}, strings.Replace(edited, "spaces 12 #", "spaces 13  #", 1)},
	} {
		if got := cardfile.Replace(edited, test.card, test.lines); got != test.want {
			t.Errorf("%s %q: got\n%s", test.card, test.lines, got)
		}
	}
}

// words reads statements of three words and a value; "puissance" is French for "power".
var words = &cardfile.Owners{Reader: func() func(*cardfile.Line) (cardfile.Statement, error) {
	return func(l *cardfile.Line) (cardfile.Statement, error) {
		s := l.Statement()
		s.Subject, s.ID, s.Field = l.Next(), l.Next(), l.Next()
		if s.Field == "puissance" {
			s.Field = "power"
		}
		s.ValueAt = l.Column()
		for !l.Done() {
			l.Next()
		}
		return s, nil
	}
}}

// TestMerge checks that a merge adds what is new and takes only what is chosen.
func TestMerge(t *testing.T) {
	theirs := "card fox en Fox\ncard bat en Bat\ncard bat power 5\ncard owl en owl.\ncard owl power 2\n"
	c := words.Compare(edited, theirs)
	if !slices.Equal(c.Added, []string{"fox"}) || !slices.Equal(c.Completed, []string{"owl"}) ||
		len(c.Differences) != 1 || c.Differences[0].Card != "bat" || c.Differences[0].Field != "power" {
		t.Errorf("got %+v", c)
	}
	mine := words.Merge(edited, theirs, func(cardfile.Difference) bool { return false })
	if mine != strings.Replace(edited, "en Owl\n", "en Owl\ncard owl power 2\n", 1)+"card fox en Fox\n" {
		t.Errorf("mine: got\n%s", mine)
	}
	if got := words.Merge(edited, theirs, func(d cardfile.Difference) bool { return d.Card == "bat" }); got !=
		strings.Replace(mine, "power 3", "power 5", 1) {
		t.Errorf("theirs: got\n%s", got)
	}
	// A field has one name, whatever the language, and a card of another kind is taken whole or not at all.
	const kinds = "card bat puissance 3\ncard bat kind gear\n"
	for theirs, want := range map[string]int{"card bat power 3\n": 0, "card bat power 4\n": 1,
		"card bat kind hero\ncard bat en Bat\n": 1} {
		c := words.Compare(kinds, theirs)
		if len(c.Differences) != want || len(c.Completed) != 0 {
			t.Errorf("%q: got %+v", theirs, c)
		}
		for _, takes := range []bool{false, true} {
			joined := kinds
			if takes && want > 0 {
				joined = strings.Replace(kinds, "puissance 3", "power 4", 1)
				if c.Differences[0].Field == "" {
					joined = theirs
				}
			}
			got := words.Merge(kinds, theirs, func(cardfile.Difference) bool { return takes })
			if sorted(got) != sorted(joined) {
				t.Errorf("%q: got\n%s", theirs, got)
			}
		}
	}
}

func sorted(source string) string {
	return strings.Join(slices.Sorted(strings.Lines(source)), "")
}

// FuzzMerge checks that a merge of any texts has all cards, and that another one
// changes nothing.
func FuzzMerge(f *testing.F) {
	f.Add(edited, "card fox en Fox\ncard bat power 9 # theirs")
	f.Add("card bat power 3  #", "card f\xf1\xf1ox en Fox\ncard bat power 9 #\xb2th%irs")
	f.Add("card bat power 3  #", "card fox en Fox\ncard bat power 9  thei\x01\x00")
	f.Fuzz(func(t *testing.T, mine, theirs string) {
		all := func(cardfile.Difference) bool { return true }
		once := words.Merge(mine, theirs, all)
		if twice := words.Merge(once, theirs, all); twice != once {
			t.Errorf("%q, then %q", once, twice)
		}
		for _, card := range cardfile.Named(theirs) {
			if len(cardfile.About(once, card)) == 0 {
				t.Errorf("%q is missing in %q", card, once)
			}
		}
	})
}
