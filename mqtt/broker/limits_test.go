package broker

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
	mochi "github.com/mochi-mqtt/server/v2"

	"tableside/device"
	"tableside/engine"
	"tableside/mqtt"
)

// A logBuffer records a broker's log.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) count(what string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Count(b.text.String(), what)
}

func limitedBroker(t *testing.T) (*Broker, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	return startBroker(t, Config{Addr: "127.0.0.1:0", Log: device.LimitLog(slog.New(slog.NewTextHandler(log, nil)))}), log
}

func (b *Broker) retained() (messages, size int) {
	for topic, pk := range b.server.Topics.Retained.GetAll() {
		if !strings.HasPrefix(topic, "$SYS/") {
			messages++
			size += len(topic) + len(pk.Payload)
		}
	}
	return messages, size
}

func (b *Broker) has(topic string) bool {
	_, kept := b.server.Topics.Retained.Get(topic)
	return kept
}

// TestBrokerJunk checks that after ninety megabytes of junk the broker has
// retained only as much as its limit allows, and that there is room for the
// table's topics.
func TestBrokerJunk(t *testing.T) {
	t.Parallel()
	b, log := limitedBroker(t)
	w := watch(t, b.Addr())
	w.send(t, "junk/0", "old", true)
	junk := strings.Repeat("x", 900<<10)
	for i := range 100 {
		w.send(t, fmt.Sprint("junk/", 99-i), junk, true)
	}
	if n, size := b.retained(); size > maxRetainedBytes || n < 5 {
		t.Errorf("%d messages of %d bytes are kept", n, size)
	}
	if b.has("junk/0") {
		t.Error("a topic keeps an old message after a newer one was not retained")
	}
	if n := log.count("too many retained messages"); n != 1 {
		t.Errorf("got %d log lines, want 1", n)
	}
	table := startTable(t, mqtt.Config{Brokers: []string{b.Addr()}})
	table.Show(t.Context(), engine.Frame{View: engine.EmptyView()})
	late := watch(t, b.Addr())
	until(t, "the table's topics", func() bool {
		return late.get("tableside/demo/state") != "" && late.get("tableside/demo/summary") != ""
	})

	w.send(t, "junk/99", "", true)
	w.send(t, "junk/0", "new", true)
	if !b.has("junk/0") {
		t.Error("cleared topics do not free their room")
	}
}

// TestBrokerTopics checks the limits with many small topics and with last wills.
func TestBrokerTopics(t *testing.T) {
	b, _ := limitedBroker(t)
	w := watch(t, b.Addr())
	var last paho.Token
	for i := range maxRetained + 100 {
		last = w.Publish(fmt.Sprint("junk/", i), 1, true, "x")
	}
	if !last.WaitTimeout(patience) {
		t.Fatal("not acknowledged")
	}
	dying, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession, hello.ClientIdentifier = "MQTT", 4, true, "dying"
	hello.WillFlag, hello.WillRetain, hello.WillTopic, hello.WillMessage = true, true, "homeassistant/x", []byte("x")
	if err := hello.Write(dying); err != nil {
		t.Fatal(err)
	}
	if _, err := packets.ReadPacket(dying); err != nil {
		t.Fatal(err)
	}
	dying.Close()
	until(t, "the last will", func() bool { return w.get("homeassistant/x") == "x" })
	if !b.has("homeassistant/x") {
		t.Error("there is no room in the table's share")
	}
	if n, _ := b.retained(); n != maxRetained+1 {
		t.Errorf("%d messages are kept", n)
	}
}

