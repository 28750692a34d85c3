package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tableside/engine"
	"tableside/mqtt"
	"tableside/mqtt/porttest"
)

// A lockedBuffer is written by the program and read by the test.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestShutdown tests that no goroutine outlives the program's end.
func TestShutdown(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out, errs lockedBuffer
	data := t.TempDir()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"demo", "--http", "127.0.0.1:0", "--mqtt", "127.0.0.1:0", "--data", data, "--game",
			"tally/score"},
			strings.NewReader(""), &out, &errs, func(string) string { return "" })
	}()
	for limit := time.Now().Add(20 * time.Second); !strings.Contains(out.String(),
		"data "); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("it does not start: %s%s", out.String(), errs.String())
		}
	}
	cancel()
	select {
	case code := <-done:
		if code != exitDone || errs.String() != "" {
			t.Errorf("exit %d: %s", code, errs.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}

// TestBroker tests that the retained state on MQTT is the view of the page, with the
// embedded broker and with another one.
func TestBroker(t *testing.T) {
	if _, err := exec.LookPath("mosquitto_sub"); err != nil {
		t.Fatal("mosquitto_sub is not installed; make test installs it")
	}
	t.Run("embedded", func(t *testing.T) {
		checkState(t, startDemo(t, "--game", "mutants/second-edition", "--seats", "red=Alice,blue=Max"))
	})
	t.Run("mosquitto", func(t *testing.T) {
		addr := startMosquitto(t)
		p := startDemo(t, "--game", "tally/score", "--broker", "mqtt://"+addr)
		p.mqtt = addr
		checkState(t, p)
	})
}

// checkState compares the retained state with the view, before and after an
// input.
func checkState(t *testing.T, p *process) {
	t.Helper()
	for _, line := range []string{"", "red set name Alix"} {
		if line != "" {
			if r, err := p.input(line); err != nil || r.Outcome != engine.Accepted {
				t.Fatalf("%s: %+v, %v", line, r, err)
			}
		}
		var state, view []byte
		for limit := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			var err error
			if view, err = p.get("/api/view"); err != nil {
				t.Fatal(err)
			}
			state = subscribe(t, p.mqtt, "tableside/demo/state")
			if sameJSON(view, state) {
				break
			}
			if time.Now().After(limit) {
				t.Fatalf("after %q the page shows\n%s\nand MQTT\n%s", line, view, state)
			}
		}
	}
	p.interrupt()
}

func subscribe(t *testing.T, addr, topic string) []byte {
	t.Helper()
	host, port, _ := net.SplitHostPort(addr)
	out, err := exec.Command("mosquitto_sub", "-h", host, "-p", port, "-t", topic, "-C", "1", "-W", "30").CombinedOutput()
	if err != nil {
		t.Fatalf("mosquitto_sub %s: %v: %s", topic, err, out)
	}
	return out
}

func sameJSON(a, b []byte) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return fmt.Sprint(x) == fmt.Sprint(y)
}

// startMosquitto runs a real broker until the test ends, or until it is killed.
func startMosquitto(t *testing.T) (addr string) {
	t.Helper()
	addr, _ = startMosquittoToKill(t)
	return addr
}

// startMosquittoToKill also returns what kills the broker.
func startMosquittoToKill(t testing.TB) (addr string, kill func()) {
	t.Helper()
	bin, err := exec.LookPath("mosquitto")
	if err != nil {
		if bin = "/usr/sbin/mosquitto"; !exists(bin) {
			t.Fatal("mosquitto is not installed; make test installs it")
		}
	}
	addr = fmt.Sprintf("127.0.0.1:%d", porttest.Pick())
	_, port, _ := net.SplitHostPort(addr)
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(file, []byte("listener "+port+" 127.0.0.1\nallow_anonymous true\npersistence false\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "-c", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	t.Cleanup(kill)
	for limit := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if mqtt.Check(context.Background(), mqtt.Config{Brokers: []string{addr}}) == nil {
			return addr, kill
		}
		if time.Now().After(limit) {
			t.Fatal("mosquitto does not answer")
		}
	}
}

// allSets are the sets of Mindbug, which together are the largest game.
const allSets = "first-contact,new-servants,beyond-eternity,beyond-evolution,king-of-tokyo"

// TestMeasure prints how long a demo takes from its start to the first accepted input,
// and what measureTable prints.
func TestMeasure(t *testing.T) {
	began := time.Now()
	p := startDemo(t, "--game", "mutants/second-edition", "--seats", "red,blue")
	if r, err := p.input("table key next"); err != nil || r.Outcome != engine.Accepted {
		t.Fatalf("%+v, %v", r, err)
	}
	start := time.Since(began)
	t.Logf("start to first accepted input %v", start.Round(time.Millisecond))
	if start > 15*time.Second {
		t.Error("that is far too much")
	}
	p.measureTable()
}

// TestMeasureLargest measures a table that plays the largest game.
func TestMeasureLargest(t *testing.T) {
	startDemo(t, "--game", "mindbug/king-of-tokyo", "--seats", "red,blue", "--option", "sets="+allSets).measureTable()
}

// measureTable prints the cost of a table: a demo with its broker and one page open,
// after a thousand inputs of random players. Without TABLESIDE_BIN it only tests that
// the measurement works, with fewer inputs: "make bench" measures the program that is
// shipped, and its private memory has a limit. The other limits are far from normal values:
// machines differ, and the race detector is slow.
func (p *process) measureTable() {
	t := p.t
	inputs, most := 60, 500e6
	if os.Getenv("TABLESIDE_BIN") != "" {
		inputs, most = 1000, 24e6
	}
	page, err := http.Get(p.page + "/api/live")
	if err != nil {
		t.Fatal(err)
	}
	var reader sync.WaitGroup
	reader.Go(func() { _, _ = io.Copy(io.Discard, page.Body) })
	defer reader.Wait()
	defer page.Body.Close()

	began := time.Now()
	chance := rand.New(rand.NewPCG(1, 1))
	for range inputs {
		v, err := p.view()
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Winners) > 0 {
			_, err = p.input("table choose rematch")
		} else {
			_, err = p.step(v, chance)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	each := time.Since(began) / time.Duration(inputs)
	all, own := float64(p.resident("VmRSS")), float64(p.resident("RssAnon"))
	t.Logf("a step of a random player through HTTP %v; resident after %d steps %.1f MB, %.1f MB of it its own",
		each.Round(time.Microsecond), inputs, all/1e6, own/1e6)
	if each > time.Second || own > most {
		t.Errorf("that is too much: want at most 1s, and %.0f MB of its own", most/1e6)
	}
	p.interrupt()
}
