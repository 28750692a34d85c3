package mqtt

import (
	"encoding/json"
	"maps"
	"strings"

	"tableside/engine"
)

// Announced holds the components that Home Assistant knows, by their keys.
type Announced map[string]Known

// Known holds what it takes to announce a component again. A component that was
// removed has only its platform.
type Known struct {
	Platform string   `json:"p"`
	Name     string   `json:"name"`
	Topic    string   `json:"state_topic"`
	Press    string   `json:"payload_press"`
	Events   []string `json:"event_types"`
}

const (
	// maxAnnounced bounds what is believed of a retained announcement.
	maxAnnounced = 1000
	// maxKept bounds the components of earlier matches: it is enough for
	// every game here at four seats. An announcement then stays below 150 KB.
	maxKept = 250
)

// ParseAnnounced reads the components of an announcement; of anything else it
// makes none.
func ParseAnnounced(payload []byte) Announced {
	var found struct {
		Components Announced `json:"cmps"`
	}
	if json.Unmarshal(payload, &found) != nil || len(found.Components) > maxAnnounced {
		return nil
	}
	maps.DeleteFunc(found.Components, func(_ string, c Known) bool { return c.Platform == "" })
	return found.Components
}

// merge adds what else was announced.
func (a Announced) merge(more Announced) {
	if len(a)+len(more) <= maxAnnounced {
		maps.Copy(a, more)
	}
}

// keep adds what was announced before and is not among the components of this
// frame: seats and counters of earlier matches as they were, everything else,
// such as a part that is no longer wired, as removed. Beyond maxKept the
// earlier matches go too.
func (d *describer) keep(told Announced) {
	now := maps.Clone(d.all)
	for key, known := range told {
		if now[key] == nil {
			d.again(key, known)
		}
	}
	kept := len(d.all) - len(now)
	for key, known := range told {
		if now[key] == nil && (d.all[key] == nil || kept > maxKept) {
			d.all[key] = component{"p": known.Platform} // a bare platform removes the component
		}
	}
}

// again adds a component of an earlier match, or of the match before the table
// was empty. It adds none that this program would not announce.
func (d *describer) again(key string, known Known) {
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

// seatCounter reads the topic of a counter.
func (d *describer) seatCounter(topic string) (engine.Seat, string, bool) {
	rest, ok := strings.CutPrefix(topic, d.prefix+"/seat/")
	seat, counter, both := strings.Cut(rest, "/")
	return engine.Seat(seat), counter, ok && both && engine.IsWord(seat) && engine.IsWord(counter)
}

// nameAgain names what this match has not: while the table is empty as before,
// else for the player who sits there now, or the seat.
func (d *describer) nameAgain(known Known, seat engine.Seat, what string) string {
	if d.frame.View.Match == "" && known.Name != "" {
		return known.Name
	}
	return d.ofSeat(seat, what)
}

// labelAgain returns the name of another game's counter, as it was announced
// behind the player's name.
func (d *describer) labelAgain(known Known, counter string) string {
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
