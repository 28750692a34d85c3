package hall

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tableside/device"
	"tableside/device/history"
	"tableside/engine"
)

// SenderConfig connects a Sender to its table and to the hall. All but Now is required.
type SenderConfig struct {
	Table, Hall string // their names
	Data        string // the table's folder
	Games       []engine.Game
	Lang        engine.Lang
	Matches     func() []engine.MatchInfo // of the table, newest first
	// Offer publishes a match that is over, with its journal, until the next Offer; nil takes
	// it away.
	Offer  func(f *engine.Finished, journal []byte)
	Report func(engine.Part) // takes the health of the part results
	Log    *slog.Logger

	Now func() time.Time // nil means the system's clock
}

// A Sender offers the matches of a table that are over to a hall, the oldest first and one at
// a time, each until the hall has kept or refused it. What the hall has is in a file.
type Sender struct {
	cfg  SenderConfig
	wake chan struct{} // holds one when there may be something to do

	mu      sync.Mutex
	answers []answer

	// Of Run's goroutine:
	sent    sent
	failed  map[string]failure // by match
	offered *offer             // nil: nothing
	part    engine.Part
}

// An answer says what became of a match in the hall.
type answer struct{ match, digest, refused string }

// An offer is a match on the broker.
type offer struct {
	engine.Finished
	stamp stamp
}

// A failure is a match that the hall has refused, or that cannot be folded.
type failure struct {
	stamp   stamp
	until   time.Time // zero: as long as its journal is so
	refused string    // why, in the hall's word; "" if the hall does not know it
}

// A stamp tells by its file whether a journal has changed.
type stamp struct {
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
}

func (s stamp) same(other stamp) bool { return s.Size == other.Size && s.Changed.Equal(other.Changed) }

// sent is the file that remembers what a hall has.
type sent struct {
	Hall    string            `json:"hall"`
	Matches map[string]record `json:"matches"`
}

// A record is a match that is over.
type record struct {
	Home   bool   `json:"home,omitempty"`   // it ended before the table named this hall: it stays
	SHA256 string `json:"sha256,omitempty"` // of the journal that the hall has
	stamp
}

const (
	sentFile = "hall.json"

	// refusedFor is how long the table waits before it offers again what the hall refused:
	// somebody may have repaired the hall meanwhile.
	refusedFor = time.Hour

	// senderLooks is the time between two looks at the journals, which people may change.
	senderLooks = 10 * time.Minute
)

// NewSender returns a sender, which Run starts.
func NewSender(cfg SenderConfig) *Sender {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Sender{cfg: cfg, wake: make(chan struct{}, 1), failed: map[string]failure{}}
	s.Look()
	return s
}

// Look looks soon at what there is to send: a match has ended, or a journal was changed.
func (s *Sender) Look() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Answer takes what became of a match in the hall; refused is "" if the hall has kept it.
func (s *Sender) Answer(match, digest, refused string) {
	s.mu.Lock()
	s.answers = append(s.answers[max(0, len(s.answers)-maxTables):], answer{match, digest, refused})
	s.mu.Unlock()
	s.Look()
}

// Run sends until the context ends.
func (s *Sender) Run(ctx context.Context) error {
	if err := s.load(); err != nil {
		s.cfg.Log.Error("results: nothing is sent to the hall", "hall", s.cfg.Hall, "error", err)
		s.report(engine.Broken, "results.no-file", "file", sentFile, "reason", err.Error())
		return nil
	}
	s.report(engine.OK, "")
	tick := time.NewTicker(senderLooks)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case <-s.wake:
		}
		s.settle()
		s.offer()
	}
}

