package hall

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/tally"
)

// oneMatch began at this moment, on several tables.
const oneMatch = "2026-11-20T20-15-00Z"

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

// A cellar is an archive with its folder.
type cellar struct {
	*Archive
	t    *testing.T
	data string

	mu    sync.Mutex
	free  uint64   // bytes on the disk
	asked int      // how often the disk's room was asked for
	deaf  bool     // tables cannot be told
	said  []string // "table answer"
	kept  []history.Entry
	full  error // of Kept
	aside int
}

func newCellar(t *testing.T, data string) *cellar {
	t.Helper()
	c := &cellar{t: t, data: data, free: 1 << 30}
	c.Archive = NewArchive(ArchiveConfig{
		History: history.New(data, tally.Games()), Games: tally.Games(), Log: slog.New(slog.DiscardHandler),
		Free: func() (uint64, error) { c.asked++; return c.free, nil },
		Answer: func(table, match, digest, refused string) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.deaf {
				return errors.New("no connection")
			}
			if match == "" || len(digest) != 64 {
				t.Errorf("the answer is to %q, %q", match, digest)
			}
			c.said = append(c.said, strings.TrimSpace(table+" "+refused))
			return nil
		},
		Kept: func(f history.Entry) error {
			journal, err := c.cfg.History.Kept(history.NameOf(f.ID, f.Table))
			if err != nil {
				t.Error(err)
			}
			disk, err := history.Finish(f.ID, journal, tally.Games(), engine.English, nil)
			if disk.Table = f.Table; err != nil || !reflect.DeepEqual(disk, f) {
				t.Errorf("told of a match before the disk has it: %v", err)
			}
			c.kept = append(c.kept, f)
			return c.full
		},
		Aside: func(string, error) { c.mu.Lock(); c.aside++; c.mu.Unlock() },
	})
	return c
}

