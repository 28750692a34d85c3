package pn532_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func brief() bool { return raced || testing.Short() }

func uid(t testing.TB, s string) nfc.UID {
	t.Helper()
	u, err := nfc.ParseUID(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// transports lists the three links to the chip.
var transports = []struct {
	name string
	open func(*pn532test.Chip, *pn532.Opts) (*pn532.Dev, error)
}{
	{"SPI", func(c *pn532test.Chip, o *pn532.Opts) (*pn532.Dev, error) { return pn532.NewSPI(c.SPI(), o) }},
	{"I2C", func(c *pn532test.Chip, o *pn532.Opts) (*pn532.Dev, error) { return pn532.NewI2C(c.I2C(), o) }},
	{"UART", func(c *pn532test.Chip, o *pn532.Opts) (*pn532.Dev, error) {
		return pn532.NewUART("uart", c.UART(), o)
	}},
}

// A bench holds a driver, its chip and its field, in fake time.
type bench struct {
	*testing.T
	ctx       context.Context
	transport string
	field     *nfctest.Field
	chip      *pn532test.Chip
	dev       *pn532.Dev
}

// fade is the longest that tags may need without the field (NFC Forum Digital
// Protocol 1.1, tFIELD_OFF).
const fade = 5100 * time.Microsecond

// each runs a test on all transports, with every trait of the chip that matters
// there, and with the reset line if wired is set.
func each(t *testing.T, wired bool, test func(b *bench)) {
	for _, tr := range transports {
		eachTrait(t, tr.name, func(b *bench) {
			opts := pn532.DefaultOpts
			if wired {
				opts.Reset = b.chip.Reset()
			}
			var err error
			if b.dev, err = tr.open(b.chip, &opts); err != nil {
				b.Fatal(err)
			}
			test(b)
		})
	}
}

// eachTrait runs a test with every trait of the chip that matters over a transport.
// The test opens the driver.
func eachTrait(t *testing.T, transport string, test func(b *bench)) {
	for _, trait := range pn532test.TraitsOf(transport) {
		t.Run(transport+"/"+string(trait), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &bench{T: t, ctx: t.Context(), transport: transport, field: new(nfctest.Field)}
				b.field.SetFade(fade)
				b.chip = pn532test.New(b.field)
				b.chip.SetTrait(trait)
				test(b)
			})
		})
	}
}

func (b *bench) init() {
	b.Helper()
	if err := b.dev.Init(b.ctx); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) put(tags ...*nfctest.Tag) {
	for _, tag := range tags {
		b.field.Put(tag)
	}
}

// poll polls and fails unless exactly these tags are found.
func (b *bench) poll(want ...*nfctest.Tag) {
	b.Helper()
	got, err := b.dev.Poll(b.ctx, nil)
	if err != nil {
		b.Fatal(err)
	}
	var uids []nfc.UID
	for _, tag := range want {
		uids = append(uids, tag.UID())
	}
	sort := func(a, c nfc.UID) int { return strings.Compare(a.String(), c.String()) }
	slices.SortFunc(got, sort)
	slices.SortFunc(uids, sort)
	if !slices.Equal(got, uids) {
		b.Fatalf("found %v, want %v", got, uids)
	}
	if b.field.Power() {
		b.Error("the field is on after a poll")
	}
}

// fails runs a function that must return an error within a time.
func (b *bench) fails(within time.Duration, what string, f func() error) {
	b.Helper()
	start := time.Now()
	err := f()
	if took := time.Since(start); took > within {
		b.Errorf("%s: took %v, more than %v", what, took, within)
	}
	if err == nil {
		b.Errorf("%s: no error", what)
	} else if !strings.HasPrefix(err.Error(), "pn532: ") {
		b.Errorf("%s: %v: does not say who", what, err)
	}
}

func (b *bench) pollErr() error {
	got, err := b.dev.Poll(b.ctx, nil)
	if len(got) > 0 {
		b.Errorf("found %v in an empty field", got)
	}
	return err
}

var (
	seven  = "04A1B2C3D4E5F6"
	seven2 = "04A1B2C3D4E5F7"
	four   = "DEADBEEF"
)

