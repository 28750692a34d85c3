package config

import (
	"bytes"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Lines returns the wiring as lines of a configuration file, for a tape. It leaves out keys
// without a value. It also leaves out hosts on the network, because they are private. It
// leaves out keyboards as well, because the name of a keyboard may contain a serial number,
// and a tape does not record keyboards.
func (w *Wiring) Lines() ([]string, error) {
	public := *w
	public.Keyboards = nil
	lines, err := public.Sections()
	return slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "host = ") }), err
}

// Sections returns the whole wiring as lines of a configuration file. It leaves out keys that
// have no value.
func (w *Wiring) Sections() ([]string, error) {
	var b bytes.Buffer
	encoder := toml.NewEncoder(&b)
	encoder.Indent = ""
	if err := encoder.Encode(w); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(strings.Split(b.String(), "\n"), func(line string) bool {
		_, value, _ := strings.Cut(line, " = ")
		return line == "" || slices.Contains([]string{`""`, "0", "false", `"0s"`}, value)
	}), nil
}

// ParseWiring parses lines that Lines has made. If a key is unknown, as in a tape of another
// version, ParseWiring fails. ParseWiring also fails if a channel has a number that is not a
// channel of a multiplexer.
func ParseWiring(lines []string) (*Wiring, error) {
	var w Wiring
	meta, err := toml.Decode(strings.Join(lines, "\n"), &w)
	if err != nil {
		return nil, err
	}
	if more := meta.Undecoded(); len(more) > 0 {
		return nil, Errorf("wiring", "this tape is of another version of tableside", "unknown key %s", more[0])
	}
	// The drivers refuse all other bad values; channels are used before any driver.
	for _, b := range w.Buses() {
		if b.Channel < 0 || b.Channel > 7 {
			return nil, Errorf("wiring: channel", "", "%d: a multiplexer has channels 0 to 7", b.Channel)
		}
	}
	return &w, nil
}
