package main

import (
	"bufio"
	"encoding/json"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/engine"
)

// TestResumeFirst tests that the first message of a table that resumes a match, or
// begins one at once, shows the match. Home Assistant would take an empty table
// before it for the end of the match.
func TestResumeFirst(t *testing.T) {
	if _, err := exec.LookPath("mosquitto_sub"); err != nil {
		t.Fatal("mosquitto_sub is not installed; make test installs it")
	}
	addr := startMosquitto(t)
	data := t.TempDir()
	begin := []string{"--broker", "mqtt://" + addr, "--data", data, "--game", "tally/score", "--seats",
		"red=Alice,blue=Max"}

	watching := watchBroker(t, addr)
	p := startDemo(t, begin...)
	watching.await(t, "tableside/demo/state ") // before anything is played
	for range 3 {
		if r, err := p.input("red key plus"); err != nil || r.Outcome != engine.Accepted {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	watching.await(t, "/config ")
	p.kill()
	states, announcements := watching.messages()
	checkFirst(t, "begun", states, announcements, 0)

	watching = watchBroker(t, addr)
	p = startDemo(t, append(begin, "--resume")...)
	v, err := p.view()
	if err != nil || v.Seq != 3 {
		t.Fatalf("seq %d, %v", v.Seq, err)
	}
	watching.await(t, "0 tableside/demo/state ")
	watching.await(t, "0 homeassistant/device/tableside_demo/config ")
	p.interrupt()
	states, announcements = watching.messages()
	checkFirst(t, "resumed", states, announcements, 3)
}

// checkFirst checks the states and announcements that were published.
func checkFirst(t *testing.T, what string, states, announcements []string, seq int) {
	t.Helper()
	if len(states) == 0 || len(announcements) == 0 {
		t.Fatalf("%s: %d states, %d announcements", what, len(states), len(announcements))
	}
	for i, state := range states {
		var v engine.View
		if err := json.Unmarshal([]byte(state), &v); err != nil || v.Match == "" || i == 0 && v.Seq != seq {
			t.Errorf("%s: state %d of %d is %s", what, i+1, len(states), state)
		}
	}
	for _, a := range announcements {
		if !strings.Contains(a, "Alice") {
			t.Errorf("%s: of %d announcements one is %s", what, len(announcements), a)
		}
	}
}

// A subscriber collects what is published from now on.
type subscriber struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	seen []string // topic and payload
	done chan struct{}
}

func watchBroker(t *testing.T, addr string) *subscriber {
	t.Helper()
	host, port, _ := net.SplitHostPort(addr)
	if out, err := exec.Command("mosquitto_pub", "-h", host, "-p", port, "-t", "test/ready", "-r", "-m",
		"1").CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
	s := &subscriber{done: make(chan struct{}), cmd: exec.Command("mosquitto_sub", "-h", host, "-p", port, "-F",
		"%r %t %p",
		"-t", "tableside/demo/state", "-t", "homeassistant/#", "-t", "test/ready")}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			s.mu.Lock()
			s.seen = append(s.seen, lines.Text())
			s.mu.Unlock()
		}
	}()
	t.Cleanup(s.end)
	s.await(t, "test/ready")
	return s
}

// await waits for a message with this text.
func (s *subscriber) await(t *testing.T, text string) {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		found := false
		for _, m := range s.seen {
			found = found || strings.Contains(m, text)
		}
		s.mu.Unlock()
		if found {
			return
		}
		if time.Now().After(limit) {
			t.Fatalf("no message has %q", text)
		}
	}
}

func (s *subscriber) end() {
	_ = s.cmd.Process.Kill()
	<-s.done
	_ = s.cmd.Wait()
}

// messages returns the new states and announcements.
func (s *subscriber) messages() (states, announcements []string) {
	s.end()
	for _, m := range s.seen {
		fields := strings.SplitN(m, " ", 3)
		if len(fields) < 3 || fields[0] == "1" || fields[2] == "" {
			continue // retained, or cleared
		}
		switch {
		case fields[1] == "tableside/demo/state":
			states = append(states, fields[2])
		case strings.HasPrefix(fields[1], "homeassistant/") && strings.HasSuffix(fields[1], "/config"):
			announcements = append(announcements, fields[2])
		}
	}
	return states, announcements
}
