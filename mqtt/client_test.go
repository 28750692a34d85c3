package mqtt

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"

	"tableside/engine"
)

// patience bounds every wait of these tests; nothing sleeps so long.
const patience = 20 * time.Second

// poll waits for a condition, and says whether it came.
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

func startBroker(t testing.TB, cfg BrokerConfig) *Broker {
	t.Helper()
	b, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// A healthLog keeps what a client reports of itself.
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

// A running client, and a way to end it.
type running struct {
	*Client
	health *healthLog
	stop   func()
}

func startClient(t testing.TB, cfg Config) running {
	t.Helper()
	health := &healthLog{}
	cfg.Health = health.report
	if cfg.Table == "" {
		cfg.Table = "demo"
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		c.Run(ctx)
		close(ended)
	}()
	stop := sync.OnceFunc(func() {
		cancel()
		<-ended
	})
	t.Cleanup(stop)
	return running{c, health, stop}
}

func (r running) waitOK(t testing.TB) {
	t.Helper()
	until(t, "a connection", func() bool { return r.health.last().Health == engine.OK })
}

// A watcher is another client of the same broker: it sees what everybody can.
type watcher struct {
	paho.Client
	mu       sync.Mutex
	kept     map[string]string // what a newcomer would find
	heard    []string          // "topic payload" of everything, in order
	retained int               // how many came from the broker's memory
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

// expected is what stands on the topics for a frame.
func expected(f engine.Frame) map[string]string {
	want := map[string]string{}
	for m := range Messages(f) {
		if m.Retain {
			want[m.Topic] = string(m.Payload)
		}
	}
	m := Discovery(f, "", nil)
	want[m.Topic] = string(m.Payload)
	return want
}

// has polls until the broker retains exactly what the frame says.
func (w *watcher) has(t testing.TB, f engine.Frame) {
	t.Helper()
	want := expected(f)
	if !poll(func() bool { return maps.Equal(w.retainedState(), want) }) {
		t.Fatalf("retained:\n%v\nwant:\n%v", w.retainedState(), want)
	}
}

// retainedState is what the watcher knows without momentary messages.
func (w *watcher) retainedState() map[string]string {
	state := w.all()
	for topic := range state {
		if strings.Contains(topic, "/event/") || strings.Contains(topic, "/input") || strings.Contains(topic, "/match") || topic == haBirth {
			delete(state, topic)
		}
	}
	return state
}

func TestShow(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Broker: b.Addr()})
	c.waitOK(t)
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	until(t, "the event", func() bool { return w.count("tableside/demo/event/moved ") == 1 })

	next := testFrame(t, engine.English, 8)
	c.Show(context.Background(), next)
	w.has(t, next)
	if n := w.count("tableside/demo/seat/red/life "); n != 1 {
		t.Errorf("an unchanged counter was published %d times", n)
	}

	late := watch(t, b.Addr())
	late.has(t, next)
	if late.count("tableside/demo/event/") != 0 {
		t.Error("an event was retained")
	}

	c.stop()
	until(t, "offline", func() bool { return w.get("tableside/demo/status") == offline })
}

// The order of one frame: state, event, counters; the announcement last.
func TestStateFirst(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Broker: b.Addr()})
	c.waitOK(t)
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	w.mu.Lock()
	defer w.mu.Unlock()
	order := []string{"tableside/demo/status ", "tableside/demo/state ", "tableside/demo/event/", "tableside/demo/seat/red/score ", "homeassistant/device/"}
	at := 0
	for _, line := range w.heard {
		if at < len(order) && strings.HasPrefix(line, order[at]) {
			at++
		}
	}
	if at < len(order) {
		t.Errorf("%q is out of order in %q", order[at], w.heard)
	}
}

// Seats leave, a new match begins, and the program is started anew beside
// topics of long ago.
func TestClearing(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	w.send(t, "tableside/demo/seat/green/score", "5", true)
	w.send(t, "tableside/demo/track/old", "{}", true)
	w.send(t, "tableside/demo/health/gone", "failed", true)
	w.send(t, "homeassistant/device/tableside_demo/config", `{"cmps":{"seat_green_score":{"p":"sensor"}}}`, true)
	w.send(t, "tableside/other/seat/green/score", "5", true)

	c := startClient(t, Config{Broker: b.Addr()})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	until(t, "topics of another life cleared", func() bool {
		all := w.all()
		return all["tableside/demo/seat/green/score"] == "" && all["tableside/demo/track/old"] == "" && all["tableside/demo/health/gone"] == "" &&
			all["tableside/demo/seat/red/score"] == "7" && strings.Contains(all["homeassistant/device/tableside_demo/config"], `"seat_green_score":{"p":"sensor"}`)
	})
	if w.get("tableside/other/seat/green/score") != "5" {
		t.Error("another table's topic is gone")
	}

	f.View.Seats = f.View.Seats[:1]
	f.View.Tracks = nil
	c.Show(context.Background(), f)
	until(t, "blue cleared", func() bool {
		all := w.all()
		return all["tableside/demo/seat/blue/score"] == "" && all["tableside/demo/track/power"] == "" && all["tableside/demo/seat/red/score"] == "7"
	})
}

