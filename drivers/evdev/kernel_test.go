//go:build gpiosim

// These tests need a kernel with uinput and the right to make input devices:
// `make test-kernel` has one.

package evdev_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"tableside/drivers/evdev"
)

// ioctl numbers of include/uapi/linux/uinput.h.
const (
	uiDevCreate  = 0x5501
	uiDevDestroy = 0x5502
	uiDevSetup   = 0x405c5503
	uiSetEvbit   = 0x40045564
	uiSetKeybit  = 0x40045565
	uiSetPhys    = 0x4008556c
)

// A virtual is an input device of the kernel that the test types on.
type virtual struct {
	*testing.T
	file *os.File
}

// plug makes a keyboard that the kernel takes for one on USB.
func plug(t *testing.T, product uint16, port string) *virtual {
	t.Helper()
	file, err := os.OpenFile("/dev/uinput", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	v := &virtual{t, file}
	v.ioctl(uiSetEvbit, 1)
	for code := uintptr(1); code < 0x120; code++ {
		v.ioctl(uiSetKeybit, code)
	}
	var setup [92]byte // id, name, ff_effects_max
	for i, n := range []uint16{evdev.USB, 0x1c4f, product, 1} {
		binary.NativeEndian.PutUint16(setup[2*i:], n)
	}
	copy(setup[8:], "A typing reader")
	phys := append([]byte(port), 0)
	v.ioctl(uiSetPhys, uintptr(unsafe.Pointer(&phys[0])))
	v.ioctl(uiDevSetup, uintptr(unsafe.Pointer(&setup)))
	v.ioctl(uiDevCreate, 0)
	return v
}

func (v *virtual) ioctl(request, value uintptr) {
	v.Helper()
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, v.file.Fd(), request, value); errno != 0 {
		v.Fatalf("ioctl %#x: %v", request, errno)
	}
}

func (v *virtual) unplug() {
	v.Helper()
	v.ioctl(uiDevDestroy, 0)
	v.file.Close()
}

// key sends a key and the end of its report.
func (v *virtual) key(code uint16, value int32) {
	v.Helper()
	var b bytes.Buffer
	for _, e := range []struct {
		at        [2]uint64
		kind, key uint16
		value     int32
	}{{kind: 1, key: code, value: value}, {}} {
		if err := binary.Write(&b, binary.NativeEndian, e); err != nil {
			v.Fatal(err)
		}
	}
	if _, err := v.file.Write(b.Bytes()); err != nil {
		v.Fatal(err)
	}
}

// tap presses and releases keys, with a pause after each report: 1 ms is the shortest
// that a keyboard has on USB.
func (v *virtual) tap(pause time.Duration, codes ...uint16) {
	v.Helper()
	for _, code := range codes {
		for _, value := range []int32{1, 0} {
			v.key(code, value)
			if pause > 0 {
				time.Sleep(pause)
			}
		}
	}
}

func codesOf(digits string) []uint16 {
	var codes []uint16
	for _, c := range digits {
		codes = append(codes, uint16(2+(c-'0'+9)%10))
	}
	return append(codes, 28)
}

// A listener runs a device and collects its events.
type listener struct {
	mu     sync.Mutex
	events []string
	delays []time.Duration // from the kernel's time stamp
	cancel func()
	done   chan error
}

func listen(t *testing.T, opts evdev.Opts) *listener {
	t.Helper()
	dev, err := evdev.New(evdev.Kernel{}, &opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l := &listener{cancel: cancel, done: make(chan error, 1)}
	go func() {
		l.done <- dev.Run(ctx, func(e evdev.Event) {
			var now unix.Timespec
			if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
				t.Error(err)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			l.delays = append(l.delays, time.Duration(now.Nano())-e.At)
			l.events = append(l.events, e.Text)
		})
	}()
	return l
}

// ready waits until the device is grabbed: it types until it is heard.
func (l *listener) ready(v *virtual, codes ...uint16) {
	v.Helper()
	for range 1000 {
		v.tap(ms, codes...)
		l.mu.Lock()
		heard := len(l.events) > 0
		l.mu.Unlock()
		if heard {
			time.Sleep(50 * ms) // nothing of it is on its way
			l.mu.Lock()
			defer l.mu.Unlock()
			l.events, l.delays = nil, nil
			return
		}
	}
	v.Fatal("nothing is heard")
}

func (l *listener) heard() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.events)
}

func (l *listener) stop(t *testing.T) {
	t.Helper()
	l.cancel()
	if err := <-l.done; err != nil {
		t.Error(err)
	}
}

