package history

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

// folder returns the path of a folder with journals. kind is the constant kept or the constant
// deleted.
func (h *History) folder(kind int) string {
	if kind == deleted {
		return filepath.Join(h.data, "matches", "deleted")
	}
	return filepath.Join(h.data, "matches")
}

// file returns the path of a journal.
func (h *History) file(which int, id string) string { return filepath.Join(h.folder(which), id+suffix) }

// A journalFile is a journal in one of the two folders.
type journalFile struct {
	id         string
	folder     int
	size       int64
	modTime    time.Time
	lineOffset int64  // where the index has its line…
	lineLength int    // …of so many bytes; 0 if the index does not know the journal
	entry      *Entry // in memory, if the index does not know the journal; else nil
}

// A Reading goes through the matches without holding all of them in memory.
type Reading struct {
	Damage error // what is wrong with the log; nil if it is whole

	h     *History
	files []journalFile // newest first, the deleted ones last
	index *os.File
	log   logContent
	names map[string]string // under which players are shown
}

// Open begins a reading. It reads only the journals that are new or have changed since the
// index was written. If necessary, it writes the index again. If the index cannot be written,
// this is no error: it only costs time and memory. The caller must close the reading.
func (h *History) Open() (*Reading, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open()
}

func (h *History) open() (*Reading, error) {
	r := &Reading{h: h}
	for _, which := range []int{kept, deleted} {
		in, err := h.files(which)
		if err != nil {
			return nil, err
		}
		r.files = append(r.files, in...)
	}
	slices.SortStableFunc(r.files, func(a, b journalFile) int { return a.compare(b.folder, b.id) })
	log, err := readLog(h.data)
	if err != nil {
		return nil, err
	}
	r.log, r.Damage, r.names = log, log.damage, log.shownNames()
	r.look()
	return r, nil
}

// look looks up every journal in the index. It reads the journals that the index does not
// have. If necessary, it writes the index again.
func (r *Reading) look() {
	rules := make(map[string]int, len(r.h.games))
	for _, g := range r.h.games {
		info := g.Info()
		rules[info.Name] = info.Rules
	}
	r.index = openIndex(r.h.data)
	lines := lookUp(r.index, r.files, rules)
	known, unknown := 0, 0
	for i := range r.files {
		if r.files[i].isKnown() {
			known++
		} else {
			unknown++
		}
	}
	if known == lines && unknown <= batchSize {
		r.h.fold(r.files)
		now := time.Now()
		if !slices.ContainsFunc(r.files, func(f journalFile) bool { return f.entry != nil && f.isIndexDue(now) }) {
			return
		}
	}
	if r.h.renew(r.index, lines, r.files, rules) == nil {
		_ = r.Close()
		r.index = openIndex(r.h.data)
		return
	}
	lookUp(r.index, r.files, rules) // the index is still the old one
	r.h.fold(r.files)
}

// Close ends a reading.
func (r *Reading) Close() error {
	if r.index == nil {
		return nil
	}
	return r.index.Close()
}

// Each calls visit with each match that is not deleted, the newest first. If gone is true, it
// calls visit with each deleted match instead. If visit returns an error, Each stops and
// returns this error.
func (r *Reading) Each(gone bool, visit func(Entry) error) error {
	which := kept
	if gone {
		which = deleted
	}
	return r.visitFolder(which, false, func(e Entry) error { return visit(r.tell(which, e)) })
}

// tell returns an entry, completed with the facts that the log holds about its match.
func (r *Reading) tell(which int, e Entry) Entry {
	e = r.log.tell(e, r.names)
	if which == deleted {
		e.Deleted = new(time.Time)
		if deletion, known := r.log.deleted[e.ID]; known {
			e.Deleted = &deletion.at
		}
	}
	return e
}

