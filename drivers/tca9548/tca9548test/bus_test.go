package tca9548test

import (
	"errors"
	"testing"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A byteDevice answers with one byte and counts what was written to it.
type byteDevice struct {
	answer byte
	heard  int
	err    error
}

func (d *byteDevice) String() string                  { return "device" }
func (d *byteDevice) SetSpeed(physic.Frequency) error { return nil }

func (d *byteDevice) Tx(_ uint16, w, r []byte) error {
	if d.err != nil {
		return d.err
	}
	d.heard += len(w)
	for i := range r {
		r[i] = d.answer
	}
	return nil
}

func read(t *testing.T, b *Bus, address uint16) byte {
	t.Helper()
	var r [1]byte
	if err := b.Tx(address, nil, r[:]); err != nil {
		t.Fatal(err)
	}
	return r[0]
}

func TestControlRegister(t *testing.T) {
	b := NewBus()
	m, err := b.Mux(0x73)
	if err != nil {
		t.Fatal(err)
	}
	if read(t, b, 0x73) != 0 {
		t.Error("a channel is open at first")
	}
	if err := b.Tx(0x73, []byte{0x01, 0x02, 0x84}, nil); err != nil || read(t, b, 0x73) != 0x84 || m.Open() != 0x84 {
		t.Errorf("the last byte stays: %02X, %v", m.Open(), err)
	}
	line := func() { m.Reset().Out(gpio.Low); m.Reset().Out(gpio.High) }
	for _, reset := range []func(){m.BrownOut, line, func() { m.Kill(); m.Revive() }} {
		b.Tx(0x73, []byte{0xFF}, nil)
		reset()
		if read(t, b, 0x73) != 0 || m.Open() != 0 {
			t.Errorf("open after a reset: %02X", m.Open())
		}
	}
	m.Reset().Out(gpio.Low)
	if b.Tx(0x73, []byte{1}, nil) == nil {
		t.Error("it answers while its reset line is low")
	}
	m.Reset().Out(gpio.High)
	m.Kill()
	if b.Tx(0x73, []byte{1}, nil) == nil {
		t.Error("a dead one answers")
	}
	if _, err := b.Mux(0x78); err == nil {
		t.Error("a switch at 78h")
	}
	if b.Tx(0x80, nil, make([]byte, 1)) == nil || b.Tx(0x24, nil, make([]byte, 1)) == nil {
		t.Error("somebody answers to an address that nobody has")
	}
	if b.SetSpeed(400*physic.KiloHertz) != nil || b.SetSpeed(physic.MegaHertz) == nil {
		t.Error("it goes up to 400 kHz")
	}
}

// TestClash checks that devices with the same address answer together.
func TestClash(t *testing.T) {
	b := NewBus()
	m, _ := b.Mux(0x70)
	front, one, two := &byteDevice{answer: 0xF0}, &byteDevice{answer: 0x3C}, &byteDevice{answer: 0x66}
	m.Put(0, 0x24, one)
	m.Put(7, 0x24, two)
	b.Put(0x25, front)
	b.Tx(0x70, []byte{0x01}, nil)
	if got := read(t, b, 0x24); got != 0x3C {
		t.Errorf("channel 0: %02X", got)
	}
	b.Tx(0x70, []byte{0x80}, nil)
	if got := read(t, b, 0x24); got != 0x66 || b.Clashes() != 0 {
		t.Errorf("channel 7: %02X", got)
	}
	b.Tx(0x70, []byte{0x81}, nil)
	if got := read(t, b, 0x24); got != 0x3C&0x66 || b.Clashes() != 1 {
		t.Errorf("both: %02X, %d clashes", got, b.Clashes())
	}
	b.Tx(0x24, []byte{1, 2}, nil)
	if one.heard != 2 || two.heard != 2 {
		t.Errorf("written to both: %d, %d", one.heard, two.heard)
	}
	one.err = errors.New("dead")
	if got := read(t, b, 0x24); got != 0x66 {
		t.Errorf("one is dead: %02X", got)
	}
	two.err = one.err
	if err := b.Tx(0x24, nil, make([]byte, 1)); !errors.Is(err, one.err) {
		t.Errorf("both are dead: %v", err)
	}
	if got := read(t, b, 0x25); got != 0xF0 {
		t.Errorf("in front of the switch: %02X", got)
	}
	if w := b.Wire(); w.Written != 5 || w.Read != 5 || w.Transactions != 10 {
		t.Errorf("counted %+v", w)
	}
}
