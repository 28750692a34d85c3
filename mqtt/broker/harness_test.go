package broker

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"go.uber.org/goleak"

	"tableside/engine"
	"tableside/mqtt"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience limits every wait of these tests; no test sleeps that long.
const patience = 20 * time.Second

func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !condition(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("waited %s in vain: %s", patience, what)
		}
	}
}

func startBroker(t testing.TB, cfg Config) *Broker {
	t.Helper()
	b, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// A table is the client of the table "demo", with the health that it reports.
type table struct {
	*mqtt.Client
	mu     sync.Mutex
	health engine.Part
}

func startTable(t testing.TB, cfg mqtt.Config) *table {
	t.Helper()
	tb := &table{}
	cfg.Table, cfg.Health = "demo", func(p engine.Part) {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		tb.health = p
	}
	var err error
	if tb.Client, err = mqtt.New(cfg); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tb.Run(ctx)
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return tb
}

func (tb *table) last() engine.Part {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return tb.health
}

// A watcher is a client that records all messages.
type watcher struct {
	paho.Client
	mu    sync.Mutex
	kept  map[string]string // the newest payload of each topic
	heard []string          // "topic payload" of every message, in order
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

func (w *watcher) get(topic string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.kept[topic]
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
