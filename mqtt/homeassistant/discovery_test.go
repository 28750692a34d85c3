package homeassistant

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
	"tableside/engine/enginetest"
)

func homeConfig() Config {
	return Config{Discovery: DefaultDiscovery, Version: "1.2.3", Page: "http://192.168.1.5:8080/", Panel: true,
		Games: []Game{
			{"race/first", "The Race", 2, 4}, {"race/second", "The Race, again", 1, 1},
		}}
}

func TestDiscovery(t *testing.T) {
	for _, lang := range engine.Languages {
		var b bytes.Buffer
		if err := json.Indent(&b, Discovery(demo, testFrame(t, lang, 7), homeConfig(), nil), "", "  "); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
		enginetest.Golden(t, "testdata/discovery-"+string(lang)+".json", b.String())
	}
}

// announced returns the announcement of a frame after an earlier one.
func announced(f engine.Frame, earlier AnnouncedComponents) AnnouncedComponents {
	return ParseAnnounced(Discovery(demo, f, homeConfig(), earlier))
}

// emptyTable returns the frame after a match was abandoned.
func emptyTable(f engine.Frame) engine.Frame {
	v := engine.EmptyView()
	v.Table = f.View.Table
	f.View, f.Words, f.Events = v, engine.CoreWords(), nil
	return f
}

// TestDiscoveryOfDice checks that only a game with dice has entities for them.
func TestDiscoveryOfDice(t *testing.T) {
	f := testFrame(t, engine.French, 7)
	without := announced(f, nil)
	f.Words = engine.Merge(f.Words, engine.MustWords("dice", "[face.growth-1]\nen = growth 1\nfr = croissance 1\n"))
	with := announced(f, nil)
	if len(with) != len(without)+4 || with["dice"].Platform != "sensor" || with["roll"].Platform != "button" ||
		with["seat_red_key_roll"].Press != "red key roll" {
		t.Errorf("without dice %v, with dice %v", without, with)
	}
	if without["roll"].Platform != "" || slices.Contains(Entities(testFrame(t, engine.English, 7)), "roll") ||
		!slices.Contains(Entities(f), "roll") {
		t.Error("got dice for a game without any, or none for a game with dice")
	}
}

// TestDiscoveryOfABoss checks that the counters of a table that plays have its name.
func TestDiscoveryOfABoss(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	before := discoveryKey(f)
	f.View.Labels["seat.table"] = "Jack Ice"
	if discoveryKey(f) == before {
		t.Error("another boss does not change the announcement")
	}
	if got := announced(f, nil)["seat_table_pot"].Name; got != "Jack Ice: pot" {
		t.Errorf("%q", got)
	}
}

