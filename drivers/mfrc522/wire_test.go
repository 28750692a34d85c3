package mfrc522_test

import (
	"testing"

	"tableside/drivers/mfrc522/mfrc522test"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
)

// clocked returns how many bytes went over the bus between two counts: chip select
// frames whole bytes in both directions at once.
func clocked(before, after mfrc522test.Counts) int { return after.Written - before.Written }

// TestBytesOfAPoll checks the cost of a poll in bytes and transactions, which
// changes only with the driver.
func TestBytesOfAPoll(t *testing.T) {
	for _, test := range []struct {
		name         string
		uids         []string
		bytes, turns int
	}{
		{"empty", nil, 33, 10},
		{"4 bytes", []string{"C0FFEE01"}, 81, 25},
		{"7 bytes", []string{"04A1B2C3D4E5F6"}, 111, 33},
		{"two of 7 bytes", []string{"04A1B2C3D4E5F6", "04A1B2C3D4E5F7"}, 204, 62},
	} {
		t.Run(test.name, func(t *testing.T) {
			run(t, func(t *testing.T, b *bench) {
				var want []nfc.UID
				for _, s := range test.uids {
					want = append(want, uid(s))
					b.field.Put(nfctest.NewNTAG213(uid(s)))
				}
				b.expect(t, want...)
				before := b.chip.Wire()
				b.expect(t, want...)
				after := b.chip.Wire()
				if got, turns := clocked(before, after), after.Transactions-before.Transactions; got != test.bytes ||
					turns != test.turns {
					t.Errorf("%d bytes in %d transactions, not %d in %d", got, turns, test.bytes, test.turns)
				}
			})
		})
	}
}

func TestPollAllocatesNothing(t *testing.T) {
	run(t, func(t *testing.T, b *bench) {
		check := func(what string) {
			t.Helper()
			if n := testing.AllocsPerRun(200, func() {
				if _, err := b.poll(); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%s: %v allocations a poll", what, n)
			}
		}
		check("empty")
		b.field.Put(nfctest.NewNTAG213(uid("04A1B2C3D4E5F6")))
		check("a tag")
		b.field.Put(nfctest.NewNTAG213(uid("04A1B2C3D4E5F7")))
		check("two tags")
	})
}

// BenchmarkPoll reports allocations; it spends its time waiting for the air.
func BenchmarkPoll(b *testing.B) {
	for _, tags := range []int{0, 1} {
		b.Run([]string{"empty", "present"}[tags], func(b *testing.B) {
			bench := newBench(b)
			for range tags {
				bench.field.Put(nfctest.NewNTAG213(uid("04A1B2C3D4E5F6")))
			}
			before := bench.chip.Wire()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bench.poll(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(clocked(before, bench.chip.Wire()))/float64(b.N), "bus-bytes/op")
		})
	}
}
