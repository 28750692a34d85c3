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

	"tableside/device/disk"
	"tableside/device/history"
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
	cfg     Config
	replace func(file, text string) error // returns once the disk has the file

	mu       sync.Mutex
	evenings map[string]*keptEvening
}

const suffix = ".journal"

// ErrNotFound says that there is no such evening.
var ErrNotFound = errors.New("no such evening")

// Open reads the evenings of a folder. The caller must have locked the folder against other
// processes. If the beginning of a journal cannot be read, Open logs the error and leaves the
// journal as it is. The evening of this journal is then not in the Book. If only a part of the
// head was written, Open removes the journal.
func Open(cfg Config) (*Book, error) {
	if err := os.MkdirAll(cfg.Dir, 0o750); err != nil {
		return nil, fmt.Errorf("evenings: %w", err)
	}
	b := &Book{cfg: cfg, replace: disk.Replace, evenings: map[string]*keptEvening{}}
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
			if text, err := disk.ReadJournal(k.path); err == nil && engine.Unbegun(text) {
				_ = os.Remove(k.path) // a power cut before anybody saw it; else the next start does it
				continue
			}
			cfg.Log.Error("evenings: a journal cannot be read; it is left as it is", "file", k.path, "error", err)
			continue
		}
		if k.damage > 0 {
			cfg.Log.Error("evenings: a journal is damaged; it counts up to there", "file", k.path, "line", k.damage)
		}
		b.evenings[id] = k
	}
	return b, nil
}

// A Plan says how an evening begins.
type Plan struct {
	Name    string   `json:"name"`
	Format  string   `json:"format"`
	Game    string   `json:"game"`    // "" for all games
	Size    int      `json:"size"`    // seats of a table; 0 for 2
	Minutes int      `json:"minutes"` // of a round; 0 without a clock
	Best    int      `json:"best"`    // of a knock-out: 3 for two wins, else one
	Third   bool     `json:"third"`   // of a knock-out: with a match for the third place
	Players []string `json:"players"`
	Tables  []string `json:"tables"`
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
		if _, err = os.Lstat(k.path); err == nil {
			begin = begin.Add(time.Second)
			continue
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = b.replace(k.path, text)
		}
		if err != nil {
			return "", err
		}
		k.length = len(text)
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
		"size": fmt.Sprint(cmp.Or(p.Size, 2)), "minutes": fmt.Sprint(p.Minutes), "best": fmt.Sprint(cmp.Or(p.Best, 1)),
		"third": map[bool]string{true: "on", false: "off"}[p.Third]}}
	k = &keptEvening{id: setup.MatchID(), reports: map[string]string{}}
	k.path = filepath.Join(b.cfg.Dir, k.id+suffix)
	if k.match, err = engine.NewMatch(Rules{}, setup); err != nil {
		return nil, "", err
	}
	var head string
	head, k.sealer = k.match.Setup().SealedHead()
	lines, err := k.fold(append(sets("player", p.Players), sets("table", p.Tables)...), 0)
	return k, head + lines, err
}

// apply folds inputs into an evening, writes them to the evening's journal and calls
// Config.Changed. If any input cannot be folded or written, apply changes nothing and returns
// an error.
func (b *Book) apply(k *keptEvening, ins []engine.Input) error {
	if len(ins) == 0 {
		return nil
	}
	lines, err := k.fold(ins, k.elapsed(b.cfg.Now()))
	if err == nil {
		err = b.write(k, lines)
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
// ahead is by how much the table's clock, which names the match, is ahead of the hall's.
//
// An evening ignores the result if the evening is damaged or if its first round has not begun.
// It ignores a match of another game. An evening that is over ignores a match of which it had
// not heard before. If the evening does not use the table, or if the match began more than two
// minutes before the evening, the evening ignores the result unless the players of the match
// meet in its running round.
//
// If an evening refuses the result, Result only logs the refusal. After an error the caller
// may pass the same result again.
func (b *Book) Result(e history.Entry, ahead time.Duration) error {
	m := message(e)
	b.mu.Lock()
	defer b.mu.Unlock()
	var all error
	for _, id := range slices.Sorted(maps.Keys(b.evenings)) {
		k := b.evenings[id]
		if err := k.reload(); err != nil {
			all = errors.Join(all, err)
			continue
		}
		k.elapsed(b.cfg.Now())
		m.Ahead = ahead - k.setBack
		in := m.input()
		if k.damage > 0 || k.reports[m.source()] == report(in) || !k.concerns(m) {
			continue
		}
		err := b.apply(k, []engine.Input{in})
		if _, refused := engine.AsRefusal(err); refused { // it would be refused again
			b.cfg.Log.Warn("evenings: a result is not kept", "evening", id, "match", m.source(), "error", err)
		} else if err != nil {
			all = errors.Join(all, fmt.Errorf("evening %s: result of %s: %w", id, m.Table, err))
		}
	}
	return all
}

// concerns reports whether a result may belong to this evening.
func (k *keptEvening) concerns(m Message) bool {
	s := k.state()
	other := s.Game != anyGame && s.Game != m.Game && s.Game != m.Preset
	if len(s.Rounds) == 0 || s.Over && k.reports[m.source()] == "" || other {
		return false
	}
	round, board, _ := s.place(m)
	if begin := m.began(); !begin.IsZero() && begin.Before(s.Begin.Add(-clockSkew)) {
		// Perhaps the table's clock was wrong, and somebody has to decide.
		return round == len(s.Rounds) && s.pairingAt(round, board).Result == nil
	}
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
	return disk.ReadJournal(k.path)
}
