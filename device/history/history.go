// Package history tells what the journals of a table hold: every match with its players,
// scores, winner and duration. The journals are the truth. An index beside them spares
// reading them all again; it is made anew where it is missing or wrong.
package history

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tableside/engine"
)

// An Entry sums up a match as far as its journal can be replayed.
type Entry struct {
	ID      string            `json:"id"`
	Game    string            `json:"game"`
	Options map[string]string `json:"options,omitempty"` // those that the players chose
	Begin   time.Time         `json:"begin"`
	Seconds int               `json:"seconds"` // of play, up to the last input
	State   string            `json:"state"`   // unfinished, finished, abandoned, damaged
	Reason  string            `json:"reason,omitempty"`
	Inputs  int               `json:"inputs"`
	Round   int               `json:"round,omitempty"`
	Counter string            `json:"counter,omitempty"` // by which the seats are compared
	First   engine.Seat       `json:"first,omitempty"`   // who began
	Seats   []Player          `json:"seats"`             // the best first
}

// A Player is who sat at a seat, and how it did.
type Player struct {
	Seat  engine.Seat `json:"seat"`
	Name  string      `json:"name,omitempty"`
	Rank  int         `json:"rank,omitempty"` // from 1; 0 if the match cannot be replayed
	Won   bool        `json:"won,omitempty"`
	Value int         `json:"value"` // of the counter
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

const suffix = ".journal"

// maxJournal bounds the size of a journal that is read.
const maxJournal = 64 << 20

// Matches returns the matches of a data folder, newest first. It reads the journals that
// the index does not know as they are now, and those that can still be played, and writes
// the index if it has changed; an index that cannot be written costs time only.
func Matches(data string, games []engine.Game) ([]Entry, error) {
	folder := filepath.Join(data, "matches")
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return []Entry{}, nil
	}
	if err != nil {
		return nil, err
	}
	index := readIndex(data)
	now, entries := index.next(), []Entry{}
	for _, file := range files {
		id, ok := strings.CutSuffix(file.Name(), suffix)
		if !ok || strings.HasPrefix(id, ".") || !file.Type().IsRegular() {
			continue
		}
		info, err := file.Info()
		if err != nil {
			continue // it has just been taken away
		}
		entry, known := index.entry(id, info, games)
		if !known {
			entry = read(filepath.Join(folder, file.Name()), id, games)
		}
		entries = append(entries, entry)
		if entry.State != "unfinished" { // which changes with every input
			now.put(info, rulesOf(games, entry.Game), entry)
		}
	}
	if !now.equal(index) {
		_ = now.write(data)
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(b.ID, a.ID) })
	return entries, nil
}

// read sums up one journal.
func read(file, id string, games []engine.Game) Entry {
	e := Entry{ID: id, State: "damaged", Begin: engine.BeginOf(id), Seats: []Player{}}
	data, err := contents(file)
	if err != nil {
		e.Reason = err.Error()
		return e
	}
	journal, err := engine.ParseJournal(id, data)
	if err != nil {
		e.Reason = err.Error()
	}
	if journal == nil {
		return e
	}
	setup := journal.Setup
	e.Game, e.Options, e.Begin, e.First = setup.Game, setup.Options, setup.Begin, setup.First
	for _, p := range setup.Seats {
		e.Seats = append(e.Seats, Player{Seat: p.Seat, Name: p.Name})
	}
	stopped := e.replay(journal, games)
	switch end := journal.End; {
	case end != nil && err == nil: // whether today's rules agree does not matter
		e.State = end.State
		if stopped != nil {
			e.Reason = stopped.Error()
			e.stood(end.Winners)
		}
	case stopped != nil:
		e.Reason = cmp.Or(e.Reason, stopped.Error())
	case err == nil && len(e.Winners()) > 0:
		e.State = "finished"
	case err == nil:
		e.State = "unfinished"
	}
	return e
}

// stood records the winners of a match that today's rules do not lead to: who was first,
// and with how much, is not known.
func (e *Entry) stood(winners []engine.Seat) {
	e.Counter = ""
	for i := range e.Seats {
		p := &e.Seats[i]
		p.Rank, p.Value, p.Won = 0, 0, slices.Contains(winners, p.Seat)
	}
}

// contents reads a journal, but never follows a link.
func contents(file string) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxJournal {
		return nil, fmt.Errorf("the journal is larger than %d MiB", maxJournal>>20)
	}
	data := make([]byte, info.Size())
	n, err := f.ReadAt(data, 0)
	if n == len(data) {
		err = nil
	}
	return data[:n], err
}

// replay folds the journal, and records how the match stands as far as it goes.
func (e *Entry) replay(journal *engine.Journal, games []engine.Game) (stopped error) {
	defer func() {
		if p := recover(); p != nil { // in a game's View
			stopped = fmt.Errorf("the rules fail: %v", p)
		}
	}()
	i := slices.IndexFunc(games, func(g engine.Game) bool { return g.Info().Name == e.Game })
	if i < 0 {
		return fmt.Errorf("there is no game %q in this program", e.Game)
	}
	match, stopped := engine.Replay(games[i], journal, func(*engine.Match, engine.Step) error { return nil })
	if match == nil {
		return stopped
	}
	counter, seats := match.Standings()
	e.Inputs, e.Round, e.Seconds, e.Counter = match.Seq(), match.View().Round, int(match.Last()/time.Second), counter
	e.Seats = e.Seats[:0]
	for _, s := range seats {
		e.Seats = append(e.Seats, Player{s.Seat, s.Name, s.Rank, s.Won, s.Value})
	}
	return stopped
}
