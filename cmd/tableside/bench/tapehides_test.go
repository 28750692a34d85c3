package bench

import (
	"bytes"
	"encoding/hex"
	"image"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/rig"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/engine"
)

// TestTapeHidesUIDs tests that the UIDs of two tags on each reader are not on a tape
// that hides tags, in any order of bytes or bits, nor is any text on them, and that
// such a tape is not replayed.
func TestTapeHidesUIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		b, end := tapedIn(t, &rig.TapeFile{Name: file, HideTags: true})
		var tags []*nfctest.Tag
		for i, place := range []string{"table", "red", "blue", "yellow"} {
			four, err := nfc.NewUID([]byte{0x30 + byte(i), 0xA7, 0x5C, 0xE1})
			if err != nil {
				t.Fatal(err)
			}
			ours, foreign := nfctest.NewNTAG213(uidOf("ours "+place)), nfctest.NewNTAG215(uidOf("foreign "+place))
			classic := nfctest.NewClassic(four)
			texts := map[*nfctest.Tag]string{ours: "tableside:mutants/zombie.1", foreign: "call me at +33 1 23 45"}
			for tag, text := range texts {
				if err := tag.SetText(text); err != nil {
					t.Fatal(err)
				}
			}
			field := b.Bench.Fields[place]
			for _, two := range [][]*nfctest.Tag{{ours, foreign}, {foreign, classic}, {classic}} {
				for _, tag := range two {
					field.Put(tag)
				}
				time.Sleep(2 * time.Second)
				for _, tag := range two {
					field.Take(tag)
				}
				time.Sleep(time.Second)
			}
			tags = append(tags, ours, foreign, classic)
		}
		end()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range tags {
			uid := tag.UID().Bytes()
			if len(uid) == 7 {
				absent(t, string(text), tag.String()+", end", uid[3:])
			}
			absent(t, string(text), tag.String(), uid)
		}
		for _, secret := range []string{"call me", "+33 1", "23 45", "zomb"} {
			absent(t, string(text), secret, []byte(secret))
		}
		read := readTape(t, file)
		for _, part := range read.Parts {
			if strings.HasPrefix(part.Name, "reader-") && len(part.Calls) < 20 {
				t.Errorf("%s: hardly anything was recorded", part.Name)
			}
		}
		if _, err := rig.Replay(t.Context(), read); err == nil || !strings.Contains(err.Error(), "--hide-tags") {
			t.Errorf("got %v, want that it cannot be replayed", err)
		}
	})
}

// absent fails where bytes are in a tape: as they are, reversed, with their bits
// reversed, or as text.
func absent(t *testing.T, tape, what string, b []byte) {
	t.Helper()
	back, mirrored := slices.Clone(b), slices.Clone(b)
	slices.Reverse(back)
	for i, c := range mirrored {
		mirrored[i] = bits.Reverse8(c)
	}
	for _, form := range [][]byte{b, back, mirrored} {
		if strings.Contains(strings.ToLower(tape), hex.EncodeToString(form)) || strings.Contains(tape, string(form)) {
			t.Errorf("%s: % x is on the tape", what, form)
		}
	}
}

// TestTapeHidesToken tests that the panel does not show the address with the token
// while its pictures are recorded.
func TestTapeHidesToken(t *testing.T) {
	c, err := NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	size := image.Pt(250, 122)
	frame := engine.Frame{Status: engine.Status{Address: "http://192.168.1.2:8080/?token=q7ZkX4mN2bLw"}}
	draw := func(p rig.Ports) []byte { return rig.NewParts(p, c.Wiring).PanelPainter().Draw(frame, size).Pix }
	shown := draw(c.Bench)
	err = (&rig.TapeFile{Name: filepath.Join(t.TempDir(), "a.tape")}).During(&c.Ports, c.Wiring, io.Discard, func() error {
		hidden := draw(c.Ports)
		frame.Status.Address = ""
		if bytes.Equal(hidden, shown) || !bytes.Equal(hidden, draw(c.Bench)) {
			t.Error("the address is drawn while a tape is recorded")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTapeHidesTagsOnGlass tests that the panel tells of an unknown tag without its number while
// a tape without tags is recorded, and of anything else as always.
func TestTapeHidesTagsOnGlass(t *testing.T) {
	c, err := NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	frame := func(key, arg, said string) engine.Frame {
		return engine.Frame{Status: engine.Status{Receipt: &engine.Receipt{Outcome: engine.Unknown,
			Text: engine.T(key, arg, said), Spoken: said}}}
	}
	draw := func(p rig.Ports, f engine.Frame) []byte {
		return rig.NewParts(p, c.Wiring).PanelPainter().Draw(f, image.Pt(400, 300)).Pix
	}
	one, other := frame("receipt.unknown-tag", "tag", "04A1B2C3D4E5F6"), frame("receipt.unknown-tag", "tag", "04FFFFFFFFFFFF")
	key := frame("receipt.unknown-key", "name", "wheel")
	file := rig.TapeFile{Name: filepath.Join(t.TempDir(), "a.tape"), HideTags: true}
	err = file.During(&c.Ports, c.Wiring, io.Discard, func() error {
		if !bytes.Equal(draw(c.Ports, one), draw(c.Ports, other)) {
			t.Error("the number of a tag is drawn while a tape that hides tags is recorded")
		}
		if !bytes.Equal(draw(c.Ports, key), draw(c.Bench, key)) {
			t.Error("what has no number is not drawn as always")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(draw(c.Bench, one), draw(c.Bench, other)) {
		t.Error("the number of a tag is never drawn")
	}
}
