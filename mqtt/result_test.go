package mqtt

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/engine"
)

// finished returns the result of a match with a journal.
func finished(table string, journal []byte) engine.Finished {
	sum, score := sha256.Sum256(journal), 5
	return engine.Finished{Table: table, Match: "2026-11-20T20-15-00Z", Game: "tally/score", Title: "Tally",
		Edition: "score", Winners: []engine.Seat{"red"},
		Seats: []engine.FinishedSeat{{ID: "red", Name: "Alice", Score: &score, Rank: 1}},
		Bytes: len(journal), SHA256: hex.EncodeToString(sum[:])}
}

// offered returns what the broker retains of results and journals.
func (w *watcher) offered() map[string]string {
	all := w.all()
	for topic := range all {
		if !strings.HasSuffix(topic, "/result") && !strings.Contains(topic, "/journal/") {
			delete(all, topic)
		}
	}
	return all
}

// A match is on the broker until another one is offered, also after the broker or the table
// was away; what an earlier table left there is cleared.
func TestOffer(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	const left = "tableside/demo/journal/2026-01-01T00-00-00Z/1"
	w.send(t, left, "what an earlier program left", true)
	c := startClient(t, Config{Brokers: []string{m.addr}, Hall: "club"})
	c.Show(t.Context(), testFrame(t, engine.English, 7))
	journal := []byte(strings.Repeat("0123456789abcdef", 5*pieceSize/32)) // two pieces and a half
	f := finished("demo", journal)
	c.Offer(&f, journal)
	const prefix = "tableside/demo/journal/2026-11-20T20-15-00Z/"
	whole := func(w *watcher) func() bool {
		return func() bool {
			got := w.offered()
			return len(got) == 4 && got["tableside/demo/result"] != "" &&
				got[prefix+"1"]+got[prefix+"2"]+got[prefix+"3"] == string(journal)
		}
	}
	until(t, "the whole match, and nothing else", whole(w))
	var said engine.Finished
	if err := json.Unmarshal([]byte(w.get("tableside/demo/result")), &said); err != nil || said.Pieces != 3 ||
		said.SHA256 != f.SHA256 || *said.Seats[0].Score != 5 {
		t.Errorf("%+v, %v", said, err)
	}
	m.kill()
	m.start(t)
	w = watch(t, m.addr)
	until(t, "the match on a broker that has lost it", whole(w))

	short := []byte("short")
	next := finished("demo", short)
	next.Match = "2026-11-20T20-16-00Z"
	c.Offer(&next, short)
	until(t, "the next match alone", func() bool {
		return len(w.offered()) == 2 && w.get("tableside/demo/journal/2026-11-20T20-16-00Z/1") == "short"
	})
	large := make([]byte, maxJournal+1)
	huge := finished("demo", large)
	c.Offer(&huge, large)
	until(t, "a result without its journal", func() bool {
		return len(w.offered()) == 1 && strings.Contains(w.get("tableside/demo/result"), `"pieces":0`)
	})
	c.Offer(nil, nil)
	until(t, "nothing", func() bool { return len(w.offered()) == 0 })
}

// A journal is fetched whole or not at all.
func TestFetch(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	e := listenTo(t, m.addr)
	until(t, "a subscription", func() (ok bool) { e.read(func() { ok = len(e.listening) > 0 }); return ok })
	journal := []byte(strings.Repeat("x", maxJournal))
	f := finished("demo", journal)
	messages := parcel(f, journal)
	f.Pieces = maxPieces
	if len(messages) != maxPieces+1 {
		t.Fatalf("%d messages", len(messages))
	}
	for _, message := range messages[:maxPieces-1] {
		w.send(t, "tableside/demo"+message.Topic, string(message.Payload), true)
	}
	for _, n := range []string{"0", "129", "x", "-1", "1/2"} {
		w.send(t, "tableside/demo/journal/2026-11-20T20-15-00Z/"+n, "nonsense", true)
	}
	w.send(t, "tableside/demo"+messages[maxPieces-1].Topic, strings.Repeat("y", pieceSize+1), true)
	lacked := 0
	_, err := e.watcher.Fetch(t.Context(), f, func() { lacked++ })
	if !errors.Is(err, errIncomplete) || !strings.Contains(err.Error(), "1 of 128") || lacked != 1 {
		t.Errorf("without the last piece: %v, asked for it %d times", err, lacked)
	}
	last := func(retained bool) {
		w.send(t, "tableside/demo"+messages[maxPieces-1].Topic, string(messages[maxPieces-1].Payload), retained)
	}
	fetches := func(lacks func()) {
		t.Helper()
		began := time.Now()
		got, err := e.watcher.Fetch(t.Context(), f, lacks)
		if err != nil || string(got) != string(journal) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		t.Logf("%d bytes in %s", len(got), time.Since(began))
	}
	fetches(func() { last(false) }) // a node that never learns what others keep
	last(true)
	fetches(func() { t.Error("it lacks nothing") })
	e.read(func() {
		if len(e.aside) != 0 {
			t.Errorf("set aside: %q", e.aside)
		}
	})
}

