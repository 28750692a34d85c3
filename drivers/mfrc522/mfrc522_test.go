package mfrc522_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"

	"go.uber.org/goleak"

	"tableside/drivers/mfrc522"
	"tableside/drivers/mfrc522/mfrc522test"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A bench holds a chip, its field and our driver.
type bench struct {
	field nfctest.Field
	chip  *mfrc522test.Chip
	dev   *mfrc522.Dev
	ctx   context.Context
	seen  []nfc.UID
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{ctx: t.Context(), seen: make([]nfc.UID, 0, 16)}
	b.chip = mfrc522test.New(&b.field)
	b.chip.SetWarmUp(5 * time.Millisecond)
	b.field.SetFade(5100 * time.Microsecond) // NFC Forum Digital Protocol 1.1, tFIELD_OFF
	opts := mfrc522.DefaultOpts
	opts.Reset = b.chip.Reset()
	dev, err := mfrc522.NewSPI(b.chip.SPI(), &opts)
	if err != nil {
		t.Fatal(err)
	}
	b.dev = dev
	if err := dev.Init(b.ctx); err != nil {
		t.Fatal(err)
	}
	return b
}

func run(t *testing.T, test func(t *testing.T, b *bench)) {
	synctest.Test(t, func(t *testing.T) { test(t, newBench(t)) })
}

func (b *bench) poll() ([]nfc.UID, error) { return b.dev.Poll(b.ctx, b.seen[:0]) }

// expect polls once and compares.
func (b *bench) expect(t *testing.T, want ...nfc.UID) {
	t.Helper()
	got, err := b.poll()
	if err != nil {
		t.Fatalf("poll: %v, found %v", err, got)
	}
	if !same(got, want) {
		t.Fatalf("found %v, not %v", got, want)
	}
}

func same(a, b []nfc.UID) bool {
	less := func(x, y nfc.UID) int { return strings.Compare(x.String(), y.String()) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), less), slices.SortedFunc(slices.Values(b), less))
}

func uid(s string) nfc.UID {
	u, err := nfc.ParseUID(s)
	if err != nil {
		panic(err)
	}
	return u
}

func TestPollFindsWhatLiesThere(t *testing.T) {
	for _, test := range []struct {
		name string
		uids string
	}{
		{"nothing", ""},
		{"4 bytes", "C0FFEE01"},
		{"7 bytes", "04A1B2C3D4E5F6"},
		{"10 bytes", "04A1B2C3D4E5F6070809"},
		{"4 bytes that begin like a cascade tag", "88776655"},
		{"7 bytes that go on like a cascade tag", "04A1B288D4E5F6"},
		{"two that differ in the first bit", "C0FFEE01 C1FFEE01"},
		{"two that differ in the last bit", "C0FFEE01 C0FFEE81"},
		{"two of 7 bytes, same maker", "04A1B2C3D4E5F6 04A1B2C3D4E5F7"},
		{"two lengths", "C0FFEE01 04A1B2C3D4E5F6"},
		{"three, two collisions in one byte", "10203040 10203041 10203043"},
		{"three, collisions in two bytes", "10203040 10A03040 10A03140"},
		{"five", "04000000000001 04000000000002 04000000000003 04000000000004 04000000000080"},
		{"three levels", "04A1B2C3D4E5F6070809 04A1B2C3D4E5F607080A"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, func(t *testing.T, b *bench) {
				var want []nfc.UID
				for _, s := range strings.Fields(test.uids) {
					want = append(want, uid(s))
					b.field.Put(nfctest.NewClassic(uid(s)))
				}
				for range 3 {
					b.expect(t, want...)
					if b.field.Power() {
						t.Fatal("the field is on after a poll")
					}
				}
			})
		})
	}
}

func TestPollAppends(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tag := nfctest.NewNTAG213(uid("04A1B2C3D4E5F6"))
		b.field.Put(tag)
		before := uid("00112233")
		got, err := b.dev.Poll(b.ctx, []nfc.UID{before, tag.UID()})
		if err != nil || !slices.Equal(got, []nfc.UID{before, tag.UID(), tag.UID()}) {
			t.Fatalf("%v, %v", got, err)
		}
	})
}

