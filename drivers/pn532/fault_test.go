package pn532_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
)

// bound is the promise: on a dead chip a call fails within it.
const bound = 300 * time.Millisecond

func TestDeadFromTheStart(t *testing.T) {
	for _, wired := range []bool{false, true} {
		each(t, wired, func(b *bench) {
			b.chip.Kill()
			b.fails(bound, "Init", func() error { return b.dev.Init(b.ctx) })
			b.fails(bound, "Poll", b.pollErr)
			b.fails(bound, "Select", func() error { _, err := b.dev.Select(b.ctx, uid(t, seven)); return err })
			b.fails(bound, "Halt", b.dev.Halt)
			b.chip.Revive()
			b.init()
			b.poll()
		})
	}
}

// TestDies kills the chip at any moment of a poll.
func TestDies(t *testing.T) {
	each(t, false, func(b *bench) {
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		died := 0
		for at := time.Duration(0); at < 30*time.Millisecond; at += 300 * time.Microsecond {
			b.init()
			kill := time.AfterFunc(at, b.chip.Kill)
			start := time.Now()
			got, err := b.dev.Poll(b.ctx, nil)
			if took := time.Since(start); took > bound {
				b.Errorf("dead after %v: %v", at, took)
			}
			if err == nil && !slices.Equal(got, []nfc.UID{tag.UID()}) {
				b.Errorf("dead after %v: found %v and no error", at, got)
			}
			if err != nil {
				died++
				if errors.Is(err, nfc.ErrUnreadable) || errors.Is(err, nfc.ErrNoTag) {
					b.Errorf("dead after %v: %v: that is about a tag", at, err)
				}
			}
			kill.Stop()
			synctest.Wait() // it may be working at this moment
			b.chip.Revive()
		}
		if died < 10 {
			b.Errorf("only %d polls were hit", died)
		}
	})
}

// TestMemoryDies kills the chip of a memory.
func TestMemoryDies(t *testing.T) {
	each(t, false, func(b *bench) {
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		b.init()
		m, err := b.dev.Select(b.ctx, tag.UID())
		if err != nil {
			b.Fatal(err)
		}
		b.chip.Kill()
		var four [16]byte
		b.fails(bound, "ReadPages", func() error { return m.ReadPages(b.ctx, 4, &four) })
		b.fails(bound, "WritePage", func() error { return m.WritePage(b.ctx, 4, [4]byte{}) })
	})
}

// TestMute checks that only the reset line helps against hanging firmware.
func TestMute(t *testing.T) {
	for _, wired := range []bool{false, true} {
		each(t, wired, func(b *bench) {
			tag := nfctest.NewNTAG213(uid(t, seven))
			b.put(tag)
			for n := range 10 {
				b.init()
				b.chip.MuteAfter(n)
				b.fails(20*bound, "Poll", func() error {
					for {
						start := time.Now()
						got, err := b.dev.Poll(b.ctx, nil)
						if took := time.Since(start); took > bound {
							b.Errorf("mute after %d: %v", n, took)
						}
						if err != nil {
							return err
						}
						if !slices.Equal(got, []nfc.UID{tag.UID()}) {
							b.Errorf("mute after %d: found %v", n, got)
						}
					}
				})
				if !wired {
					b.fails(bound, "Init", func() error { return b.dev.Init(b.ctx) })
					b.chip.Revive()
				}
			}
			b.init()
			b.poll(tag)
		})
	}
}

// TestComesBack checks that Init is enough after a loss of power or an unplugged cable.
func TestComesBack(t *testing.T) {
	each(t, false, func(b *bench) {
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		for range 3 {
			b.init()
			b.poll(tag)
			b.chip.BrownOut()
			b.fails(bound, "Poll after a brown-out", func() error { _, err := b.dev.Poll(b.ctx, nil); return err })
			b.init()
			b.poll(tag)
			b.chip.Unplug()
			b.fails(bound, "Poll unplugged", func() error { _, err := b.dev.Poll(b.ctx, nil); return err })
			b.fails(bound, "Init unplugged", func() error { return b.dev.Init(b.ctx) })
			b.chip.Plug()
		}
	})
}

