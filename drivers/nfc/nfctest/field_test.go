package nfctest

import (
	"bytes"
	"testing"
	"time"

	"tableside/drivers/nfc"
)

func uid(t testing.TB, s string) nfc.UID {
	t.Helper()
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func field(tags ...*Tag) *Field {
	f := new(Field)
	for _, tag := range tags {
		f.Put(tag)
	}
	f.SetPower(true)
	return f
}

func restart(f *Field) {
	f.SetPower(false)
	f.SetPower(true)
}

func withCRC(b ...byte) []byte {
	crc := CRCA(b)
	return append(b, crc[0], crc[1])
}

// ask sends whole bytes and fails unless it gets this answer.
func ask(t *testing.T, f *Field, frame, want []byte, bits int) {
	t.Helper()
	a := f.Transceive(frame, 0)
	if a.Bits != bits || a.Collision != -1 || a.ParityError || !bytes.Equal(a.Data, want) {
		t.Errorf("% X: % X, %d bits, collision %d; want % X, %d bits", frame, a.Data, a.Bits, a.Collision, want, bits)
	}
}

func wakes(t *testing.T, f *Field, cmd byte, want bool) {
	t.Helper()
	if a := f.Transceive([]byte{cmd}, 7); a.OK != want {
		t.Errorf("%02X: answered %v, want %v", cmd, a.OK, want)
	}
}

// selectTag leads one tag from ready to active.
func selectTag(t *testing.T, f *Field, u nfc.UID) {
	t.Helper()
	b := u.Bytes()
	if len(b) == 7 {
		cl1 := []byte{0x93, 0x70, 0x88, b[0], b[1], b[2], 0x88 ^ b[0] ^ b[1] ^ b[2]}
		ask(t, f, withCRC(cl1...), withCRC(0x04), 24)
		b = b[3:]
		cl2 := []byte{0x95, 0x70, b[0], b[1], b[2], b[3], b[0] ^ b[1] ^ b[2] ^ b[3]}
		ask(t, f, withCRC(cl2...), withCRC(0x00), 24)
		return
	}
	cl1 := []byte{0x93, 0x70, b[0], b[1], b[2], b[3], b[0] ^ b[1] ^ b[2] ^ b[3]}
	ask(t, f, withCRC(cl1...), withCRC(0x08), 24)
}

// TestCRCA tests the examples of ISO/IEC 14443-3, annex B.
func TestCRCA(t *testing.T) {
	for _, c := range []struct{ data, crc []byte }{
		{[]byte{0x00, 0x00}, []byte{0xA0, 0x1E}},
		{[]byte{0x12, 0x34}, []byte{0x26, 0xCF}},
		{[]byte{0x50, 0x00}, []byte{0x57, 0xCD}}, // HLTA, as every trace shows it
	} {
		if got := CRCA(c.data); !bytes.Equal(got[:], c.crc) {
			t.Errorf("CRCA(% X) = % X, want % X", c.data, got, c.crc)
		}
	}
}

func TestNoPowerNoAnswer(t *testing.T) {
	f := new(Field)
	f.Put(NewNTAG213(uid(t, "04A1B2C3D4E5F6")))
	wakes(t, f, reqa, false)
	f.SetPower(true)
	wakes(t, f, reqa, true)
	f.SetPower(false)
	wakes(t, f, wupa, false)
}

func TestStates(t *testing.T) {
	u := uid(t, "04A1B2C3D4E5F6")
	f := field(NewNTAG213(u))

	wakes(t, f, reqa, true)
	wakes(t, f, reqa, false) // unexpected in READY: back to IDLE
	wakes(t, f, reqa, true)
	selectTag(t, f, u)
	ask(t, f, withCRC(cmdGetVersion), withCRC(0, 4, 4, 2, 1, 0, 0x0F, 3), 80)
	ask(t, f, withCRC(hlta, 0), nil, 0)
	wakes(t, f, reqa, false) // asleep
	wakes(t, f, wupa, true)
	wakes(t, f, wupa, false) // READY*: back to HALT
	wakes(t, f, reqa, false)
	wakes(t, f, wupa, true)
	selectTag(t, f, u)
	ask(t, f, []byte{cmdRead, 4, 0, 0}, []byte{nakChecksum}, 4) // and back to HALT
	wakes(t, f, reqa, false)
	f.SetFade(time.Hour)
	restart(f)
	wakes(t, f, reqa, false) // the field was not off for long
	f.SetFade(0)
	restart(f)
	wakes(t, f, reqa, true)
	ask(t, f, withCRC(0x93, 0x70, 0x88, 0x04, 0xA1, 0xB3, 0x9E), nil, 0) // not me: IDLE
	wakes(t, f, reqa, true)
}

func TestReadOfPage0Selects(t *testing.T) {
	tag := NewNTAG215(uid(t, "04A1B2C3D4E5F6"))
	f := field(tag)
	wakes(t, f, reqa, true)
	ask(t, f, withCRC(cmdRead, 0), withCRC(tag.Bytes()[:16]...), 144)
	ask(t, f, withCRC(cmdRead, 3), withCRC(tag.Bytes()[12:28]...), 144)
}

func TestClassic(t *testing.T) {
	u := uid(t, "DEADBEEF")
	f := field(NewClassic(u))
	a := f.Transceive([]byte{reqa}, 7)
	if !bytes.Equal(a.Data, []byte{0x04, 0x00}) {
		t.Errorf("ATQA % X", a.Data)
	}
	ask(t, f, []byte{0x93, 0x20}, []byte{0xDE, 0xAD, 0xBE, 0xEF, 0xDE ^ 0xAD ^ 0xBE ^ 0xEF}, 40)
	selectTag(t, f, u)
	ask(t, f, withCRC(cmdRead, 0), []byte{nakClassic}, 4)
}

// anticollision finds all tags by walking the tree, as readers do.
func anticollision(t *testing.T, f *Field) map[nfc.UID]bool {
	found := make(map[nfc.UID]bool)
	for range 100 {
		if !f.Transceive([]byte{reqa}, 7).OK {
			return found
		}
		var raw []byte
		for level := byte(0); ; level++ {
			frame, bits := []byte{selCL1 + 2*level, 0x20}, 0
			for bits < 40 {
				frame[1] = byte(2+bits/8)<<4 | byte(bits%8)
				a := f.Transceive(frame, bits%8)
				if !a.OK || a.Bits != 40-bits {
					t.Fatalf("anticollision of % X: %d bits", frame, a.Bits)
				}
				n := a.Bits
				if a.Collision >= 0 {
					n = a.Collision + 1 // and go on with a 1 in that bit, as received
				}
				for i := range n {
					if bits%8 == 0 {
						frame = append(frame, 0)
					}
					frame[len(frame)-1] |= a.Data[i/8] >> (i % 8) & 1 << (bits % 8)
					bits++
				}
			}
			frame[1] = nvbSelect
			a := f.Transceive(withCRC(frame...), 0)
			if a.Bits != 24 || a.Collision >= 0 {
				t.Fatalf("select % X: % X", frame, a.Data)
			}
			if a.Data[0]&sakCascade != 0 {
				raw = append(raw, frame[3:6]...)
				continue
			}
			raw = append(raw, frame[2:6]...)
			break
		}
		u, err := nfc.NewUID(raw)
		if err != nil {
			t.Fatal(err)
		}
		found[u] = true
		f.Transceive(withCRC(hlta, 0), 0)
	}
	t.Fatal("never an end of tags")
	return nil
}

func TestAnticollision(t *testing.T) {
	var tags []*Tag
	for _, s := range []string{"04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A1B2C3D4E576", "0411223344556677889A", "88112233",
		"DEADBEEF", "5EADBEEF"} {
		tags = append(tags, NewClassic(uid(t, s)))
	}
	for n := range len(tags) + 1 {
		found := anticollision(t, field(tags[:n]...))
		for _, tag := range tags[:n] {
			if !found[tag.UID()] {
				t.Errorf("of %d tags, %v was not found", n, tag)
			}
		}
		if len(found) != n {
			t.Errorf("%d tags found of %d", len(found), n)
		}
	}
}

func TestCollisionPosition(t *testing.T) {
	f := field(NewClassic(uid(t, "01000000")), NewClassic(uid(t, "01100000")))
	if a := f.Transceive([]byte{reqa}, 7); a.Collision != -1 {
		t.Errorf("equal ATQAs collide at %d", a.Collision)
	}
	if a := f.Transceive([]byte{0x93, 0x20}, 0); a.Collision != 12 {
		t.Errorf("collision at bit %d, want 12", a.Collision)
	}
	// The bits after the ones that are known come first in the answer.
	a := f.Transceive([]byte{0x93, 0x34, 0x01, 0x00}, 4)
	if a.Collision != 0 || a.Bits != 28 {
		t.Errorf("collision at bit %d of %d, want 0 of 28", a.Collision, a.Bits)
	}
	a = f.Transceive([]byte{0x93, 0x35, 0x01, 0x10}, 5)
	if a.Collision != -1 || a.Bits != 27 || !bytes.Equal(a.Data, []byte{0, 0, 0x88, 0}) {
		t.Errorf("% X, %d bits, collision %d", a.Data, a.Bits, a.Collision)
	}
}

func TestEdge(t *testing.T) {
	tag := NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	f := field(tag)
	f.Edge(tag, 3)
	bad := 0
	for range 30 {
		restart(f)
		if a := f.Transceive([]byte{reqa}, 7); !a.OK || a.Bits != 16 || a.ParityError {
			bad++
		}
	}
	if bad != 10 {
		t.Errorf("%d of 30 answers were spoilt, want 10", bad)
	}
	f.Edge(tag, 0)
	restart(f)
	wakes(t, f, reqa, true)
	selectTag(t, f, tag.UID())
}

func TestTransceiveDoesNotAllocate(t *testing.T) {
	f := field(NewNTAG213(uid(t, "04A1B2C3D4E5F6")), NewNTAG213(uid(t, "04A1B2C3D4E5F7")))
	wake, sel := []byte{reqa}, []byte{0x93, 0x20}
	if n := testing.AllocsPerRun(100, func() {
		f.Transceive(wake, 7)
		f.Transceive(sel, 0)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
