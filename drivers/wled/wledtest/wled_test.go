package wledtest

import (
	"image/color"
	"testing"
	"testing/synctest"
	"time"
)

// packet returns a frame of one red LED with PUSH and number 1, with one byte
// changed and more data appended.
func packet(at int, value byte, more ...byte) []byte {
	p := append([]byte{0x41, 1, 0x0b, 1, 0, 0, 0, 0, 0, 3, 255, 0, 0}, more...)
	p[at] = value
	return p
}

// TestPackets sends valid packets and invalid ones.
func TestPackets(t *testing.T) {
	red, dark := color.NRGBA{R: 255, A: 255}, Orange
	for _, test := range []struct {
		name string
		p    []byte
		want Violations
		show color.NRGBA // the first LED
	}{
		{"right", packet(0, 0x41), Violations{}, red},
		{"short", packet(0, 0x41)[:9], Violations{Short: 1}, dark},
		{"cut off", packet(0, 0x41)[:12], Violations{Length: 1}, dark},
		{"too long", packet(0, 0x41, 9), Violations{Length: 1}, red},
		{"time code", packet(0, 0x51)[:10], Violations{Length: 1}, dark},
		{"version 0", packet(0, 0x01), Violations{Version: 1}, red},
		{"query", packet(0, 0x43), Violations{Query: 1}, dark},
		{"reply", packet(0, 0x45), Violations{Query: 1}, dark},
		{"storage", packet(0, 0x48), Violations{Query: 1}, dark},
		{"status", packet(3, 251), Violations{Query: 1, Target: 1}, dark},
		{"all outputs", packet(3, 255), Violations{Target: 1}, red},
		{"RGBW", packet(2, 0x1b), Violations{Type: 1}, red},
		{"number", packet(1, 16), Violations{Sequence: 1}, red},
		{"offset", packet(7, 1), Violations{Offset: 1}, red},
		{"beyond", packet(7, 6), Violations{Beyond: 1}, color.NRGBA{A: 255}},
		{"far beyond", packet(4, 0xff), Violations{Beyond: 1}, color.NRGBA{A: 255}},
		{"never pushed", packet(0, 0x40), Violations{}, red},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := New(2)
			w.Packet(test.p)
			if v := w.Violations(); v != test.want {
				t.Errorf("%s: %+v, want %+v", test.name, v, test.want)
			}
			if got := w.Colours()[0]; got != test.show {
				t.Errorf("%s shows %v, want %v", test.name, got, test.show)
			}
		})
	}
}

// TestPush checks that frames of a sender that uses PUSH are shown at the PUSH.
func TestPush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(1)
		w.Packet(packet(0, 0x41))
		green := packet(0, 0x40)
		green[1], green[10], green[11] = 2, 0, 255
		w.Packet(green)
		if got := w.Colours()[0]; got.R != 255 {
			t.Errorf("shown before its push: %v", got)
		}
		green[0], green[1] = 0x41, 3
		w.Packet(green)
		if got := w.Colours()[0]; got.G != 255 {
			t.Errorf("not shown: %v", got)
		}
		time.Sleep(Timeout)
		if got := w.Colours()[0]; got != Orange || w.Live() {
			t.Errorf("live for ever: %v", got)
		}
		w.SetGamma(true)
		w.SetBrightness(128)
		half := packet(10, 128)
		half[1] = 4
		w.Packet(half)
		if got := w.Colours()[0].R; got != 18 {
			t.Errorf("shows %d, want 255 × 0.5^2.8 × 0.5", got)
		}
		if v := w.Violations(); v != (Violations{}) {
			t.Errorf("%+v", v)
		}
	})
}

// TestLate checks that packets that WLED takes for those of an earlier frame are
// dropped, if it is set to do so.
func TestLate(t *testing.T) {
	for _, test := range []struct {
		last, n byte
		late    bool
	}{
		{0, 9, false}, {9, 0, false}, {9, 9, false}, {9, 10, false}, {9, 8, true}, {9, 5, true}, {9, 4, false},
		{15, 1, false}, {15, 14, true}, {3, 2, true}, {3, 14, true}, {3, 13, false},
	} {
		if got := isLate(test.n, test.last); got != test.late {
			t.Errorf("%d after %d: late %v", test.n, test.last, got)
		}
	}
}

// FuzzPacket checks that nothing on the network makes the controller fail.
func FuzzPacket(f *testing.F) {
	f.Add(packet(0, 0x41))
	f.Add(packet(0, 0x51))
	f.Fuzz(func(t *testing.T, p []byte) {
		w := New(3)
		w.Packet(p)
		w.Packet(p)
		w.Colours()
	})
}
