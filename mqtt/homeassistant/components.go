package homeassistant

import (
	"cmp"
	"slices"
	"strings"

	"tableside/engine"
)

func (d *describer) add(platform, key, name string, c component) {
	unique := d.id + "_" + slug(key)
	c["p"], c["name"] = platform, name
	c["unique_id"], c["default_entity_id"] = unique, platform+"."+unique
	if key != "status" {
		c["availability_topic"] = d.prefix + "/status"
	}
	d.components[slug(key)] = c
}

func (d *describer) addSometimes(platform, key, name string, c component) {
	d.add(platform, key, name, c)
	delete(c, "availability_topic")
	c["availability_mode"] = "all"
	c["availability"] = []component{
		{"topic": d.prefix + "/status"},
		{"topic": d.prefix + "/entities", "value_template": "{{ 'online' if '" + slug(key) +
			"' in value_json else 'offline' }}"},
	}
}

func (d *describer) table(earlier AnnouncedComponents) {
	// The state of this sensor is the availability of the table. If the sensor had an
	// availability of its own, it would never show "off".
	d.add("binary_sensor", "status", d.say("mqtt.status"), component{
		"state_topic": d.prefix + "/status", "payload_on": "online", "payload_off": "offline",
		"device_class": "connectivity", "entity_category": "diagnostic",
	})
	for _, s := range tableSensors {
		d.add("sensor", s.key, d.say("mqtt."+s.key), d.sensor(s.key, s.icon))
	}
	types := eventTypes(d.frame)
	if known := earlier["event"]; d.frame.View.Match == "" && len(known.Events) > 0 {
		types = known.Events // those of the last game: no events come before the next match
	}
	if len(types) > 0 {
		d.add("event", "event", d.say("mqtt.event"), component{
			"state_topic": d.prefix + "/event/+", "event_types": types, "icon": "mdi:bell-outline",
		})
	}
	for _, key := range tableKeys {
		d.add("button", key, d.say("key."+key), d.press(engine.Table, key))
	}
	if d.cfg.Chances {
		d.add("sensor", "ahead", d.say("mqtt.ahead"), d.sensor("ahead", "mdi:chart-donut"))
	}
	if rollsDice(d.frame) {
		d.dice()
		d.rollButton()
	}
	if d.cfg.Panel {
		d.add("image", "panel", d.say("mqtt.panel"), component{
			"image_topic": d.prefix + "/panel", "content_type": "image/png", "icon": "mdi:tablet",
		})
	}
}

func (d *describer) sensor(key, icon string) component {
	entry := "value_json." + key
	return component{
		"state_topic": d.prefix + "/summary", "value_template": "{{ " + entry + ".state }}",
		"json_attributes_topic": d.prefix + "/summary", "json_attributes_template": "{{ " + entry + ".attributes | tojson }}",
		"icon": icon,
	}
}

func (d *describer) dice() {
	d.addSometimes("sensor", "dice", d.say("mqtt.dice"), d.sensor("dice", "mdi:dice-multiple"))
}

func (d *describer) rollButton() {
	d.addSometimes("button", "roll", d.say("mqtt.roll"), d.press(engine.Table, "roll"))
}

func (d *describer) press(seat engine.Seat, key string) component {
	in := engine.Input{Seat: seat, Verb: engine.Key, Args: []string{key}}
	if seat == engine.Table && key == "undo" {
		in = engine.Input{Seat: seat, Verb: engine.Undo}
	}
	return component{"command_topic": d.prefix + "/input", "payload_press": in.Command(), "icon": keyIcons[key]}
}

// rollsDice reports whether there is a match whose game has dice. A game has dice if it has
// words for their faces.
func rollsDice(f engine.Frame) bool {
	if f.View.Match == "" {
		return false
	}
	for key := range f.Words {
		if strings.HasPrefix(key, "face.") {
			return true
		}
	}
	return false
}

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

// begin adds the components that begin a match: a choice of games, and a button.
func (d *describer) begin() {
	var titles []string
	for _, g := range d.cfg.Games {
		titles = append(titles, g.Title)
	}
	if len(titles) == 0 {
		return
	}
	d.add("select", "next_game", d.say("mqtt.next-game"), component{
		"state_topic": d.prefix + "/begin", "value_template": "{{ value_json.title }}", "options": titles,
		"command_topic": d.prefix + "/match", "command_template": `{"do":"select","setup":{"game":{{ value | tojson }}}}`,
		"icon": "mdi:cards-playing-outline",
	})
	d.addSometimes("button", "begin", d.say("mqtt.begin"), component{
		"command_topic": d.prefix + "/match", "payload_press": `{"do":"begin"}`, "icon": "mdi:play",
	})
}

