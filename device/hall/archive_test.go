package hall

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/tally"
)

// oneMatch began at this moment, on several tables.
const oneMatch = "2026-11-20T20-15-00Z"

// journalOf returns the journal of a match with these lines.
func journalOf(lines ...string) []byte {
	begin := engine.BeginOf(oneMatch).Format(time.RFC3339)
	return []byte("tableside-journal 1\ngame tally/score\noption target 5\nseat red Alice\nseat blue Max\nbegin " + begin +
		"\n" + strings.Join(lines, "\n") + "\n")
}

// won is the journal of a match that Red wins; taken back, Blue wins it.
var (
	won   = journalOf("10s red choose +5", "end finished red")
	after = journalOf("10s red choose +5", "end finished red", "20s red undo", "30s blue choose +5", "end finished blue")
)

// resultOf returns how a match ended, as a table says it.
func resultOf(t *testing.T, table string, journal []byte) engine.Finished {
	t.Helper()
	f, err := history.Finish(oneMatch, journal, tally.Games(), engine.French, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Table, f.Hall, f.Pieces = table, "club", 1
	return f
}

// A cellar is an archive with its folder, and with journals on a broker that a test sets.
type cellar struct {
	*Archive
	t    *testing.T
	data string

	mu      sync.Mutex
	onWire  map[string][]byte // journals by table; pieces of one that is missing do not come
	fetched int
	free    uint64   // bytes on the disk
	deaf    bool     // tables cannot be told
	said    []string // "table answer"
	kept    []engine.Finished
	full    error // of Kept
	aside   int
}

func newCellar(t *testing.T, data string) *cellar {
	t.Helper()
	c := &cellar{t: t, data: data, free: 1 << 30, onWire: map[string][]byte{}}
	c.Archive = NewArchive(ArchiveConfig{
		Hall:    "club",
		History: history.New(data, tally.Games()), Games: tally.Games(), Log: slog.New(slog.DiscardHandler),
		Fetch: func(_ context.Context, f engine.Finished, lacks func()) ([]byte, error) {
			c.mu.Lock()
			c.fetched++
			journal := c.onWire[f.Table]
			c.mu.Unlock()
			if journal != nil {
				return journal, nil
			}
			lacks()
			return nil, errors.New("pieces are missing")
		},
		Free: func() (uint64, error) { return c.free, nil },
		Answer: func(f engine.Finished, refused string) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.deaf {
				return errors.New("no connection")
			}
			c.said = append(c.said, strings.TrimSpace(f.Table+" "+refused))
			return nil
		},
		Kept: func(f engine.Finished) error {
			name := history.NameOf(f.Match, f.Table) + ".journal"
			info, err := os.Stat(filepath.Join(data, "matches", name))
			if err != nil {
				info, err = os.Stat(filepath.Join(data, "matches", "deleted", name))
			}
			if err != nil || info.Size() != int64(f.Bytes) {
				t.Errorf("told of a match before the disk has it: %v", err)
			}
			c.kept = append(c.kept, f)
			return c.full
		},
		Aside: func(string, error) { c.mu.Lock(); c.aside++; c.mu.Unlock() },
	})
	return c
}

// offer puts a match on the broker and lets the archive attend to it.
func (c *cellar) offer(f engine.Finished, journal []byte) {
	c.mu.Lock()
	c.onWire[f.Table] = journal
	c.mu.Unlock()
	c.Offered(f.Table, &f)
	next, ok := c.nextMatch()
	if !ok {
		c.t.Fatal("nothing waits")
	}
	c.attend(c.t.Context(), next)
}

// has checks what the tables were told since the last check.
func (c *cellar) has(want ...string) {
	c.t.Helper()
	if !slices.Equal(c.said, want) {
		c.t.Errorf("said %q, want %q", c.said, want)
	}
	c.said = nil
}

// files lists the journals of a folder.
func (c *cellar) files(folder ...string) []string {
	list, err := filepath.Glob(filepath.Join(c.data, filepath.Join(folder...), "*")) // not hidden ones
	if err != nil {
		c.t.Fatal(err)
	}
	var names []string
	for _, file := range list {
		if name := filepath.Base(file); strings.HasSuffix(name, ".journal") {
			names = append(names, strings.TrimSuffix(name, ".journal"))
		}
	}
	return names
}

