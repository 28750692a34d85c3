package cardfile

import (
	"cmp"

	"tableside/engine"
)

// Cards describes the cards in a game's box.
type Cards struct {
	Words  engine.Words // all texts of the sheets and gaps
	Sheets []Sheet      // in printed order
	Gaps   []engine.Text
}

// A Sheet describes one kind of card. Its title is card.<ID>.
type Sheet struct {
	ID      string
	Lines   []engine.Text // what it is and does
	StandIn bool          // made up, at least in part
	Copies  int           // in the box
}

// Titles returns the title of a card in each language, given its names by
// language field. A missing title is that of another language.
func Titles(names map[string]string) map[engine.Lang]string {
	all := map[engine.Lang]string{}
	for _, lang := range engine.Languages {
		all[lang] = names[string(lang)]
		for _, other := range engine.Languages {
			all[lang] = cmp.Or(all[lang], names[string(other)])
		}
	}
	return all
}
