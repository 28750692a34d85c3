package mqtt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"tableside/engine"
	"tableside/mqtt/broker"
	"tableside/mqtt/homeassistant"
)

func TestShow(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
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

// TestStateFirst checks the order in which a frame is published: state, events,
// counters, and the announcement last.
func TestStateFirst(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
	c.waitOK(t)
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	w.mu.Lock()
	defer w.mu.Unlock()
	order := []string{"tableside/demo/status ", "tableside/demo/state ", "tableside/demo/event/",
		"tableside/demo/seat/red/score ", "homeassistant/device/"}
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

// TestClearing checks that old topics are cleared when seats leave, when a new
// match begins, and when the program starts and finds topics of an earlier run.
func TestClearing(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	w.send(t, "tableside/demo/seat/green/score", "5", true)
	w.send(t, "tableside/demo/track/old", "{}", true)
	w.send(t, "tableside/demo/health/gone", "failed", true)
	w.send(t, "homeassistant/device/tableside_demo/config", `{"cmps":{"seat_green_score":{"p":"sensor"}}}`, true)
	w.send(t, "tableside/other/seat/green/score", "5", true)

	c := startClient(t, Config{Brokers: []string{b.Addr()}})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	until(t, "topics of an earlier run cleared", func() bool {
		all := w.all()
		return all["tableside/demo/seat/green/score"] == "" && all["tableside/demo/track/old"] == "" &&
			all["tableside/demo/health/gone"] == "" &&
			all["tableside/demo/seat/red/score"] == "7" &&
			strings.Contains(all["homeassistant/device/tableside_demo/config"], `"seat_green_score":{"p":"sensor"}`)
	})
	if w.get("tableside/other/seat/green/score") != "5" {
		t.Error("another table's topic is gone")
	}

	f.View.Seats = f.View.Seats[:1]
	f.View.Tracks = nil
	c.Show(context.Background(), f)
	until(t, "blue cleared", func() bool {
		all := w.all()
		return all["tableside/demo/seat/blue/score"] == "" && all["tableside/demo/track/power"] == "" &&
			all["tableside/demo/seat/red/score"] == "7"
	})
}

// TestRename checks that a renamed table leaves nothing behind under its old name.
func TestRename(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	f.View.Table = "attic"
	c.Show(context.Background(), f)
	w.has(t, f)
	w.send(t, "tableside/attic/input", "red undo", false)
	until(t, "an answer under the new name", func() bool { return w.count("tableside/attic/input/result ") == 1 })
}

// TestBirth checks that everything retained is published again when Home
// Assistant starts.
func TestBirth(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	want := expected(f)
	before := map[string]int{}
	for topic := range want {
		before[topic] = w.count(topic + " ")
	}
	events := w.count("tableside/demo/event/")
	w.send(t, homeassistant.DefaultDiscovery+"/status", online, false)
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

// TestDeniesOffline checks that the table publishes that it is online when
// another client, or its own last will, publishes that it is offline.
func TestDeniesOffline(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	startClient(t, Config{Brokers: []string{b.Addr()}}).waitOK(t)
	w.send(t, "tableside/demo/status", offline, true)
	until(t, "online again", func() bool { return w.get("tableside/demo/status") == online })
	w.send(t, "tableside/demo/status", "", true)
	until(t, "online again", func() bool { return w.get("tableside/demo/status") == online })
}

// TestBurst checks that in a burst only the newest frames are published, in
// order, and that memory stays limited.
func TestBurst(t *testing.T) {
	t.Parallel()
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
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

// lines takes the lines of a log, as long as there is room.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}
	return len(line), nil
}

// TestColdStartAndReturn lets the broker start late, go away and come back.
// Frames in between and their events are not sent afterwards.
func TestColdStartAndReturn(t *testing.T) {
	t.Parallel()
	addr := freeAddress()
	logged := make(lines, 100)
	c := startClient(t, Config{Brokers: []string{addr}, Lang: engine.French,
		Log: slog.New(slog.NewTextHandler(logged, nil))})
	until(t, "degraded with a reason", func() bool {
		p := c.health.last()
		return p.Health == engine.Degraded && strings.Contains(p.Reason, "refused") && p.Name == PartName
	})
	until(t, "the same in the log, in English", func() bool {
		select {
		case line := <-logged:
			return strings.Contains(line, "cannot be reached: connect: connection refused. Check")
		default:
			return false
		}
	})
	for score := range 50 {
		c.Show(context.Background(), testFrame(t, engine.English, score))
	}
	b := startBroker(t, broker.Config{Addr: addr})
	w := watch(t, addr)
	f := testFrame(t, engine.English, 49)
	w.has(t, f)
	if n := w.count("tableside/demo/state "); n > 1 {
		t.Errorf("%d states after a cold start", n)
	}
	b.Close()
	until(t, "degraded again", func() bool { return c.health.last().Health == engine.Degraded })
	startBroker(t, broker.Config{Addr: addr})
	c.waitOK(t)
	w = watch(t, addr)
	w.has(t, f)
	if w.count("tableside/demo/event/") != 0 {
		t.Error("an event came late")
	}
}

// TestMuteBroker connects to a broker that accepts the connection and never answers.
func TestMuteBroker(t *testing.T) {
	t.Parallel()
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
	c := newClient(t, Config{Brokers: []string{l.Addr().String()}})
	c.delays.dial = 500 * time.Millisecond
	c.run(t)
	c.Show(context.Background(), testFrame(t, engine.English, 1))
	until(t, "degraded: mute", func() bool {
		return c.health.last().Health == engine.Degraded &&
			strings.Contains(c.health.last().Reason, "does not answer as an MQTT broker")
	})
	c.stop() // during the next handshake
	l.Close()
	<-accepted
	for _, conn := range held {
		conn.Close()
	}
}

func TestWrongConfig(t *testing.T) {
	for _, cfg := range []Config{
		{}, {Brokers: []string{"http://localhost"}}, {Brokers: []string{"tcp://"}},
		{Brokers: []string{"tcp://u:secret@localhost"}}, {Brokers: []string{"tcp://%zz"}},
		{Brokers: []string{"localhost", "tcp://u:secret@localhost"}}, {Brokers: []string{"localhost", ""}},
		{Brokers: []string{"tcp://localhost"}, CAFile: "/etc/hostname"},
		{Brokers: []string{"ssl://localhost"}, CAFile: "/does/not/exist"},
		{Brokers: []string{"ssl://localhost"}, CAFile: "/etc/hostname"},
	} {
		_, err := New(cfg)
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	for broker, want := range map[string]string{
		"localhost": "tcp://localhost:1883", "h:1": "tcp://h:1", "mqtt://h": "tcp://h:1883", "mqtts://h": "ssl://h:8883",
		"tls://[::1]": "ssl://[::1]:8883",
	} {
		if u, err := parseBroker(broker); err != nil || u.String() != want {
			t.Errorf("%s: %v %v, want %s", broker, u, err, want)
		}
	}
}

// A gate lets everybody in.
type gate struct{ mochi.HookBase }

func (*gate) Provides(b byte) bool                                     { return b == mochi.OnConnectAuthenticate || b == mochi.OnACLCheck }
func (*gate) OnConnectAuthenticate(*mochi.Client, packets.Packet) bool { return true }

// A deafGate lets nobody subscribe to inputs.
type deafGate struct{ gate }

func (g *deafGate) OnACLCheck(_ *mochi.Client, topic string, write bool) bool {
	return write || !strings.HasSuffix(topic, "/input")
}

// A countedListener knows when all connections are closed. The broker's own count of them must not
// begin while it closes, and a connection that comes then begins it.
type countedListener struct {
	net.Listener
	open sync.WaitGroup
}

func (l *countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.open.Add(1)
	return &countedConn{Conn: c, closed: sync.OnceFunc(l.open.Done)}, nil
}

type countedConn struct {
	net.Conn
	closed func()
}

func (c *countedConn) Close() error {
	defer c.closed()
	return c.Conn.Close()
}

// gatedBroker starts a broker with a gate, and returns its address. It closes when its clients have.
func gatedBroker(t *testing.T, gate mochi.Hook) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &countedListener{Listener: listener}
	server := mochi.New(&mochi.Options{Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		_ = l.Close()
		l.open.Wait()
		server.Close()
	})
	for _, err := range []error{
		server.AddHook(gate, nil), server.AddListener(listeners.NewNet("tcp", l)), server.Serve(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return l.Addr().String()
}

// TestDeaf checks that a user who may not subscribe gets an error that says so.
func TestDeaf(t *testing.T) {
	c := startClient(t, Config{Brokers: []string{gatedBroker(t, &deafGate{})}})
	until(t, "failed: deaf", func() bool {
		p := c.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "listen on tableside/demo/input")
	})
}

// A strictGate disconnects every client that publishes, as some brokers do.
type strictGate struct{ gate }

func (g *strictGate) OnACLCheck(_ *mochi.Client, _ string, write bool) bool { return !write }

// TestHungUp checks that the client recognizes a broker that disconnects users
// who may not publish.
func TestHungUp(t *testing.T) {
	t.Parallel()
	address := gatedBroker(t, &strictGate{})
	c := startClient(t, Config{Brokers: []string{address}})
	until(t, "failed: shut out", func() bool {
		p := c.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "without a user write to tableside/demo/status")
	})
	var p *Problem
	if err := Check(t.Context(), Config{Brokers: []string{address}, Table: "demo"}); !errors.As(err, &p) ||
		!strings.Contains(p.Text, "write to tableside/demo/doctor") {
		t.Errorf("doctor: %v", err)
	}
}
