package mqtt

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tableside/engine"
)

// DefaultDiscovery is where Home Assistant looks for devices and says that it
// has started, unless its owner configured another prefix.
const DefaultDiscovery = "homeassistant"

// CheckDiscovery reports why a prefix cannot be one. "" can: it announces
// nothing.
func CheckDiscovery(prefix string) error {
	if strings.ContainsAny(prefix, "+#\x00") || strings.HasPrefix(prefix, "$") || strings.HasSuffix(prefix, "/") || !utf8.ValidString(prefix) {
		return fmt.Errorf("got %q, want a topic such as %s, without + and #", prefix, DefaultDiscovery)
	}
	return nil
}

// A Game can be begun from Home Assistant.
type Game struct {
	Name               string // "mutants/second-edition"
	Title              string // in the table's language, unlike that of any other game
	MinSeats, MaxSeats int
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

func discoveryTopic(prefix, table string) string {
	return prefix + "/device/" + deviceID(table) + "/config"
}

// Discovery announces the table to Home Assistant as one device. What was
// announced before and does not apply now stays, so that nobody's dashboard
// loses it; entityKeys says what applies. docs/decisions/0011 says why, and
// when something is removed after all.
//
// https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
func Discovery(f engine.Frame, cfg Config, told Announced) Message {
	d := describer{frame: f, cfg: cfg, words: engine.Merge(engine.CoreWords(), Words()), id: deviceID(f.View.Table), prefix: Prefix(f.View.Table), all: map[string]component{}}
	d.names = d.distinctNames()
	d.table(told)
	d.begin()
	d.triggers()
	d.players()
	d.health()
	d.keep(told)
	device := map[string]any{
		"ids": []string{d.id}, "mf": "Tableside", "mdl": "Tableside",
		"name": d.say("mqtt.device", "table", f.View.Table),
	}
	origin := map[string]any{"name": "tableside"}
	if cfg.Version != "" {
		device["sw"], origin["sw"] = cfg.Version, cfg.Version
	}
	if cfg.Page != "" {
		// Health and what is wrong stand on the page, so it is also where to
		// look for help.
		device["cu"], origin["url"] = cfg.Page, cfg.Page
	}
	return Message{Topic: discoveryTopic(cfg.Discovery, f.View.Table), Retain: true, Payload: encode(map[string]any{
		"dev": device, "o": origin, "cmps": d.all, "qos": qos,
	})}
}

// discoveryKey returns all that a frame puts into its announcement, so that
// another frame with the same key needs no other one.
func discoveryKey(f engine.Frame) string {
	b := make([]byte, 0, 512)
	add := func(s string) { b = append(append(b, s...), 0) }
	add(string(f.Lang))
	add(f.View.Table)
	add(string(f.View.Game)) // its words hold the events
	add(strconv.FormatBool(f.View.Match == ""))
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

// A component is one entity or trigger of Home Assistant, as its platform
// wants it.
type component map[string]any

// A describer writes the components of one frame.
type describer struct {
	frame      engine.Frame
	cfg        Config
	words      engine.Words
	names      map[engine.Seat]string
	id, prefix string
	all        map[string]component
}

func (d *describer) say(key string, pairs ...any) string {
	return d.words.Say(d.frame.Lang, engine.T(key, pairs...), nil)
}

// distinctNames returns what the players are called, each unlike the others:
// of two called Alice each is named with her seat.
func (d *describer) distinctNames() map[engine.Seat]string {
	names := map[engine.Seat]string{}
	for _, s := range d.frame.View.Seats {
		names[s.ID] = playerName(d.frame, s.ID)
	}
	shared := func(name string) bool {
		n := 0
		for _, other := range names {
			if strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name)) {
				n++
			}
		}
		return n > 1
	}
	// Once more with the id, for one who is called "Alice (red)".
	for _, called := range []func(engine.Seat) string{d.seatWord, func(id engine.Seat) string { return string(id) }} {
		apart := maps.Clone(names)
		for id, name := range names {
			if shared(name) {
				apart[id] = d.say("mqtt.namesake", "name", name, "seat", strings.ToLower(called(id)))
			}
		}
		names = apart
	}
	return names
}

