package nfc_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
)

func uid(t testing.TB, s string) nfc.UID {
	t.Helper()
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUID(t *testing.T) {
	for s, want := range map[string]string{
		"04a1b2c3d4e5f6":       "04A1B2C3D4E5F6",
		"04:A1:b2:C3:D4:E5:F6": "04A1B2C3D4E5F6",
		"de-ad-be-ef":          "DEADBEEF",
		"DE AD BE EF":          "DEADBEEF",
		"00112233445566778899": "00112233445566778899",
	} {
		u, err := nfc.ParseUID(s)
		if err != nil || u.String() != want || u.Len() != len(want)/2 {
			t.Errorf("%q: %v, %v", s, u, err)
		}
		again, err := nfc.NewUID(u.Bytes())
		if err != nil || again != u {
			t.Errorf("%v from its bytes: %v, %v", u, again, err)
		}
	}
	for _, s := range []string{"", "04", "04A1B2C3D4", "04A1B2C3D4E5F", ":04A1B2C3", "04A1B2C3:", "04::A1B2C3", "04A1B2CX",
		"0-4A1B2C3", "Ärger!"} {
		if u, err := nfc.ParseUID(s); err == nil {
			t.Errorf("%q is %v", s, u)
		}
	}
	if _, err := nfc.NewUID(make([]byte, 5)); err == nil {
		t.Error("a UID of 5 bytes")
	}
}

// data puts bytes into the data area of a tag.
func data(t *testing.T, b ...byte) *nfctest.Tag {
	tag := nfctest.NewNTAG215(uid(t, "04A1B2C3D4E5F6"))
	tag.Load(16, b)
	return tag
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func TestReadText(t *testing.T) {
	hello := []byte{0xD1, 1, 8, 'T', 2, 'e', 'n', 'h', 'e', 'l', 'l', 'o'}
	long := append([]byte{0xC1, 1, 0, 0, 1, 4, 'T', 2, 'd', 'e'}, bytes.Repeat([]byte{'x'}, 257)...)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"short":           {join([]byte{3, 12}, hello, []byte{0xFE}), "hello"},
		"no terminator":   {join([]byte{3, 12}, hello), "hello"},
		"long length":     {join([]byte{3, 0xFF, 0, 12}, hello), "hello"},
		"long record":     {join([]byte{3, 0xFF, 1, 11}, long), strings.Repeat("x", 257)},
		"after padding":   {join(make([]byte, 9), []byte{3, 12}, hello), "hello"},
		"after controls":  {join([]byte{1, 3, 0xA0, 0x0C, 0x34, 0xFD, 2, 3, 3, 3, 12}, hello), "hello"},
		"with id":         {[]byte{3, 12, 0xD9, 1, 5, 2, 'T', 'i', 'd', 2, 'f', 'r', 'h', 'i'}, "hi"},
		"UTF-16":          {[]byte{3, 11, 0xD1, 1, 7, 'T', 0x82, 'd', 'e', 0x00, 0xE4, 0x26, 0x3A}, "ä☺"},
		"UTF-16 LE":       {[]byte{3, 13, 0xD1, 1, 9, 'T', 0x82, 'd', 'e', 0xFF, 0xFE, 0xE4, 0x00, 0x3A, 0x26}, "ä☺"},
		"URI":             {[]byte{3, 8, 0xD1, 1, 4, 'U', 4, 'a', '.', 'b'}, "https://a.b"},
		"own URI":         {[]byte{3, 8, 0xD1, 1, 4, 'U', 0, 'a', ':', 'b'}, "a:b"},
		"text before URI": {[]byte{3, 15, 0x91, 1, 3, 'U', 0, 'a', 'b', 0x51, 1, 4, 'T', 2, 'e', 'n', '!'}, "!"},
		"empty text":      {[]byte{3, 7, 0xD1, 1, 3, 'T', 2, 'e', 'n'}, ""},
		"bad UTF-8":       {[]byte{3, 9, 0xD1, 1, 5, 'T', 2, 'e', 'n', 0xC3, '!'}, "\uFFFD!"},
	} {
		got, err := nfc.ReadText(context.Background(), data(t, c.data...))
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func TestNoText(t *testing.T) {
	for name, b := range map[string][]byte{
		"delivery":       {3, 0, 0xFE},
		"zeros":          make([]byte, 496),
		"terminator":     {0xFE, 3, 9},
		"runs out":       {3, 0xFF, 0xFF, 0xFF, 0xD1},
		"other type":     {3, 5, 0xD1, 1, 1, 'X', 0},
		"empty record":   {3, 3, 0xD0, 0, 0},
		"cut off":        {3, 3, 0xD1, 1, 8},
		"chunked":        {3, 8, 0xB1, 1, 4, 'T', 2, 'e', 'n', 'a'},
		"language gone":  {3, 5, 0xD1, 1, 1, 'T', 9},
		"huge payload":   {3, 7, 0xC1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 'T'},
		"unknown format": {3, 8, 0xD5, 1, 4, 'T', 2, 'e', 'n', 'a'},
	} {
		if got, err := nfc.ReadText(context.Background(), data(t, b...)); !errors.Is(err, nfc.ErrNoText) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	tag := data(t)
	tag.Load(12, make([]byte, 4))
	if got, err := tag.Text(); !errors.Is(err, nfc.ErrNoText) {
		t.Errorf("no capability container: %q, %v", got, err)
	}
	if err := tag.SetText("x"); !errors.Is(err, nfc.ErrNoText) {
		t.Errorf("written without capability container: %v", err)
	}
}

func TestWriteText(t *testing.T) {
	u := uid(t, "04A1B2C3D4E5F6")
	for _, tag := range []*nfctest.Tag{nfctest.NewNTAG213(u), nfctest.NewNTAG215(u), nfctest.NewNTAG216(u)} {
		for _, text := range []string{"tableside:mutants/zombie.2", "", "é☺", strings.Repeat("y", 130), "short again"} {
			if err := tag.SetText(text); err != nil {
				t.Errorf("%v: %v", tag, err)
			}
			if got, err := tag.Text(); err != nil || got != text {
				t.Errorf("%v: %q, %v; want %q", tag, got, err, text)
			}
		}
		writes := tag.Writes()
		if err := tag.SetText("short again"); err != nil || tag.Writes() != writes {
			t.Errorf("%v: %d pages written for what was there: %v", tag, tag.Writes()-writes, err)
		}
	}
	if got := nfctest.NewNTAG213(u).Bytes()[16:21]; !bytes.Equal(got, []byte{1, 3, 0xA0, 0x0C, 0x34}) {
		t.Errorf("the lock control block is gone: % X", got)
	}
}

// TestTooLong writes the longest text that fits, and one byte more, for every
// position of the length field in its page.
func TestTooLong(t *testing.T) {
	ctx := context.Background()
	for pad := range 8 {
		for n := 0; ; n++ {
			tag := nfctest.NewNTAG215(uid(t, "04A1B2C3D4E5F6"))
			block := append([]byte{0xFD, byte(pad)}, bytes.Repeat([]byte{7}, pad)...)
			tag.Load(16, append(block, 3, 0, 0xFE))
			text := strings.Repeat("z", n)
			err := nfc.WriteText(ctx, tag, text)
			if errors.Is(err, nfc.ErrTooLong) {
				// 496 less both blocks' heads, a long record's head, "en" and its length.
				if want := 496 - 2 - pad - 4 - 7 - 3; n != want+1 {
					t.Errorf("after %d bytes, %d fit; want %d", pad, n-1, want)
				}
				if tag.Writes() != 0 {
					t.Error("written though too long")
				}
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := tag.Text(); err != nil || got != text {
				t.Fatalf("after %d bytes, %d long: %v", pad, n, err)
			}
		}
	}
}

func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	locks := map[string]func(*nfctest.Tag) error{
		"capability container": func(tag *nfctest.Tag) error { return tag.WritePage(ctx, 3, [4]byte{0, 0, 0, 0x0F}) },
		"static":               func(tag *nfctest.Tag) error { return tag.WritePage(ctx, 2, [4]byte{0, 0, 0, 0x10}) },
		"dynamic":              func(tag *nfctest.Tag) error { return tag.WritePage(ctx, 0x28, [4]byte{0x02}) },
	}
	for name, lock := range locks {
		tag := nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
		if err := lock(tag); err != nil {
			t.Fatal(err)
		}
		writes := tag.Writes()
		if err := tag.SetText(strings.Repeat("x", 60)); !errors.Is(err, nfc.ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
		if tag.Writes() != writes {
			t.Errorf("%s: written", name)
		}
	}
	// A password is noticed only when the tag refuses.
	tag := nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	if err := tag.WritePage(ctx, 0x29, [4]byte{4, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if err := tag.SetText("x"); !errors.Is(err, nfc.ErrRefused) {
		t.Errorf("password: %v", err)
	}
}

// TestCutOffWrite checks that a tag that is removed after any number of writes holds
// the old text, the new text or none.
func TestCutOffWrite(t *testing.T) {
	ctx := context.Background()
	texts := []string{"old", strings.Repeat("o", 100), strings.Repeat("new", 40), "n"}
	if testing.Short() {
		texts = texts[:2]
	}
	for _, before := range texts {
		for _, after := range texts {
			for cut := 0; ; cut++ {
				tag := nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
				if err := tag.SetText(before); err != nil {
					t.Fatal(err)
				}
				err := nfc.WriteText(ctx, &torn{tag, cut}, after)
				got, readErr := tag.Text()
				if err == nil {
					if got != after {
						t.Errorf("%q, want %q", got, after)
					}
					break
				}
				if !errors.Is(err, nfc.ErrNoTag) {
					t.Fatal(err)
				}
				if !errors.Is(readErr, nfc.ErrNoText) && got != before && got != after {
					t.Errorf("after %d pages of %q over %q: %q, %v", cut, after, before, got, readErr)
				}
			}
		}
	}
}

// A torn tag is removed once left more pages were written.
type torn struct {
	*nfctest.Tag
	left int
}

func (m *torn) WritePage(ctx context.Context, page byte, data [4]byte) error {
	if m.left--; m.left < 0 {
		return nfc.ErrNoTag
	}
	return m.Tag.WritePage(ctx, page, data)
}

// A stuck tag has a page that does not store what is written.
type stuck struct{ *nfctest.Tag }

func (m stuck) WritePage(ctx context.Context, page byte, data [4]byte) error {
	if page == 9 {
		return nil
	}
	return m.Tag.WritePage(ctx, page, data)
}

func TestReadBack(t *testing.T) {
	tag := nfctest.NewNTAG213(uid(t, "04A1B2C3D4E5F6"))
	if err := nfc.WriteText(context.Background(), stuck{tag}, strings.Repeat("x", 60)); err == nil {
		t.Error("a page that was not written was not noticed")
	}
}

// A flat memory has any content and counts calls.
type flat struct {
	mem   [1024]byte
	calls int
}

func (m *flat) ReadPages(_ context.Context, page byte, to *[16]byte) error {
	m.calls++
	for i := range to {
		to[i] = m.mem[(int(page)*4+i)%len(m.mem)]
	}
	return nil
}

func (m *flat) WritePage(_ context.Context, page byte, data [4]byte) error {
	m.calls++
	copy(m.mem[int(page)*4:], data[:])
	return nil
}

func FuzzNDEF(f *testing.F) {
	f.Add([]byte{0xE1, 0x10, 0x12, 0, 3, 12, 0xD1, 1, 8, 'T', 2, 'e', 'n', 'h', 'e', 'l', 'l', 'o', 0xFE}, "new")
	f.Add([]byte{0xE1, 0x10, 0xFF, 0, 3, 0xFF, 1, 11, 0xC1, 1, 0, 0, 1, 4, 'T', 0x82, 'd', 'e'}, strings.Repeat("x", 900))
	f.Add([]byte{0xE1, 0x10, 0x01, 0, 0xFD, 0xFF, 0, 1, 9, 3, 0xFF, 0}, "")
	f.Add([]byte{0xE1, 0x1F, 0x00, 0, 3, 0, 0, 0}, "x")
	f.Fuzz(func(t *testing.T, mem []byte, text string) {
		ctx := context.Background()
		m := new(flat)
		copy(m.mem[12:], mem)
		nfc.ReadText(ctx, m)
		if m.calls > 64 {
			t.Fatalf("%d reads for a memory of 256 pages", m.calls)
		}
		m.calls = 0
		err := nfc.WriteText(ctx, m, text)
		if m.calls > 2+3*256 {
			t.Fatalf("%d calls for a memory of 256 pages", m.calls)
		}
		if err != nil {
			return
		}
		got, err := nfc.ReadText(ctx, m)
		if want := strings.ToValidUTF8(text, "\uFFFD"); err != nil || got != want {
			t.Fatalf("wrote %q, read %q, %v", want, got, err)
		}
	})
}
