//go:build gpiosim

// These tests need a kernel with gpio-sim and the right to make chips:
// `make test-kernel` has one.

package keys_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/warthog618/go-gpiocdev"
	"github.com/warthog618/go-gpiosim"
	"golang.org/x/sys/unix"

	"tableside/drivers/gpiochip/gpiochiptest"
	"tableside/drivers/keys"
	"tableside/drivers/keys/keystest"
)

// pulls implements Pins for simulated lines: it pulls against the pull-up.
type pulls struct{ chip *gpiosim.Chip }

func (p pulls) Set(line int, high bool) error {
	if high {
		return p.chip.Pullup(line)
	}
	return p.chip.Pulldown(line)
}

// taken waits until the keys have their lines.
func taken(t *testing.T, chip *gpiosim.Chip, line int) {
	t.Helper()
	c, err := gpiocdev.NewChip(chip.DevPath())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 1000 {
		if info, err := c.LineInfo(line); err != nil || info.Consumer == "test" {
			time.Sleep(5 * ms) // between taking the lines and reading them
			return
		}
		time.Sleep(ms)
	}
	t.Fatal("the lines were not taken")
}

// run runs keys on the header until stop is called.
func run(t *testing.T, sim *gpiosim.Sim, opts *keys.Opts, line int) (*log, func() error) {
	t.Helper()
	dev, err := keys.New(&keys.GPIOChip{Consumer: "test"}, opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	said := &log{}
	go func() { done <- dev.Run(ctx, said.add) }()
	taken(t, &sim.Chips[0], line)
	return said, func() error {
		cancel()
		return <-done
	}
}

func TestKernelThousandPresses(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	said, stop := run(t, sim, &keys.Opts{Buttons: []keys.Button{
		{Name: "yes", Line: 4},
		{Name: "no", Line: 5, Long: keys.DefaultLong},
		{Name: "undo", Line: 6},
	}}, 4)
	var fingers sync.WaitGroup
	for _, line := range []int{4, 5, 6} { // all at once
		finger := keystest.NewFinger(pulls{&sim.Chips[0]}, line, 1)
		chance := rand.New(rand.NewPCG(2, uint64(line)))
		fingers.Go(func() {
			for range 1000 {
				if err := finger.Press(t.Context(), 10*ms+time.Duration(chance.Int64N(int64(50*ms)))); err != nil {
					t.Error(err)
				}
				time.Sleep(10*ms + time.Duration(chance.Int64N(int64(50*ms))))
			}
		})
	}
	fingers.Wait()
	time.Sleep(100 * ms)
	if err := stop(); err != nil {
		t.Error(err)
	}
	yes, no, undo := said.count("yes", keys.Press), said.count("no", keys.Press), said.count("undo", keys.Press)
	t.Logf("1000 presses each: %d, %d, %d; events: %d", yes, no, undo, said.all())
	if yes != 1000 || no != 1000 || undo != 1000 || said.all() != 3000 {
		t.Error("presses were lost or invented")
	}
}

func TestKernelLongPresses(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	said, stop := run(t, sim, &keys.Opts{Buttons: []keys.Button{{Name: "no", Line: 5, Long: keys.DefaultLong}}}, 5)
	finger := keystest.NewFinger(pulls{&sim.Chips[0]}, 5, 3)
	for n := 1; n <= 20; n++ {
		if err := finger.Down(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(keys.DefaultLong + 50*ms)
		if got := said.count("no", keys.Long); got != n {
			t.Fatalf("while it is held for the %d. time: %d long presses", n, got)
		}
		if err := finger.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * ms)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if said.all() != 20 {
		t.Errorf("20 long presses: %v", said.events)
	}
}

func TestKernelThousandDetents(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	said, stop := run(t, sim, &keys.Opts{Encoders: []keys.Encoder{{Name: "knob", A: 17, B: 27}}}, 17)
	knob := keystest.NewKnob(pulls{&sim.Chips[0]}, 17, 27, 4)
	for _, detents := range []int{300, -600, 700, -400} {
		if err := knob.Turn(t.Context(), detents); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(100 * ms)
	if err := stop(); err != nil {
		t.Error(err)
	}
	right, left := said.count("knob", keys.Right), said.count("knob", keys.Left)
	t.Logf("1000 detents each way: %d right, %d left", right, left)
	if right != 1000 || left != 1000 {
		t.Error("detents were lost or invented")
	}
}

// TestKernelTimeStamps checks that the time of an event is the kernel's time stamp.
func TestKernelTimeStamps(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	said, stop := run(t, sim, &keys.Opts{Buttons: []keys.Button{{Name: "yes", Line: 4}}}, 4)
	now := func() time.Duration {
		var ts unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
			t.Fatal(err)
		}
		return time.Duration(ts.Nano())
	}
	pin := pulls{&sim.Chips[0]}
	for range 20 {
		before := now()
		if err := pin.Set(4, false); err != nil {
			t.Fatal(err)
		}
		after := now()
		time.Sleep(20 * ms)
		pin.Set(4, true)
		time.Sleep(20 * ms)
		said.mu.Lock()
		last := said.events[len(said.events)-1]
		said.mu.Unlock()
		// The simulated interrupt is raised a little after the pull has changed.
		if last.At < before || last.At > after+ms {
			t.Errorf("pressed between %v and %v, but at %v", before, after, last.At)
		}
	}
	stop()
}

// TestKernelOverflow checks that a machine that stops for a while loses edges, and
// is right afterwards.
func TestKernelOverflow(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	chip := &keys.GPIOChip{Consumer: "test"}
	lines, err := chip.Request(t.Context(), []int{4, 5})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	pin := pulls{&sim.Chips[0]}
	for i := range 1500 {
		pin.Set(4, i%2 == 1)
		time.Sleep(ms / 10)
	}
	var edges [64]keys.Edge
	got, gaps, seq := 0, 0, uint32(0)
	for {
		n, err := lines.Next(t.Context(), edges[:], 10*ms)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break
		}
		for _, e := range edges[:n] {
			if e.Seq != seq+1 {
				gaps++
			}
			seq = e.Seq
			got++
		}
	}
	t.Logf("1500 edges: %d read, %d gaps, the last is number %d", got, gaps, seq)
	if got != 1024 || gaps == 0 || seq < 1490 {
		t.Error("the queue differs from the driver's assumptions")
	}
}

func TestKernelReadingAllocatesNothing(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	lines, err := (&keys.GPIOChip{}).Request(t.Context(), []int{4})
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	pin := pulls{&sim.Chips[0]}
	for i := range 600 {
		pin.Set(4, i%2 == 1)
		time.Sleep(ms / 10)
	}
	var edges [4]keys.Edge
	var high [1]bool
	if n := testing.AllocsPerRun(100, func() {
		if n, err := lines.Next(t.Context(), edges[:], 10*ms); n != 4 || err != nil {
			t.Fatal(n, err)
		}
		if err := lines.Levels(t.Context(), high[:]); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations to read edges and levels", n)
	}
}

func TestKernelBusyLine(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	chip := &keys.GPIOChip{}
	refused := func(button, line int, want string) {
		t.Helper()
		dev, err := keys.New(chip, &keys.Opts{Buttons: []keys.Button{{Name: "yes", Line: button}, {Name: "no", Line: line}}})
		if err != nil {
			t.Fatal(err)
		}
		err = dev.Run(t.Context(), func(keys.Event) {})
		if err == nil || err.Error() != want || !errors.Is(err, syscall.EBUSY) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	refused(4, 7, `keys: no: line 7 is held by "spi0 CS1"`)
	_, stop := run(t, sim, &keys.Opts{Buttons: []keys.Button{{Name: "x", Line: 5}}}, 5)
	refused(4, 5, `keys: no: line 5 is held by "test"`)
	if err := stop(); err != nil {
		t.Error(err)
	}
	lines, err := chip.Request(t.Context(), []int{4, 5})
	if err != nil {
		t.Errorf("after it was given back: %v", err)
	} else {
		lines.Close()
	}
	if _, err := chip.Request(t.Context(), []int{28}); err == nil || !strings.Contains(err.Error(), "no line 28") {
		t.Errorf("a line that is not there: %v", err)
	}
	other := &keys.GPIOChip{Label: "pinctrl-bcm*"}
	if _, err := other.Request(t.Context(), []int{4}); !errors.Is(err, syscall.ENODEV) ||
		!strings.Contains(err.Error(), "but pinctrl-sim") {
		t.Errorf("a chip that is not there: %v", err)
	}
}

func TestKernelChipGoesAndComesBack(t *testing.T) {
	dev, err := keys.New(&keys.GPIOChip{Consumer: "test"}, &keys.Opts{Buttons: []keys.Button{{Name: "yes", Line: 4}}})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		sim := gpiochiptest.Header(t)
		said := &log{}
		done := make(chan error, 1)
		go func() { done <- dev.Run(t.Context(), said.add) }()
		taken(t, &sim.Chips[0], 4)
		if err := keystest.NewFinger(pulls{&sim.Chips[0]}, 4, 5).Press(t.Context(), 50*ms); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * ms)
		if said.count("yes", keys.Press) != 1 {
			t.Errorf("a press on a new chip: %v", said.events)
		}
		gone := time.Now()
		sim.Close()
		select {
		case err := <-done:
			t.Logf("after %v: %v", time.Since(gone), err)
			if !errors.Is(err, syscall.ENODEV) {
				t.Errorf("the chip has gone: %v", err)
			}
		case <-time.After(3 * time.Second):
			t.Fatal("the chip has gone, and Run did not notice")
		}
		if err := dev.Run(t.Context(), said.add); !errors.Is(err, syscall.ENODEV) {
			t.Errorf("it is still gone: %v", err)
		}
	}
}

func TestKernelContextEndsTheWait(t *testing.T) {
	sim := gpiochiptest.Header(t)
	defer sim.Close()
	for range 20 {
		_, stop := run(t, sim, &keys.Opts{Buttons: []keys.Button{{Name: "yes", Line: 4}}}, 4)
		began := time.Now()
		if err := stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 100*ms {
			t.Errorf("Run took %v to end", took)
		}
	}
}
