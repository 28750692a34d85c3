package hatest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A check is a function that checks a value. If the value is invalid, it returns an error that
// says what is wrong.
type check func(any) error

// A schema holds the keys that an object may have. A key that is neither required nor optional
// is an error. In a component, Home Assistant drops such a key. In any other object, such a
// key makes Home Assistant refuse the whole announcement.
type schema struct {
	required, optional map[string]check
}

// These maps hold the abbreviations that the table uses for keys. Home Assistant expands
// abbreviations before it checks the keys. The abbreviations in shortDevice are valid only in
// the device. The abbreviations in shortOrigin are valid only in the origin.
var (
	short       = map[string]string{"p": "platform", "dev": "device", "o": "origin", "cmps": "components"}
	shortDevice = map[string]string{"ids": "identifiers", "cu": "configuration_url", "mf": "manufacturer", "mdl": "model",
		"sw": "sw_version"}
	shortOrigin = map[string]string{"sw": "sw_version", "url": "support_url"}
)

var root = schema{
	required: map[string]check{"device": object, "origin": object, "components": object},
	optional: map[string]check{"qos": oneOf(0.0, 1.0, 2.0), "encoding": text, "state_topic": filter,
		"command_topic": topic, "availability_topic": filter, "availability": availabilities},
}

var device = schema{optional: map[string]check{
	"identifiers": texts, "connections": acceptAny, "manufacturer": text, "model": text, "model_id": text, "name": text,
	"hw_version": text, "serial_number": text,
	"sw_version": text, "via_device": text, "suggested_area": text, "configuration_url": link,
}}

var origin = schema{required: map[string]check{"name": text},
	optional: map[string]check{"sw_version": text, "support_url": link}}

// entitySchema holds the keys that every entity may have. In a device announcement
// the unique_id is required.
var entitySchema = schema{
	required: map[string]check{"unique_id": text, "name": text},
	optional: map[string]check{
		"availability": availabilities, "availability_topic": filter, "availability_mode": oneOf("all", "any", "latest"),
		"availability_template": template,
		"payload_available":     text, "payload_not_available": text, "enabled_by_default": boolean,
		"entity_category": oneOf("diagnostic", "config"), "entity_picture": link,
		"icon": icon, "json_attributes_topic": filter, "json_attributes_template": template, "default_entity_id": text,
		"qos": oneOf(0.0, 1.0, 2.0), "encoding": text,
	},
}

// platforms holds the keys of each platform that the table announces. The keys in entitySchema
// are valid as well, except in a device_automation and a tag, which are not entities.
var platforms = map[string]schema{
	"sensor": {
		map[string]check{"state_topic": filter},
		map[string]check{"value_template": template, "device_class": oneOf("enum"), "options": texts,
			"state_class":         oneOf("measurement", "measurement_angle", "total", "total_increasing"),
			"unit_of_measurement": text, "expire_after": number, "force_update": boolean, "last_reset_value_template": template,
			"suggested_display_precision": number},
	},
	"binary_sensor": {
		map[string]check{"state_topic": filter},
		map[string]check{"value_template": template, "device_class": oneOf("connectivity", "running", "problem"),
			"payload_on": text, "payload_off": text,
			"expire_after": number, "off_delay": number, "force_update": boolean},
	},
	"event": {
		map[string]check{"state_topic": filter, "event_types": texts},
		map[string]check{"value_template": template, "device_class": oneOf("button", "doorbell", "motion")},
	},
	"button": {
		map[string]check{"command_topic": topic},
		map[string]check{"command_template": template, "payload_press": text, "retain": boolean,
			"device_class": oneOf("identify", "restart", "update")},
	},
	"select": {
		map[string]check{"command_topic": topic, "options": texts},
		map[string]check{"state_topic": filter, "value_template": template, "command_template": template,
			"optimistic": boolean, "retain": boolean},
	},
	"image": {
		nil,
		map[string]check{"image_topic": filter, "url_topic": filter, "url_template": template, "content_type": text,
			"image_encoding": oneOf("b64")},
	},
	"device_automation": {
		map[string]check{"automation_type": oneOf("trigger"), "topic": filter, "type": text, "subtype": text},
		map[string]check{"payload": text, "value_template": template, "qos": oneOf(0.0, 1.0, 2.0), "encoding": text},
	},
	"tag": {
		map[string]check{"topic": filter},
		map[string]check{"value_template": template, "qos": oneOf(0.0, 1.0, 2.0)},
	},
}

