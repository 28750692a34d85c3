package mqtt

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"tableside/engine"
)

// A table hears the hall that it names, and no other.
func TestFromHall(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	var mu sync.Mutex
	var said []string
	heard := func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(said) }
	w := watch(t, m.addr)
	w.send(t, "tableside-hall/club/demo/seating", "kept", true)
	c := startClient(t, Config{Brokers: []string{m.addr}, Hall: "club",
		FromHall: func(what string, payload []byte, kept bool) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, fmt.Sprintf("%s %.10s %t", what, payload, kept))
		}})
	c.Show(t.Context(), testFrame(t, engine.English, 7))
	c.waitOK(t)
	for _, to := range []string{"cafe/demo/message", "club/other/message", "club/message"} {
		w.send(t, "tableside-hall/"+to, "not for it", false)
	}
	w.send(t, "tableside-hall/club/demo/message", strings.Repeat("x", maxFromHall+1), false)
	w.send(t, "tableside-hall/club/demo/message", "hello", false)
	w.send(t, "tableside-hall/club/demo/a/b", "", false)
	until(t, "what was said last", func() bool { return slices.Contains(heard(), "a/b  false") })
	if got := heard(); !slices.Equal(got, []string{"seating kept true", "message hello false", "a/b  false"}) {
		t.Errorf("heard %q", got)
	}
}
