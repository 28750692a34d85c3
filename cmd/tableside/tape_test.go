package main

import (
	"encoding/hex"
	"errors"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/tape"
	"tableside/engine"
)

// taped is a table of chips whose buses are on a tape.
func taped(t *testing.T, file string, prepare ...func(*chips)) (b *benched, end func()) {
	t.Helper()
	p := silent()
	var r *recording
	b = sitAt(t, scoring, func(c *chips) {
		for _, do := range prepare {
			do(c)
		}
		var err error
		if r, err = p.record(file, c.ports, c.wiring); err != nil {
			t.Fatal(err)
		}
		c.ports = r
	})
	if err := b.ready(t.Context(), b.table); err != nil {
		t.Fatal(err)
	}
	return b, func() {
		t.Helper()
		b.stop()
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// silent is a program that nobody hears.
func silent() *program {
	return &program{env: func(string) string { return "" }, out: io.Discard, err: io.Discard}
}

func readTape(t *testing.T, file string) *tape.Tape {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read, err := tape.Read(f)
	if err != nil {
		t.Fatalf("%s:%v", file, err)
	}
	return read
}

// agrees plays a tape and wants no difference. It returns what was played.
func agrees(t *testing.T, read *tape.Tape) map[string]played {
	t.Helper()
	parts, err := playTape(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]played{}
	for _, p := range parts {
		all[p.Part] = p
		if p.differ != nil {
			t.Errorf("%v", p.differ)
		}
		t.Logf("%+v", p)
	}
	return all
}

// TestTapeAgrees: what a table of emulated chips has recorded agrees with the
// drivers that recorded it, for every kind of chip and bus.
func TestTapeAgrees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		b, end := taped(t, file)
		for _, place := range []string{"table", "red", "blue", "yellow"} {
			if _, err := b.hands.tap(t.Context(), place, "zombie.1", "tableside:mutants/zombie.1"); err != nil {
				t.Fatalf("%s: %v", place, err)
			}
			time.Sleep(2 * time.Second)
		}
		b.works("keys")
		b.works("panel")
		b.works("screen-red")
		b.works("lights")
		time.Sleep(40 * time.Second) // the panel sleeps
		end()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes", len(text))
		all := agrees(t, readTape(t, file))
		for _, part := range []string{"reader-table", "reader-red", "reader-blue", "reader-yellow", "keys", "panel", "screen-red", "lights"} {
			if all[part].Transfers == 0 {
				t.Errorf("%s: nothing was played", part)
			}
		}
	})
}

// TestTapeOfFaults: what fails on a tape fails again when it is played, in the
// same way, and what works afterwards works again.
func TestTapeOfFaults(t *testing.T) {
	type fault struct {
		name, part     string
		broken, mended func(*bench)
	}
	var faults []fault
	for _, place := range []string{"table", "red", "blue", "yellow"} {
		chip := func(b *bench) faultyChip { return b.chips[place] }
		revive := func(b *bench) { chip(b).Revive() }
		faults = append(faults,
			fault{"dead", "reader-" + place, func(b *bench) { chip(b).Kill() }, revive},
			fault{"unplugged", "reader-" + place, func(b *bench) { chip(b).Unplug() }, func(b *bench) { chip(b).Plug() }},
			fault{"mute", "reader-" + place, func(b *bench) { chip(b).MuteAfter(7) }, revive},
			fault{"corrupted", "reader-" + place, func(b *bench) { chip(b).Corrupt(1) }, func(b *bench) { chip(b).Corrupt(0) }},
			fault{"browned out", "reader-" + place, func(b *bench) { chip(b).BrownOut() }, func(*bench) {}})
	}
	faults = append(faults,
		fault{"multiplexer dead", "reader-yellow", func(b *bench) { b.mux.Kill() }, func(b *bench) { b.mux.Revive() }},
		fault{"gone", "keys", func(b *bench) { b.board.Unplug() }, func(b *bench) { b.board.Plug() }},
		fault{"dead", "screen-red", func(b *bench) { b.screen.Kill() }, func(b *bench) { b.screen.Revive() }},
		fault{"bus fails", "lights", func(b *bench) { b.strip.Fail(errors.New("input/output error")) }, func(b *bench) { b.strip.Fail(nil) }},
		fault{"dead", "panel", func(b *bench) { b.glass.Kill() }, func(b *bench) { b.glass.Revive() }},
		fault{"busy for ever", "panel", func(b *bench) { b.glass.StickBusy(0) }, func(b *bench) { b.glass.FreeBusy() }})
	for _, f := range faults {
		t.Run(f.part+" "+f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "a.tape")
				b, end := taped(t, file)
				time.Sleep(time.Second)
				f.broken(b.bench)
				for range 12 { // the panel is drawn
					b.table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"+7"}})
					time.Sleep(time.Second)
				}
				f.mended(b.bench)
				time.Sleep(10 * time.Second)
				b.works(f.part)
				end()
				all := agrees(t, readTape(t, file))
				if all[f.part].Calls == 0 {
					t.Error("nothing was played")
				}
			})
		})
	}
}

// TestTapeHidesUIDs: of two tags on each reader, found, chosen and read, no UID
// is on the tape, whichever way its bytes or bits go; nor is a text that is not
// a card's. A card's is.
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
			ours, foreign, classic := nfctest.NewNTAG213(uidOf("ours "+place)), nfctest.NewNTAG215(uidOf("foreign "+place)), nfctest.NewClassic(four)
			for tag, text := range map[*nfctest.Tag]string{ours: "tableside:mutants/zombie.1", foreign: "call me at +33 1 23 45"} {
				if err := tag.SetText(text); err != nil {
					t.Fatal(err)
				}
			}
			field := b.bench.fields[place]
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

