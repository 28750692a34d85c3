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

// TestParseSeating checks which seatings a table believes.
func TestParseSeating(t *testing.T) {
	t.Parallel()
	const rest = `"evening":"Friday","round":2,"since":"2026-11-23T20:00:00Z"`
	for payload, ok := range map[string]bool{
		"": true,
		`{` + rest + `,"players":["Zoé","Max"]}`:                                      true,
		`{` + rest + `,"players":["Zoé","Max"],"game":"tally","later":1}`:             true,
		`{` + rest + `,"players":["Zoé"]}`:                                            false,
		`{` + rest + `,"players":["Zoé","Zoé"]}`:                                      false,
		`{` + rest + `,"players":["Zoé"," "]}`:                                        false,
		`{` + rest + `,"players":["Zoé","a\nb"]}`:                                     false,
		`{` + rest + `,"players":["Zoé","a\u200bb"]}`:                                 false,
		`{` + rest + `,"players":["Zoé","\xff"]}`:                                     false,
		`{` + rest + `,"players":["Zoé","` + strings.Repeat("x", 25) + `"]}`:          false,
		`{` + rest + `,"players":["a","b","c","d","e","f","g","h","i"]}`:              false,
		`{"evening":"Friday","round":0,"players":["a","b"]}`:                          false,
		`{"evening":"` + strings.Repeat("x", 61) + `","round":1,"players":["a","b"]}`: false,
		`{"evening":"a\u0007","round":1,"players":["a","b"]}`:                         false,
		`null`: false, `[]`: false, `{`: false,
	} {
		if _, err := ParseSeating([]byte(payload)); (err == nil) != ok {
			t.Errorf("%s: %v", payload, err)
		}
	}
}
