package nfctest

import (
	"bytes"
	"testing"
)

func activeTag(t *testing.T, tag *Tag) *Field {
	t.Helper()
	f := field(tag)
	reselect(t, f, tag)
	return f
}

func reselect(t *testing.T, f *Field, tag *Tag) {
	t.Helper()
	restart(f)
	wakes(t, f, reqa, true)
	selectTag(t, f, tag.UID())
}

// refused sends a command that must be answered with NAK, and selects again.
func refused(t *testing.T, f *Field, tag *Tag, cmd ...byte) {
	t.Helper()
	ask(t, f, withCRC(cmd...), []byte{nakArgument}, 4)
	reselect(t, f, tag)
}

func accepted(t *testing.T, f *Field, cmd ...byte) {
	t.Helper()
	ask(t, f, withCRC(cmd...), []byte{ack}, 4)
}

// TestDelivery compares new tags with NTAG213/215/216 rev. 3.2, 8.5.
func TestDelivery(t *testing.T) {
	u := uid(t, "04A1B2C3D4E5F6")
	for _, c := range []struct {
		tag                 *Tag
		pages, dynamic      int
		cc, data, lastPages []byte
	}{
		{NewNTAG213(u), 45, 0x28, []byte{0xE1, 0x10, 0x12, 0}, []byte{1, 3, 0xA0, 0x0C, 0x34, 3, 0, 0xFE},
			[]byte{0, 0, 0, 0xBD, 4, 0, 0, 0xFF, 0, 5, 0, 0}},
		{NewNTAG215(u), 135, 0x82, []byte{0xE1, 0x10, 0x3E, 0}, []byte{3, 0, 0xFE, 0},
			[]byte{0, 0, 0, 0xBD, 4, 0, 0, 0xFF, 0, 5, 0, 0}},
		{NewNTAG216(u), 231, 0xE2, []byte{0xE1, 0x10, 0x6D, 0}, []byte{3, 0, 0xFE, 0},
			[]byte{0, 0, 0, 0xBD, 4, 0, 0, 0xFF, 0, 5, 0, 0}},
	} {
		mem := c.tag.Bytes()
		if len(mem) != 4*c.pages {
			t.Errorf("%v: %d bytes, want %d pages", c.tag, len(mem), c.pages)
		}
		if want := []byte{0x04, 0xA1, 0xB2, 0x9F, 0xC3, 0xD4, 0xE5, 0xF6, 0x04, 0x48, 0, 0}; !bytes.Equal(mem[:12], want) {
			t.Errorf("%v: pages 0 to 2: % X, want % X", c.tag, mem[:12], want)
		}
		if !bytes.Equal(mem[12:16], c.cc) || !bytes.Equal(mem[16:16+len(c.data)], c.data) {
			t.Errorf("%v: from page 3 on: % X", c.tag, mem[12:24])
		}
		if got := mem[4*c.dynamic:][:12]; !bytes.Equal(got, c.lastPages) {
			t.Errorf("%v: locks and configuration % X", c.tag, got)
		}
	}
}

func TestReadRollsOver(t *testing.T) {
	tag := NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	f := activeTag(t, tag)
	mem := tag.Bytes()
	// PWD and PACK read as 0; after page 2Ch comes page 0.
	ask(t, f, withCRC(cmdRead, 0x2B), withCRC(append(make([]byte, 8), mem[:8]...)...), 144)
	refused(t, f, tag, cmdRead, 0x2D)
	ask(t, f, withCRC(cmdFastRead, 3, 5), withCRC(mem[12:24]...), 112)
	refused(t, f, tag, cmdFastRead, 5, 3)
	refused(t, f, tag, cmdFastRead, 0, 0x2D)
	refused(t, f, tag, cmdReadCounter, 2)
	refused(t, f, tag, 0xEE)
}