// visitFolder calls visit with the matches of one folder, without what the log says about
// them. The newest match comes first or, if oldestFirst is true, the oldest. If visit returns
// an error, visitFolder stops and returns this error. While visit handles some entries, all
// processors decode the next entries.
func (r *Reading) visitFolder(folder int, oldestFirst bool, visit func(Entry) error) error {
	begin := slices.IndexFunc(r.files, func(f journalFile) bool { return f.folder == folder })
	if begin < 0 {
		return nil
	}
	files := r.files[begin:]
	if end := slices.IndexFunc(files, func(f journalFile) bool { return f.folder != folder }); end >= 0 {
		files = files[:end]
	}
	entries := r.decode(files, oldestFirst)
	defer func() { entries() }() // the caller may close the index
	for len(files) > 0 {
		part := entries()
		if oldestFirst {
			files = files[:len(files)-len(part)]
		} else {
			files = files[len(part):]
		}
		entries = r.decode(files, oldestFirst)
		for _, e := range part {
			if err := visit(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode begins to decode up to batchSize entries. It takes the first of the files or, if
// oldestFirst is true, the last. The returned function waits for these entries, and returns
// them in the order that oldestFirst demands.
func (r *Reading) decode(files []journalFile, oldestFirst bool) func() []Entry {
	if n := len(files) - batchSize; n > 0 && oldestFirst {
		files = files[n:]
	} else if n > 0 {
		files = files[:batchSize]
	}
	entries := make([]Entry, len(files))
	var work sync.WaitGroup
	work.Go(func() {
		parallel(len(files), func(i int) { entries[i] = r.entry(&files[i]) })
		if oldestFirst {
			slices.Reverse(entries)
		}
	})
	return func() []Entry {
		work.Wait()
		return entries
	}
}

// entry returns the entry of a journal: from memory, else from the index, else from the
// journal itself.
func (r *Reading) entry(f *journalFile) Entry {
	if f.entry != nil {
		return *f.entry
	}
	if f.isKnown() {
		line := make([]byte, f.lineLength)
		_, err := r.index.ReadAt(line, f.lineOffset)
		_, text, _ := bytes.Cut(line, []byte("\t"))
		var e Entry
		if err == nil && json.Unmarshal(text, &e) == nil && e.ID == f.id {
			return e
		}
	}
	return read(r.h.file(f.folder, f.id), f.id, r.h.games)
}

// parallel calls a function with each number from 0 to n-1. It makes the calls on all
// processors, and waits for all of them.
func parallel(n int, do func(int)) {
	var work sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), n) {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	work.Wait()
}

// files lists the journals of a folder, in no particular order. If the folder does not exist,
// the list is empty.
func (h *History) files(which int) (list []journalFile, err error) {
	dir, err := os.Open(h.folder(which))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer dir.Close()
	for {
		files, err := dir.ReadDir(100)
		for _, file := range files {
			id, ok := strings.CutSuffix(file.Name(), suffix)
			if !ok || strings.HasPrefix(id, ".") || !file.Type().IsRegular() {
				continue
			}
			if info, err := file.Info(); err == nil { // else it has just been taken away
				list = append(list, journalFile{id: id, folder: which, size: info.Size(), modTime: info.ModTime()})
			}
		}
		if err != nil {
			return list, noEnd(err)
		}
	}
}

// noEnd returns nil for io.EOF, the end of a file or folder, and any other error unchanged.
func noEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// fold reads the journals whose entries are neither in the index nor in memory.
func (h *History) fold(files []journalFile) {
	parallel(len(files), func(i int) {
		f := &files[i]
		if f.entry != nil || f.isKnown() {
			return
		}
		e := read(h.file(f.folder, f.id), f.id, h.games)
		newCommon().share(&e)
		f.entry = &e
	})
}

// read sums up one journal.
func read(file, id string, games []engine.Game) Entry {
	data, err := device.ReadJournal(file)
	if err != nil {
		e := blank(id)
		e.Reason = plainReason(err)
		return e
	}
	return sum(id, data, games, nil)
}

// blank returns the entry of a journal that cannot be read.
func blank(id string) Entry {
	match, table, _ := strings.Cut(id, tableSeparator)
	return Entry{ID: id, Table: table, State: "damaged", Begin: engine.BeginOf(match), Seats: []Player{}}
}

// sum sums up a journal. The function checkLimits, if it is not nil, is called before every
// line. If it returns an error, the replay ends there.
func sum(id string, data []byte, games []engine.Game, checkLimits func() error) Entry {
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
	journal.CheckLimits = checkLimits
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
			e.recordWinners(end.Winners)
		}
	case stopped != nil || err != nil: // damaged
	case len(e.Winners()) > 0:
		e.State = "finished"
	default:
		e.State = "unfinished"
	}
	return e
}

// plainReason returns the text of a file's error, without the path of the file.
func plainReason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// recordWinners records the winners that a journal names. It is for a match that cannot be
// replayed to its end with today's rules. Places, scores and turns of such a match are
// unknown, and so recordWinners removes them.
func (e *Entry) recordWinners(winners []engine.Seat) {
	e.Counter, e.Low = "", false
	for i := range e.Seats {
		p := &e.Seats[i]
		*p = Player{Seat: p.Seat, Name: p.Name, Colour: p.Colour, Won: slices.Contains(winners, p.Seat)}
	}
}

// replay folds a journal and records the state of the match in the entry. It folds the journal
// as far as today's rules follow it. If the rules do not follow the journal to its end, the
// result is the reason.
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
	match, stopped := engine.Follow(game, journal, l.follow)
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
			Won: s.Won, Value: s.Value, Turns: l.turns(s.Seat), Turned: l.turnTimes[s.Seat].Seconds(),
			Figures: l.figures(s.Seat)}
		e.Seats = append(e.Seats, p)
	}
	return stopped
}

// teamOf returns the number of a seat's team. The first team has the number 1. If the seat is
// in no team, teamOf returns 0.
func teamOf(sheet *engine.Sheet, seat engine.Seat) int {
	if sheet == nil {
		return 0
	}
	return 1 + slices.IndexFunc(sheet.Columns, func(team []engine.Seat) bool {
		return len(team) > 1 && slices.Contains(team, seat)
	})
}
