package mutants

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
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
		if s, err := parseStatement(line); err != nil || s.NoRow != nil {
			t.Errorf("the example of %s: %v, %v", line, err, s.NoRow)
		}
	}
}

// TestDocs checks that the statements and abilities on the page for owners are
// read, and that the page has every row of the card language.
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
		if err != nil || s.NoRow != nil {
			t.Errorf("%s: %v, %v", m[1], err, s.NoRow)
		}
		shown[s.Subject+" "+s.Field] = true
	}
	shows(t, aCard, cardFields, shown)
	shows(t, aBoard, boardFields, shown)
	shows(t, aBoss, bossFields, shown)
	shows(t, aAction, actionFields, shown)
	_, language, _ := strings.Cut(page, "## The card language")
	for _, slot := range []string{"deed", "whom", "if", "trigger", "counted", "exploit", "value"} {
		for _, said := range rows().Sentences(slot) {
			en, fr := rows().Write(engine.English, said), rows().Write(engine.French, said)
			if row := fmt.Sprintf("| %s | %s |", engine.Capital(en), engine.Capital(fr)); !strings.Contains(page, row) {
				t.Errorf("this line is not on the page: %s", row)
			}
		}
	}
	examples := 0
	for _, m := range regexp.MustCompile("`([A-Z][^`]+ [^`]+)`").FindAllStringSubmatch(language, -1) {
		_, err := parseAbility(m[1])
		if examples++; err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
	if examples < 15 {
		t.Errorf("only %d examples", examples)
	}
}
