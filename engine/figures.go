package engine

import "time"

// A Figures describes the statistics that a game keeps about each seat. The results of matches
// are not among the figures. Figures count only what events and views say, such as how often a
// player crushed the competition.
type Figures struct {
	Kinds []Figure
	// Count is called after each input but an undo, with the events that the input led to. It
	// calls add with each number n that is to be joined to a figure of a seat: name is the
	// figure's Name, and Figure.Join joins them. before is the View of the match before the
	// input, and elapsed the time since the previous input. An undo takes back the numbers
	// that the undone input added.
	Count func(before *View, elapsed time.Duration, events []Event, add func(seat Seat, name string, n float64))
}

// A Figure describes one of the statistics. People read its title from the catalogue, under
// the key "figure.<Name>".
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

// Join combines the current value of a figure with a new value n. If f.Best is true, Join
// returns the greater value. Otherwise it returns the sum.
func (f Figure) Join(current, n float64) float64 {
	if f.Best {
		return max(current, n)
	}
	return current + n
}
