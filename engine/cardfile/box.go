package cardfile

import "tableside/engine"

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
