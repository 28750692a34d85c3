package hall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// ArchiveConfig connects an Archive to the tables. All fields but Kept are required.
type ArchiveConfig struct {
	History *history.History // of the hall
	Games   []engine.Game
	// Free returns how many bytes the disk has room for.
	Free func() (uint64, error)
	// Answer tells a table what became of its match, whose packed journal has this SHA-256. If
	// the hall has refused the match, the argument reason is a word that says why. If the match
	// was kept, this argument is "".
	Answer func(table, match, digest, reason string) error
	// Kept is called with each match that the disk has. If the table did not hear the hall's
	// answer to a match, Kept is called again with the same match. If the players took back the
	// end of a match and ended it again, Kept is called again with the new result. Kept must not
	// block for long. After an error the table gets no answer, and so sends the match again. Kept
	// may be nil.
	Kept  func(history.Entry) error
	Aside func(topic string, why error) // counts what is refused, or cannot be kept yet
	Log   *slog.Logger
}

// A verdict is what a table is told of a match. The reason is "" if the match is kept.
type verdict struct{ match, digest, reason string }

// An Archive keeps the journals that tables send to a hall. The hall believes what the journal
// leads to. One journal is folded at a time, which may take ten times its size in memory.
type Archive struct {
	cfg   ArchiveConfig
	limit time.Duration // for one fold
	quota quota

	mu       sync.Mutex
	waiting  []packed           // at most one of each table, oldest first
	wake     chan struct{}      // holds one when somebody waits
	answered map[string]verdict // the newest, by table, until the table takes its match back
}

// A packed is the compressed journal of a match, as its table sends it.
type packed struct {
	table, match string
	journal      []byte
}

const (
	maxWaiting = 32 << 20 // bytes of journals that wait
	foldLimit  = 5 * time.Second
	minFree    = 100 << 20 // bytes that stay free on the disk, whatever tables send
)

// Limits of what a hall keeps of one table. A hall cannot know whether a match was really
// played, and a table that invents matches must not fill the disk for all other tables. The
// limits are enough for years of ten matches a day, even with the longest journals that random
// players write.
const (
	maxJournals     = 10_000    // each version of a match counts
	maxJournalBytes = 512 << 20 // of journals
)

// A quota limits the journals of one table: how many the hall has ever had, each version of a
// journal included, and the bytes of those that it still has.
type quota struct {
	n    int
	size int64
}

// The reasons for which the hall refuses a match. A table has a text for each of these words,
// and its players read this text. The reason "version" is the hall's answer to older tables,
// which send journals in pieces.
const (
	tooLarge   = "too-large"
	tooLong    = "too-long"
	tooSlow    = "too-slow"
	damaged    = "damaged"    // it is not a compressed journal
	unreadable = "unreadable" // the hall's rules do not lead to its end
	outdated   = "outdated"   // the hall has a later version: with further moves, or with a name removed
	tooMany    = "too-many"   // the hall has too much of this table
)

// A refusal says why the hall refuses a match. The value of its field "word" is a constant
// from tooLarge to tooMany.
type refusal struct {
	word string
	err  error
}

func (r *refusal) Error() string { return fmt.Sprintf("the match is refused (%s): %v", r.word, r.err) }

// NewArchive returns an archive, which Run starts.
func NewArchive(cfg ArchiveConfig) *Archive {
	return &Archive{cfg: cfg, limit: foldLimit, quota: quota{n: maxJournals, size: maxJournalBytes},
		wake: make(chan struct{}, 1), answered: map[string]verdict{}}
}

// Offered receives the packed journal of a match that a table sends, or an empty one if the table no
// longer sends it. It takes the place of a match of this table that waits. If too much waits,
// Offered ignores the match. The broker delivers such a match again later.
func (a *Archive) Offered(table, match string, journal []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(journal) == 0 && a.answered[table].match == match {
		delete(a.answered, table) // what it sends from now on is looked at again
	}
	size := len(journal)
	for _, other := range a.waiting {
		size += len(other.journal)
	}
	i := slices.IndexFunc(a.waiting, func(p packed) bool { return p.table == table })
	switch {
	case len(journal) == 0 && i >= 0 && a.waiting[i].match == match:
		a.waiting = slices.Delete(a.waiting, i, i+1)
	case len(journal) == 0 || size > maxWaiting || i < 0 && len(a.waiting) >= maxTables:
	case i >= 0:
		a.waiting[i] = packed{table, match, journal}
	default:
		a.waiting = append(a.waiting, packed{table, match, journal})
	}
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

func (a *Archive) nextMatch() (p packed, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.waiting) == 0 {
		return p, false
	}
	p = a.waiting[0]
	a.waiting = slices.Delete(a.waiting, 0, 1)
	return p, true
}

// Run handles the matches that tables send: it keeps or refuses each of them. It returns when
// the context ends.
func (a *Archive) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.wake:
		}
		for p, ok := a.nextMatch(); ok && ctx.Err() == nil; p, ok = a.nextMatch() {
			a.attend(p)
		}
	}
}

