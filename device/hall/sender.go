package hall

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tableside/device"
	"tableside/device/disk"
	"tableside/device/history"
	"tableside/engine"
)

// SenderConfig connects a Sender to its table and to the hall. All fields but Now are
// required.
type SenderConfig struct {
	Hall    string // its name
	Data    string // the table's folder
	Games   []engine.Game
	Lang    engine.Lang
	Matches func() []engine.MatchInfo // of the table, newest first
	// Offer publishes the packed journal of a match that is over, in place of the last one. It
	// may get the same again, to publish it once more. The match "" withdraws it.
	Offer  func(match string, journal []byte)
	Report func(engine.Part) // takes the health of the part "results", changed or not
	Log    *slog.Logger

	Now func() time.Time // nil means the system's clock
}

// A Sender offers a hall the finished matches of a table. It offers one match at a time, the
// oldest first, until the hall has kept or refused the match. A file records which matches the
// hall has.
type Sender struct {
	cfg       SenderConfig
	createdAt time.Time     // when the sender was made, to the second, as in names of matches
	wake      chan struct{} // holds one when there may be something to do
	answers   chan answer

	// Only Run's goroutine uses the fields below.
	sentList   sentList
	failures   map[string]failure // by match
	offered    *offer             // nil: nothing
	missing    int                // matches that the hall still lacks, with the one offered
	owedSince  time.Time          // since when the hall has owed an answer; zero: it owes none
	resendAt   time.Time          // when the offer is published once more
	resendWait time.Duration      // the time from the last publishing to resendAt
}

// An answer says what became of a match in the hall. If the hall has kept the match, reason is
// "".
type answer struct{ match, digest, reason string }

// An offer is a match whose packed journal the sender puts on the broker.
type offer struct {
	match  string
	sha256 string // of the journal
	packed []byte
	digest string // of packed
	stamp  stamp
}

// A failure is a match that the hall has refused, or whose journal this table cannot replay.
type failure struct {
	stamp  stamp
	until  time.Time // zero: until its journal changes
	reason string    // one of the Archive's words, or notFolded
	unsent bool      // the table did not send it, so the hall has not seen it
}

// notFolded says why a match is not sent: its journal does not lead to the end of the match,
// for example because today's rules differ. The other reasons are words of the Archive.
const notFolded = "not-folded"

const (
	// refusedFor is how long the table waits before it offers again what the hall refused:
	// somebody may have repaired the hall meanwhile.
	refusedFor = time.Hour

	// answerLimit is how long the hall may take for an answer before the table says that the
	// hall gives none.
	answerLimit = 10 * time.Minute

	// minResendWait is how long the table waits for an answer before it publishes its offer
	// once more: a broker may have lost the offer or the answer. Each further wait is twice as
	// long, up to answerLimit.
	minResendWait = 5 * time.Second

	maxAnswers = 64 // that wait

	// lookInterval is the time between two looks at the journals, which people may change.
	lookInterval = 10 * time.Minute
)

// NewSender returns a sender. Call Run to start it. If the table names the hall for the first
// time, the hall gets no matches that were over before this call.
func NewSender(cfg SenderConfig) *Sender {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Sender{cfg: cfg, createdAt: cfg.Now().Truncate(time.Second).UTC(), wake: make(chan struct{}, 1),
		answers: make(chan answer, maxAnswers), failures: map[string]failure{}}
	s.Look()
	return s
}

// Look makes the sender look soon for matches to send. Call it when a match has ended, or a
// journal was changed.
func (s *Sender) Look() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Answer receives the hall's answer to a match. If the hall has refused the match, the
// argument reason is one of the Archive's words. If the hall has kept the match,
// this argument is "". digest is the SHA-256 of the packed journal to which the hall has answered.
func (s *Sender) Answer(match, digest, reason string) {
	select {
	case s.answers <- answer{match, digest, reason}:
	default: // the match is offered again, and answered again
	}
}

