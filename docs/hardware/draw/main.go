// Command draw makes the drawings of docs/hardware.md. There is one drawing for each example
// table. The drawing is made from the configuration of the table, so that the two cannot
// differ.
//
//	go run ./docs/hardware/draw     in the repository
//
// The command writes docs/hardware/*.svg, and the tables in docs/hardware.md.
//
// A drawing also shows things that a configuration does not say: the model of the Raspberry
// Pi, the side of each part, and the source of its power. The list of drawings below adds
// them.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"
)

// A drawing describes one picture.
type drawing struct {
	file  string // of the configuration and of the picture
	title string
	board string

	left, right []string // parts from top to bottom, as wiring.part names them

	// These are the numbers of the header's pins from which power comes. 0 means no pin.
	v33, v5, groundLeft, groundRight int

	regulator string // the side with a regulator that feeds the readers, or ""
	supply    string // the side with a supply that feeds the strip, or ""
	buses     []string
}

var drawings = []drawing{
	{
		file: "two-seats", title: "Two seats", board: "Raspberry Pi Zero 2 W",
		left: []string{"keys red", "lights", "keys blue"}, right: []string{"reader red", "reader blue", "panel"},
		v33: 17, v5: 4, groundLeft: 9, groundRight: 14,
		buses: []string{"SPI0", "SPI1"},
	},
	{
		file: "four-seats", title: "Four seats", board: "Raspberry Pi 4 or 5",
		left:  []string{"lights", "supply", "reader red", "reader blue", "knob"},
		right: []string{"reader yellow", "reader green", "regulator", "panel"},
		v33:   17, v5: 2, groundLeft: 25, groundRight: 14,
		regulator: "right", supply: "left",
		buses: []string{"SPI0", "SPI1", "SPI5"},
	},
	{
		file: "one-reader", title: "One reader", board: "Any Raspberry Pi",
		left: []string{"reader middle"}, right: []string{"keys"},
		v33: 17, groundLeft: 25, groundRight: 14,
		buses: []string{"SPI0"},
	},
	{
		file: "lights-only", title: "Lights only", board: "Any Raspberry Pi",
		left:       []string{"lights", "supply"},
		groundLeft: 25, supply: "left",
		buses: []string{"SPI0"},
	},
}

func main() {
	if err := drawAll("docs"); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

func drawAll(docs string) error {
	page := filepath.Join(docs, "hardware.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for _, d := range drawings {
		plan, err := d.read(docs)
		if err != nil {
			return fmt.Errorf("%s: %w", d.file, err)
		}
		if text, err = plan.tabulate(text); err != nil {
			return err
		}
		if err := os.WriteFile(d.picture(docs), plan.svg(), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(page, text, 0o644)
}

func (d *drawing) picture(docs string) string {
	return filepath.Join(docs, "hardware", d.file+".svg")
}

// read reads the configuration of the drawing, in the folder docs, and returns the plan for
// it.
func (d *drawing) read(docs string) (*plan, error) {
	var w wiring
	if _, err := toml.DecodeFile(filepath.Join(docs, "examples", d.file+".toml"), &w); err != nil {
		return nil, err
	}
	return d.plan(&w)
}
