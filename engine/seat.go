package engine

// A Seat is a player's place at the table, named by its colour.
type Seat string

// Table is the pseudo-seat for the readers, keys and cards that players share. It stands for
// nobody or for everybody.
const Table Seat = "table"

// UsualSeats lists the seats to use if no others are chosen. The colours of the games' boxes
// come first.
var UsualSeats = []Seat{"red", "blue", "yellow", "green", "white", "black", "orange", "purple"}

// seatColours maps the colour names on the boxes to colours that people can distinguish with
// any colour vision.
var seatColours = map[Seat]string{
	"red": "#d7263d", "blue": "#1b6ec2", "yellow": "#f2b705", "green": "#1a936f",
	"white": "#e8e6e1", "black": "#3a3a44", "orange": "#f46036", "purple": "#7b4fb5",
}

// otherColours holds the colours for seats of any other name, clockwise.
var otherColours = []string{"#d7263d", "#1b6ec2", "#f2b705", "#1a936f", "#7b4fb5", "#f46036", "#3a3a44", "#e8e6e1"}

// Colour returns the colour of a seat in the form #rrggbb. A seat whose name is a known colour
// has this colour. Any other seat has a colour that depends on its place. The places are
// counted clockwise, from 0.
func Colour(seat Seat, place int) string {
	if c := seatColours[seat]; c != "" {
		return c
	}
	return otherColours[place%len(otherColours)]
}
