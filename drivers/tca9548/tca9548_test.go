package tca9548_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/devices/v3/pca9548"

	"go.uber.org/goleak"

	"tableside/drivers/tca9548"
	"tableside/drivers/tca9548/tca9548test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const readerAddress = 0x24

// A cell is a device that keeps what is written to it, and takes its time.
type cell struct {
	mu    sync.Mutex
	value byte
	takes atomic.Int64 // time.Duration
	dead  bool
}

func (c *cell) String() string                  { return "cell" }
func (c *cell) SetSpeed(physic.Frequency) error { return nil }

func (c *cell) Tx(_ uint16, w, r []byte) error {
	time.Sleep(time.Duration(c.takes.Load()))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return errors.New("not acknowledged")
	}
	for _, b := range w {
		c.value = b
	}
	for i := range r {
		r[i] = c.value
	}
	return nil
}

// A rig is a bus with switches and two cells, on channels 0 and 1 of the first.
type rig struct {
	bus   *tca9548test.Bus
	muxes []*tca9548test.Mux
	cells [2]*cell
	dev   *tca9548.Dev
	a, b  i2c.Bus
}

func newRig(t *testing.T, reset bool, addresses ...uint16) *rig {
	t.Helper()
	k := &rig{bus: tca9548test.NewBus(), cells: [2]*cell{{value: 0xA0}, {value: 0xB0}}}
	for _, a := range addresses {
		m, err := k.bus.Mux(a)
		if err != nil {
			t.Fatal(err)
		}
		k.muxes = append(k.muxes, m)
	}
	k.muxes[0].Put(0, readerAddress, k.cells[0])
	k.muxes[0].Put(1, readerAddress, k.cells[1])
	opts := tca9548.Opts{Addresses: addresses}
	if reset {
		opts.Reset = k.muxes[0].Reset()
	}
	dev, err := tca9548.New(k.bus, &opts)
	if err != nil {
		t.Fatal(err)
	}
	k.dev = dev
	k.a, k.b = k.channel(t, addresses[0], 0), k.channel(t, addresses[0], 1)
	return k
}

