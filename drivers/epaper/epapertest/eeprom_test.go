package epapertest

import "testing"

func TestEEPROM(t *testing.T) {
	e := NewEEPROM(Inky(250, 122, 7, 12, 23))
	var b [8]byte
	if err := e.Tx(0x50, []byte{0, 0}, b[:7]); err != nil || b != [8]byte{250, 0, 122, 0, 7, 12, 23} {
		t.Error(b, err)
	}
	if err := e.Tx(0x50, []byte{0x0f, 0xfe}, b[:3]); err != nil || b[0] != 0xff || b[1] != 0xff || b[2] != 250 {
		t.Error("not round again:", b, err)
	}
	if err := e.Tx(0x51, []byte{0, 0}, b[:]); err == nil {
		t.Error("another address is taken")
	}
	if n := len(e.Violations()); n != 0 {
		t.Error(e.Violations())
	}
	if err := e.Tx(0x50, []byte{0, 0, 1}, nil); err != nil || len(e.Violations()) != 1 {
		t.Error("a write is not noticed:", err)
	}
	_ = e.Tx(0x50, []byte{0}, b[:])
	if len(e.Violations()) != 2 {
		t.Error("half of an address is not noticed")
	}
	if e.Tx(0x50, []byte{0, 0}, b[:1]) != nil || b[0] != 250 {
		t.Error("the write was not refused")
	}
}
