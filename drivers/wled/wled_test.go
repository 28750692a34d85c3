package wled_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tableside/drivers/ledstrip"
	"tableside/drivers/ledstrip/ledstriptest"
	"tableside/drivers/wled"
	"tableside/drivers/wled/wledtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func connected(t *testing.T, w *wledtest.WLED, o wled.Opts) *wled.Dev {
	t.Helper()
	d := dev(t, w, o)
	if _, err := d.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

func dev(t *testing.T, w *wledtest.WLED, o wled.Opts) *wled.Dev {
	t.Helper()
	if o.Host == "" {
		o.Host = "wled-table.local"
	}
	if o.Resolve == nil {
		o.Resolve = w.Resolve
	}
	if o.Dial == nil {
		o.Dial = w.Dial
	}
	d, err := wled.New(&o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Revive()
		_ = d.Halt() // a second call does no harm
		w.Wait()
	})
	return d
}

func show(t *testing.T, d *wled.Dev, img image.Image) {
	t.Helper()
	if err := d.Draw(d.Bounds(), img, image.Point{}); err != nil {
		t.Fatal(err)
	}
}

func random(chance *rand.Rand, leds int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, leds, 1))
	for x := range leds {
		img.SetNRGBA(x, 0, color.NRGBA{byte(chance.Uint32()), byte(chance.Uint32()), byte(chance.Uint32()), 255})
	}
	return img
}

func colours(img *image.NRGBA) []color.NRGBA {
	var all []color.NRGBA
	for x := range img.Rect.Dx() {
		all = append(all, img.NRGBAAt(x, 0))
	}
	return all
}

// TestPictures shows pictures on strips of one packet and of several. WLED takes
// every packet for part of its frame, even if it drops late packets.
func TestPictures(t *testing.T) {
	for _, leds := range []int{1, 60, 480, 481, 1000} {
		synctest.Test(t, func(t *testing.T) {
			w := wledtest.New(leds)
			w.SetSkipOutOfSequence(true)
			d := connected(t, w, wled.Opts{Count: leds})
			chance := rand.New(rand.NewPCG(1, uint64(leds)))
			for n := range 40 {
				img := random(chance, leds)
				show(t, d, img)
				if got := w.Colours(); !slices.Equal(got, colours(img)) {
					t.Fatalf("frame %d of %d LEDs differs", n, leds)
				}
				time.Sleep(33 * time.Millisecond)
			}
			if v := w.Violations(); v != (wledtest.Violations{}) {
				t.Errorf("%d LEDs: %+v", leds, v)
			}
			if got, want := w.Packets(), 40*((leds+479)/480); got != want {
				t.Errorf("%d LEDs: %d packets, want %d", leds, got, want)
			}
		})
	}
}

// TestAsWired checks that the same pictures give the same light on a wired strip.
func TestAsWired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const leds = 60
		chance := rand.New(rand.NewPCG(2, 2))
		for _, brightness := range []float64{0, 1, 0.5, 0.013} {
			w, s := wledtest.New(leds), ledstriptest.New(ledstrip.WS2812, leds)
			d := connected(t, w, wled.Opts{Count: leds, Brightness: brightness})
			wired, err := ledstrip.New(s.SPI(), &ledstrip.Opts{Chip: ledstrip.WS2812, Count: leds, Brightness: brightness})
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				img := random(chance, leds)
				r := image.Rect(chance.IntN(leds), 0, chance.IntN(2*leds), 1)
				for _, d := range []interface {
					Draw(image.Rectangle, image.Image, image.Point) error
				}{d, wired} {
					if err := d.Draw(r, img, image.Point{}); err != nil {
						t.Fatal(err)
					}
				}
				if !r.Empty() && !slices.Equal(w.Colours(), s.Colours()) {
					t.Fatalf("at brightness %v WLED shows %v, a wired strip %v", brightness, w.Colours(), s.Colours())
				}
			}
		}
	})
}

// TestMasterBrightness checks that WLED's own brightness applies on top.
func TestMasterBrightness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(1)
		w.SetBrightness(102)
		d := connected(t, w, wled.Opts{Count: 1, Brightness: 0.5})
		show(t, d, image.White)
		if got := w.Colours()[0].R; got != 51 {
			t.Errorf("shows %d, want 255 × 0.5 × 0.4", got)
		}
	})
}

// A capture keeps the packets that are sent.
type capture struct {
	net.Conn
	packets [][]byte
	fail    error
}

func (c *capture) SetWriteDeadline(time.Time) error { return nil }
func (c *capture) Close() error                     { return nil }
func (c *capture) Write(p []byte) (int, error) {
	if c.packets != nil {
		c.packets = append(c.packets, slices.Clone(p))
	}
	return len(p), c.fail
}

func (c *capture) through(w *wledtest.WLED) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, to string) (net.Conn, error) {
		if network == "udp" {
			return c, nil
		}
		return w.Dial(ctx, network, to)
	}
}