func (k *rig) channel(t *testing.T, address uint16, n int) i2c.Bus {
	t.Helper()
	c, err := k.dev.Channel(address, n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func get(bus i2c.Bus) (byte, error) {
	var r [1]byte
	err := bus.Tx(readerAddress, nil, r[:])
	return r[0], err
}

func expect(t *testing.T, bus i2c.Bus, want byte) {
	t.Helper()
	if got, err := get(bus); err != nil || got != want {
		t.Errorf("%s: %02X, %v; not %02X", bus, got, err, want)
	}
}

func TestChannels(t *testing.T) {
	k := newRig(t, false, 0x70)
	for range 3 {
		expect(t, k.a, 0xA0)
		expect(t, k.b, 0xB0)
	}
	if err := k.a.Tx(readerAddress, []byte{0xA1}, nil); err != nil {
		t.Fatal(err)
	}
	expect(t, k.a, 0xA1)
	expect(t, k.b, 0xB0)
	if _, err := get(k.channel(t, 0x70, 2)); err == nil {
		t.Error("a device where there is none")
	}
	expect(t, k.b, 0xB0)
	// An open channel costs nothing.
	before := k.bus.Wire()
	expect(t, k.b, 0xB0)
	if after := k.bus.Wire(); after.Transactions != before.Transactions+1 || after.Written != before.Written {
		t.Errorf("%+v after %+v", after, before)
	}
	if err := k.dev.Halt(); err != nil || k.muxes[0].Open() != 0 {
		t.Errorf("after Halt: %v, open %08b", err, k.muxes[0].Open())
	}
	expect(t, k.b, 0xB0)
	if err := k.a.Tx(0x70, []byte{0xFF}, nil); err == nil {
		t.Error("a channel reaches the switch")
	}
	if err := k.a.SetSpeed(physic.KiloHertz); err == nil {
		t.Error("a channel has a speed")
	}
	if k.bus.Clashes() != 0 {
		t.Error("devices have clashed")
	}
}

func TestWrongOptions(t *testing.T) {
	bus := tca9548test.NewBus()
	for _, addresses := range [][]uint16{nil, {0x6F}, {0x78}, {0x70, 0x71, 0x70}} {
		if _, err := tca9548.New(bus, &tca9548.Opts{Addresses: addresses}); err == nil {
			t.Errorf("% X are accepted", addresses)
		}
	}
	dev, err := tca9548.New(bus, &tca9548.DefaultOpts)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{-1, 8} {
		if _, err := dev.Channel(0x70, n); err == nil {
			t.Errorf("there is a channel %d", n)
		}
	}
	if _, err := dev.Channel(0x71, 0); err == nil {
		t.Error("there is a switch that was not declared")
	}
	ch, _ := dev.Channel(0x70, 0)
	if _, err := get(ch); err == nil {
		t.Error("a switch works that is not there")
	}
}

// hammer has two goroutines use two channels at once. Each writes its own
// values and reads them back.
func hammer(t *testing.T, a, b i2c.Bus) {
	t.Helper()
	var wg sync.WaitGroup
	for i, bus := range []i2c.Bus{a, b} {
		wg.Go(func() {
			for n := range 2000 {
				want := byte(i<<7 | n&0x7F)
				var got [1]byte
				if err := bus.Tx(readerAddress, []byte{want}, got[:]); err != nil || got[0] != want {
					t.Errorf("%s: %02X, %v; not %02X", bus, got[0], err, want)
					return
				}
				if got, err := get(bus); err != nil || got != want {
					t.Errorf("%s, read again: %02X, %v; not %02X", bus, got, err, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestTwoChannelsAtOnce(t *testing.T) {
	k := newRig(t, false, 0x70)
	hammer(t, k.a, k.b)
	k = newRig(t, false, 0x70, 0x77)
	other := &cell{}
	k.muxes[1].Put(0, readerAddress, other)
	hammer(t, k.a, k.channel(t, 0x77, 0))
	if k.bus.Clashes() != 0 {
		t.Error("devices have clashed")
	}
}

func TestBrownOutOfTheSwitch(t *testing.T) {
	k := newRig(t, false, 0x70)
	for range 3 {
		expect(t, k.a, 0xA0)
		k.muxes[0].BrownOut()
	}
	expect(t, k.b, 0xB0)
}

func TestDeadSwitch(t *testing.T) {
	k := newRig(t, false, 0x70, 0x71)
	other := &cell{value: 0xC0}
	k.muxes[1].Put(5, readerAddress, other)
	c := k.channel(t, 0x71, 5)
	expect(t, c, 0xC0)
	k.muxes[0].Kill()
	if _, err := get(k.a); err == nil {
		t.Error("a dead switch works")
	}
	expect(t, c, 0xC0)
	k.muxes[0].Revive()
	expect(t, k.a, 0xA0)
	expect(t, c, 0xC0)
	if k.bus.Clashes() != 0 {
		t.Error("devices have clashed")
	}
}

// TestDeadDevice checks that a dead device leads to an error on its channel only.
func TestDeadDevice(t *testing.T) {
	k := newRig(t, false, 0x70)
	k.cells[0].dead = true
	for range 3 {
		if _, err := get(k.a); err == nil {
			t.Error("a dead device works")
		}
		expect(t, k.b, 0xB0)
	}
}

// TestSlowDevice checks that a channel waits for at most one transaction of a slow
// device on another one.
func TestSlowDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const slow, quick = 700 * time.Millisecond, 2 * time.Millisecond
		k := newRig(t, false, 0x70)
		k.cells[0].takes.Store(int64(slow))
		k.cells[1].takes.Store(int64(quick))
		stop := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := get(k.a); err != nil {
					t.Error(err)
				}
			}
		})
		for range 50 {
			time.Sleep(11 * time.Millisecond)
			began := time.Now()
			expect(t, k.b, 0xB0)
			if took := time.Since(began); took > slow+quick {
				t.Fatalf("waited %s", took)
			}
		}
		close(stop)
		wg.Wait()
	})
}

// TestHungDevice checks that a device that holds the bus leads to time-outs on its
// own channel, and that the reset line then frees the bus.
func TestHungDevice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newRig(t, true, 0x70)
		k.muxes[0].Hang(0, true)
		for range 5 {
			if _, err := get(k.a); err == nil {
				t.Fatal("a hung device works")
			}
			began := time.Now()
			expect(t, k.b, 0xB0)
			if took := time.Since(began); took != 0 {
				t.Fatalf("the other one waited %s", took)
			}
		}
		expect(t, k.b, 0xB0)
		k.muxes[0].Hang(0, false)
		expect(t, k.a, 0xA0)

		// It hangs while its channel is open and idle: the next channel gets the error.
		k.muxes[0].Hang(0, true)
		expect(t, k.b, 0xB0)
		if k.muxes[0].Reset().Read() != gpio.High {
			t.Error("the reset line stays low")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		k := newRig(t, false, 0x70) // nothing frees it
		expect(t, k.a, 0xA0)
		k.muxes[0].Hang(0, true)
		if _, err := get(k.b); err == nil {
			t.Error("a bus works that is held low")
		}
		k.muxes[0].Hang(0, false)
		expect(t, k.b, 0xB0)
		expect(t, k.a, 0xA0)
	})
}

// strangers returns channels by periph's own driver.
func strangers(t *testing.T, bus i2c.Bus, address int, alias string) []i2c.Bus {
	t.Helper()
	mux, err := pca9548.New(bus, &pca9548.Opts{Addr: address})
	if err != nil {
		t.Fatal(err)
	}
	names, err := mux.RegisterPorts(alias)
	if err != nil {
		t.Fatal(err)
	}
	var ports []i2c.Bus
	for _, name := range names {
		t.Cleanup(func() { i2creg.Unregister(name) })
		port, err := i2creg.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		ports = append(ports, port)
	}
	return ports
}

// TestStranger checks that periph's driver keeps channels apart on our switch.
func TestStranger(t *testing.T) {
	k := newRig(t, false, 0x70)
	ports := strangers(t, k.bus, 0x70, "stranger")
	hammer(t, ports[0], ports[1])
	if k.bus.Clashes() != 0 {
		t.Error("devices have clashed")
	}
}

// TestWhyNotTheStranger shows the faults of periph's driver, which are why we have
// our own. If it fails, periph has fixed them.
func TestWhyNotTheStranger(t *testing.T) {
	k := newRig(t, false, 0x70, 0x71)
	other := &cell{value: 0x0F}
	k.muxes[1].Put(0, readerAddress, other)
	first := strangers(t, k.bus, 0x70, "first")
	expect(t, first[0], 0xA0)
	k.muxes[0].BrownOut()
	for range 3 {
		if got, err := get(first[0]); err == nil {
			t.Errorf("after a brown-out it reads %02X", got)
		}
	}
	expect(t, first[1], 0xB0)
	second := strangers(t, k.bus, 0x71, "second")
	if got, err := get(second[0]); err != nil || got != 0xB0&0x0F || k.bus.Clashes() == 0 {
		t.Errorf("two switches: %02X, %v", got, err)
	}
}

func ExampleDev() {
	bus := tca9548test.NewBus() // in earnest: i2creg.Open("/dev/i2c-1")
	mux, _ := bus.Mux(0x70)
	mux.Put(3, 0x24, &cell{value: 7})

	dev, err := tca9548.New(bus, &tca9548.DefaultOpts)
	if err != nil {
		fmt.Println(err)
		return
	}
	reader, err := dev.Channel(0x70, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	var answer [2]byte
	fmt.Println(reader.Tx(0x24, nil, answer[:]), slices.Max(answer[:]))
	// Output: <nil> 7
}
