package tape

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/keys"
)

// player reads the lines of one call and begins it.
func player(t *testing.T, chip Chip, lines string) *Player {
	t.Helper()
	read, err := Read(strings.NewReader(head + "0 a call poll\n" + lines + "90000 a done\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := NewPlayer(read.Parts[0], chip)
	p.Begin(&read.Parts[0].Calls[0])
	return p
}

// look reports whether a PN532 on SPI is ready.
func look(t *testing.T, p *Player) bool {
	t.Helper()
	var r [2]byte
	if err := p.exchange(SPI, []byte{0x40, 0}, r[:]); err != nil {
		t.Fatalf("%v, %v", err, p.difference)
	}
	return r[1] == 0x80
}

// TestLooks checks that a chip becomes ready when it did on the tape, however often
// it is asked meanwhile. If the computer was slow and asked only twice, twice is
// enough.
func TestLooks(t *testing.T) {
	const lines = "1000 a spi 80\n2000 a spi 4000 > 0000\n2500 a again 1\n12000 a spi 4000 > 0080\n13000 a spi c0\n"
	for _, step := range []time.Duration{100 * time.Microsecond, time.Millisecond, 20 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			p := player(t, PN532, lines)
			if err := p.exchange(SPI, []byte{0x80}, nil); err != nil {
				t.Fatal(err)
			}
			looks := 1
			for began := time.Now(); !look(t, p); looks++ {
				if time.Sleep(step); time.Since(began) > 40*time.Millisecond {
					t.Fatal("it is never ready")
				}
			}
			if looks > 3 {
				t.Errorf("%d looks, every %v", looks, step)
			}
			if err := p.exchange(SPI, []byte{0xc0}, nil); err != nil {
				t.Error(err)
			}
			if d := p.End(nil); d != nil {
				t.Error(d)
			}
		})
	}
}

// TestLateComputer checks that a chip has gone on working while the computer had stopped
// after a command: it is ready at the first look. Time that was lost before the command
// gives the chip nothing: it takes as long for the answer as on the tape.
func TestLateComputer(t *testing.T) {
	const wake, command, ready, ack = "00000000", "800000ff407f2b405400", "4000", "c0000000000000"
	for after, early := range map[string]bool{"nothing": false, wake: false, command: true, ready: true, ack: true} {
		t.Run(after, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := player(t, PN532, "1000 a spi "+wake+"\n2000 a spi "+command+"\n3000 a spi "+ready+" > 0080\n3000 a spi "+
					ack+" > 000000ff00ff00\n4000 a spi 4000 > 0000\n24000 a spi 4000 > 0080\n")
				for i, line := range []string{wake, command, ready, ack} {
					if time.Sleep(time.Millisecond); i == 0 && after == "nothing" {
						time.Sleep(200 * time.Millisecond)
					}
					w, err := hex.DecodeString(line)
					if err != nil {
						t.Fatal(err)
					}
					var r []byte
					if line == ready || line == ack {
						r = make([]byte, len(w))
					}
					if err := p.exchange(SPI, w, r); err != nil {
						t.Fatalf("%v, %v", err, p.difference)
					}
					if line == after {
						time.Sleep(200 * time.Millisecond)
					}
				}
				if got := look(t, p); got != early {
					t.Errorf("ready at the first look: %v, want %v", got, early)
				}
			})
		})
	}
}

// TestNeverReady checks that there is no answer if the tape has none, and that the
// driver's reaction is compared.
func TestNeverReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := player(t, PN532, "1000 a spi 80\n2000 a spi 4000 > 0000\n30000 a spi 81\n")
		if err := p.exchange(SPI, []byte{0x80}, nil); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			if look(t, p) {
				t.Fatal("it is ready")
			}
			time.Sleep(time.Millisecond)
		}
		if err := p.exchange(SPI, []byte{0x81}, nil); err != nil {
			t.Error(err)
		}
		if d := p.End(nil); d != nil {
			t.Error(d)
		}
	})
}

