package shelf

import (
	"tableside/engine"
	"tableside/engine/cardfile"
)

// A Sheet describes one kind of card in words that players read.
type Sheet struct {
	ID      string   `json:"card"`
	Name    string   `json:"name"`
	Lines   []string `json:"lines"` // what it is and does
	StandIn bool     `json:"stand_in"`
	Copies  int      `json:"copies"` // in the box
	Set     string   `json:"-"`      // which of a game's boxes has it
}

// InWords describes the cards of a box in words. gaps describes the values that nobody has
// entered yet.
func InWords(cards cardfile.Cards, lang engine.Lang) (sheets []Sheet, gaps []string) {
	words := engine.Merge(engine.CoreWords(), cards.Words)
	say := func(t engine.Text) string { return words.Say(lang, t, nil) }
	for _, s := range cards.Sheets {
		sheet := Sheet{ID: s.ID, Name: say(engine.T("card." + s.ID)), StandIn: s.StandIn, Copies: s.Copies,
			Set: s.Set}
		for _, line := range s.Lines {
			sheet.Lines = append(sheet.Lines, say(line))
		}
		sheets = append(sheets, sheet)
	}
	for _, gap := range cards.Gaps {
		gaps = append(gaps, say(gap))
	}
	return sheets, gaps
}