func TestKernelThousandKeys(t *testing.T) {
	v := plug(t, 2, "usb-1.2/input0")
	defer v.unplug()
	l := listen(t, evdev.Opts{Device: "1c4f:0002"})
	l.ready(v, 88) // F12
	if _, err := (evdev.Kernel{}).Open(pathOf(t, 2)); !errors.Is(err, syscall.EBUSY) {
		t.Errorf("grabbed twice: %v", err)
	}
	chance := rand.New(rand.NewPCG(1, 2))
	keys := map[string]uint16{"KEY_ENTER": 28, "KEY_BACKSPACE": 14, "KEY_KP5": 76, "KEY_LEFT": 105, "KEY_F1": 59}
	var names, want []string
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	for range 1000 {
		name := names[chance.IntN(len(names))]
		want = append(want, name)
		v.key(keys[name], 1)
		time.Sleep(5*ms + time.Duration(chance.Int64N(int64(30*ms))))
		v.key(keys[name], 0)
		time.Sleep(5*ms + time.Duration(chance.Int64N(int64(30*ms))))
	}
	time.Sleep(50 * ms)
	if got := l.heard(); !slices.Equal(got, want) {
		t.Errorf("1000 presses: got %d", len(got))
	}
	slices.Sort(l.delays)
	t.Logf("from the kernel's time stamp: median %v, most %v", l.delays[len(l.delays)/2], l.delays[len(l.delays)-1])
	if median := l.delays[len(l.delays)/2]; median > 5*ms {
		t.Errorf("median %v, want less than 5 ms", median)
	}
	l.stop(t)
}

// pathOf returns the device file of a product.
func pathOf(t *testing.T, product uint16) string {
	t.Helper()
	all, err := evdev.Kernel{}.List()
	if err != nil {
		t.Fatal(err)
	}
	info, err := evdev.Find(all, fmt.Sprintf("1c4f:%04x", product))
	if err != nil {
		t.Fatalf("%v among %+v", err, all)
	}
	if info.Bus != evdev.USB || info.Name != "A typing reader" || info.Phys != "usb-1.2/input0" || info.Keys < 100 {
		t.Errorf("%+v", info)
	}
	return info.Path
}

// TestKernelTypingReader types codes as fast as USB allows, from two readers at once.
func TestKernelTypingReader(t *testing.T) {
	var all sync.WaitGroup
	for _, product := range []uint16{3, 4} {
		v := plug(t, product, fmt.Sprintf("usb-1.%d/input0", product))
		defer v.unplug()
		l := listen(t, evdev.Opts{Device: fmt.Sprintf("1c4f:%04x", product), Lines: true})
		l.ready(v, codesOf("0")...)
		all.Go(func() {
			var want []string
			for n := range 500 {
				line := fmt.Sprintf("%d%09d", product, n*7919)
				want = append(want, line)
				v.tap(ms, codesOf(line)...)
			}
			time.Sleep(50 * ms)
			if got := l.heard(); !slices.Equal(got, want) {
				t.Errorf("500 codes: got %d, %q", len(got), got[max(0, len(got)-3):])
			}
			l.stop(t)
		})
	}
	all.Wait()
}

// TestKernelDropped tests that no code is put together from two when the kernel's
// buffer overflows.
func TestKernelDropped(t *testing.T) {
	v := plug(t, 5, "usb-1.5/input0")
	defer v.unplug()
	l := listen(t, evdev.Opts{Device: "1c4f:0005", Lines: true})
	l.ready(v, codesOf("0")...)
	typed := map[string]bool{}
	for round := range 20 {
		l.mu.Lock() // the reader of events is held up
		for n := range 40 {
			line := fmt.Sprintf("%05d%05d", round, n)
			typed[line] = true
			v.tap(0, codesOf(line)...)
		}
		l.mu.Unlock()
		time.Sleep(time.Second)
	}
	v.tap(ms, codesOf("99")...)
	time.Sleep(50 * ms)
	got := l.heard()
	t.Logf("%d codes in bursts: %d were read", len(typed), len(got)-1)
	if len(got) == 0 || got[len(got)-1] != "99" || len(got) > len(typed) {
		t.Errorf("got %d codes, the last is %q", len(got), got[max(0, len(got)-1):])
	}
	for _, line := range got[:len(got)-1] {
		if !typed[line] {
			t.Errorf("%q was never typed", line)
		}
	}
	l.stop(t)
}

func TestKernelUnpluggedInTheMiddle(t *testing.T) {
	for round := range 20 {
		v := plug(t, 6, "usb-1.6/input0")
		l := listen(t, evdev.Opts{Device: "1c4f:0006", Lines: true})
		l.ready(v, codesOf("0")...)
		v.tap(ms, codesOf(strings.Repeat("1", 10))[:round%11]...)
		v.key(2, 1)
		v.unplug()
		select {
		case err := <-l.done:
			if !errors.Is(err, evdev.ErrAbsent) {
				t.Errorf("pulled out: %v", err)
			}
		case <-time.After(3 * time.Second):
			t.Fatal("it was pulled out, and Run did not notice")
		}
		if got := l.heard(); len(got) > 0 {
			t.Errorf("half a code: %q", got)
		}
		again, err := evdev.New(evdev.Kernel{}, &evdev.Opts{Device: "1c4f:0006"})
		if err != nil {
			t.Fatal(err)
		}
		if err := again.Run(t.Context(), nil); !errors.Is(err, evdev.ErrAbsent) {
			t.Errorf("it is gone: %v", err)
		}
	}
}
