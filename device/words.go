package device

import (
	_ "embed"
	"slices"

	"tableside/engine"
)

//go:embed words.txt
var words string

// Words returns the texts of the table itself, which belong to no game.
func Words() engine.Words { return engine.MustWords("device/words.txt", words) }

// wordsOf returns the words of the table while a game is played or being chosen. These are the
// table's own words, the titles and editions of every game, those of presets, and all words of the game with this
// name. While no game has been chosen, the name is "".
func wordsOf(games []engine.Info, name string) engine.Words {
	all := engine.Merge(engine.CoreWords(), Words())
	for _, g := range games {
		for _, key := range []string{string(titleWord(g.Name)), "edition." + engine.Edition(g.Name)} {
			if g.Words.Has(key) {
				all[key] = g.Words[key]
			}
		}
		for _, p := range g.Presets {
			all["preset."+p.Name] = p.Wording()
		}
	}
	if i := slices.IndexFunc(games, func(g engine.Info) bool { return g.Name == name }); i >= 0 {
		all = engine.Merge(all, games[i].Words)
	}
	return all
}

func titleWord(game string) engine.Word {
	return engine.Word("game." + engine.Title(game))
}
