package homeassistant

import (
	"slices"

	"tableside/engine"
)

// deviceTriggers lists the moments that can start an automation. Each moment has a type and a
// subtype. Automations store the type and the subtype. Therefore these two words are the same
// in every language. If Home Assistant does not know a type, it shows the subtype and then the
// type, such as '"turn" changed'.
var deviceTriggers = []struct{ name, kind, subtype string }{
	{"turn", "changed", "turn"},
	{"asked", "asked", "player"},
	{"won", "won", "match"},
	{"refused", "refused", "move"},
}

// A Trigger is a moment that can start an automation.
type Trigger struct {
	Name    string // of deviceTriggers, or "tag"
	Payload map[string]any
}

// Triggers returns the changes between two frames that can start an automation. If previous is nil,
// f is the first frame, and there are none.
func Triggers(previous *engine.Frame, f engine.Frame) []Trigger {
	if previous == nil {
		return nil
	}
	var all []Trigger
	add := func(name string, payload map[string]any) {
		all = append(all, Trigger{name, payload})
	}
	was, v := &previous.View, &f.View
	another := was.Match != v.Match
	if v.Turn != "" && (another || v.Turn != was.Turn) {
		payload := person(f, engine.Seat(v.Turn))
		payload["seat"] = v.Turn
		add("turn", payload)
	}
	if p := v.Prompts; v.Match != "" && len(p) > 0 &&
		(another || len(was.Prompts) == 0 || p[0].Seat != was.Prompts[0].Seat || p[0].Text != was.Prompts[0].Text) {
		payload := person(f, p[0].Seat)
		payload["seat"], payload["text"] = p[0].Seat, p[0].Text
		add("asked", payload)
	}
	if len(v.Winners) > 0 && !another && !slices.Equal(v.Winners, was.Winners) {
		add("won", map[string]any{"seats": v.Winners, "names": playerNames(f, v.Winners)})
	}
	r := f.Status.Receipt
	if r == nil || previous.Status.Receipt != nil && previous.Status.Receipt.N == r.N {
		return all
	}
	payload := person(f, r.Seat)
	payload["seat"], payload["text"] = r.Seat, r.Spoken
	switch {
	case r.Outcome == engine.Refused:
		add("refused", payload)
	case r.Outcome == engine.Unknown && r.Text.Key == "receipt.unknown-tag":
		payload["tag"], payload["place"] = r.Text.Args["tag"], r.Place
		add("tag", payload)
	}
	return all
}
