package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/device"
)

// SetupFile is the name of the setup file in the data folder. The setup file holds the parts
// that were set up on the page. The program writes this file. The file has only the sections
// of Wiring.
const SetupFile = "setup.toml"

const setupHead = `# The parts that were set up on the page /setup. The table writes this file.
# To write parts by hand, use the configuration file: it wins over this one.
`

// setupFile returns the path of the setup file of this table.
func (c *Config) setupFile() string { return filepath.Join(c.Table.Data, SetupFile) }

// loadSetup adds the parts of the setup file to the wiring. If the file cannot be read,
// loadSetup sets SetupError and leaves the file as it is. The table starts nevertheless.
func (c *Config) loadSetup() {
	c.FileWiring = c.Wiring
	file := c.setupFile()
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		c.SetupError = &Error{File: file, Reason: Reason(err), Hint: "only the table's own user may read it"}
		return
	}
	var setup Wiring
	if err := decode(file, string(data), &setup); err != nil {
		c.SetupError = err
		return
	}
	c.Setup, c.HasSetup = setup, true
	c.Wiring, c.LeftOut = c.Merged(setup)
}

// Merged returns the wiring of the configuration file together with the parts of a setup.
// Merged leaves out a part of the setup if the part has a mistake. It also leaves out a part
// that conflicts with a part of the configuration file, because the file wins. For each part
// that it left out, Merged returns an error.
func (c *Config) Merged(setup Wiring) (Wiring, []error) {
	merged, left := c.FileWiring, []error(nil)
	merged.Pi5 = c.Pi5
	for _, add := range setup.partAdders() {
		with := merged
		err := add(&with)
		if err == nil {
			err = with.check(c.Seats())
		}
		if err != nil {
			left = append(left, err)
			continue
		}
		merged = with
	}
	return merged, left
}

// partAdders returns one function for each part of the wiring. Each function adds a copy of
// its part to another wiring. A wiring may have only one panel, one strip and one buzzer. The
// function for such a part fails if the other wiring already has one.
func (w *Wiring) partAdders() []func(*Wiring) error {
	var all []func(*Wiring) error
	addEach(&all, w.Readers, func(to *Wiring) *[]Reader { return &to.Readers })
	addEach(&all, w.Keys, func(to *Wiring) *[]Key { return &to.Keys })
	addEach(&all, w.Encoders, func(to *Wiring) *[]Encoder { return &to.Encoders })
	addEach(&all, w.Keyboards, func(to *Wiring) *[]Keyboard { return &to.Keyboards })
	addEach(&all, w.Screens, func(to *Wiring) *[]Screen { return &to.Screens })
	addOnly(&all, "panel", w.Panel, func(to *Wiring) **Panel { return &to.Panel })
	addOnly(&all, "lights", w.Lights, func(to *Wiring) **Lights { return &to.Lights })
	addOnly(&all, "buzzer", w.Buzzer, func(to *Wiring) **Buzzer { return &to.Buzzer })
	return all
}

func addEach[T any](all *[]func(*Wiring) error, parts []T, list func(*Wiring) *[]T) {
	for _, part := range parts {
		*all = append(*all, func(to *Wiring) error {
			*list(to) = append(slices.Clone(*list(to)), part) // cloned: check fills in defaults in it
			return nil
		})
	}
}

func addOnly[T any](all *[]func(*Wiring) error, who string, part *T, field func(*Wiring) **T) {
	if part == nil {
		return
	}
	*all = append(*all, func(to *Wiring) error {
		if *field(to) != nil {
			return Errorf(who, "", "the configuration file has one already")
		}
		own := *part
		*field(to) = &own
		return nil
	})
}

// NothingSetUp reports whether nobody has said yet what this table has. It is true if the
// configuration file names no part, no match and no broker, and if there is no setup file.
func (c *Config) NothingSetUp() bool {
	return !c.HasSetup && len(c.FileWiring.Claims()) == 0 && c.Game.Name == "" && !c.MQTT.hasBroker()
}

// SaveSetup replaces the setup file. After a power cut, the file has either its old content or
// its new content, and is never incomplete.
func (c *Config) SaveSetup(w Wiring) error {
	lines, err := w.Sections()
	if err != nil {
		return err
	}
	return device.ReplacePrivate(c.setupFile(), setupHead+strings.Join(lines, "\n")+"\n")
}
