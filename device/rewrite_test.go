package device

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"

	"tableside/device/history"
	"tableside/engine"
)

// While somebody changes the files of a match, the table keeps away from the match and says so.
func TestRewrite(t *testing.T) {
	table := start(t, configured(t.TempDir()))
	table.begin("red")
	id := string(table.Frame().View.Match)
	nothing := func(bool) error { return nil }
	if err := table.Rewrite(t.Context(), id, nothing); !errors.Is(err, history.ErrInUse) {
		t.Errorf("the match on the table: %v", err)
	}
	table.order(engine.Order{Do: "abandon"})
	err := table.Rewrite(t.Context(), id, func(bool) error {
		for _, do := range []string{"resume", "abandon"} {
			if r := table.order(engine.Order{Do: do, Match: id}); r.Text.Key != "receipt.changing" && do == "resume" ||
				r.Outcome != engine.Refused {
				t.Errorf("%s: %+v", do, r)
			}
		}
		return os.Remove(table.store.path(id))
	})
	if err != nil || len(table.Matches()) != 0 {
		t.Errorf("%v, matches %v", err, table.Matches())
	}
	if r := table.order(engine.Order{Do: "resume", Match: id}); r.Text.Key != "receipt.no-such-match" {
		t.Errorf("resume: %+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // each is given up, before or after the loop has answered it
		err := table.Rewrite(ctx, "2001-01-01T00-00-00Z", nothing)
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	claims := make(chan int)
	table.inbox.put(func(l *loop) { claims <- len(l.claims) })
	if n := <-claims; n != 0 {
		t.Errorf("%d matches are claimed for ever", n)
	}
}

// The table asks to continue a match; the match is taken away, and the table asks no more. An
// answer that comes meanwhile is refused, and may be given again.
func TestRewriteWaitingMatch(t *testing.T) {
	dir, path, _ := kept(t, 3)
	table := start(t, configured(dir))
	id := table.Frame().Status.Unfinish
	for _, away := range []bool{false, true} {
		err := table.Rewrite(t.Context(), id, func(waits bool) error {
			if !waits {
				t.Error("the table does not say that the match waits")
			}
			if r := table.do("table key yes"); r.Text.Key != "receipt.changing" {
				t.Errorf("answered meanwhile: %+v", r)
			}
			if away {
				return os.Remove(path)
			}
			return history.ErrUnchanged
		})
		if err != nil {
			t.Fatal(err)
		}
		table.do("red key left") // shows a frame
		if asks := table.Frame().Status.Unfinish == id; asks == away {
			t.Errorf("the match is away: %v; the table asks: %v", away, asks)
		}
	}
}

// A match never gets the name of a match that was deleted, or that is being restored: both
// would be one file.
func TestBeginTakesNoOtherName(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { // in which it is the same second all the time
		table := start(t, configured(dir))
		begin := func() string {
			table.begin("red")
			id := string(table.Frame().View.Match)
			table.order(engine.Order{Do: "abandon"})
			return id
		}
		first := begin()
		var second string
		err := table.Rewrite(t.Context(), first, func(bool) error {
			deleted := filepath.Join(dir, "matches", "deleted")
			if err := os.Mkdir(deleted, 0o750); err != nil {
				return err
			}
			if err := os.Rename(table.store.path(first), filepath.Join(deleted, first+journalSuffix)); err != nil {
				return err
			}
			second = begin()
			return nil
		})
		if third := begin(); err != nil || first == second || first == third || second == third {
			t.Errorf("%v: %s, %s, %s", err, first, second, third)
		}
		if err := table.stop(); err != nil {
			t.Error(err)
		}
	})
}
