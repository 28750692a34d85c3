package ledstriptest

import (
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/ledstrip"
)

// clock is four bits of SPI to one of an LED, 328 ns each.
const clock = 3070 * physic.KiloHertz

// pulses encodes colours as 1000 and 1100.
func pulses(colours ...byte) []byte {
	var all []byte
	for _, v := range colours {
		for pair := 6; pair >= 0; pair -= 2 {
			b := byte(0x88)
			if v>>pair&2 != 0 {
				b |= 0x40
			}
			if v>>pair&1 != 0 {
				b |= 0x04
			}
			all = append(all, b)
		}
	}
	return all
}

func connect(t testing.TB, s *Strip, f physic.Frequency, m spi.Mode) spi.Conn {
	t.Helper()
	c, err := s.SPI().Connect(f, m, 8)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func send(t testing.TB, c spi.Conn, data []byte) {
	t.Helper()
	if err := c.Tx(data, nil); err != nil {
		t.Fatal(err)
	}
}

var (
	dark  = color.NRGBA{A: 255}
	red   = color.NRGBA{R: 255, A: 255}
	green = color.NRGBA{G: 255, A: 255}
)

func expect(t testing.TB, s *Strip, what string, want ...color.NRGBA) {
	t.Helper()
	if got := s.Colours(); !slices.Equal(got, want) {
		t.Errorf("%s: shows %v, want %v", what, got, want)
	}
}

// TestLatch checks that colours are shown once the line has been low for long enough.
func TestLatch(t *testing.T) {
	for chip, reset := range map[ledstrip.Chip]time.Duration{ledstrip.WS2812: 280 * time.Microsecond,
		ledstrip.SK6812: 80 * time.Microsecond} {
		synctest.Test(t, func(t *testing.T) {
			s := New(chip, 2)
			c := connect(t, s, clock, spi.Mode0)
			frame := pulses(255, 0, 0, 0, 255, 0)
			if chip == ledstrip.SK6812 {
				frame = pulses(255, 0, 0, 0, 0, 255, 0, 0)
			}
			began := time.Now()
			send(t, c, frame)
			if took, want := time.Since(began), time.Duration(len(frame)*8*328); took != want {
				t.Errorf("%d bytes took %v, want %v", len(frame), took, want)
			}
			time.Sleep(reset - 3*time.Microsecond)
			expect(t, s, "before the reset", dark, dark)
			time.Sleep(3 * time.Microsecond)
			expect(t, s, "after the reset", green, red)
			if v := s.Violations(); v != (Violations{}) {
				t.Errorf("%+v", v)
			}
		})
	}
}

// TestTwoTransfers sends a frame in two transfers: if the pause between them is a
// reset, the second half begins at the first LED again.
func TestTwoTransfers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(ledstrip.WS2812, 2)
		c := connect(t, s, clock, spi.Mode0)
		send(t, c, pulses(255, 0, 0))
		time.Sleep(400 * time.Microsecond)
		send(t, c, pulses(0, 255, 0))
		time.Sleep(400 * time.Microsecond)
		expect(t, s, "a long rest", red, dark)
		// Old and new chips differ in whether a shorter pause is a reset.
		send(t, c, pulses(255, 0, 0))
		time.Sleep(100 * time.Microsecond)
		send(t, c, pulses(0, 255, 0))
		time.Sleep(400 * time.Microsecond)
		expect(t, s, "a short rest", green, red)
		if v := s.Violations(); v != (Violations{Low: 1}) {
			t.Errorf("%+v", v)
		}
	})
}

// TestTorn sends a frame that stops within a colour: that LED keeps the old one.
func TestTorn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(ledstrip.WS2812, 2)
		c := connect(t, s, clock, spi.Mode0)
		send(t, c, append(pulses(255, 0, 0, 0, 255), make([]byte, 120)...))
		expect(t, s, "torn", green, dark)
		send(t, c, append(pulses(0, 255, 0, 255, 0, 0, 1, 2, 3, 4, 5, 6), make([]byte, 120)...))
		expect(t, s, "more than there are", red, green)
		if v := s.Violations(); v != (Violations{Torn: 1}) {
			t.Errorf("%+v", v)
		}
	})
}

