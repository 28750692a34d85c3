package tca9548_test

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
	"tableside/drivers/tca9548"
	"tableside/drivers/tca9548/tca9548test"
)

// A seat is a reader on a channel of its own with a tag before it.
type seat struct {
	field nfctest.Field
	chip  *pn532test.Chip
	tag   *nfctest.Tag
	dev   *pn532.Dev
}

// TestTwoReaders checks that two PN532, which all have the same address, work at
// the same time behind one switch, each with its own tag, and that one that dies
// comes back and does not affect the other.
func TestTwoReaders(t *testing.T) {
	for _, trait := range pn532test.TraitsOf("I2C") {
		t.Run(string(trait), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { twoReaders(t, trait) })
		})
	}
}

func twoReaders(t *testing.T, trait pn532test.Trait) {
	bus := tca9548test.NewBus()
	mux, err := bus.Mux(0x70)
	if err != nil {
		t.Fatal(err)
	}
	dev, err := tca9548.New(bus, &tca9548.DefaultOpts)
	if err != nil {
		t.Fatal(err)
	}
	var seats [2]seat
	for i := range seats {
		s := &seats[i]
		s.chip = pn532test.New(&s.field)
		s.chip.SetTrait(trait)
		mux.Put(i, pn532.Address, s.chip.I2C())
		uid, err := nfc.NewUID([]byte{4, byte(i), 3, 4, 5, 6, 7})
		if err != nil {
			t.Fatal(err)
		}
		s.tag = nfctest.NewNTAG213(uid)
		s.field.Put(s.tag)
		channel, err := dev.Channel(0x70, i)
		if err != nil {
			t.Fatal(err)
		}
		if s.dev, err = pn532.NewI2C(channel, &pn532.DefaultOpts); err != nil {
			t.Fatal(err)
		}
		if err := s.dev.Init(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	poll := func(s *seat) error {
		got, err := s.dev.Poll(t.Context(), nil)
		if err == nil && !slices.Equal(got, []nfc.UID{s.tag.UID()}) {
			t.Errorf("%s finds %v, not %s", s.dev, got, s.tag.UID())
		}
		return err
	}
	both := func(first func(error)) {
		var wg sync.WaitGroup
		wg.Go(func() {
			for range 20 {
				first(poll(&seats[0]))
			}
		})
		wg.Go(func() {
			for range 20 {
				began := time.Now()
				if err := poll(&seats[1]); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took > 200*time.Millisecond {
					t.Errorf("a poll took %s", took)
				}
			}
		})
		wg.Wait()
	}
	works := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	both(works)
	seats[0].chip.Kill()
	both(func(err error) {
		if err == nil || errors.Is(err, nfc.ErrUnreadable) {
			t.Errorf("a dead reader says %v", err)
		}
	})
	seats[0].chip.Revive()
	if err := seats[0].dev.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	both(works)
	if bus.Clashes() != 0 {
		t.Error("readers have clashed")
	}
}
