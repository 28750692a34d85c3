package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
)

func kills(t *testing.T) int {
	if enginetest.Brief() { // a raced start takes ten times as long
		return enginetest.Count("kills", 5)
	}
	return enginetest.Count("kills", 20)
}

// A player keeps playing, and remembers what was accepted.
type player struct {
	seat     engine.Seat
	sent     int          // inputs; the last one may be lost
	accepted int          // accepted inputs
	seen     atomic.Int64 // score on the page
}

// TestKill kills a demo at random moments of a match that two players and a
// watcher follow through HTTP. Whatever anybody was shown must be there after
// the restart.
func TestKill(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	players := []*player{{seat: "red"}, {seat: "blue"}}
	shown := 0 // the highest number of inputs anybody saw
	for i := range kills(t) {
		p := startDemo(t, "--data", data, "--resume", "--game", "tally/score", "--seats", "red,blue", "--option", "turns=off")
		v, err := p.view()
		if err != nil {
			t.Fatal(err)
		}
		if v.Seq < shown {
			t.Fatalf("kill %d: %d inputs were shown, %d are there", i, shown, v.Seq)
		}
		for _, pl := range players {
			n := score(v, pl.seat)
			if n < pl.accepted || int64(n) < pl.seen.Load() || n > pl.sent {
				t.Fatalf("kill %d: %s had %d accepted, %d seen and %d sent: got %d", i, pl.seat, pl.accepted, pl.seen.Load(),
					pl.sent, n)
			}
			pl.accepted, pl.sent = n, n
		}
		shown = max(v.Seq, play(t, p, players))
	}
	t.Logf("%d inputs were shown before the last of %d kills", shown, kills(t))
	checkJournal(t, data, shown)
}

// play plays until the program is killed, and returns the highest number of inputs
// that was seen.
func play(t *testing.T, p *process, players []*player) int {
	var everybody sync.WaitGroup
	var shown atomic.Int64
	for _, pl := range players {
		everybody.Go(func() {
			for {
				pl.sent++
				r, err := p.input(fmt.Sprintf("%s choose +1", pl.seat))
				if err != nil {
					return // it was killed
				}
				if r.Outcome != engine.Accepted {
					t.Errorf("%s: %s: %s", pl.seat, r.Outcome, r.Spoken)
					return
				}
				pl.accepted++
				raise(&shown, int64(r.Seq))
			}
		})
	}
	everybody.Go(func() {
		for {
			v, err := p.view()
			if err != nil {
				return
			}
			raise(&shown, int64(v.Seq))
			for _, pl := range players {
				raise(&pl.seen, int64(score(v, pl.seat)))
			}
		}
	})
	time.Sleep(time.Duration(rand.IntN(150)) * time.Millisecond)
	p.kill()
	everybody.Wait()
	return int(shown.Load())
}

func raise(n *atomic.Int64, to int64) {
	for old := n.Load(); to > old && !n.CompareAndSwap(old, to); old = n.Load() {
	}
}

func checkJournal(t *testing.T, data string, shown int) {
	files, err := filepath.Glob(filepath.Join(data, "matches", "*.journal"))
	if err != nil || len(files) != 1 {
		t.Fatalf("journals: %v, %v", files, err)
	}
	code, out, errs := speak(t, "", "replay", files[0], "--strict", "--until", strconv.Itoa(shown))
	if code != exitDone {
		t.Errorf("replay: %d %s\n%s", code, errs, out)
	}
}