// packedOf returns a journal as it is sent.
func packedOf(t testing.TB, journal []byte) []byte {
	t.Helper()
	p, err := pack(journal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// offer sends oneMatch of a table and lets the archive attend to it.
func (c *cellar) offer(table string, journal []byte) {
	c.t.Helper()
	c.sends(table, oneMatch, packedOf(c.t, journal))
}

func (c *cellar) sends(table, match string, journal []byte) {
	c.t.Helper()
	c.Offered(table, match, journal)
	next, ok := c.nextMatch()
	if !ok {
		c.t.Fatal("nothing waits")
	}
	c.attend(next)
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
	c.offer("one", won)
	c.has()
	c = newCellar(t, data) // after the kill
	c.offer("one", won)
	c.offer("one", won) // the table is off, and does not hear it
	c.has("one", "one")
	if c.asked != 0 || len(c.kept) != 1 {
		t.Errorf("it was taken for another one %d times, %d kept", c.asked, len(c.kept))
	}
	c.offer("two", won)
	c.offer("one", after)
	c.offer("one", won)
	c.has("two", "one", "one outdated")
	if got, want := c.files("matches"), []string{oneMatch + "@one", oneMatch + "@two"}; !slices.Equal(got, want) {
		t.Errorf("the files are %q, want %q", got, want)
	}
	if last := c.kept[len(c.kept)-1]; last.Table != "one" || !slices.Equal(last.Winners(), []engine.Seat{"blue"}) ||
		last.Seats[0].Name != "Max" || last.Seats[0].Value != 5 || last.Seats[1].Rank != 2 || last.Game != "tally/score" {
		t.Errorf("told %+v", last)
	}
	b, err := c.cfg.History.Read()
	if err != nil || len(b.Matches) != 2 || b.Matches[0].Table != "two" || b.Matches[1].Winners()[0] != "blue" {
		t.Errorf("%+v, %v", b.Matches, err)
	}
}

// A table has heard that its match is kept. Then the hall's file is lost, and the table sends the
// match again: the hall keeps it again, and does not only say so.
func TestArchiveAfterALostFile(t *testing.T) {
	data := t.TempDir()
	c := newCellar(t, data)
	c.offer("one", won)
	c.Offered("one", oneMatch, nil)
	if err := os.Remove(filepath.Join(data, "matches", oneMatch+"@one.journal")); err != nil {
		t.Fatal(err)
	}
	c.offer("one", won)
	c.has("one", "one")
	if got, want := c.files("matches"), []string{oneMatch + "@one"}; !slices.Equal(got, want) {
		t.Errorf("the files are %q, want %q", got, want)
	}
}

// What a hall has deleted stays deleted, whatever the table sends.
func TestArchiveDeleted(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.offer("one", won)
	err := c.cfg.History.Delete(oneMatch+"@one", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	c.offer("one", won)
	c.offer("one", after)
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
	c.quota = quota{n: 3, size: maxJournalBytes}
	c.offer("one", won)
	c.offer("one", after) // 2: a version counts, too
	const second, third = "2026-11-21T20-15-00Z", "2026-11-22T20-15-00Z"
	c.sends("one", second, packedOf(t, journalAt(second))) // 3
	c.has("one", "one", "one")
	c.sends("one", third, packedOf(t, journalAt(third)))
	c.offer("one", after)
	c.offer("two", won)
	c.has("one too-many", "one", "two")

	c = newCellar(t, data)
	c.quota = quota{n: 3, size: maxJournalBytes}
	c.sends("one", third, packedOf(t, journalAt(third)))
	c.sends("one", second, packedOf(t, journalAt(second)))
	c.has("one too-many", "one")

	c = newCellar(t, data)
	c.quota = quota{n: 10, size: int64(len(after) + 2*len(won) - 1)}
	c.sends("one", third, packedOf(t, journalAt(third)))
	c.has("one too-many")
	if err := os.Remove(filepath.Join(data, "matches", second+"@one.journal")); err != nil {
		t.Fatal(err)
	}
	c.Offered("one", third, nil) // the table waits
	c.sends("one", third, packedOf(t, journalAt(third)))
	c.has("one")
}

// journalAt returns the journal of the match that Red wins as if it had begun then.
func journalAt(match string) []byte {
	return bytes.Replace(won, []byte(engine.BeginOf(oneMatch).Format(time.RFC3339)),
		[]byte(engine.BeginOf(match).Format(time.RFC3339)), 1)
}

// A match that Kept cannot use yet comes again: its table is told nothing.
func TestArchiveAgain(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.full = errors.New("no space left on device")
	c.offer("one", won)
	if len(c.said) != 0 || len(c.kept) != 1 {
		t.Errorf("with a full disk: told %q, kept %d", c.said, len(c.kept))
	}
	c.full = nil
	c.offer("one", won)
	if len(c.said) != 1 || c.said[0] != "one" || len(c.kept) != 2 {
		t.Errorf("then: told %q, kept %d", c.said, len(c.kept))
	}
}

// A hall does not fill its disk: matches wait at their tables until there is room.
func TestArchiveFull(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.free = minFree - 1
	c.offer("one", won)
	c.has()
	if c.aside != 1 || len(c.files("matches")) != 0 {
		t.Errorf("%d set aside, %q kept", c.aside, c.files("matches"))
	}
	c.free = minFree
	c.offer("one", won)
	c.has("one")
}

// A name that was removed does not come back with an old journal: not from a table that has
// lost what it sent, and not late from the broker.
func TestArchiveRemovedName(t *testing.T) {
	data := t.TempDir()
	c := newCellar(t, data)
	c.offer("one", won)
	if err := c.cfg.History.Remove(t.Context(), "Alice"); err != nil {
		t.Fatal(err)
	}
	if text, err := c.cfg.History.Kept(oneMatch + "@one"); err != nil || bytes.Contains(text, []byte("Alice")) {
		t.Fatalf("%s, %v", text, err)
	}
	c = newCellar(t, data)
	c.offer("one", won)
	without := bytes.ReplaceAll(won, []byte("Alice"), []byte("removed"))
	c.offer("one", without) // the table has removed it, too
	c.offer("one", won)
	c.offer("two", won) // another match
	c.has("one "+outdated, "one", "one "+outdated, "two")
	if text, err := c.cfg.History.Kept(oneMatch + "@one"); err != nil || bytes.Contains(text, []byte("Alice")) {
		t.Errorf("%s, %v", text, err)
	}
	c.offer("one", after) // it was played on
	c = newCellar(t, data)
	c.offer("one", after) // the table is off, and the hall was restarted
	c.has("one")
	c.hasRemoved()
}

func (c *cellar) hasRemoved() {
	c.t.Helper()
	text, err := c.cfg.History.Kept(oneMatch + "@one")
	if err != nil || bytes.Contains(text, []byte("Alice")) || !bytes.Contains(text, []byte("end finished blue")) {
		c.t.Errorf("%s, %v", text, err)
	}
	if last := c.kept[len(c.kept)-1]; last.Seats[0].Name != "Max" || last.Seats[1].Name != "" {
		c.t.Errorf("told %+v", last)
	}
}

// A name that is removed while a later version of the match is on its way does not come back
// with that version, and the later result counts.
func TestArchiveRemovedNameMeanwhile(t *testing.T) {
	c := newCellar(t, t.TempDir())
	c.offer("one", won)
	free := c.cfg.Free
	c.cfg.Free = func() (uint64, error) {
		if err := c.cfg.History.Remove(t.Context(), "Alice"); err != nil {
			t.Error(err)
		}
		return free()
	}
	c.offer("one", after)
	c.has("one") // the table offers it again
	c.cfg.Free = free
	c.offer("one", after)
	c.has("one")
	c.hasRemoved()
}

// What is damaged or too much is refused, and nothing of it is kept.
func TestArchiveRefuses(t *testing.T) {
	c := newCellar(t, t.TempDir())
	long := append(slices.Clone(won), bytes.Repeat([]byte("\n"), history.MaxLines)...)
	unknown := []byte(strings.Replace(string(won), "tally/score", "tally/unknown", 1))
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	if _, err := w.Write(make([]byte, 100<<20)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	for _, offer := range []struct {
		match   string
		journal []byte
		want    string
	}{
		{oneMatch, bomb.Bytes(), tooLarge},
		{oneMatch, won, damaged},
		{oneMatch, packedOf(t, won)[:50], damaged},
		{"2026-11-20T20-15-01Z", packedOf(t, won), unreadable},
		{oneMatch, packedOf(t, journalOf("10s red choose +1", "end finished red")), unreadable},
		{oneMatch, packedOf(t, journalOf("10s red choose +1")), unreadable},
		{oneMatch, packedOf(t, unknown), unreadable},
		{oneMatch, packedOf(t, []byte("what?")), unreadable},
		{oneMatch, packedOf(t, long), tooLong},
	} {
		c.sends("one", offer.match, offer.journal)
		c.has("one " + offer.want)
	}
	if c.aside != 9 || len(c.files("matches")) != 0 || len(c.kept) != 0 {
		t.Errorf("%d set aside, %q kept", c.aside, c.files("matches"))
	}
	c.offer("one", won)
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
	began := time.Now()
	c.offer("one", slow)
	c.has("one " + tooSlow)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %s", took)
	}
}

// Of a table the newest match waits, unless it is withdrawn, and all of them have a limit.
func TestArchiveWaits(t *testing.T) {
	c := newCellar(t, t.TempDir())
	large := make([]byte, maxWaiting/4)
	c.Offered("one", oneMatch, large)
	c.Offered("two", oneMatch, large)
	c.Offered("one", "2026-11-21T20-15-00Z", packedOf(t, won))
	c.Offered("two", oneMatch, nil)
	c.Offered("one", oneMatch, nil) // it is another match now
	for n := range 5 {
		c.Offered(fmt.Sprint("table-", n), oneMatch, large)
	}
	var got []string
	for p, ok := c.nextMatch(); ok; p, ok = c.nextMatch() {
		got = append(got, p.table+" "+p.match)
	}
	want := []string{"one 2026-11-21T20-15-00Z", "table-0 " + oneMatch, "table-1 " + oneMatch, "table-2 " + oneMatch}
	if !slices.Equal(got, want) {
		t.Errorf("%q wait, want %q", got, want)
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
		c.Offered(fmt.Sprint("table-", n), oneMatch, packedOf(t, won))
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