// TestPollFollows checks that the next poll notices a tag that comes or goes,
// without any pause between polls.
func TestPollFollows(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tag := nfctest.NewNTAG215(uid("04A1B2C3D4E5F6"))
		for range 5 {
			b.expect(t)
			b.field.Put(tag)
			b.expect(t, tag.UID())
			b.field.Take(tag)
		}
	})
}

// TestPollFollowsAnExchange checks that the tags of the last poll, which are tried
// first, hide none that has come in their place, however much they have in common.
func TestPollFollowsAnExchange(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		for _, step := range []string{
			"04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A1B2C3", "04A1B2C3D4E5F6070809", "C0FFEE01 04A1B2C3D4E5F6",
			"04A1B2C3D4E5F6", "C0FFEE01 04A1B2C3D4E5F7", "10203040 10203041 C0FFEE01", "10203042", "",
		} {
			var want []nfc.UID
			for _, tag := range b.field.Tags() {
				b.field.Take(tag)
			}
			for _, s := range strings.Fields(step) {
				want = append(want, uid(s))
				b.field.Put(nfctest.NewClassic(uid(s)))
			}
			b.expect(t, want...)
			b.expect(t, want...)
		}
	})
}

func TestTwoWithTheSameUID(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		one, two := nfctest.NewClassic(uid("C0FFEE01")), nfctest.NewClassic(uid("C0FFEE01"))
		b.field.Put(one)
		b.field.Put(two)
		b.expect(t, one.UID())
	})
}

// TestTooMany checks that a poll with more tags than it takes returns an error.
func TestTooMany(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		var there []nfc.UID
		for i := range 13 {
			if i == 12 {
				b.expect(t, there...)
			}
			u, _ := nfc.NewUID([]byte{byte(i * 37), 2, 3, byte(i)})
			there = append(there, u)
			b.field.Put(nfctest.NewClassic(u))
		}
		got, err := b.poll()
		if !errors.Is(err, nfc.ErrUnreadable) || len(got) != 12 {
			t.Fatalf("%v, %v", got, err)
		}
	})
}

// TestEdgeOfTheField checks that a tag at the edge is found, unreadable or
// sometimes missed, but never taken for another one.
func TestEdgeOfTheField(t *testing.T) {
	polls := 100
	if testing.Short() {
		polls = 30
	}
	for every := 1; every <= 9; every++ {
		run(t, func(t *testing.T, b *bench) {
			tag := nfctest.NewNTAG213(uid("04A1B2C3D4E5F6"))
			b.field.Put(tag)
			b.field.Edge(tag, every)
			read := 0
			for range polls {
				got, err := b.poll()
				switch {
				case err == nil && same(got, []nfc.UID{tag.UID()}):
					read++
				case errors.Is(err, nfc.ErrUnreadable):
				default:
					t.Fatalf("each %dth answer spoilt: %v, %v", every, got, err)
				}
			}
			if every > 5 && read < polls*9/10 {
				t.Errorf("each %dth answer spoilt: read %d times of %d", every, read, polls)
			}
			b.field.Edge(tag, 0)
			b.expect(t, tag.UID())
		})
	}
}

