package main

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tableside/display/web"
	"tableside/engine"
)

// TestSchema tests that the output of replay --json fits the schema, for every game at
// its beginning.
func TestSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(web.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("view.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("view.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range allGames() {
		for _, lang := range engine.Languages {
			info := g.Info()
			head := "tableside-journal 1\ngame " + info.Name + "\n"
			for _, seat := range engine.UsualSeats[:info.MaxSeats] {
				head += "seat " + string(seat) + "\n"
			}
			code, out, errs := speak(t, head+"begin 2026-11-20T20:15:00Z\n", "replay", "-", "--json", "--lang", string(lang))
			if code != exitDone {
				t.Errorf("%s: %s", info.Name, errs)
				continue
			}
			view, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(view); err != nil {
				t.Errorf("%s in %s: %v", info.Name, lang, err)
			}
		}
	}
}
