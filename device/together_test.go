package device

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/tally"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func isRefused(t *testing.T, err error, key string) {
	t.Helper()
	if r, ok := engine.AsRefusal(err); !ok || r.Text.Key != key {
		t.Errorf("got %v, want %s", err, key)
	}
}

// A played is a history whose matches are played at a table meanwhile.
type played struct {
	*history.History
	t     testing.TB
	table *Table
	stop  func() error
}

func share(t testing.TB, data string) *played {
	table, err := New(Config{Name: "t", Dir: data, Games: tally.Games(), New: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx) }()
	s := &played{table.History(), t, table, sync.OnceValue(func() error { cancel(); return <-ended })}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *played) order(o engine.Order) engine.Receipt { return s.table.Do(s.t.Context(), o) }

func (s *played) input(line string) engine.Receipt {
	in, err := engine.ParseInput(line)
	if err != nil {
		s.t.Error(err)
	}
	return s.table.Input(s.t.Context(), in)
}

// match begins a match of Alice and Max, plays one move and leaves it.
func (s *played) match() (id string) {
	s.t.Helper()
	r := s.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score",
		Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}})
	if r.Outcome != engine.Accepted {
		s.t.Fatal(r.Spoken)
	}
	s.input("red set score 1")
	id = string(s.table.Frame().View.Match)
	s.order(engine.Order{Do: "abandon"})
	return id
}

