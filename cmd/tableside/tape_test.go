package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/tape"
)

// taped is a table of chips whose buses are on a tape.
func taped(t *testing.T, file string) (b *benched, end func()) {
	t.Helper()
	p := &program{env: func(string) string { return "" }}
	var r *recording
	b = sitAt(t, scoring, func(c *chips) {
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
		os.WriteFile("/tmp/a.tape", text, 0o600)
		all := agrees(t, readTape(t, file))
		for _, part := range []string{"reader-table", "reader-red", "reader-blue", "reader-yellow", "keys", "panel", "screen-red", "lights"} {
			if all[part].Transfers == 0 {
				t.Errorf("%s: nothing was played", part)
			}
		}
	})
}

var _ = []any{bytes.NewReader, fmt.Sprint, slog.LevelError, strings.Cut}
