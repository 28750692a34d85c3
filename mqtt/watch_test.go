package mqtt

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"

	"tableside/engine"
)

// An ear records what a watcher hears.
type ear struct {
	mu        sync.Mutex
	listening []bool
	states    map[string]*engine.View
	kept      map[string]bool
	said      []string // "table what", in order
	aside     []string // "topic: why"
	rounds    int
	journals  map[string]string // by "table match"; "": cleared
	clocks    []time.Time       // of tables, with their signs of life
	health    *healthLog
	watcher   *Watcher
}

func (e *ear) note(format string, args ...any) { e.said = append(e.said, fmt.Sprintf(format, args...)) }

// locked returns a function that calls f under the ear's lock.
func locked[A any](e *ear, f func(A)) func(A) {
	return func(a A) { e.mu.Lock(); defer e.mu.Unlock(); f(a) }
}

func (e *ear) read(f func()) { e.mu.Lock(); defer e.mu.Unlock(); f() }

func (e *ear) has(line string) bool {
	found := false
	e.read(func() { found = slices.Contains(e.said, line) })
	return found
}

func listenTo(t *testing.T, brokers ...string) *ear {
	t.Helper()
	return listenAs(t, "", brokers...)
}

// listenAs starts a watcher that is a user of these brokers.
func listenAs(t *testing.T, user string, brokers ...string) *ear {
	t.Helper()
	e := &ear{states: map[string]*engine.View{}, kept: map[string]bool{}, journals: map[string]string{},
		health: &healthLog{}}
	w, err := NewWatcher(Config{Brokers: brokers, User: user, Hall: "club", Health: e.health.report}, WatchHandlers{
		Listening: locked(e, func(now bool) { e.listening = append(e.listening, now) }),
		Round:     func() { e.read(func() { e.rounds++ }) },
		State: func(table string, v *engine.View, kept bool) {
			e.read(func() { e.states[table], e.kept[table] = v, kept })
		},
		Status: func(table, status string) { e.read(func() { e.note("%s %s", table, status) }) },
		Alive: func(table string, match engine.Null, seq int, at time.Time) {
			e.read(func() { e.note("%s alive %s %d", table, match, seq); e.clocks = append(e.clocks, at) })
		},
		Health: func(table string, p engine.Part) { e.read(func() { e.note("%s %s %s", table, p.Name, p.Health) }) },
		Call:   func(table string, since time.Time) { e.read(func() { e.note("%s call %t", table, !since.IsZero()) }) },
		Journal: func(table, match string, journal []byte) {
			e.read(func() { e.journals[table+" "+match] = string(journal) })
		},
		Aside: func(topic string, why error) { e.read(func() { e.aside = append(e.aside, topic+": "+why.Error()) }) },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.delays.settle, w.delays.resubscribe = 300*time.Millisecond, time.Second
	e.watcher = w
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return e
}

// A watcher hears what the broker kept and what comes, and goes to another broker at once.
func TestWatcher(t *testing.T) {
	t.Parallel()
	first, second := startMosquitto(t), startMosquitto(t)
	c := startClient(t, Config{Brokers: []string{first.addr, second.addr}})
	f := testFrame(t, engine.English, 7)
	f.Status.Health = []engine.Part{{Name: "panel", Health: engine.Degraded, Reason: "why"}}
	c.Show(t.Context(), f)
	watch(t, first.addr).has(t, f)

	e := listenTo(t, "127.0.0.1:1", first.addr, second.addr)
	state := func(seq int, kept bool) func() bool {
		return func() (ok bool) {
			e.read(func() { v := e.states["demo"]; ok = v != nil && v.Seq == seq && e.kept["demo"] == kept })
			return ok
		}
	}
	until(t, "the state that was kept", state(7, true))
	until(t, "status and health", func() bool { return e.has("demo online") && e.has("demo panel degraded") })
	next := testFrame(t, engine.English, 8)
	next.Status.Called = time.Now()
	c.Show(t.Context(), next)
	until(t, "the next state", state(8, false))
	until(t, "the call", func() bool { return e.has("demo call true") })
	next.Status.Called = time.Time{}
	c.Show(t.Context(), next)
	until(t, "its end", func() bool { return e.has("demo call false") })
	until(t, "the kept one again, by another subscription", state(8, true))
	e.read(func() {
		if e.rounds == 0 {
			t.Error("no round has ended")
		}
	})

	first.kill()
	killed := time.Now()
	until(t, "a sign of life at the other broker", func() bool {
		said := false
		e.read(func() { said = slices.Contains(e.listening, false) })
		return said && e.has(fmt.Sprintf("demo alive %s 8", next.View.Match))
	})
	t.Logf("away for %s", time.Since(killed))
	last := testFrame(t, engine.English, 9)
	c.Show(t.Context(), last)
	until(t, "a state by the other broker", state(9, false))
}

// What no table publishes is set aside: it changes nothing, and does not end the connection.
func TestWatcherSetsAside(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	good := string(encode(testFrame(t, engine.English, 7).View))
	w := watch(t, m.addr)
	w.send(t, "tableside/demo/state", good, true)
	giant := m.write(t, "giant", strings.Repeat("x", 2<<20))
	m.pub(t, "-r", "-t", "tableside/huge/state", "-f", giant)
	e := listenTo(t, m.addr)
	until(t, "a subscription", func() (ok bool) { e.read(func() { ok = len(e.listening) > 0 }); return ok })
	bad := map[string]string{
		"tableside/a/state":                                "{",
		"tableside/b/state":                                "[]",
		"tableside/c/state":                                strings.Replace(good, `"schema":1`, `"schema":2`, 1),
		"tableside/d/state":                                good, // of another table
		"tableside/e/state":                                strings.NewReplacer(`"table":"demo"`, `"table":"e"`, `"colour":"#`, `"colour":"x`).Replace(good),
		"tableside/f/state":                                strings.NewReplacer(`"table":"demo"`, `"table":"f"`, `"seq":7`, `"seq":-7`).Replace(good),
		"tableside/g/state":                                "\xff\xfe",
		"tableside/h/state":                                strings.NewReplacer(`"table":"demo"`, `"table":"h"`, `"id":"red"`, `"id":"Red Hot"`).Replace(good),
		"tableside/i/status":                               "perhaps",
		"tableside/j/alive":                                `{"match":7}`,
		"tableside/k/alive":                                `{"match":null,"seq":-1}`,
		"tableside/q/alive":                                `{"match":null,"seq":9000000000000000000}`,
		"tableside/r/state":                                strings.NewReplacer(`"table":"demo"`, `"table":"r"`, `"seq":7`, `"seq":9000000000000000000`).Replace(good),
		"tableside/l/health/panel":                         "splendid",
		"tableside/m/health/panel":                         "ok: " + strings.Repeat("x", 2000),
		"tableside/n o/status":                             online,
		"tableside/o/health/a b":                           "ok",
		"tableside/" + strings.Repeat("p", 65) + "/status": online,
	}
	for _, topic := range slices.Sorted(maps.Keys(bad)) {
		w.send(t, topic, bad[topic], true)
	}
	w.send(t, "tableside/z/status", online, true)
	until(t, "what came last, and the state", func() bool { return e.has("z online") })
	e.read(func() {
		for topic := range bad {
			if !slices.ContainsFunc(e.aside, func(s string) bool { return strings.HasPrefix(s, topic+": ") }) {
				t.Errorf("%s is not set aside", topic)
			}
		}
		if !slices.ContainsFunc(e.aside, func(s string) bool { return strings.HasPrefix(s, "tableside/huge/state: ") }) {
			t.Error("a giant is not set aside")
		}
		if len(e.states) != 1 || e.states["demo"] == nil || len(e.listening) != 1 || !e.listening[0] {
			t.Errorf("states %v, listening %v", e.states, e.listening)
		}
		for _, line := range e.said {
			if line != "z online" {
				t.Errorf("heard %s", line)
			}
		}
	})
}

// A halfDeafGate lets nobody subscribe to signs of life.
type halfDeafGate struct{ gate }

func (g *halfDeafGate) OnACLCheck(_ *mochi.Client, topic string, write bool) bool {
	return write || !strings.HasSuffix(topic, "/alive")
}

// A broker refuses a subscription without an error; the watcher notices.
func TestWatcherIsRefused(t *testing.T) {
	t.Parallel()
	e := listenTo(t, gatedBroker(t, &halfDeafGate{}))
	until(t, "failed, as it is refused", func() bool {
		p := e.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "tableside/+/alive")
	})
	e.read(func() {
		if slices.Contains(e.listening, true) {
			t.Error("it says that it listens")
		}
	})
}

// A countingGate notes when somebody subscribes.
type countingGate struct {
	gate
	mu sync.Mutex
	at []time.Time
}

func (g *countingGate) OnACLCheck(_ *mochi.Client, topic string, _ bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if topic == "tableside/+/state" {
		g.at = append(g.at, time.Now())
	}
	return true
}

func (g *countingGate) subscriptions() []time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.at
}

// A watcher that has missed something subscribes again, long before it would anyway, and then more
// and more seldom.
func TestWatcherMissed(t *testing.T) {
	t.Parallel()
	gate := &countingGate{}
	w, err := NewWatcher(Config{Brokers: []string{gatedBroker(t, gate)}, Health: (&healthLog{}).report},
		WatchHandlers{Listening: func(bool) {}, Round: func() {}})
	if err != nil {
		t.Fatal(err)
	}
	w.delays.settle, w.delays.resubscribe = 200*time.Millisecond, time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w.Run(ctx)
	}()
	defer func() { cancel(); <-ended }()
	until(t, "subscribed, and once more soon after", func() bool { return len(gate.subscriptions()) == 2 })
	for n := range 4 {
		until(t, "subscribed again", func() bool { w.Missed(); return len(gate.subscriptions()) == n+3 })
		at := gate.subscriptions()
		if took, least := at[n+2].Sub(at[n+1]), w.delays.settle<<n/2; took < least {
			t.Errorf("subscribed again %d after %s, want at least %s", n+1, took, least)
		}
	}
}
