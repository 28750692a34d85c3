package shelf

import (
	"slices"

	"tableside/engine"
)

// demoDefaults maps the names of options to their defaults at a simulated table. With these
// defaults, made-up stand-ins fill in missing card data, and the program deals the cards.
var demoDefaults = map[string]string{"data": "stand-in", "guide": "off"}

// ForDemo returns the games with the defaults in demoDefaults. If an option cannot have the
// value in demoDefaults, the option keeps its own default.
func (l List) ForDemo() List {
	var all List
	for _, g := range l {
		info := g.Info()
		info.Options = slices.Clone(info.Options)
		for i, o := range info.Options {
			if value, ok := demoDefaults[o.Name]; ok && slices.Contains(o.Values, value) {
				info.Options[i].Default = value
			}
		}
		all = append(all, demoGame{g, info})
	}
	return all
}

// demoGame is a game with the defaults of a simulated table.
type demoGame struct {
	engine.Game
	info engine.Info
}

func (g demoGame) Info() engine.Info { return g.info }
