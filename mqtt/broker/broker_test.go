package broker

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"

	"tableside/engine"
	"tableside/mqtt"
)

func TestBrokerLoopbackOnly(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		if b, err := Listen(Config{Addr: addr}); err == nil ||
			!strings.Contains(err.Error(), "set a user and a password") {
			if b != nil {
				b.Close()
			}
			t.Errorf("%s without credentials: %v", addr, err)
		}
	}
	b, err := Listen(Config{Addr: "0.0.0.0:0", User: "u", Password: "p"})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	for _, cfg := range []Config{{Addr: "127.0.0.1:0", User: "u"}, {Addr: "127.0.0.1:0", Password: "p"},
		{Addr: "no such host:0"}, {Addr: "127.0.0.1:-1"}} {
		if _, err := Listen(cfg); err == nil {
			t.Errorf("%+v is accepted, want an error", cfg)
		}
	}
}

type failingHook struct{ mochi.HookBase }

func (failingHook) Init(any) error { return errors.New("no hook") }

// TestServeNothing checks that nothing is served without the hook that asks for the password, or
// without a listener.
func TestServeNothing(t *testing.T) {
	for _, failing := range []bool{true, false} { // the hook, or the listener
		server := mochi.New(&mochi.Options{Logger: slog.New(slog.DiscardHandler)})
		l, hook := listeners.NewMockListener("t", ""), mochi.Hook(&mochi.HookBase{})
		if l.ErrListen = !failing; failing {
			hook = &failingHook{}
		}
		err := serve(server, hook, l)
		if serves := server.Info.Threads > 0; err == nil || serves { // counted when it begins
			t.Errorf("the error is %v, serves: %t", err, serves)
		}
	}
}

func TestBrokerCredentials(t *testing.T) {
	b := startBroker(t, Config{Addr: "127.0.0.1:0", User: "table", Password: "right"})
	wrong := startTable(t, mqtt.Config{Brokers: []string{b.Addr()}, User: "table", Password: "wrong"})
	until(t, "failed with a hint", func() bool {
		p := wrong.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "Check mqtt.user and mqtt.password")
	})
	right := startTable(t, mqtt.Config{Brokers: []string{b.Addr()}, User: "table", Password: "right"})
	until(t, "a connection", func() bool { return right.last().Health == engine.OK })
	w := watch(t, b.Addr(), func(o *paho.ClientOptions) { o.SetUsername("table").SetPassword("right") })
	until(t, "online", func() bool { return w.get("tableside/demo/status") == "online" })
}

// TestBrokerRetains checks that retained messages outlast mochi's default of a
// day. It waits until a message with its own expiry is gone, which shows that
// the broker has checked.
func TestBrokerRetains(t *testing.T) {
	t.Parallel()
	b := startBroker(t, Config{Addr: "127.0.0.1:0"})
	year := time.Now().Add(-365 * 24 * time.Hour).Unix()
	for _, topic := range []string{"old", "expired"} {
		pk := packets.Packet{TopicName: topic, Payload: []byte("x"), Created: year, ProtocolVersion: 5}
		pk.FixedHeader.Retain = true
		if topic == "expired" {
			pk.Expiry = year + 1
		}
		b.server.Topics.RetainMessage(pk)
	}
	until(t, "the broker to drop expired messages", func() bool {
		_, there := b.server.Topics.Retained.Get("expired")
		return !there
	})
	if _, there := b.server.Topics.Retained.Get("old"); !there {
		t.Error("a retained message vanished after a year")
	}
}

// A connection that sends CONNECT while the broker closes does not keep it: the program would
// not end.
func TestBrokerCloses(t *testing.T) {
	b, err := Listen(Config{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	late, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	watch(t, b.Addr()) // was accepted after it
	closed := make(chan error, 1)
	go func() { closed <- b.Close() }()
	until(t, "no more connections", func() bool {
		conn, err := net.Dial("tcp", b.Addr())
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	hello := []byte("\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04late") // MQTT 3.1.1, section 3.1; no keep-alive
	_, _ = late.Write(hello)
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(helloTimeout / 2):
		t.Error("the broker waits for a client that came late")
		late.Close()
		<-closed
	}
}

// A client of MQTT 3.1.1 gets no DISCONNECT when the broker closes, or another client takes its
// name: section 3.14 has it from clients only, and mosquitto_sub gives up when one comes.
func TestBrokerSaysNoDisconnect(t *testing.T) {
	b := startBroker(t, Config{Addr: "127.0.0.1:0"})
	hello := []byte("\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04same")
	var conns []net.Conn
	for range 2 {
		conn, err := net.Dial("tcp", b.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(patience))
		if _, err := conn.Write(hello); err != nil {
			t.Fatal(err)
		}
		connack := make([]byte, 4)
		if _, err := io.ReadFull(conn, connack); err != nil || connack[0] != 0x20 {
			t.Fatalf("% x, %v", connack, err)
		}
		conns = append(conns, conn)
	}
	b.Close()
	for i, conn := range conns {
		if rest, err := io.ReadAll(conn); len(rest) > 0 || err != nil {
			t.Errorf("client %d got % x, %v", i, rest, err)
		}
	}
}

// TestBrokerClosesWhileClientsLeave tests that clients that leave at the same time do not keep the
// broker from closing.
func TestBrokerClosesWhileClientsLeave(t *testing.T) {
	for range 30 {
		b := startBroker(t, Config{Addr: "127.0.0.1:0"})
		var leaving sync.WaitGroup
		closed := make(chan bool)
		leaving.Go(func() {
			for {
				select {
				case <-closed:
					return
				default:
					b.server.Clients.Delete("somebody")
				}
			}
		})
		done := make(chan error, 1)
		go func() { done <- b.Close() }()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the broker does not close")
		}
		close(closed)
		leaving.Wait()
	}
}