func TestPoll(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		if got := b.dev.Firmware(); !strings.HasPrefix(got, "PN532 1.6") {
			b.Errorf("firmware %q", got)
		}
		ntag, other, classic := nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG216(uid(t, seven2)),
			nfctest.NewClassic(uid(t, four))
		for range 3 {
			b.poll()
			b.put(ntag)
			b.poll(ntag)
			b.poll(ntag)
			b.put(classic)
			b.poll(ntag, classic)
			b.poll(ntag, classic)
			b.field.Take(ntag)
			b.poll(classic)
			b.put(other)
			b.field.Take(classic)
			b.put(ntag)
			b.poll(ntag, other) // they differ in the last bit
			b.field.Take(ntag)
			b.field.Take(other)
			b.poll()
		}
		if err := b.dev.Halt(); err != nil {
			b.Error(err)
		}
	})
}

func TestMoreThanTwo(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		b.put(nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG213(uid(t, seven2)), nfctest.NewClassic(uid(t, four)))
		got, err := b.dev.Poll(b.ctx, nil)
		if err != nil || len(got) != 2 || got[0] == got[1] {
			b.Errorf("found %v, %v", got, err)
		}
	})
}

// TestPollAppends checks that Poll appends to its argument.
func TestPollAppends(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		b.put(nfctest.NewClassic(uid(t, four)))
		before := []nfc.UID{uid(t, seven)}
		got, err := b.dev.Poll(b.ctx, before)
		if err != nil || !slices.Equal(got, []nfc.UID{uid(t, seven), uid(t, four)}) {
			b.Errorf("%v, %v", got, err)
		}
		b.chip.Kill()
		got, err = b.dev.Poll(b.ctx, before)
		if err == nil || !slices.Equal(got, before) {
			b.Errorf("%v, %v", got, err)
		}
	})
}

func TestText(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		for _, tag := range []*nfctest.Tag{nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG215(uid(t, seven2)),
			nfctest.NewNTAG216(uid(t, seven))} {
			b.put(tag)
			b.poll(tag)
			m, err := b.dev.Select(b.ctx, tag.UID())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := nfc.ReadText(b.ctx, m); !errors.Is(err, nfc.ErrNoText) {
				b.Errorf("a new tag: %v", err)
			}
			text := strings.Repeat("tableside:mutants/zombie.2 ", 4)
			if err := nfc.WriteText(b.ctx, m, text); err != nil {
				b.Fatal(err)
			}
			if got, err := nfc.ReadText(b.ctx, m); err != nil || got != text {
				b.Errorf("%q, %v", got, err)
			}
			if got, err := tag.Text(); err != nil || got != text {
				b.Errorf("on the tag: %q, %v", got, err)
			}
			b.poll(tag)
			if _, err := nfc.ReadText(b.ctx, m); err == nil {
				b.Error("a memory is good after the next poll")
			}
			b.field.Take(tag)
		}
	})
}

// TestSelect selects one of several tags by its UID.
func TestSelect(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		tags := []*nfctest.Tag{nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG215(uid(t, seven2)),
			nfctest.NewClassic(uid(t, four))}
		b.put(tags...)
		for i, tag := range tags[:2] {
			if err := tag.SetText(tag.String()); err != nil {
				b.Fatal(err)
			}
			m, err := b.dev.Select(b.ctx, tag.UID())
			if err != nil {
				b.Fatal(err)
			}
			if got, err := nfc.ReadText(b.ctx, m); err != nil || got != tag.String() {
				b.Errorf("tag %d: %q, %v", i, got, err)
			}
		}
		m, err := b.dev.Select(b.ctx, tags[2].UID())
		if err != nil {
			b.Fatal(err)
		}
		var four [16]byte
		if err := m.ReadPages(b.ctx, 4, &four); !errors.Is(err, nfc.ErrRefused) {
			b.Errorf("a Classic without its key: %v", err)
		}
		if _, err := b.dev.Select(b.ctx, uid(t, "01020304")); !errors.Is(err, nfc.ErrNoTag) {
			b.Errorf("a tag that is not there: %v", err)
		}
		m, err = b.dev.Select(b.ctx, tags[0].UID())
		if err != nil {
			b.Fatal(err)
		}
		if err := m.ReadPages(b.ctx, 200, &four); !errors.Is(err, nfc.ErrRefused) {
			b.Errorf("a page that is not there: %v", err)
		}
		if err := m.ReadPages(b.ctx, 4, &four); err != nil {
			b.Errorf("after a refusal: %v", err)
		}
		b.field.Take(tags[0])
		if err := m.ReadPages(b.ctx, 4, &four); !errors.Is(err, nfc.ErrNoTag) {
			b.Errorf("a tag that was taken away: %v", err)
		}
	})
}
