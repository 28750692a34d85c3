package mqtt

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"tableside/engine"
)

// haPrefix is where Home Assistant looks for devices and tells of its own
// birth, unless its owner configured another.
const haPrefix = "homeassistant"

// haBirth is the topic on which Home Assistant says that it has started.
const haBirth = haPrefix + "/status"

// Announced are the components that Home Assistant was told of, and the
// platform of each.
type Announced map[string]string

// maxAnnounced bounds what is believed of a retained announcement.
const maxAnnounced = 1000

// ParseAnnounced reads the components of an announcement; of anything else it
// makes none.
func ParseAnnounced(payload []byte) Announced {
	var found struct {
		Components map[string]struct {
			Platform string `json:"p"`
		} `json:"cmps"`
	}
	if json.Unmarshal(payload, &found) != nil || len(found.Components) > maxAnnounced {
		return nil
	}
	announced := Announced{}
	for name, c := range found.Components {
		if c.Platform != "" {
			announced[name] = c.Platform
		}
	}
	return announced
}

// deviceID names the table to Home Assistant: letters, digits, _ and -.
func deviceID(table string) string { return "tableside_" + slug(table) }

func slug(name string) string {
	if name == "" {
		return "_"
	}
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '_'
	}, name)
}

func discoveryTopic(table string) string {
	return haPrefix + "/device/" + deviceID(table) + "/config"
}

// Discovery announces the table to Home Assistant as one device: the numbers
// of every seat, whose turn it is, the round, the phase, the events, and keys
// to press. Components in gone that are no more are announced as removed.
//
// https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
func Discovery(f engine.Frame, version string, gone Announced) Message {
	d := describer{frame: f, words: Words(), id: deviceID(f.View.Table), prefix: Prefix(f.View.Table), all: map[string]component{}}
	d.table()
	d.counters()
	d.health()
	for name, platform := range gone {
		if d.all[name] == nil {
			d.all[name] = component{"p": platform} // a bare platform removes the component
		}
	}
	device := map[string]any{
		"ids": []string{d.id}, "mf": "Tableside", "mdl": "Tableside",
		"name": d.say("mqtt.device", "table", f.View.Table),
	}
	origin := map[string]any{"name": "tableside"}
	if version != "" {
		device["sw"], origin["sw"] = version, version
	}
	return Message{Topic: discoveryTopic(f.View.Table), Retain: true, Payload: encode(map[string]any{
		"dev": device, "o": origin, "cmps": d.all, "qos": 1,
	})}
}

// facts are all that a frame puts into its announcement, so that another
// frame with the same facts needs no other one.
func facts(f engine.Frame) string {
	b := make([]byte, 0, 512)
	add := func(s string) { b = append(append(b, s...), 0) }
	add(string(f.Lang))
	add(f.View.Table)
	add(string(f.View.Game)) // its words hold the events
	counters := func(all engine.Counters) {
		for _, c := range all {
			add(c.Name)
			add(f.View.Labels["counter."+c.Name])
		}
		add("")
	}
	for _, s := range f.View.Seats {
		add(string(s.ID))
		add(s.Name)
		counters(s.Counters)
	}
	add(f.View.Labels["seat.table"])
	counters(f.View.Counters)
	for _, p := range f.Status.Health {
		add(p.Name)
	}
	return string(b)
}

// A component is one entity of Home Assistant, as its platform wants it.
type component map[string]any

// A describer writes the components of one frame.
type describer struct {
	frame      engine.Frame
	words      engine.Words
	id, prefix string
	all        map[string]component
}

func (d *describer) say(key string, pairs ...any) string {
	return d.words.Say(d.frame.Lang, engine.T(key, pairs...), nil)
}

// label is a word of the game, or the key's last part where it has none.
func (d *describer) label(kind, name string) string {
	if label := d.frame.View.Labels[kind+"."+name]; label != "" {
		return label
	}
	return name
}

