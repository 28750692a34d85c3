package mqtt

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
	"tableside/mqtt/broker"
)

// bigFrame returns a big frame, as at the end of a long match.
func bigFrame(t testing.TB) engine.Frame {
	f := testFrame(t, engine.English, 0)
	for i := range f.View.Seats {
		var cards []engine.Card
		for n := range 15 {
			cards = append(cards, engine.Card{Kind: "zombie-king", Copy: n + 1, Name: "Zombie King",
				State:    []string{"face-down"},
				Counters: engine.Counters{{Name: "power", Value: n}}, Keywords: []string{"sneaky", "poisonous"}})
		}
		f.View.Seats[i].Zones = engine.Zones{{Name: "active", Cards: cards[:5]}, {Name: "discard", Cards: cards}}
		for _, name := range []string{"energy", "hand", "deck", "mindbugs", "attack-tokens", "defence-tokens"} {
			f.View.Seats[i].Counters = append(f.View.Seats[i].Counters, engine.Counter{Name: name, Value: 3 + i})
		}
	}
	return f
}

func next(f engine.Frame, seq int) engine.Frame {
	f.View.Seq = seq
	seats := append([]engine.SeatView(nil), f.View.Seats...)
	counters := append(engine.Counters(nil), seats[0].Counters...)
	counters[0].Value = seq
	seats[0].Counters = counters
	f.View.Seats = seats
	f.Events = []engine.Event{{Name: "moved", Seat: "red", N: seq}}
	return f
}

// listener subscribes a bare client to one topic and returns its messages.
func listener(b *testing.B, addr, topic string) <-chan []byte {
	b.Helper()
	heard := make(chan []byte, 1000)
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("listener-" +
		topic).SetProtocolVersion(4).SetAutoReconnect(false))
	if token := c.Connect(); token.Wait() && token.Error() != nil {
		b.Fatal(token.Error())
	}
	b.Cleanup(func() { c.Disconnect(1000) })
	if token := c.Subscribe(topic, 1, func(_ paho.Client, m paho.Message) {
		if !m.Retained() {
			heard <- m.Payload()
		}
	}); token.Wait() && token.Error() != nil {
		b.Fatal(token.Error())
	}
	return heard
}

func brokers(b *testing.B, run func(*testing.B, string)) {
	b.Run("embedded", func(b *testing.B) { run(b, startBroker(b, broker.Config{Addr: "127.0.0.1:0"}).Addr()) })
	b.Run("mosquitto", func(b *testing.B) { run(b, startMosquitto(b).addr) })
}

// latencies are reported as a median, because the mean includes the noise of
// other programs.
type latencies []time.Duration

func (l *latencies) since(began time.Time) { *l = append(*l, time.Since(began)) }

func (l latencies) report(b *testing.B) {
	slices.Sort(l)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(l[len(l)/2].Microseconds()), "µs-median")
	b.ReportMetric(float64(l[len(l)*99/100].Microseconds()), "µs-p99")
}

// BenchmarkBareRoundTrip measures the network and the broker alone, with a state
// that is already encoded.
func BenchmarkBareRoundTrip(b *testing.B) {
	brokers(b, func(b *testing.B, addr string) {
		heard := listener(b, addr, "tableside/demo/state")
		c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" +
			addr).SetClientID("bare").SetProtocolVersion(4).SetAutoReconnect(false))
		if token := c.Connect(); token.Wait() && token.Error() != nil {
			b.Fatal(token.Error())
		}
		defer c.Disconnect(1000)
		payload := encode(bigFrame(b).View)
		var all latencies
		for b.Loop() {
			began := time.Now()
			c.Publish("tableside/demo/state", 1, true, payload)
			<-heard
			all.since(began)
		}
		all.report(b)
	})
}

// BenchmarkShowToSubscriber measures the time from Show until a subscriber has
// the frame's state. The rest of the frame is sent before the next is shown.
func BenchmarkShowToSubscriber(b *testing.B) {
	brokers(b, func(b *testing.B, addr string) {
		heard := listener(b, addr, "tableside/demo/state")
		rest := listener(b, addr, "tableside/demo/seat/red/score")
		c := startClient(b, Config{Brokers: []string{addr}})
		c.waitOK(b)
		f := bigFrame(b)
		seq := 0
		var all latencies
		for b.Loop() {
			seq++
			frame := next(f, seq)
			want := []byte(`"seq":` + strconv.Itoa(seq) + ",")
			began := time.Now()
			c.Show(context.Background(), frame)
			for !bytes.Contains(<-heard, want) {
			}
			all.since(began)
			<-rest
		}
		all.report(b)
	})
}

func BenchmarkEncodeState(b *testing.B) {
	v := bigFrame(b).View
	b.SetBytes(int64(len(encode(v))))
	for b.Loop() {
		encode(v)
	}
}
