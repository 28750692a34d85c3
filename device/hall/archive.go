package hall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"sync"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// ArchiveConfig connects an Archive to the tables. All fields but Kept are required.
type ArchiveConfig struct {
	Hall    string           // its name
	History *history.History // of the hall
	Games   []engine.Game
	// Fetch returns the journal of a match that a table offers. It calls lacks if pieces do
	// not come, and then waits for them some time longer.
	Fetch func(ctx context.Context, f engine.Finished, lacks func()) ([]byte, error)
	// Free returns how many bytes the disk has room for.
	Free func() (uint64, error)
	// Answer tells the table what became of the match. If the hall has refused the match, the
	// argument reason is a word that says why. If the match was kept, this argument is "".
	Answer func(f engine.Finished, reason string) error
	// Kept is called with each match that the disk has, one call at a time. If the table
	// did not hear the hall's answer to a match, Kept is called again with the same match.
	// If the players took back the end of a match and ended it again, Kept is called
	// again with the new result. Kept must not block for long. After an error the table
	// gets no answer, and so offers the match again. Kept may be nil.
	Kept  func(engine.Finished) error
	Aside func(topic string, why error) // counts what is refused, or cannot be kept yet
	Log   *slog.Logger
}

// An Archive keeps the journals that tables offer to a hall. A table also reports the result
// of the match. The archive believes this result only if the journal leads to the same result.
type Archive struct {
	cfg    ArchiveConfig
	limit  time.Duration           // for one fold
	quota  journalCount            // of one table
	foldMu sync.Mutex              // held while a journal is folded, which may take ten times its size in memory
	keepMu sync.Mutex              // held while a match is written and Kept is called; guards counts
	counts map[string]journalCount // what the folder has, by table

	mu       sync.Mutex
	pending  map[string]engine.Finished // by table
	queue    []string                   // the tables in pending, in the order of their offers
	busy     map[string]bool            // tables whose match is being kept
	verdicts map[string]verdict         // the newest, by table
	wake     chan struct{}              // holds one when somebody waits
}

// A verdict is the hall's answer to a match. Each time the broker delivers the match, the
// table gets this answer. If the match was kept, reason is "".
type verdict struct {
	match  engine.Finished
	reason string
}

const (
	fetchers   = 4 // journals fetched at once, of different tables; they are folded one at a time
	fetchLimit = 30 * time.Second
	foldLimit  = 5 * time.Second
	minFree    = 100 << 20 // bytes that stay free on the disk, whatever tables send
)

// The reasons for which the hall refuses a match. A table has a text for each of these words,
// and its players read this text.
const (
	tooLarge    = "too-large"
	tooLong     = "too-long"
	tooSlow     = "too-slow"
	incomplete  = "incomplete" // pieces have not come; the table sends them once more
	damaged     = "damaged"    // the journal is not the one that the result names
	unreadable  = "unreadable" // the hall's rules do not lead to its end
	falseResult = "false"      // the journal ends otherwise than the result says
	outdated    = "outdated"   // the hall has a later version: with further moves, or with a name removed
	tooMany     = "too-many"   // the hall has too much of this table
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
	return &Archive{cfg: cfg, limit: foldLimit, quota: journalCount{n: maxJournals, size: maxJournalBytes},
		pending: map[string]engine.Finished{}, busy: map[string]bool{}, verdicts: map[string]verdict{},
		counts: map[string]journalCount{}, wake: make(chan struct{}, 1)}
}

// Offered receives the match that a table offers, or nil if the table no longer offers a
// match. Two halls may use one broker. Offered treats a match for another hall like nil. If
// matches of maxTables tables already wait, Offered ignores the match. The broker delivers
// such a match again later.
func (a *Archive) Offered(table string, f *engine.Finished) {
	if f != nil && f.Hall != a.cfg.Hall {
		f = nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, waits := a.pending[table]
	switch {
	case f == nil:
		delete(a.pending, table)
		delete(a.verdicts, table)
		a.queue = slices.DeleteFunc(a.queue, func(other string) bool { return other == table })
		return
	case !waits && len(a.queue) >= maxTables: // it comes again with the next subscription
		return
	case !waits:
		a.queue = append(a.queue, table)
	}
	a.pending[table] = *f
	a.rouse()
}

func (a *Archive) rouse() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// nextMatch removes a match from the pending matches, and returns it. It takes the first match
// whose table is not busy. The table is then busy until done is called. If there is no such
// match, ok is false.
func (a *Archive) nextMatch() (f engine.Finished, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.queue, func(table string) bool { return !a.busy[table] })
	if i < 0 {
		return f, false
	}
	table := a.queue[i]
	f = a.pending[table]
	delete(a.pending, table)
	a.queue, a.busy[table] = slices.Delete(a.queue, i, i+1), true
	if len(a.queue) > 0 {
		a.rouse()
	}
	return f, true
}

// done notes that the archive no longer works on a match of this table.
func (a *Archive) done(table string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.busy, table)
	a.rouse()
}

// changed reports whether the table has offered something else since it offered f: a
// different match, or the same match with a different journal.
func (a *Archive) changed(f engine.Finished) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, waits := a.pending[f.Table]
	return waits && now.SHA256 != f.SHA256
}

// Run handles the matches that tables offer: it keeps or refuses each of them. It returns when
// the context ends.
func (a *Archive) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	for range fetchers {
		work.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case <-a.wake:
				}
				for f, ok := a.nextMatch(); ok && ctx.Err() == nil; f, ok = a.nextMatch() {
					a.attend(ctx, f)
				}
			}
		})
	}
}

