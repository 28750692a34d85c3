package engine

import "time"

// Figures are the numbers that matches of a game leave behind for each seat, besides
// their results: what its events and views really say, such as how often somebody
// crushed the competition.
type Figures struct {
	Kinds []Figure
	// Count calls add for what an input brings. before is the outline before the input,
	// and elapsed the time since the input before it. An undo takes it all back.
	Count func(before *View, elapsed time.Duration, events []Event, add func(seat Seat, name string, n float64))
}

// A Figure is one of these numbers, said as the text "figure.<Name>".
type Figure struct {
	Name string
	Unit FigureUnit
	Best bool // only the greatest counts; else the sum
}

// A FigureUnit says how a figure is written.
type FigureUnit string

const (
	Times   FigureUnit = ""
	Seconds FigureUnit = "seconds"
	Luck    FigureUnit = "luck" // more or less than chance lets expect
)

// Join returns what a figure is after a further value.
func (f Figure) Join(was, n float64) float64 {
	if f.Best {
		return max(was, n)
	}
	return was + n
}
