package mqtt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestLogOfAMissingBroker checks that a broker which stays away is logged at first, when
// the reason changes, and hourly; and again when it is lost after it was there.
func TestLogOfAMissingBroker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		began := time.Now()
		w, err := NewWatcher(Config{Brokers: []string{"one:1883", "two:1883"}, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
				why := errors.New("refused")
				if strings.HasPrefix(addr, "two") && time.Since(began) >= 90*time.Minute {
					why = errors.New("no route")
				}
				return nil, &net.OpError{Op: fmt.Sprint("attempt at ", time.Since(began)), Err: why}
			}}, WatchHandlers{})
		if err != nil {
			t.Fatal(err)
		}
		for time.Since(began) < 150*time.Minute {
			_, err := w.dial(t.Context())
			time.Sleep(w.recordFailure(err, 0))
		}
		time.Sleep(recoveredAfter)
		w.recordFailure(errLost, recoveredAfter)
		var got []string
		for line := range strings.Lines(log.String()) {
			_, broker, _ := strings.Cut(line, "broker=tcp://")
			_, attempts, _ := strings.Cut(strings.TrimSpace(line), "attempts=")
			got = append(got, broker[:3]+" "+attempts)
		}
		want := []string{"one 1", "two 1", "one 724", "two 724", "two 360", "one 720", "one 1"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q\n%s", got, want, log.String())
		}
	})
}
