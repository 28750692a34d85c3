package mqtt

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tableside/engine"
	"tableside/mqtt/homeassistant"
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

// hostile lists payloads that must change nothing.
var hostile = []string{
	"", " ", "{", "{}", "[]", "null", "red", "red jump", "\x00\xff\xfe", "red tap \xff", "red tap a\nblue undo",
	`{"input":7}`, `{"input":""}`, `{"input":"red undo","extra":1}`, `{"input":"red undo"} {"input":"red undo"}`,
	`{"input":"red undo","seat":"red"}`, `{"seat":"red"}`, `{"seat":"red","verb":"undo #"}`,
	`{"seat":"red undo #","verb":"tap"}`,
	`{"seat":"5s red","verb":"tap","args":["a"]}`, `{"seat":"red","verb":"tap","args":"zombie.1"}`,
	`{"seat":"red","verb":"tap","args":["` + "\xff" + `"]}`,
	`{"input":"red undo","id":"` + strings.Repeat("x", maxID+1) + `"}`, `{"input":"red undo","id":7}`,
	strings.Repeat("x", maxInput), strings.Repeat("[", maxInput), `{"args":` + strings.Repeat("[", maxInput-10),
	strings.Repeat(`{"input":`, 400), `{"input":"red undo"`, "\xef\xbb\xbfred undo",
}

func TestHostilePayloads(t *testing.T) {
	for _, payload := range hostile {
		if id, in, err := parseInput([]byte(payload)); err == nil || id != "" {
			t.Errorf("%.60q is accepted as %q, id %q", payload, in.Command(), id)
		}
	}
}

// TestMalformedKeepsID checks that the id is found even if the rest cannot be read.
func TestMalformedKeepsID(t *testing.T) {
	for _, payload := range []string{`{"id":"a","input":"red jump"}`, `{"id":"a","extra":1}`,
		`{"id":"a","input":"red undo","seat":"red"}`} {
		if id, _, err := parseInput([]byte(payload)); err == nil || id != "a" {
			t.Errorf("%s: id %q, error %v", payload, id, err)
		}
	}
	if id, _, err := parseOrder([]byte(`{"id":"a","do":""}`)); err == nil || id != "a" {
		t.Errorf("order: id %q, error %v", id, err)
	}
}

func TestParseOrder(t *testing.T) {
	id, order,
		err := parseOrder([]byte(`{"id":"m","do":"begin","setup":{"game":"race/first","seats":[{"seat":"red","name":"Alice"},{"seat":"blue"}]}}`))
	if err != nil || id != "m" || order.Do != "begin" || order.Setup.Game != "race/first" || len(order.Setup.Seats) != 2 {
		t.Errorf("%q %+v %v", id, order, err)
	}
	for _, payload := range []string{"", "begin", "{}", `{"do":"begin","setup":{"gaem":"x"}}`, `{"do":7}`,
		strings.Repeat("[", maxOrder), "\xff"} {
		if _, _, err := parseOrder([]byte(payload)); err == nil {
			t.Errorf("%.40q is accepted, want an error", payload)
		}
	}
}