// TestDifferences checks that bytes, lengths, levels, orders and ends that differ
// from the tape are errors with the line, its content and the actual call.
func TestDifferences(t *testing.T) {
	out := func(p *Player, w ...byte) error { return p.exchange(SPI, w, nil) }
	for name, c := range map[string]struct {
		chip  Chip
		lines string
		do    func(*Player) error
		want  string
	}{
		"a byte": {Other, "1 a spi 0102\n", func(p *Player) error { return out(p, 1, 3) },
			"line 9, a, poll\n  tape: spi 0102\n  ours: spi 0103"},
		"too much": {Other, "1 a spi 01\n", func(p *Player) error { return errors.Join(out(p, 1), out(p, 2)) },
			"line 8, a, poll\n  tape: nothing more in this call\n  ours: spi 02"},
		"too little": {Other, "1 a spi 01\n2 a spi 02\n", func(p *Player) error { return out(p, 1) },
			"line 10, a, poll\n  tape: spi 02\n  ours: nothing more"},
		"a longer read": {PN532, "1 a i2c d4\n2 a i2c - > 00\n3 a i2c - > 01d5\n", func(p *Player) error {
			err := p.exchange(I2C, []byte{0xd4}, nil)
			for range 3 {
				time.Sleep(time.Millisecond)
				err = errors.Join(err, p.exchange(I2C, nil, make([]byte, 1)), p.exchange(I2C, nil, make([]byte, 32)))
			}
			return err
		}, "line 11, a, poll\n  tape: i2c - > 01d5\n  ours: i2c - > 32 bytes"},
		"a level": {Other, "1 a pin dc 1\n", func(p *Player) error { return p.Pin("dc").Out(gpio.Low) },
			"line 9, a, poll\n  tape: pin dc 1\n  ours: pin dc 0"},
		"another pin": {Other, "1 a pin busy 0\n2 a pin dc 1\n",
			func(p *Player) error { return p.Pin("reset").Out(gpio.High) },
			"line 10, a, poll\n  tape: pin dc 1\n  ours: pin reset 1"},
		"over a serial line": {PN532, "1 a tx 5555\n2 a rx 0000ff00ff00\n3 a tx d402\n", func(p *Player) error {
			s := p.Serial()
			_, err := s.Write([]byte{0x55, 0x55})
			_, err2 := s.Write([]byte{0xd4, 0x14})
			return errors.Join(err, err2)
		}, "line 11, a, poll\n  tape: tx d402\n  ours: tx d414"},
		"an end": {Other, "1 a spi 01\n", func(p *Player) error { return errors.Join(out(p, 1), errors.New("no card")) },
			"line 8, a, poll\n  tape: it succeeds\n  ours: error no card"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := player(t, c.chip, c.lines)
				if d := p.End(c.do(p)); d == nil || d.Error() != c.want {
					t.Errorf("got  %v\nwant %s", d, c.want)
				}
			})
		})
	}
}

// TestPulse checks that a long pulse lasts as long as on the tape, for drivers that
// measure it, and that a short one is not lengthened.
func TestPulse(t *testing.T) {
	for lines, want := range map[string]time.Duration{
		"1000 a pin reset 0\n21000 a pin reset 1\n": 20 * time.Millisecond,
		"1000 a pin reset 0\n3000 a pin reset 1\n":  0,

		"1000 a pin reset 0\n3000000000 a pin reset 1\n": maxPulse, // not an hour
	} {
		synctest.Test(t, func(t *testing.T) {
			p := player(t, Other, lines)
			began, pin := time.Now(), p.Pin("reset")
			if err := errors.Join(pin.Out(gpio.Low), pin.Out(gpio.High)); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != want {
				t.Errorf("it lasts %v, want %v", took, want)
			}
		})
	}
}

// TestDifferenceIsSeen checks that of two pictures that differ in one byte, that
// byte is shown.
func TestDifferenceIsSeen(t *testing.T) {
	same := strings.Repeat("7ffe", 2000)
	for _, c := range []struct{ want, got, wants, gots string }{
		{"spi 00", "spi 01", "spi 00", "spi 01"},
		{"spi " + same + "00" + same, "spi " + same + "01" + same,
			"spi (7961 letters that agree)…" + same[1:40] + "00" + same[:39] + "…",
			"spi (7961 letters that agree)…" + same[1:40] + "01" + same[:39] + "…"},
		{"spi " + same, "spi " + same + "00",
			"spi (7960 letters that agree)…" + same[:40], "spi (7960 letters that agree)…" + same[:40] + "00"},
		{"pin busy 0", "spi " + same, "pin busy 0", "spi " + same},
	} {
		want, got := (&Difference{Want: c.want, Got: c.got}).Brief()
		if want == got || want != c.wants || got != c.gots {
			t.Errorf("got\n%s\n%s\nwant\n%s\n%s", want, got, c.wants, c.gots)
		}
	}
}

// TestYearsOfQuiet checks that a tape that claims years without a key is not played
// second by second, and that later lines come at their times.
func TestYearsOfQuiet(t *testing.T) {
	const year = 365 * 24 * time.Hour
	p := player(t, Other, fmt.Sprintf("1 a lines 5 5\n%d a edge %d 5 0 1\n",
		year.Microseconds(), year.Microseconds()))
	p.call.Ended = 2 * year
	over := false
	lines, err := p.Keys(func() { over = true }).Request(t.Context(), []int{5})
	if err != nil {
		t.Fatal(err)
	}
	looks, edges := 0, make([]keys.Edge, 1)
	for ; err == nil && looks < 100_000; looks++ {
		var n int
		if n, err = lines.Next(t.Context(), edges, time.Second); n == 1 && (edges[0].At != year || edges[0].High) {
			t.Errorf("got %+v, want a fall after a year", edges[0])
		}
	}
	if !over || looks > 20_000 || p.played != 2 {
		t.Errorf("over: %t after %d looks and %d lines", over, looks, p.played)
	}
}