// A table that gets another name leaves nothing behind under the old one.
func TestRename(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Broker: b.Addr()})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	f.View.Table = "attic"
	c.Show(context.Background(), f)
	w.has(t, f)
	w.send(t, "tableside/attic/input", "red undo", false)
	until(t, "an answer under the new name", func() bool { return w.count("tableside/attic/input/result ") == 1 })
}

// Home Assistant starts: everything retained is published again.
func TestBirth(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Broker: b.Addr()})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	want := expected(f)
	before := map[string]int{}
	for topic := range want {
		before[topic] = w.count(topic + " ")
	}
	events := w.count("tableside/demo/event/")
	w.send(t, haBirth, online, false)
	until(t, "everything again", func() bool {
		for topic := range want {
			if w.count(topic+" ") != before[topic]+1 {
				return false
			}
		}
		return true
	})
	if n := w.count("tableside/demo/event/"); n != events {
		t.Errorf("%d events were repeated", n-events)
	}
}

// Somebody says that the table is offline, such as its own last will: the
// table denies it.
func TestDeniesOffline(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	startClient(t, Config{Broker: b.Addr()}).waitOK(t)
	w.send(t, "tableside/demo/status", offline, true)
	until(t, "online again", func() bool { return w.get("tableside/demo/status") == online })
	w.send(t, "tableside/demo/status", "", true)
	until(t, "online again", func() bool { return w.get("tableside/demo/status") == online })
}

// A table is what takes the inputs in these tests.
type table struct {
	mu     sync.Mutex
	inputs []string
	orders []engine.Order
}

func (tb *table) input(_ context.Context, in engine.Input) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.inputs = append(tb.inputs, in.Command())
	if in.Verb == engine.Redo {
		return engine.Receipt{Outcome: engine.Refused, Seq: len(tb.inputs), Text: engine.T("refusal.nothing-to-redo"), Spoken: "There is nothing to do again"}
	}
	return engine.Receipt{Outcome: engine.Accepted, Seq: len(tb.inputs)}
}

func (tb *table) order(_ context.Context, o engine.Order) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.orders = append(tb.orders, o)
	return engine.Receipt{Outcome: engine.Accepted}
}

func (tb *table) taken() int {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return len(tb.inputs)
}

// results are the answers heard on a topic.
func (w *watcher) results(t testing.TB, topic string) []Result {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Result
	for _, line := range w.heard {
		if payload, ok := strings.CutPrefix(line, topic+"/result "); ok {
			var r Result
			if err := json.Unmarshal([]byte(payload), &r); err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
	}
	return all
}

func TestInputs(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	tb := &table{}
	w.send(t, "tableside/demo/input", "red key yes", true) // a phantom press
	startClient(t, Config{Broker: b.Addr(), Input: tb.input, Order: tb.order}).waitOK(t)

	w.send(t, "tableside/demo/input", "red tap zombie.1", false)
	w.send(t, "tableside/demo/input", `{"input":"blue redo","id":"r"}`, false)
	w.send(t, "tableside/demo/match", `{"id":"m","do":"abandon"}`, false)
	until(t, "three answers", func() bool {
		return len(w.results(t, "tableside/demo/input")) == 2 && len(w.results(t, "tableside/demo/match")) == 1
	})
	got := w.results(t, "tableside/demo/input")
	if got[0].Outcome != engine.Accepted || got[0].Seq != 1 {
		t.Errorf("accepted: %+v", got[0])
	}
	if r := got[1]; r.ID != "r" || r.Outcome != engine.Refused || r.Reason.Key != "refusal.nothing-to-redo" || r.Text == "" {
		t.Errorf("refused: %+v", r)
	}
	if r := w.results(t, "tableside/demo/match")[0]; r.ID != "m" || r.Outcome != engine.Accepted {
		t.Errorf("order: %+v", r)
	}
	if tb.inputs[0] != "red tap zombie.1" || len(tb.inputs) != 2 || tb.orders[0].Do != "abandon" {
		t.Errorf("the match heard %q and %+v", tb.inputs, tb.orders)
	}
	late := watch(t, b.Addr())
	until(t, "what is retained", func() bool { return late.get("tableside/demo/status") == online })
	if late.count("tableside/demo/input/result") != 0 {
		t.Error("a result was retained")
	}
}

func TestHostileInputs(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	tb := &table{}
	c := startClient(t, Config{Broker: b.Addr(), Lang: engine.French, Input: tb.input, Order: tb.order})
	c.Show(context.Background(), testFrame(t, engine.French, 42))
	c.waitOK(t)
	all := append([]string{strings.Repeat("x", maxPacket/2), strings.Repeat("[", maxInput+1)}, hostile...)
	for _, payload := range all {
		w.send(t, "tableside/demo/input", payload, false)
	}
	until(t, "an answer to each", func() bool { return len(w.results(t, "tableside/demo/input")) == len(all) })
	for i, r := range w.results(t, "tableside/demo/input") {
		if r.Outcome != engine.Malformed || r.Seq != 42 || r.Text == "" || len(r.Text) > 1000 {
			t.Errorf("%.40q: %+v", all[i], r)
		}
	}
	if n := tb.taken(); n != 0 {
		t.Errorf("%d hostile inputs reached the match", n)
	}
	w.send(t, "tableside/demo/input", "red undo", false)
	until(t, "a good input after them", func() bool { return tb.taken() == 1 })
}

// A match that does not answer makes nobody wait: the table says that it is
// busy, and goes on showing.
func TestBusy(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Broker: b.Addr(), Input: func(ctx context.Context, _ engine.Input) engine.Receipt {
		<-ctx.Done()
		return engine.Receipt{}
	}})
	c.waitOK(t)
	for range maxCommands + 10 {
		w.Publish("tableside/demo/input", 1, false, "red undo")
	}
	until(t, "busy", func() bool {
		all := w.results(t, "tableside/demo/input")
		return len(all) > 0 && all[0].Outcome == engine.Failed && strings.Contains(all[0].Text, "Too many")
	})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
}

