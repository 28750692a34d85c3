package ssd1306test

import (
	"errors"
	"image"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/i2c"
)

func send(t testing.TB, b i2c.Bus, w ...byte) {
	t.Helper()
	if err := b.Tx(0x3c, w, nil); err != nil {
		t.Fatal(err)
	}
}

// on holds the commands that light up a module the right way round.
var on = []byte{0x00, 0x8d, 0x14, 0xa1, 0xc8, 0xaf}

// where returns the lit pixels of the glass, one for the eight of a byte.
func where(c *Chip) []image.Point {
	glass := c.Glass()
	var lit []image.Point
	for y := range glass.Rect.Dy() {
		for x := range width {
			if glass.ColorIndexAt(x, y) == 1 {
				lit = append(lit, image.Pt(x, y))
			}
		}
	}
	return lit
}

// empty returns a module that is on, with nothing in its RAM.
func empty(t *testing.T, height int) (*Chip, i2c.Bus) {
	c := New(height, 0x3c)
	b := c.I2C()
	send(t, b, append([]byte{0x00, 0x20, 0x00}, on[1:]...)...)
	if height == 32 {
		send(t, b, 0x00, 0xda, 0x02, 0xa8, 31)
	}
	send(t, b, append([]byte{0x40}, make([]byte, 1024)...)...)
	time.Sleep(lights)
	if n := len(where(c)); n != 0 {
		t.Fatalf("%d pixels are lit", n)
	}
	return c, b
}

// TestAddressing writes three bytes in every mode of addressing and looks where
// they are.
func TestAddressing(t *testing.T) {
	for _, test := range []struct {
		name  string
		setUp []byte
		want  []image.Point // of the lowest bit of 1, 1, 1
	}{
		{"horizontal", []byte{0x20, 0, 0x21, 126, 127, 0x22, 2, 3}, []image.Point{{126, 16}, {127, 16}, {126, 24}}},
		{"vertical", []byte{0x20, 1, 0x21, 5, 9, 0x22, 6, 7}, []image.Point{{5, 48}, {6, 48}, {5, 56}}},
		{"by page", []byte{0x20, 2, 0xb1, 0x0e, 0x17}, []image.Point{{126, 8}, {127, 8}, {126, 8}}},
		{"window of one", []byte{0x20, 0, 0x21, 5, 5, 0x22, 7, 7}, []image.Point{{5, 56}}},
		{"backwards", []byte{0x20, 0, 0x21, 127, 0, 0x22, 7, 0}, []image.Point{{127, 56}, {0, 56}, {127, 0}}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, b := empty(t, 64)
			send(t, b, append([]byte{0}, test.setUp...)...)
			send(t, b, 0x40, 1, 1, 1)
			got := where(c)
			for _, p := range test.want {
				if !slices.Contains(got, p) {
					t.Errorf("%s: lit are %v, want %v", test.name, got, test.want)
				}
			}
			if v := c.Violations(); v != (Violations{}) {
				t.Errorf("%s: %+v", test.name, v)
			}
		})
	}
}

