package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// Zones and counters are read as json would read a map, in their order.
func TestReadOrdered(t *testing.T) {
	for text, want := range map[string]Counters{
		`null`:                         nil,
		`{}`:                           nil,
		` { "b" : 2 , "a":-1,"c":0 } `: {{"b", 2}, {"a", -1}, {"c", 0}},
		`{"a\"}\u00e9":7,"é,:{":8}`:    {{`a"}é`, 7}, {"é,:{", 8}},
		"{\n\t\"a\"\n:\n1\r\n}":        {{"a", 1}},
		`{"` + strings.Repeat("long", 1000) + `":1,"last":2}`: {{strings.Repeat("long", 1000), 1}, {"last", 2}},
	} {
		var got Counters
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: got %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{`[]`, `5`, `"x"`, `true`, `{"a":"x"}`, `{"a":1.5}`, `{"a":{}}`, `{"a":[1]}`} {
		var got Counters
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s: got %v, want an error", text, got)
		}
	}
	zones := `{"hand":[{"card":null},{"card":"a\\b","name":"]}","under":[{"card":"c"}]}],"row":[],"none":null}`
	want := Zones{{"hand", []Card{{}, {Kind: `a\b`, Name: "]}", Under: []Card{{Kind: "c"}}}}}, {"row", []Card{}},
		{"none", nil}}
	var got Zones
	if err := json.Unmarshal([]byte(zones), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// FuzzReadOrdered reads whatever may reach a hall, and compares it with what json reads.
func FuzzReadOrdered(f *testing.F) {
	for _, text := range []string{`null`, `{}`, `{"a":1}`, `{"a\"":[{}],"b":{"c":"}"}}`, `{"a":1 , "a":-2}`, `[]`, `{"\ud800":1}`,
		"{\"\xff\":1}", `{"a":`, `"`, `{"a`, `{"a":"\`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var names, values []string
		err := unmarshalOrdered([]byte(text), func(name string, d *json.Decoder) error { // never panics
			var value json.RawMessage
			if err := d.Decode(&value); err != nil {
				return err
			}
			names, values = append(names, name), append(values, string(value))
			return nil
		})
		if !json.Valid([]byte(text)) {
			return
		}
		var want map[string]json.RawMessage
		wrong := json.Unmarshal([]byte(text), &want)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("got %v, want %v", err, wrong)
		}
		got := map[string]json.RawMessage{}
		for i, name := range names {
			got[name] = json.RawMessage(values[i])
		}
		if len(got) != len(want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		for name, value := range want {
			if string(got[name]) != string(value) {
				t.Fatalf("%q: got %s, want %s", name, got[name], value)
			}
		}
	})
}