// A table may be called journal: what it publishes is a piece only on the topics of pieces.
func TestPieceTopics(t *testing.T) {
	t.Parallel()
	var p parcels
	for topic, want := range map[string]bool{
		"tableside/journal/status": false, "tableside/journal/result": false, "tableside/journal/health/disk": false,
		"tableside/journal/journal/2026-11-20T20-15-00Z/1": true, "tableside/one/journal/2026-11-20T20-15-00Z/1": true,
		"tableside/one/health/journal": false, "tableside/one/status": false,
	} {
		if got := p.take(topic, []byte("x")); got != want {
			t.Errorf("%s is a piece: %t", topic, got)
		}
	}
}

// What no table says of a match is set aside.
func TestResultIsRead(t *testing.T) {
	t.Parallel()
	good := finished("demo", []byte("x"))
	good.Pieces = 1
	if f, err := readResult("demo", encode(good)); err != nil || f.Match != good.Match {
		t.Fatalf("%+v, %v", f, err)
	}
	for why, change := range map[string]func(*engine.Finished){
		"table":  func(f *engine.Finished) { f.Table = "other" },
		"match":  func(f *engine.Finished) { f.Match = "../../etc/passwd" },
		"SHA":    func(f *engine.Finished) { f.SHA256 = strings.ToUpper(f.SHA256) },
		"pieces": func(f *engine.Finished) { f.Pieces = 2 },
		"bytes":  func(f *engine.Finished) { f.Bytes = -1 },
		"none":   func(f *engine.Finished) { f.Pieces = 0 },
		"many":   func(f *engine.Finished) { f.Bytes, f.Pieces = 1<<40, 1<<25 },
		"long":   func(f *engine.Finished) { f.Title = strings.Repeat("x", maxResult) },
	} {
		f := good
		change(&f)
		if _, err := readResult("demo", encode(f)); err == nil {
			t.Errorf("%s: it is believed", why)
		}
	}
	for _, text := range []string{"", "{", "[]", `"x"`, "\xff"} {
		if _, err := readResult("demo", []byte(text)); err == nil {
			t.Errorf("%q is believed", text)
		}
	}
}

// A listened connection tells when something is written.
type listened struct {
	net.Conn
	wrote func([]byte)
}

func (l listened) Write(data []byte) (int, error) {
	l.wrote(data)
	return l.Conn.Write(data)
}

// A move while a large journal is sent does not wait for all of it.
func TestOfferDelaysNoMove(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	moved := sync.OnceFunc(func() {})
	c := newClient(t, Config{Brokers: []string{m.addr}, Hall: "club",
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
			return listened{conn, func(data []byte) {
				if bytes.Contains(data, []byte("/journal/2026-11-20T20-15-00Z/6")) {
					moved()
				}
			}}, err
		}})
	moved = sync.OnceFunc(func() { c.Show(t.Context(), testFrame(t, engine.English, 8)) })
	c.Show(t.Context(), testFrame(t, engine.English, 7))
	journal := []byte(strings.Repeat("x", maxJournal))
	f := finished("demo", journal)
	c.Offer(&f, journal)
	c.run(t)
	until(t, "the result", func() bool { return w.get("tableside/demo/result") != "" })
	w.mu.Lock()
	defer w.mu.Unlock()
	states, before := 0, 0
	for _, line := range w.heard {
		switch {
		case strings.HasPrefix(line, "tableside/demo/state "):
			states++
		case states < 2 && strings.HasPrefix(line, "tableside/demo/journal/"):
			before++
		}
	}
	if states != 2 || before > 20 {
		t.Errorf("%d pieces of %d came before the move; %d states", before, maxPieces, states)
	}
}
