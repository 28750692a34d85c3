package device

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
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
	// disk: each attempt wears it. A full disk is not written to, so that it may
	// be tried more often.
	maxRetryWait = 30 * time.Second
	// inputRetryWait is the shortest pause before an attempt that an input brings
	// about, and the longest while the disk is full.
	inputRetryWait = 3 * time.Second
)

// A keeper writes journals to the disk, one sync at a time.
type keeper struct {
	store *store

	journal    *journal      // of the current match, or nil
	journals   []*journal    // that journal, and others with lines that the disk does not hold yet
	syncWanted bool          // there are new lines, or it is time to try again
	retryDue   bool          // it is time to try the failing journals, too
	job        *job          // the sync under way, or nil
	synced     chan struct{} // gets a value at the end of that sync
	overdue    *time.Timer   // fires when the sync takes longer than syncLimit
	retry      *time.Timer   // fires when failed writes are to be tried again
	retryAt    time.Time     // when that is
	triedAt    time.Time     // when a write failed last
	wait       time.Duration // the pause before the next try; it grows with each failure
	troubled   bool          // nothing was kept when that was last tried
	log        *slog.Logger
}

// A job is one sync: the lines it writes, and the batch that waits for its end.
type job struct {
	batch  batch
	writes []write
	late   bool // the batch was settled before the sync ended
}

type write struct {
	journal  *journal
	data     []byte
	mayAside bool  // if another file still has the journal's name: the players have left the match
	err      error // once the sync has ended
}

func newKeeper(store *store, log *slog.Logger) keeper {
	overdue, retry := time.NewTimer(time.Hour), time.NewTimer(time.Hour)
	overdue.Stop()
	retry.Stop()
	return keeper{store: store, synced: make(chan struct{}, 1), overdue: overdue, retry: retry, log: log}
}

// add keeps a journal until the disk holds all of it.
func (k *keeper) add(j *journal) {
	k.journals = append(k.journals, j)
	k.syncWanted = true
}

func (k *keeper) enter(j *journal) {
	k.journal = j
	k.add(j)
}

// leave ends the current match. Its journal stays until the disk holds all of it.
func (k *keeper) leave() {
	k.journal = nil
	k.dropWhole()
}

// keep adds a line to the journal of the match. If the journal could not be written lately, keep
// brings about another attempt, but not at once.
func (k *keeper) keep(line string) {
	k.journal.add(line)
	if k.journal.failure == nil {
		k.syncWanted = true
	} else if soon := k.triedAt.Add(inputRetryWait); soon.Before(k.retryAt) {
		k.retryIn(time.Until(soon))
	}
}

func (k *keeper) retryIn(wait time.Duration) {
	k.retryAt = time.Now().Add(wait)
	k.retry.Reset(wait)
}

func (k *keeper) retryAll() { k.syncWanted, k.retryDue = true, true }

func (k *keeper) holds(id string) bool {
	return slices.ContainsFunc(k.journals, func(j *journal) bool { return j.id == id })
}

func (k *keeper) isBusy() bool { return k.job != nil && !k.job.late }

func (k *keeper) due() bool { return k.syncWanted && k.job == nil }

// start begins a sync of all missing lines if a sync is due. If there is nothing to do, start
// returns nil.
func (k *keeper) start() *job {
	if !k.due() {
		return nil
	}
	var writes []write
	for _, j := range k.journals {
		if len(j.missing) > 0 && (j.failure == nil || k.retryDue) {
			// Lines that come during the write are appended after these.
			data := j.missing[:len(j.missing):len(j.missing)]
			writes = append(writes, write{journal: j, data: data, mayAside: j != k.journal && j.failure != nil})
		}
	}
	k.syncWanted, k.retryDue = false, false
	if len(writes) == 0 {
		return nil
	}
	k.job = &job{writes: writes}
	k.overdue.Reset(syncLimit)
	go func() {
		for i := range writes {
			w := &writes[i]
			w.err = w.journal.write(w.data, w.mayAside)
		}
		if err := k.store.renewLock(); err != nil { // play goes on: no two tables share a journal
			k.log.Warn("the lock was removed, and cannot be taken again", "error", err)
		}
		k.synced <- struct{}{}
	}()
	return k.job
}

// settle ends a sync. After an error it sets the time of the next attempt. It returns the batch
// that waited for the sync, or nil if settleLate has already returned that batch.
func (k *keeper) settle() *batch {
	job, log := k.job, k.log
	k.job = nil
	k.overdue.Stop()
	var errs []error
	for _, w := range job.writes {
		j := w.journal
		if j.failure = w.err; w.err != nil {
			errs = append(errs, fmt.Errorf("journal %s: %w", j.id, w.err))
		} else {
			j.missing = append(j.missing[:0], j.missing[len(w.data):]...)
		}
		if j.renewed {
			j.renewed = false
			log.Warn("the journal was removed or moved away; it is kept in a new file", "match", j.id)
		}
		if j.asideFile != "" {
			log.Warn("another file has the name of the journal; the match is set aside", "match", j.id, "file", j.asideFile)
		}
	}
	k.dropWhole()
	if err := errors.Join(errs...); err != nil {
		longest := maxRetryWait
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			longest = inputRetryWait
		}
		k.wait, k.triedAt = nextWait(k.wait, longest), time.Now()
		k.retryIn(k.wait)
		k.troubled = true
		log.Error("journal is not being kept", "error", err, "again", k.wait)
	} else if k.failing() == nil {
		k.retry.Stop()
		k.wait = 0
		if k.troubled {
			k.troubled = false
			log.Info("journal is being kept again")
		}
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
	k.troubled = true
	k.log.Error("journal is not being kept", "error", errLate())
	waiting := k.job.batch
	k.job.late, k.job.batch = true, batch{}
	return &waiting
}

// failing returns a journal that could not be written lately: that of the current match, if it
// is one. If there is none, it returns nil.
func (k *keeper) failing() *journal {
	if k.journal != nil && k.journal.failure != nil {
		return k.journal
	}
	if i := slices.IndexFunc(k.journals, func(j *journal) bool { return j.failure != nil }); i >= 0 {
		return k.journals[i]
	}
	return nil
}

func (k *keeper) trouble() engine.Text {
	if k.job != nil && k.job.late {
		return engine.T("trouble.slow")
	}
	if j := k.failing(); j != nil && (k.journal == nil || j == k.journal) {
		return troubleOf(j.failure)
	}
	return engine.Text{}
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
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return engine.T("trouble.files")
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
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
