package mqtt

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
	"tableside/mqtt/broker"
	"tableside/mqtt/homeassistant"
)

// patience limits every wait of these tests; no test sleeps that long.
const patience = time.Minute

// poll waits for a condition, and reports whether it became true.
func poll(condition func() bool) bool {
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		if time.Now().After(deadline) {
			return false
		}
		<-tick.C
	}
	return true
}

func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	if !poll(condition) {
		t.Fatalf("waited %s in vain: %s", patience, what)
	}
}

func startBroker(t testing.TB, cfg broker.Config) *broker.Broker {
	t.Helper()
	b, err := broker.Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// A healthLog records the health that a client reports.
type healthLog struct {
	mu    sync.Mutex
	parts []engine.Part
}

func (h *healthLog) report(p engine.Part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts = append(h.parts, p)
}

func (h *healthLog) last() engine.Part {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.parts) == 0 {
		return engine.Part{}
	}
	return h.parts[len(h.parts)-1]
}

func (h *healthLog) said(health engine.Health) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.parts, func(p engine.Part) bool { return p.Health == health })
}

// A running is a running client that can be stopped.
type running struct {
	*Client
	health *healthLog
	stop   func()
}

func startClient(t testing.TB, cfg Config) running {
	t.Helper()
	r := newClient(t, cfg)
	r.run(t)
	return *r
}

// newClient returns a client that run starts.
func newClient(t testing.TB, cfg Config) *running {
	t.Helper()
	health := &healthLog{}
	cfg.Health = health.report
	if cfg.Table == "" {
		cfg.Table = "demo"
	}
	if cfg.Home.Discovery == "" {
		cfg.Home.Discovery = homeassistant.DefaultDiscovery
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c.delays.echo, c.delays.review = 500*time.Millisecond, 500*time.Millisecond
	c.announcer.Settle, c.announcer.SweepLimit = 10*time.Millisecond, 200*time.Millisecond
	return &running{Client: c, health: health}
}

func (r *running) run(t testing.TB) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		r.Run(ctx)
		close(ended)
	}()
	r.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(r.stop)
}

func (r running) waitOK(t testing.TB) {
	t.Helper()
	until(t, "a connection", func() bool { return r.health.last().Health == engine.OK })
}

// A watcher is another client of the same broker; it records all messages.
type watcher struct {
	paho.Client
	mu       sync.Mutex
	kept     map[string]string // retained messages that a new subscriber would get
	heard    []string          // "topic payload" of every message, in order
	retained int               // number of messages with the retain flag
}

func watch(t testing.TB, addr string, configure ...func(*paho.ClientOptions)) *watcher {
	t.Helper()
	w := &watcher{kept: map[string]string{}}
	opts := paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(fmt.Sprintf("watcher-%p", w)).
		SetProtocolVersion(4).SetAutoReconnect(false).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.heard = append(w.heard, m.Topic()+" "+string(m.Payload()))
			w.kept[m.Topic()] = string(m.Payload())
			if len(m.Payload()) == 0 {
				delete(w.kept, m.Topic())
			}
			if m.Retained() {
				w.retained++
			}
		})
	for _, change := range configure {
		change(opts)
	}
	w.Client = paho.NewClient(opts)
	for _, token := range []func() paho.Token{w.Connect, func() paho.Token {
		return w.SubscribeMultiple(map[string]byte{"tableside/#": 1, "homeassistant/#": 1}, nil)
	}} {
		if done := token(); !done.WaitTimeout(patience) || done.Error() != nil {
			t.Fatalf("watcher: %v", done.Error())
		}
	}
	t.Cleanup(func() { w.Disconnect(1000) })
	return w
}

func asUser(name string) func(*paho.ClientOptions) {
	return func(o *paho.ClientOptions) { o.SetUsername(name) }
}

func writeFile(t testing.TB, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w *watcher) get(topic string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.kept[topic]
}

func (w *watcher) all() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.kept)
}

func (w *watcher) count(prefix string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, line := range w.heard {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

func (w *watcher) send(t testing.TB, topic, payload string, retain bool) {
	t.Helper()
	if token := w.Publish(topic, 1, retain, payload); !token.WaitTimeout(patience) || token.Error() != nil {
		t.Fatalf("publish: %v", token.Error())
	}
}

// expected returns the retained messages of a frame by topic.
func expected(f engine.Frame) map[string]string {
	want := map[string]string{}
	Messages(f, func(m Message) {
		if m.Retain {
			want[m.Topic] = string(m.Payload)
		}
	})
	cfg := homeassistant.Config{Discovery: homeassistant.DefaultDiscovery}
	want[homeassistant.Topic(cfg.Discovery, f.View.Table)] = string(homeassistant.Discovery(Prefix(f.View.Table), f, cfg, nil))
	return want
}

// has waits until the broker retains exactly the messages of a frame.
func (w *watcher) has(t testing.TB, f engine.Frame) {
	t.Helper()
	want := expected(f)
	if !poll(func() bool { return maps.Equal(w.retainedState(), want) }) {
		t.Fatalf("retained:\n%v\nwant:\n%v", w.retainedState(), want)
	}
}

func (w *watcher) retainedState() map[string]string {
	state := w.all()
	for topic := range state {
		if strings.Contains(topic, "/event/") || strings.Contains(topic, "/input") || strings.Contains(topic, "/match") ||
			strings.Contains(topic, "/trigger/") || strings.HasSuffix(topic, "/alive") || topic == homeassistant.DefaultDiscovery+"/status" {
			delete(state, topic)
		}
	}
	return state
}
