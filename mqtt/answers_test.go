package mqtt

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestSameID checks that a repeated command with the same id gets the same
// answer and is not done again, even over a new connection.
func TestSameID(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	tb := &table{}
	c := startClient(t, Config{Brokers: []string{m.addr}, Input: tb.input, Order: tb.order})
	c.waitOK(t)
	for range 2 {
		w := watch(t, m.addr)
		for _, payload := range []string{`{"input":"red undo","id":"a"}`, `{"input":"red undo","id":"a"}`,
			`{"input":"blue undo","id":"a"}`} {
			w.send(t, "tableside/demo/input", payload, false)
		}
		w.send(t, "tableside/demo/match", `{"do":"abandon","id":"a"}`, false)
		until(t, "four answers", func() bool {
			return len(w.results(t, "tableside/demo/input")) == 3 && len(w.results(t, "tableside/demo/match")) == 1
		})
		all := w.results(t, "tableside/demo/input")
		if all[0].Outcome != engine.Accepted || all[0].Seq != 1 || all[1].ID != "a" || all[1].Outcome != engine.Accepted ||
			all[1].Seq != 1 {
			t.Errorf("%+v", all)
		}
		if r := all[2]; r.ID != "a" || r.Outcome != engine.Malformed || r.Reason.Key != "mqtt.id-used" {
			t.Errorf("another command with the id: %+v", r)
		}
		if tb.taken() != 1 || len(tb.orders) != 1 {
			t.Errorf("%d inputs and %d orders reached the match", tb.taken(), len(tb.orders))
		}
		m.kill()
		until(t, "degraded", func() bool { return c.health.last().Health == engine.Degraded })
		m.start(t)
		c.waitOK(t)
	}
}

// TestFailedCommandIsRetried checks that a failed command may be retried with its id.
func TestFailedCommandIsRetried(t *testing.T) {
	c := newClient(t, Config{Brokers: []string{"localhost"}, Input: func(context.Context, engine.Input) engine.Receipt {
		return engine.Receipt{Outcome: engine.Failed}
	}})
	cmd := command{what: "input", payload: []byte(`{"input":"red undo","id":"a"}`)}
	if _, r := c.obey(t.Context(), cmd); r.Outcome != engine.Failed {
		t.Fatalf("%+v", r)
	}
	c.cfg.Input = (&table{}).input
	if _, r := c.obey(t.Context(), cmd); r.Outcome != engine.Accepted {
		t.Errorf("%+v", r)
	}
}

// Answers are dropped after a while, and when there are too many.
func TestAnswersExpire(t *testing.T) {
	var a answers
	now := time.Unix(1e9, 0)
	for i := range maxGiven + 1 {
		a.put(givenAnswer{key: fmt.Sprint(i), at: now})
	}
	if _, ok := a.get("0", now); ok || len(a) != maxGiven {
		t.Errorf("%d answers", len(a))
	}
	later := now.Add(answerAge)
	if _, ok := a.get("5", later); ok {
		t.Error("an expired answer is still kept")
	}
	if _, ok := a.get("5", later.Add(-1)); !ok {
		t.Error("an answer is dropped too early")
	}
	a.put(givenAnswer{key: "5", at: later})
	if _, ok := a.get("5", later); !ok || len(a) != 1 {
		t.Errorf("%d answers", len(a))
	}
}

// TestMosquittoFlood checks that ten thousand commands in two seconds get
// exactly one answer each, with its id, while the table is busy.
func TestMosquittoFlood(t *testing.T) {
	const commands, rate = 10_000, 5_000
	m := startMosquitto(t, "allow_anonymous true", "max_queued_messages 0", "max_inflight_messages 0")
	tb := &table{}
	brokers := []string{m.addr}
	c := startClient(t, Config{Brokers: brokers, Input: func(ctx context.Context, in engine.Input) engine.Receipt {
		<-time.After(time.Millisecond) // about the time of a disk write
		return tb.input(ctx, in)
	}})
	c.waitOK(t)
	w := watch(t, m.addr)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for i := range commands {
		if i%(rate/1000) == 0 {
			<-tick.C
		}
		w.Publish("tableside/demo/input", 1, false, fmt.Sprintf(`{"input":"red undo","id":"%d"}`, i))
	}
	until(t, "an answer to each", func() bool { return w.count("tableside/demo/input/result ") >= commands })
	accepted, ids := 0, map[string]int{}
	for _, r := range w.results(t, "tableside/demo/input") {
		ids[r.ID]++
		if r.Outcome == engine.Accepted {
			accepted++
		}
	}
	if len(ids) != commands || ids[""] != 0 {
		t.Errorf("%d ids of %d, %d answers without one", len(ids), commands, ids[""])
	}
	if accepted != tb.taken() || accepted == commands {
		t.Errorf("%d answers are accepted, but %d inputs were", accepted, tb.taken())
	}
	if c.health.said("failed") || c.health.last().Health != engine.OK {
		t.Error(c.health.parts)
	}
}

