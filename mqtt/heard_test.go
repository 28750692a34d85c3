package mqtt

import (
	"encoding/json"
	"testing"
	"time"
)

// TestMomentOfCall checks that a list with any call that is taken can be written as JSON: years
// may lie outside of it once they are in UTC.
func TestMomentOfCall(t *testing.T) {
	for payload, fits := range map[string]bool{
		``:                                      true,
		`{"since":"2026-11-24T00:00:00Z"}`:      true,
		`{"since":"9999-12-31T23:59:59Z"}`:      true,
		`{"since":"9999-12-31T23:59:59-23:59"}`: false,
		`{"since":"0000-01-01T00:00:00+23:59"}`: false,
		`{"since":"soon"}`:                      false,
	} {
		called := false
		h := WatchHandlers{Call: func(_ string, since time.Time) {
			called = true
			if _, err := json.Marshal(since.UTC()); err != nil {
				t.Errorf("%s: %v", payload, err)
			}
		}}
		w := &Watcher{link: &link{}, handlers: h}
		if err := w.take("tableside/one/call", []byte(payload), true); (err == nil) != fits || called != fits {
			t.Errorf("%s: error %v, taken %t", payload, err, called)
		}
	}
}