// TestStale checks that frames for a host before its restart do no harm.
func TestStale(t *testing.T) {
	each(t, false, func(b *bench) {
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		stale := []func(){b.chip.StaleAck, b.chip.StaleAnswer, func() { b.chip.StaleAck(); b.chip.StaleAnswer() }}
		for _, leave := range stale {
			leave()
			b.init()
			b.poll(tag)
			leave()
			b.poll(tag)
			m, err := b.dev.Select(b.ctx, tag.UID())
			if err != nil {
				b.Fatal(err)
			}
			leave()
			if err := m.WritePage(b.ctx, 10, [4]byte{1, 2, 3, 4}); err != nil {
				b.Error(err)
			}
		}
	})
}

func TestContext(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		b.poll(tag)
		ctx, cancel := context.WithCancel(b.ctx)
		cancel()
		if _, err := b.dev.Poll(ctx, nil); !errors.Is(err, context.Canceled) {
			b.Errorf("cancelled before: %v", err)
		}
		if err := b.dev.Init(ctx); !errors.Is(err, context.Canceled) {
			b.Errorf("cancelled before: %v", err)
		}
		b.init()
		cut := 0
		for after := time.Duration(0); after < 30*time.Millisecond; after += 500 * time.Microsecond {
			ctx, cancel := context.WithTimeout(b.ctx, after)
			start := time.Now()
			got, err := b.dev.Poll(ctx, nil)
			cancel()
			if over := time.Since(start) - after; over > 25*time.Millisecond {
				b.Errorf("ended %v after its context", over)
			}
			if err != nil {
				cut++
				if !errors.Is(err, context.DeadlineExceeded) {
					b.Errorf("after %v: %v", after, err)
				}
			} else if !slices.Equal(got, []nfc.UID{tag.UID()}) {
				b.Errorf("after %v: %v", after, got)
			}
			b.poll(tag) // no Init is needed
		}
		if cut < 10 {
			b.Errorf("only %d polls were cut off", cut)
		}
	})
}

// TestEdge checks that a tag at the edge of the field, once found, is never taken
// for absent while the chip receives anything of it.
func TestEdge(t *testing.T) {
	polls := 50
	if brief() {
		polls = 20
	}
	each(t, false, func(b *bench) {
		b.init()
		tag := nfctest.NewNTAG213(uid(t, seven))
		for every := 1; every <= 20; every++ {
			b.put(tag)
			b.poll(tag)
			b.field.Edge(tag, every)
			unreadable := 0
			for range polls {
				got, err := b.dev.Poll(b.ctx, nil)
				switch {
				case errors.Is(err, nfc.ErrUnreadable):
					unreadable++
				case err != nil:
					b.Fatal(err)
				case !slices.Equal(got, []nfc.UID{tag.UID()}):
					b.Fatalf("every %d: found %v", every, got)
				}
			}
			if every == 1 && unreadable != polls {
				b.Errorf("read %d times though all answers are spoilt", polls-unreadable)
			}
			b.field.Take(tag)
			b.field.Edge(tag, 0)
			b.poll()
		}
	})
}

// TestEdgeOfTwo checks that of two tags, one at the edge of the field, that one is
// lost at most for a moment, and the other never.
func TestEdgeOfTwo(t *testing.T) {
	polls := 300
	if brief() {
		polls = 60
	}
	ntag, classic := nfctest.NewNTAG213(uid(t, seven)), nfctest.NewClassic(uid(t, four))
	// The chip finds the Classic first and tries that twice. It asks the other one
	// once, and needs five answers in a row.
	each(t, false, func(b *bench) { edgeOfTwo(b, ntag, classic, polls, 4, 7, 10, 20, 50) })
	each(t, false, func(b *bench) { edgeOfTwo(b, classic, ntag, polls, 10, 20, 50) })
}