// TestDiscoveryOfNamesakes checks that two players of the same name get
// different entity names, even if a third already has such a name.
func TestDiscoveryOfNamesakes(t *testing.T) {
	for lang, want := range map[engine.Lang]string{engine.English: "Alice (blue): score",
		engine.French: "Alice (bleu)\u00a0: score"} {
		f := testFrame(t, lang, 7)
		f.View.Seats = append(f.View.Seats, engine.SeatView{ID: "green", Name: want[:len("Alice (blue)")],
			Counters: engine.Counters{{Name: "score"}}})
		f.View.Seats[1].Name = "alice "
		seen := map[string]string{}
		for key, c := range announced(f, nil) {
			if c.Name == "" {
				continue
			}
			if other := seen[c.Name]; other != "" {
				t.Errorf("%s and %s are both called %q", key, other, c.Name)
			}
			seen[c.Name] = key
		}
		f.View.Seats[1].Name, f.View.Seats[2].Name = "Alice", "Max"
		if got := announced(f, nil)["seat_blue_score"].Name; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A table's name may have letters that are not allowed in ids.
func TestDiscoveryOfAnOddTable(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	f.View.Table = "Küche/2 "
	if topic := Topic(DefaultDiscovery, f.View.Table); topic != "homeassistant/device/tableside_k_che_2_/config" {
		t.Error(topic)
	}
	checkDiscovery(t, Discovery("tableside/Küche-2-", f, homeConfig(), nil))
}

// Between matches no entity is removed or renamed; those that do not apply are
// unavailable.
func TestDiscoveryBetweenMatches(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	playing := Discovery(demo, f, homeConfig(), nil)
	earlier := ParseAnnounced(playing)
	empty := emptyTable(f)
	if got := Discovery(demo, empty, homeConfig(), earlier); string(got) != string(playing) {
		t.Errorf("the empty table announces\n%s\nafter\n%s", got, playing)
	}
	if got := Entities(empty); !slices.Equal(got, []string{"begin"}) {
		t.Errorf("available on the empty table: %v", got)
	}

	// Another game, without blue and with other counters.
	f.View.Match, f.View.Game = "2026-11-20T21-00-00Z", "race/second"
	f.View.Seats = []engine.SeatView{{ID: "red", Name: "Zoé", Counters: engine.Counters{{Name: "life", Value: 3}}}}
	f.View.Counters = nil
	m := Discovery(demo, f, homeConfig(), earlier)
	checkDiscovery(t, m)
	next := ParseAnnounced(m)
	for key, name := range map[string]string{
		"seat_red_life": "Zoé: life points", "seat_red_score": "Zoé: score", "seat_red_key_yes": "Zoé: Yes",
		"seat_blue_score": "Blue: score", "seat_blue_key_no": "Blue: No", "seat_table_pot": "pot",
	} {
		if next[key].Name != name {
			t.Errorf("%s is called %q, want %q", key, next[key].Name, name)
		}
	}
	for key, c := range earlier {
		if next[key].Platform != c.Platform || (c.Name != "" && next[key].Name == "") {
			t.Errorf("%s is removed: %+v", key, next[key])
		}
	}
	if keys := Entities(f); !slices.Contains(keys, "seat_red_life") || slices.Contains(keys, "seat_red_score") ||
		slices.Contains(keys, "seat_blue_key_no") {
		t.Errorf("available are %v", keys)
	}
	if got := Discovery(demo, f, homeConfig(), next); string(got) != string(Discovery(demo, f, homeConfig(), earlier)) {
		t.Error("the second announcement of the same frame differs")
	}
}

// TestDiscoveryRemoves checks that components that this version does not
// announce are removed, and that those of an earlier version are updated.
func TestDiscoveryRemoves(t *testing.T) {
	f := emptyTable(testFrame(t, engine.English, 7))
	f.Status.Health = append(f.Status.Health, engine.Part{Name: "broker", Health: engine.OK})
	earlier := ParseAnnounced([]byte(`{"cmps":{
		"health_broker":{"p":"sensor","name":"Health: broker","state_topic":"tableside/demo/health/broker"},
		"health_strip":{"p":"sensor","name":"Health: strip","state_topic":"tableside/demo/health/strip"},
		"seat_red_score":{"p":"sensor","name":"Alice: score","state_topic":"tableside/demo/seat/red/score","state_class":"measurement"},
		"seat_red_life":{"p":"sensor","name":"foreign","state_topic":"elsewhere/demo/seat/red/life"},
		"seat___life":{"p":"sensor","name":"x","state_topic":"tableside/demo/seat/+/life"},
		"seat_red_key_fly":{"p":"button","name":"fly","payload_press":"red key fly"},
		"gone":{"p":"button"}}}`))
	m := Discovery(demo, f, homeConfig(), earlier)
	all := checkDiscovery(t, m)
	for _, key := range []string{"health_broker", "seat_red_life", "seat_red_key_fly", "seat___life", "gone"} {
		if len(all[key]) != 1 {
			t.Errorf("%s is not removed: %v", key, all[key])
		}
	}
	if c := all["seat_red_score"]; c["name"] != "Alice: score" || c["availability"] == nil {
		t.Errorf("red's score keeps its old form: %v", c)
	}
	if len(all["health_strip"]) < 5 {
		t.Errorf("an existing part: %v", all["health_strip"])
	}
}

// TestDiscoveryForgets checks that the number of remembered components is limited.
func TestDiscoveryForgets(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	earlier := AnnouncedComponents{}
	for _, a := range "abcdefghijklmnopqrst" {
		for _, b := range "abcdefghijklmnopqrst" {
			counter := string([]rune{a, b})
			earlier[slug(counterKey("green", counter))] = KnownComponent{Platform: "sensor", Name: "x",
				Topic: demo + "/seat/green/" + counter}
		}
	}
	all := checkDiscovery(t, Discovery(demo, f, homeConfig(), earlier))
	if len(all["seat_green_aa"]) != 1 || len(all["seat_red_score"]) < 5 {
		t.Errorf("%v, %v", all["seat_green_aa"], all["seat_red_score"])
	}
}

func TestParseAnnouncedHostile(t *testing.T) {
	for _, payload := range []string{"", "no", "[]", `{"cmps":7}`, `{"cmps":{"a":[]}}`,
		`{"cmps":` + strings.Repeat("[", 1<<16)} {
		if got := ParseAnnounced([]byte(payload)); len(got) != 0 {
			t.Errorf("%.20q: %v", payload, got)
		}
	}
}