// TestWire compares the bytes of packets with the description of DDP: no more than
// 480 LEDs in each, PUSH on the last only, numbers from 1 to 15.
func TestWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, c := wledtest.New(1000), &capture{packets: [][]byte{}}
		d := connected(t, w, wled.Opts{Count: 1000, Dial: c.through(w)})
		red := image.NewUniform(color.NRGBA{R: 255, G: 1, A: 255})
		for range 6 {
			show(t, d, red)
		}
		var got []string
		for i, p := range c.packets {
			got = append(got, fmt.Sprintf("% x", p[:13]))
			if want := byte(i%15 + 1); p[1] != want {
				t.Errorf("packet %d has number %d, want %d", i, p[1], want)
			}
		}
		want := []string{
			"40 01 0b 01 00 00 00 00 05 a0 ff 01 00", // 1440 bytes
			"40 02 0b 01 00 00 05 a0 05 a0 ff 01 00",
			"41 03 0b 01 00 00 0b 40 00 78 ff 01 00", // 120, and shown
			"40 04 0b 01 00 00 00 00 05 a0 ff 01 00",
		}
		if len(got) != 18 || !slices.Equal(got[:4], want) {
			t.Errorf("sent %d packets:\n%s\nwant\n%s", len(got), strings.Join(got[:4], "\n"), strings.Join(want, "\n"))
		}
		for i, p := range c.packets {
			if wantLen := []int{1450, 1450, 130}[i%3]; len(p) != wantLen {
				t.Errorf("packet %d has %d bytes, want %d", i, len(p), wantLen)
			}
		}
	})
}

// TestFallsBack shows why pictures are repeated: otherwise WLED returns to its own
// effect after 2.5 s. With repeats, one lost packet of two does not show.
func TestFallsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		d := connected(t, w, wled.Opts{Count: 10})
		show(t, d, image.White)
		time.Sleep(wledtest.Timeout - time.Millisecond)
		if got := w.Colours()[0]; got != (color.NRGBA{255, 255, 255, 255}) {
			t.Errorf("shows %v", got)
		}
		time.Sleep(time.Millisecond)
		if got := w.Colours()[0]; got != wledtest.Orange {
			t.Errorf("left alone, it shows %v", got)
		}
		w.Lose(2)
		for range 20 {
			show(t, d, image.White)
			time.Sleep(time.Second - time.Millisecond)
			if got := w.Colours()[0]; w.Packets() > 2 && got == wledtest.Orange {
				t.Error("a lost packet shows")
			}
			time.Sleep(time.Millisecond)
		}
	})
}

// TestHalt checks that a strip is dark and back under WLED's control at once, and
// that Connect and Draw take it over again.
func TestHalt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		d := connected(t, w, wled.Opts{Count: 10})
		show(t, d, image.White)
		frames := len(w.Frames())
		if err := d.Halt(); err != nil {
			t.Fatal(err)
		}
		if w.Live() || len(w.Frames()) != frames+1 {
			t.Errorf("live: %v, %d frames", w.Live(), len(w.Frames())-frames)
		}
		if got := w.Colours()[0]; got != wledtest.Orange {
			t.Errorf("its own effect does not shine but %v", got)
		}
		w.SetOn(false)
		if got := w.Colours()[0]; got != (color.NRGBA{A: 255}) {
			t.Errorf("switched off, it shows %v", got)
		}
		if err := d.Draw(d.Bounds(), image.White, image.Point{}); err == nil || err.Error() != "wled: draw: not connected" {
			t.Errorf("%v", err)
		}
		if err := d.Halt(); err != nil {
			t.Errorf("twice: %v", err)
		}
		if _, err := d.Connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		// The earlier picture does not come back.
		if err := d.Draw(image.Rect(0, 0, 1, 1), image.White, image.Point{}); err != nil {
			t.Fatal(err)
		}
		if got := w.Colours(); got[0].R != 255 || got[1] != (color.NRGBA{A: 255}) {
			t.Errorf("shows %v", got[:2])
		}
		w.Kill()
		began := time.Now()
		err := d.Halt()
		if err == nil || !strings.HasPrefix(err.Error(), "wled: end the live mode of wled-table.local: ") ||
			time.Since(began) > time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// TestLeftAlone checks that a strip that was only queried keeps its picture, and
// that one that was drawn on is given back even after a new Connect.
func TestLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		d := connected(t, w, wled.Opts{Count: 10})
		if err := d.Halt(); err != nil || w.Packets() != 0 || len(w.Asks()) != 1 {
			t.Errorf("%v, %d packets and %d questions, want none and that of Connect", err, w.Packets(), len(w.Asks()))
		}
		for range 2 {
			if _, err := d.Connect(t.Context()); err != nil {
				t.Fatal(err)
			}
			show(t, d, image.White)
			if err := d.Halt(); err != nil || w.Live() {
				t.Errorf("%v, live %v", err, w.Live())
			}
		}
	})
}

