package bench

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/enginetest"
	"tableside/engine/genegrafter"
	"tableside/engine/mindbug"
	"tableside/engine/mutants"
	"tableside/engine/tally"
)

// games returns the games that are played on the bench, made once for all tests.
var games = sync.OnceValue(func() []engine.Game {
	return slices.Concat(mutants.Games(), mindbug.Games(), genegrafter.Games(), tally.Games())
})

// A benched table is a table whose parts are emulated chips, without a page.
type benched struct {
	*testing.T
	*Chips
	table *device.Table
	stop  func() // once
}

// sit begins a match at a table of chips. It must be called in a synctest bubble,
// whose time is fake.
func sit(t *testing.T, setup engine.Setup) *benched {
	t.Helper()
	b := sitAt(t, setup, func(*Chips) {})
	if err := b.Ready(t.Context(), b.table); err != nil {
		t.Fatal(err)
	}
	return b
}

// sitAt is sit for a table that prepare changes first, maybe with broken parts.
func sitAt(t *testing.T, setup engine.Setup, prepare func(*Chips)) *benched {
	t.Helper()
	var seats []engine.Seat
	for _, p := range setup.Seats {
		seats = append(seats, p.Seat)
	}
	c, err := NewChips(seats)
	if err != nil {
		t.Fatal(err)
	}
	prepare(c)
	config := device.Config{Name: "bench", Dir: t.TempDir(), Games: games(), Log: slog.New(slog.DiscardHandler)}
	if err := c.Configure(&config); err != nil {
		t.Fatal(err)
	}
	b := &benched{T: t, Chips: c}
	if b.table, err = device.New(config); err != nil {
		t.Fatal(err)
	}
	c.Rig.Add(b.table, nil)
	stop := background(t.Context(), b.table.Run)
	b.stop = sync.OnceFunc(func() {
		if err := errors.Join(stop(), c.Halt()); err != nil && !t.Failed() {
			t.Error(err)
		}
	})
	t.Cleanup(b.stop)
	if r := b.table.Do(t.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v", r)
	}
	return b
}

// TestChipsPlayWholeGames tests that a journal played with tags, buttons and knobs
// ends with the same view as its replay; in brief, one of each maker's games.
func TestChipsPlayWholeGames(t *testing.T) {
	journals, err := filepath.Glob("../testdata/games/*.journal")
	if err != nil || len(journals) == 0 {
		t.Fatalf("%d games, %v", len(journals), err)
	}
	if enginetest.Brief() {
		maker := func(file string) string { name, _, _ := strings.Cut(filepath.Base(file), "-"); return name }
		journals = slices.CompactFunc(journals, func(a, b string) bool { return maker(a) == maker(b) })
	}
	for _, file := range journals {
		t.Run(filepath.Base(file), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			journal, err := engine.ParseJournal(file, source)
			if err != nil {
				t.Fatal(err)
			}
			want := replayed(t, engine.Find(games(), journal.Setup.Game), journal)
			synctest.Test(t, func(t *testing.T) { playByHand(t, journal, want) })
		})
	}
}

func replayed(t *testing.T, game engine.Game, journal *engine.Journal) engine.View {
	match, err := engine.NewMatch(game, journal.Setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range journal.Lines {
		if _, err := match.Apply(line.Input); line.Mark == nil && err != nil {
			t.Fatalf("%d: %v", line.Number, err)
		}
	}
	if !match.Over() {
		t.Fatal("this is not a whole game")
	}
	return match.View()
}

func playByHand(t *testing.T, journal *engine.Journal, want engine.View) {
	b := sit(t, journal.Setup)
	byHand, rolls := 0, 0
	for _, line := range journal.Lines {
		if line.Mark != nil {
			continue
		}
		if line.Input.Verb == engine.Roll {
			rolls++ // dice are entered, not laid on a reader
		}
		r, done, err := b.Play(t.Context(), b.table, line.Input)
		if err != nil {
			t.Fatalf("%d: %s: %v", line.Number, line.Input.Command(), err)
		}
		if !done {
			r = b.table.Input(t.Context(), line.Input)
		} else {
			byHand++
		}
		if r.Outcome != engine.Accepted {
			t.Fatalf("%d: %s: %+v", line.Number, line.Input.Command(), r)
		}
	}
	got := b.table.Frame().View
	if most := want.Seq - rolls; byHand < most*9/10 {
		t.Errorf("only %d of %d inputs were made by hand", byHand, most)
	}
	if a, b := plain(t, got), plain(t, want); a != b {
		t.Errorf("the table ends with\n%s\nand the journal with\n%s", a, b)
	}
	if v, n := b.Bench.Glass.Violations(); n > 0 {
		t.Errorf("the panel was used wrongly: %v", v)
	}
}

// plain returns the JSON of a view without what the table adds: its name, that of
// the match, and the prompts after the end.
func plain(t *testing.T, v engine.View) string {
	t.Helper()
	v.Table, v.Match, v.Title, v.Labels = "", "", "", nil
	v.Prompts = nil
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	mute(all)
	data, err = json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// mute removes the spoken texts, which an unspoken view does not have.
func mute(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"name", "text", "label"} {
			delete(v, key)
		}
		for _, child := range v {
			mute(child)
		}
	case []any:
		for _, child := range v {
			mute(child)
		}
	}
}

// background runs the given job in a goroutine. It returns a function that stops the job. This
// function cancels the context of the job, waits until the job has returned, and returns the
// job's error.
func background(ctx context.Context, job func(context.Context) error) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- job(ctx) }()
	return func() error {
		cancel()
		return <-ended
	}
}

// TestPressesAtOnce tests that of presses at the same moment all count: there is one hand.
func TestPressesAtOnce(t *testing.T) {
	b := sit(t, scoring)
	before := b.table.Frame().View.Seq
	var presses sync.WaitGroup
	for range 5 {
		presses.Go(func() {
			if r, err := b.hands.press(t.Context(), "blue", "plus"); err != nil || r.Outcome != engine.Accepted {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	presses.Wait()
	if got := b.table.Frame().View.Seq - before; got != 5 {
		t.Errorf("%d of 5 presses counted", got)
	}
	b.stop()
}