// TestLooks writes one pixel and checks where the display commands move it.
func TestLooks(t *testing.T) {
	for _, test := range []struct {
		name   string
		height int
		after  []byte // the pixel at 3, 2 was written
		want   image.Point
	}{
		{"as it is", 64, nil, image.Pt(3, 2)},
		{"segments turned later", 64, []byte{0xa0}, image.Pt(3, 2)},
		{"rows turned", 64, []byte{0xc0}, image.Pt(3, 61)},
		{"start line", 64, []byte{0x42}, image.Pt(3, 0)},
		{"start line beyond", 64, []byte{0x43}, image.Pt(3, 63)},
		{"fewer rows", 64, []byte{0xa8, 31}, image.Pt(3, 34)},
		{"other wiring", 64, []byte{0xda, 0x02}, image.Pt(3, 4)},
		{"sides swapped", 64, []byte{0xda, 0x32}, image.Pt(3, 3)},
		{"half as high", 32, nil, image.Pt(3, 2)},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, b := empty(t, test.height)
			send(t, b, 0x00, 0x21, 3, 3, 0x22, 0, 0)
			send(t, b, 0x40, 4)
			send(t, b, append([]byte{0x00}, test.after...)...)
			if got := where(c); len(got) != 1 || got[0] != test.want {
				t.Errorf("%s: lit are %v, want %v", test.name, got, test.want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		c, b := empty(t, 64)
		for _, test := range []struct {
			commands []byte
			lit      int
		}{
			{[]byte{0xa7}, 8192}, {[]byte{0xa6}, 0}, {[]byte{0xa5}, 8192}, {[]byte{0xae}, 0}, {[]byte{0xaf}, 8192},
			{[]byte{0x8d, 0x10}, 0},
			{[]byte{0x8d, 0x14}, 8192}, {[]byte{0xa4}, 0},
		} {
			send(t, b, append([]byte{0}, test.commands...)...)
			time.Sleep(lights)
			if n := len(where(c)); n != test.lit {
				t.Errorf("after %x %d pixels are lit, want %d", test.commands, n, test.lit)
			}
		}
		send(t, b, 0x00, 0x81, 9)
		if c.Contrast() != 9 {
			t.Errorf("contrast %d", c.Contrast())
		}
	})
}

// TestProtocol sends commands in every valid way, and some invalid ones.
func TestProtocol(t *testing.T) {
	for _, test := range []struct {
		name string
		wire [][]byte
		want Violations
	}{
		{"one at a time", [][]byte{{0x80, 0xa7, 0x80, 0xa6, 0xc0, 1, 0x00, 0xae}}, Violations{}},
		{"arguments later", [][]byte{{0, 0x81}, {0, 0xae}, {0x80, 0x21, 0x80, 1}, {0, 2}}, Violations{}},
		{"nothing", [][]byte{{0}, {0x40}, {0x80}}, Violations{}},
		{"control byte", [][]byte{{0x01, 0xae}, {0x41, 1}}, Violations{Control: 2}},
		{"unknown", [][]byte{{0, 0x23, 0xd6, 0xfd, 0xe3}}, Violations{Unknown: 3}},
		{"range", [][]byte{{0, 0x20, 3, 0x21, 128, 255, 0x22, 8, 9, 0xa8, 14, 0xd3, 64, 0xda, 0, 0xd9, 0x0f, 0x8d, 0}},
			Violations{Range: 10}},
		{"mode", [][]byte{{0, 0xb0, 0x00, 0x10}}, Violations{Mode: 3}},
		{"mode", [][]byte{{0, 0x20, 2, 0x21, 0, 127, 0x22, 0, 7}}, Violations{Mode: 2}},
		{"scrolling", [][]byte{{0, 0x27, 0, 0, 7, 3, 0, 0xff, 0x2f}, {0x40, 1, 2}, {0, 0x2e}, {0x40, 1}},
			Violations{Scroll: 2}},
		{"backwards", [][]byte{{0, 0x29, 0, 3, 7, 2, 1, 0xa3, 0, 64}}, Violations{Range: 1}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, b := empty(t, 64)
			for _, w := range test.wire {
				send(t, b, w...)
			}
			if v := c.Violations(); v != test.want {
				t.Errorf("%s: %+v, want %+v", test.name, v, test.want)
			}
			if c.Scrolling() {
				t.Errorf("%s: it scrolls", test.name)
			}
		})
	}
}

// TestSH1106 writes to the other memory and through the other commands.
func TestSH1106(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewSH1106(0x3c)
		b := c.I2C()
		for page := range byte(8) {
			send(t, b, 0x00, 0xb0|page, 0x00, 0x10)
			send(t, b, append([]byte{0x40}, make([]byte, 132)...)...)
		}
		send(t, b, 0x00, 0xa1, 0xc8, 0xaf)
		time.Sleep(lights)
		write := func(column byte, data ...byte) {
			send(t, b, 0x00, 0xb1, column&15, 0x10|column>>4)
			send(t, b, append([]byte{0x40}, data...)...)
		}
		write(0, 1, 1, 1, 0, 0) // two columns are beside the glass
		write(128, 0, 1, 1, 1)
		if got, want := where(c), []image.Point{{0, 8}, {127, 8}}; !slices.Equal(got, want) {
			t.Errorf("lit are %v, want %v", got, want)
		}
		send(t, b, 0x00, 0xa0) // pixels already written turn round, too
		if got, want := where(c), []image.Point{{0, 8}, {127, 8}}; !slices.Equal(got, want) {
			t.Errorf("turned, lit are %v, want %v", got, want)
		}
		write(2, 0)
		if got, want := where(c), []image.Point{{0, 8}}; !slices.Equal(got, want) {
			t.Errorf("turned, lit are %v, want %v", got, want)
		}
		if v := c.Violations(); v != (Violations{}) {
			t.Errorf("%+v", v)
		}
		write(131, 0, 1, 1) // it does not wrap
		write(132, 1)
		send(t, b, 0x00, 0x20, 0x00, 0x21, 0x22, 0x8d, 0x2f, 0xad, 0x00)
		if got, want := c.Violations(), (Violations{Beyond: 3, Unknown: 5, Range: 1}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		if c.On() {
			t.Error("it shines without its converter")
		}
		send(t, b, 0x00, 0xad, 0x8b)
		if !c.On() {
			t.Error("it does not shine with its converter")
		}
	})
}

