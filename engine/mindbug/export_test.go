package mindbug

import (
	"strings"

	"tableside/engine/cardfile"
)

// EffectsOnCreatures writes every effect that names creatures, for as many as
// it takes.
func EffectsOnCreatures() []string {
	var all []string
	for _, f := range effects {
		for _, count := range f.counts {
			what := Creatures{Count: count, Most: 2}
			all = append(all, strings.NewReplacer("<creatures>", what.String(), "<cards>", "2 cards").Replace(cardfile.Written(effectForms, f.does)))
		}
	}
	return all
}
