package epapertest

import (
	"image"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A host is a driver that sends what a test wants.
type host struct {
	t testing.TB
	*Panel
	c spi.Conn
}

// boot returns a panel that was switched on a second ago.
func boot(t testing.TB, name string) *host {
	t.Helper()
	p, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.SPI().Connect(physic.MegaHertz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second)
	return &host{t, p, c}
}

func (h *host) send(command byte, data ...byte) {
	h.t.Helper()
	h.raw(gpio.Low, command)
	if len(data) > 0 {
		h.raw(gpio.High, data...)
	}
}

func (h *host) raw(dc gpio.Level, b ...byte) {
	h.t.Helper()
	if err := h.Pins().DC.Out(dc); err != nil {
		h.t.Fatal(err)
	}
	for len(b) > 0 {
		n := min(len(b), spidevLimit)
		if err := h.c.Tx(b[:n], nil); err != nil {
			h.t.Fatal(err)
		}
		b = b[n:]
	}
}

func (h *host) pullReset() {
	h.t.Helper()
	for _, l := range []gpio.Level{gpio.Low, gpio.High} {
		if err := h.Pins().Reset.Out(l); err != nil {
			h.t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (h *host) isBusy(want bool) {
	h.t.Helper()
	level := gpio.Level(want)
	if h.model.family != ssd16xxFamily {
		level = !level
	}
	if got := h.Pins().Busy.Read(); got != level {
		h.t.Fatalf("BUSY is %s", got)
	}
}

// waits waits until the panel is idle and returns how long that took.
func (h *host) waits() time.Duration {
	h.t.Helper()
	start := time.Now()
	for h.Pins().Busy.Read() == h.chip.busy() {
		if time.Since(start) > time.Minute {
			h.t.Fatal("busy for ever")
		}
		time.Sleep(time.Millisecond)
	}
	return time.Since(start)
}

// violated checks the panel's violations and clears them.
func (h *host) violated(want ...string) {
	h.t.Helper()
	got, n := h.Violations()
	if n != len(want) {
		h.t.Fatalf("%d violations, not %d: %q", n, len(want), got)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			h.t.Errorf("%q, not %q", got[i], want[i])
		}
	}
	h.violations, h.violationCount = nil, 0
}

func in(t *testing.T, name string, test func(h *host)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(boot(t, name)) })
}

func bytesOf(n int, v byte) []byte { return slices.Repeat([]byte{v}, n) }

// count returns the number of pixels of an image that have a colour.
func count(img *image.Paletted, colour byte) (n int) {
	for _, v := range img.Pix {
		if v == colour {
			n++
		}
	}
	return n
}

func TestSSDRefuses(t *testing.T) {
	for _, test := range []struct {
		what string
		do   func(h *host)
		want []string
	}{
		{"data first", func(h *host) { h.raw(gpio.High, 1, 2) }, []string{"2 bytes of data without a command"}},
		{"an unknown command", func(h *host) { h.send(0x74, 0x54) }, []string{"unknown command 74h", "without a command"}},
		{"too much data", func(h *host) { h.send(0x18, 0x80, 0) }, []string{"18h takes 1 bytes"}},
		{"a long waveform", func(h *host) { h.send(0x32, bytesOf(159, 0)...) }, []string{"32h takes 153 bytes, not 6 more"}},
		{"a wide window", func(h *host) { h.send(0x44, 0, 22); h.send(0x24) },
			[]string{"24h: the window is outside the memory"}},
		{"a high window", func(h *host) { h.send(0x45, 0, 0, 0x28, 1); h.send(0x26, 1) },
			[]string{"26h: the window is outside", "without a command"}},
		{"a window the wrong way", func(h *host) { h.send(0x44, 5, 4); h.send(0x24) }, []string{"the other way round"}},
		{"a counter outside", func(h *host) { h.send(0x44, 5, 6); h.send(0x24) }, []string{"the address counter is outside"}},
		{"too many gates", func(h *host) { h.send(0x01, 0x28, 1, 0) }, []string{"01h: 297 gates"}},
		{"another wiring", func(h *host) { h.send(0x01, 0xf9, 0, 2) }, []string{"scan order"}},
		{"commands while busy", func(h *host) { h.send(0x12); h.send(0x11, 3) },
			[]string{"command 11h while busy", "1 bytes of data while busy"}},
		{"a refresh without power", func(h *host) { h.send(0x22, 0x14); h.send(0x20); h.waits() },
			[]string{"analog part or the clock off"}},
		{"a refresh without a waveform", func(h *host) { h.send(0x22, 0xc7); h.send(0x20); h.waits() },
			[]string{"without a waveform"}},
		{"a strange sleep", func(h *host) { h.send(0x10, 2) }, []string{"10h: mode 02h"}},
		{"talk in sleep", func(h *host) { h.send(0x10, 1); h.send(0x12) }, []string{"1 bytes in deep sleep"}},
		{"talk in reset", func(h *host) { _ = h.Pins().Reset.Out(gpio.Low); h.send(0x12) }, []string{"1 bytes during reset"}},
		{"driving BUSY", func(h *host) {
			if h.Pins().Busy.Out(gpio.Low) == nil {
				h.t.Error("no error")
			}
		}, []string{"the host drives BUSY"}},
	} {
		t.Run(test.what, func(t *testing.T) {
			in(t, "waveshare-2in13-v4", func(h *host) {
				before := h.Glass()
				test.do(h)
				h.violated(test.want...)
				if !slices.Equal(h.Glass().Pix, before.Pix) {
					t.Error("it reached the glass")
				}
			})
		})
	}
}

func TestUCRefuses(t *testing.T) {
	on := func(h *host) { h.send(0x04); h.waits() }
	for _, test := range []struct {
		what string
		do   func(h *host)
		want []string
	}{
		{"data first", func(h *host) { h.raw(gpio.High, 1) }, []string{"without a command"}},
		{"an unknown command", func(h *host) { h.send(0x4e) }, []string{"unknown command 4Eh"}},
		{"too much data", func(h *host) { h.send(0x60, 1, 2) }, []string{"60h takes 1"}},
		{"a refresh without power", func(h *host) { h.send(0x12) }, []string{"a refresh with the power off"}},
		{"three colours", func(h *host) { h.send(0x61, 3, 0x20, 1, 0xe0); on(h); h.send(0x12); h.waits() },
			[]string{"three colours"}},
		{"the resolution it comes up with", func(h *host) { h.send(0x00, 0x1f); on(h); h.send(0x12); h.waits() },
			[]string{"TRES is 800x600"}},
		{"a window outside", func(h *host) { h.send(0x90, 0, 0, 3, 0x20, 0, 0, 0, 1, 1) }, []string{"90h: the window 0-807"}},
		{"a window the wrong way", func(h *host) { h.send(0x90, 0, 0, 0, 7, 0, 2, 0, 1, 1) }, []string{"90h: the window"}},
		{"too large", func(h *host) { h.send(0x61, 3, 0x28, 1, 0xe0) }, []string{"61h: 808x480"}},
		{"too much for the window", func(h *host) {
			h.send(0x90, 0, 8, 0, 15, 0, 0, 0, 1, 1)
			h.send(0x91)
			h.send(0x13, 1, 2, 3, 4)
		}, []string{"more data than the window"}},
		{"a wrong check code", func(h *host) { h.send(0x07, 0x5a) }, []string{"check code 5Ah"}},
		{"talk in sleep", func(h *host) { h.send(0x07, 0xa5); h.send(0x04) }, []string{"in deep sleep"}},
		{"commands while busy, but FLG", func(h *host) { h.send(0x04); h.send(0x71); h.send(0x02) },
			[]string{"command 02h while busy"}},
	} {
		t.Run(test.what, func(t *testing.T) {
			in(t, "waveshare-7in5-v2", func(h *host) {
				test.do(h)
				h.violated(test.want...)
			})
		})
	}
}

// TestAddressCounters tests SSD1680 §8.3 to §8.5: eight ways through a window, and
// round again.
func TestAddressCounters(t *testing.T) {
	at := func(x, y int) image.Point { return image.Pt(x, y) }
	for mode, want := range map[byte][]image.Point{
		0: {at(3, 8), at(2, 8), at(3, 7), at(2, 7), at(3, 8)},
		1: {at(2, 8), at(3, 8), at(2, 7), at(3, 7), at(2, 8)},
		2: {at(3, 7), at(2, 7), at(3, 8), at(2, 8), at(3, 7)},
		3: {at(2, 7), at(3, 7), at(2, 8), at(3, 8), at(2, 7)},
		4: {at(3, 8), at(3, 7), at(2, 8), at(2, 7), at(3, 8)},
		5: {at(2, 8), at(2, 7), at(3, 8), at(3, 7), at(2, 8)},
		6: {at(3, 7), at(3, 8), at(2, 7), at(2, 8), at(3, 7)},
		7: {at(2, 7), at(2, 8), at(3, 7), at(3, 8), at(2, 7)},
	} {
		in(t, "waveshare-2in13-v4", func(h *host) {
			xs, xe, ys, ye := byte(3), byte(2), byte(8), byte(7)
			if mode&1 != 0 {
				xs, xe = xe, xs
			}
			if mode&2 != 0 {
				ys, ye = ye, ys
			}
			h.send(0x11, mode)
			h.send(0x44, xs, xe)
			h.send(0x45, ys, 0, ye, 0)
			h.send(0x4e, xs)
			h.send(0x4f, ys, 0)
			ram := h.chip.(*ssd16xx).ram[0]
			h.send(0x24)
			for i, p := range want {
				cell := &ram[p.Y*22+p.X]
				*cell = 0
				h.raw(gpio.High, byte(0x51+i))
				if *cell != byte(0x51+i) {
					t.Errorf("mode %d: byte %d is not at %v", mode, i, p)
				}
			}
			h.violated()
		})
	}
}

// fill fills a memory, whatever its window.
func (h *host) fill(memory, v byte) {
	if h.model.family != ssd16xxFamily {
		h.send(memory, bytesOf(48000, v)...)
		return
	}
	m := h.model
	h.send(0x44, 0, byte(m.sources/8-1))
	h.send(0x45, 0, 0, byte(m.gates-1), byte((m.gates-1)>>8))
	h.send(0x4e, 0)
	h.send(0x4f, 0, 0)
	h.send(memory, bytesOf(m.sources/8*m.gates, v)...)
}

func (h *host) update2(v byte) time.Duration {
	h.send(0x22, v)
	h.send(0x20)
	return h.waits()
}

func TestAPartialRefreshDrivesWhatDiffersOnly(t *testing.T) {
	in(t, "waveshare-2in13-v4", func(h *host) {
		pixels := 122 * 250
		h.send(0x21, 0, 0x80)
		h.fill(0x24, 0xff)
		h.fill(0x26, 0xff)
		took := h.update2(0xf7)
		if took < 2*time.Second || count(h.Glass(), white) != pixels {
			t.Fatalf("full: %v, %d white", took, count(h.Glass(), white))
		}
		h.fill(0x24, 0x0f)
		h.fill(0x26, 0x0f) // as if the left half of each byte had been black already
		took = h.update2(0xff)
		if took > time.Second || count(h.Glass(), white) != pixels {
			t.Fatalf("the memories agree: %v, %d white", took, count(h.Glass(), white))
		}
		h.fill(0x26, 0x3f) // two of each byte differ
		h.update2(0xff)
		if got, want := count(h.Glass(), black), 250*2*15; got != want {
			t.Fatalf("%d black, not %d", got, want)
		}
		if f, p := h.Refreshes(); f != 1 || p != 2 {
			t.Fatal(f, p)
		}
		h.violated()
	})
}

func TestPingPong(t *testing.T) {
	in(t, "waveshare-2in13-v4", func(h *host) {
		h.PingPong(true)
		h.fill(0x24, 0x00)
		h.fill(0x26, 0xff)
		h.update2(0xff)
		if count(h.Memory(false), black) != 0 || count(h.Memory(true), white) != 0 {
			t.Fatal("the memories were not swapped")
		}
		h.update2(0xf7)
		if count(h.Memory(false), black) != 0 {
			t.Fatal("mode 1 swaps nothing")
		}
	})
}

func TestOptionsOfTheMemories(t *testing.T) {
	in(t, "waveshare-2in13-v4", func(h *host) {
		h.fill(0x24, 0xff)
		h.fill(0x26, 0xff)
		for option, want := range map[byte]int{0x00: 0, 0x04: 122 * 250, 0x08: 122 * 250} {
			h.send(0x21, option, 0x80)
			h.update2(0xf7)
			if got := count(h.Glass(), black); got != want {
				t.Errorf("21h %02X: %d black, not %d", option, got, want)
			}
		}
	})
	in(t, "inky-phat", func(h *host) { // the second memory is red
		h.fill(0x24, 0xff)
		h.fill(0x26, 0xff)
		h.update2(0xf7)
		if got := count(h.Glass(), red); got != 122*250 {
			t.Errorf("%d red", got)
		}
	})
}

// TestSourceOutputMode tests 21h B[7]: the glass begins at source S8, and the
// memory may, too.
func TestSourceOutputMode(t *testing.T) {
	in(t, "waveshare-2in13-v3", func(h *host) {
		h.fill(0x24, 0xff)
		h.send(0x44, 0, 0)
		h.send(0x4e, 0)
		h.send(0x4f, 0, 0)
		h.send(0x24, bytesOf(296, 0)...)
		for mode, want := range map[byte]int{0x80: 8 * 250, 0x00: 0} {
			h.send(0x21, 0, mode)
			h.update2(0xf7)
			if got := count(h.Glass(), black); got != want {
				t.Errorf("21h B %02X: %d black, not %d", mode, got, want)
			}
		}
	})
}

func TestFewerGatesLeaveTheRestAlone(t *testing.T) {
	in(t, "waveshare-2in13-v4", func(h *host) {
		h.fill(0x24, 0xff)
		h.update2(0xf7)
		h.send(0x01, 99, 0, 0)
		h.fill(0x24, 0x00)
		h.update2(0xf7)
		if got := count(h.Glass(), black); got != 100*122 {
			t.Errorf("%d black", got)
		}
	})
}

func TestDeepSleepOfTheSSD(t *testing.T) {
	for mode, kept := range map[byte]bool{1: true, 3: false} {
		in(t, "waveshare-2in13-v4", func(h *host) {
			h.send(0x21, 0, 0x80)
			h.fill(0x24, 0x00)
			h.send(0x10, mode)
			h.isBusy(true)
			time.Sleep(time.Hour)
			h.isBusy(true)
			h.pullReset()
			h.isBusy(false)
			h.send(0x21, 0, 0x80)
			if got := count(h.Memory(false), white) == 0; got != kept {
				t.Errorf("mode %d: kept %v", mode, got)
			}
			h.violated()
		})
	}
}

func TestUC8179(t *testing.T) {
	in(t, "waveshare-7in5-v2", func(h *host) {
		const pixels = 800 * 480
		h.isBusy(false)
		h.send(0x00, 0x1f)
		h.send(0x61, 3, 0x20, 1, 0xe0)
		h.send(0x50, 0x29, 0x07)
		h.send(0x04)
		h.isBusy(true)
		h.waits()
		h.fill(0x10, 0x00)
		h.fill(0x13, 0xff)
		h.send(0x12)
		if took := h.waits(); took.Round(10*time.Millisecond) != 4*time.Second {
			t.Error("a full refresh took", took)
		}
		if count(h.Glass(), white) != pixels || count(h.Memory(true), white) != pixels {
			t.Error("not white, or not copied (N2OCP)")
		}

		// The other polarity.
		h.send(0x50, 0x20, 0x07)
		h.send(0x12)
		h.waits()
		if count(h.Glass(), black) != pixels {
			t.Error("DDX 00: 1 is black")
		}
		h.send(0x50, 0x21, 0x07) // and no copy

		// Partially: in the window, where old and new differ.
		h.fill(0x10, 0x00)
		h.fill(0x13, 0xff)
		h.send(0xe0, 0x02)
		h.send(0xe5, 0x6e)
		h.send(0x91)
		h.send(0x90, 0, 16, 0, 31, 0, 10, 0, 19, 1)
		h.send(0x10, slices.Repeat([]byte{0x00, 0xff}, 10)...)
		h.send(0x13, slices.Repeat([]byte{0xff, 0xff}, 10)...)
		h.send(0x12)
		if took := h.waits(); took.Round(10*time.Millisecond) != 400*time.Millisecond {
			t.Error("a partial refresh took", took)
		}
		if got := count(h.Glass(), white); got != 80 {
			t.Errorf("%d white, not 80", got)
		}
		if f, p := h.Refreshes(); f != 2 || p != 1 {
			t.Error(f, p)
		}
		h.send(0x92)

		// Waveforms of the host's own (PSR REG): what differs, everywhere.
		h.send(0x00, 0x3f)
		h.send(0x22, 0x5a, 30, 5, 30, 5, 1)
		h.send(0x23, 0x84, 30, 5, 30, 5, 1)
		h.send(0x12)
		h.waits()
		if got := count(h.Glass(), white); got != pixels-80 { // the others of the window were said to be white
			t.Errorf("%d white", got)
		}

		h.send(0x02)
		h.waits()
		h.send(0x07, 0xa5)
		h.isBusy(false)
		h.pullReset()
		h.send(0x50, 0x29, 0x07)
		if n := count(h.Memory(false), white); n < pixels/4 || n > pixels*3/4 {
			t.Error("the memory was kept")
		}
		h.violated()
	})
}

func TestTheGlassAtAnyMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := boot(t, "waveshare-2in13-v4")
		h.SetSpeed(10)
		var mu sync.Mutex
		var seen []int // black pixels
		h.OnChange(func() {
			n := count(h.Glass(), black)
			mu.Lock()
			seen = append(seen, n)
			mu.Unlock()
		})
		h.fill(0x24, 0x00)
		if took := h.update2(0xf7); took > 250*time.Millisecond {
			t.Error("at ten times the speed it took", took)
		}
		synctest.Wait()
		mu.Lock()
		if !slices.Equal(seen, []int{0, 0, 122 * 250}) { // its negative, white, the picture
			t.Error(seen)
		}
		mu.Unlock()

		// A reset in the middle leaves what is there.
		h.fill(0x24, 0xff)
		h.send(0x22, 0xf7)
		h.send(0x20)
		time.Sleep(120 * time.Millisecond)
		h.pullReset()
		time.Sleep(time.Minute)
		if h.Interrupted() != 1 {
			t.Error("not interrupted")
		}
		h.isBusy(false)
	})
}

