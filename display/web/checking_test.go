package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
	"tableside/engine/tally"
)

// TestFoldsAreShared checks that any number of requests for one match wait for one fold, and that
// each sees what was played before it was sent.
func TestFoldsAreShared(t *testing.T) {
	const requests = 3 * core.MaxFoldsPerVisitor
	s := replaying(tally.Games()[0], []byte(shortMatch))
	read, reading, proceed := s.config.ReadMatch, make(chan bool, requests), make(chan bool)
	var folds atomic.Int32
	s.config.ReadMatch = func(match string) (engine.Game, *engine.Journal, error) {
		folds.Add(1)
		reading <- true
		<-proceed
		return read(match)
	}
	waiting := make(chan bool, 3*requests)
	var all sync.WaitGroup
	ask := func(path string) {
		all.Go(func() {
			w := &patient{httptest.NewRecorder(), waiting}
			s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1"+path, nil))
			if w.Code != http.StatusOK {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		})
	}
	ask("/api/result")
	<-reading // this fold reads the journal, and nobody joins it
	for range requests {
		ask("/api/result")
		ask("/api/replay")
	}
	late := time.After(20 * time.Second)
	for range 2 + 2*requests { // all wait, and one folds
		select {
		case <-waiting:
		case <-late:
			t.Fatal("the folds are not shared")
		}
	}
	// Each has said so just before it joins a fold.
	stacks := make([]byte, 4<<20)
	for bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("singleflight.(*Group).Do(")) < 1+2*requests {
		select {
		case <-time.After(time.Millisecond):
		case <-late:
			t.Fatal("the requests do not wait for folds")
		}
	}
	close(proceed)
	all.Wait()
	if n := folds.Load(); n != 3 {
		t.Errorf("%d requests cost %d folds, want 3", 2*requests+1, n)
	}
}

// TestPanicOfAFold checks that everybody who waits for a fold that panics gets an answer, that the log
// tells of each fold once, and that the next may fold.
func TestPanicOfAFold(t *testing.T) {
	var log bytes.Buffer
	s := newServer(Config{Config: core.Config{Log: slog.New(slog.NewTextHandler(&log, nil))}})
	waiting := make(chan bool, 9)
	var folds atomic.Int32
	var all sync.WaitGroup
	s.FoldTurn.Lock()
	const requests = 3
	for range requests {
		all.Go(func() {
			fold := s.Do(func(w http.ResponseWriter, r *http.Request) (any, error) {
				return s.FoldShared(w, r, "m1", func() (any, error) {
					folds.Add(1)
					panic("oops")
				})
			})
			w := &patient{httptest.NewRecorder(), waiting}
			fold(w, httptest.NewRequest("GET", "http://127.0.0.1/", nil))
			if w.Code != http.StatusInternalServerError {
				t.Errorf("got %d %s", w.Code, w.Body)
			}
		})
	}
	for range requests {
		<-waiting
	}
	s.FoldTurn.Unlock()
	all.Wait()
	if n := strings.Count(log.String(), "panic=oops"); n != int(folds.Load()) {
		t.Errorf("%d folds are logged %d times: %s", folds.Load(), n, log.String())
	}
	if !s.FoldTurn.TryLock() || s.Folds.Total != 0 {
		t.Error("the fold keeps its place")
	}
}

// A patient response says when its request folds or waits for the fold of another: then it has no
// deadline.
type patient struct {
	*httptest.ResponseRecorder
	waiting chan<- bool
}

func (p *patient) SetWriteDeadline(end time.Time) error {
	if end.IsZero() {
		p.waiting <- true
	}
	return nil
}

// TestRefusedMatch checks that a match has no result where the rules refuse a line of its journal,
// and that its pages end there.
func TestRefusedMatch(t *testing.T) {
	s := replaying(tally.Games()[0], []byte(strings.Replace(shortMatch, "70s", "65s red choose sideways\n70s", 1)))
	for path, want := range map[string]string{
		"/api/result":         `409 {"error":"the match cannot be summed up: line 8: `,
		"/result.png?lang=fr": `409 {"error":"la partie ne peut pas être résumée : ligne 8 : `,
		"/api/replay":         `"stopped":true}`,
	} {
		w := request{method: "GET", path: path}.send(s)
		if got := fmt.Sprint(w.Code, " ", w.Body); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestLongMatches checks that what takes too long is cut off, or refused with a reason.
func TestLongMatches(t *testing.T) {
	s := replaying(tally.Games()[0], []byte(shortMatch))
	s.FoldTime = time.Nanosecond
	for path, want := range map[string]string{
		"/api/result?lang=fr":      `409 {"error":"la partie ne peut pas être résumée : elle est trop longue"}`,
		"/result.png":              `409 {"error":"the match cannot be summed up: it is too long"}`,
		"/matches/old.png":         `409 {"error":"the match cannot be replayed: it is too long"}`,
		"/matches/old.gif?lang=fr": `409 {"error":"la partie ne peut pas être rejouée : elle est trop longue"}`,
		"/api/replay":              `"steps":[],"moves":[],"animated":true,"stopped":true}`,
	} {
		w := request{method: "GET", path: path}.send(s)
		if got := fmt.Sprint(w.Code, " ", w.Body); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
