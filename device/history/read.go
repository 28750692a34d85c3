package history

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/device"
	"tableside/engine"
)

const suffix = ".journal"

// The two folders with journals.
const (
	kept = iota
	deleted
)

// folder returns one of the two folders.
func (h *History) folder(which int) string {
	if which == deleted {
		return filepath.Join(h.data, "matches", "deleted")
	}
	return filepath.Join(h.data, "matches")
}

// file returns the path of a journal.
func (h *History) file(which int, id string) string { return filepath.Join(h.folder(which), id+suffix) }

// A found journal is a file in one of the two folders.
type found struct {
	id    string
	which int
	info  fs.FileInfo
	entry *Entry
	known bool // by the index
}

// entries returns the matches of both folders, newest first.
func (h *History) entries() (all [2][]Entry, err error) {
	x := readIndex(h.data)
	var files []found
	for which := range all {
		in, err := h.files(which)
		if err != nil {
			return all, err
		}
		files = append(files, in...)
	}
	rules := make(map[string]int, len(h.games))
	for _, g := range h.games {
		info := g.Info()
		rules[info.Name] = info.Rules
	}
	for i := range files {
		f := &files[i]
		f.entry = x.entry(f, rules)
		f.known = f.entry != nil
	}
	h.fold(files)
	for _, f := range files {
		all[f.which] = append(all[f.which], *f.entry)
	}
	if !x.holds(files) {
		_ = writeIndex(h.data, files, rules)
	}
	for _, list := range all {
		newestFirst(list)
	}
	return all, nil
}

// files lists the journals of a folder.
func (h *History) files(which int) (list []found, err error) {
	files, err := os.ReadDir(h.folder(which))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, file := range files {
		id, ok := strings.CutSuffix(file.Name(), suffix)
		if !ok || strings.HasPrefix(id, ".") || !file.Type().IsRegular() {
			continue
		}
		if info, err := file.Info(); err == nil { // else it has just been taken away
			list = append(list, found{id: id, which: which, info: info})
		}
	}
	return list, err
}

// fold reads the journals that the index does not know, on all processors.
func (h *History) fold(files []found) {
	var work sync.WaitGroup
	next := make(chan *found)
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		work.Go(func() {
			for f := range next {
				e := read(h.file(f.which, f.id), f.id, h.games)
				f.entry = &e
			}
		})
	}
	for i := range files {
		if !files[i].known {
			next <- &files[i]
		}
	}
	close(next)
	work.Wait()
}

// read sums up one journal.
func read(file, id string, games []engine.Game) Entry {
	data, err := device.ReadJournal(file)
	if err != nil {
		e := blank(id)
		e.Reason = plain(err)
		return e
	}
	return sum(id, data, games, nil)
}

// blank returns the entry of a journal that cannot be read.
func blank(id string) Entry {
	match, table, _ := strings.Cut(id, at)
	return Entry{ID: id, Table: table, State: "damaged", Begin: engine.BeginOf(match), Seats: []Player{}}
}

// sum sums up a journal. enough, if not nil, is asked before every line.
func sum(id string, data []byte, games []engine.Game, enough func() error) Entry {
	e := blank(id)
	journal, err := engine.ParseJournal(id, data)
	if syntax, ok := errors.AsType[*engine.SyntaxError](err); ok {
		e.Reason, e.French = syntax.Error(), syntax.Told(engine.French)
	} else if err != nil {
		e.Reason = err.Error()
	}
	if journal == nil {
		return e
	}
	journal.Enough = enough
	setup := journal.Setup
	e.Game, e.Options, e.Begin, e.First = setup.Game, setup.Options, setup.Begin, setup.First
	for i, p := range setup.Seats {
		e.Seats = append(e.Seats, Player{Seat: p.Seat, Name: p.Name, Colour: engine.Colour(p.Seat, i)})
	}
	stopped := e.replay(journal, games)
	if stopped != nil && err == nil {
		game := engine.Find(games, e.Game)
		e.Reason, e.French = engine.SayFault(stopped, game, engine.English), engine.SayFault(stopped, game, engine.French)
	}
	switch end := journal.End; {
	case end != nil && err == nil: // whether today's rules agree does not matter
		e.State = end.State
		if stopped != nil {
			e.stood(end.Winners)
		}
	case stopped != nil || err != nil: // damaged
	case len(e.Winners()) > 0:
		e.State = "finished"
	default:
		e.State = "unfinished"
	}
	return e
}

// plain returns what is wrong with a file, without its folder.
func plain(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// stood records the winners of a match that today's rules do not lead to: who was first,
// and with how much, is not known.
func (e *Entry) stood(winners []engine.Seat) {
	e.Counter, e.Low = "", false
	for i := range e.Seats {
		p := &e.Seats[i]
		*p = Player{Seat: p.Seat, Name: p.Name, Colour: p.Colour, Won: slices.Contains(winners, p.Seat)}
	}
}

// replay folds the journal, and records how the match stands as far as it goes.
func (e *Entry) replay(journal *engine.Journal, games []engine.Game) (stopped error) {
	defer func() {
		if p := recover(); p != nil { // in a game's View
			stopped = engine.Faultf(0, "the rules fail: %v", p)
		}
	}()
	game := engine.Find(games, e.Game)
	if game == nil {
		return engine.Faultf(0, "there is no game %q in this program", e.Game)
	}
	l := newLedger(game.Info().Figures)
	match, stopped := engine.Replay(game, journal, l.follow)
	if match == nil {
		return stopped
	}
	counter, seats := match.Standings()
	e.Inputs, e.Round, e.Seconds, e.Counter = match.Seq(), match.View().Round, int(match.Last()/time.Second), counter
	e.First = cmp.Or(e.First, l.first())
	sheet := match.View().Sheet
	e.Low = sheet != nil && sheet.Low
	e.Seats = e.Seats[:0]
	for _, s := range seats {
		p := Player{Seat: s.Seat, Name: s.Name, Colour: s.Colour, Team: teamOf(sheet, s.Seat), Rank: s.Rank,
			Won: s.Won, Value: s.Value, Turns: l.turns(s.Seat), Turned: l.turned[s.Seat].Seconds(), Figures: l.figures(s.Seat)}
		e.Seats = append(e.Seats, p)
	}
	return stopped
}

// teamOf returns the number of a seat's team, from 1; 0 without teams.
func teamOf(sheet *engine.Sheet, seat engine.Seat) int {
	if sheet == nil {
		return 0
	}
	return 1 + slices.IndexFunc(sheet.Columns, func(team []engine.Seat) bool {
		return len(team) > 1 && slices.Contains(team, seat)
	})
}