// attend keeps or refuses a match, and tells the table the outcome. If the match can be
// neither kept nor refused, for example because the hall's disk is full, attend tells the
// table nothing. The match then comes again within a minute. So does a match of which the table
// has not heard the answer, because it is off: it gets the same answer without a fold.
func (a *Archive) attend(p packed) {
	digest, reason := history.Digest(p.journal), ""
	a.mu.Lock()
	last := a.answered[p.table]
	a.mu.Unlock()
	if last.match == p.match && last.digest == digest {
		reason = last.reason
	} else if err := a.keep(p); err != nil {
		a.cfg.Log.Warn("results: a match is set aside", "table", p.table, "match", p.match, "error", err)
		a.cfg.Aside("tableside/"+p.table+"/journal", err)
		refused, isRefusal := errors.AsType[*refusal](err)
		if !isRefusal {
			return
		}
		reason = refused.word
	}
	a.mu.Lock()
	if len(a.answered) >= maxTables {
		clear(a.answered)
	}
	if reason != tooSlow && reason != tooMany { // the next try may end differently
		a.answered[p.table] = verdict{p.match, digest, reason}
	}
	a.mu.Unlock()
	if err := a.cfg.Answer(p.table, p.match, digest, reason); err != nil {
		a.cfg.Log.Warn("results: a table cannot be told", "table", p.table, "match", p.match, "error", err)
	}
}

// keep checks a match and writes its journal. It returns once the disk has the journal and
// ArchiveConfig.Kept has been called. If the hall refuses the match, the error is a *refusal.
// After any other error the match may be tried again.
func (a *Archive) keep(p packed) error {
	journal, err := unpack(p.journal)
	if errors.Is(err, errTooLarge) {
		return &refusal{tooLarge, err}
	} else if err != nil {
		return &refusal{damaged, err}
	}
	name := history.NameOf(p.match, p.table)
	before, err := a.cfg.History.Kept(name)
	if _, unknown := engine.AsRefusal(err); err != nil && !unknown {
		return err
	}
	if !bytes.Equal(before, journal) {
		if err := a.checkNew(p.table, name, len(before), journal); err != nil {
			return err
		}
	}
	folded, err := a.fold(p, journal)
	if err != nil {
		return err
	}
	if before != nil && !bytes.Equal(before, journal) {
		if without := a.cfg.History.RemoveAgain(before, journal); !bytes.Equal(without, journal) {
			journal = without
			if folded, err = a.fold(p, journal); err != nil {
				return err
			}
		}
	}
	if len(journal) < len(before) && bytes.HasPrefix(before, journal) {
		return &refusal{outdated, errors.New("the hall has it with further moves")}
	}
	if !bytes.Equal(before, journal) {
		err := a.cfg.History.Keep(name, before, journal)
		if errors.Is(err, history.ErrChanged) {
			return errors.New("the hall's journal was changed meanwhile") // the next try sees it
		}
		if err != nil {
			return err
		}
		a.cfg.Log.Info("results: a match is kept", "table", p.table, "match", p.match, "bytes", len(journal))
	}
	if a.cfg.Kept != nil {
		return a.cfg.Kept(folded)
	}
	return nil
}

// checkNew returns an error if the hall does not take a journal that it does not have. oldSize is
// the size in bytes of the journal that it replaces.
func (a *Archive) checkNew(table, name string, oldSize int, journal []byte) error {
	replaced, err := a.cfg.History.Replaced(name, history.Digest(journal))
	switch {
	case err != nil:
		return err
	case replaced:
		return &refusal{outdated, errors.New("the hall had it, and has a later version")}
	}
	if free, err := a.cfg.Free(); err != nil {
		return err
	} else if free < minFree {
		return fmt.Errorf("the hall's disk has %d MiB left, less than %d: make room", free>>20, minFree>>20)
	}
	n, size, err := a.cfg.History.Held(table)
	if err != nil {
		return err
	}
	if n >= a.quota.n || size+int64(len(journal)-oldSize) > a.quota.size {
		return &refusal{tooMany, fmt.Errorf("the hall has had %d journals of this table, and has %d MiB of them; "+
			"it keeps at most %d and %d MiB", n, size>>20, a.quota.n, a.quota.size>>20)}
	}
	return nil
}

// errSlow reports a journal whose replay takes longer than Archive.limit.
var errSlow = errors.New("it takes too long to fold its journal")

// fold folds a journal, and returns the result to which the journal leads. If the journal
// cannot be folded, the error is a *refusal.
func (a *Archive) fold(p packed, journal []byte) (history.Entry, error) {
	late := time.Now().Add(a.limit)
	slow := false
	folded, err := history.Finish(p.match, journal, a.cfg.Games, engine.English, func() error {
		if slow = time.Now().After(late); slow {
			return errSlow
		}
		return nil
	})
	switch {
	case slow:
		return folded, &refusal{tooSlow, errSlow}
	case errors.Is(err, history.ErrTooLong):
		return folded, &refusal{tooLong, err}
	case err != nil:
		return folded, &refusal{unreadable, err}
	}
	folded.Table = p.table
	return folded, nil
}