// attend keeps or refuses a match, and tells the table the outcome. If the match can be
// neither kept nor refused, for example because the hall's disk is full, attend tells the
// table nothing. The match is then offered again within a minute.
func (a *Archive) attend(ctx context.Context, f engine.Finished) {
	defer a.done(f.Table)
	word, known := a.knownAnswer(f)
	if !known {
		err := a.keep(ctx, f)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			a.cfg.Log.Warn("results: a match is set aside", "table", f.Table, "match", f.Match, "error", err)
			a.cfg.Aside("tableside/"+f.Table+"/result", err)
		}
		refused, isRefusal := errors.AsType[*refusal](err)
		switch {
		case isRefusal:
			word = refused.word
		case err != nil:
			return
		}
		a.note(f, word)
	}
	a.answer(f, word)
}

func (a *Archive) answer(f engine.Finished, reason string) {
	if err := a.cfg.Answer(f, reason); err != nil {
		a.cfg.Log.Warn("results: a table cannot be told", "table", f.Table, "match", f.Match, "error", err)
	}
}

// knownAnswer returns the answer that the hall has already given to a match. If the hall has
// given no answer yet, known is false. A match comes several times if the table is off and
// does not hear the answer: the broker then delivers the match again every minute.
func (a *Archive) knownAnswer(f engine.Finished) (reason string, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v, known := a.verdicts[f.Table]
	if !known || !reflect.DeepEqual(v.match, f) {
		return "", false
	}
	return v.reason, true
}

// note remembers the answer to a table, so that the same match gets the same answer again. The
// answer tooSlow is not remembered, because the next attempt may end differently.
func (a *Archive) note(f engine.Finished, reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if reason == tooSlow {
		delete(a.verdicts, f.Table)
		return
	}
	if _, known := a.verdicts[f.Table]; !known && len(a.verdicts) >= maxTables {
		clear(a.verdicts)
	}
	a.verdicts[f.Table] = verdict{f, reason}
}

// keep checks a match and writes its journal. It returns once the disk has the journal and
// ArchiveConfig.Kept has been called. If the hall refuses the match, the error is a *refusal.
// After any other error the match may be tried again.
func (a *Archive) keep(ctx context.Context, f engine.Finished) error {
	name := history.NameOf(f.Match, f.Table)
	before, err := a.cfg.History.Kept(name)
	if _, unknown := engine.AsRefusal(err); err != nil && !unknown {
		return err
	}
	journal := before
	if has := err == nil && history.Digest(before) == f.SHA256; !has {
		replaced, err := a.cfg.History.Replaced(name, f.SHA256)
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
		if err := a.checkRoom(f, len(before)); err != nil {
			return err
		}
		if journal, err = a.fetch(ctx, f); err != nil {
			return err
		}
		if len(journal) < len(before) && bytes.HasPrefix(before, journal) {
			return &refusal{outdated, errors.New("the hall has it with further moves")}
		}
	}
	folded, err := a.fold(f, journal)
	if err != nil {
		return err
	}
	a.keepMu.Lock()
	defer a.keepMu.Unlock()
	if !bytes.Equal(before, journal) {
		if err := a.cfg.History.Keep(name, journal); err != nil {
			return err
		}
		a.count(f.Table, len(journal)-len(before))
		a.cfg.Log.Info("results: a match is kept", "table", f.Table, "match", f.Match, "bytes", len(journal))
	}
	if a.cfg.Kept != nil {
		return a.cfg.Kept(folded)
	}
	return nil
}

// fetch returns the journal that belongs to the offered result f.
func (a *Archive) fetch(ctx context.Context, f engine.Finished) ([]byte, error) {
	if f.Pieces == 0 {
		return nil, &refusal{tooLarge, fmt.Errorf("its journal has %d bytes", f.Bytes)}
	}
	within, done := context.WithTimeout(ctx, fetchLimit)
	defer done()
	journal, err := a.cfg.Fetch(within, f, func() { a.answer(f, incomplete) })
	switch {
	case err != nil:
		return nil, err
	case history.Digest(journal) != f.SHA256 && a.changed(f):
		return nil, errors.New("the table offers it with other moves meanwhile")
	case history.Digest(journal) != f.SHA256:
		return nil, &refusal{damaged, errors.New("the SHA-256 of its journal is another one")}
	}
	return journal, nil
}

// errSlow reports a journal whose replay takes longer than Archive.limit.
var errSlow = errors.New("it takes too long to fold its journal")

// fold folds a journal, and returns the result to which the journal leads. If the journal
// cannot be folded, or if its result differs from f, the error is a *refusal.
func (a *Archive) fold(f engine.Finished, journal []byte) (engine.Finished, error) {
	a.foldMu.Lock()
	defer a.foldMu.Unlock()
	late := time.Now().Add(a.limit)
	slow := false
	folded, err := history.Finish(f.Match, journal, a.cfg.Games, engine.English, func() error {
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
	folded.Table, folded.Hall, folded.Pieces = f.Table, f.Hall, f.Pieces
	said := f
	said.Title = folded.Title // in another language
	if !reflect.DeepEqual(said, folded) {
		return folded, &refusal{falseResult, errors.New("its journal ends otherwise")}
	}
	return folded, nil
}
