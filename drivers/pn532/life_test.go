package pn532_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
)

// maxGuessed is the most bytes of one read while the length of the answer is
// unknown.
const maxGuessed = 32

// TestNoAnswerIsAskedForAgain checks that in normal use, while tags come and go,
// are read and written, the driver requests no answer twice. Over I2C no read is
// longer than 32 bytes.
func TestNoAnswerIsAskedForAgain(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		ntag, other := nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG215(uid(t, seven2))
		classic := nfctest.NewClassic(uid(t, four))
		step := func(what string, tags ...*nfctest.Tag) {
			b.Helper()
			for range 3 {
				b.poll(tags...)
				time.Sleep(50 * time.Millisecond)
			}
			if n := b.chip.Wire().Nacks; n != 0 {
				b.Fatalf("%s: %d answers were asked for again", what, n)
			}
		}
		for range 3 {
			step("nothing")
			b.put(ntag)
			step("a tag comes", ntag)
			m, err := b.dev.Select(b.ctx, ntag.UID())
			if err != nil {
				b.Fatal(err)
			}
			if err := nfc.WriteText(b.ctx, m, "tableside:mutants/zombie.2"); err != nil {
				b.Fatal(err)
			}
			if _, err := nfc.ReadText(b.ctx, m); err != nil {
				b.Fatal(err)
			}
			step("it was written", ntag)
			b.put(classic)
			step("another comes", ntag, classic)
			b.field.Take(ntag)
			step("one goes", classic)
			b.field.Take(classic)
			step("the other goes")
			b.put(other, classic)
			step("two come at once", other, classic)
			b.field.Take(other)
			b.field.Take(classic)
			step("two go at once")
		}
		b.field.Edge(ntag, 1) // something answers, but cannot be read
		b.put(ntag)
		for range 5 {
			_, _ = b.dev.Poll(b.ctx, nil)
		}
		if n := b.chip.Wire().Nacks; n != 0 {
			b.Errorf("a tag at the edge: %d answers were asked for again", n)
		}
		if n := b.chip.Wire().Longest; b.transport == "I2C" && n > maxGuessed {
			b.Errorf("one read took %d bytes", n)
		}
	})
}

// TestTwoLongUIDs polls two UIDs of 7 bytes, which do not fit into 32 bytes over
// I2C: the driver requests their answer again once, when the second tag comes, and
// reads its true length from then on.
func TestTwoLongUIDs(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		ntag, other := nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG216(uid(t, seven2))
		often := 0
		if b.transport == "I2C" {
			often = 1
		}
		for i := range 3 {
			b.put(ntag)
			b.poll(ntag)
			b.put(other)
			for range 10 {
				b.poll(ntag, other)
			}
			if got, want := b.chip.Wire().Nacks, often*(i+1); got != want {
				b.Errorf("%d answers were asked for again, want %d", got, want)
			}
			b.field.Take(other)
			b.poll(ntag)
			b.field.Take(ntag)
			b.poll()
		}
		if n, most := b.chip.Wire().Longest, 1+frame(2+2*(5+7)); b.transport == "I2C" && n > most {
			b.Errorf("one read took %d bytes, the longest answer has %d", n, most)
		}
	})
}

// TestDropsLittle checks that the driver drops at most one short read before a
// command.
func TestDropsLittle(t *testing.T) {
	each(t, false, func(b *bench) {
		for range 3 {
			b.chip.StaleAnswer()
			b.init()
		}
		if n := b.chip.Wire().Longest; b.transport != "UART" && n > maxGuessed {
			b.Errorf("one read took %d bytes", n)
		}
	})
}

// TestSlowToWake checks that the first way wakes most chips, the second those that
// need more time or a longer chip select, and that Firmware says so. The next Init
// begins with the way that has worked.
func TestSlowToWake(t *testing.T) {
	each(t, false, func(b *bench) {
		want := "PN532 1.6"
		if strings.HasSuffix(b.Name(), "/sleepy") {
			want += ", slow to wake"
		}
		for range 3 {
			time.Sleep(50 * time.Millisecond) // the power is on for some time
			b.init()
			if got := b.dev.Firmware(); got != want {
				b.Errorf("%q, want %q", got, want)
			}
			b.poll()
			b.chip.BrownOut()
		}
	})
}

// TestLongerPauses checks that a chip that needs longer pauses than usual gets them
// after its first loss, and loses nothing more.
func TestLongerPauses(t *testing.T) {
	each(t, false, func(b *bench) {
		if b.transport == "UART" {
			return // the chip speaks when it wants to
		}
		b.chip.SetTrait(pn532test.Fussier)
		b.init()
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		b.poll(tag)
		wire := b.chip.Wire()
		b.poll(tag)
		each := b.chip.Wire().Transactions - wire.Transactions
		for range 20 {
			b.poll(tag)
		}
		got := b.chip.Wire()
		if n, want := got.Transactions-wire.Transactions, 21*each; got.Nacks != wire.Nacks || n > want+2 {
			b.Errorf("%d transactions, want %d, and %d answers asked for again", n, want, got.Nacks-wire.Nacks)
		}
	})
}

// TestNothingIsHeard checks that Init tells people what to check when the chip is
// silent.
func TestNothingIsHeard(t *testing.T) {
	want := map[string]struct {
		err  error
		text string
	}{
		"SPI": {pn532.ErrNotSPI, "pn532: init: SPI reads FFh and nothing else: is the board switched to SPI"},
		"I2C": {pn532.ErrNotI2C, "pn532: init: nobody answers at address 24h (pn532test: remote I/O error): " +
			"is the board switched to I2C"},
		"UART": {pn532.ErrNotUART, "pn532: init: not a byte comes over the serial line: is the board switched to UART"},
	}
	each(t, false, func(b *bench) {
		want := want[b.transport]
		b.chip.Kill()
		for range 2 {
			err := b.dev.Init(b.ctx)
			if !errors.Is(err, want.err) || !strings.HasPrefix(err.Error(), want.text) {
				b.Errorf("dead from the start: %v", err)
			}
			var knows interface{ Hint() string }
			if !errors.As(err, &knows) || !strings.Contains(knows.Hint(), "jumpers to "+b.transport) ||
				b.transport == "UART" && !strings.Contains(knows.Hint(), "cut its power") {
				b.Errorf("dead from the start: no hint for %s in %v", b.transport, err)
			}
		}
		b.chip.Revive()
		b.init()
		b.poll()
		b.chip.Kill()
		if err := b.dev.Init(b.ctx); !errors.Is(err, want.err) {
			b.Errorf("dead after it was heard: %v", err)
		}
		b.chip.Revive()
		b.init()
		b.chip.MuteAfter(0)
		err := b.dev.Init(b.ctx)
		if heard := b.transport == "I2C"; errors.Is(err, want.err) == heard {
			b.Errorf("it acknowledges its address and nothing else: %v", err)
		}
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		if err := b.dev.Init(ctx); !errors.Is(err, context.Canceled) || errors.Is(err, want.err) {
			b.Errorf("cancelled: %v", err)
		}
	})
}

// TestPulledDown checks the error for a wire that is pulled down: over SPI it reads
// 00h.
func TestPulledDown(t *testing.T) {
	eachTrait(t, "SPI", func(b *bench) {
		dev, err := pn532.NewSPI(b.chip.SPI(), &pn532.DefaultOpts)
		if err != nil {
			b.Fatal(err)
		}
		b.chip.MuteAfter(0)
		if err := dev.Init(b.ctx); !errors.Is(err, pn532.ErrNotSPI) || !strings.Contains(err.Error(), "SPI reads 00h") {
			b.Error(err)
		}
	})
}
