package cardfile

import "tableside/engine"

// Titles completes the names of a card, by language field, with those of the
// other language: a card without a title in a language keeps the one it has.
func Titles(names map[string]string) map[engine.Lang]string {
	all := map[engine.Lang]string{}
	for _, lang := range engine.Languages {
		all[lang] = names[string(lang)]
		for _, other := range engine.Languages {
			if all[lang] == "" {
				all[lang] = names[string(other)]
			}
		}
	}
	return all
}
