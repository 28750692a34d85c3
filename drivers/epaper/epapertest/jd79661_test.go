package epapertest

import (
	"slices"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
)

func (h *host) size() { h.send(0x61, 0, 128, 0, 250) }

func (h *host) power() {
	h.send(0x04)
	h.waits()
}

func TestJDRefuses(t *testing.T) {
	for _, test := range []struct {
		what string
		do   func(h *host)
		want []string
	}{
		{"data first", func(h *host) { h.raw(gpio.High, 1, 2) }, []string{"2 bytes of data without a command"}},
		{"an unknown command", func(h *host) { h.send(0x13, 0) }, []string{"unknown command 13h", "without a command"}},
		{"too much data", func(h *host) { h.send(0x50, 0x37, 0) }, []string{"50h takes 1"}},
		{"too little data", func(h *host) { h.send(0x61, 0, 128, 0); h.send(0x50, 0x37) },
			[]string{"61h: 3 bytes of data, it takes 4"}},
		{"a refresh without its data",
			func(h *host) { h.size(); h.power(); h.send(0x12); h.isBusy(false); h.send(0x50, 0x37) },
			[]string{"12h: 0 bytes of data, it takes 1"}},
		{"a refresh without power", func(h *host) { h.size(); h.send(0x12, 0) }, []string{"a refresh with the power off"}},
		{"a refresh of another size", func(h *host) { h.send(0x61, 0, 120, 0, 250); h.power(); h.send(0x12, 0) },
			[]string{"TRES is 120x250"}},
		{"too large", func(h *host) { h.send(0x61, 0, 136, 0, 250) }, []string{"61h: 136x250"}},
		{"a picture before its size", func(h *host) { h.send(0x10, 0x55) }, []string{"before its resolution"}},
		{"too large a picture", func(h *host) { h.size(); h.send(0x10, bytesOf(8001, 0x55)...); h.raw(gpio.High, 1) },
			[]string{"more data than the memory"}},
		{"a wrong check code", func(h *host) { h.send(0x07, 0x5a) }, []string{"check code 5Ah"}},
		{"sleep with the power on", func(h *host) { h.power(); h.send(0x07, 0xa5) }, []string{"with the power on"}},
		{"talk in sleep", func(h *host) { h.send(0x07, 0xa5); h.send(0x04) }, []string{"in deep sleep"}},
		{"commands while busy", func(h *host) { h.send(0x04); h.send(0x50, 0x37) },
			[]string{"command 50h while busy", "data while busy"}},
	} {
		t.Run(test.what, func(t *testing.T) {
			in(t, "inky-phat-4colour", func(h *host) {
				test.do(h)
				h.violated(test.want...)
			})
		})
	}
}

// TestJD79661 writes two bits for each pixel and checks the four colours and their
// order on the glass.
func TestJD79661(t *testing.T) {
	in(t, "inky-phat-4colour", func(h *host) {
		h.size()
		for row := range 250 {
			if row == 0 {
				h.send(0x10)
			}
			h.raw(gpio.High, bytesOf(32, []byte{0x1b, 0x55, 0xaa, 0xff}[row%4])...)
		}
		h.power()
		h.send(0x12, 0x00)
		h.isBusy(true)
		if took := h.waits(); took.Round(10*time.Millisecond) != 21400*time.Millisecond {
			t.Error("a refresh took", took)
		}
		if f, p := h.Refreshes(); f != 1 || p != 0 {
			t.Error(f, p)
		}
		glass := h.Glass()
		for x, want := range [][4]byte{{black, white, yellow, red}, {white, white, white, white},
			{yellow, yellow, yellow, yellow}, {red, red, red, red}} {
			for i, colour := range want { // the memory's columns go up
				if got := glass.ColorIndexAt(x, 121-i); got != colour {
					t.Errorf("colour %d at %d,%d, want %d", got, x, 121-i, colour)
				}
			}
		}
		h.send(0x02, 0x00)
		h.isBusy(true)
		h.waits()
		h.send(0x07, 0xa5)
		h.isBusy(false)
		h.pullReset()
		h.waits()
		h.size()
		if n := count(h.Memory(false), white); n > 122*250/2 {
			t.Error("deep sleep kept the memory")
		}
		h.violated()
	})
}

// TestBusyIsPulledUp checks that a host that pulls BUSY up reads a missing panel
// as idle.
func TestBusyIsPulledUp(t *testing.T) {
	in(t, "inky-phat-4colour", func(h *host) {
		busy := h.Pins().Busy
		if err := busy.In(gpio.PullUp, gpio.NoEdge); err != nil {
			t.Fatal(err)
		}
		h.Kill()
		if busy.Read() != gpio.High {
			t.Error("BUSY is low")
		}
	})
}

// TestJD7in3 tests Waveshare's 7.3" panels: two bits for each pixel with four
// colours, four bits with six.
func TestJD7in3(t *testing.T) {
	for name, pixels := range map[string][]byte{
		"waveshare-7in3-g": {0x1b, 0x1b},
		"waveshare-7in3-e": {0x01, 0x23, 0x56, 0x11},
	} {
		in(t, name, func(h *host) {
			want := []byte{black, white, yellow, red, black, white, yellow, red}
			if h.model.depth == 4 {
				want = []byte{black, white, yellow, red, blue, green, white, white}
			}
			h.send(0x61, 0x03, 0x20, 0x01, 0xe0)
			h.send(0x01, 0x3f) // some send six bytes
			h.send(0x10)
			for range 480 * 100 { // groups of eight pixels
				h.raw(gpio.High, pixels...)
			}
			h.power()
			h.send(0x12, 0x00)
			h.waits()
			glass := h.Glass()
			for _, at := range []int{0, 8, 799*480 - 8, 800*480 - 8} {
				at -= at % 8
				if got := glass.Pix[at : at+8]; !slices.Equal(got, want) {
					t.Errorf("%s: %v at %d, want %v", name, got, at, want)
				}
			}
			h.violated()
		})
	}
}
