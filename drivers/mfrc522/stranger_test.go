package mfrc522_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/devices/v3/mfrc522/commands"

	theirs "periph.io/x/devices/v3/mfrc522"

	"tableside/drivers/mfrc522"
	"tableside/drivers/mfrc522/mfrc522test"
	"tableside/drivers/nfc/nfctest"
)

// TestStrangerReadsTheSameUID checks that periph's driver, written without our
// emulator, waits for a tag and reads the same UID of 4 bytes as ours, which is
// all it can do.
func TestStrangerReadsTheSameUID(t *testing.T) {
	for _, want := range []string{"C0FFEE01", "11223344", "FFFFFFFF"} {
		synctest.Test(t, func(t *testing.T) {
			var field nfctest.Field
			field.Put(nfctest.NewClassic(uid(want)))
			chip := mfrc522test.New(&field)
			stranger, err := theirs.NewSPI(chip.SPI(), chip.Reset(), chip.IRQ())
			if err != nil {
				t.Fatal(err)
			}
			got, err := stranger.ReadUID(time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, uid(want).Bytes()) {
				t.Fatalf("theirs reads % X, not %s", got, want)
			}
			if err := stranger.Halt(); err != nil {
				t.Fatal(err)
			}
			dev, err := mfrc522.NewSPI(chip.SPI(), &mfrc522.DefaultOpts)
			if err != nil {
				t.Fatal(err)
			}
			if err := dev.Init(t.Context()); err != nil {
				t.Fatal(err)
			}
			ours, err := dev.Poll(t.Context(), nil)
			if err != nil || len(ours) != 1 || !slices.Equal(ours[0].Bytes(), got) {
				t.Fatalf("ours reads %v, %v; theirs % X", ours, err, got)
			}
		})
	}
}

// TestStrangerWaits checks that periph's driver gives up in time without a tag.
func TestStrangerWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip := mfrc522test.New(&nfctest.Field{})
		stranger, err := theirs.NewSPI(chip.SPI(), chip.Reset(), chip.IRQ())
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got, err := stranger.ReadUID(time.Second); err == nil {
			t.Fatalf("found % X in an empty field", got)
		}
		if took := time.Since(began); took < time.Second || took > 2*time.Second {
			t.Fatalf("gave up after %s", took)
		}
	})
}

// TestStrangerChecksum compares our checksums with those of periph's driver, which
// come from the chip's coprocessor.
func TestStrangerChecksum(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chip := mfrc522test.New(&nfctest.Field{})
		low, err := commands.NewLowLevelSPI(chip.SPI(), chip.Reset(), chip.IRQ())
		if err != nil {
			t.Fatal(err)
		}
		if err := low.Init(); err != nil {
			t.Fatal(err)
		}
		for _, frame := range [][]byte{{0x50, 0x00}, {0x93, 0x70, 1, 2, 3, 4, 4}, {0x30, 0x04}} {
			if err := low.DevWrite(commands.CommandReg, commands.PCD_IDLE); err != nil {
				t.Fatal(err) // the coprocessor runs until another command (10.3.1.4)
			}
			got, err := low.CRC(frame)
			want := nfctest.CRCA(frame)
			if err != nil || !slices.Equal(got, want[:]) {
				t.Fatalf("% X: % X, not % X; %v", frame, got, want, err)
			}
		}
	})
}