func TestMemory(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tag, other := nfctest.NewNTAG213(uid("04A1B2C3D4E5F6")), nfctest.NewNTAG213(uid("04A1B2C3D4E5F7"))
		b.field.Put(other)
		b.field.Put(tag)
		b.expect(t, tag.UID(), other.UID())
		m, err := b.dev.Select(b.ctx, tag.UID())
		if err != nil {
			t.Fatal(err)
		}
		if err := nfc.WriteText(b.ctx, m, "tableside:mutants/zombie.2"); err != nil {
			t.Fatal(err)
		}
		if text, err := nfc.ReadText(b.ctx, m); err != nil || text != "tableside:mutants/zombie.2" {
			t.Fatalf("%q, %v", text, err)
		}
		if text, err := tag.Text(); err != nil || text != "tableside:mutants/zombie.2" {
			t.Fatalf("on the tag: %q, %v", text, err)
		}
		if other.Writes() != 0 {
			t.Fatal("the other tag was written")
		}
		if err := m.WritePage(b.ctx, 0, [4]byte{}); !errors.Is(err, nfc.ErrRefused) {
			t.Fatalf("page 0: %v", err)
		}
		var page [16]byte
		if err := m.ReadPages(b.ctx, 200, &page); !errors.Is(err, nfc.ErrRefused) {
			t.Fatalf("page 200: %v", err)
		}
		if err := m.ReadPages(b.ctx, 0, &page); err != nil || page[0] != 0x04 || page[2] != 0xB2 {
			t.Fatalf("after a refusal: % X, %v", page, err)
		}
		b.field.Take(tag)
		if err := m.ReadPages(b.ctx, 4, &page); !errors.Is(err, nfc.ErrNoTag) {
			t.Fatalf("taken away: %v", err)
		}
		b.field.Put(tag)
		if err := m.ReadPages(b.ctx, 0, &page); err != nil || page[2] != 0xB2 {
			t.Fatalf("back again: %v", err)
		}
		b.expect(t, tag.UID(), other.UID())
		if err := m.ReadPages(b.ctx, 4, &page); err == nil {
			t.Fatal("a memory works after the next poll")
		}
	})
}

func TestSelectWhatIsNotThere(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		for _, u := range []nfc.UID{uid("04A1B2C3D4E5F6"), uid("C0FFEE01"), {}} {
			if _, err := b.dev.Select(b.ctx, u); !errors.Is(err, nfc.ErrNoTag) {
				t.Fatalf("empty field: %v", err)
			}
		}
		b.field.Put(nfctest.NewNTAG213(uid("04A1B2C3D4E5F6")))
		b.field.Put(nfctest.NewClassic(uid("C0FFEE01")))
		for _, u := range []nfc.UID{uid("04A1B2C3D4E5F7"), uid("04A1B2C3"), uid("8804A1B2"), uid("C0FFEE02")} {
			if _, err := b.dev.Select(b.ctx, u); !errors.Is(err, nfc.ErrNoTag) {
				t.Fatalf("another tag: %v", err)
			}
		}
		if b.field.Power() {
			t.Fatal("the field is on after a failure")
		}
	})
}

func TestSelectAtTheEdge(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tag := nfctest.NewNTAG216(uid("04A1B2C3D4E5F6"))
		b.field.Put(tag)
		b.field.Edge(tag, 7)
		for range 20 {
			m, err := b.dev.Select(b.ctx, tag.UID())
			if err != nil {
				t.Fatal(err)
			}
			for i := range byte(20) {
				if err := m.WritePage(b.ctx, 4+i, [4]byte{i, 1, 2, 3}); err != nil {
					t.Fatal(err)
				}
			}
			for i := range byte(5) {
				var to [16]byte
				if err := m.ReadPages(b.ctx, 4+4*i, &to); err != nil || to[4] != 4*i+1 {
					t.Fatalf("% X, %v", to, err)
				}
			}
		}
	})
}

func TestGains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for gain, bits := range map[int]byte{18: 0x08, 23: 0x18, 33: 0x48, 38: 0x58, 43: 0x68, 48: 0x78} {
			chip := mfrc522test.New(&nfctest.Field{})
			dev, err := mfrc522.NewSPI(chip.SPI(), &mfrc522.Opts{Gain: gain})
			if err != nil {
				t.Fatal(err)
			}
			if err := dev.Init(t.Context()); err != nil {
				t.Fatal(err)
			}
			conn, _ := chip.SPI().Connect(physic.MegaHertz, 0, 8)
			r := make([]byte, 2)
			if err := conn.Tx([]byte{0x80 | 0x26<<1, 0}, r); err != nil || r[1] != bits {
				t.Errorf("%d dB: RFCfgReg %02X, %v", gain, r[1], err)
			}
		}
	})
	for _, opts := range []mfrc522.Opts{{Gain: 40}, {}} {
		if _, err := mfrc522.NewSPI(mfrc522test.New(&nfctest.Field{}).SPI(), &opts); err == nil {
			t.Errorf("%+v is accepted", opts)
		}
	}
}

