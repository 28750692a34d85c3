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
	note := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, fmt.Sprintf(format, args...))
	}
	w.send(t, "tableside-hall/club/demo/seating", `{"evening":"Friday","round":2,"players":["Zoé","Max"]}`, true)
	w.send(t, "tableside-hall/club/demo/message", `{"text":"what the broker keeps"}`, true)
	c := startClient(t, Config{Brokers: []string{m.addr}, Hall: "club", FromHall: HallHandlers{
		Seating: func(s *engine.Seating) { note("seating %t", s != nil) },
		Message: func(m engine.HallMessage) { note("message %s", m.Text) },
		Kept:    func(match, digest, refused string) { note("kept %s %s %s", match, digest, refused) },
	}})
	c.Show(t.Context(), testFrame(t, engine.English, 7))
	c.waitOK(t)
	for _, to := range []string{"cafe/demo/message", "club/other/message", "club/message"} {
		w.send(t, "tableside-hall/"+to, `{"text":"not for it"}`, false)
	}
	w.send(t, "tableside-hall/club/demo/message", `{"text":"`+strings.Repeat("x", maxFromHall)+`"}`, false)
	w.send(t, "tableside-hall/club/demo/message", "hello", false)
	w.send(t, "tableside-hall/club/demo/message", `{"text":"hello"}`, false)
	w.send(t, "tableside-hall/club/demo/a/b", "", false)
	w.send(t, "tableside-hall/club/demo/seating", "", true)
	w.send(t, "tableside-hall/club/demo/kept", `{"match":"m","sha256":"abc","refused":"why"}`, false)
	until(t, "what was said last", func() bool { return slices.Contains(heard(), "kept m abc why") })
	if got := heard(); !slices.Equal(got, []string{"seating true", "message hello", "seating false", "kept m abc why"}) {
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
		if _, err := parseSeating([]byte(payload)); (err == nil) != ok {
			t.Errorf("%s: %v", payload, err)
		}
	}
}
