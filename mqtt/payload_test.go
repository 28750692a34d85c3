package mqtt

import (
	"strings"
	"testing"
)

func TestParseInput(t *testing.T) {
	for _, c := range []struct{ payload, id, want string }{
		{"red tap zombie.1", "", "red tap zombie.1"},
		{" red key left\n", "", "red key left"},
		{"12.5s red undo", "", "red undo"},
		{`{"input":"red tap zombie.1","id":"a1"}`, "a1", "red tap zombie.1"},
		{`{"seat":"red","verb":"set","args":["name","Alice B"],"id":"x"}`, "x", `red set name "Alice B"`},
		{`{"seat":"table","verb":"undo"}`, "", "table undo"},
	} {
		id, in, err := parseInput([]byte(c.payload))
		if err != nil || id != c.id || in.Command() != c.want || in.At != 0 {
			t.Errorf("%s: %q %q %v", c.payload, id, in.Command(), err)
		}
	}
}

// hostile are payloads that must change nothing.
var hostile = []string{
	"", " ", "{", "{}", "[]", "null", "red", "red jump", "\x00\xff\xfe", "red tap \xff", "red tap a\nblue undo",
	`{"input":7}`, `{"input":""}`, `{"input":"red undo","extra":1}`, `{"input":"red undo"} {"input":"red undo"}`,
	`{"input":"red undo","seat":"red"}`, `{"seat":"red"}`, `{"seat":"red","verb":"undo #"}`, `{"seat":"red undo #","verb":"tap"}`,
	`{"seat":"5s red","verb":"tap","args":["a"]}`, `{"seat":"red","verb":"tap","args":"zombie.1"}`, `{"seat":"red","verb":"tap","args":["` + "\xff" + `"]}`,
	`{"input":"red undo","id":"` + strings.Repeat("x", maxID+1) + `"}`, `{"input":"red undo","id":7}`,
	strings.Repeat("x", maxInput), strings.Repeat("[", maxInput), `{"args":` + strings.Repeat("[", maxInput-10),
	strings.Repeat(`{"input":`, 400), `{"input":"red undo"`, "\xef\xbb\xbfred undo",
}

func TestHostilePayloads(t *testing.T) {
	for _, payload := range hostile {
		if id, in, err := parseInput([]byte(payload)); err == nil || id != "" {
			t.Errorf("%.60q is taken as %q, id %q", payload, in.Command(), id)
		}
	}
}

// The id comes back also where the rest cannot be read.
func TestMalformedKeepsID(t *testing.T) {
	for _, payload := range []string{`{"id":"a","input":"red jump"}`, `{"id":"a","extra":1}`, `{"id":"a","input":"red undo","seat":"red"}`} {
		if id, _, err := parseInput([]byte(payload)); err == nil || id != "a" {
			t.Errorf("%s: id %q, error %v", payload, id, err)
		}
	}
	if id, _, err := parseOrder([]byte(`{"id":"a","do":""}`)); err == nil || id != "a" {
		t.Errorf("order: id %q, error %v", id, err)
	}
}

func TestParseOrder(t *testing.T) {
	id, order, err := parseOrder([]byte(`{"id":"m","do":"begin","setup":{"game":"race/first","seats":[{"seat":"red","name":"Alice"},{"seat":"blue"}]}}`))
	if err != nil || id != "m" || order.Do != "begin" || order.Setup.Game != "race/first" || len(order.Setup.Seats) != 2 {
		t.Errorf("%q %+v %v", id, order, err)
	}
	for _, payload := range []string{"", "begin", "{}", `{"do":"begin","setup":{"gaem":"x"}}`, `{"do":7}`, strings.Repeat("[", maxOrder), "\xff"} {
		if _, _, err := parseOrder([]byte(payload)); err == nil {
			t.Errorf("%.40q is taken", payload)
		}
	}
}

// Whatever comes in, what is taken is one well formed line.
func FuzzPayload(f *testing.F) {
	for _, payload := range hostile {
		f.Add([]byte(payload))
	}
	f.Add([]byte(`{"seat":"red","verb":"set","args":["name","A \"b\" # c"],"id":"x"}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		parseOrder(payload)
		ParseAnnounced(payload)
		id, in, err := parseInput(payload)
		if len(id) > maxID {
			t.Errorf("id of %d bytes", len(id))
		}
		if err != nil {
			return
		}
		_, again, err := parseInput([]byte(in.Command()))
		if err != nil || again.Command() != in.Command() {
			t.Errorf("%q is read back as %q: %v", in.Command(), again.Command(), err)
		}
	})
}
