package bench

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/rig"
	"tableside/drivers/tape"
	"tableside/engine"
	"tableside/engine/enginetest"
)

// TestTapeOfFaults tests that faults on a tape are replayed, and so are the calls that
// succeed after them. In brief, each part breaks in one way.
func TestTapeOfFaults(t *testing.T) {
	type fault struct {
		name, part     string
		broken, mended func(*Bench)
	}
	var faults []fault
	for _, place := range []string{"table", "red", "blue", "yellow"} {
		chip := func(b *Bench) faultyChip { return b.Chips[place] }
		revive := func(b *Bench) { chip(b).Revive() }
		faults = append(faults,
			fault{"dead", "reader-" + place, func(b *Bench) { chip(b).Kill() }, revive},
			fault{"mute", "reader-" + place, func(b *Bench) { chip(b).MuteAfter(7) }, revive},
			fault{"corrupted", "reader-" + place, func(b *Bench) { chip(b).Corrupt(1) }, func(b *Bench) { chip(b).Corrupt(0) }},
			fault{"browned out", "reader-" + place, func(b *Bench) { chip(b).BrownOut() }, func(*Bench) {}})
	}
	faults = append(faults,
		fault{"multiplexer dead", "reader-yellow", func(b *Bench) { b.Mux.Kill() }, func(b *Bench) { b.Mux.Revive() }},
		fault{"gone", "keys", func(b *Bench) { b.Board.Unplug() }, func(b *Bench) { b.Board.Plug() }},
		fault{"dead", "screen-red", func(b *Bench) { b.Screen.Kill() }, func(b *Bench) { b.Screen.Revive() }},
		fault{"bus fails", "lights", func(b *Bench) { b.Strip.Fail(errors.New("input/output error")) },
			func(b *Bench) { b.Strip.Fail(nil) }},
		fault{"dead", "panel", func(b *Bench) { b.Glass.Kill() }, func(b *Bench) { b.Glass.Revive() }},
		fault{"busy for ever", "panel", func(b *Bench) { b.Glass.StickBusy(0) }, func(b *Bench) { b.Glass.FreeBusy() }})
	if enginetest.Brief() {
		faults = slices.CompactFunc(faults, func(a, b fault) bool { return a.part == b.part })
	}
	for _, f := range faults {
		t.Run(f.part+" "+f.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "a.tape")
				b, end := taped(t, file, func(c *Chips) { keepReaders(c, readersOf(f.part, f.name)...) })
				time.Sleep(time.Second)
				f.broken(b.Bench)
				for range 8 { // the panel is drawn
					b.table.Input(t.Context(), engine.Input{Seat: "red", Verb: engine.Choose, Args: []string{"+7"}})
					time.Sleep(time.Second)
				}
				f.mended(b.Bench)
				time.Sleep(8 * time.Second)
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

// TestTapeDiffers tests that one changed byte is the first difference, with the bytes
// of the tape and those of the driver.
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
		for _, c := range []struct{ part, was, is string }{
			{"reader-table", `"bus":"spi","w":"800000ff407f2b40`, `"bus":"spi","w":"800000ff407f2b41`}, // GetFirmwareVersion
			{"reader-red", `"bus":"spi","w":"5a06`, `"bus":"spi","w":"5a07`},
			{"reader-blue", `"bus":"tx","w":"0000ff05fbd414`, `"bus":"tx","w":"0000ff05fbd415`},
			{"reader-yellow", `"bus":"i2c","w":"0000ff02fed402`, `"bus":"i2c","w":"0000ff02fed403`},
			{"panel", `"bus":"spi","w":"12"`, `"bus":"spi","w":"13"`},
			{"panel", `"bus":"out","pin":"RST"`, `"bus":"out","pin":"BUSY"`},
			{"screen-red", `"bus":"i2c","w":"00b0`, `"bus":"i2c","w":"00b1`},
			{"lights", "8c", "88"},
			{"keys", `"press"`, `"left"`},
		} {
			at := slices.IndexFunc(lines, func(l string) bool {
				return strings.Contains(l, `"part":"`+c.part+`"`) && strings.Contains(l, c.was)
			})
			if at < 0 {
				t.Errorf("%s: no line with %s", c.part, c.was)
				continue
			}
			changed := slices.Clone(lines)
			changed[at] = strings.Replace(lines[at], c.was, c.is, 1)
			read, err := tape.Read(strings.NewReader(strings.Join(changed, "\n")))
			if err != nil {
				t.Errorf("%s: %v", c.part, err)
				continue
			}
			parts, err := rig.Replay(t.Context(), read)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range parts {
				switch d := p.Differ; {
				case p.Part != c.part && d != nil:
					t.Errorf("%s was changed: %v", c.part, d)
				case p.Part == c.part && d == nil:
					t.Errorf("%s: no difference", c.part)
				case d != nil && (d.Line != at+1 || d.Want == d.Got || d.Got == ""):
					t.Errorf("line %d was changed: %v", at+1, d)
				}
			}
		}
	})
}
