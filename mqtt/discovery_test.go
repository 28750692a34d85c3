package mqtt

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tableside/engine"
)

func TestDiscovery(t *testing.T) {
	for _, lang := range engine.Languages {
		m := Discovery(testFrame(t, lang, 7), "1.2.3", nil)
		if m.Topic != "homeassistant/device/tableside_demo/config" || !m.Retain {
			t.Errorf("%s, retained %v", m.Topic, m.Retain)
		}
		var b bytes.Buffer
		if err := json.Indent(&b, m.Payload, "", "  "); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
		golden(t, "discovery-"+string(lang)+".json", b.Bytes())
	}
}

// demanded are the fields without which Home Assistant leaves an entity out:
// https://www.home-assistant.io/integrations/sensor.mqtt/ and so on.
var demanded = map[string][]string{
	"sensor": {"state_topic"}, "binary_sensor": {"state_topic"}, "event": {"state_topic", "event_types"}, "button": {"command_topic"},
}

// Only a game with dice has entities for them.
func TestDiscoveryOfDice(t *testing.T) {
	f := testFrame(t, engine.French, 7)
	without := ParseAnnounced(Discovery(f, "", nil).Payload)
	f.Words = engine.Merge(f.Words, engine.MustWords("dice", "[face.growth-1]\nen = growth 1\nfr = croissance 1\n"))
	with := ParseAnnounced(Discovery(f, "", nil).Payload)
	if len(with) != len(without)+2 || with["dice"] != "sensor" || with["roll"] != "button" {
		t.Errorf("without dice %v, with dice %v", without, with)
	}
}

// The numbers of a table that plays bear its name.
func TestDiscoveryOfABoss(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	before := facts(f)
	f.View.Labels["seat.table"] = "Jack Ice"
	if facts(f) == before {
		t.Error("another boss is no news")
	}
	if m := Discovery(f, "", nil); !bytes.Contains(m.Payload, []byte(`"name":"Jack Ice: pot"`)) {
		t.Errorf("%s", m.Payload)
	}
}

// What Home Assistant demands of a device announcement.
func TestDiscoveryIsComplete(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	f.View.Table = "Küche/2 "
	m := Discovery(f, "", nil)
	if !regexp.MustCompile(`^homeassistant/device/[a-zA-Z0-9_-]+/config$`).MatchString(m.Topic) {
		t.Errorf("topic %q", m.Topic)
	}
	var d struct {
		Dev  struct{ Ids []string }
		O    struct{ Name string }
		Cmps map[string]map[string]any
	}
	if err := json.Unmarshal(m.Payload, &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Dev.Ids) != 1 || d.O.Name == "" || len(d.Cmps) < 10 {
		t.Errorf("%+v", d)
	}
	seen := map[string]bool{}
	for key, c := range d.Cmps {
		text := func(name string) string { s, _ := c[name].(string); return s }
		if text("p") == "" || text("name") == "" || !strings.HasPrefix(text("default_entity_id"), text("p")+".") {
			t.Errorf("%s lacks p, name or default_entity_id: %v", key, c)
		}
		for _, key := range demanded[text("p")] {
			if c[key] == nil {
				t.Errorf("%s lacks %s: %v", text("unique_id"), key, c)
			}
		}
		if icon := text("icon"); icon != "" && !strings.HasPrefix(icon, "mdi:") {
			t.Errorf("%s has the icon %q", key, icon)
		}
		if c["object_id"] != nil {
			t.Errorf("%s has the object_id that default_entity_id replaced", key)
		}
		if seen[text("unique_id")] || text("unique_id") == "" {
			t.Errorf("%s: unique_id %q is missing or there twice", key, text("unique_id"))
		}
		seen[text("unique_id")] = true
		if (text("availability_topic") == "") != (key == "status") {
			t.Errorf("%s: availability %q", key, text("availability_topic"))
		}
	}
	if types, _ := d.Cmps["event"]["event_types"].([]any); !slices.Contains(types, any("moved")) || !slices.Contains(types, any("undo")) {
		t.Errorf("event types %v", types)
	}
}

func TestDiscoveryRemoves(t *testing.T) {
	f := testFrame(t, engine.English, 7)
	told := ParseAnnounced(Discovery(f, "", nil).Payload)
	f.View.Seats = f.View.Seats[:1]
	m := Discovery(f, "", told)
	if !bytes.Contains(m.Payload, []byte(`"seat_blue_score":{"p":"sensor"}`)) {
		t.Errorf("blue is not removed: %s", m.Payload)
	}
	if bytes.Contains(m.Payload, []byte(`"seat_red_score":{"p":"sensor"}`)) {
		t.Error("red is removed")
	}
}

func TestParseAnnouncedHostile(t *testing.T) {
	for _, payload := range []string{"", "no", "[]", `{"cmps":7}`, `{"cmps":{"a":[]}}`, `{"cmps":` + strings.Repeat("[", 1<<16)} {
		if got := ParseAnnounced([]byte(payload)); len(got) != 0 {
			t.Errorf("%.20q: %v", payload, got)
		}
	}
}