// absent fails when bytes are in a tape: as they are, turned round, with their
// bits turned round, or in letters.
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

// TestTapeDiffers: one byte that is not as it was is the first difference, with
// what the tape has and what ours would have sent.
func TestTapeDiffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		b, end := taped(t, file)
		time.Sleep(5 * time.Second)
		b.works("keys")
		end()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		for _, c := range []struct{ part, verb, was, is string }{
			{"reader-table", "spi", "2b40", "2b41"}, // GetFirmwareVersion
			{"reader-red", "spi", "5a06", "5a07"},
			{"reader-blue", "tx", "d414", "d415"},
			{"reader-yellow", "i2c", "d402", "d403"},
			{"panel", "spi", "spi 12", "spi 13"},
			{"panel", "pin reset", "0", "1"},
			{"screen-red", "i2c", "00b0", "00b1"},
			{"lights", "spi", "8c", "88"},
			{"keys", "event", "press", "left"},
		} {
			at := slices.IndexFunc(lines, func(l string) bool {
				_, rest, _ := strings.Cut(l, " ")
				return strings.HasPrefix(rest, c.part+" "+c.verb) && strings.Contains(rest, c.was)
			})
			if at < 0 {
				t.Errorf("%s: no line with %s", c.part, c.was)
				continue
			}
			_, rest, _ := strings.Cut(lines[at], " ")
			changed := slices.Clone(lines)
			changed[at] = strings.TrimSuffix(lines[at], rest) + strings.Replace(rest, c.was, c.is, 1)
			read, err := tape.Read(strings.NewReader(strings.Join(changed, "\n")))
			if err != nil {
				t.Errorf("%s: %v", c.part, err)
				continue
			}
			parts, err := playTape(t.Context(), read)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range parts {
				switch d := p.differ; {
				case p.Part != c.part && d != nil:
					t.Errorf("%s was changed: %v", c.part, d)
				case p.Part == c.part && d == nil:
					t.Errorf("%s: no difference", c.part)
				case d != nil && (d.Number != at+1 || d.Want == d.Got || d.Got == ""):
					t.Errorf("line %d was changed: %v", at+1, d)
				}
			}
		}
	})
}

// tapes is where tapes lie that were sent, and those of emulated chips. One that
// comes by mail is a test as soon as it lies there.
const tapes = "testdata/tapes"

// TestTapes: the drivers do what they did on every tape in the folder.
func TestTapes(t *testing.T) {
	if os.Getenv("TABLESIDE_UPDATE") != "" {
		makeTapes(t)
	}
	files, err := filepath.Glob(tapes + "/*.tape")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d tapes, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for part, p := range agrees(t, readTape(t, file)) {
					if p.Calls == 0 {
						t.Errorf("%s: nothing could be played", part)
					}
				}
			})
		})
	}
}

// makeTapes makes the tapes of emulated chips anew: what doctor does with four
// readers, a short match without lights, and lights by themselves.
func makeTapes(t *testing.T) {
	file := func(name string) string {
		path := filepath.Join(tapes, name+".tape")
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return path
	}
	synctest.Test(t, func(t *testing.T) { doctorsTape(t, file("doctor")) })
	synctest.Test(t, func(t *testing.T) {
		b, end := taped(t, file("match"), func(c *chips) { c.wiring.Lights = nil })
		for _, place := range []string{"table", "red", "blue", "yellow"} {
			if _, err := b.hands.tap(t.Context(), place, "zombie.1", "tableside:mutants/zombie.1"); err != nil {
				t.Fatal(err)
			}
		}
		b.works("keys")
		time.Sleep(time.Second)
		end()
	})
	synctest.Test(t, func(t *testing.T) {
		c, err := newChips([]engine.Seat{"red"})
		if err != nil {
			t.Fatal(err)
		}
		w := &wiring{Lights: c.wiring.Lights}
		ports := ports(c.bench)
		err = silent().recorded(file("lights"), &ports, w, func() error {
			dev, err := newParts(ports, w).openStrip(w.Lights)
			if err != nil {
				return err
			}
			return errors.Join(showOrder(t.Context(), dev), dev.Halt())
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// doctorsTape records what doctor does with the wiring of a table for three.
func doctorsTape(t *testing.T, file string) {
	t.Helper()
	c, err := newChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	for place, field := range c.bench.fields {
		field.Put(nfctest.NewNTAG213(uidOf(place)))
	}
	config := config{wiring: *c.wiring}
	d := &doctor{program: silent(), ports: c.bench, record: file}
	end := d.beginTape(&config.wiring, false)
	d.hardware(t.Context(), &config, false)
	end()
	for _, f := range d.findings {
		if !f.OK {
			t.Errorf("%+v", f)
		}
	}
}

// TestDoctorRecords: the tape of a doctor holds every reader's first words, and
// agrees. There is none over another, and none while a table has the hardware.
func TestDoctorRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		doctorsTape(t, file)
		all := agrees(t, readTape(t, file))
		for _, place := range []string{"table", "red", "blue", "yellow"} {
			if p := all[readerPart(place)]; p.Calls < 4 || p.Left != 0 {
				t.Errorf("%s: %+v", place, p)
			}
		}
		for _, held := range []bool{false, true} {
			d := &doctor{program: silent(), ports: &bench{}, record: file}
			d.beginTape(&wiring{}, held)()
			if len(d.findings) != 1 || d.findings[0].OK || d.findings[0].Fix == "" {
				t.Errorf("%+v", d.findings)
			}
		}
	})
}
