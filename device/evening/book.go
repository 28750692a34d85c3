package evening

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tableside/device"
	"tableside/engine"
)

// Config connects a Book to the world. All fields are required.
type Config struct {
	Dir     string // the folder of the journals, which is created
	Now     func() time.Time
	Chance  *rand.Rand      // draws lots
	Changed func(id string) // is called after each change of an evening; it must not block
	Log     *slog.Logger
}

// A Book keeps the evenings of a hall, each as a journal in a folder.
type Book struct {
	cfg  Config
	sync func(*os.File) error // waits for the disk

	mu       sync.Mutex
	evenings map[string]*kept
}

const suffix = ".journal"

// ErrNotFound says that there is no such evening.
var ErrNotFound = errors.New("no such evening")

// Open reads the evenings of a folder, which the caller keeps from other processes.
func Open(cfg Config) (*Book, error) {
	if err := os.MkdirAll(cfg.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("evenings: %w", err)
	}
	b := &Book{cfg: cfg, sync: (*os.File).Sync, evenings: map[string]*kept{}}
	entries, err := os.ReadDir(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("evenings: %w", err)
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || engine.BeginOf(id).IsZero() || !e.Type().IsRegular() {
			continue
		}
		k := &kept{id: id, path: filepath.Join(cfg.Dir, e.Name())}
		if err := k.load(); err != nil { // not even how it began
			cfg.Log.Error("evenings: a journal cannot be read; it is left as it is", "file", k.path, "error", err)
			continue
		}
		b.evenings[id] = k
	}
	return b, nil
}

// A Plan says how an evening begins.
type Plan struct {
	Name    string
	Format  string
	Game    string // "" for all games
	Size    int    // seats of a table
	Players []string
	Tables  []string
}

// Create begins an evening and returns its name.
func (b *Book) Create(p Plan) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	begin := b.cfg.Now().UTC().Truncate(time.Second)
	setup := engine.Setup{Game: Rules{}.Info().Name, Begin: begin, Options: map[string]string{
		"name": squeeze(p.Name), "format": p.Format, "game": cmp.Or(p.Game, anyGame), "size": fmt.Sprint(p.Size)}}
	for b.evenings[setup.MatchID()] != nil {
		setup.Begin = setup.Begin.Add(time.Second)
	}
	k := &kept{id: setup.MatchID()}
	k.path = filepath.Join(b.cfg.Dir, k.id+suffix)
	var err error
	if k.match, err = engine.NewMatch(Rules{}, setup); err != nil {
		return "", err
	}
	var head string
	head, k.sealer = k.match.Setup().SealedHead()
	lines, err := k.fold(append(joins(p.Players), uses(p.Tables)...), 0)
	if err != nil {
		return "", err
	}
	if err := b.write(k, []byte(head+lines), os.O_CREATE|os.O_EXCL); err != nil {
		return "", errors.Join(err, os.Remove(k.path))
	}
	if err := device.SyncFolder(b.cfg.Dir); err != nil {
		return "", err
	}
	b.evenings[k.id] = k
	b.cfg.Changed(k.id)
	return k.id, nil
}

// joins returns the inputs for players, without empty names.
func joins(names []string) []engine.Input {
	var ins []engine.Input
	for _, name := range names {
		if name = squeeze(name); name != "" {
			ins = append(ins, set("player", name))
		}
	}
	return ins
}

// uses returns the inputs for tables.
func uses(names []string) []engine.Input {
	var ins []engine.Input
	for _, name := range names {
		if name = squeeze(name); name != "" {
			ins = append(ins, set("table", name))
		}
	}
	return ins
}

// A Change changes an evening. Do says what, and which other fields count.
type Change struct {
	Do       string     // see inputs
	Seq      int        // undo, redo: the changes that were seen; 0 for any
	Names    []string   // players: who come; tables: which are used
	Name     string     // rename; move and no-table: of a table
	Player   int        // rename, out, in, swap
	Other    int        // swap
	Round    int        // result
	Board    int        // result, move
	Places   []int      // result: none to remove it
	Scores   []int      // result: may be empty
	N        int        // take, dismiss
	Pairings [][]string // pair: the names of those who meet
}

