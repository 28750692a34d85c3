package bench

import (
	"bytes"
	"encoding/hex"
	"image"
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

// TestTapeHidesUIDs tests that the UIDs of two tags on each reader are not on the
// tape, in any order of bytes or bits, nor is a text that does not name a card. A
// text that does is.
func TestTapeHidesUIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		b, end := taped(t, file)
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
		for _, secret := range []string{"call me", "+33 1", "23 45"} {
			absent(t, string(text), secret, []byte(secret))
		}
		if !strings.Contains(string(text), hex.EncodeToString([]byte("zomb"))) {
			t.Error("no card has its name")
		}
		for part, p := range agrees(t, readTape(t, file)) {
			if strings.HasPrefix(part, "reader-") && p.Transfers < 1000 {
				t.Errorf("%+v: hardly anything was played", p)
			}
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
	err = rig.Recorded(filepath.Join(t.TempDir(), "a.tape"), "test", &c.Ports, c.Wiring, func() error {
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
