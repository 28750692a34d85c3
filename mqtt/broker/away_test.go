package broker

import (
	"log/slog"
	"testing"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/packets"
)

// TestBrokerAway lets more messages come for a client that is away than MQTT has numbers.
func TestBrokerAway(t *testing.T) {
	t.Parallel()
	server := mochi.New(&mochi.Options{Logger: slog.New(slog.DiscardHandler)})
	l, away := newLimits(server, slog.New(slog.DiscardHandler)), server.NewClient(nil, "", "away", false)
	away.Stop(nil)
	const count = 70_000
	for n := range count {
		pk := packets.Packet{FixedHeader: packets.FixedHeader{Type: packets.Publish, Qos: 1}, PacketID: uint16(n%65535 + 1),
			Created: int64(n)}
		away.State.Inflight.Set(pk)
		l.OnQosPublish(away, pk, 0, 0)
		if n == maxQueue/2 { // acknowledged before the client went
			away.State.Inflight.Delete(3)
			away.State.Inflight.Delete(maxQueue / 3)
		}
	}
	waiting := away.State.Inflight.GetAll(false)
	for _, pk := range waiting {
		if pk.Created < count-maxQueue {
			t.Fatalf("message %d of %d still waits", pk.Created, count)
		}
	}
	if len(waiting) != maxQueue {
		t.Errorf("%d messages wait, want %d", len(waiting), maxQueue)
	}
}

// TestBrokerForgets lets a client go that did not acknowledge what it got, with a session for a
// century, and one with a session for a second.
func TestBrokerForgets(t *testing.T) {
	t.Parallel()
	b, _ := limitedBroker(t)
	conn := dialBroker(t, b, hello+"\x82\x07\x00\x01\x00\x00\x01#\x01") // SUBSCRIBE to everything, with QoS 1
	until(t, "the subscription", func() bool { return len(b.server.Topics.Subscribers("a").Subscriptions) == 1 })
	w := watch(t, b.Addr())
	for range maxQueue + 100 {
		w.Publish("a", 1, false, "x")
	}
	cl, _ := b.server.Clients.Get("x")
	until(t, "the queue", func() bool { return cl.State.Inflight.Len() >= maxQueue+100 })
	if _, err := conn.Write([]byte("\xe0\x07\x00\x05\x11\xff\xff\xff\xff")); err != nil { // DISCONNECT, for a century
		t.Fatal(err)
	}
	until(t, "the shorter queue", func() bool { return cl.State.Inflight.Len() == maxQueue })
	left, there := b.server.Clients.Get("x")
	if !there || left.Properties.Props.SessionExpiryInterval != awayExpiry {
		t.Error("the session is away for", left.Properties.Props.SessionExpiryInterval, "seconds, want", awayExpiry)
	}
	short := dialBroker(t, b, hello+"\xe0\x07\x00\x05\x11\x00\x00\x00\x01")
	defer short.Close()
	began := time.Now()
	until(t, "the end of the session", func() bool { return len(b.server.Topics.Subscribers("a").Subscriptions) == 0 })
	if took := time.Since(began); took < time.Second {
		t.Error("it ends after", took)
	}
}
