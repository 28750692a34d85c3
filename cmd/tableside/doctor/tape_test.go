package doctor

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/tape"
	"tableside/engine"
)

// doctorsTape records the checks of the wiring of a table for three.
func doctorsTape(t *testing.T, file string) {
	t.Helper()
	c, err := bench.NewChips([]engine.Seat{"red", "blue", "yellow"})
	if err != nil {
		t.Fatal(err)
	}
	uid, err := nfc.ParseUID("04112233445566")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range c.Bench.Fields {
		field.Put(nfctest.NewNTAG213(uid))
	}
	all := config.Config{Wiring: *c.Wiring}
	d := &doctor{Config: Config{Out: io.Discard, Tape: rig.TapeFile{Name: file, Version: "test"}}, ports: c.Bench}
	d.record(&all.Wiring, false, func() { d.checkHardware(t.Context(), &all, false) })
	for _, f := range d.findings {
		if !f.OK {
			t.Errorf("%+v", f)
		}
	}
}

// TestDoctorRecords tests that the tape of a doctor has the first calls of every
// reader and replays without a difference; and that none is recorded over another
// file, or while a table runs.
func TestDoctorRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		doctorsTape(t, file)
		all := playedParts(t, file)
		for _, place := range []string{"table", "red", "blue", "yellow"} {
			if p := all["reader-"+place]; p.Calls < 4 || p.Left != 0 {
				t.Errorf("%s: %+v", place, p)
			}
		}
		for held, fix := range map[bool]string{false: "name a file", true: "sudo systemctl stop tableside"} {
			d := &doctor{Config: Config{Out: io.Discard, Tape: rig.TapeFile{Name: file}}, ports: &bench.Bench{}}
			d.record(&config.Wiring{}, held, func() {})
			if len(d.findings) != 1 || d.findings[0].OK || !strings.Contains(d.findings[0].Fix, fix) {
				t.Errorf("%+v", d.findings)
			}
		}
	})
}

// playedParts replays a tape and returns the results by part.
func playedParts(t *testing.T, file string) map[string]rig.PartResult {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read, err := tape.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := rig.Replay(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range rig.Faults(read, parts) {
		t.Error(fault)
	}
	all := map[string]rig.PartResult{}
	for _, p := range parts {
		all[p.Part] = p
	}
	return all
}

// TestMakeTapes records two tapes of bench's TestTapes: doctor's checks of four
// readers, and lights alone. It replaces those in testdata only where
// TABLESIDE_UPDATE is set.
func TestMakeTapes(t *testing.T) {
	dir := t.TempDir()
	if os.Getenv("TABLESIDE_UPDATE") != "" {
		dir = "../bench/testdata/tapes"
	}
	file := func(name string) string {
		path := filepath.Join(dir, name+".tape")
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return path
	}
	synctest.Test(t, func(t *testing.T) { doctorsTape(t, file("doctor")) })
	synctest.Test(t, func(t *testing.T) {
		c, err := bench.NewChips([]engine.Seat{"red"})
		if err != nil {
			t.Fatal(err)
		}
		w := &config.Wiring{Lights: c.Wiring.Lights}
		ports := rig.Ports(c.Bench)
		err = (&rig.TapeFile{Name: file("lights"), Version: "test"}).During(&ports, w, io.Discard, func() error {
			dev, err := rig.NewParts(ports, w).OpenStrip(w.Lights)
			if err != nil {
				return err
			}
			return errors.Join((&doctor{Config: Config{Out: io.Discard}}).showColours(t.Context(), dev), dev.Halt())
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, name := range []string{"doctor", "lights"} {
		playedParts(t, filepath.Join(dir, name+".tape"))
	}
}