// Change makes a change, all of it or nothing.
func (b *Book) Change(id string, c Change) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.evenings[id]
	if k == nil {
		return ErrNotFound
	}
	if err := k.fresh(); err != nil {
		return err
	}
	switch {
	case k.damage > 0:
		return engine.Refuse("evening.damaged", "n", k.damage)
	case c.Seq > 0 && c.Seq != k.match.Seq():
		return engine.Refuse("evening.meanwhile")
	}
	ins, err := b.inputs(k.state(), c)
	if err != nil {
		return err
	}
	return b.apply(k, ins)
}

// inputs returns the inputs that make a change.
func (b *Book) inputs(s *State, c Change) ([]engine.Input, error) {
	one := func(args ...string) ([]engine.Input, error) { return []engine.Input{set(args...)}, nil }
	n := func(n int) string { return fmt.Sprint(n) }
	switch c.Do {
	case "players":
		return joins(c.Names), nil
	case "tables":
		return uses(c.Names), nil
	case "no-table":
		return one("no-table", c.Name)
	case "rename":
		return one("rename", n(c.Player), squeeze(c.Name))
	case "out", "in":
		return one(c.Do, n(c.Player))
	case "swap":
		return one("swap", n(c.Player), n(c.Other))
	case "move":
		return one("move", n(c.Board), c.Name)
	case "result":
		places, scores := list(c.Places), list(c.Scores)
		return one("result", n(c.Round), n(c.Board), cmp.Or(places, "0"), cmp.Or(scores, "-"))
	case "take", "dismiss":
		return one(c.Do, n(c.N))
	case "over", "on":
		return one("evening", c.Do)
	case "undo":
		return []engine.Input{{Seat: engine.Table, Verb: engine.Undo}}, nil
	case "redo":
		return []engine.Input{{Seat: engine.Table, Verb: engine.Redo}}, nil
	case "next":
		pairings, err := s.Draw(b.cfg.Chance)
		return s.round(pairings), err
	case "pair":
		pairings, err := s.byHand(c.Pairings)
		return s.round(pairings), err
	}
	return nil, engine.Refuse("evening.unreadable")
}

// round returns the input that begins the next round.
func (s *State) round(pairings []Pairing) []engine.Input {
	var texts []string
	for _, p := range pairings {
		texts = append(texts, p.String())
	}
	return []engine.Input{set("round", fmt.Sprint(len(s.Rounds)+1), strings.Join(texts, ";"))}
}

// byHand returns pairings of players who are named.
func (s *State) byHand(named [][]string) ([]Pairing, error) {
	if s.Format != Free {
		return nil, engine.Refuse("evening.unreadable")
	}
	var groups [][]int
	for _, names := range named {
		var group []int
		for _, name := range names {
			n := s.player(name)
			if n == 0 {
				return nil, engine.Refuse("evening.nobody-named", "name", engine.Literal(name))
			}
			group = append(group, n)
		}
		groups = append(groups, group)
	}
	return s.assign(groups), nil
}

// apply folds inputs and writes them. If either fails, the evening is as it was.
func (b *Book) apply(k *kept, ins []engine.Input) error {
	if len(ins) == 0 {
		return nil
	}
	lines, err := k.fold(ins, b.cfg.Now().Sub(k.match.Setup().Begin))
	if err == nil {
		err = b.write(k, []byte(lines), 0)
	}
	if err != nil {
		k.stale = true
		return errors.Join(err, k.fresh())
	}
	b.cfg.Changed(k.id)
	return nil
}

// Result takes the result of a match that is over at a table. Each evening for which it
// may be notes it once, even if it does not count by itself. An evening that began later
// ignores it, and so does one that does not use the table, unless these players meet.
func (b *Book) Result(table, match, game string, seats []Seat) error {
	m := message(table, match, game, seats)
	b.mu.Lock()
	defer b.mu.Unlock()
	var all error
	for _, id := range slices.Sorted(maps.Keys(b.evenings)) {
		k := b.evenings[id]
		in := m.input()
		if err := k.fresh(); err != nil {
			all = errors.Join(all, err)
			continue
		}
		if k.damage > 0 || k.said[in.Command()] || !k.state().concerns(m) {
			continue
		}
		if err := b.apply(k, []engine.Input{in}); err != nil {
			all = errors.Join(all, fmt.Errorf("evening %s: result of %s: %w", id, table, err))
		}
	}
	return all
}

