package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tableside/engine"
)

func binary() string {
	if bin := os.Getenv("TABLESIDE_BIN"); bin != "" {
		return bin
	}
	return "tableside"
}

// A process is a running tableside.
type process struct {
	t    testing.TB
	cmd  *exec.Cmd
	page string // "http://127.0.0.1:1234"
	mqtt string // "127.0.0.1:1234"
	errs bytes.Buffer
	out  sync.WaitGroup
	once sync.Once
	err  error

	played chan struct{} // closed when it prints that the script is played
}

// startDemo starts a demo on free ports and waits until it prints its addresses.
func startDemo(t testing.TB, args ...string) *process {
	t.Helper()
	args = append([]string{"demo", "--http", "127.0.0.1:0"}, args...)
	if !strings.Contains(strings.Join(args, " "), "--broker") {
		args = append(args, "--mqtt", "127.0.0.1:0")
	}
	return startTable(t, args...)
}

// startTable starts demo, run or hall and waits until it prints its addresses.
func startTable(t testing.TB, args ...string) *process {
	t.Helper()
	return startCommand(t, exec.Command(binary(), args...))
}

// startCommand does the same for a command that runs the program with such arguments.
func startCommand(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	args := cmd.Args
	p := &process{t: t, cmd: cmd, played: make(chan struct{})}
	p.cmd.Stderr = &p.errs
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	ready := make(chan bool, 1)
	p.out.Go(func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			what, text, _ := strings.Cut(lines.Text(), " ")
			text = strings.TrimSpace(text)
			switch what {
			case "page":
				p.page = strings.TrimSuffix(text, "/")
			case "mqtt":
				broker, _, _ := strings.Cut(text, ",")
				p.mqtt = strings.TrimPrefix(broker, "tcp://")
				if slices.Contains(args, "hall") && !slices.Contains(args, "--data") { // it keeps nothing
					ready <- true
				}
			case "data":
				ready <- true
			case "script":
				if strings.Contains(text, " is played: ") {
					close(p.played)
				}
			}
		}
		ready <- false
	})
	select {
	case ok := <-ready:
		if !ok {
			p.kill()
			t.Fatalf("%v did not start: %s", args, p.errs.String())
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("%v says no address", args)
	}
	return p
}

func (p *process) kill() { p.end(syscall.SIGKILL) }

func (p *process) interrupt() {
	p.t.Helper()
	if err := p.end(syscall.SIGINT); err != nil {
		p.t.Errorf("it ends with %v: %s", err, p.errs.String())
	}
}

func (p *process) end(signal os.Signal) error {
	p.once.Do(func() {
		_ = p.cmd.Process.Signal(signal)
		hung := time.AfterFunc(time.Minute, func() { _ = p.cmd.Process.Signal(syscall.SIGQUIT) })
		defer hung.Stop() // else its goroutines say what it waits for
		p.out.Wait()
		p.err = p.cmd.Wait()
	})
	return p.err
}

// get reads an address of the page.
func (p *process) get(path string) ([]byte, error) {
	patient := http.Client{Timeout: time.Minute}
	answer, err := patient.Get(p.page + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, answer.Status, body)
	}
	return body, err
}

func (p *process) view() (engine.View, error) {
	var v engine.View
	body, err := p.get("/api/view")
	if err == nil {
		err = json.Unmarshal(body, &v)
	}
	return v, err
}

func (p *process) input(line string) (engine.Receipt, error) {
	var r engine.Receipt
	answer, err := http.Post(p.page+"/api/input", "text/plain", strings.NewReader(line))
	if err != nil {
		return r, err
	}
	defer answer.Body.Close()
	return r, json.NewDecoder(answer.Body).Decode(&r)
}

// score returns the counter of a seat, -1 where there is none.
func score(v engine.View, seat engine.Seat) int {
	s := v.Seat(seat)
	if s == nil {
		return -1
	}
	n, ok := s.Counters.Get("score")
	if !ok {
		return -1
	}
	return n
}

// resident returns the memory of a process in bytes: "VmRSS" now, "RssAnon" of that what
// belongs to the process alone, or "VmHWM" at its peak.
func (p *process) resident(what string) int {
	p.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n << 10
		}
	}
	return 0
}