// The newest frame wins, and a burst costs no memory and no order.
func TestBurst(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Broker: b.Addr()})
	c.waitOK(t)
	var f engine.Frame
	for score := range 2000 {
		f = testFrame(t, engine.English, score)
		c.Show(context.Background(), f)
	}
	w.has(t, f)
	last := -1
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.heard {
		if payload, ok := strings.CutPrefix(line, "tableside/demo/seat/red/score "); ok {
			var score int
			fmt.Sscan(payload, &score)
			if score <= last {
				t.Fatalf("score %d after %d", score, last)
			}
			last = score
		}
	}
}

// A broker that comes late, goes and comes back: frames in between are not
// sent afterwards, and their events neither.
func TestColdStartAndReturn(t *testing.T) {
	b, err := Listen(BrokerConfig{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	addr := b.Addr()
	b.Close()
	c := startClient(t, Config{Broker: addr})
	until(t, "degraded with a reason", func() bool {
		p := c.health.last()
		return p.Health == engine.Degraded && strings.Contains(p.Reason, "refused") && p.Name == PartName
	})
	for score := range 50 {
		c.Show(context.Background(), testFrame(t, engine.English, score))
	}
	b = startBroker(t, BrokerConfig{Addr: addr})
	w := watch(t, addr)
	f := testFrame(t, engine.English, 49)
	w.has(t, f)
	if n := w.count("tableside/demo/state "); n > 1 {
		t.Errorf("%d states after a cold start", n)
	}
	b.Close()
	until(t, "degraded again", func() bool { return c.health.last().Health == engine.Degraded })
	startBroker(t, BrokerConfig{Addr: addr})
	c.waitOK(t)
	w = watch(t, addr)
	w.has(t, f)
	if w.count("tableside/demo/event/") != 0 {
		t.Error("an event came late")
	}
}

// A broker that takes the connection and stays mute.
func TestMuteBroker(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var held []net.Conn
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			held = append(held, conn)
		}
	}()
	c := startClient(t, Config{Broker: l.Addr().String()})
	c.Show(context.Background(), testFrame(t, engine.English, 1))
	until(t, "degraded: mute", func() bool {
		return c.health.last().Health == engine.Degraded && strings.Contains(c.health.last().Reason, "does not answer as an MQTT broker")
	})
	c.stop() // in the midst of the next handshake
	l.Close()
	<-accepted
	for _, conn := range held {
		conn.Close()
	}
}

func TestWrongConfig(t *testing.T) {
	for _, cfg := range []Config{
		{}, {Broker: "http://localhost"}, {Broker: "tcp://"}, {Broker: "tcp://u:secret@localhost"}, {Broker: "tcp://%zz"},
		{Broker: "tcp://localhost", CAFile: "/etc/hostname"}, {Broker: "ssl://localhost", CAFile: "/does/not/exist"}, {Broker: "ssl://localhost", CAFile: "/etc/hostname"},
	} {
		_, err := New(cfg)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	for broker, want := range map[string]string{
		"localhost": "tcp://localhost:1883", "h:1": "tcp://h:1", "mqtt://h": "tcp://h:1883", "mqtts://h": "ssl://h:8883", "tls://[::1]": "ssl://[::1]:8883",
	} {
		if u, err := parseBroker(broker); err != nil || u.String() != want {
			t.Errorf("%s: %v %v, want %s", broker, u, err, want)
		}
	}
}

// A deaf gate lets nobody listen to inputs.
type deafGate struct{ gate }

func (g *deafGate) OnACLCheck(_ *broker.Client, topic string, write bool) bool {
	return write || !strings.HasSuffix(topic, "/input")
}

// A user without the right to listen is told so.
func TestDeaf(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := broker.New(&broker.Options{Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { server.Close() })
	for _, err := range []error{server.AddHook(&deafGate{}, nil), server.AddListener(listeners.NewNet("tcp", l)), server.Serve()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := startClient(t, Config{Broker: l.Addr().String()})
	until(t, "failed: deaf", func() bool {
		p := c.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "listen on tableside/demo/input")
	})
}