func edgeOfTwo(b *bench, well, edge *nfctest.Tag, polls int, everys ...int) {
	b.init()
	for _, every := range everys {
		b.field.Take(edge)
		b.put(well)
		b.poll(well)
		b.put(edge)
		b.field.Edge(edge, every)
		inARow := 0
		for range polls {
			got, err := b.dev.Poll(b.ctx, nil)
			if errors.Is(err, nfc.ErrUnreadable) {
				continue
			}
			if err != nil || len(got) == 0 || len(got) > 2 {
				b.Fatalf("every %d: %v, %v", every, got, err)
			}
			for _, u := range got {
				if u != well.UID() && u != edge.UID() {
					b.Fatalf("every %d: %v is not there", every, u)
				}
			}
			if inARow++; slices.Contains(got, edge.UID()) {
				inARow = 0
			}
			if inARow > 3 {
				b.Fatalf("every %d: not seen %d times in a row", every, inARow)
			}
			if inARow > 0 && every >= 20 { // the second look of a poll finds it
				b.Fatalf("every %d: not seen", every)
			}
		}
		b.field.Edge(edge, 0)
		b.poll(well, edge)
	}
}

// TestMemoryAtTheEdge reads and writes at the edge of the field: the driver selects
// the tag again and repeats the command.
func TestMemoryAtTheEdge(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		tag := nfctest.NewNTAG213(uid(t, seven))
		b.put(tag)
		m, err := b.dev.Select(b.ctx, tag.UID())
		if err != nil {
			b.Fatal(err)
		}
		b.field.Edge(tag, 9)
		for i := range 20 {
			text := fmt.Sprint("card ", i)
			if err := nfc.WriteText(b.ctx, m, text); err != nil {
				b.Fatal(err)
			}
			if got, err := nfc.ReadText(b.ctx, m); err != nil || got != text {
				b.Errorf("%q, %v", got, err)
			}
		}
		b.field.Edge(tag, 1)
		var four [16]byte
		if err := m.ReadPages(b.ctx, 4, &four); !errors.Is(err, nfc.ErrUnreadable) && !errors.Is(err, nfc.ErrNoTag) {
			b.Errorf("nothing can be read: %v", err)
		}
	})
}

// TestFaultyWire checks that faults on the wire never make a poll report a wrong
// tag, or an empty field without an error while tags are in it.
func TestFaultyWire(t *testing.T) {
	polls := 10_000
	if brief() {
		polls = 500
	}
	for _, every := range []int{100, 13, 5} {
		t.Run(fmt.Sprint(every), func(t *testing.T) {
			each(t, false, func(b *bench) { faultyWire(b, every, polls*every/100) })
		})
	}
}

