package engine

import "time"

// Figures are the numbers that matches of a game leave behind for each seat, besides their
// results. They count what events and views really say, such as how often somebody crushed the
// competition.
type Figures struct {
	Kinds []Figure
	// Count calls add for what an input brings. before is the outline before the input,
	// and elapsed the time since the previous input. An undo takes back all that was added.
	Count func(before *View, elapsed time.Duration, events []Event, add func(seat Seat, name string, n float64))
}

// A Figure describes one of the Figures, said as the text "figure.<Name>".
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
	Luck    FigureUnit = "luck" // above or below what chance predicts
)

// Join adds the value n to the value so far: it returns the greater of the two if Best, else
// their sum.
func (f Figure) Join(was, n float64) float64 {
	if f.Best {
		return max(was, n)
	}
	return was + n
}