func (d *describer) triggers() {
	for _, t := range deviceTriggers {
		d.components["trigger_"+t.name] = component{
			"p": "device_automation", "automation_type": "trigger", "topic": d.prefix + "/trigger/" + t.name, "type": t.kind,
			"subtype": t.subtype,
		}
	}
	d.components["tag"] = component{"p": "tag", "topic": d.prefix + "/trigger/tag",
		"value_template": "{{ value_json.tag }}"}
}

// players adds the counters and keys of every seat, and the table's counters.
func (d *describer) players() {
	for _, s := range d.frame.View.Seats {
		for _, c := range s.Counters {
			d.counter(s.ID, c.Name, d.ofSeat(s.ID, d.label(c.Name)))
		}
		for _, key := range seatKeys(d.frame) {
			d.seatButton(s.ID, key, d.ofSeat(s.ID, d.say("key."+key)))
		}
	}
	for _, c := range d.frame.View.Counters {
		d.counter(engine.Table, c.Name, d.ofSeat(engine.Table, d.label(c.Name)))
	}
}

func seatKeys(f engine.Frame) []string {
	if rollsDice(f) {
		return engine.Keys
	}
	return slices.DeleteFunc(slices.Clone(engine.Keys), func(key string) bool { return key == "roll" })
}

func (d *describer) label(counter string) string {
	return cmp.Or(d.frame.View.Labels["counter."+counter], counter)
}

// ofSeat returns the name of something that belongs to a seat. This is the player's name,
// followed by the label. For the table it is the label alone, unless the table plays, too.
func (d *describer) ofSeat(seat engine.Seat, label string) string {
	name := d.names[seat]
	if seat == engine.Table {
		name = d.frame.View.Labels["seat.table"]
	} else if name == "" {
		name = d.seatWord(seat)
	}
	if name == "" {
		return label
	}
	return d.say("mqtt.counter", "seat", name, "counter", label)
}

func counterKey(seat engine.Seat, counter string) string {
	return "seat_" + string(seat) + "_" + counter
}

func (d *describer) counter(seat engine.Seat, counter, name string) {
	c := component{"state_topic": d.prefix + "/seat/" + string(seat) + "/" + counter, "icon": icon(counter)}
	if !uncharted[counter] {
		c["state_class"] = "measurement"
	}
	d.addSometimes("sensor", counterKey(seat, counter), name, c)
}

func buttonKey(seat engine.Seat, key string) string { return "seat_" + string(seat) + "_key_" + key }

func (d *describer) seatButton(seat engine.Seat, key, name string) {
	c := d.press(seat, key)
	c["enabled_by_default"] = false // there are many, and few use one
	d.addSometimes("button", buttonKey(seat, key), name, c)
}

// health adds a sensor for each part except the broker. The broker could not deliver the news
// of its own failure. The entity "status" shows whether the table reaches the broker.
func (d *describer) health() {
	for _, p := range d.frame.Status.Health {
		if p.Name == "broker" {
			continue
		}
		topic := d.prefix + "/health/" + p.Name + "/details"
		d.add("sensor", "health_"+p.Name, d.say("mqtt.health", "part", p.Name), component{
			"state_topic": topic, "json_attributes_topic": topic,
			"value_template": "{{ value_json.health }}",
			"device_class":   "enum", "options": []engine.Health{engine.OK, engine.Degraded, engine.Broken},
			"entity_category": "diagnostic",
		})
	}
}

// Entities finds, among the components that addSometimes adds, those that are available
// in this frame. It returns their keys.
func Entities(f engine.Frame) []string {
	keys := []string{}
	v := &f.View
	if v.Match == "" || len(v.Winners) > 0 {
		keys = append(keys, "begin")
	}
	if rollsDice(f) {
		keys = append(keys, "dice", "roll")
	}
	buttons := seatKeys(f)
	for _, s := range v.Seats {
		for _, c := range s.Counters {
			keys = append(keys, slug(counterKey(s.ID, c.Name)))
		}
		for _, key := range buttons {
			keys = append(keys, slug(buttonKey(s.ID, key)))
		}
	}
	for _, c := range v.Counters {
		keys = append(keys, slug(counterKey(engine.Table, c.Name)))
	}
	return keys
}
