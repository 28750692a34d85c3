package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNotify tests the messages to systemd: ready, watchdog and stopping.
func TestNotify(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: file, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	env := map[string]string{"NOTIFY_SOCKET": file, "WATCHDOG_USEC": "30000", "STATE_DIRECTORY": t.TempDir(), "LANG": "C"}
	config := filepath.Join(t.TempDir(), "tableside.toml")
	if err := os.WriteFile(config, []byte("[http]\nlisten = \"127.0.0.1:0\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int, 1)
	var out strings.Builder
	go func() {
		done <- run(ctx, []string{"run", "--config", config}, strings.NewReader(""), &out, &out,
			func(name string) string { return env[name] })
	}()
	heard := func() string {
		t.Helper()
		buf := make([]byte, 1000)
		if err := socket.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		n, err := socket.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	ready, fed := false, 0
	for fed < 3 {
		switch said := heard(); {
		case strings.HasPrefix(said, "READY=1\n"):
			if !strings.Contains(said, "STATUS=") {
				t.Errorf("ready: %q", said)
			}
			ready = true
		case said == "WATCHDOG=1":
			fed++
			if !ready {
				t.Error("the watchdog is fed before the daemon is ready")
			}
		default:
			t.Errorf("heard %q", said)
		}
	}
	cancel()
	for heard() != "STOPPING=1" {
	}
	if code := <-done; code != exitDone {
		t.Errorf("exit code %d: %s", code, out.String())
	}
}
