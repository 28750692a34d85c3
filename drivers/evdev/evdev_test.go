package evdev_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
)

const ms = time.Millisecond

var pad = evdev.Info{Path: "/dev/input/event3", IDs: []string{"usb-Pad-event-kbd"}, Name: "Pad", Bus: evdev.USB,
	Phys: "usb-1.2/input0", Vendor: 0x1c4f, Product: 0x0002, Keys: 17}

// typed runs a device and returns what it said, after the test has typed on it.
func typed(t *testing.T, opts evdev.Opts, on func(d *evdevtest.Device, said func() string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		host := &evdevtest.Host{}
		d := host.Plug(pad)
		dev, err := evdev.New(host, &opts)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		var events []string
		done := make(chan error, 1)
		go func() {
			done <- dev.Run(ctx, func(e evdev.Event) {
				kind := []string{"", "", "", "torn ", "flood", "calm"}[e.Kind]
				mu.Lock()
				defer mu.Unlock()
				events = append(events, kind+e.Text)
			})
		}()
		synctest.Wait()
		on(d, func() string {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			all := strings.Join(events, ", ")
			events = nil
			return all
		})
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if d.Grabbed() {
			t.Error("the device was not given back")
		}
	})
}

func TestPresses(t *testing.T) {
	typed(t, evdev.Opts{Device: "1c4f:0002"}, func(d *evdevtest.Device, said func() string) {
		d.Send(1, 59, 1)
		for range 10 { // the kernel repeats a key that is held
			d.Send(1, 59, 2)
		}
		d.Send(1, 59, 0)
		d.Tap(96, 0x110, 116) // not the mouse, nor power
		d.Send(3, 0x10, -1)   // a pad to the left and back
		d.Send(3, 0x10, 0)
		d.Send(3, 0x11, 1)
		want := "KEY_F1, KEY_KPENTER, BTN_DPAD_LEFT, BTN_DPAD_DOWN"
		if got := said(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestLines(t *testing.T) {
	typed(t, evdev.Opts{Device: "usb-Pad-event-kbd", Lines: true}, func(d *evdevtest.Device, said func() string) {
		check := func(what, want string) {
			t.Helper()
			if got := said(); got != want {
				t.Errorf("%s: got %q, want %q", what, got, want)
			}
		}
		d.Tap(11, 2, 3, 71, 82, 96) // 7 of the number pad is no 8
		check("digits", "01270")
		d.Send(1, 42, 1)
		d.Tap(30)
		d.Send(1, 42, 0)
		d.Tap(30, 39, 15)
		check("shift", "Aa;")
		d.Send(1, 29, 1) // Ctrl+J and Ctrl+M, as some readers type after a code
		d.Tap(36, 50)
		d.Send(1, 29, 0)
		d.Tap(28, 28)
		check("an empty line", "")
		d.Tap(2, 3, 4)
		d.Later(101 * ms)
		d.Tap(5, 28)
		check("half a line and a whole one", "4")
		d.Tap(2, 3)
		d.Later(99 * ms)
		d.Tap(4, 28)
		check("a slow one", "123")
		d.Tap(2, 3)
		time.Sleep(2 * time.Second)
		check("no end", "torn 12")
		d.Tap(slices.Repeat([]uint16{2, 3}, 20)...) // more than the kernel holds, before anybody reads
		d.Tap(28)
		check("dropped", "")
		d.Tap(2, 28)
		check("and after it", "1")
		for range 300 {
			d.Tap(2)
			synctest.Wait()
		}
		d.Tap(28, 3, 28)
		if got := said(); !strings.HasPrefix(got, "torn 111") || !strings.HasSuffix(got, "1, 2") {
			t.Errorf("a line without end: %q", got)
		}
	})
}

func TestFlood(t *testing.T) {
	typed(t, evdev.Opts{Device: "1c4f:0002"}, func(d *evdevtest.Device, said func() string) {
		for range 500 {
			d.Tap(14)
			time.Sleep(ms)
		}
		got := strings.Split(said(), ", ")
		if len(got) != 101 || got[100] != "flood" || slices.Contains(got[:100], "flood") {
			t.Errorf("500 presses in half a second: %d events, %s", len(got), got)
		}
		time.Sleep(2 * time.Second)
		d.Tap(14)
		if got := said(); got != "calm, KEY_BACKSPACE" {
			t.Errorf("after it: %s", got)
		}
	})
}

func TestUnplugged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := &evdevtest.Host{}
		dev, err := evdev.New(host, &evdev.Opts{Device: "1c4f:0002"})
		if err != nil {
			t.Fatal(err)
		}
		if err := dev.Run(t.Context(), nil); !errors.Is(err, evdev.ErrAbsent) {
			t.Errorf("before it is plugged in: %v", err)
		}
		for range 3 {
			d := host.Plug(pad)
			time.AfterFunc(10*ms, func() {
				d.Send(1, 28, 1) // held while it is pulled out
				d.Unplug()
			})
			err := dev.Run(t.Context(), func(evdev.Event) {})
			if !errors.Is(err, evdev.ErrAbsent) {
				t.Errorf("pulled out: %v", err)
			}
		}
	})
}

func TestFind(t *testing.T) {
	media := pad
	media.Path, media.Phys, media.IDs, media.Keys = "/dev/input/event4", "usb-1.2/input1", []string{"usb-Pad-if01"}, 5
	other := pad
	other.Path, other.Phys = "/dev/input/event5", "usb-1.3/input0"
	mouse := pad
	mouse.Path, mouse.Product, mouse.IDs, mouse.Keys = "/dev/input/event6", 3, nil, 0
	blue := evdev.Info{Path: "/dev/input/event7", Bus: evdev.Bluetooth, Phys: "b8:27:eb:00:00:01",
		Uniq: "aa:bb:cc:00:00:02", Vendor: 0x05ac, Product: 0x0220, Keys: 90}
	one, two := []evdev.Info{media, pad, mouse, blue}, []evdev.Info{pad, media, other, blue}
	for _, c := range []struct {
		all          []evdev.Info
		device, want string
	}{
		{one, "1c4f:0002", "/dev/input/event3"},
		{one, "usb-Pad-if01", "/dev/input/event4"},
		{one, "/dev/input/by-id/usb-Pad-event-kbd", "/dev/input/event3"},
		{one, "1c4f:0003", "not plugged in"},
		{one, "05ac:0220/aa:bb:cc:00:00:02", "/dev/input/event7"},
		{two, "1c4f:0002", "several are plugged in: add the place, as 1c4f:0002/usb-1.2 or 1c4f:0002/usb-1.3"},
		{two, "1c4f:0002/usb-1.3", "/dev/input/event5"},
		{two, "1c4f:0002/usb-1.2/input1", "/dev/input/event4"},
	} {
		got, err := evdev.Find(c.all, c.device)
		if text := got.Path; err != nil && err.Error() != c.want || err == nil && text != c.want {
			t.Errorf("%s: got %s, %v, want %s", c.device, text, err, c.want)
		}
	}
	for _, all := range [][]evdev.Info{one, two} {
		for _, i := range all {
			if i.Keys == 0 {
				continue
			}
			name := i.Device(all)
			if got, err := evdev.Find(all, name); err != nil || got.Path != i.Path || evdev.CheckDevice(name) != nil {
				t.Errorf("%s is called %s: %s, %v", i.Path, name, got.Path, err)
			}
		}
	}
	if err := evdev.CheckDevice("usb-QEMU_Keyboard_68284-0000:00:04.0-1-event-kbd"); err != nil {
		t.Error("a serial number with colons:", err)
	}
	for _, bad := range []string{"", "/dev/input/event3", "1c4f", "1C4F:0002", "1C4F:0002-1", "1c4f:0002-usb-1.2",
		"/dev/input/by-id/"} {
		if evdev.CheckDevice(bad) == nil {
			t.Errorf("%q names a device", bad)
		}
	}
}