// add completes a component that is available while the table is.
func (d *describer) add(platform, key, name string, c component) {
	unique := d.id + "_" + slug(key)
	c["p"], c["name"] = platform, name
	c["unique_id"], c["default_entity_id"] = unique, platform+"."+unique
	if key != "status" {
		c["availability_topic"] = d.prefix + "/status"
	}
	d.all[slug(key)] = c
}

func (d *describer) table() {
	// Its state is its availability: with an availability of its own it would
	// never be seen to be off.
	d.add("binary_sensor", "status", d.say("mqtt.status"), component{
		"state_topic": d.prefix + "/status", "payload_on": online, "payload_off": offline,
		"device_class": "connectivity", "entity_category": "diagnostic",
	})
	for _, s := range tableSensors {
		if s.key == "dice" && !d.has("face.") {
			continue
		}
		c := component{"state_topic": d.prefix + "/state", "value_template": s.template, "icon": s.icon}
		if s.attributes != "" {
			c["json_attributes_topic"], c["json_attributes_template"] = d.prefix+"/state", s.attributes
		}
		d.add("sensor", s.key, d.say("mqtt."+s.key), c)
	}
	if types := eventTypes(d.frame); len(types) > 0 {
		d.add("event", "event", d.say("mqtt.event"), component{
			"state_topic": d.prefix + "/event/+", "event_types": types, "icon": "mdi:bell-outline",
		})
	}
	for _, b := range tableButtons {
		if b.key == "roll" && !d.has("face.") {
			continue
		}
		d.add("button", b.key, d.say("mqtt."+b.key), component{
			"command_topic": d.prefix + "/input", "payload_press": b.input, "icon": b.icon,
		})
	}
}

// has reports whether the game has words for something, as "face." for dice.
func (d *describer) has(words string) bool {
	for key := range d.frame.Words {
		if strings.HasPrefix(key, words) {
			return true
		}
	}
	return false
}

// eventTypes are all events that the game and the table can say.
func eventTypes(f engine.Frame) []string {
	var types []string
	for key := range f.Words {
		if name, ok := strings.CutPrefix(key, "event."); ok {
			types = append(types, name)
		}
	}
	slices.Sort(types)
	return types
}

func (d *describer) counters() {
	for _, s := range d.frame.View.Seats {
		name := cmp.Or(s.Name, d.frame.View.Labels["seat."+string(s.ID)], string(s.ID))
		for _, c := range s.Counters {
			d.counter(s.ID, c.Name, d.say("mqtt.counter", "seat", name, "counter", d.label("counter", c.Name)))
		}
	}
	boss := d.frame.View.Labels["seat.table"] // where the table plays too
	for _, c := range d.frame.View.Counters {
		name := d.label("counter", c.Name)
		if boss != "" {
			name = d.say("mqtt.counter", "seat", boss, "counter", name)
		}
		d.counter(engine.Table, c.Name, name)
	}
}

func (d *describer) counter(seat engine.Seat, counter, name string) {
	d.add("sensor", "seat_"+string(seat)+"_"+counter, name, component{
		"state_topic": d.prefix + counterTopic(seat, counter), "state_class": "measurement", "icon": icon(counter),
	})
}

func (d *describer) health() {
	for _, p := range d.frame.Status.Health {
		topic := d.prefix + "/health/" + level(p.Name)
		d.add("sensor", "health_"+p.Name, d.say("mqtt.health", "part", p.Name), component{
			"state_topic": topic, "json_attributes_topic": topic + "/details",
			"value_template": "{{ value.split(':')[0] }}",
			"device_class":   "enum", "options": []engine.Health{engine.OK, engine.Degraded, engine.Broken},
			"entity_category": "diagnostic",
		})
	}
}

// merge adds what else was announced.
func (a Announced) merge(more Announced) {
	if len(a)+len(more) <= maxAnnounced {
		maps.Copy(a, more)
	}
}
