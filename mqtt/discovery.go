package mqtt

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"tableside/engine"
)

// DefaultDiscovery is the prefix under which Home Assistant looks for devices and announces
// its start. The owner of Home Assistant may configure another prefix.
const DefaultDiscovery = "homeassistant"

// CheckDiscovery returns an error for an invalid prefix. The prefix "" is valid: with it, a
// table announces nothing.
func CheckDiscovery(prefix string) error {
	if strings.ContainsAny(prefix, "+#\x00") || strings.HasPrefix(prefix, "$") || strings.HasSuffix(prefix, "/") ||
		!utf8.ValidString(prefix) {
		return fmt.Errorf("got %q, want a topic such as %s, without + and #", prefix, DefaultDiscovery)
	}
	return nil
}

// A Game is a game that can be begun from Home Assistant.
type Game struct {
	Name               string // "mutants/second-edition"
	Title              string // in the table's language; different for each game
	MinSeats, MaxSeats int
}

// deviceID returns the id of the table in Home Assistant. The id consists of small letters,
// digits and underscores.
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

// birthTopic returns the topic on which Home Assistant announces its start.
func birthTopic(prefix string) string { return prefix + "/status" }

func discoveryTopic(prefix, table string) string {
	return prefix + "/device/" + deviceID(table) + "/config"
}

// Discovery returns the message that announces the table to Home Assistant as one device.
//
// A component that was announced earlier stays announced even if it does not apply now, so
// that no dashboard loses the component. The function entityKeys says which components apply.
// See docs/decisions/0011 for the reason, and for the cases in which a component is removed
// after all.
//
// https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
func Discovery(f engine.Frame, cfg Config, earlier AnnouncedComponents) Message {
	d := describer{frame: f, cfg: cfg, words: engine.Merge(engine.CoreWords(), Words()), id: deviceID(f.View.Table),
		prefix: Prefix(f.View.Table), components: map[string]component{}}
	d.names = d.distinctNames()
	d.table(earlier)
	d.begin()
	d.triggers()
	d.players()
	d.health()
	d.keep(earlier)
	device := map[string]any{
		"ids": []string{d.id}, "mf": "Tableside", "mdl": "Tableside",
		"name": d.say("mqtt.device", "table", f.View.Table),
	}
	origin := map[string]any{"name": "tableside"}
	if cfg.Version != "" {
		device["sw"], origin["sw"] = cfg.Version, cfg.Version
	}
	if cfg.Page != "" {
		// The page shows health and problems, so it is also the place to look for help.
		device["cu"], origin["url"] = cfg.Page, cfg.Page
	}
	return Message{Topic: discoveryTopic(cfg.Discovery, f.View.Table), Retain: true, Payload: encode(map[string]any{
		"dev": device, "o": origin, "cmps": d.components, "qos": qos,
	})}
}

// discoveryKey returns everything in a frame that affects the announcement. Frames with the
// same key have the same announcement.
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

// A component is one entity or trigger of Home Assistant, with the keys of its
// platform.
type component map[string]any

// A describer writes the components of one frame.
type describer struct {
	frame      engine.Frame
	cfg        Config
	words      engine.Words
	names      map[engine.Seat]string
	id, prefix string
	components map[string]component
}

func (d *describer) say(key string, pairs ...any) string {
	return d.words.Say(d.frame.Lang, engine.T(key, pairs...), nil)
}

// distinctNames returns the players' names and makes them distinct. If two players are called
// Alice, the seat is added to both names.
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
	// The second round adds the seat's id too, for a player called "Alice (red)".
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

// seatWord returns the word for a seat in the table's language, else its id.
func (d *describer) seatWord(id engine.Seat) string {
	if key := "seat." + string(id); d.words.Has(key) {
		return d.say(key)
	}
	return string(id)
}