func TestFirmware(t *testing.T) {
	for version, name := range map[byte]string{
		0x90: "MFRC522 0.0", 0x91: "MFRC522 1.0", 0x92: "MFRC522 2.0",
		0x88: "FM17522 (a clone of the MFRC522)", 0xB2: "FM17522, version B2h (a clone of the MFRC522)",
		0x12: "unknown chip, version 12h (a clone of the MFRC522)",
	} {
		run(t, func(t *testing.T, b *bench) {
			tag := nfctest.NewClassic(uid("C0FFEE01"))
			b.field.Put(tag)
			b.chip.SetVersion(version)
			if err := b.dev.Init(b.ctx); err != nil {
				t.Errorf("version %02X: %v", version, err)
			}
			if got := b.dev.Firmware(); got != name {
				t.Errorf("version %02X is called %q", version, got)
			}
			b.expect(t, tag.UID())
		})
	}
}

func TestHaltAndBack(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		tag := nfctest.NewClassic(uid("C0FFEE01"))
		b.field.Put(tag)
		if _, err := b.dev.Select(b.ctx, tag.UID()); err != nil {
			t.Fatal(err)
		}
		if !b.field.Power() {
			t.Fatal("the field is off after Select")
		}
		for range 2 {
			if err := b.dev.Halt(); err != nil {
				t.Fatal(err)
			}
		}
		if b.field.Power() {
			t.Fatal("the field is on after Halt")
		}
		if _, err := b.poll(); err == nil {
			t.Fatal("a sleeping chip was polled")
		}
		if err := b.dev.Init(b.ctx); err != nil {
			t.Fatal(err)
		}
		b.expect(t, tag.UID())
	})
}

func TestWithoutResetLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var field nfctest.Field
		chip := mfrc522test.New(&field)
		dev, err := mfrc522.NewSPI(chip.SPI(), &mfrc522.DefaultOpts)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := dev.Init(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := dev.Poll(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if err := dev.Halt(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestCancelled(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		ctx, cancel := context.WithTimeout(b.ctx, 3*time.Millisecond)
		defer cancel()
		if _, err := b.dev.Poll(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if b.field.Power() {
			t.Fatal("the field is on")
		}
		if err := b.dev.Init(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if b.chip.Reset().Read() != gpio.High {
			t.Fatal("the reset line stays low")
		}
		if err := b.dev.Init(b.ctx); err != nil {
			t.Fatal(err)
		}
		b.expect(t)
	})
}

// TestTogether uses the emulator from a driver and from people at once, in real
// time.
func TestTogether(t *testing.T) {
	b := newBench(t)
	tag := nfctest.NewNTAG213(uid("04A1B2C3D4E5F6"))
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 40 {
			if i%2 == 0 {
				b.field.Put(tag)
			} else {
				b.field.Take(tag)
			}
			b.chip.Wire()
			b.chip.IRQ().Read()
			time.Sleep(time.Millisecond)
		}
		b.field.Put(tag)
	}()
	for range 5 {
		if _, err := b.poll(); err != nil && !errors.Is(err, nfc.ErrUnreadable) {
			t.Error(err)
		}
	}
	<-done
	b.expect(t, tag.UID())
}

// TestBrokenPort checks that errors of the port are not taken for those of tags.
func TestBrokenPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		port := mfrc522test.New(&nfctest.Field{}).SPI()
		dev, err := mfrc522.NewSPI(port, &mfrc522.DefaultOpts)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dev.Poll(t.Context(), nil); err == nil {
			t.Error("a poll before Init")
		}
		if err := dev.Init(t.Context()); err != nil {
			t.Fatal(err)
		}
		port.Close()
		for name, err := range map[string]error{
			"poll": func() error { _, err := dev.Poll(t.Context(), nil); return err }(),
			"init": dev.Init(t.Context()),
			"halt": dev.Halt(),
		} {
			if err == nil || errors.Is(err, nfc.ErrUnreadable) || !strings.HasPrefix(err.Error(), "mfrc522: "+name+": ") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if want := "mfrc522 on emulated MFRC522"; dev.String() != want {
			t.Errorf("%s, not %s", dev, want)
		}
	})
}