// seatWord returns a seat in the table's language.
func (d *describer) seatWord(id engine.Seat) string {
	if key := "seat." + string(id); d.words.Has(key) {
		return d.say(key)
	}
	return string(id)
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

// addSometimes completes a component that is available while entityKeys holds
// its key.
func (d *describer) addSometimes(platform, key, name string, c component) {
	d.add(platform, key, name, c)
	delete(c, "availability_topic")
	c["availability_mode"] = "all"
	c["availability"] = []component{
		{"topic": d.prefix + "/status"},
		{"topic": d.prefix + "/entities", "value_template": "{{ 'online' if '" + slug(key) + "' in value_json else 'offline' }}"},
	}
}

func (d *describer) table(told Announced) {
	// Its state is its availability: with an availability of its own it would
	// never be seen to be off.
	d.add("binary_sensor", "status", d.say("mqtt.status"), component{
		"state_topic": d.prefix + "/status", "payload_on": online, "payload_off": offline,
		"device_class": "connectivity", "entity_category": "diagnostic",
	})
	for _, s := range tableSensors {
		if s.key != "dice" {
			d.add("sensor", s.key, d.say("mqtt."+s.key), d.sensor(s.key, s.icon))
		} else if throwsDice(d.frame) {
			d.dice()
		}
	}
	types := eventTypes(d.frame)
	if known := told["event"]; d.frame.View.Match == "" && len(known.Events) > 0 {
		types = known.Events // those of the last game: nothing happens until the next
	}
	if len(types) > 0 {
		d.add("event", "event", d.say("mqtt.event"), component{
			"state_topic": d.prefix + "/event/+", "event_types": types, "icon": "mdi:bell-outline",
		})
	}
	for _, key := range tableKeys {
		if key != "roll" {
			d.add("button", key, d.say("key."+key), d.press(engine.Table, key))
		} else if throwsDice(d.frame) {
			d.rollButton()
		}
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

// press is a button that presses a key.
func (d *describer) press(seat engine.Seat, key string) component {
	in := engine.Input{Seat: seat, Verb: engine.Key, Args: []string{key}}
	if seat == engine.Table && key == "undo" {
		in = engine.Input{Seat: seat, Verb: engine.Undo}
	}
	return component{"command_topic": d.prefix + "/input", "payload_press": in.Command(), "icon": keyIcons[key]}
}

// throwsDice reports whether the game has dice.
func throwsDice(f engine.Frame) bool {
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

// eventTypes returns all events that the game and the table can say.
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

// begin is what begins a match: which game, and go.
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
		"command_topic": d.prefix + "/match", "command_template": `{"do":"select","setup":{"game":{{ value | tojson }}}}`, "icon": "mdi:cards-playing-outline",
	})
	d.addSometimes("button", "begin", d.say("mqtt.begin"), component{
		"command_topic": d.prefix + "/match", "payload_press": `{"do":"begin"}`, "icon": "mdi:play",
	})
}

func (d *describer) triggers() {
	for _, t := range deviceTriggers {
		d.all["trigger_"+t.name] = component{
			"p": "device_automation", "automation_type": "trigger", "topic": d.prefix + "/trigger/" + t.name, "type": t.kind, "subtype": t.subtype,
		}
	}
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

// seatKeys are the keys that a player has in this game.
func seatKeys(f engine.Frame) []string {
	if throwsDice(f) {
		return engine.Keys
	}
	return slices.DeleteFunc(slices.Clone(engine.Keys), func(key string) bool { return key == "roll" })
}

// label is what the game calls a counter, or the counter's id.
func (d *describer) label(counter string) string {
	return cmp.Or(d.frame.View.Labels["counter."+counter], counter)
}

// ofSeat puts before the name of something whose it is. What belongs to the
// table bears no name, unless the table plays too.
func (d *describer) ofSeat(seat engine.Seat, what string) string {
	name := d.names[seat]
	if seat == engine.Table {
		name = d.frame.View.Labels["seat.table"]
	} else if name == "" {
		name = d.seatWord(seat)
	}
	if name == "" {
		return what
	}
	return d.say("mqtt.counter", "seat", name, "counter", what)
}

func counterKey(seat engine.Seat, counter string) string {
	return "seat_" + string(seat) + "_" + counter
}

func (d *describer) counter(seat engine.Seat, counter, name string) {
	c := component{"state_topic": d.prefix + counterTopic(seat, counter), "icon": icon(counter)}
	if !uncharted[counter] {
		c["state_class"] = "measurement"
	}
	d.addSometimes("sensor", counterKey(seat, counter), name, c)
}

func buttonKey(seat engine.Seat, key string) string { return "seat_" + string(seat) + "_key_" + key }

func (d *describer) seatButton(seat engine.Seat, key, name string) {
	d.addSometimes("button", buttonKey(seat, key), name, d.press(seat, key))
}

// health adds the parts. Of the broker nothing but "ok" could ever be read
// over the broker: the entity status tells whether it is reached.
func (d *describer) health() {
	for _, p := range d.frame.Status.Health {
		if p.Name == PartName {
			continue
		}
		topic := d.prefix + "/health/" + level(p.Name) + "/details"
		d.add("sensor", "health_"+p.Name, d.say("mqtt.health", "part", p.Name), component{
			"state_topic": topic, "json_attributes_topic": topic,
			"value_template": "{{ value_json.health }}",
			"device_class":   "enum", "options": []engine.Health{engine.OK, engine.Degraded, engine.Broken},
			"entity_category": "diagnostic",
		})
	}
}

// entityKeys returns the components that apply to a frame, of those that do
// not always.
func entityKeys(f engine.Frame) []string {
	keys := []string{}
	v := &f.View
	if v.Match == "" || len(v.Winners) > 0 {
		keys = append(keys, "begin")
	}
	if throwsDice(f) {
		keys = append(keys, "dice", "roll")
	}
	for _, s := range v.Seats {
		for _, c := range s.Counters {
			keys = append(keys, slug(counterKey(s.ID, c.Name)))
		}
		for _, key := range seatKeys(f) {
			keys = append(keys, slug(buttonKey(s.ID, key)))
		}
	}
	for _, c := range v.Counters {
		keys = append(keys, slug(counterKey(engine.Table, c.Name)))
	}
	return keys
}
