package bench

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/tape"
)

// tapes is the folder of tapes of emulated chips and of tapes that owners have sent.
// Each file in it is a test.
const tapes = "testdata/tapes"

// TestTapes tests that every tape in the folder replays without a complaint of
// doctor --replay, and that there are tapes of today's format with faults and
// alternating calls.
func TestTapes(t *testing.T) {
	if os.Getenv("TABLESIDE_UPDATE") != "" {
		makeTapes(t)
	}
	files, err := filepath.Glob(tapes + "/*.tape")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d tapes, %v", len(files), err)
	}
	var all []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
		t.Run(filepath.Base(file), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { agrees(t, readTape(t, file)) })
		})
	}
	for _, want := range []string{`"again":`, `"n":1}`, `"err":`} {
		if !bytes.Contains(all, []byte(want)) {
			t.Errorf("no tape has a line with %s", want)
		}
	}
}

// makeTapes records the tapes of emulated chips again. A test of doctor records the
// others.
func makeTapes(t *testing.T) {
	file := func(name string) string {
		path := filepath.Join(tapes, name+".tape")
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return path
	}
	tap := func(b *benched, places ...string) {
		for _, place := range places {
			if _, err := b.hands.tap(b.Context(), place, "zombie.1", "tableside:mutants/zombie.1"); err != nil {
				b.Fatal(err)
			}
		}
	}
	synctest.Test(t, func(t *testing.T) { // a short match without lights
		b, end := taped(t, file("match"), func(c *Chips) { c.Wiring.Lights = nil })
		tap(b, "table", "red", "blue", "yellow")
		b.works("keys")
		time.Sleep(time.Second)
		end()
	})
	synctest.Test(t, func(t *testing.T) { // two idle readers and a tap
		b, end := taped(t, file("idle"), only("table", "red"))
		tap(b, "table", "red")
		time.Sleep(5 * time.Second)
		end()
	})
	synctest.Test(t, func(t *testing.T) { // a reader of each chip fails and comes back
		b, end := taped(t, file("faults"), only("red", "blue"))
		b.Bench.Chips["blue"].MuteAfter(1)
		time.Sleep(time.Second)
		b.Bench.Chips["blue"].Revive()
		b.Bench.Chips["red"].Kill()
		time.Sleep(time.Second)
		b.Bench.Chips["red"].Revive()
		time.Sleep(2 * time.Second)
		tap(b, "red", "blue")
		end()
	})
}

func only(readers ...string) func(*Chips) {
	return func(c *Chips) {
		keepReaders(c, readers...)
		*c.Wiring = config.Wiring{Readers: c.Wiring.Readers}
	}
}

func keepReaders(c *Chips, readers ...string) {
	others := func(name string) bool { return !slices.Contains(readers, name) }
	maps.DeleteFunc(c.Bench.Fields, func(name string, _ *nfctest.Field) bool { return others(name) })
	c.Wiring.Readers = slices.DeleteFunc(c.Wiring.Readers, func(r config.Reader) bool { return others(r.Name) })
}

// TestTapeIsIncomplete tests the judgement of a tape that was cut off, and of one with
// a part that was never opened: nobody may take them for tests that pass.
func TestTapeIsIncomplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text, err := os.ReadFile(filepath.Join(tapes, "faults.tape"))
		if err != nil {
			t.Fatal(err)
		}
		change := func(was, is string) []byte { return bytes.Replace(text, []byte(was), []byte(is), 1) }
		const opened = `"part":"reader-red","call":["open"]`
		for name, c := range map[string]struct {
			text []byte
			part string
		}{
			"the last line is missing":   {text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1], ""},
			"the last line has no break": {bytes.TrimRight(text, "\n"), ""},
			"it ends in a call":          {text[:len(text)*2/3], ""},
			"a part is never opened":     {change(opened, `"part":"reader-red","call":["other"]`), "reader-red: "},
			"a part cannot be opened":    {change(opened, opened+`,"err":"no bus"`), "reader-red: "},
		} {
			read, err := tape.Read(bytes.NewReader(c.text))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			parts, err := rig.Replay(t.Context(), read)
			if err != nil {
				t.Fatal(err)
			}
			got := rig.Faults(read, parts)
			if len(got) != 1 || !strings.HasPrefix(got[0], c.part) || got[0] == "" {
				t.Errorf("%s: got %q", name, got)
			}
		}
	})
}