// Run sends matches until the context ends, and returns nil. If sentFile cannot be read or
// written at the start, Run reports the error. It then returns nil without sending anything.
func (s *Sender) Run(ctx context.Context) error {
	if err := s.load(); err != nil {
		s.cfg.Log.Error("results: nothing is sent to the hall", "hall", s.cfg.Hall,
			"file", filepath.Join(s.cfg.Data, sentFile), "error", err)
		s.report(engine.Broken, engine.T("results.no-file", "file", sentFile, "reason", err.Error()))
		return nil
	}
	s.report(engine.OK)
	for {
		pause := time.NewTimer(s.pause())
		select {
		case <-ctx.Done():
			pause.Stop()
			return nil
		case <-pause.C:
		case <-s.wake:
		case a := <-s.answers:
			s.settle(a)
		}
		pause.Stop()
		s.offer()
	}
}

func (s *Sender) pause() time.Duration {
	now, pause := s.cfg.Now(), lookInterval
	if s.offered != nil {
		pause = min(pause, max(0, s.resendAt.Sub(now)))
	}
	if left := answerLimit - now.Sub(s.owedSince); !s.owedSince.IsZero() && left > 0 {
		pause = min(pause, left)
	}
	return pause
}

// settle notes what the hall has answered to the present offer.
func (s *Sender) settle(a answer) {
	if s.offered == nil || s.offered.match != a.match || s.offered.digest != a.digest {
		return // the journal has changed since, or the answer is an old one
	}
	s.owedSince = time.Time{}
	if a.reason != "" {
		s.cfg.Log.Warn("results: the hall has refused a match", "hall", s.cfg.Hall, "match", a.match, "why", a.reason)
		s.failures[a.match] = failure{stamp: s.offered.stamp, until: s.cfg.Now().Add(refusedFor), reason: a.reason}
		return
	}
	s.sentList.Matches[a.match] = record{SHA256: s.offered.sha256, stamp: s.offered.stamp}
	delete(s.failures, a.match)
	if err := s.write(); err != nil { // then it is sent once more after a restart
		s.cfg.Log.Error("results: what the hall has cannot be written", "file", sentFile, "error", err)
	}
	s.cfg.Log.Info("results: the hall has a match", "hall", s.cfg.Hall, "match", a.match)
}

// offer offers the oldest match that the hall does not have. If there is no such match, offer
// withdraws the present offer. It also reports what is wrong.
func (s *Sender) offer() {
	matches := s.cfg.Matches()
	slices.Reverse(matches)
	var next *offer
	known := map[string]bool{}
	s.missing = 0
	for _, m := range matches {
		known[m.ID] = true
		now, due := s.due(m)
		if due && next == nil {
			next = s.prepare(m.ID, now)
			due = next != nil
		}
		if due {
			s.missing++
		}
	}
	for match := range s.failures {
		if !known[match] {
			delete(s.failures, match)
		}
	}
	switch {
	case next == nil && s.offered != nil:
		s.cfg.Offer("", nil)
	case next != nil && (s.offered == nil || next.match != s.offered.match || next.digest != s.offered.digest):
		s.cfg.Log.Info("results: a match is offered to the hall", "hall", s.cfg.Hall, "match", next.match)
		s.resendWait = minResendWait
		s.publish(next)
	case next != nil && !s.cfg.Now().Before(s.resendAt):
		s.resendWait = min(2*s.resendWait, answerLimit)
		s.publish(next)
	}
	switch s.offered = next; {
	case next == nil:
		s.owedSince = time.Time{}
	case s.owedSince.IsZero():
		s.owedSince = s.cfg.Now()
	}
	s.tell()
}

func (s *Sender) publish(o *offer) {
	s.cfg.Offer(o.match, o.packed)
	s.resendAt = s.cfg.Now().Add(s.resendWait)
}