// TestMailboxFull checks that pending answers take limited memory, and that the
// connection ends when it is full, so that no publisher waits for a lost answer.
func TestMailboxFull(t *testing.T) {
	b := newMailbox()
	result := Message{Topic: "t", Payload: make([]byte, 1000)}
	for range 2 * maxResults / 1000 {
		b.answer(result)
	}
	n, flooded := 0, false
	for m := b.take(resultBatch); len(m.results) > 0; m = b.take(resultBatch) {
		n += len(m.results)
		flooded = flooded || m.flooded
		if len(m.results) > resultBatch {
			t.Fatalf("%d at once", len(m.results))
		}
	}
	if want := maxResults / (1000 + resultCost); n != want || !flooded || b.mail.resultBytes != 0 {
		t.Errorf("%d answers kept, want %d; flooded %v, %d bytes left", n, want, flooded, b.mail.resultBytes)
	}
}

// A rawBroker is a broker for one client that sends packets given by the test.
type rawBroker struct{ net.Conn }

func (b *rawBroker) send(topic string, payload []byte, id uint16, dup bool) error {
	p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	p.TopicName, p.Payload, p.Qos, p.MessageID, p.Dup = topic, payload, 1, id, dup
	return p.Write(b)
}

// TestMosquittoPublisherRepeats checks that a command with an id is executed
// once if its publisher sends it again, as many do after they reconnect.
func TestMosquittoPublisherRepeats(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	tb := &table{}
	c := startClient(t, Config{Brokers: []string{m.addr}, Input: tb.input})
	c.waitOK(t)
	w := watch(t, m.addr)
	conn, err := net.Dial("tcp", m.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession, hello.ClientIdentifier = "MQTT", 4, true, "again"
	b := &rawBroker{Conn: conn}
	payload := []byte(`{"input":"red undo","id":"same"}`)
	if err := hello.Write(conn); err != nil {
		t.Fatal(err)
	}
	for _, dup := range []bool{false, true} {
		if err := b.send("tableside/demo/input", payload, 7, dup); err != nil {
			t.Fatal(err)
		}
	}
	until(t, "two answers", func() bool { return len(w.results(t, "tableside/demo/input")) == 2 })
	if n := tb.taken(); n != 1 {
		t.Errorf("carried out %d times, want 1", n)
	}
}

// TestMosquittoRestarts restarts the broker several times, more often
// in a long run. The table reconnects soon, and answers every command sent
// while it is connected.
func TestMosquittoRestarts(t *testing.T) {
	t.Parallel()
	restarts := enginetest.Count("restarts", 3)
	m := startMosquitto(t)
	tb := &table{}
	c := startClient(t, Config{Brokers: []string{m.addr}, Input: tb.input})
	sent := 0
	for range restarts {
		c.waitOK(t)
		w := watch(t, m.addr, func(o *paho.ClientOptions) { o.SetClientID(fmt.Sprint("restart-", sent)) })
		before := sent
		for range 20 {
			w.send(t, "tableside/demo/input", fmt.Sprintf(`{"input":"red undo","id":"r%d"}`, sent), false)
			sent++
		}
		until(t, "an answer to each", func() bool { return len(w.results(t, "tableside/demo/input")) >= sent-before })
		for i, r := range w.results(t, "tableside/demo/input") {
			if r.ID != fmt.Sprint("r", before+i) || r.Outcome != engine.Accepted {
				t.Errorf("answer %d: %+v", before+i, r)
			}
		}
		m.kill()
		until(t, "degraded", func() bool { return c.health.last().Health == engine.Degraded })
		down := time.Now()
		m.start(t)
		c.waitOK(t)
		if back := time.Since(down); back > lastWait+3*time.Second {
			t.Errorf("back after %s", back)
		}
	}
	if tb.taken() != sent {
		t.Errorf("%d commands were carried out, %d sent", tb.taken(), sent)
	}
}
