package bench

import (
	"fmt"
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
		err = rig.Recorded(filepath.Join(t.TempDir(), "a.tape"), "test", &on, w, func() error {
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
		return fmt.Sprintf("wiring [[screens]]\nwiring seat = \"s%d\"\nwiring chip = \"ssd1306\"\n"+
			"wiring i2c = \"/dev/i2c-1\"\nwiring mux = 112\nwiring channel = %d\n", channel, channel)
	}
	for name, text := range map[string]string{
		"no such channel": screens(1) + screens(-3) + "\n1 screen-s1 call open\n2 screen-s1 done\n" +
			"3 screen-s1 call sleep\n4 screen-s1 mux 02\n5 screen-s1 i2c 00ae\n6 screen-s1 done\n",
		"too many channels": screens(1) + screens(9) + "\n1 screen-s1 call open\n2 screen-s1 done\n",
		"keys of another name": "wiring [[keys]]\nwiring pin = \"GPIO1\"\nwiring key = \"yes\"\n\n" +
			"1 keys-x call run 9000000\n2 keys-x lines 4 1\n3 keys-x levels 5 1\n4 keys-x done\n",
		"a WLED": "wiring [lights]\nwiring chip = \"wled\"\nwiring host = \"127.0.0.1\"\nwiring count = 3\n\n" +
			"1 lights call open\n2 lights done\n",
	} {
		read, err := tape.Read(strings.NewReader(tape.Magic + "\n" + text))
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
