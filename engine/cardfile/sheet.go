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

// A Sheet describes one kind of card. The catalogue has the title of the card under the key
// "card.<ID>".
type Sheet struct {
	ID      string
	Lines   []engine.Text // what it is and does
	StandIn bool          // made up, at least in part
	Copies  int           // in the box
	Set     string        // which of a game's boxes has it; "" if the game has one box
	Gaps    []string      // fields whose value is unknown
	Slot    bool          // a card of the box that nobody has named
}

// Titles returns the title of a card in each language. If a title is missing in one language,
// Titles takes the title in another language.
func Titles(titles engine.Wording) engine.Wording {
	return engine.Worded(func(lang engine.Lang) string {
		title := titles.In(lang)
		for _, other := range engine.Languages {
			title = cmp.Or(title, titles.In(other))
		}
		return title
	})
}
