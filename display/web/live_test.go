package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
)

// firstMessage returns the first message of a stream, or the error response.
func firstMessage(t *testing.T, s *Server, a request) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, a.method, a.path, nil)
	r.RemoteAddr, r.Host = "127.0.0.1:40000", "localhost"
	if a.peer != "" {
		r.RemoteAddr = a.peer
	}
	for name, value := range a.header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Body.String()
}

// A listener reads a live stream, as a script would.
type listener struct {
	t     *testing.T
	lines *bufio.Scanner
}

func subscribe(t *testing.T, url string) *listener {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	return &listener{t, lines}
}

// next returns the next event with its data; "" at the end of the stream.
func (l *listener) next() (event, data string) {
	l.t.Helper()
	for l.lines.Scan() {
		line := l.lines.Text()
		switch {
		case strings.HasPrefix(line, "event: "):
			event = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			data = line[len("data: "):]
		case line == "" && event != "":
			return event, data
		}
	}
	return "", ""
}

func (l *listener) frame() (m Live) {
	l.t.Helper()
	event, data := l.next()
	if event != "frame" {
		l.t.Fatalf("event %q, want a frame", event)
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		l.t.Fatal(err)
	}
	return m
}

func tapped(seat engine.Seat, card string) engine.Input {
	return engine.Input{Seat: seat, Verb: engine.Tap, Args: []string{card}}
}

func pressed(seat engine.Seat, key string) engine.Input {
	return engine.Input{Seat: seat, Verb: engine.Key, Args: []string{key}}
}

