package tape

import (
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"

	"tableside/drivers/keys"
)

func player(t *testing.T, ios ...string) *Player {
	t.Helper()
	read, err := Read(strings.NewReader(head + `{"t":0,"part":"a","call":["poll"],"io":[` +
		strings.Join(ios, ",") + `],"end":90000}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	p := NewPlayer()
	p.Begin(&read.Parts[0].Calls[0])
	return p
}

func exchange(p *Player, b Bus, w string, r []byte) error {
	out, _ := hex.DecodeString(w)
	return p.do(&IO{Bus: b, W: out, R: r}, nil)
}

func look(t *testing.T, p *Player) bool {
	t.Helper()
	var r [2]byte
	if err := exchange(p, SPIBus, "4000", r[:]); err != nil {
		t.Fatalf("%v, %v", err, p.difference)
	}
	return r[1] == 0x80
}

// TestLooks checks that a chip becomes ready when the driver asks again, however late, so that no
// driver gives it up because the computer of the tape was slow.
func TestLooks(t *testing.T) {
	for _, step := range []time.Duration{0, 5 * time.Millisecond, 200 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			p := player(t, `{"t":1000,"bus":"spi","w":"80"}`, `{"t":2000,"bus":"spi","w":"4000","r":"0000","n":6}`,
				`{"t":11000,"bus":"spi","w":"4000","r":"0080"}`, `{"t":13000,"bus":"spi","w":"c0"}`)
			if err := exchange(p, SPIBus, "80", nil); err != nil {
				t.Fatal(err)
			}
			looks := 1
			for ; !look(t, p); looks++ {
				time.Sleep(step)
			}
			if looks != 2 {
				t.Errorf("%d looks, every %v, want 2", looks, step)
			}
			if err := exchange(p, SPIBus, "c0", nil); err != nil {
				t.Error(err)
			}
			if d := p.End(nil); d != nil {
				t.Errorf("%+v", d)
			}
		})
	}
}

// TestNeverReady checks that there is no answer if the tape has none, and that the
// driver's reaction is compared.
func TestNeverReady(t *testing.T) {
	for _, looks := range []int{1, 4, 100} {
		p := player(t, `{"t":1000,"bus":"spi","w":"80"}`, `{"t":2000,"bus":"spi","w":"4000","r":"0000","n":4}`,
			`{"t":30000,"bus":"spi","w":"81"}`)
		if err := exchange(p, SPIBus, "80", nil); err != nil {
			t.Fatal(err)
		}
		for range looks {
			if look(t, p) {
				t.Fatal("it is ready")
			}
		}
		if err := exchange(p, SPIBus, "81", nil); err != nil {
			t.Error(err)
		}
		if d := p.End(nil); d != nil {
			t.Errorf("%+v", d)
		}
	}
}

// TestSerial checks that bytes come over a serial line in pieces as the driver reads them. They
// come after one read that brings nothing if there were such reads on the tape. How long a slow
// computer took is of no account.
func TestSerial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := player(t, `{"t":1000,"bus":"tx","w":"5555"}`, `{"t":21000,"bus":"rx","n":2}`, `{"t":331000,"bus":"rx","r":"0102"}`,
			`{"t":640000,"bus":"rx","r":"03"}`, `{"t":661000,"bus":"rx"}`, `{"t":661000,"bus":"rx","err":"unplugged"}`)
		s := Serial(p, noPort{})
		if n, err := s.Write([]byte{0x55, 0x55}); n != 2 || err != nil {
			t.Fatal(n, err)
		}
		began := time.Now()
		_ = s.SetReadTimeout(20 * time.Millisecond)
		b := make([]byte, 2)
		for _, want := range []struct {
			n     int
			after time.Duration
		}{{0, 20 * time.Millisecond}, {2, 20 * time.Millisecond}, {1, 20 * time.Millisecond}, {0, 40 * time.Millisecond}} {
			n, err := s.Read(b)
			if n != want.n || err != nil || time.Since(began) != want.after {
				t.Errorf("%d bytes after %v, %v; want %+v", n, time.Since(began), err, want)
			}
		}
		if n, err := s.Read(b); n != 0 || err == nil || err.Error() != "unplugged" {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

type noPort struct{ Port }

func (noPort) SetReadTimeout(time.Duration) error { return nil }

// TestDifferences checks that bytes, lengths, levels, orders and ends that differ
// from the tape are errors with the number, its content and the actual call.
func TestDifferences(t *testing.T) {
	out := func(p *Player, w string) error { return exchange(p, SPIBus, w, nil) }
	same := strings.Repeat("7ffe", 2000)
	for name, c := range map[string]struct {
		ios  []string
		do   func(*Player) error
		want Difference
	}{
		"a byte": {[]string{`{"bus":"spi","w":"0102"}`}, func(p *Player) error { return out(p, "0103") },
			Difference{2, "poll", 1, "spi 0102", "spi 0103"}},
		"a byte of many": {[]string{`{"bus":"spi","w":"` + same + `00"}`}, func(p *Player) error { return out(p, same+"01") },
			Difference{2, "poll", 1, "spi 00 from byte 4000 on", "spi 01 from byte 4000 on"}},
		"too much": {[]string{`{"bus":"spi","w":"01"}`}, func(p *Player) error { return errors.Join(out(p, "01"), out(p, "02")) },
			Difference{2, "poll", 2, "nothing more in this call", "spi 02"}},
		"too little": {[]string{`{"bus":"spi","w":"01"}`, `{"bus":"spi","w":"02"}`}, func(p *Player) error { return out(p, "01") },
			Difference{2, "poll", 2, "spi 02", "nothing more (error: <nil>)"}},
		"a second question": {[]string{`{"bus":"i2c","r":"01"}`, `{"bus":"i2c","w":"02"}`}, func(p *Player) error {
			return errors.Join(exchange(p, I2CBus, "", make([]byte, 1)), exchange(p, I2CBus, "", make([]byte, 1)))
		}, Difference{2, "poll", 2, "i2c 02", "i2c , 1 bytes back"}},
		"a longer read": {[]string{`{"bus":"i2c","r":"01d5"}`}, func(p *Player) error {
			return exchange(p, I2CBus, "", make([]byte, 32))
		}, Difference{2, "poll", 1, "i2c , 2 bytes back", "i2c , 32 bytes back"}},
		"a level": {[]string{`{"bus":"out","pin":"DC","high":true}`}, func(p *Player) error { return Pin(p, "DC", gpio.INVALID).Out(gpio.Low) },
			Difference{2, "poll", 1, "out DC high", "out DC low"}},
		"another pin": {[]string{`{"bus":"in","pin":"BUSY"}`, `{"bus":"out","pin":"DC","high":true}`},
			func(p *Player) error { return Pin(p, "RST", gpio.INVALID).Out(gpio.High) },
			Difference{2, "poll", 2, "out DC high", "out RST high"}},
		"an event": {[]string{`{"bus":"event","words":["press","yes"]}`}, func(p *Player) error {
			Event(p, keys.Event{Kind: keys.Long, Name: "yes"})
			return nil
		}, Difference{2, "poll", 1, "event [press yes]", "event [long yes]"}},
		"an end": {[]string{`{"bus":"spi","w":"01"}`}, func(p *Player) error { return errors.Join(out(p, "01"), errors.New("no card")) },
			Difference{2, "poll", 2, "it succeeds", "error: no card"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := player(t, c.ios...)
			if d := p.End(c.do(p)); d == nil || *d != c.want {
				t.Errorf("got  %+v\nwant %+v", d, c.want)
			}
		})
	}
}

// TestPulse checks that a long pulse lasts as long as on the tape, for drivers that
// measure it, and that a short one is not lengthened.
func TestPulse(t *testing.T) {
	for end, want := range map[string]time.Duration{
		"21000": 20 * time.Millisecond, "3000": 0,
		"3000000000": time.Second, // not an hour
	} {
		synctest.Test(t, func(t *testing.T) {
			p := player(t, `{"t":1000,"bus":"out","pin":"RST"}`, `{"t":`+end+`,"bus":"out","pin":"RST","high":true}`)
			began, pin := time.Now(), Pin(p, "RST", gpio.INVALID)
			if err := errors.Join(pin.Out(gpio.Low), pin.Out(gpio.Low), pin.Out(gpio.High)); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took != want {
				t.Errorf("it lasts %v, want %v", took, want)
			}
		})
	}
}

// TestBusy checks that a pin has the level that it had on the tape at that time.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := player(t, `{"t":1000,"bus":"spi","w":"20"}`, `{"t":2000,"bus":"in","pin":"BUSY","high":true}`,
			`{"t":502000,"bus":"in","pin":"BUSY"}`)
		busy := Pin(p, "BUSY", gpio.INVALID)
		if err := exchange(p, SPIBus, "20", nil); err != nil || busy.Read() == gpio.High {
			t.Fatal("busy at once", err)
		}
		time.Sleep(time.Millisecond)
		began := time.Now()
		for busy.Read() == gpio.High {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(began); took != 500*time.Millisecond {
			t.Errorf("busy for %v", took)
		}
	})
}

// TestKeys checks that edges have their times, that levels without an edge are seen, and
// that the end of the call ends the driver: with its error, if the chip has gone.
func TestKeys(t *testing.T) {
	for _, failure := range []string{"", "no such device"} {
		p := player(t, `{"t":1000,"bus":"in","pin":"5","high":true}`, `{"t":4000000,"bus":"edge","pin":"5","seq":1}`,
			`{"t":4100000,"bus":"in","pin":"5","high":true}`)
		p.call.End, p.call.Err = 9_000_000, failure
		lines, err := p.Keys(nil).Request(t.Context(), []int{5})
		if err != nil {
			t.Fatal(err)
		}
		high, edges, looks := []bool{false}, make([]keys.Edge, 1), 0
		for n := 0; err == nil; looks++ {
			if err = lines.Levels(t.Context(), high); err != nil || !high[0] && lines.Now() != 4*time.Second {
				t.Errorf("at %v: %v, %v", lines.Now(), high, err)
			}
			n, err = lines.Next(t.Context(), edges, time.Second)
			if n == 1 && edges[0] != (keys.Edge{At: 4 * time.Second, Seq: 1, Line: 5}) {
				t.Errorf("got %+v", edges[0])
			}
		}
		if want := errors.New(failure); looks > 12 || failure == "" && err != io.EOF || failure != "" && err.Error() != want.Error() {
			t.Errorf("%v after %d looks", err, looks)
		}
	}
}

// A busy machine ends a wait late, so the driver got two edges at once of which the second came later.
func TestKeysOfABusyMachine(t *testing.T) {
	p := player(t, `{"t":3900000,"bus":"edge","pin":"5","seq":1}`, `{"t":4200000,"bus":"edge","pin":"6","seq":2}`)
	p.call.End = 9_000_000
	lines, err := p.Keys(nil).Request(t.Context(), []int{5, 6})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := lines.Next(t.Context(), make([]keys.Edge, 8), 4*time.Second); n != 2 || err != nil {
		t.Errorf("got %d edges, %v", n, err)
	}
}
