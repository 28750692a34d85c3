package mqtt

import (
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/mqtt/broker"
)

// A table gives a sign of life at once, again and again, and when another match is on it.
// No broker keeps one.
func TestAlive(t *testing.T) {
	t.Parallel()
	b := startBroker(t, broker.Config{Addr: "127.0.0.1:0"})
	w := watch(t, b.Addr())
	hall := listenTo(t, b.Addr())
	c := newClient(t, Config{Brokers: []string{b.Addr()}})
	began := time.Now().Truncate(time.Millisecond)
	c.delays.alive = 300 * time.Millisecond
	f := testFrame(t, engine.English, 7)
	c.Show(t.Context(), f)
	c.run(t)
	const topic = "tableside/demo/alive"
	until(t, "three signs of life", func() bool {
		return w.count(topic+` {"match":"`+string(f.View.Match)+`","seq":7,"time":"`) >= 3
	})
	until(t, "the table's time in a hall", func() (ok bool) {
		hall.read(func() { ok = len(hall.clocks) > 0 })
		return ok
	})
	hall.read(func() {
		if at := hall.clocks[0]; at.Before(began) || at.After(time.Now()) {
			t.Errorf("the table says that it is %v, after %v", at, began)
		}
	})
	w.mu.Lock()
	if !strings.HasPrefix(w.heard[0], topic) {
		t.Errorf("first comes %.70s", w.heard[0])
	}
	w.mu.Unlock()
	next := f
	next.View.Match, next.View.Seq = "", 0
	c.Show(t.Context(), next)
	until(t, "a sign without a match", func() bool { return w.count(topic+` {"match":null,"seq":0,"time":"`) > 0 })
	c.stop()
	after := watch(t, b.Addr())
	until(t, "what the broker keeps", func() bool { return after.get("tableside/demo/status") == offline })
	if after.get(topic) != "" {
		t.Error("the broker keeps a sign of life")
	}
}

// With several brokers a table goes to the next one at once when one dies, and says there
// that it is online and alive.
func TestMosquittoDies(t *testing.T) {
	t.Parallel()
	first, second := startMosquitto(t), startMosquitto(t)
	c := startClient(t, Config{Brokers: []string{"127.0.0.1:1", first.addr, second.addr}})
	f := testFrame(t, engine.English, 7)
	c.Show(t.Context(), f)
	c.waitOK(t)
	watch(t, first.addr).has(t, f)
	w := watch(t, second.addr)
	first.kill()
	killed := time.Now()
	until(t, "the table at the other broker", func() bool { return w.get("tableside/demo/status") == online })
	away := time.Since(killed)
	w.has(t, f)
	until(t, "a sign of life", func() bool { return w.count("tableside/demo/alive ") > 0 })
	if away > 2*time.Second { // it waits for nothing; a busy machine takes its time
		t.Errorf("the table was away for %s", away)
	}
	t.Logf("away for %s", away)

	w.send(t, "tableside/demo/status", offline, true)
	until(t, "the table contradicts", func() bool { return w.get("tableside/demo/status") == online })

	second.kill() // now none is there, and the next round finds the first again
	first.start(t)
	again := watch(t, first.addr)
	again.has(t, f)
}
