package shelf

import (
	"slices"

	"tableside/engine"
)

// demoDefaults holds the defaults of options that differ at a simulated table: made-up stand-ins
// fill missing card data, and the program deals the cards.
var demoDefaults = map[string]string{"data": "stand-in", "guide": "off"}

// ForDemo returns the games with the defaults in demoDefaults. An option that does not have such a
// value keeps its own default.
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
