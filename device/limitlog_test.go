package device

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLogOfAMissingBroker checks that a broker which stays away is logged at first, when the reason
// changes, and hourly, although no two errors are the same; and again when it is lost after it was
// there. What is no failure is always logged.
func TestLogOfAMissingBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text strings.Builder
		log := LimitLog(slog.New(slog.NewTextHandler(&text, nil)))
		try := func(broker string, began time.Time, why string) {
			log.Warn("no connection", "broker", broker, "reason", why, "error", fmt.Errorf("attempt at %v", time.Since(began)),
				"wait", time.Since(began))
		}
		for began := time.Now(); time.Since(began) < 150*time.Minute; time.Sleep(5 * time.Second) {
			try("one", began, "refused")
			if time.Since(began) < 90*time.Minute {
				try("two", began, "refused")
			} else {
				try("two", began, "no route")
			}
		}
		time.Sleep(recoveredAfter)
		try("one", time.Now(), "refused")
		log.Error("once", "error", errors.New("x"))
		for range 2 {
			log.Warn("always")
			log.Info("always", "error", errors.New("x"))
		}
		var got []string
		for line := range strings.Lines(text.String()) {
			_, what, _ := strings.Cut(line, "broker=")
			_, attempts, _ := strings.Cut(strings.TrimSpace(line), "attempts=")
			if what == "" {
				_, what, _ = strings.Cut(line, "msg=")
			}
			got = append(got, strings.TrimSpace(what[:min(len(what), 3)]+" "+attempts))
		}
		want := []string{"one", "two", "one 720", "two 720", "two", "one 720", "one", "onc", "alw", "alw", "alw", "alw"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q\n%s", got, want, text.String())
		}
	})
}
