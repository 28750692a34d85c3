// Package hatest imitates Home Assistant for tests. It imitates only the part of Home
// Assistant that a table uses. It reads announcements at least as strictly as Home Assistant
// does, renders the templates in the announcements, and follows the state of every entity.
//
// The package was written from the documentation of Home Assistant and the behaviour of its
// MQTT integration. It imitates no other integration of Home Assistant. It knows only the
// forms of Jinja templates that the table uses.
package hatest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unknown is the state of an entity that has none yet, or whose template
// rendered None.
const Unknown = "unknown"

// A Home is a Home Assistant that receives every published message.
type Home struct {
	Prefix        string
	Entities      map[string]*Entity // by the key of their component
	Triggers      map[string]Trigger // by the key of their component
	Announcements int                // how many were heard
	Removed       []string           // components, in the order in which they were removed
	Fired         []string           // keys of triggers, in the order in which they fired
	Errors        []error            // in the messages

	retained map[string][]byte
}

// An Entity is Home Assistant's entity for an announced component.
type Entity struct {
	Platform, Name, State string
	Attributes            map[string]any
	Config                map[string]any

	available map[string]bool // the last availability heard, by topic
}

// A Trigger is Home Assistant's trigger for an announced device_automation.
type Trigger struct{ Topic, Type, Subtype string }

// New returns a Home without entities, for a discovery prefix.
func New(prefix string) *Home {
	return &Home{Prefix: prefix, Entities: map[string]*Entity{}, Triggers: map[string]Trigger{},
		retained: map[string][]byte{}}
}

// Available reports whether the entity can be used. Every availability topic of the entity
// must have announced "online", and must not have announced "offline" since.
func (e *Entity) Available() bool {
	for _, here := range e.available {
		if !here {
			return false
		}
	}
	return true
}

// Hear handles a published message. It adds any errors in the message to the Home's field
// Errors.
func (h *Home) Hear(topic string, payload []byte, retain bool) {
	if retain {
		h.retained[topic] = payload
	}
	if strings.HasPrefix(topic, h.Prefix+"/") && strings.HasSuffix(topic, "/config") {
		h.announce(topic, payload)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(h.Entities)) {
		if err := h.Entities[key].hear(topic, payload, false); err != nil {
			h.Errors = append(h.Errors, fmt.Errorf("%s: %s: %w", topic, key, err))
		}
	}
	for key, t := range h.Triggers {
		if t.Topic == topic {
			h.Fired = append(h.Fired, key)
			if retain {
				h.Errors = append(h.Errors, fmt.Errorf("%s is retained: it would fire whenever Home Assistant starts", topic))
			}
		}
	}
}

func (h *Home) announce(topic string, payload []byte) {
	h.Announcements++
	all, err := Components(h.Prefix, topic, payload)
	if err != nil {
		h.Errors = append(h.Errors, err)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		c := all[key]
		text := func(name string) string { s, _ := c[name].(string); return s }
		switch {
		case len(c) == 1:
			if h.Entities[key] != nil || h.Triggers[key] != (Trigger{}) {
				h.Removed = append(h.Removed, key)
			}
			delete(h.Entities, key)
			delete(h.Triggers, key)
		case text("platform") == "device_automation":
			h.Triggers[key] = Trigger{text("topic"), text("type"), text("subtype")}
		case text("platform") == "tag": // no entity
		default:
			h.enter(key, &Entity{Platform: text("platform"), Name: text("name"), State: Unknown, Config: c,
				available: map[string]bool{}})
		}
	}
}

// enter adds an entity under a key. If the key already has an entity, the new entity replaces
// the old entity and keeps its state. Then the new entity hears the retained messages.
func (h *Home) enter(key string, e *Entity) {
	old := h.Entities[key]
	h.Entities[key] = e
	if old != nil {
		e.State, e.Attributes = old.State, old.Attributes
	}
	for _, a := range e.availability() {
		e.available[a.topic] = old != nil && old.available[a.topic]
	}
	for _, topic := range slices.Sorted(maps.Keys(h.retained)) {
		if err := e.hear(topic, h.retained[topic], true); err != nil {
			h.Errors = append(h.Errors, fmt.Errorf("%s: %s: %w", topic, key, err))
		}
	}
}

type availability struct{ topic, template string }

func (e *Entity) availability() []availability {
	var all []availability
	if topic, _ := e.Config["availability_topic"].(string); topic != "" {
		all = append(all, availability{topic: topic})
	}
	list, _ := e.Config["availability"].([]any)
	for _, entry := range list {
		a, _ := entry.(map[string]any)
		topic, _ := a["topic"].(string)
		template, _ := a["value_template"].(string)
		all = append(all, availability{topic, template})
	}
	return all
}

