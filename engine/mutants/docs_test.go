package mutants

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"tableside/engine/cardfile"
)

// The page for owners shows statements and abilities that are read, and
// leaves out no word of the card language.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/cards.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	shown := map[string]bool{}
	statements := regexp.MustCompile("(?m)^\\| `((?:card|board|precon|boss|action) [^`]*)`")
	for _, m := range statements.FindAllStringSubmatch(page, -1) {
		s, err := ParseStatement("", 0, m[1])
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
		shown[string(s.subject)+" "+s.field] = true
	}
	for _, f := range cardFields {
		if f != "fr" && !shown["card "+f] {
			t.Errorf("field %s of a card is not shown", f)
		}
	}
	for _, f := range boardFields {
		if !shown["board "+f] {
			t.Errorf("field %s of the board is not shown", f)
		}
	}
	for subject, fields := range map[subject][]string{aBoss: bossFields, aAction: actionFields} {
		for _, f := range fields {
			if f != "en" && f != "fr" && !shown[string(subject)+" "+f] {
				t.Errorf("field %s of %s is not shown", f, subject.named())
			}
		}
	}
	for _, w := range whenPhrases {
		if !strings.Contains(page, "`"+w.Words+"`") {
			t.Errorf("%q is not on the page", w.Words)
		}
	}
	for _, p := range heroPhrases {
		words := strings.Fields(p.Words)
		if !strings.Contains(page, "`"+words[len(words)-1]+"`") && !strings.Contains(page, "`"+p.Words+"`") {
			t.Errorf("%q is not on the page", p.Words)
		}
	}
	_, language, _ := strings.Cut(page, "## The card language")
	// What stands alone is no ability: targets, what an effect takes hold of,
	// where it goes, and other words.
	bare := map[string]bool{}
	_, other, _ := strings.Cut(language, "### Other words")
	_, objects, _ := strings.Cut(language, "| what an effect takes hold of |")
	objects, _, _ = strings.Cut(objects, "\n\n")
	code := regexp.MustCompile("`([a-z0-9][^`]+ [^`]+)`")
	for _, m := range code.FindAllStringSubmatch(objects+other, -1) {
		bare[m[1]] = true
	}
	examples := 0
	for _, m := range code.FindAllStringSubmatch(regexp.MustCompile("(?s)```.*?```").ReplaceAllString(language, ""), -1) {
		words := m[1]
		switch {
		case bare[words]:
			continue
		case strings.HasPrefix(words, "each time"), strings.HasPrefix(words, "at the start"):
			_, _, err = parseOngoing(cardfile.NewParser(words, 1))
		default:
			_, err = ParseAbility(words)
		}
		if examples++; err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
	if examples < 90 {
		t.Errorf("only %d examples", examples)
	}
	told := func(words string) {
		for _, w := range strings.FieldsFunc(words, func(r rune) bool { return strings.ContainsRune(" []|/", r) }) {
			if !strings.Contains(language, w) {
				t.Errorf("%q of %q is not on the page", w, words)
			}
		}
	}
	for _, p := range verbPhrases {
		told(p.Words)
	}
	for _, p := range conditionPhrases {
		told(p.Words)
	}
	for _, p := range triggerPhrases {
		told(p.Words)
	}
	for _, p := range targetPhrases {
		told(p.Words)
	}
	for _, p := range objectPhrases {
		told(p.Words)
	}
	for _, p := range copyPhrases {
		told(p.Words)
	}
	for _, p := range timingPhrases {
		told(p.Words)
	}
}
