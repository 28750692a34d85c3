package homeassistant

import (
	"encoding/json"
	"maps"
	"strings"

	"tableside/engine"
)

// AnnouncedComponents holds the components announced to Home Assistant, by their keys.
type AnnouncedComponents map[string]KnownComponent

// A KnownComponent holds the data needed to announce a component again. A removed component
// has only its platform.
type KnownComponent struct {
	Platform string   `json:"p"`
	Name     string   `json:"name"`
	Topic    string   `json:"state_topic"`
	Press    string   `json:"payload_press"`
	Events   []string `json:"event_types"`
}

const (
	// maxAnnounced is the most components of a retained announcement; one with more is not
	// read.
	maxAnnounced = 1000
	// maxKept limits how many components of earlier matches an announcement keeps. It is
	// enough for all games of this program with four seats. An announcement then stays below
	// 150 KB.
	maxKept = 250
)

// ParseAnnounced reads the components of an announcement. It leaves out components that name
// no platform. If the payload is not an announcement, or has more than maxAnnounced
// components, ParseAnnounced returns nil.
func ParseAnnounced(payload []byte) AnnouncedComponents {
	var found struct {
		Components AnnouncedComponents `json:"cmps"`
	}
	if json.Unmarshal(payload, &found) != nil || len(found.Components) > maxAnnounced {
		return nil
	}
	maps.DeleteFunc(found.Components, func(_ string, c KnownComponent) bool { return c.Platform == "" })
	return found.Components
}

// merge adds the components of another announcement. If there might then be more than
// maxAnnounced components, it adds none.
func (a AnnouncedComponents) merge(more AnnouncedComponents) {
	if len(a)+len(more) <= maxAnnounced {
		maps.Copy(a, more)
	}
}

// keep decides about the components of earlier matches that this frame does not have.
// Counters, buttons and dice stay, and keep adds them to the description. If there would be
// more than maxKept of these, all of them are removed. All other components, such as a part
// that is no longer wired, are always removed.
func (d *describer) keep(earlier AnnouncedComponents) {
	now := maps.Clone(d.components)
	for key, known := range earlier {
		if now[key] == nil {
			d.restoreComponent(key, known)
		}
	}
	kept := len(d.components) - len(now)
	for key, known := range earlier {
		if now[key] == nil && (d.components[key] == nil || kept > maxKept) {
			d.components[key] = component{"p": known.Platform} // a bare platform removes the component
		}
	}
}

// restoreComponent adds a component of an earlier match. It does so even if no match is on the
// table. If this program does not know this kind of component, restoreComponent adds nothing.
func (d *describer) restoreComponent(key string, known KnownComponent) {
	seat, counter, isCounter := d.seatCounter(known.Topic)
	in, err := engine.ParseInput(known.Press)
	switch {
	case key == "dice" && known.Platform == "sensor":
		d.dice()
	case key == "roll" && known.Platform == "button":
		d.rollButton()
	case isCounter && known.Platform == "sensor" && key == slug(counterKey(seat, counter)):
		d.counter(seat, counter, d.nameAgain(known, seat, d.labelAgain(known, counter)))
	case err == nil && in.Seat != engine.Table && engine.IsWord(string(in.Seat)) && known.Platform == "button" &&
		key == slug(buttonKey(in.Seat, in.Arg(0))) && keyIcons[in.Arg(0)] != "":
		d.seatButton(in.Seat, in.Arg(0), d.nameAgain(known, in.Seat, d.say("key."+in.Arg(0))))
	}
}

func (d *describer) seatCounter(topic string) (engine.Seat, string, bool) {
	rest, ok := strings.CutPrefix(topic, d.prefix+"/seat/")
	seat, counter, both := strings.Cut(rest, "/")
	return engine.Seat(seat), counter, ok && both && engine.IsWord(seat) && engine.IsWord(counter)
}

// nameAgain returns the name of a component that this match does not have. If no match is on
// the table and the component had a name, it returns the old name. Otherwise it lets ofSeat
// make a name from the seat and the label.
func (d *describer) nameAgain(known KnownComponent, seat engine.Seat, label string) string {
	if d.frame.View.Match == "" && known.Name != "" {
		return known.Name
	}
	return d.ofSeat(seat, label)
}

// labelAgain returns the label of a counter of an earlier match. This is the current game's
// word for the counter. If there is no word, it is the part of the announced name after the
// player's name. If the announced name is empty, it is the counter's id.
func (d *describer) labelAgain(known KnownComponent, counter string) string {
	if key := "counter." + counter; d.frame.Words.Has(key) {
		return d.frame.Words.Say(d.frame.Lang, engine.T(key), nil)
	}
	name := known.Name
	if i := strings.LastIndex(name, ": "); i >= 0 {
		name = name[i+2:]
	}
	if name == "" {
		return counter
	}
	return name
}