// TestCoreClock sends at a core clock that the kernel does not know: at twice the
// clock every 1 is read as a 0, at half of it every 0 as a 1.
func TestCoreClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for really, want := range map[physic.Frequency]color.NRGBA{
			500 * physic.MegaHertz: dark,
			125 * physic.MegaHertz: {R: 255, G: 255, B: 255, A: 255},
			250 * physic.MegaHertz: green,
		} {
			s := New(ledstrip.WS2812, 1)
			s.On(Host{Real: really})
			send(t, connect(t, s, clock, spi.Mode0), append(pulses(255, 0, 0), make([]byte, 240)...))
			expect(t, s, really.String(), want)
			if v := s.Violations(); (v.High > 0) != (want != green) {
				t.Errorf("%v: %+v", really, v)
			}
		}
	})
}

func frame(brightness byte, bgr ...byte) []byte {
	return append([]byte{0xe0 | brightness}, bgr...)
}

// TestAPA102 sends frames with too little or too much around the colours.
func TestAPA102(t *testing.T) {
	two := append(frame(31, 0, 255, 0), frame(31, 0, 0, 255)...)
	begin := make([]byte, 4)
	for _, test := range []struct {
		name string
		chip ledstrip.Chip
		wire []byte
		want []color.NRGBA
		bad  Violations
	}{
		{"whole", ledstrip.APA102, slices.Concat(begin, two, []byte{0}), []color.NRGBA{green, red}, Violations{}},
		{"no end", ledstrip.APA102, slices.Concat(begin, two), []color.NRGBA{green, dark}, Violations{End: 1}},
		{"no start", ledstrip.APA102, slices.Concat(begin[:3], two, []byte{0}), []color.NRGBA{dark, dark},
			Violations{Start: 1}},
		{"no mark", ledstrip.APA102, slices.Concat(begin, []byte{0x9f, 1, 2, 3}, two, []byte{0}), []color.NRGBA{dark, green},
			Violations{Start: 1}},
		{"off", ledstrip.APA102, slices.Concat(begin, frame(0, 9, 9, 9), frame(1, 0, 0, 255), []byte{0}),
			[]color.NRGBA{dark, {R: 8, A: 255}}, Violations{}},
		{"a long start", ledstrip.APA102, slices.Concat(begin, begin, begin[:1], two, []byte{255}), []color.NRGBA{green, red},
			Violations{}},
		{"ones behind the last", ledstrip.APA102, slices.Concat(begin, frame(31, 0, 255, 0), []byte{255, 255, 255, 255, 255}),
			[]color.NRGBA{green, {255, 255, 255, 255}}, Violations{}},
		{"zeros behind the last", ledstrip.APA102, slices.Concat(begin, frame(31, 0, 255, 0), make([]byte, 5)),
			[]color.NRGBA{green, dark}, Violations{}},
		{"the clone", SK9822, slices.Concat(begin, two, []byte{0}), []color.NRGBA{dark, dark}, Violations{}},
		{"the clone", SK9822, slices.Concat(begin, two, make([]byte, 5)), []color.NRGBA{green, red}, Violations{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := New(test.chip, 2)
			send(t, connect(t, s, 4*physic.MegaHertz, spi.Mode3), test.wire)
			expect(t, s, test.name, test.want...)
			if v := s.Violations(); v != test.bad {
				t.Errorf("%s: %+v, want %+v", test.name, v, test.bad)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		s := New(ledstrip.APA102, 1)
		send(t, connect(t, s, 4*physic.MegaHertz, spi.Mode1), []byte{0})
		if v := s.Violations(); v != (Violations{Mode: 1}) {
			t.Errorf("%+v", v)
		}
	})
}

// TestPort checks that the port refuses what spidev refuses.
func TestPort(t *testing.T) {
	s := New(ledstrip.WS2812, 1)
	for _, test := range []struct {
		f    physic.Frequency
		mode spi.Mode
		bits int
	}{
		{clock, spi.Mode0, 9}, {0, spi.Mode0, 8}, {2 * physic.GigaHertz, spi.Mode0, 8}, {clock, spi.HalfDuplex, 8},
		{clock, spi.LSBFirst, 8},
	} {
		if _, err := s.SPI().Connect(test.f, test.mode, test.bits); err == nil {
			t.Errorf("%+v is not refused", test)
		}
	}
	p := s.SPI()
	if err := p.LimitSpeed(0); err == nil {
		t.Error("no speed")
	}
	if err := p.LimitSpeed(physic.MegaHertz); err != nil {
		t.Error(err)
	}
	c, err := p.Connect(clock, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Connect(clock, spi.Mode0, 8); err == nil {
		t.Error("connected twice")
	}
	for want, err := range map[string]error{
		"nothing":     c.Tx(nil, nil),
		"to read":     c.Tx(make([]byte, 2), make([]byte, 1)),
		"too long":    c.Tx(make([]byte, 4097), nil),
		"other words": c.TxPackets([]spi.Packet{{W: []byte{1}, BitsPerWord: 9}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	read := []byte{1, 2, 3}
	if err := c.Tx([]byte{4, 5, 6}, read); err != nil || read[0] != 0 {
		t.Errorf("read %v, %v", read, err)
	}
	if err := c.TxPackets([]spi.Packet{{W: []byte{0}}, {R: read}}); err != nil {
		t.Error(err)
	}
	if got, want := s.Wire(), (Counts{Transactions: 2, Written: 7, Read: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c.Duplex() != conn.Full || c.String() != "emulated-ws2812" || c.(conn.Limits).MaxTxSize() != 4096 {
		t.Error(c)
	}
	broken := errors.New("broken")
	s.Fail(broken)
	if err := c.Tx([]byte{0}, nil); !errors.Is(err, broken) {
		t.Error(err)
	}
	s.Fail(nil)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Tx([]byte{0}, nil); err == nil {
		t.Error("a closed port transfers")
	}
}

// TestConcurrent draws, injects faults and reads at the same time, for the race
// detector.
func TestConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(ledstrip.WS2812, 3)
		c := connect(t, s, clock, spi.Mode0)
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				for n := range 50 {
					switch i {
					case 0, 1:
						send(t, c, append(pulses(byte(n), 0, 0), make([]byte, 120)...))
					case 2:
						s.Colours()
						s.Violations()
						s.Wire()
						time.Sleep(100 * time.Microsecond)
					case 3:
						[]func(){s.Kill, s.Revive, s.Unplug, s.Plug, s.BrownOut}[n%5]()
						time.Sleep(time.Millisecond)
					}
				}
			})
		}
		all.Wait()
		if n := s.Wire().Transactions; n != 100 {
			t.Errorf("%d transfers", n)
		}
	})
}

// FuzzWire sends any bytes: nothing panics, and a correct frame afterwards is
// shown.
func FuzzWire(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0xff, 1, 2, 3}, uint8(0), false)
	f.Add([]byte{0x88, 0xcc, 0xff, 0, 0xe8}, uint8(1), true)
	f.Fuzz(func(t *testing.T, data []byte, gap uint8, high bool) {
		if len(data) == 0 || len(data) > 4096 {
			return
		}
		for _, chip := range []ledstrip.Chip{ledstrip.WS2812, ledstrip.SK6812, ledstrip.APA102, SK9822} {
			synctest.Test(t, func(t *testing.T) {
				s := New(chip, 2)
				s.On(Host{Gap: int(gap % 4), IdleHigh: high})
				c := connect(t, s, clock, spi.Mode0)
				send(t, c, data)
				s.On(Host{})
				right := slices.Concat(make([]byte, 150), frame(31, 0, 255, 0), frame(31, 0, 0, 255), make([]byte, 5))
				switch chip {
				case ledstrip.WS2812:
					right = slices.Concat(make([]byte, 150), pulses(255, 0, 0, 0, 255, 0), make([]byte, 150))
				case ledstrip.SK6812:
					right = slices.Concat(make([]byte, 150), pulses(255, 0, 0, 0, 0, 255, 0, 0), make([]byte, 150))
				}
				send(t, c, right)
				expect(t, s, fmt.Sprint(chip), green, red)
			})
		}
	})
}