func TestWrite(t *testing.T) {
	tag := NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	f := activeTag(t, tag)
	accepted(t, f, cmdWrite, 6, 1, 2, 3, 4)
	if got := tag.Bytes()[24:28]; !bytes.Equal(got, []byte{1, 2, 3, 4}) {
		t.Errorf("page 6 is % X", got)
	}
	refused(t, f, tag, cmdWrite, 0, 1, 2, 3, 4)
	refused(t, f, tag, cmdWrite, 0x2D, 1, 2, 3, 4)
	accepted(t, f, cmdCompatWrite, 7)
	accepted(t, f, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	if got := tag.Bytes()[28:32]; !bytes.Equal(got, []byte{5, 6, 7, 8}) {
		t.Errorf("page 7 is % X", got)
	}
	if tag.Writes() != 2 {
		t.Errorf("%d writes, want 2", tag.Writes())
	}
}

func TestLocks(t *testing.T) {
	tag := NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	f := activeTag(t, tag)
	accepted(t, f, cmdWrite, 3, 0, 0, 0, 0x0F) // once programmed, for ever
	accepted(t, f, cmdWrite, 3, 0, 0, 0, 0)
	if got := tag.Bytes()[12:16]; !bytes.Equal(got, []byte{0xE1, 0x10, 0x12, 0x0F}) {
		t.Errorf("capability container % X", got)
	}
	accepted(t, f, cmdWrite, 2, 0xFF, 0xFF, 0x20|0x04, 0x01) // locks 5 and 8, freezes 10 to 15
	refused(t, f, tag, cmdWrite, 5, 1, 2, 3, 4)
	refused(t, f, tag, cmdWrite, 8, 1, 2, 3, 4)
	accepted(t, f, cmdWrite, 4, 1, 2, 3, 4)
	accepted(t, f, cmdWrite, 2, 0, 0, 0, 0x06) // 9, and 10 in vain
	refused(t, f, tag, cmdWrite, 9, 1, 2, 3, 4)
	accepted(t, f, cmdWrite, 10, 1, 2, 3, 4)
	if got := tag.Bytes()[8:12]; !bytes.Equal(got, []byte{0x04, 0x48, 0x24, 0x03}) {
		t.Errorf("page 2 is % X", got)
	}

	accepted(t, f, cmdWrite, 0x28, 0x02, 0, 0x01, 0) // locks 18 and 19, freezes 16 to 19
	refused(t, f, tag, cmdWrite, 19, 1, 2, 3, 4)
	accepted(t, f, cmdWrite, 0x28, 0x01, 0x08, 0, 0)
	accepted(t, f, cmdWrite, 16, 1, 2, 3, 4)
	refused(t, f, tag, cmdWrite, 39, 1, 2, 3, 4)
	accepted(t, f, cmdWrite, 38-2, 1, 2, 3, 4)
}

func TestPassword(t *testing.T) {
	tag := NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	f := activeTag(t, tag)
	accepted(t, f, cmdWrite, 0x2B, 'p', 'a', 's', 's')
	accepted(t, f, cmdWrite, 0x2C, 0xAB, 0xCD, 0, 0)
	accepted(t, f, cmdWrite, 0x2A, 0x80, 5, 0, 0) // reading needs it too
	accepted(t, f, cmdWrite, 0x29, 4, 0, 0, 10)   // from page 10 on
	accepted(t, f, cmdWrite, 9, 1, 2, 3, 4)
	refused(t, f, tag, cmdWrite, 10, 1, 2, 3, 4)
	refused(t, f, tag, cmdRead, 10)
	mem := tag.Bytes()
	ask(t, f, withCRC(cmdRead, 8), withCRC(append(mem[32:40:40], mem[:8]...)...), 144)
	refused(t, f, tag, cmdPassword, 0, 0, 0, 0)
	ask(t, f, withCRC(cmdPassword, 'p', 'a', 's', 's'), withCRC(0xAB, 0xCD), 32)
	accepted(t, f, cmdWrite, 10, 1, 2, 3, 4)
}

// FuzzTag checks that a tag answers any frame or is silent, with any memory, and
// can be selected after the field was off.
func FuzzTag(f *testing.F) {
	f.Add(byte(0), []byte{}, []byte{1, 7, reqa, 2, 0, 0x93, 0x20})
	f.Add(byte(1), []byte{0x04, 0, 0, 0}, []byte{1, 7, wupa, 4, 0, 0x30, 0, 0x02, 0xA8, 4, 0, 0x30, 3, 0, 0})
	f.Add(byte(2), bytes.Repeat([]byte{0xFF}, 924), []byte{1, 7, wupa, 3, 4, 0x93, 0x35, 1})
	f.Fuzz(func(t *testing.T, which byte, mem, frames []byte) {
		u := uid(t, "04A1B2C3D4E5F6")
		tag := []*Tag{NewNTAG213(u), NewNTAG215(u), NewNTAG216(u), NewClassic(uid(t, "01020304"))}[which%4]
		tag.Load(0, mem)
		fd := field(tag, NewNTAG213(uid(t, "04A1B2C3D4E5F7")))
		for len(frames) > 2 {
			n := min(int(frames[0]%32), len(frames)-2)
			fd.Transceive(frames[2:2+n], int(frames[1]))
			frame := frames[2 : 2+n : 2+n]
			fd.Transceive(withCRC(frame...), 0)
			frames = frames[2+n:]
		}
		tag.Text()
		tag.SetText("tableside:mutants/zombie.2")
		fd.Take(fd.Tags()[1])
		if fd.SetPower(false); fd.Transceive([]byte{reqa}, 7).OK {
			t.Fatal("an answer without power")
		}
		restart(fd)
		wakes(t, fd, reqa, true)
		selectTag(t, fd, tag.UID())
	})
}
