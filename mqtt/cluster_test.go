package mqtt

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"tableside/mqtt/broker"
)

// through returns a Dial whose connections pass on only those packets that pass allows, in
// both directions.
func through(
	t *testing.T, pass func(packets.ControlPacket) bool,
) func(context.Context, string, string) (net.Conn, error) {
	var mu sync.Mutex
	var work sync.WaitGroup
	t.Cleanup(work.Wait)
	relay := func(to, from net.Conn) {
		defer to.Close()
		defer from.Close()
		for {
			p, err := packets.ReadPacket(from)
			if err != nil {
				return
			}
			mu.Lock()
			ok := pass(p)
			mu.Unlock()
			if ok && p.Write(to) != nil {
				return
			}
		}
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		broker, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		ours, theirs := net.Pipe()
		work.Go(func() { relay(broker, theirs) })
		work.Go(func() { relay(theirs, broker) })
		return ours, nil
	}
}

// A table subscribes with QoS 0: no cluster makes queues for QoS 1 in time while a node is down.
func TestSubscribes(t *testing.T) {
	t.Parallel()
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	seen := make(chan []byte, 10)
	startClient(t, Config{Brokers: []string{b.Addr()}, Hall: "club", Dial: through(t, func(p packets.ControlPacket) bool {
		if s, ok := p.(*packets.SubscribePacket); ok {
			seen <- s.Qoss
		}
		return true
	})})
	select {
	case all := <-seen:
		for _, got := range all {
			if got != 0 {
				t.Errorf("it subscribes with QoS %d, want 0", all)
				break
			}
		}
	case <-time.After(patience):
		t.Fatal("it does not subscribe")
	}
}

// A watcher answers with QoS 0: a cluster that waits for other nodes would end its connection.
func TestAcknowledges(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	acknowledged, listens := make(chan byte, 1), make(chan bool, 10)
	dial := through(t, func(p packets.ControlPacket) bool {
		if p, ok := p.(*packets.PublishPacket); ok && p.TopicName == "tableside-hall/club/demo/kept" {
			acknowledged <- p.Qos
		}
		return true
	})
	ignored := WatchHandlers{Listening: func(now bool) { listens <- now }, Round: func() {}}
	watcher, err := NewWatcher(Config{Brokers: []string{m.addr}, Dial: dial, Hall: "club"}, ignored)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { watcher.Run(ctx) })
	defer running.Wait()
	defer cancel()
	if !<-listens {
		t.Fatal("the watcher does not listen")
	}
	if err := watcher.Acknowledge("demo", someMatch, "", ""); err != nil {
		t.Error(err)
	}
	if got := <-acknowledged; got != 0 {
		t.Errorf("it acknowledges with QoS %d", got)
	}
}
