package bench

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/display/panel"
	"tableside/drivers/tape"
	"tableside/drivers/wled/wledtest"
	"tableside/engine"
)

// TestTapedScreenIsAsked tests that a screen that goes away while nothing is drawn is
// also reported while a tape is recorded, and that its checks are small on the tape.
func TestTapedScreenIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "a.tape")
		b, end := taped(t, file, func(c *Chips) { keepReaders(c) })
		b.works("screen-red")
		time.Sleep(time.Minute)
		b.Bench.Screen.Kill()
		time.Sleep(3 * time.Second)
		if p := b.health("screen-red"); p.Health == engine.OK {
			t.Errorf("got %+v of a screen that is dead", p)
		}
		b.Bench.Screen.Revive()
		time.Sleep(10 * time.Second)
		if p := b.health("screen-red"); p.Health != engine.OK {
			t.Errorf("got %+v of a screen that is back", p)
		}
		end()
		read := readTape(t, file)
		if p := agrees(t, read)["screen-red"]; p.Calls < 60 {
			t.Errorf("got %d calls, want a check each second", p.Calls)
		}
		for _, part := range read.Parts {
			if part.Name == "screen-red" && len(part.Calls) > 40 {
				t.Errorf("got %d calls, want repeats counted", len(part.Calls))
			}
		}
	})
}

// TestTapedPanelIsSlow tests that a slow panel has the same pause between pictures
// while a tape is recorded.
func TestTapedPanelIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := NewChips([]engine.Seat{"red"})
		if err != nil {
			t.Fatal(err)
		}
		w, on := &config.Wiring{Panel: c.Wiring.Panel}, rig.Ports(c.Bench)
		w.Panel.Model = "waveshare-7in3-e"
		err = (&rig.TapeFile{Name: filepath.Join(t.TempDir(), "a.tape")}).During(&on, w, io.Discard, func() error {
			dev, err := rig.NewParts(on, w).OpenPanel(w.Panel)
			if slow, ok := dev.(panel.Pauser); err == nil && (!ok || slow.Pause() < 10*time.Second) {
				t.Errorf("got %T without a long pause", dev)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestTapedWLED tests that a strip on a WLED works while a tape is recorded. It is on
// no bus, so it is not on the tape.
func TestTapedWLED(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there := wledtest.New(DemoLights)
		t.Cleanup(there.Wait)
		file := filepath.Join(t.TempDir(), "a.tape")
		b, end := taped(t, file, func(c *Chips) {
			c.Wiring.Lights = &config.Lights{Chip: "wled", Host: "wled-of-mine.local", Count: DemoLights}
			c.Ports = wledPorts{c.Ports, there}
		})
		time.Sleep(3 * time.Second)
		if p := b.health("lights"); p.Health != engine.OK || !there.Live() {
			t.Errorf("got %+v, and it is lit: %v", p, there.Live())
		}
		end()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "of-mine") {
			t.Error("the tape has the name of the WLED")
		}
		if p, ok := agrees(t, readTape(t, file))["lights"]; ok {
			t.Errorf("got %+v of what is on no bus", p)
		}
	})
}

// TestHostileTapes tests that a tape with an impossible wiring or part is refused or
// differs, and neither ends the program nor touches a device.
func TestHostileTapes(t *testing.T) {
	screens := func(channel int) string {
		return fmt.Sprintf(`"[[screens]]","seat = \"s%d\"","chip = \"ssd1306\"",`+
			`"i2c = \"/dev/i2c-1\"","mux = 112","channel = %d"`, channel, channel)
	}
	reader := `"[[readers]]","name = \"a\"","chip = \"%s\"","serial = \"/dev/ttyS0\""`
	opened := func(part string) string { return fmt.Sprintf(`{"t":1,"part":"%s","call":["open"],"end":2}`, part) }
	for name, c := range map[string]struct{ wiring, calls string }{
		"no such channel": {screens(1) + "," + screens(-3), opened("screen-s1") + `
{"t":3,"part":"screen-s1","call":["sleep"],"io":[{"t":4,"bus":"i2c","w":"00ae"}],"end":6}`},
		"too many channels": {screens(1) + "," + screens(9), opened("screen-s1")},
		"keys of another name": {`"[[keys]]","pin = \"GPIO1\"","key = \"yes\""`,
			`{"t":1,"part":"keys-x","call":["run","9s"],"io":[{"t":3,"bus":"in","pin":"1","high":true}],"end":4}`},
		"a WLED":       {`"[lights]","chip = \"wled\"","host = \"127.0.0.1\"","count = 3"`, opened("lights")},
		"a USB reader": {fmt.Sprintf(reader, "pcsc"), opened("reader-a")},
		"a page of no tag": {fmt.Sprintf(reader, "pn532"), opened("reader-a") + `
{"t":3,"part":"reader-a","call":["read","4"],"end":6}`},
		"no such call": {fmt.Sprintf(reader, "pn532"), opened("reader-a") + `
{"t":3,"part":"reader-a","call":["sing"],"end":6}`},
		"no picture": {screens(1), opened("screen-s1") + `
{"t":3,"part":"screen-s1","call":["update","true","iVBORw0KGgo="],"end":6}`},
	} {
		read, err := tape.Read(strings.NewReader(`{"tape":3,"wiring":[` + c.wiring + "]}\n" + c.calls + "\n"))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		parts, err := rig.Replay(t.Context(), read)
		if err == nil && (len(parts) != 1 || parts[0].Differ == nil) {
			t.Errorf("%s: got %+v", name, parts)
		}
		t.Log(name, err)
	}
}
