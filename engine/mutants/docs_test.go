package mutants

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine/cardfile"
)

// shows checks that the page shows each field, and that the examples of all
// fields are read.
func shows[T any](t *testing.T, subject string, schema cardfile.Schema[T], shown map[string]bool) {
	t.Helper()
	for _, f := range schema {
		if title := slices.Contains(cardfile.LanguageFields, f.Name); !title && !shown[subject+" "+f.Name] {
			t.Errorf("field %s of %s is not shown", f.Name, subject)
		}
		line := subject + " x " + f.Name + " " + f.Example
		if subject == aBoard {
			line = subject + " " + f.Name + " " + f.Example
		}
		if _, err := parseStatement(line); err != nil {
			t.Errorf("the example of %s: %v", line, err)
		}
	}
}

// TestDocs checks that the statements and abilities on the page for owners are
// read, and that the page omits no word of the card language.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/cards.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	shown := map[string]bool{}
	statements := regexp.MustCompile("(?m)^\\| `((?:card|board|precon|boss|action) [^`]*)`")
	for _, m := range statements.FindAllStringSubmatch(page, -1) {
		s, err := parseStatement(m[1])
		if err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
		shown[s.Subject+" "+s.Field] = true
	}
	shows(t, aCard, cardFields, shown)
	shows(t, aBoard, boardFields, shown)
	shows(t, aBoss, bossFields, shown)
	shows(t, aAction, actionFields, shown)
	for _, w := range exploitPhrases {
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
	// Words that are no ability on their own: targets, objects, destinations
	// and others.
	bare := map[string]bool{}
	_, other, _ := strings.Cut(language, "### Other words")
	_, objects, _ := strings.Cut(language, "| what an effect applies to |")
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
			_, err = parseOngoing(words)
		default:
			_, err = parseAbility(words)
		}
		if examples++; err != nil {
			t.Errorf("%s: %v", words, err)
		}
	}
	if examples < 90 {
		t.Errorf("only %d examples", examples)
	}
	told := func(words ...string) {
		between := func(r rune) bool { return strings.ContainsRune(" []|/", r) }
		for _, w := range strings.FieldsFunc(strings.Join(words, " "), between) {
			if !strings.Contains(language, w) {
				t.Errorf("%q is not on the page", w)
			}
		}
	}
	told(ways(verbPhrases), ways(conditionPhrases), ways(triggerPhrases), ways(targetPhrases), ways(objectPhrases),
		ways(copyPhrases), ways(timingPhrases), ways(anyPhrases), ways(incubatorPhrases), ways(thanPhrases), ways(orPhrases))
}

func ways[T comparable](phrases cardfile.Phrases[T]) string {
	var all []string
	for _, row := range phrases {
		all = append(all, row.Words)
	}
	return strings.Join(all, " ")
}
