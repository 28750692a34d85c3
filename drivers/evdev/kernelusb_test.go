//go:build gpiosim

package evdev_test

import (
	"errors"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"tableside/drivers/evdev"
)

// qemuKeyboard is QEMU's USB keyboard.
const qemuKeyboard = "0627:0001"

// A monitor takes commands to QEMU. .ci/kernel connects it to the second serial line.
type monitor struct {
	*testing.T
	line *os.File
}

func (m *monitor) do(command string) {
	m.Helper()
	if _, err := m.line.WriteString(command + "\n"); err != nil {
		m.Fatal(err)
	}
}

// within waits for a condition. It never sleeps: idle time is skipped in this machine,
// and QEMU, which carries out commands in the time outside, would fall behind.
func within(limit time.Duration, condition func() bool) bool {
	for began := time.Now(); time.Since(began) < limit; runtime.Gosched() {
		if condition() {
			return true
		}
	}
	return false
}

func (m *monitor) until(what string, condition func() bool) {
	m.Helper()
	if !within(time.Minute, condition) {
		m.Fatalf("never: %s", what)
	}
}

// plug plugs the keyboard in, and returns who listens to it once it is heard.
func (m *monitor) plug() *listener {
	m.Helper()
	m.do("device_add usb-kbd,id=keyboard")
	dev, err := evdev.New(evdev.Kernel{}, &evdev.Opts{Device: qemuKeyboard})
	if err != nil {
		m.Fatal(err)
	}
	m.until("plugged in", func() bool { // it is listed before it can be opened
		_, err := dev.Probe()
		return err == nil
	})
	l := listen(m.T, evdev.Opts{Device: qemuKeyboard})
	m.until("heard", func() bool {
		if len(l.done) > 0 {
			m.Fatal(<-l.done)
		}
		m.do("sendkey f12 20")
		return within(time.Second/2, func() bool { return len(l.heard()) > 0 })
	})
	within(time.Second, func() bool { return false }) // what was pressed before has come
	return l
}

func (m *monitor) press(l *listener, key, want string) {
	m.Helper()
	before := len(l.heard())
	m.do("sendkey " + key + " 20")
	m.until(want, func() bool { return len(l.heard()) > before })
	if got := l.heard(); len(got) != before+1 || got[before] != want {
		m.Errorf("%s: got %q", key, got[before:])
	}
}

// presses is how many keys are pressed: a tenth of 1,000 unless the environment says so.
func presses(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("PRESSES"))
	if err != nil && os.Getenv("PRESSES") != "" {
		t.Fatal(err)
	}
	return max(n, 100)
}

// TestKernelUSBKeyboard presses keys of a USB keyboard, of which everything is real but
// the plastic, pulls it out while a key is down, and plugs it in again.
func TestKernelUSBKeyboard(t *testing.T) {
	line, err := os.OpenFile("/dev/ttyS1", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	m := &monitor{t, line}
	keys := []struct{ key, want string }{{"ret", "KEY_ENTER"}, {"kp_5", "KEY_KP5"}, {"left", "KEY_LEFT"}, {"a", "KEY_A"},
		{"backspace", "KEY_BACKSPACE"}}
	const plugs = 2
	for range plugs {
		l := m.plug()
		for i := range presses(t) / plugs {
			k := keys[i%len(keys)]
			m.press(l, k.key, k.want)
		}
		m.do("sendkey b 2000") // further keys would wait as long
		m.until("KEY_B", func() bool { h := l.heard(); return h[len(h)-1] == "KEY_B" })
		m.do("device_del keyboard")
		m.until("pulled out", func() bool { return len(l.done) > 0 })
		if err := <-l.done; !errors.Is(err, evdev.ErrAbsent) {
			t.Errorf("pulled out: %v", err)
		}
		l.cancel()
	}
}