// load reads what the hall has. Matches that ended before the table named the hall are
// nobody's business there.
func (s *Sender) load() error {
	data, err := os.ReadFile(filepath.Join(s.cfg.Data, sentFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		if err := json.Unmarshal(data, &s.sent); err != nil {
			return err
		}
	}
	if s.sent.Hall == s.cfg.Hall {
		if s.sent.Matches == nil {
			s.sent.Matches = map[string]record{}
		}
		return nil
	}
	s.sent = sent{Hall: s.cfg.Hall, Matches: map[string]record{}}
	for _, m := range s.cfg.Matches() {
		if m.State == "finished" {
			s.sent.Matches[m.ID] = record{Home: true}
		}
	}
	return s.write()
}

func (s *Sender) write() error {
	text, err := json.Marshal(s.sent)
	if err != nil {
		return err
	}
	return device.ReplacePrivate(filepath.Join(s.cfg.Data, sentFile), string(text))
}

// settle notes what the hall has answered to the present offer.
func (s *Sender) settle() {
	s.mu.Lock()
	answers := s.answers
	s.answers = nil
	s.mu.Unlock()
	for _, a := range answers {
		if s.offered == nil || s.offered.Match != a.match || s.offered.SHA256 != a.digest {
			continue // it has changed since, or is an old answer
		}
		if a.refused != "" {
			s.cfg.Log.Warn("results: the hall has refused a match", "hall", s.cfg.Hall, "match", a.match, "why", a.refused)
			s.failed[a.match] = failure{s.offered.stamp, s.cfg.Now().Add(refusedFor), a.refused}
			continue
		}
		s.sent.Matches[a.match] = record{SHA256: a.digest, stamp: s.offered.stamp}
		delete(s.failed, a.match)
		if err := s.write(); err != nil { // then it is sent once more after a restart
			s.cfg.Log.Error("results: what the hall has cannot be written", "file", sentFile, "error", err)
		}
		s.cfg.Log.Info("results: the hall has a match", "hall", s.cfg.Hall, "match", a.match)
	}
}

// offer offers the oldest match that the hall does not have, and says which it has refused.
func (s *Sender) offer() {
	matches := s.cfg.Matches()
	slices.Reverse(matches)
	var next *offer
	var journal []byte
	known := map[string]bool{}
	for _, m := range matches {
		if known[m.ID] = true; m.State == "finished" && next == nil {
			next, journal = s.look(m.ID)
		}
	}
	for match := range s.failed {
		if !known[match] {
			delete(s.failed, match)
		}
	}
	switch {
	case next == nil && s.offered != nil:
		s.cfg.Offer(nil, nil)
	case next != nil && (s.offered == nil || next.Match != s.offered.Match || next.SHA256 != s.offered.SHA256):
		s.cfg.Log.Info("results: a match is offered to the hall", "hall", s.cfg.Hall, "match", next.Match)
		s.cfg.Offer(&next.Finished, journal)
	}
	s.offered = next
	s.tell()
}

// look returns a match if it is to be offered. The journal of the present offer is not read
// again.
func (s *Sender) look(match string) (*offer, []byte) {
	known := s.sent.Matches[match]
	if known.Home || engine.BeginOf(match).IsZero() {
		return nil, nil
	}
	file := filepath.Join(s.cfg.Data, "matches", match+".journal")
	info, err := os.Lstat(file)
	if err != nil {
		return nil, nil
	}
	now := stamp{info.Size(), info.ModTime()}
	failed, ill := s.failed[match]
	switch {
	case known.SHA256 != "" && known.same(now):
		return nil, nil
	case ill && failed.stamp.same(now) && (failed.until.IsZero() || s.cfg.Now().Before(failed.until)):
		return nil, nil
	case s.offered != nil && s.offered.Match == match && s.offered.stamp.same(now):
		return s.offered, nil
	}
	journal, err := device.ReadJournal(file)
	if err != nil {
		s.cfg.Log.Warn("results: a journal cannot be read", "match", match, "error", err)
		return nil, nil
	}
	if history.Digest(journal) == known.SHA256 {
		known.stamp = now
		s.sent.Matches[match] = known
		return nil, nil
	}
	f, err := history.Finish(match, journal, s.cfg.Games, s.cfg.Lang, nil)
	if err != nil {
		s.cfg.Log.Warn("results: a match is not sent to the hall", "match", match, "error", err)
		s.failed[match] = failure{stamp: now}
		return nil, nil
	}
	f.Table, f.Hall = s.cfg.Table, s.cfg.Hall
	return &offer{f, now}, journal
}

// tell reports which matches the hall has refused.
func (s *Sender) tell() {
	newest, n := "", 0
	for match, f := range s.failed {
		if f.refused != "" {
			newest = max(newest, match)
			n++
		}
	}
	if n == 0 {
		s.report(engine.OK, "")
		return
	}
	why := "results." + s.failed[newest].refused
	if !device.Words().Has(why) {
		why = "results.refused-otherwise"
	}
	s.report(engine.Degraded, "results.refused", "n", n, "hall", s.cfg.Hall,
		"when", engine.BeginOf(newest).Local().Format(time.DateTime), "why", engine.T(why))
}

// report tells the health of the part results, if it has changed.
func (s *Sender) report(health engine.Health, key string, pairs ...any) {
	part := engine.Part{Name: "results", Health: health}
	if key != "" {
		words := engine.Merge(engine.CoreWords(), device.Words())
		part.Reason = words.Say(s.cfg.Lang, engine.T(key, pairs...), nil)
	}
	if part != s.part {
		s.part = part
		s.cfg.Report(part)
	}
}
