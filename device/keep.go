package device

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"
	"time"

	"tableside/engine"
)

const (
	// markEvery so many accepted inputs, the journal holds the view's hash.
	markEvery = 50
	// syncLimit is how long players wait for the disk. An SD card may take
	// half a second now and then; behind this it is out of order.
	syncLimit = 5 * time.Second
	// lastTry is the longest pause between attempts to write to a disk that
	// refuses: it is worn by each.
	lastTry = 30 * time.Second
)

// A keeper brings journals to the disk, one sync at a time.
type keeper struct {
	journal  *journal   // of the match that is played
	journals []*journal // it, and those that still miss lines
	wants    bool       // a sync is wanted: there are new lines, or it is time to try again
	job      *job       // the sync under way
	synced   chan error // its result
	overdue  *time.Timer
	retry    *time.Timer
	wait     time.Duration // back-off
	trouble  engine.Text   // why nothing is kept; no key while all is
}

// A job is one sync: what it writes, and what waits for its end.
type job struct {
	batch  batch
	writes []write
	late   bool // the batch was settled before the disk answered
}

type write struct {
	to   *journal
	data []byte
}

func newKeeper() keeper {
	overdue, retry := time.NewTimer(time.Hour), time.NewTimer(time.Hour)
	overdue.Stop()
	retry.Stop()
	return keeper{synced: make(chan error, 1), overdue: overdue, retry: retry}
}

// keep adds a line to the journal of the match.
func (l *loop) keep(line string) {
	l.journal.add(line)
	l.wants = true
}

// mark adds the view's hash.
func (l *loop) mark() {
	l.keep(engine.Mark{Seq: l.match.Seq(), Hash: l.match.View().Hash()}.String())
}

// noteEnd writes how a match ended, once; an undo takes it up again.
func (l *loop) noteEnd(view engine.View) {
	if l.match == nil {
		return
	}
	over := len(view.Winners) > 0
	if over == l.ended {
		return
	}
	l.ended = over
	info := l.matchInfo("playing")
	if over {
		l.mark()
		l.keep(engine.End{State: "finished", Winners: view.Winners}.String())
		info.State, info.Winners = "finished", view.Winners
		l.learn(l.match)
	}
	l.table.list.put(info)
}

// startSync writes what is missing, unless that is under way or not wanted.
func (l *loop) startSync() *job {
	if !l.wants || l.job != nil {
		return nil
	}
	l.wants = false
	l.retry.Stop()
	var writes []write
	for _, j := range l.journals {
		if len(j.missing) > 0 {
			// Lines that come meanwhile are appended behind these.
			writes = append(writes, write{j, j.missing[:len(j.missing):len(j.missing)]})
		}
	}
	if len(writes) == 0 {
		return nil
	}
	l.job = &job{writes: writes}
	l.overdue.Reset(syncLimit)
	go func() {
		var errs []error
		for _, w := range writes {
			if err := w.to.write(w.data); err != nil {
				errs = append(errs, fmt.Errorf("journal %s: %w", w.to.id, err))
				continue
			}
			w.to.written = len(w.data)
		}
		l.synced <- errors.Join(errs...)
	}()
	runtime.Gosched() // the disk begins now, not when the frame is drawn
	return l.job
}

// settleSync ends a sync.
func (l *loop) settleSync(err error) {
	job := l.job
	l.job = nil
	l.overdue.Stop()
	for _, w := range job.writes {
		w.to.kept(w.to.written)
		w.to.written = 0
		if w.to.renewed {
			w.to.renewed = false
			l.Log.Warn("the journal was removed or moved away; it is kept in a new file", "match", w.to.id)
		}
	}
	l.dropJournals()
	if err != nil {
		l.wait = nextWait(l.wait, lastTry)
		l.retry.Reset(l.wait)
		l.Log.Error("journal is not being kept", "error", err, "again", l.wait)
		l.setTrouble(troubleOf(err))
	} else {
		l.wait = 0
		l.setTrouble(engine.Text{})
	}
	if !job.late {
		l.settle(job.batch)
	}
}

// settleLate lets play go on when the disk does not answer.
func (l *loop) settleLate() {
	if l.job == nil || l.job.late {
		return
	}
	l.Log.Error("journal is not being kept: the disk does not answer", "limit", syncLimit)
	l.job.late = true
	l.setTrouble(engine.T("trouble.slow"))
	l.settle(l.job.batch)
	l.job.batch = batch{}
}

// awaitSync waits for the sync under way, and for what it lets go on.
func (l *loop) awaitSync() {
	for l.job != nil && !l.job.late {
		select {
		case err := <-l.synced:
			l.settleSync(err)
		case <-l.overdue.C:
			l.settleLate()
		}
		l.flush()
	}
}

func (l *loop) setTrouble(trouble engine.Text) {
	if l.trouble.Key != trouble.Key {
		l.stale = true
	}
	if l.trouble.Key != "" && trouble.Key == "" {
		l.Log.Info("journal is being kept again")
	}
	l.trouble = trouble
	part := engine.Part{Name: "journal", Health: engine.OK}
	if trouble.Key != "" {
		part.Health, part.Reason = engine.Broken, l.words.Say(l.Lang, trouble, nil)
	}
	l.setHealth(part)
}

// troubleOf tells players what to do.
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
		return engine.T("trouble.disk", "reason", errno.Error())
	}
	return engine.T("trouble.disk", "reason", err.Error())
}

// dropJournals closes those of matches that are left, once they are whole.
func (l *loop) dropJournals() {
	var open []*journal
	for _, j := range l.journals {
		if j == l.journal || len(j.missing) > 0 {
			open = append(open, j)
		} else if err := j.close(); err != nil {
			l.Log.Warn("close journal", "match", j.id, "error", err)
		}
	}
	l.journals = open
}

// finishKeeping keeps and answers what waits, for the last time.
func (l *loop) finishKeeping() {
	limit := time.NewTimer(syncLimit)
	defer limit.Stop()
	for l.wants = true; ; {
		l.flush()
		if l.job == nil {
			return
		}
		select {
		case err := <-l.synced:
			l.settleSync(err)
		case <-limit.C: // the disk hangs: nothing more can be done
			l.settleLate()
			l.flush()
			return
		}
	}
}

func (l *loop) closeJournals() error {
	l.retry.Stop()
	l.overdue.Stop()
	var errs []error
	for _, j := range l.journals {
		if len(j.missing) > 0 {
			errs = append(errs, fmt.Errorf("match %s: its last lines could not be kept: %s", j.id, l.words.Say(l.Lang, l.trouble, nil)))
		}
		if l.job == nil { // else a write that hangs still uses it
			errs = append(errs, j.close())
		}
	}
	return errors.Join(append(errs, l.store.close())...)
}
