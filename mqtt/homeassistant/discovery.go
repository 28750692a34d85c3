// Package homeassistant says what Home Assistant needs to know about a table: its announcement as a
// device, and values and moments for automations, all made from frames. It needs no network.
package homeassistant

import (
	"encoding/json"
	"fmt"
	"maps"
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

// Config says what is announced, besides the frame.
type Config struct {
	Discovery string // the prefix of Home Assistant's discovery, usually DefaultDiscovery; "" announces nothing
	Version   string // of the program
	Page      string // "http://192.168.1.5:8080/", without a token; "" if no other machine can reach it
	Panel     bool   // whether there is a picture of a panel
	Chances   bool   // whether the table says who is ahead
	Games     []Game // games that can be begun
}

// A Game is a game that can be begun from Home Assistant.
type Game struct {
	Name               string // "mutants/second-edition"
	Title              string // in the table's language; different for each game
	MinSeats, MaxSeats int
}

// DeviceID returns the id of the table in Home Assistant. The id consists of small letters,
// digits and underscores.
func DeviceID(table string) string { return "tableside_" + slug(table) }

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

// BirthTopic returns the topic on which Home Assistant announces its start.
func BirthTopic(prefix string) string { return prefix + "/status" }

// Topic returns the topic on which a table announces itself, below the prefix of the discovery.
func Topic(prefix, table string) string {
	return prefix + "/device/" + DeviceID(table) + "/config"
}

// Discovery returns the message that announces the table to Home Assistant as one device. All
// topics of the table begin with the given prefix.
//
// A component that was announced earlier stays announced even if it does not apply now, so
// that no dashboard loses the component. The function entityKeys says which components apply.
// See docs/decisions/0011 for the reason, and for the cases in which a component is removed
// after all.
//
// https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
func Discovery(prefix string, f engine.Frame, cfg Config, earlier AnnouncedComponents) []byte {
	d := describer{frame: f, cfg: cfg, words: engine.Merge(engine.CoreWords(), catalogue()), id: DeviceID(f.View.Table),
		prefix: prefix, components: map[string]component{}}
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
	payload, _ := json.Marshal(map[string]any{ // it holds nothing that cannot be encoded
		"dev": device, "o": origin, "cmps": d.components, "qos": 1,
	})
	return payload
}

// discoveryKey returns everything in a frame that affects the announcement. Frames with the
// same key have the same announcement.
func discoveryKey(f engine.Frame) string {
	v, b := &f.View, new(strings.Builder)
	counters := func(all engine.Counters) {
		for _, c := range all {
			fmt.Fprintf(b, " %q %q", c.Name, v.Labels["counter."+c.Name])
		}
	}
	// The words of the game hold the events.
	fmt.Fprintf(b, "%q %q %q %t %q", f.Lang, v.Table, v.Game, v.Match == "", v.Labels["seat.table"])
	counters(v.Counters)
	for _, s := range v.Seats {
		fmt.Fprintf(b, "\n%q %q", s.ID, s.Name)
		counters(s.Counters)
	}
	for _, p := range f.Status.Health {
		fmt.Fprintf(b, "\n%q", p.Name)
	}
	return b.String()
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

func (d *describer) seatWord(id engine.Seat) string {
	if key := "seat." + string(id); d.words.Has(key) {
		return d.say(key)
	}
	return string(id)
}
