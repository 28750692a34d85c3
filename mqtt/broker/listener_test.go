package broker

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// hello is a CONNECT of MQTT 5 with a will: "gone" on "will", retained, and a session that
// outlives the connection.
const hello = "\x10\x20\x00\x04MQTT\x05\x24\x00\x1e\x05\x11\x00\x00\x00\x3c\x00\x01x\x00\x00\x04will\x00\x04gone"

// TestBrokerContains sends packets on which mochi 2.7.9 panics.
func TestBrokerContains(t *testing.T) {
	t.Parallel()
	b, log := limitedBroker(t)
	for range 3 {
		conn := dialBroker(t, b, hello+"\x82\x06\x00\x01\x00\x00\x01a") // SUBSCRIBE without options
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Error("the connection does not end:", err)
		}
	}
	until(t, "the log line", func() bool { return log.count(`reason="runtime error`) == 1 })
	until(t, "the end of the last session, after that of its connection", func() bool {
		_, there := b.server.Clients.Get("x")
		return !there
	})
	w := watch(t, b.Addr())
	w.send(t, "tableside/a", "retained", true)
	until(t, "a turn", func() bool { return b.has("tableside/a") })
}

// TestBrokerOutsized sends packets that take far more memory or time in mochi than on the wire.
func TestBrokerOutsized(t *testing.T) {
	t.Parallel()
	b, log := limitedBroker(t)
	w := watch(t, b.Addr())
	deep := strings.Repeat("/", maxLevels)
	w.send(t, "a"+deep, "x", true)
	w.send(t, "a"+deep[1:], "x", true)
	if b.has("a"+deep) || !b.has("a"+deep[1:]) {
		t.Error("retained: a topic that is too deep, or not the one below it")
	}
	token := w.Subscribe("b"+deep, 1, nil).(*paho.SubscribeToken)
	if token.WaitTimeout(patience); token.Result()["b"+deep] != 0x80 {
		t.Error("a filter that is too deep is answered with", token.Result())
	}
	will := dialBroker(t, b, "\x10\x32\x00\x04MQTT\x04\x26\x00\x1e\x00\x03dee\x00\x13w/////////////////\x00\x0a0123456789")
	will.Close()
	until(t, "the log line", func() bool { return log.count("too many levels") == 1 })

	many := map[string]byte{}
	for i := range maxSubscriptions/8 + 1 {
		many["filter/"+strings.Repeat("x", i%7)+string(rune('一'+i))] = 0
	}
	for i := range 8 {
		others := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + b.Addr()).
			SetClientID("many" + string(rune('0'+i))))
		if token := others.Connect(); !token.WaitTimeout(patience) || token.Error() != nil {
			t.Fatal(token.Error())
		}
		defer others.Disconnect(0)
		if token := others.SubscribeMultiple(many, nil); !token.WaitTimeout(patience) {
			t.Fatal("no answer")
		}
	}
	if log.count("too many subscriptions") != 1 {
		t.Error("subscriptions have no limit")
	}

	large := dialBroker(t, b, hello+"\x82\x81\x80\x08")
	if _, err := io.Copy(io.Discard, large); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Error("a SUBSCRIBE of 128 KiB and 1 byte:", err)
	}
	until(t, "the log line", func() bool { return log.count("message too large") == 1 })
}

// TestBrokerReceiveMaximum lets a client of MQTT 5 with a Receive Maximum ping while messages come
// for it, also for a session that had QoS 1 before: mochi would soon hang, on two processors.
func TestBrokerReceiveMaximum(t *testing.T) {
	t.Parallel()
	b, _ := limitedBroker(t)
	subscribe := "\x82\x07\x00\x01\x00\x00\x01#\x01"
	before := dialBroker(t, b, strings.Replace(hello, "\x00\x01x", "\x00\x01y", 1)+subscribe)
	until(t, "the subscription", func() bool { return len(b.server.Topics.Subscribers("a").Subscriptions) == 1 })
	w := watch(t, b.Addr())
	w.send(t, "a", "waits", false)
	before.Close()
	for _, sent := range []string{"y", "z" + subscribe} {
		conn := dialBroker(t, b, "\x10\x11\x00\x04MQTT\x05\x00\x00\x00\x03\x21\xff\xff\x00\x01"+sent)
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		go func() {
			for ping := strings.Repeat("\xc0\x00", 100); ; time.Sleep(time.Millisecond) {
				if _, err := io.WriteString(conn, ping); err != nil {
					return
				}
			}
		}()
		for range 300 {
			w.send(t, "a", "x", false)
		}
		conn.Close()
	}
}

func dialBroker(t *testing.T, b *Broker, sent string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatal(err)
	}
	return conn
}
