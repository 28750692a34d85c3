//go:build linux

package pn532_test

import (
	"slices"
	"testing"
	"time"

	"go.bug.st/serial"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
)

// TestSerialPort uses a real serial port, in real time: go.bug.st/serial on a
// terminal with the chip behind it. A busy machine may be too slow for a call, so
// each is tried until it succeeds.
func TestSerialPort(t *testing.T) {
	for _, trait := range pn532test.TraitsOf("UART") {
		t.Run(string(trait), func(t *testing.T) { serialPort(t, trait) })
	}
}

func serialPort(t *testing.T, trait pn532test.Trait) {
	field := new(nfctest.Field)
	chip := pn532test.New(field)
	chip.SetTrait(trait)
	pty, err := chip.PTY()
	if err != nil {
		t.Fatal(err)
	}
	defer pty.Close()
	port, err := serial.Open(pty.Path(), &serial.Mode{BaudRate: 115200})
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	dev, err := pn532.NewUART(pty.Path(), port, &pn532.DefaultOpts)
	if err != nil {
		t.Fatal(err)
	}
	eventually := func(what string, f func() error) {
		t.Helper()
		for range 100 {
			if err = f(); err == nil {
				return
			}
			t.Logf("%s: %v", what, err)
			dev.Init(t.Context())
		}
		t.Fatalf("%s: %v", what, err)
	}
	eventually("init", func() error { return dev.Init(t.Context()) })
	tag := nfctest.NewNTAG213(uid(t, seven))
	for _, want := range [][]nfc.UID{nil, {tag.UID()}, {tag.UID()}} {
		var seen []nfc.UID
		eventually("poll", func() (err error) { seen, err = dev.Poll(t.Context(), nil); return err })
		if !slices.Equal(seen, want) {
			t.Errorf("found %v, want %v", seen, want)
		}
		field.Put(tag)
	}
	eventually("text", func() error {
		m, err := dev.Select(t.Context(), tag.UID())
		if err != nil {
			return err
		}
		return nfc.WriteText(t.Context(), m, "tableside:mutants/zombie.2")
	})
	if got, err := tag.Text(); err != nil || got != "tableside:mutants/zombie.2" {
		t.Errorf("%q, %v", got, err)
	}
	// The cable is pulled.
	if err := pty.Close(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if _, err := dev.Poll(t.Context(), nil); err == nil {
		t.Error("a poll without a port")
	} else {
		t.Logf("%v after %v", err, time.Since(start))
	}
}
