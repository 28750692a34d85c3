package pn532_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
)

// A lateLine is a serial line whose bytes reach the host late: those that the chip
// sends in a stall come when it ends, as from the adapter of a busy computer. What has
// left the chip cannot be taken back by a new command.
type lateLine struct {
	*pn532test.UART
	timeout time.Duration
	arrived chan late
	rest    late

	mu          sync.Mutex
	from, until time.Time
}

// late holds bytes and the time when the host may read them.
type late struct {
	bytes []byte
	at    time.Time
}

// openLate returns a line to the chip. Its goroutine ends when the UART is closed.
func openLate(u *pn532test.UART) *lateLine {
	l := &lateLine{UART: u, arrived: make(chan late, 1000)}
	go func() {
		for {
			var b [300]byte
			n, err := u.Read(b[:])
			if err != nil {
				return
			}
			got := late{bytes: b[:n]}
			l.mu.Lock()
			if now := time.Now(); !now.Before(l.from) && now.Before(l.until) {
				got.at = l.until
			}
			l.mu.Unlock()
			l.arrived <- got
		}
	}()
	return l
}

// stall begins a stall after a time.
func (l *lateLine) stall(after, length time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.from = time.Now().Add(after)
	l.until = l.from.Add(length)
}

func (l *lateLine) SetReadTimeout(t time.Duration) error {
	l.timeout = t
	return nil
}

func (l *lateLine) Read(b []byte) (int, error) {
	over := time.After(l.timeout)
	if len(l.rest.bytes) == 0 {
		synctest.Wait() // the pump has what the chip has sent
		select {
		case l.rest = <-l.arrived:
		case <-over:
			return 0, nil
		}
	}
	select {
	case <-time.After(time.Until(l.rest.at)):
	case <-over:
		return 0, nil
	}
	n := copy(b, l.rest.bytes)
	l.rest.bytes = l.rest.bytes[n:]
	return n, nil
}

// TestLateAnswers delays what the chip sends, at every moment of a poll and of the
// reading of a text, for up to half a second. A call may fail for it, but the next but
// one succeeds, and none takes the answer to an earlier command for its own: no tag is
// missed, invented or blank, and no other text is read.
func TestLateAnswers(t *testing.T) {
	const text = "tableside:mutants/zombie.2"
	eachTrait(t, "UART", func(b *bench) {
		line := openLate(b.chip.UART())
		defer line.Close()
		var err error
		if b.dev, err = pn532.NewUART("uart", line, &pn532.DefaultOpts); err != nil {
			b.Fatal(err)
		}
		tag := nfctest.NewNTAG213(uid(t, seven))
		if err := tag.SetText(text); err != nil {
			b.Fatal(err)
		}
		look := func(there bool) error {
			seen, err := b.dev.Poll(b.ctx, nil)
			if err != nil {
				return err
			}
			if there != slices.Equal(seen, []nfc.UID{tag.UID()}) || !there && len(seen) > 0 {
				b.Errorf("found %v", seen)
			}
			if !there {
				return nil
			}
			m, err := b.dev.Select(b.ctx, tag.UID())
			if err != nil {
				return err
			}
			got, err := nfc.ReadText(b.ctx, m)
			if err == nil && got != text {
				b.Errorf("read %q", got)
			}
			return err
		}
		step := 1700 * time.Microsecond
		if brief() {
			step *= 5
		}
		stalls, failed := 0, 0
		for length := 20 * time.Millisecond; length < 500*time.Millisecond; length *= 2 {
			for after := time.Duration(0); after < 120*time.Millisecond; after += step {
				for _, there := range []bool{false, true} {
					b.init()
					if there {
						b.put(tag)
					}
					line.stall(after, length)
					stalls++
					for try := range 5 {
						err := look(there)
						switch {
						case err == nil:
							continue
						case errors.Is(err, nfc.ErrUnreadable), errors.Is(err, nfc.ErrNoTag),
							errors.Is(err, nfc.ErrNoText), errors.Is(err, nfc.ErrRefused):
							b.Errorf("%v: that is about a tag", err)
						case try == 4:
							b.Error(err)
						}
						failed++
					}
					if b.Failed() {
						b.Fatalf("after a stall of %v that began after %v", length, after)
					}
					b.field.Take(tag)
				}
			}
		}
		if failed < stalls/35 {
			b.Errorf("only %d calls were hit in %d stalls", failed, stalls)
		}
	})
}
