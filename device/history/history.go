// Package history tells what the journals of a table hold: every match with its players,
// scores, winner and duration, and statistics of them. The journals are the truth. An
// index beside them spares reading them all again; it is made anew where it is missing or
// wrong. What no journal can tell is in a log of its own: notes, other names of players,
// and which matches were deleted.
package history

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"tableside/engine"
)

// An Entry sums up a match as far as its journal can be replayed.
type Entry struct {
	ID      string            `json:"id"`
	Table   string            `json:"table,omitempty"` // where it was played, in a hall
	Game    string            `json:"game"`
	Options map[string]string `json:"options,omitempty"` // those that the players chose
	Begin   time.Time         `json:"begin"`
	Seconds int               `json:"seconds"` // of play, up to the last input
	State   string            `json:"state"`   // unfinished, finished, abandoned, damaged
	Reason  string            `json:"reason,omitempty"`
	French  string            `json:"french,omitempty"` // the same in French, where it is known; see In
	Inputs  int               `json:"inputs"`
	Round   int               `json:"round,omitempty"`
	Counter string            `json:"counter,omitempty"` // by which the seats are compared
	Low     bool              `json:"low,omitempty"`     // whether the least of it wins
	First   engine.Seat       `json:"first,omitempty"`   // who began
	Note    string            `json:"note,omitempty"`
	Deleted *time.Time        `json:"deleted,omitempty"` // when
	Seats   []Player          `json:"seats"`             // the best first
}

// A Player is who sat at a seat, and how it did.
type Player struct {
	Seat    engine.Seat        `json:"seat"`
	Name    string             `json:"name,omitempty"`
	Team    int                `json:"team,omitempty"` // from 1; 0 without teams
	Rank    int                `json:"rank,omitempty"` // from 1; 0 if the match cannot be replayed
	Won     bool               `json:"won,omitempty"`
	Value   int                `json:"value"` // of the counter
	Colour  string             `json:"colour,omitempty"`
	Turns   int                `json:"turns,omitempty"`   // that this seat had
	Turned  float64            `json:"turned,omitempty"`  // seconds in which it was its turn
	Figures map[string]float64 `json:"figures,omitempty"` // what the game counts besides
}

// Winners returns the seats that won.
func (e Entry) Winners() []engine.Seat {
	var seats []engine.Seat
	for _, p := range e.Seats {
		if p.Won {
			seats = append(seats, p.Seat)
		}
	}
	return seats
}

// In returns the entry with its reason in a language.
func (e Entry) In(lang engine.Lang) Entry {
	if lang == engine.French {
		e.Reason = cmp.Or(e.French, e.Reason)
	}
	e.French = ""
	return e
}

// ahead returns by how much of the counter a player was ahead of another.
func (e Entry) ahead(a, b Player) int {
	if e.Low {
		return b.Value - a.Value
	}
	return a.Value - b.Value
}

// together reports whether two players were in one team.
func together(a, b Player) bool { return a.Team > 0 && a.Team == b.Team }

// A History reads the matches of a data folder, and changes what is known of them. Its
// methods may be called at the same time.
type History struct {
	data  string
	games []engine.Game
	mu    sync.Mutex
}

// New returns the history of a data folder.
func New(data string, games []engine.Game) *History { return &History{data: data, games: games} }

// A Book is a history as it was read.
type Book struct {
	Matches []Entry // newest first
	Deleted []Entry // newest first
	Damage  error   // what is wrong with the log; nil if it is whole

	games []engine.Game
	typed []Person // the names as players typed them, in deleted matches too
	names map[string]string
}

// Read reads the matches, newest first. It reads the journals that the index does not
// know as they are now, and those that can still be played, and writes the index if it
// has changed; an index that cannot be written costs time only.
func (h *History) Read() (Book, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.read()
}

func (h *History) read() (Book, error) {
	all, err := h.entries()
	if err != nil {
		return Book{}, err
	}
	said, err := readLog(h.data)
	if err != nil {
		return Book{}, err
	}
	b := Book{Deleted: []Entry{}, Damage: said.damage, games: h.games, names: said.shown()}
	b.typed = people(slices.Concat(all[kept], all[deleted]))
	b.Matches = append([]Entry{}, all[kept]...)
	for i, e := range b.Matches {
		b.Matches[i] = said.tell(e, b.names)
	}
	for _, e := range all[deleted] {
		e = said.tell(e, b.names)
		e.Deleted = new(time.Time)
		if at, known := said.deleted[e.ID]; known {
			e.Deleted = &at.at
		}
		b.Deleted = append(b.Deleted, e)
	}
	return b, nil
}

// newestFirst sorts matches. Their names are moments.
func newestFirst(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(b.ID, a.ID) })
}
