package cardgame

import (
	"cmp"
	"fmt"
	"math/bits"

	"tableside/engine"
)

// A Place is a place where a card lies, or a set of places where a card may lie.
//
// The places of the first seat are the lowest bits. The places of each further seat are higher
// by the number of places of a seat. The places of the table begin at bit FirstOfTable. So
// there is room for 48 places of seats and 16 places of the table.
type Place uint64

// FirstOfTable is the number of the bit for the first place of the table.
const FirstOfTable = 48

// bitCount is the greatest number of places that a Place can hold.
const bitCount = 64

func (p Place) single() bool { return p != 0 && p&(p-1) == 0 }

func (p Place) bit() int { return bits.TrailingZeros64(uint64(p)) }

// Sight describes what the table sees of the cards in a place.
type Sight uint8

const (
	Open    Sight = iota // everybody sees them
	Hidden               // they are counted but not named
	Mixed                // some are hidden; a card that is put there by name is seen by all
	Sorted               // hidden and counted; no other cards can lie there, so there is no doubt
	Outside              // they are hidden and not counted: out of this match
)

// Spot describes a place.
type Spot struct {
	Name      string // in corrections and refusals: "zone.<Name>" in the catalogue
	EventName string // if events count the place as part of another; "" for Name
	TapKey    string // key of the answer that offers a hidden card of it; "" for "tap-hand"
	Sight     Sight
}

// Spots describes the places of a game.
type Spots struct {
	Seat  []Spot // of each seat
	Table []Spot // of the table

	// Eager makes the table count cards whenever a card is named. The table then draws
	// conclusions for all places together. If Eager is false, the table counts cards when
	// hidden cards have moved, and draws conclusions for one place after the other. Both ways
	// are right about a table without mistakes, but they do not reach the same conclusions at
	// the same moment. So a game must keep the way with which its journals were written.
	Eager bool
}

// Layout holds the places of a game for its seats. Matches share it.
type Layout struct {
	*Spots
	seats   []engine.Seat
	names   []string // as events call them, by index
	secret  Place    // places where a card may lie unseen
	counted Place    // the secret places whose cards are counted
	hidden  Place    // places whose cards are offered for a tap without their names
}

// At returns the layout of a match. If the game has more places than a Place can hold, At
// panics.
func (s *Spots) At(setup engine.Setup) *Layout {
	if n := len(setup.Seats) * len(s.Seat); n > FirstOfTable || len(s.Table) > bitCount-FirstOfTable {
		panic(fmt.Sprintf("cardgame: the seats have %d places and the table %d; there is room for %d and %d",
			n, len(s.Table), FirstOfTable, bitCount-FirstOfTable))
	}
	l := &Layout{Spots: s}
	for i, p := range setup.Seats {
		l.seats = append(l.seats, p.Seat)
		for j := range s.Seat {
			l.add(&s.Seat[j], p.Seat, 1<<(i*len(s.Seat)+j))
		}
	}
	for j := range s.Table {
		l.add(&s.Table[j], "", 1<<(FirstOfTable+j))
	}
	return l
}

func (l *Layout) add(spot *Spot, seat engine.Seat, z Place) {
	name := cmp.Or(spot.EventName, spot.Name)
	if seat != "" {
		name = string(seat) + "/" + name
	}
	l.names = append(l.names, name)
	switch spot.Sight {
	case Hidden, Mixed:
		l.secret, l.counted, l.hidden = l.secret|z, l.counted|z, l.hidden|z
	case Sorted:
		l.hidden |= z
	case Outside:
		l.secret |= z
	}
}

func (l *Layout) index(z Place) int {
	bit := z.bit()
	if bit >= FirstOfTable {
		bit += len(l.seats)*len(l.Seat) - FirstOfTable
	}
	return bit
}

func (l *Layout) spot(z Place) *Spot {
	bit := z.bit()
	if bit >= FirstOfTable {
		return &l.Table[bit-FirstOfTable]
	}
	return &l.Seat[bit%len(l.Seat)]
}

// Name returns the name of a place in events, or "" for a set of places.
func (l *Layout) Name(z Place) string {
	if !z.single() {
		return ""
	}
	return l.names[l.index(z)]
}

// SeatPlace returns a place of the first seat, given the name of the place. Games shift this
// place to the other seats. If the name is unknown, the result is 0.
func (s *Spots) SeatPlace(name string) Place { return find(s.Seat, name) }

// TablePlace returns the table's place with a name, or 0.
func (s *Spots) TablePlace(name string) Place { return find(s.Table, name) << FirstOfTable }

func find(spots []Spot, name string) Place {
	for i := range spots {
		if spots[i].Name == name {
			return 1 << i
		}
	}
	return 0
}
