package bench

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/rig"
)

// A meter adds up the processor time that emulated chips take behind their ports.
type meter struct {
	rig.Ports
	on    atomic.Bool  // otherwise it costs nothing
	spent atomic.Int64 // ns
	price time.Duration
}

func newMeter(p rig.Ports) *meter {
	m := &meter{Ports: p}
	m.on.Store(true)
	const calls = 10_000
	for range calls {
		m.call(func() {})
	}
	m.price = time.Duration(m.spent.Swap(0) / calls)
	return m
}

// call runs a call of the drivers. Its thread is its own meanwhile, so a call that
// waits counts only what it computes.
func (m *meter) call(do func()) {
	if !m.on.Load() {
		do()
		return
	}
	runtime.LockOSThread()
	before := threadTime()
	do()
	m.spent.Add(int64(threadTime() - before - m.price))
	runtime.UnlockOSThread()
}

func threadTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

func (m *meter) SPI(name string) (spi.Port, error) {
	p, err := m.Ports.SPI(name)
	return meteredPort{p, m}, err
}

func (m *meter) I2C(path string) (i2c.Bus, error) {
	b, err := m.Ports.I2C(path)
	return meteredBus{b, m}, err
}

func (m *meter) Serial(path string) (rig.SerialPort, error) {
	s, err := m.Ports.Serial(path)
	return meteredSerial{s, m}, err
}

type meteredPort struct {
	spi.Port
	m *meter
}

func (p meteredPort) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	c, err := p.Port.Connect(f, mode, bits)
	return meteredConn{c, p.m}, err
}

type meteredConn struct {
	spi.Conn
	m *meter
}

func (c meteredConn) Tx(w, r []byte) (err error) {
	c.m.call(func() { err = c.Conn.Tx(w, r) })
	return err
}

func (c meteredConn) TxPackets(p []spi.Packet) (err error) {
	c.m.call(func() { err = c.Conn.TxPackets(p) })
	return err
}

type meteredBus struct {
	i2c.Bus
	m *meter
}

func (b meteredBus) Tx(addr uint16, w, r []byte) (err error) {
	b.m.call(func() { err = b.Bus.Tx(addr, w, r) })
	return err
}

type meteredSerial struct {
	rig.SerialPort
	m *meter
}

func (s meteredSerial) Read(p []byte) (n int, err error) {
	s.m.call(func() { n, err = s.SerialPort.Read(p) })
	return n, err
}

func (s meteredSerial) Write(p []byte) (n int, err error) {
	s.m.call(func() { n, err = s.SerialPort.Write(p) })
	return n, err
}

// TestMeter checks that a meter counts what a call computes, and not what it waits.
func TestMeter(t *testing.T) {
	compute := func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for began := threadTime(); threadTime() < began+20*time.Millisecond; {
		}
	}
	m := newMeter(&Bench{})
	m.call(compute)
	if got := time.Duration(m.spent.Swap(0)); got < 19*time.Millisecond || got > 40*time.Millisecond {
		t.Errorf("a call that computes for 20 ms: %v", got)
	}
	m.call(func() {
		done := make(chan bool)
		go func() { compute(); close(done) }()
		<-done
	})
	if got := time.Duration(m.spent.Swap(0)); got > 10*time.Millisecond {
		t.Errorf("a call that waits for 20 ms: %v", got)
	}
}
