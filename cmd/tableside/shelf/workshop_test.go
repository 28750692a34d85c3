package shelf

import (
	"fmt"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/cardfile"
)

// TestControls checks that what a form offers for a field is understood by the game:
// every word, the lowest and the highest number, and every example.
func TestControls(t *testing.T) {
	ids := map[string]string{"mutants": "krunk", "mindbug": "bee-bear", "genegrafter": "card-7"}
	for title, id := range ids {
		owners := ownersOf(title)
		for _, form := range owners.Forms {
			for _, row := range form.Rows {
				about := map[string]string{"card": id, "boss": "jack-ice", "action": "jack-ice-3", "energy": "rage"}[form.Line]
				line := strings.Join(strings.Fields(form.Line+" "+about+" "+row.Field), " ")
				if about != "" && row.Kind == cardfile.Flag {
					continue
				}
				kinds, values := row.Only, valuesOf(row)
				if len(values) == 0 {
					t.Errorf("%s: %s offers nothing", title, line)
				}
				for _, value := range values {
					text := line + " " + value
					if title == "genegrafter" && about != "" && row.Field != "kind" {
						kind := "ability"
						if len(kinds) > 0 {
							kind = kinds[0]
						}
						text = "category mental colour red\ncategory energy colour blue\ncategory physical colour green\n" +
							"card card-7 kind " + kind + "\n" + text
					}
					if _, faults := owners.Define("f", text); len(faults) > 0 && !isElsewhere(faults[0], value) {
						t.Errorf("%s: %q: %v", title, text, faults[0])
					}
				}
			}
		}
	}
}

// isElsewhere reports whether a value is refused only because of the card: "kind basic"
// for one that is advanced, an event's sentence for an ability, a colour that no
// category has, a level that is another card's.
func isElsewhere(e *engine.SyntaxError, value string) bool {
	for _, part := range []string{"of the other kind",
		"nothing that a card of kind", "no category is", "genes, not", "basic card",
		"DNA strands", "evolves into"} {
		if strings.Contains(e.Reason, part) {
			return true
		}
	}
	return false
}

func valuesOf(row cardfile.Row) (values []string) {
	switch row.Kind {
	case cardfile.Quoted, cardfile.Prose:
		return []string{`"Zorro"`}
	case cardfile.Number:
		values = []string{fmt.Sprint(row.Low), fmt.Sprint(row.High)}
		for _, per := range row.Per {
			values = append(values, "1 per "+per)
		}
		if row.Field == "cards" || row.Field == "red-zone" || row.Field == "spaces" {
			return values[:1] // more need other lines
		}
		return values
	case cardfile.OneWord:
		for _, word := range row.Words {
			if row.Count > 0 {
				word += fmt.Sprintf(" %d", row.Count)
			}
			values = append(values, word)
		}
		return values
	case cardfile.Several:
		values = append(row.Words, strings.Join(row.Words[:min(2, row.Most)], " "))
		if row.None {
			values = append(values, "none")
		}
		return values
	case cardfile.Sentence:
		if row.Keeps {
			values = append(values, `text "Skip a turn."`)
		}
		if row.Table != nil {
			for _, tile := range row.Tiles(engine.English) {
				for _, pick := range tile.Picks {
					values = append(values, pick.Says)
				}
			}
		}
		if row.Example != "" {
			values = append(values, row.Example)
		}
		return append(values, "none")
	}
	return []string{row.Example}
}
