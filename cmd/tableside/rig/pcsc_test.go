package rig

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/device/reader"
	"tableside/drivers/pcsc"
	"tableside/drivers/pcsc/pcsctest"
	"tableside/engine"
)

// pcscPorts are ports with a pcscd.
type pcscPorts struct {
	Ports
	socket string
}

func (p pcscPorts) PCSC() *pcsc.Daemon { return &pcsc.Daemon{Socket: p.socket} }

// TestReaderOfPCSC tests a reader as a table runs it: cards are tapped and lifted, and
// pcscd is killed and comes back with the same card, which is no second tap.
func TestReaderOfPCSC(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "pcscd")
	const name = "ACS ACR122U PICC Interface 00 00"
	card := &pcsctest.Card{UID: []byte{4, 1, 2, 3, 4, 5, 6}}
	server, err := pcsctest.Listen(socket)
	if err != nil {
		t.Fatal(err)
	}
	server.Plug(name)
	ports := pcscPorts{socket: socket}
	w := &config.Wiring{Readers: []config.Reader{{Name: "red", Chip: config.PCSC}}}
	ch := &chip{parts: NewParts(ports, w), config: &w.Readers[0]}
	r := reader.New(reader.Config{Name: "reader-red", Place: "red", Seat: "red", Chip: ch, Every: 10 * time.Millisecond})

	ctx, cancel := context.WithCancel(t.Context())
	events := make(chan device.Signal, 100)
	var running sync.WaitGroup
	running.Go(func() {
		if err := r.Run(ctx, func(s device.Signal) <-chan engine.Receipt { events <- s; return nil }); err != nil {
			t.Error(err)
		}
	})
	// next waits for what the table is told; on the way to a health there may be others.
	next := func(want string) {
		t.Helper()
		for {
			select {
			case e := <-events:
				got, health := "", false
				switch e := e.(type) {
				case device.TagOn:
					got = "tap " + e.Tag
				case device.TagOff:
					got = "lift " + e.Tag
				case device.Report:
					got, health = string(e.Part.Health), true
				}
				switch {
				case got == want:
					return
				case !health:
					t.Fatalf("got %q, want %q", got, want)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("never: %s", want)
			}
		}
	}
	next("ok")
	for range 3 {
		server.Place(name, card)
		next("tap 04010203040506")
		server.Place(name, nil)
		next("lift 04010203040506")
	}
	server.Place(name, card)
	next("tap 04010203040506")
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	next("failed")
	if server, err = pcsctest.Listen(socket); err != nil {
		t.Fatal(err)
	}
	server.Plug(name)
	server.Place(name, card)
	next("ok")
	server.Place(name, nil)
	next("lift 04010203040506")
	cancel()
	running.Wait()
	if err := ch.Halt(); err != nil {
		t.Error(err)
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}