func TestLiveIsTheWholeFrameThenChanges(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	s.beat = 50 * time.Millisecond
	url, stop := listen(t, s, "127.0.0.1:0")
	l := subscribe(t, url+"/api/live?lang=fr")
	first := l.frame()
	if first.View.Title != "L'Anneau" || first.Lang != engine.French || !first.Writes || len(first.Pictures) != 2 ||
		!first.Status.Simulated {
		t.Errorf("first message: %+v", first)
	}
	if event, _ := l.next(); event != "beat" {
		t.Errorf("event %q, want a beat", event)
	}
	tb.input(t.Context(), tapped("red", "fox.1"))
	var m Live
	for m.View.Seq == 0 {
		event, data := l.next()
		if event == "frame" {
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(m.Events) != 1 || m.Events[0].Spoken != "Alice joue Renard" || m.History[0].Lines[0] != "Alice joue Renard" {
		t.Errorf("change: %+v", m)
	}
	s.Redrawn("panel")
	for {
		event, data := l.next()
		if event == "picture" && data == "panel" {
			break
		}
		if event == "" {
			t.Fatal("no picture was announced")
		}
	}
	stop()
	for event := "x"; event != ""; event, _ = l.next() {
	}
}

func TestNewestViewWinsAndEventsQueue(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	box := s.register()
	for i, card := range []string{"fox.1", "fox.3", "owl.1"} {
		tb.input(t.Context(), tapped([]engine.Seat{"red", "blue"}[i%2], card))
		tb.input(t.Context(), pressed([]engine.Seat{"red", "blue"}[i%2], "left"))
	}
	l := s.drain(box, "")
	if f := l.message.frame; l.full || f.View.Seq != 6 || len(f.Events) != 6 {
		t.Errorf("got seq %d with %d events, want seq 6 with 6 events", f.View.Seq, len(f.Events))
	}
	if l = s.drain(box, ""); l.message != nil {
		t.Error("a drained mailbox holds a message")
	}
	for range maxEvents + 1 {
		box.put(1, []engine.Event{{Name: "x"}})
	}
	if !s.drain(box, "").full {
		t.Error("a mailbox with too many events is not full")
	}
}

// A browser that never reads must delay neither the table nor other browsers,
// and is disconnected.
func TestSlowBrowserIsClosed(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	s.writeLimit = 300 * time.Millisecond
	url, _ := listen(t, s, "127.0.0.1:0")
	slow, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := slow.(*net.TCPConn).SetReadBuffer(2048); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(slow, "GET /api/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
	count := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.browsers)
	}
	eventually(t, func() bool { return count() == 1 })
	big := []engine.Event{{Name: "play", Seat: "red", Card: "fox.1", Word: strings.Repeat("x", 1<<20)}}
	f, _ := s.currentFrame("")
	began := time.Now()
	for count() > 0 && time.Since(began) < 15*time.Second {
		f.Events = big
		before := time.Now()
		_ = s.Show(t.Context(), f)
		if took := time.Since(before); took > time.Second {
			t.Fatalf("Show waited %v for a browser", took)
		}
		time.Sleep(2 * time.Millisecond)
	}
	if count() != 0 {
		t.Error("the slow browser is still connected")
	}
	f.Events = nil
	_ = s.Show(t.Context(), f)
	s.mu.Lock()
	s.history = core.Story{}
	s.mu.Unlock()
	if got := subscribe(t, url+"/api/live").frame(); got.View.Table != "test" {
		t.Errorf("the next browser sees %+v", got.View)
	}
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(10 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatal("the condition never became true")
}

func TestHistoryFollowsUndoAndRedo(t *testing.T) {
	tb := newTable(t).begin()
	s := tb.show(newServer(tb.config()))
	list := func() string {
		var b strings.Builder
		f, _ := s.currentFrame(engine.English)
		for _, e := range core.Speak(s.history.Entries, f) {
			mark := " "
			if e.Undone {
				mark = "x"
			}
			if e.Again {
				mark = "r"
			}
			fmt.Fprintf(&b, "%s %s\n", mark, strings.Join(e.Lines, "; "))
		}
		return b.String()
	}
	undo, redo := engine.Input{Seat: "red", Verb: engine.Undo}, engine.Input{Seat: "red", Verb: engine.Redo}
	for _, in := range []engine.Input{tapped("red", "fox.1"), pressed("red", "right"), undo, undo, redo,
		pressed("red", "left")} {
		if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
			t.Fatalf("%v: %+v", in, r)
		}
	}
	want := `  Alice plays Fox
x Alice goes 2 spaces
  Undone: Alice goes 2 spaces
  Undone: Alice plays Fox
  Alice redoes the move
  Alice goes 1 space
`
	if got := list(); got != want {
		t.Errorf("history:\n%swant:\n%s", got, want)
	}
	for range core.MaxEntries {
		tb.input(t.Context(), undo)
		tb.input(t.Context(), redo)
	}
	if n := len(s.history.Entries); n != core.MaxEntries {
		t.Errorf("%d entries", n)
	}
	tb.order(t.Context(), engine.Order{Do: "abandon"})
	if list() != "" {
		t.Error("a new match begins with an old history")
	}
}

// TestHistoryJumps checks that a state without events is history at once, whatever its seq.
func TestHistoryJumps(t *testing.T) {
	var h core.Story
	h.Follow(engine.Frame{View: engine.View{Match: "m", Seq: 3}})
	done := make(chan struct{})
	go func() {
		h.Follow(engine.Frame{View: engine.View{Match: "m", Seq: 1 << 60}})
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("history counts one by one")
	}
	if h.Seq != 1<<60 || len(h.Entries) != 0 {
		t.Errorf("seq %d, %d entries", h.Seq, len(h.Entries))
	}
}

// TestHistorySeparatesInputs checks that history keeps inputs apart when a busy
// table puts several into one frame, and when some inputs have no events.
func TestHistorySeparatesInputs(t *testing.T) {
	s := newServer(newTable(t).config())
	resume := func(match string, seq int, past []engine.Event, events ...engine.Event) {
		_ = s.Show(t.Context(), engine.Frame{View: engine.View{Match: engine.Null(match), Seq: seq}, Events: events,
			Past: past})
	}
	show := func(match string, seq int, events ...engine.Event) { resume(match, seq, nil, events...) }
	list := func() string {
		var b strings.Builder
		for _, e := range s.history.Entries {
			fmt.Fprintf(&b, "%s", e.Events[0].Name)
			if e.Undone {
				b.WriteString(" undone")
			} else if e.Redoable {
				b.WriteString(" of a move without events")
			}
			b.WriteString("; ")
		}
		return b.String()
	}
	event := func(name string, seq, position int) engine.Event {
		return engine.Event{Name: name, Seq: seq, Position: position}
	}
	for _, step := range []struct {
		show func()
		want string
	}{
		{func() { show("a", 0) }, ""},
		{func() { show("a", 3, event("one", 1, 1), event("more", 1, 1), event("two", 2, 2), event("undo", 3, 1)) },
			"one; two undone; undo; "},
		{func() { show("a", 5, event("redo", 4, 2), event("two", 4, 2), event("three", 5, 3)) },
			"one; two; undo; redo; three; "},
		{func() { show("a", 6) }, "one; two; undo; redo; three; "}, // an input without events
		{func() { show("a", 7, event("undo", 7, 3)) },
			"one; two; undo; redo; three; undo of a move without events; "},
		{func() { show("a", 8, event("undo", 8, 2)) },
			"one; two; undo; redo; three undone; undo of a move without events; undo; "},
		{func() { show("a", 9, event("redo", 9, 3), event("three", 9, 3)) },
			"one; two; undo; redo; three; undo of a move without events; undo; redo; "},
		{func() { show("a", 10, event("redo", 10, 4)) }, "one; two; undo; redo; three; undo; undo; redo; redo; "},
		{func() { show("b", 1, event("end", 9, 9), event("first", 1, 1)) }, "first; "},
		{func() { show("c", 40) }, ""}, // resumed
		{func() { show("c", 42, event("undo", 41, 30), event("next", 42, 31)) }, "undo; next; "},
		{func() { // resumed; the last past input had no events, and a new input came at once
			resume("d", 5, []engine.Event{event("undo", 2, 0), event("one", 3, 1), event("more", 3, 1)}, event("end", 1, 1),
				event("undo", 5, 1))
		}, "undo; one; undo of a move without events; "},
		{func() { resume("d", 6, []engine.Event{event("one", 3, 1)}, event("undo", 6, 0)) },
			"undo; one undone; undo of a move without events; undo; "},
	} {
		if step.show(); list() != step.want {
			t.Errorf("got history %s\nwant %s", list(), step.want)
		}
	}
}

// TestHistoryOfResumedMatch checks that the history of a resumed match is the
// same as before, and that past events are not sent again.
func TestHistoryOfResumedMatch(t *testing.T) {
	tb := newTable(t).begin()
	before := tb.show(newServer(tb.config()))
	undo, redo := engine.Input{Seat: "red", Verb: engine.Undo}, engine.Input{Seat: "red", Verb: engine.Redo}
	play := func(inputs ...engine.Input) {
		for _, in := range inputs {
			if r := tb.input(t.Context(), in); r.Outcome != engine.Accepted {
				t.Fatalf("%v: %+v", in, r)
			}
		}
	}
	play(tapped("red", "fox.1"), pressed("red", "right"), undo, undo, redo)
	f, _ := before.currentFrame(engine.English)
	then := core.Speak(before.history.Entries, f)
	after := tb.resume(newServer(tb.config()))
	if got := core.Speak(after.history.Entries, f); !reflect.DeepEqual(got, then) || !got[1].Again ||
		got[1].Lines[0] != "Alice goes 2 spaces" {
		t.Errorf("history:\n%+v\nbefore:\n%+v", got, then)
	}
	if n := len(after.frame.Events); n > 0 {
		t.Errorf("%d past events are sent again", n)
	}
	play(redo, undo, pressed("red", "left"))
	if got := after.history.Entries; len(got) != 8 || !got[1].Undone || got[1].Redoable || got[0].Undone {
		t.Errorf("history continues with %+v", got)
	}
}

// remotePeers serves s as if every peer were on another machine, like a proxy
// on this machine.
type remotePeers struct{ s *Server }

func (a remotePeers) listen(t testing.TB) string {
	t.Helper()
	inner := a.s.Handler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("X-Forwarded-For", "192.0.2.9")
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { a.s.Close(); server.Close() })
	return server.URL
}
