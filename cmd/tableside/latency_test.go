package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"golang.org/x/sys/unix"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/advice"
	"tableside/engine/mutants"
	"tableside/mqtt"
	"tableside/mqtt/broker"
)

// BenchmarkTapToSubscriber measures the time from a card tapped on a reader, through
// the rules, the disk and the embedded broker, to a subscriber of the state. In turn
// with it, it measures the unavoidable parts: writing and syncing one journal line,
// and publishing and receiving one bare message of the same size. "ratio" is the
// median of the whole over the sum of the medians of the parts, "ratio-p99" the same
// of their 99th percentiles.
func BenchmarkTapToSubscriber(b *testing.B) {
	addr, table, states := openSubscribed(b)
	bare := hear(b, addr, "bare")
	publisher := connect(b, addr, "publisher")
	disk := openSyncFile(b)

	var whole, sync, message durations
	var payload []byte
	for b.Loop() {
		rest()
		sync.time(func() { disk(b) })
		rest()
		whole.time(func() { payload = table.tap(b, states) })
		table.back(b, states)
		rest()
		message.time(func() {
			publisher.Publish("bare", 1, true, payload)
			<-bare
		})
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(whole.at(50), "µs-median")
	b.ReportMetric(whole.at(99), "µs-p99")
	b.ReportMetric(sync.at(50), "µs-sync")
	b.ReportMetric(message.at(50), "µs-message")
	b.ReportMetric(whole.at(50)/(sync.at(50)+message.at(50)), "ratio")
	b.ReportMetric(sync.at(99), "µs-sync-p99")
	b.ReportMetric(message.at(99), "µs-message-p99")
	b.ReportMetric(whole.at(99)/(sync.at(99)+message.at(99)), "ratio-p99")
}

// BenchmarkTapWhileItThinks measures the time from a tap to its receipt, which waits for the disk, in turn while the
// table imagines matches without a pause, and while it does not. "ratio" is that of the medians.
func BenchmarkTapWhileItThinks(b *testing.B) {
	_, table, _ := openSubscribed(b)
	journal, err := table.table.Journal("")
	if err != nil {
		b.Fatal(err)
	}
	j, err := engine.ParseJournal("journal", journal)
	if err != nil {
		b.Fatal(err)
	}
	m, err := engine.Replay(engine.Find(mutants.Games(), j.Setup.Game), j, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	search, err := advice.At(m, "red", nil, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		b.Fatal(err)
	}
	search.Pause = table.table.Pause
	think := func(ctx context.Context) error {
		for ctx.Err() == nil {
			if err := search.Run(); err != nil {
				return err
			}
		}
		return nil
	}
	var thinking, not durations
	measure := func(d *durations) {
		rest()
		d.time(func() { <-table.table.Emit(device.TagOn{Place: "red", Seat: "red", Tag: "zombie.1"}) })
		<-table.table.Emit(device.TagOff{Place: "red", Seat: "red", Tag: "zombie.1"})
		<-table.table.Emit(device.Press{Place: "table", Seat: engine.Table, Key: "undo"})
	}
	for b.Loop() {
		measure(&not)
		stop := background(b, think)
		measure(&thinking)
		stop()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(not.at(50), "µs-median")
	b.ReportMetric(thinking.at(50), "µs-thinking")
	b.ReportMetric(thinking.at(50)/not.at(50), "ratio")
	b.ReportMetric(thinking.at(99)/not.at(99), "ratio-p99")
}

// rest pauses between measurements, as people do between cards, though not as long.
func rest() { time.Sleep(30 * time.Millisecond) }

// openSubscribed opens a broker, a table in a match that has just begun, and a subscriber of its state.
func openSubscribed(b *testing.B) (addr string, table *latencyTable, states <-chan []byte) {
	b.Helper()
	own, err := broker.Listen(broker.Config{Addr: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { own.Close() })
	table = openLatencyTable(b, own.Addr())
	b.Cleanup(table.close)
	states = hear(b, own.Addr(), "tableside/latency/state")
	for range 2 {
		table.press(b, "next", states) // red's and blue's gene pools stay hidden
	}
	return own.Addr(), table, states
}

type latencyTable struct {
	table *device.Table
	close func()
}

func openLatencyTable(b *testing.B, addr string) *latencyTable {
	b.Helper()
	table, err := device.New(device.Config{Name: "latency", Dir: b.TempDir(), Games: mutants.Games(),
		Tags: func(tag, _ string) (device.Meaning, bool) { return device.Meaning{Name: tag}, true }})
	if err != nil {
		b.Fatal(err)
	}
	client, err := mqtt.New(mqtt.Config{Brokers: []string{"tcp://" + addr}, Table: "latency", Health: table.Report,
		Input: table.Input, Order: table.Do})
	if err != nil {
		b.Fatal(err)
	}
	t := &latencyTable{table: table}
	table.Add(device.Part{Name: "mqtt", Output: device.OutputFunc(client.Show), Direct: true})
	stopTable := background(b, table.Run)
	stopClient := background(b, func(ctx context.Context) error { client.Run(ctx); return nil })
	t.close = func() {
		stopTable()
		stopClient()
	}
	setup := engine.Setup{Game: "mutants/second-edition", Options: map[string]string{"data": "stand-in"}, First: "red",
		Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}
	if r := table.Do(b.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		b.Fatalf("%+v", r)
	}
	return t
}

// tap deploys a card and waits for the state that shows it.
func (t *latencyTable) tap(b *testing.B, states <-chan []byte) []byte {
	return t.shown(b, <-t.table.Emit(device.TagOn{Place: "red", Seat: "red", Tag: "zombie.1"}), states)
}

func (t *latencyTable) back(b *testing.B, states <-chan []byte) {
	<-t.table.Emit(device.TagOff{Place: "red", Seat: "red", Tag: "zombie.1"})
	t.press(b, "undo", states)
}

func (t *latencyTable) press(b *testing.B, key string, states <-chan []byte) {
	t.shown(b, <-t.table.Emit(device.Press{Place: "table", Seat: engine.Table, Key: key}), states)
}

func (t *latencyTable) shown(b *testing.B, r engine.Receipt, states <-chan []byte) []byte {
	if r.Outcome != engine.Accepted {
		b.Fatalf("%+v", r)
	}
	want := fmt.Appendf(nil, `"seq":%d,`, r.Seq)
	for limit := time.After(10 * time.Second); ; {
		select {
		case state := <-states:
			if bytes.Contains(state[:min(len(state), 120)], want) {
				return state
			}
		case <-limit:
			b.Fatalf("no state with %s", want)
		}
	}
}

// openSyncFile returns a function that writes and syncs one journal line, as the table
// does.
func openSyncFile(b *testing.B) func(*testing.B) {
	f, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	line := []byte(engine.Seal("12.345s red key plus"))
	return func(b *testing.B) {
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := unix.Fdatasync(int(f.Fd())); err != nil {
			b.Fatal(err)
		}
	}
}

func connect(b testing.TB, addr, id string) paho.Client {
	b.Helper()
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID(id).SetProtocolVersion(4))
	if token := c.Connect(); token.Wait() && token.Error() != nil {
		b.Fatal(token.Error())
	}
	b.Cleanup(func() { c.Disconnect(250) })
	return c
}

func hear(b testing.TB, addr, topic string) <-chan []byte {
	b.Helper()
	heard := make(chan []byte, 100)
	token := connect(b, addr, "listener-"+strings.ReplaceAll(topic, "/", "-")).Subscribe(topic, 1,
		func(_ paho.Client, m paho.Message) { heard <- m.Payload() })
	if token.Wait() && token.Error() != nil {
		b.Fatal(token.Error())
	}
	return heard
}

type durations []time.Duration

func (d *durations) time(do func()) {
	began := time.Now()
	do()
	*d = append(*d, time.Since(began))
}

func (d durations) at(percent int) float64 {
	sorted := slices.Sorted(slices.Values(d))
	return float64(sorted[len(sorted)*percent/100].Nanoseconds()) / 1e3
}