func TestFaults(t *testing.T) {
	for _, name := range Names() {
		in(t, name, func(h *host) {
			idle := !h.chip.busy()
			busy := h.Pins().Busy
			h.StickBusy(time.Second)
			h.isBusy(true)
			time.Sleep(999 * time.Millisecond)
			h.isBusy(true)
			time.Sleep(time.Millisecond)
			h.isBusy(false)
			h.StickBusy(0)
			h.pullReset()
			time.Sleep(time.Hour)
			h.isBusy(true)
			h.FreeBusy()
			h.isBusy(false)

			for _, fault := range []struct{ begin, end func() }{{h.Kill, h.Revive}, {h.Unplug, h.Plug}} {
				fault.begin()
				for _, l := range []gpio.Level{gpio.Low, gpio.High} {
					h.Float(l)
					if busy.Read() != l {
						t.Error("BUSY does not float")
					}
				}
				h.pullReset()
				h.send(0x99, 1, 2, 3) // it is ignored
				fault.end()
				h.waits()
			}

			h.MuteAfter(2)
			h.send(0x98)
			h.send(0x99) // executed, and counted as a violation
			if h.Deaf() {
				t.Error("deaf too early")
			}
			h.send(0x99)
			if !h.Deaf() {
				t.Error("not deaf")
			}
			h.violated("unknown command 98h", "unknown command 99h")
			h.pullReset()
			h.waits()
			h.send(0x99)
			h.violated("unknown command 99h")
			if busy.Read() != idle {
				t.Error("not idle")
			}
		})
	}
}

