// Command draw makes the drawings and the tables of docs/hardware.md from the example
// configurations, so that they cannot differ.
//
//	go run ./docs/hardware/draw     in the repository
//
// The list of drawings adds what a configuration does not say: the model of the Raspberry Pi, the
// side of each part, and the source of its power.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

// A drawing describes one picture.
type drawing struct {
	File, Title, Board string            // File is the name of the configuration and of the picture
	left, right        []string          // parts from top to bottom, as wiring.part names them
	pins               map[string][2]int // of the header, for power on the left and on the right
}

var drawings = []drawing{
	{
		File: "two-seats", Title: "Two seats", Board: "Raspberry Pi Zero 2 W",
		left: []string{"keys red", "lights", "keys blue"}, right: []string{"reader red", "reader blue", "panel"},
		pins: map[string][2]int{"3.3 V": {17, 17}, "5 V": {4, 4}, "GND": {9, 14}},
	},
	{
		File: "four-seats", Title: "Four seats", Board: "Raspberry Pi 4 or 5",
		left: []string{"lights from 5 V supply", "supply from 5 V supply", "reader red from 3.3 V regulator",
			"reader blue from 3.3 V regulator", "knob"},
		right: []string{"reader yellow from 3.3 V regulator", "reader green from 3.3 V regulator",
			"regulator from 3.3 V regulator", "panel"},
		pins: map[string][2]int{"3.3 V": {17, 17}, "5 V": {2, 2}, "GND": {25, 14}},
	},
	{
		File: "one-reader", Title: "One reader", Board: "Any Raspberry Pi",
		left: []string{"reader middle"}, right: []string{"keys"},
		pins: map[string][2]int{"3.3 V": {17, 17}, "GND": {25, 14}},
	},
	{
		File: "lights-only", Title: "Lights only", Board: "Any Raspberry Pi",
		left: []string{"lights from 5 V supply", "supply from 5 V supply"},
		pins: map[string][2]int{"GND": {25}},
	},
}

func main() {
	files, err := draw("docs")
	for name, text := range files {
		err = errors.Join(err, os.WriteFile(name, []byte(text), 0o644))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// draw returns the page with its tables, and the pictures, by their names.
func draw(docs string) (map[string]string, error) {
	page := filepath.Join(docs, "hardware.md")
	text, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	files := map[string]string{page: string(text)}
	for _, d := range drawings {
		p, err := d.plan(docs)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.File, err)
		}
		place := regexp.MustCompile("(?s)(<!-- draw " + d.File + " -->\n).*?(<!-- end -->)")
		files[page] = place.ReplaceAllString(files[page], "${1}"+p.fill(table)+"$2")
		files[filepath.Join(docs, "hardware", d.File+".svg")] = p.fill(picture)
	}
	return files, nil
}

// fill fills one of these templates, whose mistakes are those of this program.
func (p *plan) fill(text string) string {
	var b strings.Builder
	add := func(a, b float64) float64 { return a + b }
	t := template.Must(template.New("").Funcs(template.FuncMap{"add": add, "upper": strings.ToUpper}).Parse(text))
	template.Must(t, t.Execute(&b, p))
	return b.String()
}