// due reports whether a match should be offered now, and returns the stamp of its journal.
func (s *Sender) due(m engine.MatchInfo) (now stamp, due bool) {
	if m.State != "finished" || engine.BeginOf(m.ID).IsZero() || s.sentList.isHome(m.ID) {
		return now, false
	}
	info, err := os.Lstat(s.file(m.ID))
	if err != nil {
		return now, false
	}
	now = stamp{info.Size(), info.ModTime()}
	if known := s.sentList.Matches[m.ID]; known.SHA256 != "" && known.isSame(now) {
		return now, false
	}
	failed, ill := s.failures[m.ID]
	waits := ill && failed.stamp.isSame(now) && (failed.until.IsZero() || s.cfg.Now().Before(failed.until))
	return now, !waits
}

func (s *Sender) file(match string) string {
	return filepath.Join(s.cfg.Data, "matches", match+".journal")
}

// prepare returns the offer of a match, with the journal of the match. current is the present
// stamp of the journal. If the match is already offered and has not changed, the journal is
// not read again. If the match is not to be offered after all, prepare returns nil.
func (s *Sender) prepare(match string, current stamp) *offer {
	if s.offered != nil && s.offered.match == match && s.offered.stamp.isSame(current) {
		return s.offered
	}
	journal, err := disk.ReadJournal(s.file(match))
	if err != nil {
		s.cfg.Log.Warn("results: a journal cannot be read", "match", match, "error", err)
		return nil
	}
	sum := history.Digest(journal)
	if known := s.sentList.Matches[match]; sum == known.SHA256 {
		known.stamp = current
		s.sentList.Matches[match] = known
		return nil
	}
	packed, err := pack(journal)
	if err == nil {
		_, err = history.Finish(match, journal, s.cfg.Games, s.cfg.Lang, nil)
	}
	if err != nil {
		s.cfg.Log.Warn("results: a match is not sent to the hall", "match", match, "error", err)
		why := notFolded
		switch {
		case errors.Is(err, history.ErrTooLong):
			why = tooLong
		case errors.Is(err, errTooLarge):
			why = tooLarge
		}
		s.failures[match] = failure{stamp: current, reason: why, unsent: true}
		return nil
	}
	return &offer{match: match, sha256: sum, packed: packed, digest: history.Digest(packed), stamp: current}
}

// tell reports what is wrong. It reports matches that the hall has refused, matches that are
// not sent, and a hall that does not answer.
func (s *Sender) tell() {
	var faults []engine.Text
	for _, unsent := range []bool{false, true} {
		newest, n := "", 0
		for match, f := range s.failures {
			if f.unsent == unsent {
				newest = max(newest, match)
				n++
			}
		}
		if n == 0 {
			continue
		}
		key, why := "results.refused", "results."+s.failures[newest].reason
		if unsent {
			key = "results.not-sent"
		}
		if !device.Words().Has(why) {
			why = "results.refused-otherwise"
		}
		faults = append(faults, engine.T(key, "n", n, "hall", s.cfg.Hall,
			"when", engine.BeginOf(newest).Local().Format(time.DateTime), "why", engine.T(why)))
	}
	if !s.owedSince.IsZero() && s.cfg.Now().Sub(s.owedSince) >= answerLimit {
		faults = append(faults, engine.T("results.silent", "n", s.missing, "hall", s.cfg.Hall,
			"when", s.owedSince.Local().Format(time.DateTime)))
	}
	health := engine.OK
	if len(faults) > 0 {
		health = engine.Degraded
	}
	s.report(health, faults...)
}

func (s *Sender) report(health engine.Health, faults ...engine.Text) {
	words := engine.Merge(engine.CoreWords(), device.Words())
	var why []string
	for _, fault := range faults {
		why = append(why, words.Say(s.cfg.Lang, fault, nil))
	}
	s.cfg.Report(engine.Part{Name: "results", Health: health, Reason: strings.Join(why, ". ")})
}
