package hatest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A tmpl is a template that renders a payload. The table uses only the forms below. Any other
// template is an error, because the package never guesses.
//
//	{{ value_json.turn.state }}
//	{{ value_json.turn.attributes | tojson }}
//	{{ 'online' if 'roll' in value_json else 'offline' }}
//	{"do":"select","setup":{"game":{{ value | tojson }}}}
type tmpl struct {
	prefix, suffix string
	path           []string // below value_json; nil for value itself
	asJSON         bool
	member         string // of the list value_json, for the third form
}

var (
	pathForm   = regexp.MustCompile(`^value_json((?:\.[a-z_]+)+)( \| tojson)?$`)
	memberForm = regexp.MustCompile(`^'online' if '([a-z0-9_]+)' in value_json else 'offline'$`)
	// dictMethods lists the methods of a Python dictionary. If one of these names follows a dot,
	// Jinja finds the method and not the entry of that name.
	dictMethods = []string{"clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update",
		"values"}
)

func parseTemplate(s string) (tmpl, error) {
	var t tmpl
	before, rest, found := strings.Cut(s, "{{ ")
	inside, after, closed := strings.Cut(rest, " }}")
	t.prefix, t.suffix = before, after
	switch m := pathForm.FindStringSubmatch(inside); {
	case !found || !closed || strings.Contains(before+after, "{{") || strings.Contains(s, "{%"):
	case m != nil:
		t.path, t.asJSON = strings.Split(m[1][1:], "."), m[2] != ""
		for _, name := range t.path {
			if slices.Contains(dictMethods, name) {
				return t, fmt.Errorf("%q asks for %s, which every dictionary has", s, name)
			}
		}
		return t, nil
	case inside == "value | tojson":
		t.asJSON = true
		return t, nil
	case before == "" && after == "" && memberForm.MatchString(inside):
		t.member = memberForm.FindStringSubmatch(inside)[1]
		return t, nil
	}
	return t, fmt.Errorf("unsupported template %q", s)
}

// render returns what Home Assistant makes of a payload. An empty result is an error, because
// the entity would keep its old state or show an empty state.
func (t tmpl) render(payload []byte) (string, error) {
	var value any = string(payload)
	if t.path != nil || t.member != "" {
		if err := json.Unmarshal(payload, &value); err != nil {
			return "", fmt.Errorf("%.60q is no JSON: %w", payload, err)
		}
	}
	if t.member != "" {
		list, ok := value.([]any)
		if !ok {
			return "", fmt.Errorf("%.60q is no list", payload)
		}
		if slices.Contains(list, any(t.member)) {
			return "online", nil
		}
		return "offline", nil
	}
	for _, name := range t.path {
		o, ok := value.(map[string]any)
		if _, there := o[name]; !ok || !there {
			return "", fmt.Errorf("there is no %s in %.200q: nothing is rendered", strings.Join(t.path, "."), payload)
		}
		value = o[name]
	}
	out := ""
	switch v := value.(type) {
	case nil:
		out = "None"
	case string:
		out = v
	case bool:
		out = strings.ToUpper(fmt.Sprint(v)[:1]) + fmt.Sprint(v)[1:] // as Python writes it
	case float64:
		out = fmt.Sprint(v)
	default:
		if !t.asJSON {
			return "", fmt.Errorf("%s is no plain value", strings.Join(t.path, "."))
		}
	}
	if t.asJSON {
		data, err := json.Marshal(value)
		if err != nil {
			return "", err
		}
		out = string(data)
	}
	if strings.TrimSpace(out) == "" {
		return "", fmt.Errorf("%v renders nothing", t.path)
	}
	return t.prefix + out + t.suffix, nil
}
