package mqtt

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"tableside/engine"
	"tableside/mqtt/broker"
)

// A table stands in for a real one and records the inputs and orders of a test.
type table struct {
	mu     sync.Mutex
	inputs []string
	orders []engine.Order
	tags   []string // place and what was read
}

func (tb *table) input(_ context.Context, in engine.Input) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.inputs = append(tb.inputs, in.Command())
	if in.Verb == engine.Redo {
		return engine.Receipt{Outcome: engine.Refused, Seq: len(tb.inputs), Text: engine.T("refusal.nothing-to-redo"),
			Spoken: "There is nothing to do again"}
	}
	return engine.Receipt{Outcome: engine.Accepted, Seq: len(tb.inputs)}
}

func (tb *table) order(_ context.Context, o engine.Order) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.orders = append(tb.orders, o)
	return engine.Receipt{Outcome: engine.Accepted}
}

func (tb *table) tap(_ context.Context, place, read string) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.tags = append(tb.tags, place+" "+read)
	return engine.Receipt{Outcome: engine.Accepted, Seq: len(tb.tags)}
}

func (tb *table) read() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return slices.Clone(tb.tags)
}

func (tb *table) taken() int {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return len(tb.inputs)
}

// results returns the answers received on a topic.
func (w *watcher) results(t testing.TB, topic string) []Result {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Result
	for _, line := range w.heard {
		if payload, ok := strings.CutPrefix(line, topic+"/result "); ok {
			var r Result
			if err := json.Unmarshal([]byte(payload), &r); err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
	}
	return all
}

func TestInputs(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	tb := &table{}
	w.send(t, "tableside/demo/input", "red key yes", true) // a phantom press
	startClient(t, Config{Brokers: []string{b.Addr()}, Input: tb.input, Order: tb.order}).waitOK(t)

	w.send(t, "tableside/demo/input", "red tap zombie.1", false)
	w.send(t, "tableside/demo/input", `{"input":"blue redo","id":"r"}`, false)
	w.send(t, "tableside/demo/match", `{"id":"m","do":"abandon"}`, false)
	until(t, "three answers", func() bool {
		return len(w.results(t, "tableside/demo/input")) == 2 && len(w.results(t, "tableside/demo/match")) == 1
	})
	got := w.results(t, "tableside/demo/input")
	if got[0].Outcome != engine.Accepted || got[0].Seq != 1 {
		t.Errorf("accepted: %+v", got[0])
	}
	if r := got[1]; r.ID != "r" || r.Outcome != engine.Refused || r.Reason.Key != "refusal.nothing-to-redo" ||
		r.Text == "" {
		t.Errorf("refused: %+v", r)
	}
	if r := w.results(t, "tableside/demo/match")[0]; r.ID != "m" || r.Outcome != engine.Accepted {
		t.Errorf("order: %+v", r)
	}
	if tb.inputs[0] != "red tap zombie.1" || len(tb.inputs) != 2 || tb.orders[0].Do != "abandon" {
		t.Errorf("the match got %q and %+v", tb.inputs, tb.orders)
	}
	late := watch(t, b.Addr())
	until(t, "what is retained", func() bool { return late.get("tableside/demo/status") == online })
	if late.count("tableside/demo/input/result") != 0 {
		t.Error("a result was retained")
	}
}

func TestHostileInputs(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	tb := &table{}
	c := startClient(t, Config{Brokers: []string{b.Addr()}, Lang: engine.French, Input: tb.input, Order: tb.order})
	c.Show(context.Background(), testFrame(t, engine.French, 42))
	c.waitOK(t)
	all := append([]string{strings.Repeat("x", maxPacket/2), strings.Repeat("[", maxInput+1)}, hostile...)
	for _, payload := range all {
		w.send(t, "tableside/demo/input", payload, false)
	}
	// An empty payload clears a retained message; it is not a command.
	all = slices.DeleteFunc(all, func(payload string) bool { return payload == "" })
	until(t, "an answer to each", func() bool { return len(w.results(t, "tableside/demo/input")) >= len(all) })
	if n := len(w.results(t, "tableside/demo/input")); n != len(all) {
		t.Errorf("%d answers to %d commands", n, len(all))
	}
	for i, r := range w.results(t, "tableside/demo/input") {
		if r.Outcome != engine.Malformed || r.Seq != 42 || r.Text == "" || len(r.Text) > 1000 {
			t.Errorf("%.40q: %+v", all[i], r)
		}
	}
	if n := tb.taken(); n != 0 {
		t.Errorf("%d hostile inputs reached the match", n)
	}
	w.send(t, "tableside/demo/input", "red undo", false)
	until(t, "a good input after them", func() bool { return tb.taken() == 1 })
}

// TestBusy checks that the client answers that the table is busy if the match
// does not answer, and goes on publishing frames.
func TestBusy(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	brokers := []string{b.Addr()}
	c := startClient(t, Config{Brokers: brokers, Input: func(ctx context.Context, _ engine.Input) engine.Receipt {
		<-ctx.Done()
		return engine.Receipt{}
	}})
	c.waitOK(t)
	for range maxCommands + 10 {
		w.Publish("tableside/demo/input", 1, false, "red undo")
	}
	until(t, "busy", func() bool {
		all := w.results(t, "tableside/demo/input")
		return len(all) > 0 && all[0].Outcome == engine.Failed && strings.Contains(all[0].Text, "Too many")
	})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
}

// TestTags checks that tags of other devices reach the table in order, with one answer
// each on the place's own topic, and that retained ones are ignored.
func TestTags(t *testing.T) {
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	tb := &table{}
	w.send(t, "tableside/demo/reader/red/tap", "04AAAAAAAAAAAA", true) // of another evening
	startClient(t, Config{Brokers: []string{b.Addr()}, Tap: tb.tap, Lift: tb.tap}).waitOK(t)
	var want []string
	for _, place := range []string{"red", "Zoé", "table"} {
		w.send(t, "tableside/demo/reader/"+place+"/tap", "04-A1-B2-C3-D4-E5-F6", false)
		w.send(t, "tableside/demo/reader/"+place+"/lift", "", false) // it clears a retained message
		w.send(t, "tableside/demo/reader/"+place+"/lift", "04-A1-B2-C3-D4-E5-F6", false)
		w.send(t, "tableside/demo/reader/"+place+"/tap/now", "04-A1-B2-C3-D4-E5-F6", false)
		want = append(want, place+" 04-A1-B2-C3-D4-E5-F6", place+" 04-A1-B2-C3-D4-E5-F6")
	}
	w.send(t, "tableside/demo/reader/red/tap", strings.Repeat("A", maxInput+1), false)
	until(t, "the answers", func() bool {
		n := 0
		for _, place := range []string{"red", "Zoé", "table"} {
			n += len(w.results(t, "tableside/demo/reader/"+place))
		}
		return n == 7
	})
	if got := tb.read(); !slices.Equal(got, want) {
		t.Errorf("the table got %q, want %q", got, want)
	}
	long := 0
	for _, r := range w.results(t, "tableside/demo/reader/red") {
		if r.Outcome == engine.Malformed && r.Reason.Key == "mqtt.too-long" {
			long++
		}
	}
	if long != 1 {
		t.Errorf("%d answers to a payload that is too long", long)
	}
}
