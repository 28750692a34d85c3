package engine

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func fullView() View {
	return View{
		Schema: SchemaVersion, Match: "2026-11-20T20-15-00Z", Seq: 42, Game: "pen/plain", Phase: "turn", Round: 2, Rounds: 5,
		Turn: "red", First: "blue",
		Seats: []SeatView{
			{ID: "red", Name: "Alice", Colour: "#d7263d",
				Counters: Counters{{"score", 7}, {"hand", 5}, {"deck", 0}},
				Zones: Zones{
					{"right", []Card{{Kind: "zombie", Copy: 1, State: []string{"face-down"}, Counters: Counters{{"power", 3}},
						Keywords: []string{"sneaky"}, Under: []Card{{Kind: "zombie", Copy: 2}}, Attached: []Card{{}}}}},
					{"left", nil},
				}},
			{ID: "blue", State: []string{"last-turn"}, Counters: Counters{{"hand", 1}}},
		},
		Zones:    Zones{{"row", []Card{{Kind: "b"}, {Kind: "a"}}}},
		Counters: Counters{{"z", 1}, {"a", 2}},
		Tracks: []Track{{ID: "power", First: 1, Last: 12, Areas: []Area{{"top", 12, 12}},
			Stacks: map[int][]Seat{9: {"blue", "red"}, 10: {Table}}}},
		Dice: []Die{{ID: "red-1", Seat: "red", Kind: "kot"},
			{ID: "red-2", Seat: "red", Kind: "kot", Face: "growth-2", State: "kept"}},
		Prompts: []Prompt{{Seat: "red", Key: "block", Args: Args{}, Options: []Answer{
			{Key: "yes", Input: "red key yes"}, {Key: "card", Args: Args{}, Input: "red tap", Zone: "red/hand"}},
			Roll: &RollRequest{Kind: "kot", N: 2, Faces: []string{"growth-1"}}}},
		Winners: []Seat{}, Notices: []string{"stand-in-board"},
	}
}

// fullViewJSON is the schema that others rely on: a change here is a change of
// the schema.
const fullViewJSON = `{"schema":1,"table":"","match":"2026-11-20T20-15-00Z","seq":42,"game":"pen/plain","title":"","phase":"turn","round":2,"rounds":5,` +
	`"turn":"red","first":"blue","seats":[{"id":"red","name":"Alice","colour":"#d7263d","counters":{"score":7,"hand":5,"deck":0},` +
	`"zones":{"right":[{"card":"zombie","copy":1,"state":["face-down"],"counters":{"power":3},"keywords":["sneaky"],` +
	`"under":[{"card":"zombie","copy":2}],"attached":[{"card":null}]}],"left":[]}},` +
	`{"id":"blue","name":"","colour":"","state":["last-turn"],"counters":{"hand":1},"zones":{}}],` +
	`"zones":{"row":[{"card":"b"},{"card":"a"}]},"counters":{"z":1,"a":2},` +
	`"tracks":[{"id":"power","first":1,"last":12,"areas":[{"id":"top","from":12,"to":12}],"stacks":{"10":["table"],"9":["blue","red"]}}],` +
	`"dice":[{"id":"red-1","seat":"red","kind":"kot","face":null},{"id":"red-2","seat":"red","kind":"kot","face":"growth-2","state":"kept"}],` +
	`"prompts":[{"seat":"red","key":"block","args":{},"text":"","options":[{"key":"yes","text":"","input":"red key yes"},` +
	`{"key":"card","text":"","input":"red tap","zone":"red/hand"}],"roll":{"kind":"kot","n":2,"faces":["growth-1"]}}],` +
	`"winners":[],"notices":["stand-in-board"],"labels":null}`

func TestViewJSON(t *testing.T) {
	v := fullView()
	data, err := json.Marshal(v)
	if err != nil || string(data) != fullViewJSON {
		t.Fatalf("%v\n%s\nwant\n%s", err, data, fullViewJSON)
	}
	var back View
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(back)
	if string(again) != fullViewJSON {
		t.Errorf("comes back as\n%s", again)
	}
}

func TestEmptyView(t *testing.T) {
	data, _ := json.Marshal(EmptyView(Prompt{Seat: Table, Key: "begin"}))
	for _, part := range []string{`"match":null`, `"game":null`, `"seats":[]`, `"zones":{}`, `"counters":{}`,
		`"tracks":[]`, `"dice":[]`,
		`"winners":[]`, `"notices":[]`, `"options":[]`, `"args":{}`, `"roll":null`} {
		if !strings.Contains(string(data), part) {
			t.Errorf("%s lacks %s", data, part)
		}
	}
}

func TestOrderedJSON(t *testing.T) {
	for text, want := range map[string]Counters{
		`{}`:                   nil,
		`null`:                 nil,
		`{"b":1,"a":2,"c":-3}`: {{"b", 1}, {"a", 2}, {"c", -3}},
	} {
		got := Counters{{"old", 1}}
		if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{`[1]`, `7`, `"a"`, `{"a":"b"}`} {
		var c Counters
		if err := json.Unmarshal([]byte(text), &c); err == nil {
			t.Errorf("%s is read as %v", text, c)
		}
	}
	var z Zones
	if err := json.Unmarshal([]byte(`{"b":[{"card":null}],"a":[]}`), &z); err != nil || z[0].Name != "b" ||
		z[0].Cards[0].ID() != "" || z.Get("a") == nil || z.Get("x") != nil {
		t.Errorf("%v, %v", z, err)
	}
	for s, ok := range map[string]bool{`null`: true, `"x"`: true, `1`: false} {
		var n Null
		if err := json.Unmarshal([]byte(s), &n); (err == nil) != ok {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestHash(t *testing.T) {
	v := fullView()
	was := v.Hash()
	v.Table, v.Title, v.Labels = "kitchen", "Pen", map[string]string{"a": "b"}
	if v.Hash() != was {
		t.Error("the hash depends on the table or its language")
	}
	v.Prompts[0].May = true
	if v.Hash() != was {
		t.Error("the hash depends on who has to answer")
	}
	v.Seats[0].Counters[0].Value++
	if v.Hash() == was {
		t.Error("the hash does not depend on a counter")
	}
}

func TestColours(t *testing.T) {
	seen := map[string]bool{}
	for i := range 8 {
		seen[Colour("north", i)] = true
	}
	if len(seen) != 8 || Colour("red", 5) != "#d7263d" {
		t.Errorf("%d colours for 8 seats, red is %s", len(seen), Colour("red", 5))
	}
}

func TestTitle(t *testing.T) {
	for name, want := range map[string][2]string{
		"mutants/second-edition": {"mutants", "second-edition"}, "tally": {"tally", ""}, "": {"", ""},
	} {
		if got := [2]string{Title(name), Edition(name)}; got != want {
			t.Errorf("%q: got title and edition %q, want %q", name, got, want)
		}
	}
}