// concerns reports whether an evening wants to know of a result.
func (s *State) concerns(m Message) bool {
	begin := engine.BeginOf(m.Match)
	if len(s.Rounds) == 0 || s.Over && s.heard[m.from()] == 0 || s.Game != anyGame && s.Game != m.Game ||
		!begin.IsZero() && begin.Before(s.Begin.Add(-early)) {
		return false
	}
	round, _, _ := s.place(m)
	return s.tableNumber(m.Table) > 0 || round == len(s.Rounds)
}

// A kept evening is in the book.
type kept struct {
	id, path string
	match    *engine.Match
	sealer   engine.Sealer
	length   int64           // of the journal up to the last whole line
	seen     *View           // as it is now; nil if nobody has looked yet
	stale    bool            // a change failed: the state is ahead of the journal
	undone   int             // inputs that redo brings back
	damage   int             // the line from which on it cannot be read; 0 for none
	said     map[string]bool // results that were noted, even if that was undone
}

func (k *kept) state() *State { return k.match.State().(*State) }

// fresh reads the journal again if the state is ahead of it.
func (k *kept) fresh() error {
	if !k.stale {
		return nil
	}
	err := k.load()
	k.stale = err != nil
	return err
}

// load reads the journal.
func (k *kept) load() error {
	data, err := device.ReadJournal(k.path)
	if err != nil {
		return err
	}
	j, fault := engine.ParseJournal(filepath.Base(k.path), data)
	if j == nil {
		return fault
	}
	match, err := engine.NewMatch(Rules{}, j.Setup)
	if err != nil {
		return err
	}
	k.match, k.sealer, k.length, k.damage, k.said = match, j.Sealer, int64(j.Length), 0, map[string]bool{}
	k.undone, k.seen = 0, nil
	if syntax, ok := errors.AsType[*engine.SyntaxError](fault); ok {
		k.damage = syntax.Line
	}
	for _, line := range j.Lines {
		if line.Mark != nil {
			continue
		}
		if _, err := match.Apply(line.Input); err != nil {
			k.damage = line.Number
			return nil
		}
		k.note(line.Input)
	}
	return nil
}

// note remembers which results were heard, and how many inputs redo brings back.
func (k *kept) note(in engine.Input) {
	switch in.Verb {
	case engine.Undo:
		k.undone++
	case engine.Redo:
		k.undone--
	default:
		k.undone, k.seen = 0, nil
	}
	if in.Arg(0) != "heard" {
		return
	}
	if k.said == nil {
		k.said = map[string]bool{}
	}
	k.said[in.Command()] = true
}

// fold applies inputs at a time and returns their lines, sealed.
func (k *kept) fold(ins []engine.Input, at time.Duration) (string, error) {
	var b strings.Builder
	k.seen = nil
	for _, in := range ins {
		in.At = at
		step, err := k.match.Apply(in)
		if err != nil {
			return "", err
		}
		k.note(step.Input)
		b.WriteString(k.sealer.Seal(step.Input.String()))
	}
	return b.String(), nil
}

// write appends lines to the journal and waits for the disk. After an error the file ends
// where it did, or the next write cuts it there.
func (b *Book) write(k *kept, lines []byte, flag int) error {
	f, err := os.OpenFile(k.path, os.O_WRONLY|syscall.O_NOFOLLOW|flag, 0o640)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(k.length); err != nil { // a torn line
		return err
	}
	if _, err = f.WriteAt(lines, k.length); err == nil {
		err = b.sync(f)
	}
	if err != nil {
		return errors.Join(err, f.Truncate(k.length))
	}
	k.length += int64(len(lines))
	return nil
}

// Journal returns the journal of an evening.
func (b *Book) Journal(id string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.evenings[id]
	if k == nil {
		return nil, ErrNotFound
	}
	return device.ReadJournal(k.path)
}
