package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/cmd/tableside/bench"
	"tableside/drivers/evdev"
	"tableside/drivers/evdev/evdevtest"
	"tableside/drivers/pcsc/pcsctest"
)

func (c *classroom) wantTags(want string) {
	c.t.Helper()
	got, err := os.ReadFile(filepath.Join(c.data, "tags"))
	if err != nil || string(got) != want {
		c.t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestLearnTyped teaches with a reader that types as the only reader, which is plugged
// in late and pulled out in between.
func TestLearnTyped(t *testing.T) {
	info := evdev.Info{Path: "/dev/input/event1", Name: "Sycreader", Bus: evdev.USB, Vendor: 0xffff, Product: 0x0035,
		Keys: 100}
	on, _ := bench.NewTagBench()
	c := teachWith(t, on, "[[keyboards]]\ndevice = \"ffff:0035\"\nreads = \"tags\"\n", t.TempDir(), "learn")
	c.next(t, "Lay down mutants/robot.1")
	c.next(t, "not plugged in")
	plug := func() *evdevtest.Device {
		d := on.Keyboards.Plug(info)
		for c.next(t, "reader table: ok"); !d.Grabbed(); {
			time.Sleep(time.Millisecond)
		}
		return d
	}
	d := plug()
	d.Tap(2, 3, 28) // 12 and Enter
	c.next(t, "typed:12 is mutants/robot.1")
	d.Unplug()
	c.next(t, "not plugged in")
	d = plug()
	d.Tap(11, 5, 30, 2, 48, 3, 46, 4, 28) // 04a1b2c3
	c.next(t, "04A1B2C3 is mutants/robot.2")
	if err := c.end(); err != nil {
		t.Error(err)
	}
	c.wantTags("typed:12 mutants/robot.1\n04A1B2C3 mutants/robot.2\n")

	c = teachWith(t, on, "[[keyboards]]\ndevice = \"ffff:0035\"\nreads = \"tags\"\n", t.TempDir(), "write")
	if err := <-c.ended; err == nil || !strings.Contains(err.Error(), "reader table: a reader that types cannot write") {
		t.Errorf("write: %v", err)
	}
}

// TestLearnPCSC teaches with a reader of pcscd as the only reader.
func TestLearnPCSC(t *testing.T) {
	server, err := pcsctest.Listen(filepath.Join(t.TempDir(), "pcscd"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	const name = "ACS ACR122U PICC Interface 00 00"
	server.Plug(name)
	on, _ := bench.NewTagBench()
	on.CardReaders = server.Socket()
	c := teachWith(t, on, "[[readers]]\nname = \"desk\"\nchip = \"pcsc\"\n", t.TempDir(), "learn")
	c.next(t, "Lay down mutants/robot.1")
	for i, tag := range []string{"robot.1", "robot.2"} {
		server.Place(name, &pcsctest.Card{UID: []byte{4, 1, 2, 3, 4, 5, byte(i)}})
		c.next(t, "is mutants/"+tag)
		server.Place(name, nil)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
	c.wantTags("04010203040500 mutants/robot.1\n04010203040501 mutants/robot.2\n")
}
