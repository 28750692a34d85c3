package device

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"runtime"
	"slices"
	"syscall"
	"time"

	"tableside/engine"
)

const (
	// markEvery is the number of accepted inputs between two hashes of the view
	// in the journal.
	markEvery = 50
	// syncLimit is how long players wait for the disk. An SD card may take half
	// a second now and then; beyond this limit it counts as broken.
	syncLimit = 5 * time.Second
	// maxRetryWait is the longest pause between attempts to write to a failing
	// disk: each attempt wears it.
	maxRetryWait = 30 * time.Second
)

// A keeper writes journals to the disk, one sync at a time.
type keeper struct {
	log   *slog.Logger
	store *store

	journal    *journal      // of the current match, or nil
	journals   []*journal    // that journal, and others with lines that the disk does not hold yet
	syncWanted bool          // there are new lines, or it is time to try again
	job        *job          // the sync under way, or nil
	syncResult chan error    // of that sync
	overdue    *time.Timer   // fires when the sync takes longer than syncLimit
	retry      *time.Timer   // fires when a failed sync is to be tried again
	wait       time.Duration // the pause before the next try; it grows with each failure
	trouble    engine.Text   // why nothing is saved; its key is "" while everything is saved
}

// A job is one sync: the lines it writes, and the batch that waits for its end.
type job struct {
	batch  batch
	writes []write
	late   bool // the batch was settled before the sync ended
}

type write struct {
	journal *journal
	data    []byte
}

func newKeeper(store *store, log *slog.Logger) keeper {
	overdue, retry := time.NewTimer(time.Hour), time.NewTimer(time.Hour)
	overdue.Stop()
	retry.Stop()
	return keeper{log: log, store: store, syncResult: make(chan error, 1), overdue: overdue, retry: retry}
}

// add keeps a journal until the disk holds all of it.
func (k *keeper) add(j *journal) {
	k.journals = append(k.journals, j)
	k.syncWanted = true
}

// enter adds the journal of the new current match.
func (k *keeper) enter(j *journal) {
	k.journal = j
	k.add(j)
}

// leave ends the current match. Its journal stays until the disk holds all of it.
func (k *keeper) leave() {
	k.journal = nil
	k.dropWhole()
}

// keep adds a line to the journal of the match.
func (k *keeper) keep(line string) {
	k.journal.add(line)
	k.syncWanted = true
}

// holds reports whether a journal may still have lines that are not on the disk.
func (k *keeper) holds(id string) bool {
	return slices.ContainsFunc(k.journals, func(j *journal) bool { return j.id == id })
}

// isBusy reports whether players wait for a sync that is under way.
func (k *keeper) isBusy() bool { return k.job != nil && !k.job.late }

// due reports whether a sync should begin.
func (k *keeper) due() bool { return k.syncWanted && k.job == nil }

// start begins a sync of all missing lines if a sync is due. If there is nothing to do, start
// returns nil.
func (k *keeper) start() *job {
	if !k.due() {
		return nil
	}
	k.syncWanted = false
	k.retry.Stop()
	var writes []write
	for _, j := range k.journals {
		if len(j.missing) > 0 {
			// Lines that come during the write are appended after these.
			writes = append(writes, write{j, j.missing[:len(j.missing):len(j.missing)]})
		}
	}
	if len(writes) == 0 {
		return nil
	}
	k.job = &job{writes: writes}
	k.overdue.Reset(syncLimit)
	go func() {
		var errs []error
		for _, w := range writes {
			if err := w.journal.write(w.data); err != nil {
				errs = append(errs, fmt.Errorf("journal %s: %w", w.journal.id, err))
				continue
			}
			w.journal.written = len(w.data)
		}
		k.syncResult <- errors.Join(errs...)
	}()
	runtime.Gosched() // the sync begins now, not after the frame is drawn
	return k.job
}

// settle ends a sync with the result err. After an error it sets the time of the next attempt.
// It returns the batch that waited for the sync, or nil if settleLate has already returned
// that batch.
func (k *keeper) settle(err error) *batch {
	job := k.job
	k.job = nil
	k.overdue.Stop()
	for _, w := range job.writes {
		w.journal.drop(w.journal.written)
		w.journal.written = 0
		if w.journal.renewed {
			w.journal.renewed = false
			k.log.Warn("the journal was removed or moved away; it is kept in a new file", "match", w.journal.id)
		}
	}
	k.dropWhole()
	if err != nil {
		k.wait = nextWait(k.wait, maxRetryWait)
		k.retry.Reset(k.wait)
		k.log.Error("journal is not being kept", "error", err, "again", k.wait)
		k.trouble = troubleOf(err)
	} else {
		if k.trouble.Key != "" {
			k.log.Info("journal is being kept again")
		}
		k.wait, k.trouble = 0, engine.Text{}
	}
	if job.late {
		return nil
	}
	return &job.batch
}

// settleLate lets play go on when the disk does not answer. It returns the batch that waits
// for the sync. If no batch waits, it returns nil.
func (k *keeper) settleLate() *batch {
	if !k.isBusy() {
		return nil
	}
	k.log.Error("journal is not being kept: the disk does not answer", "limit", syncLimit)
	k.trouble = engine.T("trouble.slow")
	waiting := k.job.batch
	k.job.late, k.job.batch = true, batch{}
	return &waiting
}

// troubleOf returns the text that players read after an error of the disk.
func troubleOf(err error) engine.Text {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return engine.T("trouble.full")
	case errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return engine.T("trouble.read-only")
	case errors.Is(err, fs.ErrExist):
		return engine.T("trouble.replaced")
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return engine.T("trouble.disk", "reason", wordingOf(errno))
	}
	return engine.T("trouble.disk", "reason", wordingOf(err))
}

// dropWhole closes the journals that the disk holds completely, except the current one.
func (k *keeper) dropWhole() {
	var open []*journal
	for _, j := range k.journals {
		if j == k.journal || len(j.missing) > 0 {
			open = append(open, j)
		} else if err := j.close(); err != nil {
			k.log.Warn("close journal", "match", j.id, "error", err)
		}
	}
	k.journals = open
}

// close closes all journals and unlocks the folder. If the last lines of some matches could
// not be saved, the error names these matches and has the cause that the function reason
// returns.
func (k *keeper) close(reason func() string) error {
	k.retry.Stop()
	k.overdue.Stop()
	var errs []error
	for _, j := range k.journals {
		if len(j.missing) > 0 {
			errs = append(errs, fmt.Errorf("match %s: its last lines could not be kept: %s", j.id, reason()))
		}
		if k.job == nil { // else a hanging write still uses it
			errs = append(errs, j.close())
		}
	}
	return errors.Join(append(errs, k.store.close())...)
}