func TestTheBus(t *testing.T) {
	p, err := New("waveshare-2in13-v4")
	if err != nil {
		t.Fatal(err)
	}
	port := p.SPI()
	defer port.Close()
	for _, test := range []struct {
		f    physic.Frequency
		mode spi.Mode
		bits int
	}{{25 * physic.MegaHertz, spi.Mode0, 8}, {physic.MegaHertz, spi.Mode1, 8}, {physic.MegaHertz, spi.Mode0, 9}} {
		if _, err := port.Connect(test.f, test.mode, test.bits); err == nil {
			t.Errorf("%v is taken", test)
		}
	}
	c, err := port.Connect(20*physic.MegaHertz, spi.Mode0, 8)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Tx(make([]byte, 4097), nil); err == nil {
		t.Error("4097 bytes are taken")
	}
	if err := c.Tx(make([]byte, 2), make([]byte, 7)); err == nil {
		t.Error("2 bytes out and 7 in are taken")
	}
	before := p.Wire()
	if err := c.TxPackets([]spi.Packet{{W: []byte{0x7f}}, {W: []byte{0x7f}}}); err != nil {
		t.Error(err)
	}
	if got := p.Wire(); got.Written != before.Written+2 || got.Transactions != before.Transactions+2 {
		t.Errorf("%+v", got)
	}
	if _, err := New("kindle"); err == nil || !strings.Contains(err.Error(), "waveshare-2in13-v4") {
		t.Error(err)
	}
}