// A hall that is killed after it has written a match, and before its table hears of it, counts
// the match once; the players take back the end; the earlier end comes late.
func TestArchive(t *testing.T) {
	data := t.TempDir()
	c := newCellar(t, data)
	c.deaf = true
	c.offer(resultOf(t, "one", won), won)
	c.has()
	c = newCellar(t, data) // after the kill
	c.offer(resultOf(t, "one", won), nil)
	c.offer(resultOf(t, "one", won), nil) // the table is off, and does not hear it
	c.has("one", "one")
	if c.fetched != 0 || len(c.kept) != 1 {
		t.Errorf("fetched %d times, %d kept", c.fetched, len(c.kept))
	}
	c.offer(resultOf(t, "two", won), won)
	c.offer(resultOf(t, "one", after), after)
	c.offer(resultOf(t, "one", won), won)
	c.has("two", "one", "one outdated")
	if got, want := c.files("matches"), []string{oneMatch + "@one", oneMatch + "@two"}; !slices.Equal(got, want) {
		t.Errorf("the files are %q, want %q", got, want)
	}
	if last := c.kept[len(c.kept)-1]; last.Table != "one" || !slices.Equal(last.Winners, []engine.Seat{"blue"}) ||
		last.Seats[0].Name != "Max" || *last.Seats[0].Score != 5 || last.Seats[1].Rank != 2 || last.Game != "tally/score" {
		t.Errorf("told %+v", last)
	}
	b, err := c.cfg.History.Read()
	if err != nil || len(b.Matches) != 2 || b.Matches[0].Table != "two" || b.Matches[1].Winners()[0] != "blue" {
		t.Errorf("%+v, %v", b.Matches, err)
	}
}

