package mqtt

import (
	"net"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/mochi-mqtt/server/v2/packets"

	"tableside/engine"
)

func TestBrokerLoopbackOnly(t *testing.T) {
	for _, addr := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		if b, err := Listen(BrokerConfig{Addr: addr}); err == nil ||
			!strings.Contains(err.Error(), "set a user and a password") {
			if b != nil {
				b.Close()
			}
			t.Errorf("%s without credentials: %v", addr, err)
		}
	}
	b, err := Listen(BrokerConfig{Addr: "0.0.0.0:0", User: "u", Password: "p"})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	for _, cfg := range []BrokerConfig{{Addr: "127.0.0.1:0", User: "u"}, {Addr: "127.0.0.1:0", Password: "p"},
		{Addr: "no such host:0"}, {Addr: "127.0.0.1:-1"}} {
		if _, err := Listen(cfg); err == nil {
			t.Errorf("%+v is accepted, want an error", cfg)
		}
	}
}

func TestBrokerCredentials(t *testing.T) {
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0", User: "table", Password: "right"})
	wrong := startClient(t, Config{Brokers: []string{b.Addr()}, User: "table", Password: "wrong", Table: "wrong"})
	until(t, "failed with a hint", func() bool {
		p := wrong.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "Check mqtt.user and mqtt.password")
	})
	right := startClient(t, Config{Brokers: []string{b.Addr()}, User: "table", Password: "right"})
	right.waitOK(t)
	w := watch(t, b.Addr(), func(o *paho.ClientOptions) { o.SetUsername("table").SetPassword("right") })
	until(t, "online", func() bool { return w.get("tableside/demo/status") == online })
}

// TestBrokerRetains checks that retained messages outlast mochi's default of a
// day. It waits until a message with its own expiry is gone, which shows that
// the broker has checked.
func TestBrokerRetains(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
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
	b, err := Listen(BrokerConfig{Addr: "127.0.0.1:0"})
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
