package cardfile

import (
	"cmp"

	"tableside/engine"
)

// Cards are what a game knows of the cards in its box.
type Cards struct {
	Words  engine.Words // all that is said of them
	Sheets []Sheet      // in printed order
	Gaps   []engine.Text
}

// A Sheet is one kind of card. Its title is card.<ID>.
type Sheet struct {
	ID      string
	Lines   []engine.Text // what it is and does
	StandIn bool          // made up, at least in part
	Copies  int           // in the box
}

// Titles completes the names of a card with those of the other language: a card without a title in a language keeps the one it has.
func Titles(names engine.Wording) engine.Wording {
	return engine.Worded(func(lang engine.Lang) string {
		title := names.In(lang)
		for _, other := range engine.Languages {
			title = cmp.Or(title, names.In(other))
		}
		return title
	})
}