// grep returns the files of the data folder that have a text.
func grep(t testing.TB, data, text string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(data, func(path string, file os.DirEntry, err error) error {
		if err != nil || file.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			files = append(files, filepath.Base(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// While a name is removed, or a match is deleted, somebody at the table wants to continue each
// match just as its file is changed. The table refuses it for that moment. Others look at the
// history meanwhile. Afterwards the matches go on and are kept.
func TestChangeWhileMatchIsContinued(t *testing.T) {
	data := t.TempDir()
	s := share(t, data)
	ids := []string{s.match(), s.match()}
	refusals := 0
	s.Rewrite = func(ctx context.Context, id string, change func(bool) error) error {
		if players, err := s.Players(); err != nil || len(players) == 0 {
			t.Errorf("players meanwhile: %v, %v", players, err)
		}
		return s.table.Rewrite(ctx, id, func(waits bool) error {
			r := s.order(engine.Order{Do: "resume", Match: id})
			if r.Text.Key != "receipt.changing" {
				t.Errorf("resumed meanwhile: %+v", r)
			}
			refusals++
			return change(waits)
		})
	}
	noError(t, s.Remove(t.Context(), "Alice"))
	if files := grep(t, data, "Alice"); len(files) > 0 || refusals < len(ids) {
		t.Errorf("the name is in %v; %d attempts to continue a match", files, refusals)
	}
	noError(t, s.Delete(ids[0], noon))
	if r := s.order(engine.Order{Do: "resume", Match: ids[0]}); r.Text.Key != "receipt.no-such-match" {
		t.Errorf("a deleted match: %+v", r)
	}
	noError(t, s.Restore(ids[0], noon))
	s.Rewrite = s.table.Rewrite
	for i, id := range ids {
		if r := s.order(engine.Order{Do: "resume", Match: id}); r.Outcome != engine.Accepted {
			t.Fatalf("resume: %+v", r)
		}
		s.input(fmt.Sprintf("blue set score %d", 1000+i))
		isRefused(t, s.Delete(id, noon), "past.on-table")
		if !s.table.Frame().Status.Keeping || len(grep(t, data, fmt.Sprintf("blue set score %d", 1000+i))) != 1 {
			t.Errorf("%s is not kept: %+v", id, s.table.Frame().Status)
		}
		isRefused(t, s.Remove(t.Context(), "Max"), "players.on-table")
		s.order(engine.Order{Do: "abandon"})
	}
}

// Four people use a table and its history at once, for 0.4 s, longer at night: names
// are removed, matches are deleted and restored, resumed, abandoned and begun, and moves are
// made. In the end the disk has every accepted move, no match twice, and the table keeps.
func TestFourAtOnce(t *testing.T) {
	long := max(400*time.Millisecond, time.Duration(enginetest.Count("stress", 0))*time.Second)
	data := t.TempDir()
	s := share(t, data)
	for range 4 {
		s.match()
	}
	some := func() string { // a match, perhaps a deleted one
		which := []string{"matches", "matches/deleted"}[rand.IntN(2)]
		files, _ := filepath.Glob(filepath.Join(data, which, "*"+journalSuffix))
		if len(files) == 0 {
			return ""
		}
		return strings.TrimSuffix(filepath.Base(files[rand.IntN(len(files))]), journalSuffix)
	}
	var accepted []string
	var made, removed, moved, resumed atomic.Int64
	began := time.Now()
	goesOn := func() bool { // until everything was tried, on a busy machine
		nothing := made.Load()*removed.Load()*moved.Load()*resumed.Load() == 0
		return time.Since(began) < long || nothing && time.Since(began) < long+time.Minute
	}
	var all sync.WaitGroup
	client := func(do func()) {
		all.Go(func() {
			for goesOn() {
				do()
			}
		})
	}
	known := func(err error) bool { // nothing but what people read
		_, refused := engine.AsRefusal(err)
		if err != nil && !refused {
			t.Error(err)
		}
		return err == nil
	}
	client(func() {
		if known(s.Remove(t.Context(), []string{"Alice", "Max"}[rand.IntN(2)])) {
			removed.Add(1)
		}
	})
	client(func() {
		err := s.Delete(some(), noon)
		if rand.IntN(2) == 0 {
			err = s.Restore(some(), noon)
		}
		if known(err) {
			moved.Add(1)
		}
	})
	client(func() {
		switch rand.IntN(3) {
		case 0:
			s.order(engine.Order{Do: "begin", Setup: engine.Setup{Game: "tally/score",
				Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}})
		case 1:
			s.order(engine.Order{Do: "abandon", Match: []string{"", some()}[rand.IntN(2)]})
		default:
			if s.order(engine.Order{Do: "resume", Match: some()}).Outcome == engine.Accepted {
				resumed.Add(1)
			}
		}
	})
	number := 1000
	client(func() {
		number++
		line := fmt.Sprintf("red set score %d", number)
		if s.input(line).Outcome == engine.Accepted {
			accepted = append(accepted, line)
			made.Add(1)
		}
	})
	all.Wait()
	if f := s.table.Frame(); !f.Status.Keeping {
		t.Errorf("status %+v", f.Status)
	}
	noError(t, s.stop())
	ids, text := map[string]int{}, strings.Builder{}
	for _, which := range []string{"matches", "matches/deleted"} {
		files, err := filepath.Glob(filepath.Join(data, which, "*"+journalSuffix))
		noError(t, err)
		for _, file := range files {
			id := strings.TrimSuffix(filepath.Base(file), journalSuffix)
			ids[id]++
			journal, err := os.ReadFile(file)
			noError(t, err)
			if _, err := engine.ParseJournal(id, journal); err != nil || ids[id] > 1 {
				t.Errorf("%s, %d times: %v", id, ids[id], err)
			}
			text.Write(journal)
		}
	}
	for _, line := range accepted {
		if n := strings.Count(text.String(), line+" "); n != 1 {
			t.Errorf("%s is there %d times", line, n)
		}
	}
	if aside, _ := filepath.Glob(filepath.Join(data, "matches", "*.aside-*")); len(aside) > 0 {
		t.Errorf("set aside: %v", aside)
	}
	t.Logf("%d moves, %d matches, %d names removed, %d moved, %d resumed", len(accepted), len(ids),
		removed.Load(), moved.Load(), resumed.Load())
	if len(accepted) == 0 || removed.Load() == 0 || moved.Load() == 0 || resumed.Load() == 0 {
		t.Error("this has tried nothing")
	}
}
