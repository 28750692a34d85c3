package evening

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/device"
	"tableside/engine"
)

// Config connects a Book to the world. All fields are required.
type Config struct {
	Dir     string // the folder of the journals, which is created
	Now     func() time.Time
	Chance  *rand.Rand      // draws lots
	Changed func(id string) // is called after each change; it must not block or call the Book
	Log     *slog.Logger
}

// A Book keeps the evenings of a hall, each as a journal in a folder.
type Book struct {
	cfg        Config
	sync       func(*os.File) error      // waits for the disk
	syncFolder func(folder string) error // the same

	mu       sync.Mutex
	evenings map[string]*keptEvening
}

const suffix = ".journal"

// ErrNotFound says that there is no such evening.
var ErrNotFound = errors.New("no such evening")

// Open reads the evenings of a folder. The caller must have locked the folder against other
// processes. If the beginning of a journal cannot be read, Open logs the error and leaves the
// journal as it is. The evening of this journal is then not in the Book.
func Open(cfg Config) (*Book, error) {
	if err := os.MkdirAll(cfg.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("evenings: %w", err)
	}
	b := &Book{cfg: cfg, sync: (*os.File).Sync, syncFolder: device.SyncFolder, evenings: map[string]*keptEvening{}}
	entries, err := os.ReadDir(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("evenings: %w", err)
	}
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || engine.BeginOf(id).IsZero() || !e.Type().IsRegular() {
			continue
		}
		k := &keptEvening{id: id, path: filepath.Join(cfg.Dir, e.Name())}
		if err := k.load(); err != nil { // not even its beginning can be read
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
	Size    int    // seats of a table; 0 for 2
	Players []string
	Tables  []string
}

// Create begins an evening, and returns its ID once the disk has it.
func (b *Book) Create(p Plan) (string, error) {
	if err := checkSeen(slices.Concat(p.Players, p.Tables, []string{p.Name})...); err != nil {
		return "", err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	begin := b.cfg.Now().UTC().Truncate(time.Second)
	for { // begin a second later while a file has the name, even one that cannot be read
		k, text, err := b.plan(p, begin)
		if err != nil {
			return "", err
		}
		err = claim(k.path)
		if errors.Is(err, fs.ErrExist) {
			begin = begin.Add(time.Second)
			continue
		}
		if err != nil {
			return "", err
		}
		if err = b.write(k, []byte(text)); err == nil {
			err = b.syncFolder(b.cfg.Dir)
		}
		if err != nil {
			return "", errors.Join(err, os.Remove(k.path))
		}
		b.evenings[k.id] = k
		b.cfg.Changed(k.id)
		return k.id, nil
	}
}

// plan returns an evening that begins at a time, and the text of its journal. It writes
// nothing.
func (b *Book) plan(p Plan, begin time.Time) (k *keptEvening, text string, err error) {
	setup := engine.Setup{Game: Rules{}.Info().Name, Begin: begin, Options: map[string]string{
		"name": squeeze(p.Name), "format": p.Format, "game": cmp.Or(p.Game, anyGame),
		"size": fmt.Sprint(cmp.Or(p.Size, 2))}}
	k = &keptEvening{id: setup.MatchID()}
	k.path = filepath.Join(b.cfg.Dir, k.id+suffix)
	if k.match, err = engine.NewMatch(Rules{}, setup); err != nil {
		return nil, "", err
	}
	var head string
	head, k.sealer = k.match.Setup().SealedHead()
	lines, err := k.fold(append(joins(p.Players), uses(p.Tables)...), 0)
	return k, head + lines, err
}

// claim makes an empty file for a journal; if there is a file already, it returns fs.ErrExist.
func claim(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return err
	}
	return f.Close()
}

// apply folds inputs into an evening, writes them to the evening's journal and calls
// Config.Changed. If any input cannot be folded or written, apply changes nothing and returns
// an error.
func (b *Book) apply(k *keptEvening, ins []engine.Input) error {
	if len(ins) == 0 {
		return nil
	}
	lines, err := k.fold(ins, b.cfg.Now().Sub(k.match.Setup().Begin))
	if err == nil {
		err = b.write(k, []byte(lines))
	}
	if err != nil {
		k.stale = true
		return errors.Join(err, k.reload())
	}
	b.cfg.Changed(k.id)
	return nil
}

// Result notes the result of a match that has ended at a table. Every evening to which the
// match may belong notes the result once, even if the evening then sets the result aside.
//
// An evening ignores the result if the evening is damaged or if its first round has not begun.
// It ignores a match of another game. It also ignores a match that began more than two minutes
// before the evening. An evening that is over ignores a match of which it had not heard
// before. If the evening does not use the table, it ignores the result unless the players of
// the match meet in its running round.
//
// If an evening refuses the result, Result only logs the refusal. After an error the caller
// may pass the same result again.
func (b *Book) Result(table, match, game string, seats []Seat) error {
	m := message(table, match, game, seats)
	b.mu.Lock()
	defer b.mu.Unlock()
	var all error
	for _, id := range slices.Sorted(maps.Keys(b.evenings)) {
		k := b.evenings[id]
		in := m.input()
		if err := k.reload(); err != nil {
			all = errors.Join(all, err)
			continue
		}
		if k.damage > 0 || k.reports[m.source()] == in.Command() || !k.state().concerns(m) {
			continue
		}
		err := b.apply(k, []engine.Input{in})
		if _, refused := engine.AsRefusal(err); refused { // it would be refused again
			b.cfg.Log.Warn("evenings: a result is not kept", "evening", id, "match", m.source(), "error", err)
		} else if err != nil {
			all = errors.Join(all, fmt.Errorf("evening %s: result of %s: %w", id, table, err))
		}
	}
	return all
}

// concerns reports whether a result may belong to this evening.
func (s *State) concerns(m Message) bool {
	begin := engine.BeginOf(m.Match)
	if len(s.Rounds) == 0 || s.Over && s.reportCounts[m.source()] == 0 || s.Game != anyGame && s.Game != m.Game ||
		!begin.IsZero() && begin.Before(s.Begin.Add(-clockSkew)) {
		return false
	}
	round, _, _ := s.place(m)
	return s.tableNumber(m.Table) > 0 || round == len(s.Rounds)
}

// Journal returns the journal of an evening, or ErrNotFound.
func (b *Book) Journal(id string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := b.evenings[id]
	if k == nil {
		return nil, ErrNotFound
	}
	return device.ReadJournal(k.path)
}