// What a hall has deleted stays deleted, whatever the table sends.
func TestArchiveDeleted(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.offer(resultOf(t, "one", won), won)
	err := c.cfg.History.Delete(oneMatch+"@one", time.Now(), func(string) bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	c.offer(resultOf(t, "one", won), won)
	c.offer(resultOf(t, "one", after), after)
	c.has("one", "one", "one")
	if here, away := c.files("matches"), c.files("matches", "deleted"); len(here) != 0 || len(away) != 1 {
		t.Errorf("%q and deleted %q", here, away)
	}
	if text, err := c.cfg.History.Kept(oneMatch + "@one"); err != nil || string(text) != string(after) {
		t.Errorf("%s, %v", text, err)
	}
}

// A table that invents matches, or versions of one, gets no more than its share of the disk,
// also after a restart; another table is not concerned, and what the hall has it still knows.
func TestArchiveShare(t *testing.T) {
	data := t.TempDir()
	c := newCellar(t, data)
	c.quota = journalCount{n: 3, size: maxJournalBytes}
	c.offer(resultOf(t, "one", won), won)
	c.offer(resultOf(t, "one", after), after) // 2: a version counts, too
	second, third := journalAt(t, "2026-11-21T20-15-00Z"), journalAt(t, "2026-11-22T20-15-00Z")
	c.offer(second.Finished, second.journal) // 3
	c.has("one", "one", "one")
	c.offer(third.Finished, third.journal)
	c.offer(resultOf(t, "one", after), after)
	c.offer(resultOf(t, "two", won), won)
	c.has("one too-many", "one", "two")

	c = newCellar(t, data)
	c.quota = journalCount{n: 3, size: maxJournalBytes}
	c.offer(third.Finished, third.journal)
	c.offer(second.Finished, second.journal)
	c.has("one too-many", "one")

	c = newCellar(t, data)
	c.quota = journalCount{n: 10, size: int64(len(after) + len(second.journal) + len(third.journal) - 1)}
	c.offer(third.Finished, third.journal)
	c.has("one too-many")
	if c.fetched != 0 {
		t.Error("it was fetched")
	}
	if err := os.Remove(filepath.Join(data, "matches", second.Match+"@one.journal")); err != nil {
		t.Fatal(err)
	}
	c.Offered("one", nil) // the table waits
	c.keepMu.Lock()
	c.counts["one"] = journalCount{n: 10, countedAt: time.Now().Add(-2 * recountAfter)}
	c.keepMu.Unlock()
	c.offer(third.Finished, third.journal)
	c.has("one")
}

// journalAt returns the match that Red wins as if it had begun then, of the table one.
func journalAt(t *testing.T, match string) offer {
	t.Helper()
	journal := bytes.Replace(won, []byte(engine.BeginOf(oneMatch).Format(time.RFC3339)),
		[]byte(engine.BeginOf(match).Format(time.RFC3339)), 1)
	f, err := history.Finish(match, journal, tally.Games(), engine.French, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Table, f.Hall, f.Pieces = "one", "club", 1
	return offer{Finished: f, journal: journal}
}

// A match that Kept cannot use yet comes again: its table is told nothing.
func TestArchiveAgain(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.full = errors.New("no space left on device")
	c.offer(resultOf(t, "one", won), won)
	if len(c.said) != 0 || len(c.kept) != 1 {
		t.Errorf("with a full disk: told %q, kept %d", c.said, len(c.kept))
	}
	c.full = nil
	c.offer(resultOf(t, "one", won), won)
	if len(c.said) != 1 || c.said[0] != "one" || len(c.kept) != 2 {
		t.Errorf("then: told %q, kept %d", c.said, len(c.kept))
	}
}

// A hall does not fill its disk: matches wait at their tables until there is room.
func TestArchiveFull(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.free = minFree - 1
	c.offer(resultOf(t, "one", won), won)
	c.has()
	if c.fetched != 0 || c.aside != 1 || len(c.files("matches")) != 0 {
		t.Errorf("fetched %d times, %d set aside, %q kept", c.fetched, c.aside, c.files("matches"))
	}
	c.free = minFree
	c.offer(resultOf(t, "one", won), won)
	c.has("one")
}

// A name that was removed does not come back with an old journal: not from a table that has
// lost what it sent, and not late from the broker.
func TestArchiveRemovedName(t *testing.T) {
	data := t.TempDir()
	c := newCellar(t, data)
	c.offer(resultOf(t, "one", won), won)
	removed, err := c.cfg.History.Remove("Alice", func(string) bool { return false })
	if err != nil || len(removed) != 1 {
		t.Fatalf("%q, %v", removed, err)
	}
	c = newCellar(t, data)
	c.offer(resultOf(t, "one", won), won)
	without := bytes.ReplaceAll(won, []byte("Alice"), []byte("removed"))
	c.offer(resultOf(t, "one", without), without) // the table has removed it, too
	c.offer(resultOf(t, "one", won), won)
	c.offer(resultOf(t, "two", won), won) // another match
	c.has("one "+outdated, "one", "one "+outdated, "two")
	if text, err := c.cfg.History.Kept(oneMatch + "@one"); err != nil || bytes.Contains(text, []byte("Alice")) {
		t.Errorf("%s, %v", text, err)
	}
	c.offer(resultOf(t, "one", after), after) // it was played on
	c.has("one")
}

// What is false, damaged or too much is refused, and nothing of it is kept.
func TestArchiveRefuses(t *testing.T) {
	c := newCellar(t, t.TempDir())
	change := func(change func(*engine.Finished)) engine.Finished {
		f := resultOf(t, "one", won)
		change(&f)
		return f
	}
	other := func(journal []byte) engine.Finished {
		return change(func(f *engine.Finished) { f.Bytes, f.SHA256 = len(journal), history.Digest(journal) })
	}
	endless := journalOf("10s red choose +1", "end finished red")
	open := journalOf("10s red choose +1")
	long := append(slices.Clone(won), bytes.Repeat([]byte("\n"), history.MaxLines)...)
	unknown := []byte(strings.Replace(string(won), "tally/score", "tally/unknown", 1))
	for _, offer := range []struct {
		f       engine.Finished
		journal []byte
		want    string
	}{
		{change(func(f *engine.Finished) { f.Pieces, f.Bytes = 0, 5<<20 }), won, tooLarge},
		{resultOf(t, "one", won), after, damaged},
		{change(func(f *engine.Finished) { f.Winners = []engine.Seat{"blue"} }), won, falseResult},
		{change(func(f *engine.Finished) { f.Seats[0].Name = "Eve" }), won, falseResult},
		{change(func(f *engine.Finished) { f.Seats[0].Rank = 2 }), won, falseResult},
		{change(func(f *engine.Finished) { f.Ended = f.Ended.Add(time.Hour) }), won, falseResult},
		{change(func(f *engine.Finished) { f.Game = "tally/other" }), won, falseResult},
		{change(func(f *engine.Finished) { f.Match = "2026-11-20T20-15-01Z" }), won, unreadable},
		{other(endless), endless, unreadable},
		{other(open), open, unreadable},
		{other(unknown), unknown, unreadable},
		{other([]byte("what?")), []byte("what?"), unreadable},
		{other(long), long, tooLong},
	} {
		c.offer(offer.f, offer.journal)
		c.has("one " + offer.want)
	}
	if c.aside != 13 || len(c.files("matches")) != 0 || len(c.kept) != 0 {
		t.Errorf("%d set aside, %q kept", c.aside, c.files("matches"))
	}
	c.offer(resultOf(t, "one", won), won)
	c.has("one")
}

// A journal whose inputs are refused again and again takes long; its table is told so in time.
func TestArchiveSlow(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.limit = 100 * time.Millisecond
	var lines []string
	for n := range 20_000 {
		lines = append(lines, fmt.Sprintf("%ds red set score 1", n+1))
	}
	for n := range 20_000 {
		lines = append(lines, fmt.Sprintf("%ds red choose nonsense", n+20_001))
	}
	slow := journalOf(lines...)
	f := resultOf(t, "one", won)
	f.Bytes, f.SHA256 = len(slow), history.Digest(slow)
	began := time.Now()
	c.offer(f, slow)
	c.has("one " + tooSlow)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

// A slow game counts how many of its matches are folded at once.
type slowGame struct {
	engine.Game
	now, most *atomic.Int32
}

func (g slowGame) New(setup engine.Setup) (engine.State, error) {
	if n := g.now.Add(1); n > g.most.Load() {
		g.most.Store(n)
	}
	time.Sleep(10 * time.Millisecond)
	g.now.Add(-1)
	return g.Game.New(setup)
}

// However many journals come at once, one is folded at a time.
func TestArchiveFoldsOne(t *testing.T) {
	c := newCellar(t, t.TempDir())
	var now, most atomic.Int32
	for i, g := range c.cfg.Games {
		c.cfg.Games[i] = slowGame{g, &now, &most}
	}
	var work sync.WaitGroup
	for n := range fetchers {
		f := resultOf(t, fmt.Sprint("table-", n), won)
		c.mu.Lock()
		c.onWire[f.Table] = won
		c.mu.Unlock()
		work.Go(func() { c.attend(t.Context(), f) })
	}
	work.Wait()
	if len(c.said) != fetchers || most.Load() != 1 {
		t.Errorf("%d at once, said %q", most.Load(), c.said)
	}
}

// A table hears each time that pieces do not come, and other tables do not wait for them.
func TestArchiveIncomplete(t *testing.T) {
	c := newCellar(t, t.TempDir())
	f := resultOf(t, "one", won)
	c.offer(f, nil)
	c.has("one " + incomplete)
	c.offer(f, nil)
	c.has("one " + incomplete)
	c.offer(f, won)
	c.has("one")

	two := resultOf(t, "two", won)
	c.onWire["two"] = won
	c.Offered("one", &f)
	c.Offered("two", &two)
	if first, _ := c.nextMatch(); first.Table != "one" {
		t.Fatalf("first comes %s", first.Table)
	}
	c.Offered("one", &f) // while somebody works for it
	second, ok := c.nextMatch()
	if !ok || second.Table != "two" {
		t.Fatalf("then comes %q", second.Table)
	}
	if third, ok := c.nextMatch(); ok {
		t.Fatalf("%s comes twice at once", third.Table)
	}
	c.done("one")
	c.Offered("one", nil)
	if third, ok := c.nextMatch(); ok {
		t.Errorf("%s comes, which offers nothing any more", third.Table)
	}
}

// A match for another hall is not touched, and no longer waits if it did.
func TestArchiveOfAnotherHall(t *testing.T) {
	c := newCellar(t, t.TempDir())
	f := resultOf(t, "one", won)
	c.Offered("one", &f)
	f.Hall = "cafe"
	c.Offered("one", &f)
	if next, ok := c.nextMatch(); ok {
		t.Errorf("the hall club takes %+v", next)
	}
	if c.aside != 0 {
		t.Errorf("%d set aside", c.aside)
	}
}

// Run keeps the matches of many tables, each once.
func TestArchiveRuns(t *testing.T) {
	c := newCellar(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); c.Run(ctx) }()
	const tables = 40
	for n := range tables {
		f := resultOf(t, fmt.Sprint("table-", n), won)
		c.mu.Lock()
		c.onWire[f.Table] = won
		c.mu.Unlock()
		c.Offered(f.Table, &f)
	}
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		n := len(c.said)
		c.mu.Unlock()
		if n == tables {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("%d tables were told", n)
		}
	}
	stop()
	<-ended
	if n := len(c.files("matches")); n != tables || len(c.kept) != tables {
		t.Errorf("%d files, told of %d", n, len(c.kept))
	}
}
