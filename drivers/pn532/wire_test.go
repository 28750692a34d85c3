package pn532_test

import (
	"testing"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
	"tableside/drivers/pn532/pn532test"
)

// frame returns the length of a frame with data bytes from the code on:
// three bytes up to the start code, LEN, LCS, TFI, data, DCS, postamble
// (UM0701-02, 6.2.1.1).
func frame(data int) int { return 3 + 2 + 1 + data + 1 + 1 }

const ackFrame = 6 // 6.2.1.3

// minBytes returns the fewest bytes that the protocol needs for one command: the
// command, the acknowledgement and the answer, and what each transport adds. On
// transports where the host decides beforehand how much it reads, the answer is
// read in one go, with at least room bytes.
func minBytes(transport string, command, answer, room int) int {
	frames := frame(command) + ackFrame + frame(answer)
	if transport != "UART" {
		frames = frame(command) + ackFrame + max(frame(answer), room)
	}
	switch transport {
	case "SPI": // 6.2.5: a byte before each frame, and two for a status that says "ready" before each read
		return frames + 3*1 + 2*2
	case "I2C": // 6.2.4: an address before each frame, and the ready byte in each read
		return frames + 3*1 + 2*1
	}
	return frames // 6.2.3: nothing
}

// minPoll returns the fewest bytes for a poll: InListPassiveTarget of up to
// two targets (4A 02 00, answered by 4B, the count and the targets) and
// RFConfiguration that switches the field off (32 01 00, answered by 33).
// Before the first answer is read nobody knows how many tags it names, and a
// second read does not help if the part of a frame that was not read in one go
// is lost: so it needs room for two UIDs of 7 bytes, over I2C for the 31 bytes
// beside the ready byte (docs/decisions, 13).
func minPoll(transport string, tags ...*nfctest.Tag) int {
	room := map[string]int{"SPI": frame(2 + 2*(5+7)), "I2C": maxGuessed - 1}[transport]
	targets := 0
	for _, tag := range tags {
		targets += 5 + tag.UID().Len() // number, SENS_RES, SEL_RES, length, UID
	}
	return minBytes(transport, 3, 2+targets, room) + minBytes(transport, 3, 1, 0)
}

// TestBytesOfAPoll checks that a poll takes at most a tenth more bytes than the
// protocol needs for a host that cannot know which tags have come.
func TestBytesOfAPoll(t *testing.T) {
	ntag, other := nfctest.NewNTAG213(uid(t, seven)), nfctest.NewNTAG213(uid(t, seven2))
	classic := nfctest.NewClassic(uid(t, four))
	fields := []struct {
		name string
		tags []*nfctest.Tag
	}{
		{"empty", nil},
		{"one tag, 7-byte UID", []*nfctest.Tag{ntag}},
		{"one tag, 4-byte UID", []*nfctest.Tag{classic}},
		{"two tags", []*nfctest.Tag{ntag, classic}},
		{"two, 7-byte UIDs", []*nfctest.Tag{ntag, other}},
	}
	polls := 400 // 20 seconds at 20 Hz
	if brief() {
		polls = 150
	}
	t.Logf("%-9s  %-20s  %8s  %8s  %s", "transport", "field", "bytes", "minimum", "more")
	each(t, false, func(b *bench) {
		b.init()
		transport := b.transport
		for _, f := range fields {
			b.put(f.tags...)
			for range polls {
				b.poll(f.tags...)
				time.Sleep(50 * time.Millisecond)
			}
			before := b.chip.Wire().Bytes()
			for range polls {
				b.poll(f.tags...)
				time.Sleep(50 * time.Millisecond)
			}
			got := float64(b.chip.Wire().Bytes()-before) / float64(polls)
			want := minPoll(transport, f.tags...)
			more := 100 * (got/float64(want) - 1)
			t.Logf("%-9s  %-20s  %8.2f  %8d  %4.1f %%", transport, f.name, got, want, more)
			if more > 10 {
				b.Errorf("%s: %.2f bytes a poll, the protocol needs %d", f.name, got, want)
			}
			if more < 0 {
				b.Errorf("%s: %.2f bytes a poll are fewer than there can be, %d", f.name, got, want)
			}
			for _, tag := range f.tags {
				b.field.Take(tag)
			}
		}
	})
}

// TestPollDoesNotAllocate checks that polls, the steady state, do not allocate.
func TestPollDoesNotAllocate(t *testing.T) {
	each(t, false, func(b *bench) {
		b.init()
		seen := make([]nfc.UID, 0, 2)
		poll := func() {
			var err error
			if seen, err = b.dev.Poll(b.ctx, seen[:0]); err != nil {
				b.Fatal(err)
			}
		}
		tags := []*nfctest.Tag{nil, nfctest.NewNTAG213(uid(b, seven)), nfctest.NewClassic(uid(b, four))}
		for i, tag := range tags {
			if tag != nil {
				b.put(tag)
			}
			poll()
			if n := testing.AllocsPerRun(200, poll); n != 0 {
				b.Errorf("%d tags: %v allocations a poll", i, n)
			}
		}
	})
}

// BenchmarkPoll polls in real time, most of which the emulated chip takes.
func BenchmarkPoll(b *testing.B) {
	for _, tr := range transports {
		for _, present := range []string{"empty", "present"} {
			b.Run(tr.name+"/"+present, func(b *testing.B) {
				field := new(nfctest.Field)
				if present == "present" {
					field.Put(nfctest.NewNTAG213(uid(b, seven)))
				}
				chip := pn532test.New(field)
				dev, err := tr.open(chip, &pn532.DefaultOpts)
				if err != nil {
					b.Fatal(err)
				}
				if err := dev.Init(b.Context()); err != nil {
					b.Fatal(err)
				}
				seen := make([]nfc.UID, 0, 2)
				before := chip.Wire()
				b.ReportAllocs()
				for b.Loop() {
					if seen, err = dev.Poll(b.Context(), seen[:0]); err != nil {
						b.Fatal(err)
					}
				}
				after := chip.Wire()
				b.ReportMetric(float64(after.Bytes()-before.Bytes())/float64(b.N), "wire-B/op")
			})
		}
	}
}
