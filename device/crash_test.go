package device

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// crashDir names the environment variable that makes the test binary play a
// match in a folder until it is killed.
const crashDir = "TABLESIDE_TEST_CRASH"

// crashPlayer resumes or begins a match and counts, several seats at once. It
// prints a line for each frame that was shown and each receipt.
func crashPlayer(dir string) {
	table, err := New(configured(dir))
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	shown := make(chan string, 1000)
	table.Add(Part{Name: "printer", Output: printer{shown}})
	ctx := context.Background()
	go func() { _ = table.Run(ctx) }()
	order := engine.Order{Do: "resume"}
	if table.Frame().Status.Unfinish == "" {
		order = engine.Order{Do: "begin", Setup: engine.Setup{Game: "count/plain", Seats: defaultSeats(nil, 3)}}
	}
	if r := table.Do(ctx, order); r.Outcome != engine.Accepted {
		fmt.Println("error", r.Spoken)
		os.Exit(1)
	}
	for _, seat := range []engine.Seat{"red", "blue", "yellow"} {
		go func() {
			for i := 0; ; i++ {
				in := engine.Input{Seat: seat, Verb: engine.Key, Args: []string{"plus"}}
				if i%7 == 6 {
					in.Verb, in.Args = engine.Undo, nil
				}
				r := table.Input(ctx, in)
				shown <- fmt.Sprint("answered ", r.Seq)
			}
		}()
	}
	for line := range shown {
		// One write each: everything in the pipe was shown before the kill.
		_, _ = os.Stdout.WriteString(line + "\n")
	}
}

type printer struct{ to chan<- string }

func (p printer) Show(_ context.Context, f engine.Frame) error {
	if f.View.Match != "" {
		p.to <- fmt.Sprintf("shown %d %s", f.View.Seq, summary(f.View))
	}
	return nil
}

func summary(v engine.View) string {
	var counts []string
	for _, s := range v.Seats {
		n, _ := s.Counters.Get("count")
		counts = append(counts, fmt.Sprint(n))
	}
	return strings.Join(counts, ",")
}

// TestCrash kills a table at any moment: nothing is lost that anyone has seen.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a process 20 times")
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	games := []engine.Game{countGame{}}
	total := 0
	for round := range 20 {
		seen := playAndKill(t, binary, dir, time.Duration(rand.IntN(60))*time.Millisecond)
		files, err := filepath.Glob(filepath.Join(dir, "matches", "*.journal"))
		if err != nil || len(files) != 1 {
			t.Fatalf("round %d: journals %q: %v", round, files, err)
		}
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		r, err := history.ReadBack(games, files[0], data)
		if err != nil || r.Stop != nil {
			t.Fatalf("round %d: the journal does not read back: %v %+v", round, err, r.Stop)
		}
		held := summaries(t, r)
		last := 0
		for _, line := range seen {
			var seq int
			var counts string
			if _, err := fmt.Sscanf(line, "shown %d %s", &seq, &counts); err == nil {
				if seq >= len(held) || held[seq] != counts {
					t.Errorf("round %d: seq %d was shown as %s, which the journal does not hold", round, seq, counts)
				}
			} else if _, err := fmt.Sscanf(line, "answered %d", &seq); err != nil {
				t.Fatalf("round %d: the player says %q", round, line)
			}
			last = max(last, seq)
		}
		if r.Match.Seq() < last {
			t.Errorf("round %d: seq %d was shown and the journal holds %d", round, last, r.Match.Seq())
		}
		total += len(seen)
	}
	if total < 100 {
		t.Errorf("got only %d lines in all: the test checks nothing", total)
	}
}

// summaries returns the summary after each input of a journal.
func summaries(t *testing.T, r history.Replay) []string {
	t.Helper()
	m, err := engine.NewMatch(countGame{}, r.Journal.Setup)
	if err != nil {
		t.Fatal(err)
	}
	held := []string{summary(m.View())}
	for _, step := range r.Steps {
		if _, err := m.Apply(step.Input); err != nil {
			t.Fatal(err)
		}
		held = append(held, summary(m.View()))
	}
	return held
}

// playAndKill lets the player run for a while after its first line, kills it,
// and returns all its lines.
func playAndKill(t *testing.T, binary, dir string, after time.Duration) []string {
	t.Helper()
	player := exec.Command(binary)
	player.Env = append(os.Environ(), crashDir+"="+dir)
	player.Stderr = os.Stderr
	out, err := player.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := player.Start(); err != nil {
		t.Fatal(err)
	}
	var seen []string
	var kill *time.Timer
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if kill == nil {
			kill = time.AfterFunc(after, func() { _ = player.Process.Signal(syscall.SIGKILL) })
		}
		seen = append(seen, lines.Text())
	}
	if kill == nil {
		t.Fatal("the player says nothing")
	}
	_ = player.Wait() // an error: it was killed
	return seen
}
