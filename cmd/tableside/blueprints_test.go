package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/mqtt/hatest"
)

// This file checks blueprints against Home Assistant's documentation, as far as the
// blueprints in docs/homeassistant need it: a key that is not listed here is an error.

// oldestHome is the first Home Assistant that gives entities the ids of docs/mqtt.md.
const oldestHome = "2025.10.0"

// blueprintKeys holds the keys of each part, the required ones with a star.
var blueprintKeys = map[string][]string{
	"file":          {"blueprint*", "mode", "trigger_variables", "triggers*", "variables", "conditions", "actions*"},
	"blueprint":     {"name*", "description", "domain*", "homeassistant", "input", "author", "source_url"},
	"homeassistant": {"min_version"},
	"input":         {"name", "description", "default", "selector"},
	"state":         {"trigger*", "entity_id*", "to", "from", "for", "attribute", "id"},
	"mqtt":          {"trigger*", "topic*", "payload", "value_template", "qos", "encoding", "id"},
	"if":            {"if*", "then*", "else", "alias"},
	"action":        {"action*", "target", "data", "alias"},
	"template":      {"condition*", "value_template*"},
	"automation":    {"alias", "id", "mode", "triggers*", "variables", "trigger_variables", "conditions", "actions*"},
}

// selectorKeys holds the settings of each selector.
var selectorKeys = map[string][]string{
	"entity": {"filter", "multiple", "include_entities", "exclude_entities"},
	"target": {"entity", "device"},
	"number": {"min", "max", "step", "mode", "unit_of_measurement"},
	"text":   {"multiline", "type", "multiple", "prefix", "suffix"},
	"action": {},
}

// actionData holds the fields of the actions that are used.
var actionData = map[string][]string{
	"light.turn_on": {"rgb_color", "brightness_pct", "transition"},
	"tts.speak":     {"media_player_entity_id*", "message*", "cache", "language", "options"},
	"mqtt.publish":  {"topic*", "payload", "qos", "retain"},
}

func keysFit(what string, o any, known []string) error {
	object, ok := o.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: got %v, want keys", what, o)
	}
	var wrong []error
	for _, key := range known {
		if name, needed := strings.CutSuffix(key, "*"); needed && object[name] == nil {
			wrong = append(wrong, fmt.Errorf("%s: %s is missing", what, name))
		}
	}
	for key := range object {
		if !slices.Contains(known, key) && !slices.Contains(known, key+"*") {
			wrong = append(wrong, fmt.Errorf("%s: %s is unknown", what, key))
		}
	}
	return errors.Join(wrong...)
}

