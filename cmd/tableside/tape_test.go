package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/tape"
	"tableside/engine"
)

// taped is a table of chips whose buses are on a tape.
func taped(t *testing.T, file string, prepare ...func(*chips)) (b *benched, end func()) {
	t.Helper()
	var r *rig.Recording
	b = sitAt(t, scoring, func(c *chips) {
		for _, do := range prepare {
			do(c)
		}
		var err error
		if r, err = rig.Record(file, "test", c.Ports, c.Wiring); err != nil {
			t.Fatal(err)
		}
		c.Ports = r
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
func agrees(t *testing.T, read *tape.Tape) map[string]rig.Played {
	t.Helper()
	parts, err := rig.Replay(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]rig.Played{}
	for _, p := range parts {
		all[p.Part] = p
		if p.Differ != nil {
			t.Errorf("%v", p.Differ)
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
		for _, part := range []string{"reader-table", "reader-red", "reader-blue", "reader-yellow",
			"keys", "panel", "screen-red", "lights"} {
			if all[part].Transfers == 0 {
				t.Errorf("%s: nothing was played", part)
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
		b, end := taped(t, file("match"), func(c *chips) { c.Wiring.Lights = nil })
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
		w := &config.Wiring{Lights: c.Wiring.Lights}
		ports := rig.Ports(c.bench)
		err = rig.Recorded(file("lights"), "test", &ports, w, func() error {
			dev, err := rig.NewParts(ports, w).OpenStrip(w.Lights)
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
	config := config.Config{Wiring: *c.Wiring}
	d := &doctor{program: silent(), ports: c.bench, record: file}
	end := d.beginTape(&config.Wiring, false)
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
			if p := all["reader-"+place]; p.Calls < 4 || p.Left != 0 {
				t.Errorf("%s: %+v", place, p)
			}
		}
		for held, fix := range map[bool]string{false: "name a file", true: "sudo systemctl stop tableside"} {
			d := &doctor{program: silent(), ports: &bench{}, record: file}
			d.beginTape(&config.Wiring{}, held)()
			if len(d.findings) != 1 || d.findings[0].OK || !strings.Contains(d.findings[0].Fix, fix) {
				t.Errorf("%+v", d.findings)
			}
		}
	})
}