// FuzzPayload checks that every accepted payload is one well-formed line.
func FuzzPayload(f *testing.F) {
	for _, payload := range hostile {
		f.Add([]byte(payload))
	}
	f.Add([]byte(`{"seat":"red","verb":"set","args":["name","A \"b\" # c"],"id":"x"}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		parseOrder(payload)
		homeassistant.ParseAnnounced(payload)
		id, in, err := parseInput(payload)
		if len(id) > maxID {
			t.Errorf("id of %d bytes", len(id))
		}
		if err != nil {
			return
		}
		if found := findID(payload); found != id && !strings.ContainsRune(id, utf8.RuneError) {
			t.Errorf("id %q is found as %q", id, found)
		}
		_, again, err := parseInput([]byte(in.Command()))
		if err != nil || again.Command() != in.Command() {
			t.Errorf("%q is read back as %q: %v", in.Command(), again.Command(), err)
		}
	})
}

// TestMalformedWords checks that errors about a malformed command are in plain words.
func TestMalformedWords(t *testing.T) {
	for _, lang := range engine.Languages {
		c := newClient(t, Config{Brokers: []string{"localhost"}, Lang: lang})
		for payload, want := range map[string]string{
			`{"input":"red undo","id":7}`:            `"id" must be text in quotes`,
			`{"args":"zombie.1"}`:                    `"args" must be a list`,
			`[]`:                                     `a seat and a verb are needed`,
			`{`:                                      "the JSON ends before it is complete",
			`{"input":"red undo"`:                    "the JSON ends before it is complete",
			`{"input":red undo}`:                     "the JSON is wrong at byte 10, near \"red undo}\"",
			`{"input":"red undo","extra":1}`:         `"extra" is no field of this request`,
			`{"input":"red undo"} {"id":"b"}`:        "something follows the JSON",
			`{"input":"red undo","seat":"red"}`:      "mqtt.input-twice",
			`{"seat":"red undo #","verb":"tap"}`:     "mqtt.one-word",
			`{"seat":"red","verb":"tap","args":[7]}`: `"args" must be text in quotes`,
		} {
			_, _, err := parseInput([]byte(payload))
			checkWords(t, c.Client, payload, err, want)
		}
		for payload, want := range map[string]string{
			"learn": "mqtt.json-order", "[]": "mqtt.json-order", " ": "mqtt.json-order", "7": "mqtt.json-order",
			`{"do":7}`: `"do" must be text in quotes`, `{}`: "mqtt.do-missing",
			`{"do":"begin","setup":{"gaem":"x"}}`: `"gaem" is no field of this request`,
			`{"do":"begin","setup":{"seats":7}}`:  `"setup.seats" must be a list`,
			`{"do":"begin","setup":7}`:            `"setup" must be an object`,
			"\xff":                                "mqtt.json-order", "{\"do\":\"\xff\"}": "the JSON is not UTF-8 text",
		} {
			_, _, err := parseOrder([]byte(payload))
			checkWords(t, c.Client, payload, err, want)
		}
	}
}

// checkWords checks that the error holds want, and that its text is in the client's
// language and has none of Go's own words.
func checkWords(t *testing.T, c *Client, payload string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: got error %v, want %s", payload, err, want)
		return
	}
	said := c.wrong(err)
	for _, bad := range []string{"json:", "EOF", "Go struct", "unmarshal", "looking for", "{field}", "{n}", "mqtt.json"} {
		if strings.Contains(said, bad) {
			t.Errorf("%s: %s", payload, said)
		}
	}
	if c.cfg.Lang == engine.French && said == err.Error() {
		t.Errorf("%s: got the English %q in French", payload, said)
	}
}

// TestFindID checks that an id is found even in JSON that is broken, cut off, or
// too long to be parsed.
func TestFindID(t *testing.T) {
	long := strings.Repeat("x", maxOrder)
	for payload, want := range map[string]string{
		`{"id":"a","input":"red un`: "a", `{"id":"a"`: "a", `{"id":"a`: "", `{"id":"a",,}`: "a",
		`{"input":"` + long + `","id":"a"}`: "a", `{"setup":{"id":"b"},"id":"a","do":`: "a", `{"setup":{"id":"b"},"do":`: "",
		`{"args":["id","b"],"id":"a"`: "a", `{"":"id","id":"a"`: "a", `{"x":"id","y":"b"}`: "", `{"id":7,"x":"b"`: "",
		`["id","b"]`: "", `"id"`: "", `red key yes`: "", "": "", `{"id":"` + long + `"}`: "",
		`{"id":"a"} {"id":"b"}`: "a", "{\"id\":\"a\",\"input\":\"\xff\"}": "a", "{\"id\":\"\xff\"}": "",
	} {
		if got := findID([]byte(payload)); got != want {
			t.Errorf("%.60q: id %q, want %q", payload, got, want)
		}
	}
}
