package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Lines returns the wiring as lines of a configuration file, for a tape. It leaves out keys
// without a value. It also leaves out hosts on the network, because they are private. It
// leaves out keyboards as well, because the name of a keyboard may contain a serial number,
// and a tape does not record keyboards.
func (w *Wiring) Lines() []string {
	public := *w
	public.Keyboards = nil
	return slices.DeleteFunc(public.Sections(), func(line string) bool { return strings.HasPrefix(line, "host = ") })
}

// Sections returns the whole wiring as lines of a configuration file. It leaves out keys that
// have no value.
func (w *Wiring) Sections() []string {
	var lines []string
	for _, p := range w.Parts() {
		head := "[" + Section(p) + "]"
		if sectionOf(p).Type.Kind() == reflect.Slice {
			head = "[" + head + "]"
		}
		lines = append(append(lines, head), settings(reflect.ValueOf(p).Elem())...)
	}
	return lines
}

func settings(section reflect.Value) []string {
	var lines []string
	for _, f := range fieldsOf(section.Type()) {
		value := section.FieldByIndex(f.Index)
		if value.IsZero() {
			continue
		}
		text := fmt.Sprintf("%#v", reflect.Indirect(value))
		if keys, ok := value.Interface().(map[string]string); ok {
			var pairs []string
			for _, name := range slices.Sorted(maps.Keys(keys)) {
				pairs = append(pairs, fmt.Sprintf("%q = %q", name, keys[name]))
			}
			text = "{ " + strings.Join(pairs, ", ") + " }"
		}
		lines = append(lines, f.Tag.Get("toml")+" = "+text)
	}
	return lines
}

// ParseWiring parses lines that Lines has made. If a key is unknown, as in a tape of another
// version, ParseWiring fails. ParseWiring also fails if a channel has a number that is not a
// channel of a multiplexer.
func ParseWiring(lines []string) (*Wiring, error) {
	var w Wiring
	if faults := decode("", strings.Join(lines, "\n"), &w); len(faults) > 0 {
		return nil, faults.err()
	}
	// The drivers refuse all other bad values; channels are used before any driver.
	for _, b := range w.Buses() {
		if b.Channel < 0 || b.Channel > 7 {
			return nil, Errorf("wiring: channel", "", "%d: a multiplexer has channels 0 to 7", b.Channel)
		}
	}
	return &w, nil
}