// check returns the errors of an object.
func (s schema) check(o map[string]any) error {
	var wrong []error
	for key := range s.required {
		if o[key] == nil {
			wrong = append(wrong, fmt.Errorf("%s is missing", key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		sees := s.required[key]
		if sees == nil {
			sees = s.optional[key]
		}
		if sees == nil {
			wrong = append(wrong, fmt.Errorf("%s is unknown", key))
		} else if err := sees(o[key]); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", key, err))
		}
	}
	return errors.Join(wrong...)
}

// lookAtComponent returns the errors of a component. The component must not be a removal.
func lookAtComponent(c map[string]any) error {
	platform, _ := c["platform"].(string)
	own, ok := platforms[platform]
	if !ok {
		return fmt.Errorf("platform %q is not known here", platform)
	}
	all := schema{maps.Clone(own.required), maps.Clone(own.optional)}
	if all.required == nil {
		all.required = map[string]check{}
	}
	all.required["platform"] = text
	if platform != "device_automation" && platform != "tag" {
		maps.Copy(all.required, entitySchema.required)
		maps.Copy(all.optional, entitySchema.optional)
	}
	wrong := []error{all.check(c)}
	rule := func(holds bool, why string) {
		if !holds {
			wrong = append(wrong, errors.New(why))
		}
	}
	has := func(key string) bool { return c[key] != nil }
	rule(!has("availability") || !has("availability_topic"), "availability and availability_topic exclude each other")
	rule(!has("options") || platform != "sensor" ||
		(c["device_class"] == "enum" && !has("state_class") && !has("unit_of_measurement")),
		"options need the device class enum, and neither a state class nor a unit")
	rule(platform != "image" || has("image_topic") != has("url_topic"), "an image needs either image_topic or url_topic")
	rule(platform != "image" || !has("content_type") || has("image_topic"), "content_type needs image_topic")
	rule(platform != "sensor" && platform != "binary_sensor" || c["entity_category"] != "config",
		"a sensor cannot be configuration")
	if id, _ := c["default_entity_id"].(string); id != "" {
		rule(entityID.MatchString(id) && strings.HasPrefix(id, platform+"."), "the entity id "+id+" is not of this platform")
	}
	return errors.Join(wrong...)
}

var (
	entityID    = regexp.MustCompile(`^[a-z_]+\.[a-z0-9_]+$`)
	iconName    = regexp.MustCompile(`^mdi:[a-z0-9-]+$`)
	configTopic = regexp.MustCompile(`^device/(?:[a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config$`)
)

func acceptAny(any) error { return nil }

func object(v any) error {
	if _, ok := v.(map[string]any); !ok {
		return fmt.Errorf("got %v, want an object", v)
	}
	return nil
}

// text checks that a value is a text and is not empty. Home Assistant would accept an empty
// text, but an empty text would be useless.
func text(v any) error {
	if s, ok := v.(string); !ok || strings.TrimSpace(s) == "" || !utf8.ValidString(s) {
		return fmt.Errorf("got %v, want a text", v)
	}
	return nil
}

func texts(v any) error {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return fmt.Errorf("got %v, want a list of texts", v)
	}
	seen := map[any]bool{}
	for _, one := range list {
		if err := text(one); err != nil {
			return err
		}
		if seen[one] {
			return fmt.Errorf("duplicate %v", one)
		}
		seen[one] = true
	}
	return nil
}

func boolean(v any) error {
	if _, ok := v.(bool); !ok {
		return fmt.Errorf("got %v, want true or false", v)
	}
	return nil
}

func number(v any) error {
	if n, ok := v.(float64); !ok || n < 0 {
		return fmt.Errorf("got %v, want a number", v)
	}
	return nil
}

func oneOf(known ...any) check {
	return func(v any) error {
		if !slices.Contains(known, v) {
			return fmt.Errorf("got %v, want one of %v", v, known)
		}
		return nil
	}
}

func link(v any) error {
	s, _ := v.(string)
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "homeassistant"}, u.Scheme) {
		return fmt.Errorf("got %v, want an address", v)
	}
	return nil
}

