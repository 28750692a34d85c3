package hatest

import (
	"strings"
	"testing"
)

const topicOfDemo = "homeassistant/device/tableside_demo/config"

// demo is a valid announcement.
const demo = `{"dev":{"ids":["tableside_demo"],"cu":"http://table.local/"},"o":{"name":"tableside"},"qos":1,"cmps":{
"turn":{"p":"sensor","name":"Turn","unique_id":"demo_turn","state_topic":"t/summary","value_template":"{{ value_json.turn.state }}",
 "availability":[{"topic":"t/status"},{"topic":"t/entities","value_template":"{{ 'online' if 'turn' in value_json else 'offline' }}"}],"availability_mode":"all"},
"yes":{"p":"button","name":"Yes","unique_id":"demo_yes","command_topic":"t/input","availability_topic":"t/status"},
"panel":{"p":"image","name":"Panel","unique_id":"demo_panel","image_topic":"t/panel","content_type":"image/png"},
"won":{"p":"device_automation","automation_type":"trigger","topic":"t/won","type":"won","subtype":"match"},
"gone":{"p":"event"}}}`

// TestMistakes checks that everything that Home Assistant would reject or
// silently drop is an error.
func TestMistakes(t *testing.T) {
	if _, err := Components("homeassistant", topicOfDemo, []byte(demo)); err != nil {
		t.Fatal(err)
	}
	for before, after := range map[string]string{
		`"ids":["tableside_demo"]`:      `"name":"x"`,
		`http://table.local/`:           `table.local`,
		`"o":{"name":"tableside"}`:      `"o":{}`,
		`"qos":1`:                       `"qos":7`,
		`"qos":1,`:                      `"qoss":1,`,
		`"p":"sensor"`:                  `"p":"sensors"`,
		`"unique_id":"demo_turn",`:      ``,
		`demo_yes`:                      `demo_turn`,
		`"state_topic":"t/summary",`:    ``,
		`"t/summary"`:                   `"t/#/summary"`,
		`"t/input"`:                     `"t/+"`,
		`"name":"Turn"`:                 `"name":""`,
		`value_json.turn.state`:         `value_json.turn.items`,
		`{{ value_json.turn.state }}`:   `{% if value %}`,
		`"t/entities"`:                  `"t/status"`,
		`"availability_mode":"all"`:     `"availability_mode":"every"`,
		`"availability_mode":"all"`[1:]: `availability_topic":"t/status"`,
		`"image_topic":"t/panel",`:      ``,
		`"content_type":"image/png"`:    `"url_topic":"t/url"`,
		`"automation_type":"trigger",`:  ``,
		`"subtype":"match"`:             `"subtype":"match","icon":"mdi:heart"`,
		`"gone":{"p":"event"}`:          `"gone":{"p":"event","name":"x"}`,
	} {
		if _, err := Components("homeassistant", topicOfDemo, []byte(strings.Replace(demo, before, after, 1))); err == nil {
			t.Errorf("%s for %s: got no error", after, before)
		}
	}
	if _, err := Components("homeassistant", "homeassistant/device/küche/config", []byte(demo)); err == nil {
		t.Error("a topic with forbidden letters: got no error")
	}
}

// TestHome checks that a Home follows states and availability, and reports errors
// in them.
func TestHome(t *testing.T) {
	h := New("homeassistant")
	h.Hear("t/status", []byte("online"), true)
	h.Hear("t/summary", []byte(`{"turn":{"state":"red"}}`), true)
	h.Hear(topicOfDemo, []byte(demo), true)
	turn := h.Entities["turn"]
	if turn.State != "red" || turn.Available() || !h.Entities["yes"].Available() {
		t.Errorf("%+v", turn)
	}
	h.Hear("t/entities", []byte(`["turn"]`), true)
	h.Hear("t/summary", []byte(`{"turn":{"state":null}}`), true)
	if turn.State != Unknown || !turn.Available() {
		t.Errorf("%+v", turn)
	}
	h.Hear("t/won", []byte(`{}`), false)
	if len(h.Fired) != 1 || len(h.Errors) != 0 {
		t.Errorf("fired %v, wrong %v", h.Fired, h.Errors)
	}
	for _, c := range [][2]string{
		{"t/summary", `{"turn":{"state":""}}`}, {"t/summary", `{"turn":{}}`},
		{"t/summary", `{"turn":{"state":"` + strings.Repeat("é", 256) + `"}}`},
		{"t/summary", `{"turn":{"state":{}}}`}, {"t/summary", "red"}, {"t/entities", "{}"}, {"t/won", "{}"},
	} {
		h.Errors = nil
		h.Hear(c[0], []byte(c[1]), true)
		if len(h.Errors) != 1 {
			t.Errorf("%s %.40s: %v", c[0], c[1], h.Errors)
		}
	}
	h.Hear(topicOfDemo, []byte(`{"dev":{"ids":["x"]},"o":{"name":"x"},"cmps":{"turn":{"p":"sensor"}}}`), true)
	if h.Entities["turn"] != nil || len(h.Removed) != 1 {
		t.Errorf("removed %v", h.Removed)
	}
}
