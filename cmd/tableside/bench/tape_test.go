package bench

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/rig"
	"tableside/drivers/tape"
)

// taped begins a match at a table of chips and records its buses on a tape.
func taped(t *testing.T, file string, prepare ...func(*Chips)) (b *benched, end func()) {
	return tapedIn(t, &rig.TapeFile{Name: file, Version: "test"}, prepare...)
}

func tapedIn(t *testing.T, f *rig.TapeFile, prepare ...func(*Chips)) (b *benched, end func()) {
	t.Helper()
	var r *rig.Recording
	b = sitAt(t, scoring, func(c *Chips) {
		for _, do := range prepare {
			do(c)
		}
		var err error
		if r, err = f.Record(c.Ports, c.Wiring); err != nil {
			t.Fatal(err)
		}
		c.Ports = r
	})
	if err := b.Ready(t.Context(), b.table); err != nil {
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

func readTape(t *testing.T, file string) *tape.Tape {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read, err := tape.Read(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return read
}

// agrees replays a tape, wants doctor's judgement to be good and returns the results
// by part.
func agrees(t *testing.T, read *tape.Tape) map[string]rig.PartResult {
	t.Helper()
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
		t.Logf("%+v", p)
	}
	return all
}

// TestTapeAgrees tests that a tape replays without a difference in the drivers that
// recorded it, for every kind of chip and bus.
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
