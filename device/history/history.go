// Package history reads what the journals of a table hold. It returns every match with its
// players, scores, winner and duration, and statistics of the matches.
//
// The journals are the truth. The package keeps an index beside them, so that it need not read
// all of them again. If the index is missing or wrong, the package replaces the index. A
// separate log holds what no journal has: notes, other names of players, and which matches
// were deleted.
package history

import (
	"cmp"
	"encoding/json"
	"maps"
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
	Options map[string]string `json:"options,omitempty"` // the options that the players chose
	Begin   time.Time         `json:"begin"`
	Seconds int               `json:"seconds"` // of play, up to the last input
	State   string            `json:"state"`   // unfinished, finished, abandoned, damaged
	Reason  string            `json:"reason,omitempty"`
	French  string            `json:"french,omitempty"` // Reason in French, if known; see In
	Inputs  int               `json:"inputs"`
	Round   int               `json:"round,omitempty"`
	Counter string            `json:"counter,omitempty"` // by which the seats are compared
	Low     bool              `json:"low,omitempty"`     // whether the lowest value wins
	First   engine.Seat       `json:"first,omitempty"`   // who began
	Note    string            `json:"note,omitempty"`
	Deleted *time.Time        `json:"deleted,omitempty"` // when; zero: the log does not say; nil: not deleted
	Seats   []Player          `json:"seats"`             // the best first
}

// A Player holds the name of the player at a seat, and the result of that seat.
type Player struct {
	Seat    engine.Seat `json:"seat"`
	Name    string      `json:"name,omitempty"`
	Team    int         `json:"team,omitempty"` // from 1; 0 without teams
	Rank    int         `json:"rank,omitempty"` // from 1; 0 if the match cannot be replayed
	Won     bool        `json:"won,omitempty"`
	Value   int         `json:"value"` // of the counter
	Colour  string      `json:"colour,omitempty"`
	Turns   int         `json:"turns,omitempty"`   // that this seat had
	Turned  float64     `json:"turned,omitempty"`  // seconds in which it was this seat's turn
	Figures Figures     `json:"figures,omitempty"` // what the game counts besides
}

// Figures holds numbers by name. In JSON, Figures is an object. In memory it is a list,
// because a map would take five times the memory.
type Figures []NamedFigure

// A NamedFigure is the value of an [engine.Figure].
type NamedFigure struct {
	Name string
	N    float64
}

// Get returns the number that has the given name, and reports whether there is such a number.
func (f Figures) Get(name string) (n float64, has bool) {
	for _, one := range f {
		if one.Name == name {
			return one.N, true
		}
	}
	return 0, false
}

// MarshalJSON implements json.Marshaler.
func (f Figures) MarshalJSON() ([]byte, error) {
	m := make(map[string]float64, len(f))
	for _, one := range f {
		m[one.Name] = one.N
	}
	return json.Marshal(m)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Figures) UnmarshalJSON(text []byte) error {
	var m map[string]float64
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	*f = make(Figures, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		*f = append(*f, NamedFigure{name, m[name]})
	}
	return nil
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

// In returns the entry with its Reason in a language. If no French text of the reason is
// known, Reason stays as it is.
func (e Entry) In(lang engine.Lang) Entry {
	if lang == engine.French {
		e.Reason = cmp.Or(e.French, e.Reason)
	}
	e.French = ""
	return e
}

// lead returns the lead of player a over player b, in units of the counter. If a was behind,
// the lead is negative.
func (e Entry) lead(a, b Player) int {
	if e.Low {
		return b.Value - a.Value
	}
	return a.Value - b.Value
}

// areTeammates reports whether two players were in one team.
func areTeammates(a, b Player) bool { return a.Team > 0 && a.Team == b.Team }

// A History reads the matches of a data folder, and changes what is known of them. Its methods
// may be called from any goroutine.
type History struct {
	data  string
	games []engine.Game
	mu    sync.Mutex
}

// New returns the history of a data folder.
func New(data string, games []engine.Game) *History { return &History{data: data, games: games} }

// A Book holds all matches of a history, in the state they had when History.Read read them.
type Book struct {
	Matches []Entry // newest first
	Deleted []Entry // newest first
	Damage  error   // what is wrong with the log; nil if it is whole
}

// Read reads all matches into memory, also the deleted ones. See [History.Open].
func (h *History) Read() (Book, error) {
	r, err := h.Open()
	if err != nil {
		return Book{}, err
	}
	defer r.Close()
	b := Book{Matches: []Entry{}, Deleted: []Entry{}, Damage: r.Damage}
	same := newCommon()
	for which, list := range []*[]Entry{&b.Matches, &b.Deleted} {
		_ = r.visitFolder(which, false, func(e Entry) error {
			same.share(&e)
			*list = append(*list, r.tell(which, e))
			return nil
		})
	}
	return b, nil
}
