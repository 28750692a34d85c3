package mindbug

import (
	"strings"
)

// EffectsOnCreatures writes every effect that names creatures, for as many as
// it takes.
func EffectsOnCreatures() []string {
	var all []string
	for _, f := range effects {
		for _, count := range f.counts {
			what := Creatures{Count: count, Most: 2}
			all = append(all, strings.NewReplacer("<creatures>", what.String(), "<cards>", "2 cards").Replace(effectForms.Write(f.does)))
		}
	}
	return all
}
