package mqtt

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"tableside/engine"
)

const someMatch = "2026-11-20T20-15-00Z"

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
	for _, left := range []string{"tableside/demo/journal/2026-01-01T00-00-00Z/1", "tableside/demo/result"} {
		w.send(t, left, "what an earlier program left", true)
	}
	c := startClient(t, Config{Brokers: []string{m.addr}, Hall: "club"})
	c.Show(t.Context(), testFrame(t, engine.English, 7))
	journal := strings.Repeat("0123456789abcdef", 1000)
	c.Offer(someMatch, []byte(journal))
	const topic = "tableside/demo/journal/club/" + someMatch
	whole := func(w *watcher) func() bool {
		return func() bool { return len(w.offered()) == 1 && w.get(topic) == journal }
	}
	until(t, "the whole match, and nothing else", whole(w))
	m.kill()
	m.start(t)
	w = watch(t, m.addr)
	until(t, "the match on a broker that has lost it", whole(w))
	before := w.count(topic)
	c.Offer(someMatch, []byte(journal))
	until(t, "the match once more", func() bool { return w.count(topic) > before })

	const next = "tableside/demo/journal/club/2026-11-20T20-16-00Z"
	c.Offer("2026-11-20T20-16-00Z", []byte("short"))
	until(t, "the next match alone", func() bool { return len(w.offered()) == 1 && w.get(next) == "short" })
	c.Offer("", nil)
	until(t, "nothing", func() bool { return len(w.offered()) == 0 })
}

// A hall hears the journals that tables offer to it, and no others.
func TestHearsJournals(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	large := strings.Repeat("x", maxPacket-1<<10)
	w.send(t, "tableside/one/journal/club/"+someMatch, large, true)
	e := listenTo(t, m.addr)
	journals := func() (got map[string]string) { e.read(func() { got = maps.Clone(e.journals) }); return got }
	until(t, "what the broker kept", func() bool { return journals()["one "+someMatch] == large })
	for _, topic := range []string{"tableside/two/journal/cafe/" + someMatch, "tableside/two/journal/club/yesterday",
		"tableside/two/journal/" + someMatch + "/1"} {
		w.send(t, topic, "x", true)
	}
	w.send(t, "tableside/journal/journal/club/"+someMatch, "last", false)
	w.send(t, "tableside/one/journal/club/"+someMatch, "", true)
	until(t, "what came last", func() bool { return journals()["one "+someMatch] == "" })
	if got := fmt.Sprint(journals()); got != "map[journal "+someMatch+":last one "+someMatch+":]" {
		t.Errorf("the hall hears %.500s", got)
	}
	e.read(func() {
		if len(e.aside) != 1 || !strings.Contains(e.aside[0], "yesterday") {
			t.Errorf("set aside: %q", e.aside)
		}
	})
}

// A table whose program is older, and sends journals in pieces, is told so, and so is the hall's
// page. The table of another hall is not concerned.
func TestOlderTable(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	e := listenTo(t, m.addr)
	until(t, "a subscription", func() (ok bool) { e.read(func() { ok = len(e.listening) > 0 }); return ok })
	w := watch(t, m.addr)
	w.Subscribe("tableside-hall/#", 1, nil).WaitTimeout(patience)
	for _, hall := range []string{"cafe", "club"} {
		w.send(t, "tableside/"+hall+"-1/result", `{"table":"x","hall":"`+hall+`","match":"`+someMatch+
			`","game":"tally/score","pieces":1,"bytes":5,"sha256":"abc"}`, true)
	}
	until(t, "an answer", func() bool { return w.get("tableside-hall/club/club-1/kept") != "" })
	if got, want := w.get("tableside-hall/club/club-1/kept"),
		`{"match":"`+someMatch+`","sha256":"abc","refused":"version"}`; got != want {
		t.Errorf("the hall says %s, want %s", got, want)
	}
	until(t, "the hall's page", func() (ok bool) { e.read(func() { ok = len(e.aside) > 0 }); return ok })
	e.read(func() {
		if !strings.HasPrefix(e.aside[0], "tableside/club-1/result: the table's program is older") {
			t.Errorf("set aside: %q", e.aside)
		}
	})
	if w.count("tableside-hall/cafe/") != 0 {
		t.Error("it answers for another hall")
	}
}
