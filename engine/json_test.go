package engine_test

import (
	"testing"

	"tableside/engine"
)

// TestDecodeJSON checks what is said about JSON that a request cannot have.
func TestDecodeJSON(t *testing.T) {
	for data, want := range map[string][2]string{
		`{"do":`:            {"the JSON ends before it is complete", "le JSON s'arrête avant d'être complet"},
		``:                  {"the JSON ends before it is complete", "le JSON s'arrête avant d'être complet"},
		`{"do":begin}`:      {`the JSON is wrong at byte 7, near "begin}"`, `le JSON est erroné à l'octet 7, près de "begin}"`},
		`{"do":"x"} {}`:     {"something follows the JSON", "il y a quelque chose après le JSON"},
		"{\"do\":\"\xff\"}": {"the JSON is not UTF-8 text", "le JSON n'est pas du texte UTF-8"},
		`7`:                 {"the JSON must be an object, as {…}", "le JSON doit être un objet, comme {…}"},
		`{"do":7}`:          {`"do" must be text in quotes (byte 7)`, `"do" doit être un texte entre guillemets (octet 7)`},
		`{"setup":{"seats":7}}`: {`"setup.seats" must be a list, as […] (byte 19)`,
			`"setup.seats" doit être une liste, comme […] (octet 19)`},
		`{"setup":{"seats":["red"]}}`: {`"setup.seats" must be an object, as {"seat":"red","name":"Alice"} (byte 24)`,
			`"setup.seats" doit être un objet, comme {"seat":"red","name":"Alice"} (octet 24)`},
		`{"count":"x"}`: {`"count" must be a number (byte 12)`, `"count" doit être un nombre (octet 12)`},
		`{"sure":"x"}`:  {`"sure" must be true or false (byte 11)`, `"sure" doit être true ou false (octet 11)`},
		`{"names":{"a":"b","c":1}}`: {`"names" must be text in quotes (byte 23)`,
			`"names" doit être un texte entre guillemets (octet 23)`},
		`{"od":1}`: {`"od" is no field of this request: check its spelling`,
			`"od" n'est pas un champ de cette demande : vérifiez son orthographe`},
	} {
		var into struct {
			engine.Order
			Count int
			Sure  bool
			Names map[string]string
		}
		err := engine.DecodeJSON([]byte(data), &into)
		if err == nil {
			t.Errorf("%s: got no error", data)
			continue
		}
		for i, lang := range engine.Languages {
			if got := engine.ErrorIn(err, lang); got != want[i] {
				t.Errorf("%s: got %q, want %q", data, got, want[i])
			}
		}
	}
	var place map[string]string
	for data, want := range map[string]string{
		`{"place":"red","card":7}`: "a value must be text in quotes (byte 23)",
		` []`:                      "the JSON must be an object, as {…}",
	} {
		if err := engine.DecodeJSON([]byte(data), &place); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", data, err, want)
		}
	}
	var order engine.Order
	if err := engine.DecodeJSON([]byte(` {"do":"rematch"}`+"\n"), &order); err != nil || order.Do != "rematch" {
		t.Errorf("got %+v, %v", order, err)
	}
}
