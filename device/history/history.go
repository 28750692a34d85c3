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
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tableside/engine"
)

// An Entry sums up a match as far as its journal can be replayed.
type Entry struct {
	ID      string            `json:"id"`
	Table   string            `json:"table,omitempty"` // where it was played, in a hall
	Game    string            `json:"game"`
	Preset  string            `json:"preset,omitempty"`  // of a score sheet: which game it was
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
	Again   bool              `json:"again,omitempty"`   // it went on from a moment of another match
	Note    string            `json:"note,omitempty"`
	Deleted *time.Time        `json:"deleted,omitempty"` // when; zero: the log does not say; nil: not deleted
	Seats   []Player          `json:"seats"`             // the best first

	Imported string `json:"imported,omitempty"` // the import that brought it; it has no journal
	Source   string `json:"source,omitempty"`   // of an imported match: its identity where it came from
}

// identity returns what Board Game Stats knows the match by.
func (e Entry) identity() string { return cmp.Or(e.Source, identity("play", e.ID)) }

// A Player holds the name of the player at a seat, and the result of that seat.
type Player struct {
	Seat    engine.Seat        `json:"seat"`
	Name    string             `json:"name,omitempty"`
	Team    int                `json:"team,omitempty"` // from 1; 0 without teams
	Rank    int                `json:"rank,omitempty"` // from 1; 0 if the match cannot be replayed
	Won     bool               `json:"won,omitempty"`
	Value   int                `json:"value"` // of the counter
	Colour  string             `json:"colour,omitempty"`
	Turns   int                `json:"turns,omitempty"`   // that this seat had
	Turned  float64            `json:"turned,omitempty"`  // seconds in which it was this seat's turn
	Figures map[string]float64 `json:"figures,omitempty"` // what the game counts besides
	Race    []int              `json:"race,omitempty"`    // the counter at ten moments, if there is one

	Computer string `json:"computer,omitempty"` // how strong the table itself played; "" for people
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

// counts reports whether a match counts in statistics: people have played all of it to its end.
func (e Entry) counts() bool {
	return e.State == "finished" && !e.Again && !slices.ContainsFunc(e.Seats, func(p Player) bool { return p.Computer != "" })
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

// In returns the entries with their reasons in a language.
func In(entries []Entry, lang engine.Lang) []Entry {
	all := make([]Entry, len(entries))
	for i, e := range entries {
		all[i] = e.In(lang)
	}
	return all
}

func (e Entry) lead(a, b Player) int {
	if e.Low {
		return b.Value - a.Value
	}
	return a.Value - b.Value
}

func areTeammates(a, b Player) bool { return a.Team > 0 && a.Team == b.Team }

// ErrInUse says that the table still writes the journal of a match.
var ErrInUse = errors.New("the match is on the table")

// ErrUnchanged says that a function has left the files of a match as they were.
var ErrUnchanged = errors.New("nothing has changed")

// A History reads the matches of a data folder, and changes what is known of them. Its methods
// may be called from any goroutine.
type History struct {
	// Rewrite must call a function that replaces, moves or removes the journal of a match, once
	// nobody else uses the journal: device.Table.Rewrite does. That of New is for a folder without a
	// table.
	Rewrite func(ctx context.Context, match string, change func(waits bool) error) error

	Lang engine.Lang // of the reasons in infos

	data  string
	games []engine.Game
	mu    sync.Mutex // held while the files are read or changed, a file at a time

	removal atomic.Pointer[removal] // nil while there is none
}

// New returns the history of a data folder.
func New(data string, games []engine.Game) *History {
	alone := func(ctx context.Context, _ string, change func(bool) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return change(false)
	}
	return &History{Rewrite: alone, Lang: engine.English, data: data, games: games}
}

// A Book holds all matches of a history, in the state they had when History.Read read them.
type Book struct {
	Matches []Entry // newest first
	Deleted []Entry // newest first
	Damage  error   // what is wrong with the log; nil if it is whole

	typed []string // all names that players have typed, sorted; those in deleted matches are among them
	log   logContent
	names map[string]string // under which players are shown, by NameKey
}

// Read reads all matches, also the deleted ones. It reads only the journals that are new or have
// changed since it was last called.
func (h *History) Read() (Book, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.read()
}

func (h *History) read() (Book, error) {
	b := Book{Matches: []Entry{}, Deleted: []Entry{}}
	records, err := h.records(true, false)
	if err != nil {
		return b, err
	}
	if b.log, err = readLog(h.data); err != nil {
		return b, err
	}
	b.Damage, b.names = b.log.damage, b.log.shownNames()
	typed := map[string]bool{}
	for _, r := range records {
		if r.Info.State == "" { // only a part of the head was written
			continue
		}
		var e Entry
		_ = json.Unmarshal(r.Entry, &e) // we have written it
		for _, p := range e.Seats {
			if named(p.Name) {
				typed[p.Name] = true
			}
		}
		e = b.log.tell(e, b.names)
		if r.Folder == kept {
			b.Matches = append(b.Matches, e)
			continue
		}
		e.Deleted = new(b.log.deleted[e.ID].at)
		b.Deleted = append(b.Deleted, e)
	}
	imports, damage := h.imports()
	for _, e := range slices.Concat(slices.Collect(maps.Values(imports))...) {
		for _, p := range e.players() {
			typed[p.Name] = true
		}
		b.Matches = append(b.Matches, b.log.tell(e, b.names))
	}
	b.Damage = cmp.Or(b.Damage, damage)
	slices.SortStableFunc(b.Matches, func(a, b Entry) int { return cmp.Compare(b.ID, a.ID) })
	b.typed = slices.Sorted(maps.Keys(typed))
	return b, nil
}

// Infos returns the entries of all matches for the table's list of matches, the oldest match
// first. It removes the journals of which only a part of the head was written.
func (h *History) Infos() ([]engine.MatchInfo, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	records, err := h.records(false, false)
	if err != nil {
		return nil, err
	}
	infos := make([]engine.MatchInfo, 0, len(records))
	for _, r := range slices.Backward(records) {
		switch {
		case r.Folder == deleted:
		case r.Info.State == "":
			_ = os.Remove(h.file(kept, r.ID)) // else the next start does it
		default:
			infos = append(infos, r.Info)
		}
	}
	return infos, nil
}
