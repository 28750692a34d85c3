package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tableside/device/disk"
)

// SetupFile is the name of the setup file in the data folder. The setup file holds the parts
// that were set up on the page. The program writes this file. The file has only the sections
// of Wiring.
const SetupFile = "setup.toml"

const setupHead = `# The parts that were set up on the page /setup. The table writes this file.
# To write parts by hand, use the configuration file: it wins over this one.
`

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
	if len(data) == 0 { // SaveSetup never leaves it so
		c.SetupError = &Error{File: file, Reason: "the file is empty"}
		return
	}
	var setup Wiring
	if faults := decode(file, string(data), &setup); len(faults) > 0 {
		c.SetupError = faults.err()
		return
	}
	c.Setup, c.HasSetup = setup, true
	c.Wiring, c.LeftOut = c.Merged(setup)
}

// Merged returns the wiring of the configuration file together with the parts of a setup.
// Merged leaves out a part of the setup if the part has a mistake. It also leaves out a part
// that conflicts with a part of the configuration file, because the file wins. Merged returns
// every mistake of the parts that it left out.
func (c *Config) Merged(setup Wiring) (Wiring, Errors) {
	merged, left := c.FileWiring.Clone(), Errors(nil)
	merged.Pi5 = c.Pi5
	own := setup.Clone() // the check fills in defaults
	for _, p := range own.Parts() {
		var faults Errors
		if checkPart(&faults, p, c.Seats()); len(faults) > 0 {
			left = append(left, faults...)
			continue
		}
		with := merged
		if second, ok := errors.AsType[*Error](with.Add(p)); ok {
			faults = Errors{second}
		} else {
			with.check(&faults, c.Seats())
		}
		if len(faults) > 0 { // one clash is often told of several pins
			faults[0].Hint = "the configuration file wins; remove one of the two"
			left = append(left, faults[0])
			continue
		}
		merged = with
	}
	return merged, left
}

// NothingSetUp reports whether nobody has said yet what this table has. It is true if the
// configuration file names no part, no match and no broker, and if there is no setup file.
func (c *Config) NothingSetUp() bool {
	return !c.HasSetup && len(c.FileWiring.Claims()) == 0 && c.Game.Name == "" && !c.MQTT.hasBroker()
}

// SaveSetup replaces the setup file. After a power cut, the file has either its old content or
// its new content, and is never incomplete.
func (c *Config) SaveSetup(w Wiring) error {
	return disk.ReplacePrivate(c.setupFile(), setupHead+strings.Join(w.Sections(), "\n")+"\n")
}