func faultyWire(b *bench, every, polls int) {
	b.init()
	tags := []*nfctest.Tag{nfctest.NewNTAG213(uid(b, seven)), nfctest.NewNTAG213(uid(b, seven2)),
		nfctest.NewClassic(uid(b, four))}
	b.chip.Corrupt(every)
	random := rand.New(rand.NewPCG(1, uint64(every)))
	failed := 0
	var seen []nfc.UID
	for i := range polls {
		if random.IntN(4) == 0 {
			tag := tags[random.IntN(len(tags))]
			if slices.Contains(b.field.Tags(), tag) {
				b.field.Take(tag)
			} else if len(b.field.Tags()) < 2 {
				b.put(tag)
			}
		}
		there := b.field.Tags()
		var err error
		seen, err = b.dev.Poll(b.ctx, seen[:0])
		for _, u := range seen {
			if !slices.ContainsFunc(there, func(tag *nfctest.Tag) bool { return tag.UID() == u }) {
				b.Fatalf("poll %d: %v is not there", i, u)
			}
		}
		if err != nil {
			failed++
			if errors.Is(err, nfc.ErrUnreadable) {
				b.Fatalf("poll %d: the tags can be read: %v", i, err)
			}
			if initErr := b.dev.Init(b.ctx); initErr != nil && every == 100 {
				b.Fatalf("poll %d: %v, then %v", i, err, initErr)
			}
		} else if len(seen) != len(there) {
			b.Fatalf("poll %d: found %v, there are %v", i, seen, there)
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Logf("one frame in %d damaged: %d of %d polls failed", every, failed, polls)
	if every == 100 && failed*100 > polls {
		b.Errorf("%d of %d polls failed", failed, polls)
	}
}

// slow is a port of a machine that is busy after each read of the chip's status.
type slow struct {
	spi.Port
	spi.Conn
	each time.Duration
}

func (s *slow) String() string { return "slow" }

func (s *slow) Connect(f physic.Frequency, mode spi.Mode, bits int) (c spi.Conn, err error) {
	s.Conn, err = s.Port.Connect(f, mode, bits)
	return s, err
}

func (s *slow) Tx(w, r []byte) error {
	if len(w) == 2 {
		defer time.Sleep(s.each)
	}
	return s.Conn.Tx(w, r)
}

// TestSlowMachine checks that time lost on such a machine is not blamed on the chip.
func TestSlowMachine(t *testing.T) {
	eachTrait(t, "SPI", func(b *bench) {
		tag := nfctest.NewNTAG213(uid(b, seven))
		b.put(tag)
		var err error
		b.dev, err = pn532.NewSPI(&slow{Port: b.chip.SPI(), each: 40 * time.Millisecond}, &pn532.DefaultOpts)
		if err != nil {
			b.Fatal(err)
		}
		b.init()
		for range 5 {
			b.poll(tag)
		}
	})
}

// A stalled port is that of a machine that stops once, before a transfer.
type stalled struct {
	slow
	left int           // transfers before the next stall
	next time.Duration // of it
}

func (s *stalled) Connect(f physic.Frequency, mode spi.Mode, bits int) (c spi.Conn, err error) {
	s.Conn, err = s.Port.Connect(f, mode, bits)
	return s, err
}

func (s *stalled) Tx(w, r []byte) error {
	if s.left--; s.left == -1 {
		time.Sleep(s.next)
	}
	return s.Conn.Tx(w, r)
}

// TestStalledMachine checks that a stall at any moment of a poll, of nearly as long as a
// chip may be silent, is not blamed on the chip: no command is sent again.
func TestStalledMachine(t *testing.T) {
	eachTrait(t, "SPI", func(b *bench) {
		port := &stalled{slow: slow{Port: b.chip.SPI()}}
		var err error
		if b.dev, err = pn532.NewSPI(port, &pn532.DefaultOpts); err != nil {
			b.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // the power is on for some time
		b.init()
		transactions := func() int {
			before := b.chip.Wire().Transactions
			b.poll()
			return b.chip.Wire().Transactions - before
		}
		most := 0
		for i := range 300 { // the driver learns how long the chip takes
			if n := transactions(); i > 100 {
				most = max(most, n)
			}
		}
		for stall := 150 * time.Millisecond; stall < 300*time.Millisecond; stall += 3 * time.Millisecond {
			for port.left = range most {
				at := port.left
				port.next = stall
				if n := transactions(); n > most+3 { // looks, of which a poll after a stall may need more
					b.Errorf("%d transactions with a stall of %v before number %d, otherwise at most %d", n, stall, at, most)
				}
			}
		}
	})
}

// TestHaltAfterCutInit cuts Init off at any moment and checks that Halt works: a
// chip that is still asleep hears no other command than the first of Init.
func TestHaltAfterCutInit(t *testing.T) {
	for _, wired := range []bool{false, true} {
		each(t, wired, func(b *bench) {
			cut := 0
			for at := time.Duration(0); ; at += 500 * time.Microsecond {
				b.chip.Kill()
				b.chip.Revive() // it has lost all it was told
				ctx, stop := context.WithTimeout(b.ctx, at)
				err := b.dev.Init(ctx)
				stop()
				if err := b.dev.Halt(); err != nil {
					b.Fatalf("Init was cut off after %v: %v", at, err)
				}
				if b.field.Power() {
					b.Fatalf("Init was cut off after %v: the field is on", at)
				}
				if err == nil {
					break
				}
				cut++
			}
			if cut < 10 {
				b.Errorf("Init was cut off %d times only", cut)
			}
			b.init()
			b.poll()
		})
	}
}