func icon(v any) error {
	if s, _ := v.(string); !iconName.MatchString(s) {
		return fmt.Errorf("got %v, want an icon such as mdi:heart", v)
	}
	return nil
}

func topic(v any) error {
	if s, _ := v.(string); s == "" || strings.ContainsAny(s, "+#\x00") || !utf8.ValidString(s) || len(s) > 65535 {
		return fmt.Errorf("got %v, want a topic", v)
	}
	return nil
}

func filter(v any) error {
	s, _ := v.(string)
	levels := strings.Split(s, "/")
	for i, l := range levels {
		if l == "+" || l == "#" && i == len(levels)-1 {
			levels[i] = "any"
		}
	}
	return topic(strings.Join(levels, "/"))
}

func template(v any) error {
	s, _ := v.(string)
	_, err := parseTemplate(s)
	return err
}

func availabilities(v any) error {
	list, _ := v.([]any)
	if len(list) == 0 {
		return fmt.Errorf("got %v, want a list", v)
	}
	one := schema{map[string]check{"topic": filter},
		map[string]check{"payload_available": text, "payload_not_available": text, "value_template": template}}
	topics := map[any]bool{}
	for _, entry := range list {
		o, _ := entry.(map[string]any)
		if err := one.check(o); err != nil {
			return err
		}
		if topics[o["topic"]] {
			return fmt.Errorf("duplicate topic %v: only the last one counts", o["topic"])
		}
		topics[o["topic"]] = true
	}
	return nil
}

func expand(o map[string]any, short map[string]string) map[string]any {
	long := map[string]any{}
	for key, v := range o {
		if full := short[key]; full != "" {
			key = full
		}
		long[key] = v
	}
	return long
}

// Components returns the components of an announcement, and all errors in the announcement. If
// a component has only a platform, the announcement removes the component.
func Components(prefix, topic string, payload []byte) (map[string]map[string]any, error) {
	var o map[string]any
	if err := json.Unmarshal(payload, &o); err != nil {
		return nil, err
	}
	var wrong []error
	if rest, ok := strings.CutPrefix(topic, prefix+"/"); !ok || !configTopic.MatchString(rest) {
		wrong = append(wrong, fmt.Errorf("%s is no topic for an announcement", topic))
	}
	o = expand(o, short)
	dev, _ := o["device"].(map[string]any)
	org, _ := o["origin"].(map[string]any)
	dev, org = expand(dev, shortDevice), expand(org, shortOrigin)
	wrong = append(wrong, root.check(o), device.check(dev), origin.check(org))
	if dev["identifiers"] == nil {
		wrong = append(wrong, errors.New("a device needs an identifier"))
	}
	found, _ := o["components"].(map[string]any)
	all, ids := map[string]map[string]any{}, map[any]string{}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		c, _ := found[key].(map[string]any)
		c = expand(c, short)
		all[key] = c
		if len(c) == 1 && platforms[fmt.Sprint(c["platform"])].optional != nil {
			continue
		}
		if err := lookAtComponent(c); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", key, err))
		}
		if id := c["unique_id"]; id != nil && ids[id] != "" {
			wrong = append(wrong, fmt.Errorf("%s and %s have the unique_id %s", key, ids[id], id))
		} else if id != nil {
			ids[id] = key
		}
	}
	return all, errors.Join(wrong...)
}