// TestSSD1309 locks and unlocks, and needs no pump.
func TestSSD1309(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewSSD1309(0x3d)
		b := c.I2C()
		tell := func(w ...byte) {
			t.Helper()
			if err := b.Tx(0x3d, w, nil); err != nil {
				t.Fatal(err)
			}
		}
		tell(0x00, 0xfd, 0x16, 0xaf)
		if c.On() {
			t.Error("locked, it hears")
		}
		tell(0x00, 0xfd, 0x12, 0xaf)
		if !c.On() {
			t.Error("unlocked, it does not hear")
		}
		tell(0x00, 0x8d, 0xe3, 0xfd, 0x13)
		if got, want := c.Violations(), (Violations{Unknown: 1, Range: 1}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	})
}

// TestAbsent checks that only the right address is answered, and only while
// the chip is there.
func TestAbsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(64, 0x3c)
		b := c.I2C()
		if err := b.Tx(0x3d, []byte{0, 0xaf}, nil); !errors.Is(err, syscall.EREMOTEIO) {
			t.Error(err)
		}
		if err := b.Tx(0x80, []byte{0}, nil); err == nil {
			t.Error("an address of 8 bits")
		}
		if err := b.SetSpeed(0); err == nil {
			t.Error("no speed")
		}
		status := []byte{0}
		if err := b.Tx(0x3c, nil, status); err != nil || status[0] != 0x40 {
			t.Errorf("status %x, %v", status, err)
		}
		send(t, b, on...)
		if err := b.Tx(0x3c, nil, status); err != nil || status[0] != 0 || !c.On() {
			t.Errorf("status %x, %v", status, err)
		}
		began := time.Now()
		send(t, b, 0x40, 1, 2, 3)
		if took := time.Since(began); took != 5*9*2500*time.Nanosecond {
			t.Errorf("took %v", took)
		}
		if got, want := c.Wire(), (Counts{Transactions: 5, Written: len(on) + 4, Read: 2}); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		for _, fault := range []func(){c.Kill, c.Unplug, func() { c.MuteAfter(0) }} {
			fault()
			if err := b.Tx(0x3c, []byte{0}, nil); err == nil {
				t.Error("it answers")
			}
			c.Revive()
			c.Plug()
			send(t, b, 0)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestConcurrent writes, injects faults and reads at the same time, for the
// race detector.
func TestConcurrent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(64, 0x3c)
		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				b := c.I2C()
				for n := range 40 {
					switch i {
					case 0, 1:
						b.Tx(0x3c, []byte{0x40, byte(n)}, nil)
					case 2:
						c.Glass()
						c.Wire()
						c.Violations()
						time.Sleep(100 * time.Microsecond)
					case 3:
						[]func(){c.Kill, c.Revive, c.Unplug, c.Plug, c.BrownOut}[n%5]()
						time.Sleep(100 * time.Microsecond)
					}
				}
			})
		}
		all.Wait()
		if n := c.Wire().Transactions; n != 80 {
			t.Errorf("%d transactions", n)
		}
	})
}

// FuzzCommands sends any bytes: nothing panics, and the glass can be read.
func FuzzCommands(f *testing.F) {
	f.Add([]byte{0x00, 0x20, 0x00, 0x21, 0xff, 0xff, 0x22, 0xff, 0xff}, []byte{0x40, 1, 2, 3})
	f.Add([]byte{0x80, 0xa8, 0x80, 0x0f, 0xc0, 1}, []byte{0x00, 0xda, 0x32, 0xd3, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		if len(first)+len(second) > 4096 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			for _, c := range []*Chip{New(64, 0x3c), NewSSD1309(0x3c), NewSH1106(0x3c)} {
				b := c.I2C()
				send(t, b, on...)
				send(t, b, first...)
				send(t, b, second...)
				send(t, b, 0x40, 1, 2, 3)
				time.Sleep(lights)
				c.Glass()
			}
		})
	})
}
