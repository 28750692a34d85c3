package halltest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/device"
	"tableside/device/hall"
	"tableside/device/history"
	"tableside/engine"
	"tableside/engine/tally"
	"tableside/mqtt"
)

// A table is a table with the real loop, client and sender of results, without a page and
// hardware. It names the hall club.
type table struct {
	*device.Table
	name, dir string
	stop      func()

	mu   sync.Mutex
	away bool     // it reaches no broker
	conn net.Conn // to its broker
}

func (c *cluster) openTable(n int) *table {
	c.Helper()
	t := c.startTable(n, c.TempDir())
	t.begin(c, "Alice "+t.name, "Max "+t.name)
	return t
}

// startTable starts the nth table of a cluster with a folder.
func (c *cluster) startTable(n int, dir string) *table {
	c.Helper()
	t := &table{name: tableName(n), dir: dir}
	var err error
	t.Table, err = device.New(device.Config{Name: t.name, Dir: t.dir, Games: tally.Games()})
	if err != nil {
		c.Fatal(err)
	}
	var client *mqtt.Client
	sender := hall.NewSender(hall.SenderConfig{
		Hall: "club", Data: t.dir, Games: tally.Games(), Lang: engine.English, Matches: t.Matches,
		Report: t.Report, Log: c.log(t.name),
		Offer: func(match string, journal []byte) { client.Offer(match, journal) },
	})
	client, err = mqtt.New(mqtt.Config{
		Brokers: c.brokers(n), User: t.name, Password: secret(n), Table: t.name, Hall: "club",
		Health: t.Report, Dial: t.dial, Log: c.log(t.name),
		FromHall: mqtt.HallHandlers{Kept: sender.Answer},
	})
	if err != nil {
		c.Fatal(err)
	}
	t.Add(device.Part{Name: "mqtt", Output: device.OutputFunc(client.Show), Direct: true})
	t.Add(device.Part{Name: "results", Direct: true, Output: device.OutputFunc(func(_ context.Context, f engine.Frame) {
		if len(f.View.Winners) > 0 {
			sender.Look()
		}
	})})
	t.stop = c.background(t.Run, sender.Run, func(ctx context.Context) error { client.Run(ctx); return nil })
	return t
}

func (c *cluster) log(who string) *slog.Logger {
	return slog.New(slog.NewTextHandler(c.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})).With("who", who)
}

// background runs functions until stop is called, or the test ends.
func (c *cluster) background(run ...func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for _, f := range run {
		all.Go(func() {
			if err := f(ctx); err != nil {
				c.Error(err)
			}
		})
	}
	stop = func() {
		cancel()
		all.Wait()
	}
	c.Cleanup(stop)
	return stop
}

var errAway = errors.New("this table reaches no broker")

func (t *table) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away && err == nil {
		conn.Close()
		err = errAway
	}
	t.conn = conn
	return conn, err
}

func (t *table) cut(away bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.away = away
	if away && t.conn != nil {
		t.conn.Close()
	}
}

func (t *table) die() {
	t.cut(true)
	t.stop()
}

func (t *table) begin(tb testing.TB, red, blue string) {
	tb.Helper()
	setup := engine.Setup{Game: "tally/score", First: "red", Options: map[string]string{"target": "5"},
		Seats: []engine.Player{{Seat: "red", Name: red}, {Seat: "blue", Name: blue}}}
	if r := t.Do(tb.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		tb.Errorf("%s: %+v", t.name, r)
	}
}

// play plays one input, or begins the next match after the end of one.
func (t *table) play(tb testing.TB, random *rand.Rand) {
	tb.Helper()
	if len(t.Frame().View.Winners) > 0 {
		t.begin(tb, "Alice "+t.name, "Max "+t.name)
		return
	}
	in := engine.Input{Seat: []engine.Seat{"red", "blue"}[random.IntN(2)], Verb: "choose",
		Args: []string{[]string{"+1", "+1", "+5"}[random.IntN(3)]}}
	if r := t.Input(tb.Context(), in); r.Outcome != engine.Accepted {
		tb.Errorf("%s: %+v", t.name, r)
	}
}

// pace is the time between two inputs of a table.
const pace = 700 * time.Millisecond

// playAll plays at all tables until stop is called.
func (c *cluster) playAll(tables []*table) (stop func()) {
	var run []func(context.Context) error
	for n, t := range tables {
		run = append(run, func(ctx context.Context) error {
			random := rand.New(rand.NewPCG(uint64(n), uint64(time.Now().UnixNano())))
			tick := time.NewTicker(pace)
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return nil
				case <-tick.C:
					t.play(c, random)
				}
			}
		})
	}
	return c.background(run...)
}

// results returns the matches of a folder that are over, as "match@table winner".
func results(tb testing.TB, past *history.History, table string) []string {
	tb.Helper()
	book, err := past.Read()
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for _, m := range book.Matches {
		id := m.ID
		if m.Table == "" {
			id = history.NameOf(id, table)
		}
		if m.State == "finished" && strings.HasSuffix(id, "@"+table) {
			all = append(all, fmt.Sprint(id, " ", m.Winners()))
		}
	}
	slices.Sort(all)
	return all
}

func (t *table) results(tb testing.TB) []string {
	tb.Helper()
	return results(tb, history.New(t.dir, tally.Games()), t.name)
}