// inputsOf returns the inputs that !input names below v.
func inputsOf(v any) []string {
	var names []string
	switch v := v.(type) {
	case input:
		names = append(names, string(v))
	case []any:
		for _, one := range v {
			names = append(names, inputsOf(one)...)
		}
	case map[string]any:
		for _, one := range v {
			names = append(names, inputsOf(one)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// textsOf returns all texts below v.
func textsOf(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		all = append(all, v)
	case []any:
		for _, one := range v {
			all = append(all, textsOf(one)...)
		}
	case map[string]any:
		for _, one := range v {
			all = append(all, textsOf(one)...)
		}
	}
	return all
}

// checkBlueprint returns what is wrong with the head of a blueprint.
func checkBlueprint(file map[string]any) error {
	head, _ := file["blueprint"].(map[string]any)
	wrong := []error{keysFit("file", file, blueprintKeys["file"]),
		keysFit("blueprint", file["blueprint"], blueprintKeys["blueprint"])}
	if head["domain"] != "automation" {
		wrong = append(wrong, fmt.Errorf("the domain is %v", head["domain"]))
	}
	if ha, ok := head["homeassistant"].(map[string]any); ok {
		wrong = append(wrong, keysFit("homeassistant", ha, blueprintKeys["homeassistant"]))
		if v, _ := ha["min_version"].(string); v != oldestHome {
			wrong = append(wrong, fmt.Errorf("min_version %v is not the text %q, as docs/mqtt.md says",
				ha["min_version"], oldestHome))
		}
	}
	inputs, _ := head["input"].(map[string]any)
	for name, in := range inputs {
		wrong = append(wrong, keysFit("input "+name, in, blueprintKeys["input"]))
		selector, _ := in.(map[string]any)["selector"].(map[string]any)
		if len(selector) != 1 {
			wrong = append(wrong, fmt.Errorf("input %s: one selector is wanted", name))
		}
		for kind, settings := range selector {
			known, ok := selectorKeys[kind]
			if !ok {
				wrong = append(wrong, fmt.Errorf("input %s: selector %s is unknown", name, kind))
			}
			wrong = append(wrong, keysFit("selector "+kind, settings, known))
		}
	}
	used := inputsOf(map[string]any{"triggers": file["triggers"], "actions": file["actions"],
		"conditions": file["conditions"], "variables": file["variables"], "trigger_variables": file["trigger_variables"]})
	if declared := slices.Sorted(maps.Keys(inputs)); !slices.Equal(used, declared) {
		wrong = append(wrong, fmt.Errorf("the inputs are %v, and %v are used", declared, used))
	}
	return errors.Join(wrong...)
}

// checkAutomation returns what is wrong with triggers and actions.
func checkAutomation(file map[string]any) error {
	var wrong []error
	if mode := file["mode"]; mode != nil && !slices.Contains([]any{"single", "restart", "queued", "parallel"}, mode) {
		wrong = append(wrong, fmt.Errorf("the mode %v is unknown", mode))
	}
	triggers, _ := file["triggers"].([]any)
	if len(triggers) == 0 {
		wrong = append(wrong, errors.New("no triggers"))
	}
	for _, t := range triggers {
		o, _ := t.(map[string]any)
		kind, _ := o["trigger"].(string)
		wrong = append(wrong, keysFit("trigger "+kind, t, blueprintKeys[kind]))
	}
	actions, _ := file["actions"].([]any)
	if len(actions) == 0 {
		wrong = append(wrong, errors.New("no actions"))
	}
	for _, a := range actions {
		wrong = append(wrong, checkAction(a))
	}
	return errors.Join(wrong...)
}

func checkAction(a any) error {
	o, _ := a.(map[string]any)
	if o["if"] == nil {
		name, _ := o["action"].(string)
		known, ok := actionData[name]
		if !ok {
			return fmt.Errorf("the action %q is unknown", name)
		}
		return errors.Join(keysFit("action "+name, a, blueprintKeys["action"]), keysFit(name, o["data"], known))
	}
	wrong := []error{keysFit("if", a, blueprintKeys["if"])}
	conditions, _ := o["if"].([]any)
	for _, c := range conditions {
		wrong = append(wrong, keysFit("condition", c, blueprintKeys["template"]))
	}
	for _, branch := range []any{o["then"], o["else"]} {
		list, _ := branch.([]any)
		for _, one := range list {
			wrong = append(wrong, checkAction(one))
		}
	}
	return errors.Join(wrong...)
}

// A shownHome holds the messages that a table has published, to compare with those
// that automations use.
type shownHome struct {
	*hatest.Home
	triggers   map[string]map[string]any // a message of each, by topic
	attributes map[string]map[string]any // in the middle of the match, by entity
}

// shownMatch plays Tally to its end while a Home Assistant listens.
func shownMatch(t *testing.T) shownHome {
	t.Helper()
	addr := startMosquitto(t)
	l := listenHome(t, addr)
	heard := hearTriggers(t, addr)
	p := startDemo(t, "--broker", "mqtt://"+addr, "--lang", "en", "--game", "tally/score", "--seats", "red=Alice,blue=Max",
		"--option", "target=1")
	l.until(t, "the match", shows("seat_red_score", "0"))
	v, err := p.view()
	if err != nil {
		t.Fatal(err)
	}
	first, second := "red", "blue"
	if v.Turn == "blue" {
		first, second = second, first
	}
	l.until(t, "the first turn", shows("turn", first))
	if _, err := p.input(first + " key next"); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the second turn", shows("turn", second))
	home := shownHome{l.home, map[string]map[string]any{}, map[string]map[string]any{}}
	l.mu.Lock()
	for key, e := range l.home.Entities {
		home.attributes[key] = maps.Clone(e.Attributes)
	}
	l.mu.Unlock()
	if _, err := p.input(second + " key plus"); err != nil {
		t.Fatal(err)
	}
	l.until(t, "a winner", shows("winners", second))
	for home.triggers["tableside/demo/trigger/won"] == nil {
		m := <-heard
		home.triggers[m.topic] = m.payload
	}
	p.interrupt()
	return home
}

var (
	stateAttr = regexp.MustCompile(`state_attr\((?:turn|'sensor\.tableside_demo_([a-z_]+)'), '([a-z_]+)'\)`)
	ofPayload = regexp.MustCompile(`trigger\.payload_json\.([a-z_]+)`)
	entityIDs = regexp.MustCompile(`\b[a-z_]+\.tableside_demo_[a-z0-9_]+`)
	topicText = regexp.MustCompile(`^tableside/`)
)

// checkUse returns what an automation uses that the table does not publish.
func (h shownHome) checkUse(file map[string]any) error {
	var wrong []error
	missing := func(ok bool, what string) {
		if !ok {
			wrong = append(wrong, errors.New("the table has no "+what))
		}
	}
	ids := map[string]bool{}
	for _, e := range h.Entities {
		id, _ := e.Config["default_entity_id"].(string)
		ids[id] = true
	}
	var heard map[string]any // the message that triggers
	for _, s := range textsOf(file["triggers"]) {
		if topicText.MatchString(s) {
			heard = h.triggers[strings.ReplaceAll(s, "{{ table }}", "demo")]
			missing(heard != nil, "trigger "+s)
		}
	}
	for _, s := range textsOf(file) {
		for _, m := range stateAttr.FindAllStringSubmatch(s, -1) {
			key := m[1]
			if key == "" {
				key = "turn"
			}
			missing(h.attributes[key][m[2]] != nil, "attribute "+m[2]+" of "+key)
		}
		for _, m := range ofPayload.FindAllStringSubmatch(s, -1) {
			missing(heard[m[1]] != nil, m[1]+" in what it publishes")
		}
		for _, id := range entityIDs.FindAllString(s, -1) {
			missing(ids[id], "entity "+id)
		}
	}
	return errors.Join(wrong...)
}

// TestBlueprints checks the blueprints, and the automations in docs/mqtt.md, against
// Home Assistant's format and against what the table publishes.
func TestBlueprints(t *testing.T) {
	home := shownMatch(t)
	files, err := filepath.Glob(filepath.Join(root, "docs/homeassistant/*.yaml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := parseYAML(string(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file, _ := v.(map[string]any)
		if err := errors.Join(checkBlueprint(file), checkAutomation(file), home.checkUse(file)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	page, err := os.ReadFile(filepath.Join(root, "docs/mqtt.md"))
	if err != nil {
		t.Fatal(err)
	}
	automations := 0
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		v, err := parseYAML(block[1])
		if err != nil {
			t.Errorf("docs/mqtt.md: %v in\n%s", err, block[1])
			continue
		}
		o, _ := v.(map[string]any)
		list, _ := o["automation"].([]any)
		for _, one := range list {
			automations++
			file, _ := one.(map[string]any)
			if err := errors.Join(keysFit("automation", one, blueprintKeys["automation"]), checkAutomation(file),
				home.checkUse(file)); err != nil {
				t.Errorf("docs/mqtt.md: %v in\n%s", err, block[1])
			}
		}
	}
	if automations == 0 {
		t.Error("docs/mqtt.md shows no automation")
	}
}

// TestBlueprintMistakes tests that the checks find mistakes in a blueprint.
func TestBlueprintMistakes(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs/homeassistant/lights-follow-the-turn.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	home := shownHome{hatest.New("homeassistant"), nil, map[string]map[string]any{"turn": {"rgb_color": []any{1}}}}
	for before, after := range map[string]string{
		"":                        "", // and none is noticed in the original
		"  domain: automation":    "  domain: light",
		"    Lights take":         "        Lights take",
		"\"2025.10.0\"":           "2024",
		"        number:":         "        numbers:",
		"!input brightness":       "50",
		"trigger: state":          "trigger: states",
		"light.turn_on":           "light.shine",
		"brightness_pct":          "brightness_percent",
		"'rgb_color'":             "'colours'",
		"mode: restart":           "mode: again",
		"          rgb_color: \"": "          rgb_color: '",
		"triggers:\n":             "triggers:\n\n- x: y\n",
		"value_template: \"":      "value: \"",
		"      description: For example, a scene": "      descriptions: For example, a scene",
	} {
		v, err := parseYAML(strings.Replace(string(data), before, after, 1))
		if file, ok := v.(map[string]any); err == nil && ok {
			err = errors.Join(checkBlueprint(file), checkAutomation(file), home.checkUse(file))
		}
		if (err != nil) != (before != "") {
			t.Errorf("%q for %q: %v", after, before, err)
		}
	}
}

type triggerMessage struct {
	topic   string
	payload map[string]any
}

func hearTriggers(t *testing.T, addr string) <-chan triggerMessage {
	t.Helper()
	heard := make(chan triggerMessage, 100)
	c := connect(t, addr, "trigger-listener")
	token := c.Subscribe("tableside/demo/trigger/+", 1, func(_ paho.Client, m paho.Message) {
		var o map[string]any
		if m.Retained() || json.Unmarshal(m.Payload(), &o) != nil {
			o = map[string]any{"wrong": string(m.Payload())}
		}
		heard <- triggerMessage{m.Topic(), o}
	})
	if token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	return heard
}
