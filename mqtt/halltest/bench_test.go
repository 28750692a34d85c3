package halltest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"tableside/device"
	"tableside/device/hall"
	"tableside/engine"
	"tableside/engine/mutants"
	"tableside/mqtt"
)

// BenchmarkHall follows two hundred tables on a cluster, each of which publishes two states of a
// match of Mutants a second, with the program "tableside hall", while one page is open.
func BenchmarkHall(b *testing.B) {
	const tables, lasts = 200, 15 * time.Second
	c := startCluster(b, tables)
	view := mutantsView(b)
	for n := range tables {
		c.showAlways(n, view)
	}
	binary := buildProgram(b)
	c.until("all tables publish", func() bool { return c.publishing() >= tables })
	for range b.N {
		p := startHall(b, c, binary)
		began := time.Now()
		known := func() (n int) {
			var list hall.List
			if err := p.get("/api/tables", &list); err != nil {
				b.Fatal(err)
			}
			for _, t := range list.Tables {
				if t.Known {
					n++
				}
			}
			return n
		}
		c.until("the hall has all tables", func() bool { return known() == tables })
		b.ReportMetric(time.Since(began).Seconds(), "s-until-all")
		open, leave := context.WithTimeout(b.Context(), lasts)
		before, nodes := processorTime(b, p.cmd), c.processorTime()
		p.read(open, b, "/api/live")
		leave()
		share := func(used time.Duration) float64 { return 100 * used.Seconds() / lasts.Seconds() }
		b.ReportMetric(share(processorTime(b, p.cmd)-before), "%-of-a-core")
		b.ReportMetric(share(c.processorTime()-nodes)/float64(len(c.nodes)), "%-of-a-core/node")
		b.ReportMetric(memory(b, p.cmd), "MB-at-most")
		most := 0.0
		for _, n := range c.nodes {
			most = max(most, memory(b, n.cmd))
		}
		b.ReportMetric(most, "MB-at-most/node")
		p.end()
	}
	b.ReportMetric(0, "ns/op")
}

// showAlways runs the client of a table that publishes a state every half second.
func (c *cluster) showAlways(n int, view engine.View) {
	name := tableName(n)
	client, err := mqtt.New(mqtt.Config{Brokers: c.brokers(n), User: name, Password: secret(n), Table: name})
	if err != nil {
		c.Fatal(err)
	}
	c.background(func(ctx context.Context) error { client.Run(ctx); return nil }, func(ctx context.Context) error {
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		f := engine.Frame{View: view, Lang: engine.English}
		for f.View.Table = name; ctx.Err() == nil; f.View.Seq++ {
			client.Show(ctx, f)
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
		return nil
	})
}

// mutantsView returns a view of a match that has begun.
func mutantsView(b *testing.B) engine.View {
	b.Helper()
	table, err := device.New(device.Config{Name: "club", Dir: b.TempDir(), Games: mutants.Games()})
	if err != nil {
		b.Fatal(err)
	}
	stop := (&cluster{TB: b}).background(table.Run)
	defer stop()
	setup := engine.Setup{Game: "mutants/second-edition", Options: map[string]string{"data": "stand-in"}, First: "red",
		Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}
	if r := table.Do(b.Context(), engine.Order{Do: "begin", Setup: setup}); r.Outcome != engine.Accepted {
		b.Fatalf("%+v", r)
	}
	return table.Frame().View
}

// A program is "tableside hall" as a process of its own.
type program struct {
	cmd  *exec.Cmd
	page string
}

func buildProgram(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "tableside")
	build := exec.Command("go", "build", "-o", binary, "./cmd/tableside")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return binary
}

func startHall(b *testing.B, c *cluster, binary string) *program {
	b.Helper()
	conf := filepath.Join(b.TempDir(), "hall.toml")
	write(b, conf, fmt.Sprintf("[mqtt]\nbrokers = [\"%s\"]\nuser = \"hall\"\npassword = \"hall-secret\"\n",
		strings.Join(c.brokers(0), `", "`)))
	p := &program{cmd: exec.Command(binary, "hall", "--config", conf, "--http", "127.0.0.1:0")}
	p.cmd.Stderr = c.Output()
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(p.end)
	line, err := bufio.NewReader(out).ReadString('\n')
	p.page = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(line, "page")), "/")
	if err != nil || p.page == "" {
		b.Fatalf("the hall says %q, %v", line, err)
	}
	return p
}

func (p *program) end() {
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.cmd.Wait()
}

func (p *program) get(path string, into any) error {
	answer, err := http.Get(p.page + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return json.NewDecoder(answer.Body).Decode(into)
}

// read reads a stream until the context ends.
func (p *program) read(ctx context.Context, b *testing.B, path string) {
	b.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.page+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); !errors.Is(err, context.DeadlineExceeded) {
		b.Error(err)
	}
}

func (c *cluster) publishing() (n int) {
	for _, node := range c.nodes {
		var all server.Varz
		if err := node.ask("/varz", &all); err != nil {
			c.Fatal(err)
		}
		n += all.Connections
	}
	return n
}

func (c *cluster) processorTime() (all time.Duration) {
	for _, n := range c.nodes {
		all += processorTime(c, n.cmd)
	}
	return all
}

// processorTime returns what a process has used so far: proc_pid_stat(5), utime and stime in
// hundredths of a second.
func processorTime(tb testing.TB, cmd *exec.Cmd) time.Duration {
	tb.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	ticks := 0
	for _, field := range strings.Fields(rest)[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			tb.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// memory returns the most that a process has had resident, in megabytes.
func memory(tb testing.TB, cmd *exec.Cmd) float64 {
	tb.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		tb.Fatal(err)
	}
	return float64(n) * 1024 / 1e6
}
