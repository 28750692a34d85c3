package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/engine/enginetest"
)

func megabytes() int {
	return enginetest.Count("giant", 40)
}

// grown bounds the growth of a process's memory since its start, in bytes. The race
// detector needs shadow memory; the program that is shipped must stay below 60 MB in
// all.
const grown = 30 << 20

// TestGiantMessage publishes a message of many megabytes to the table's input, with
// and without retaining it, and tests that the table skips it and plays on.
func TestGiantMessage(t *testing.T) {
	addr := startMosquitto(t)
	p := startDemo(t, "--game", "tally/score", "--broker", "mqtt://"+addr)
	before := p.resident("VmHWM")
	giant := bytes.Repeat([]byte("x"), megabytes()<<20)
	for n, retain := range []string{"", "-r"} {
		publish(t, addr, "tableside/demo/input", giant, retain)
		if r, err := p.input("red key plus"); err != nil || r.Outcome != engine.Accepted {
			t.Fatalf("%+v, %v", r, err)
		}
		for limit := time.Now().Add(20 * time.Second); string(bytes.TrimSpace(subscribe(t, addr,
			"tableside/demo/seat/red/score"))) != strconv.Itoa(n+1); {
			if time.Now().After(limit) {
				t.Fatal("the table did not come back")
			}
		}
	}
	if health := string(subscribe(t, addr, "tableside/demo/health/broker")); !strings.Contains(health,
		"message_size_limit 1048576") {
		t.Errorf("health of the broker: %s", health)
	}
	after := p.resident("VmHWM")
	t.Logf("%d MB: %d MB of memory, %d MB before", megabytes(), after>>20, before>>20)
	if after-before > grown || os.Getenv("TABLESIDE_BIN") != "" && after > 60<<20 {
		t.Errorf("memory grew from %d to %d bytes", before, after)
	}
	p.interrupt()
}

// TestJunkRetained retains 90 MB on the embedded broker: without its limits, memory
// would grow by 240 MB, and by more with the race detector.
func TestJunkRetained(t *testing.T) {
	p := startDemo(t, "--game", "tally/score")
	publish(t, p.mqtt, "junk/first", bytes.Repeat([]byte("x"), 900<<10), "-r")
	before := p.resident("VmHWM")
	client := connect(t, p.mqtt, "junk")
	junk := bytes.Repeat([]byte("x"), 900<<10)
	for i := range 100 {
		token := client.Publish(fmt.Sprint("junk/", i), 1, true, junk)
		if !token.WaitTimeout(20*time.Second) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
	after := p.resident("VmHWM")
	t.Logf("%d MB of memory, %d MB before", after>>20, before>>20)
	if after-before > 130<<20 || os.Getenv("TABLESIDE_BIN") != "" && after > 80<<20 {
		t.Errorf("memory grew from %d to %d bytes", before, after)
	}
	p.interrupt()
}

func publish(t *testing.T, addr, topic string, payload []byte, args ...string) {
	t.Helper()
	host, port, _ := net.SplitHostPort(addr)
	all := []string{"-h", host, "-p", port, "-q", "1", "-t", topic, "-s"}
	for _, arg := range args {
		if arg != "" {
			all = append(all, arg)
		}
	}
	cmd := exec.Command("mosquitto_pub", all...)
	cmd.Stdin = bytes.NewReader(payload)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}