// TestUnreachable checks that a network that reports no host makes Draw fail, and
// that Connect finds the controller again under another address.
func TestUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := wledtest.New(10)
		address := wledtest.Address
		d := connected(t, w, wled.Opts{Count: 10, Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("2001:db8::1"), address}, nil
		}})
		show(t, d, image.White)
		w.Refuse()
		show(t, d, image.White) // nobody knows yet
		err := d.Draw(d.Bounds(), image.White, image.Point{})
		if !errors.Is(err, syscall.EHOSTUNREACH) ||
			err.Error() != "wled: send a frame to wled-table.local: no route to host" {
			t.Errorf("%v", err)
		}
		if _, err = d.Connect(t.Context()); err == nil ||
			err.Error() != "wled: wled-table.local does not answer: no route to host" {
			t.Errorf("%v", err)
		}
		w.Revive()
		address = netip.MustParseAddr("192.0.2.99")
		if _, err = d.Connect(t.Context()); err != nil || d.Address() != address {
			t.Errorf("%v, %v", d.Address(), err)
		}
		show(t, d, image.White)
		if w.Colours()[9].G != 255 {
			t.Error("it stays dark")
		}
	})
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		opts wled.Opts
		want string
	}{
		{wled.Opts{Count: 1}, `wled: host: got ""`},
		{wled.Opts{Host: "http://wled.local", Count: 1}, "want a name or an address"},
		{wled.Opts{Host: "wled.local/", Count: 1}, "without http:// and path"},
		{wled.Opts{Host: "wled..local", Count: 1}, "want a name"},
		{wled.Opts{Host: "1:2:3", Count: 1}, "want a name"},
		{wled.Opts{Host: "wled.local:0", Count: 1}, `got port "0"`},
		{wled.Opts{Host: "wled.local:", Count: 1}, `got port ""`},
		{wled.Opts{Host: "wled.local:http", Count: 1}, `got port "http"`},
		{wled.Opts{Host: "[::1", Count: 1}, `got "[::1"`},
		{wled.Opts{Host: strings.Repeat("a.", 130), Count: 1}, "want a name"},
		{wled.Opts{Host: "wled.local"}, "got 0 LEDs, want 1 to 4000"},
		{wled.Opts{Host: "wled.local", Count: 4001}, "4001 LEDs"},
		{wled.Opts{Host: "wled.local", Count: 1, Brightness: 1.1}, "brightness 1.1"},
	} {
		if _, err := wled.New(&test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test.opts, err)
		}
	}
	for host, want := range map[string]string{
		"wled-table.local": "wled-table.local 80", "192.168.1.40": "192.168.1.40 80",
		"192.168.1.40:8080": "192.168.1.40 8080",
		"fe80::1":           "fe80::1 80", "[fe80::1]:81": "fe80::1 81", "wled_1.lan.:81": "wled_1.lan. 81",
	} {
		if name, port, err := wled.Split(host); err != nil || name+" "+port != want {
			t.Errorf("%s: %s %s, %v", host, name, port, err)
		}
	}
	d, err := wled.New(&wled.Opts{Host: "a", Count: 3})
	if err != nil || d.String() != "wled{a, 3 LEDs}" || d.Bounds() != image.Rect(0, 0, 3, 1) ||
		d.ColorModel() != color.NRGBAModel {
		t.Errorf("%v, %v", d, err)
	}
}

// TestNoAllocations checks that a frame allocates nothing, from any kind of
// image that pictures are made in.
func TestNoAllocations(t *testing.T) {
	w, c := wledtest.New(600), &capture{}
	d := connected(t, w, wled.Opts{Count: 600, Brightness: 0.5, Dial: c.through(w)})
	row := image.Rect(0, 0, 600, 1)
	noise := random(rand.New(rand.NewPCG(1, 1)), 600)
	for _, img := range []image.Image{noise, image.NewRGBA(row), image.NewGray(row)} {
		if n := testing.AllocsPerRun(100, func() { show(t, d, img) }); n != 0 {
			t.Errorf("a frame from %T allocates %v times", img, n)
		}
	}
}

// TestSockets draws through the kernel's sockets.
func TestSockets(t *testing.T) {
	w := wledtest.New(700)
	host, port, stop, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	d, err := wled.New(&wled.Opts{Host: strings.Replace(host, "127.0.0.1", "localhost", 1), Count: 700, Port: port})
	if err != nil {
		t.Fatal(err)
	}
	info, err := d.Connect(t.Context())
	if err != nil || info.LEDs != 700 || d.Address() != netip.MustParseAddr("127.0.0.1") {
		t.Fatalf("%+v, %v", info, err)
	}
	img := random(rand.New(rand.NewPCG(3, 3)), 700)
	for n := 0; !slices.Equal(w.Colours(), colours(img)); n++ {
		if n == 200 {
			t.Fatal("the picture does not arrive")
		}
		show(t, d, img)
		if _, err := d.Ask(t.Context()); err != nil { // packets arrive meanwhile
			t.Fatal(err)
		}
	}
	if err := d.Halt(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	// The kernel reports the closed port with a later packet.
	for n := 0; err == nil; n++ {
		if n == 10000 {
			t.Fatal("nobody listens, and no error")
		}
		err = d.Draw(d.Bounds(), img, image.Point{})
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("%v", err)
	}
	if err := d.Halt(); err == nil {
		t.Error("nobody is there, and no error")
	}
}
