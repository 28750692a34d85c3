package mqtt

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"tableside/engine"
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

// A table with several brokers subscribes with QoS 0: no cluster makes queues for QoS 1 in
// time while a node is down.
func TestSubscribesOnCluster(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	for _, c := range []struct {
		brokers []string
		want    byte
	}{{[]string{b.Addr()}, 1}, {[]string{b.Addr(), b.Addr()}, 0}} {
		seen := make(chan []byte, 10)
		startClient(t, Config{Brokers: c.brokers, Hall: "club", Dial: through(t, func(p packets.ControlPacket) bool {
			if s, ok := p.(*packets.SubscribePacket); ok {
				seen <- s.Qoss
			}
			return true
		})})
		select {
		case all := <-seen:
			for _, got := range all {
				if got != c.want {
					t.Errorf("with %d brokers it subscribes with QoS %d, want %d", len(c.brokers), all, c.want)
					break
				}
			}
		case <-time.After(patience):
			t.Fatal("it does not subscribe")
		}
	}
}

// A table with several brokers publishes its state once more when it has not changed for a
// while, and not again; a table with one broker does not.
func TestStateAgainOnCluster(t *testing.T) {
	t.Parallel()
	b := startBroker(t, BrokerConfig{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	states := map[string]int{"one": 1, "many": 2}
	for name, brokers := range map[string][]string{"one": {b.Addr()}, "many": {b.Addr(), b.Addr()}} {
		c := newClient(t, Config{Brokers: brokers, Table: name})
		c.delays.rest, c.delays.alive = 100*time.Millisecond, 50*time.Millisecond
		f := testFrame(t, engine.English, 7)
		f.View.Table = name
		c.Show(t.Context(), f)
		c.run(t)
	}
	for name, want := range states {
		until(t, "signs of life", func() bool { return w.count("tableside/"+name+"/alive ") >= 10 })
		if got := w.count("tableside/" + name + "/state "); got != want {
			t.Errorf("the table %s published its state %d times, want %d", name, got, want)
		}
	}
}

// A watcher asks for a journal again: a node of a cluster may not know it yet. It
// acknowledges with QoS 0.
func TestFetchAgain(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	journal := []byte(strings.Repeat("x", pieceSize+1))
	f := finished("demo", journal)
	f.Pieces = 2
	for _, message := range parcel(f, journal)[:2] {
		w.send(t, "tableside/demo"+message.Topic, string(message.Payload), true)
	}
	asked, acknowledged, listens := 0, make(chan byte, 1), make(chan bool, 10)
	dial := through(t, func(p packets.ControlPacket) bool {
		switch p := p.(type) {
		case *packets.SubscribePacket:
			if strings.Contains(p.Topics[0], "/journal/") {
				asked++
			}
		case *packets.PublishPacket:
			if strings.HasPrefix(p.TopicName, "tableside-hall/") {
				acknowledged <- p.Qos
			}
			return asked > 2 || !strings.Contains(p.TopicName, "/journal/")
		}
		return true
	})
	ignored := WatchHandlers{Listening: func(now bool) { listens <- now }, Round: func() {}}
	watcher, err := NewWatcher(Config{Brokers: []string{m.addr}, Dial: dial}, ignored)
	if err != nil {
		t.Fatal(err)
	}
	watcher.delays.piece = 100 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { watcher.Run(ctx) })
	defer running.Wait()
	defer cancel()
	if !<-listens {
		t.Fatal("the watcher does not listen")
	}
	if got, err := watcher.Fetch(ctx, f, func() {}); err != nil || string(got) != string(journal) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := watcher.Acknowledge("club", f, ""); err != nil {
		t.Error(err)
	}
	if got := <-acknowledged; got != 0 {
		t.Errorf("it acknowledges with QoS %d", got)
	}
}
