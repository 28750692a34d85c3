package mqtt

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

	"tableside/engine"
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
	return startBroker(t, BrokerConfig{Addr: "127.0.0.1:0", Log: slog.New(slog.NewTextHandler(log, nil))}), log
}

// retained returns the number of retained messages, and their size with topics.
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
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
	f := testFrame(t, engine.English, 7)
	c.Show(t.Context(), f)
	late := watch(t, b.Addr())
	late.has(t, f)

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
	c := startClient(t, Config{Brokers: []string{b.Addr()}})
	c.waitOK(t)
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
	if c.health.last().Health != engine.OK {
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
	fail     int
	attempts []time.Time
	closed   bool
}

func (l *failingListener) Accept() (net.Conn, error) {
	l.attempts = append(l.attempts, time.Now())
	switch {
	case l.closed:
		return nil, net.ErrClosed
	case l.fail == 0:
		conn, _ := net.Pipe()
		return conn, nil
	}
	l.fail--
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
		l := &failingListener{}
		b := bound(l, newLimits(nil, slog.New(slog.NewTextHandler(log, nil))))
		for range 2 { // the waits begin anew after a connection
			l.fail, l.attempts = 10, nil
			conn, err := b.Accept()
			if err != nil {
				t.Fatal(err)
			}
			conn.Close()
			var waits []time.Duration
			for i, at := range l.attempts[1:] {
				waits = append(waits, at.Sub(l.attempts[i])/time.Millisecond)
			}
			if want := []time.Duration{5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000}; !slices.Equal(waits, want) {
				t.Errorf("waits of %d ms, want %d", waits, want)
			}
		}
		if n := log.count("cannot accept connections"); n != 1 || log.count("too many open files") != 1 {
			t.Errorf("got %d log lines, want 1:\n%s", n, log.text.String())
		}
		l.fail = 1000
		accepted := make(chan error)
		go func() {
			_, err := b.Accept()
			accepted <- err
		}()
		time.Sleep(3*time.Second + time.Millisecond)
		synctest.Wait()
		began := time.Now()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if err := <-accepted; !errors.Is(err, net.ErrClosed) || time.Since(began) != 0 {
			t.Errorf("closed: got %v after %v, want %v at once", err, time.Since(began), net.ErrClosed)
		}
		if _, err := b.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("after the close: got %v, want %v", err, net.ErrClosed)
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