// Connections beyond the limit are closed; one that ends makes room for another.
func TestBrokerConnections(t *testing.T) {
	t.Parallel()
	b, log := limitedBroker(t)
	table := startTable(t, mqtt.Config{Brokers: []string{b.Addr()}})
	until(t, "a connection", func() bool { return table.last().Health == engine.OK })
	var conns []net.Conn
	defer func() {
		for _, conn := range conns {
			conn.Close()
		}
	}()
	for range maxConnections + 10 {
		conn, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	until(t, "the log line", func() bool { return log.count("too many connections") == 1 })
	if table.last().Health != engine.OK {
		t.Error("the table was disconnected")
	}
	for _, conn := range conns {
		conn.Close()
	}
	conns = nil
	until(t, "room again", func() bool {
		o := paho.NewClientOptions().AddBroker("tcp://" +
			b.Addr()).SetClientID("late").SetProtocolVersion(4).SetAutoReconnect(false)
		late := paho.NewClient(o)
		token := late.Connect()
		defer late.Disconnect(0)
		return token.WaitTimeout(patience) && token.Error() == nil
	})
}

// A failingListener is a listener whose next attempts to accept a connection fail.
type failingListener struct {
	net.Listener
	fails    []int // how many attempts fail before each connection
	attempts [][]time.Time
	closed   bool
}

func (l *failingListener) Accept() (net.Conn, error) {
	n := len(l.attempts) - 1
	l.attempts[n] = append(l.attempts[n], time.Now())
	switch {
	case l.closed:
		return nil, net.ErrClosed
	case l.fails[n] == 0:
		l.attempts = append(l.attempts, nil)
		conn, _ := net.Pipe()
		return conn, nil
	}
	l.fails[n]--
	return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
}

func (l *failingListener) Close() error {
	l.closed = true
	return nil
}

// TestBrokerAcceptsAgain checks that the broker goes on accepting connections after attempts
// that failed, after waits of at most a second, and that closing it ends a wait.
func TestBrokerAcceptsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &logBuffer{}
		failing := &failingListener{fails: []int{10, 10, 1000}, attempts: [][]time.Time{nil}}
		l := newListener(failing, newLimits(mochi.New(nil), device.LimitLog(slog.New(slog.NewTextHandler(log, nil)))))
		accepted, served := 0, make(chan struct{})
		go func() {
			defer close(served)
			l.Serve(func(string, net.Conn) error { accepted++; return nil })
		}()
		time.Sleep(10*time.Second + time.Millisecond)
		synctest.Wait()
		if accepted != 2 {
			t.Fatalf("%d connections are accepted, want 2", accepted)
		}
		for _, attempts := range failing.attempts[:2] { // the waits begin anew after a connection
			var waits []time.Duration
			for i, at := range attempts[1:] {
				waits = append(waits, at.Sub(attempts[i])/time.Millisecond)
			}
			if want := []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000}; !slices.Equal(waits, want) {
				t.Errorf("waits of %d ms, want %d", waits, want)
			}
		}
		if n := log.count("cannot accept connections"); n != 1 || log.count("too many open files") != 1 {
			t.Errorf("got %d log lines, want 1:\n%s", n, log.text.String())
		}
		began := time.Now()
		l.Close(func(string) {})
		<-served
		if took := time.Since(began); took != 0 {
			t.Errorf("it ends %v after it was closed, want at once", took)
		}
	})
}

// TestBrokerSessions checks that abandoned sessions are dropped when there are many.
func TestBrokerSessions(t *testing.T) {
	t.Parallel()
	b, log := limitedBroker(t)
	for i := range maxSessions + 10 {
		o := paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID(fmt.Sprint("away-", i)).SetProtocolVersion(4).
			SetAutoReconnect(false).SetCleanSession(false)
		client := paho.NewClient(o)
		for _, step := range []func() paho.Token{client.Connect, func() paho.Token { return client.Subscribe("#", 1, nil) }} {
			if token := step(); !token.WaitTimeout(patience) || token.Error() != nil {
				t.Fatal(i, token.Error())
			}
		}
		client.Disconnect(10)
	}
	if n := b.server.Clients.Len(); n > maxSessions || log.count("too many sessions") != 1 {
		t.Errorf("%d sessions; the log:\n%s", n, log.text.String())
	}
}

// TestBrokerTooLarge checks that a message that is too large ends its
// connection, with a line in the log.
func TestBrokerTooLarge(t *testing.T) {
	b, log := limitedBroker(t)
	w := watch(t, b.Addr())
	w.Publish("junk", 1, false, make([]byte, maxPacket+1))
	until(t, "the log line", func() bool { return log.count("message too large") == 1 })
}

// TestBrokerWaiting checks that messages queued for clients that are away or do
// not acknowledge are limited, and that other clients get everything.
func TestBrokerWaiting(t *testing.T) {
	t.Parallel()
	for _, away := range []bool{true, false} {
		b, log := limitedBroker(t)
		w := watch(t, b.Addr())
		idle, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer idle.Close()
		hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
		hello.ProtocolName, hello.ProtocolVersion, hello.ClientIdentifier = "MQTT", 4, "idle"
		subscribe := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
		subscribe.MessageID, subscribe.Topics, subscribe.Qoss = 1, []string{"tableside/junk"}, []byte{1}
		if err := errors.Join(hello.Write(idle), subscribe.Write(idle)); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the broker's answers
			if _, err := packets.ReadPacket(idle); err != nil {
				t.Fatal(err)
			}
		}
		if away {
			idle.Close()
			until(t, "the client is away", func() bool { cl, _ := b.server.Clients.Get("idle"); return cl.Closed() })
		} else {
			go io.Copy(io.Discard, idle) // and never acknowledges
		}
		const n = 60
		for range n {
			w.send(t, "tableside/junk", strings.Repeat("x", 900_000), false)
		}
		waiting := 0
		for _, cl := range b.server.Clients.GetAll() {
			for _, pk := range cl.State.Inflight.GetAll(false) {
				waiting += len(pk.Payload)
			}
		}
		if waiting > maxWaiting+countEvery || log.count("too much waits") != 1 {
			t.Errorf("away %v: %d bytes wait; the log:\n%s", away, waiting, log.text.String())
		}
		until(t, "the others get everything", func() bool { return w.count("tableside/junk ") == n })
	}
}