// TestManyUseAPanel uses a panel from several goroutines, as page, driver and
// timers do.
func TestManyUseAPanel(t *testing.T) {
	p, err := New("waveshare-2in13-v4")
	if err != nil {
		t.Fatal(err)
	}
	p.SetSpeed(1000)
	h := &host{t: t, Panel: p}
	h.c, _ = p.SPI().Connect(physic.MegaHertz, spi.Mode0, 8)
	p.OnChange(func() { p.Refreshes() })
	var all sync.WaitGroup
	all.Go(func() {
		for range 20 {
			h.waits()
			h.send(0x22, 0xff)
			h.send(0x20)
		}
	})
	all.Go(func() {
		for range 50 {
			p.Glass()
			p.Memory(true)
			p.Wire()
			p.Pins().Busy.Read()
			p.Violations()
		}
	})
	all.Go(func() {
		for range 10 {
			p.StickBusy(time.Millisecond)
			p.BrownOut()
		}
	})
	all.Wait()
	p.SPI().Close()
}

// TestWaitForEdge tests WaitForEdge, which other people's drivers call.
func TestWaitForEdge(t *testing.T) {
	in(t, "waveshare-2in13-v4", func(h *host) {
		busy := h.Pins().Busy
		if err := busy.In(gpio.Float, gpio.FallingEdge); err != nil {
			t.Fatal(err)
		}
		h.send(0x12)
		start := time.Now()
		if !busy.WaitForEdge(-1) || time.Since(start) > ssdReset+2*time.Millisecond {
			t.Error("no edge, after", time.Since(start))
		}
		if busy.WaitForEdge(time.Second) {
			t.Error("an edge of nothing")
		}
	})
}