// hear handles a message on any topic. If kept is true, the broker retained the message before
// the entity was announced.
func (e *Entity) hear(topic string, payload []byte, kept bool) error {
	for _, a := range e.availability() {
		if a.topic != topic {
			continue
		}
		said, err := renderTemplate(a.template, payload)
		if err != nil && len(payload) > 0 {
			return err
		}
		switch said {
		case "online":
			e.available[topic] = true
		case "offline":
			e.available[topic] = false
		}
	}
	if e.Config["json_attributes_topic"] == topic && len(payload) > 0 {
		template, _ := e.Config["json_attributes_template"].(string)
		said, err := renderTemplate(template, payload)
		if err != nil {
			return err
		}
		e.Attributes = nil
		if err := json.Unmarshal([]byte(said), &e.Attributes); err != nil || e.Attributes == nil {
			return fmt.Errorf("its attributes are no object: %s", said)
		}
	}
	for _, name := range []string{"state_topic", "image_topic"} {
		if at, _ := e.Config[name].(string); matches(at, topic) && len(payload) > 0 {
			return e.take(payload, kept)
		}
	}
	return nil
}

// take sets the state from a payload. If Home Assistant would not accept the payload, take
// returns an error. If kept is true, the broker retained the message before the entity was
// announced.
func (e *Entity) take(payload []byte, kept bool) error {
	template, _ := e.Config["value_template"].(string)
	if e.Platform == "image" {
		e.State = strconv.Itoa(len(payload)) + " bytes"
		return nil
	}
	said, err := renderTemplate(template, payload)
	if err != nil {
		return err
	}
	options, _ := e.Config["options"].([]any)
	_, isNumber := strconv.ParseFloat(said, 64)
	switch {
	case e.Platform == "event":
		return e.event(payload, kept)
	case e.Platform == "binary_sensor" && said == e.Config["payload_on"]:
		said = "on"
	case e.Platform == "binary_sensor" && said == e.Config["payload_off"]:
		said = "off"
	case said == "None":
		said = Unknown
	case utf8.RuneCountInString(said) > 255:
		return fmt.Errorf("a state of %d characters is not taken", utf8.RuneCountInString(said))
	case options != nil && !slices.Contains(options, any(said)):
		return fmt.Errorf("got state %q, want one of the options %v", said, options)
	case e.Config["state_class"] != nil && isNumber != nil:
		return fmt.Errorf("got state %q, want a number", said)
	case strings.TrimSpace(said) == "":
		return errors.New("an empty state")
	}
	e.State = said
	return nil
}

func (e *Entity) event(payload []byte, kept bool) error {
	if kept {
		return errors.New("an event is retained")
	}
	var o map[string]any
	if err := json.Unmarshal(payload, &o); err != nil {
		return err
	}
	types, _ := e.Config["event_types"].([]any)
	if !slices.Contains(types, o["event_type"]) {
		return fmt.Errorf("got event type %v, want one of its event_types", o["event_type"])
	}
	e.State, e.Attributes = fmt.Sprint(o["event_type"]), o
	return nil
}

func renderTemplate(template string, payload []byte) (string, error) {
	if template == "" {
		return string(payload), nil
	}
	t, err := parseTemplate(template)
	if err != nil {
		return "", err
	}
	return t.render(payload)
}

func matches(filter, topic string) bool {
	want, got := strings.Split(filter, "/"), strings.Split(topic, "/")
	return len(want) == len(got) && slices.EqualFunc(want, got, func(w, g string) bool { return w == "+" || w == g })
}

// Press returns the message that a button publishes.
func (e *Entity) Press() (topic, payload string) {
	topic, _ = e.Config["command_topic"].(string)
	payload, _ = e.Config["payload_press"].(string)
	return topic, payload
}

// Select returns the message that a select entity publishes for an option. If the entity has
// no such option, Select returns an error.
func (e *Entity) Select(option string) (topic, payload string, err error) {
	options, _ := e.Config["options"].([]any)
	if !slices.Contains(options, any(option)) {
		return "", "", fmt.Errorf("%q is none of %v", option, options)
	}
	topic, _ = e.Config["command_topic"].(string)
	template, _ := e.Config["command_template"].(string)
	payload, err = renderTemplate(template, []byte(option))
	return topic, payload, err
}
