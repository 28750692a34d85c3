package epaper_test

import (
	"flag"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/devices/v3/waveshare2in13v3"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

var rewrite = flag.Bool("update", false, "rewrite the transcripts")

// TestTranscripts records the bytes on the wires, for comparison with the data
// sheets: first a whole picture, then two marks, then sleep and one more mark. A
// line is a command with its data, preceded by the time since the last one, if
// there was any.
func TestTranscripts(t *testing.T) {
	each(t, func(t *testing.T, name string) {
		p := emulate(t, name)
		time.Sleep(time.Second)
		pins := p.Pins()
		s := &scribe{PortCloser: p.SPI(), dc: pins.DC, last: time.Now()}
		dev, err := epaper.New(s, &epaper.Opts{Panel: name, DC: pins.DC, Busy: pins.Busy, Hold: time.Sleep,
			Reset: &line{pins.Reset, s}})
		if err != nil {
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		s.note("a whole picture")
		update(t, dev, img, false)
		fill(img, image.Rect(60, 40, 72, 56), color.Black)
		fill(img, image.Rect(160, 40, 172, 56), color.Black)
		s.note("two marks, at (60,40) and (160,40)")
		update(t, dev, img, false)
		s.note("sleep")
		if err := dev.Halt(); err != nil {
			t.Fatal(err)
		}
		fill(img, image.Rect(160, 40, 172, 56), color.White)
		s.note("the second mark goes")
		update(t, dev, img, false)
		s.flush()

		file := filepath.Join("testdata", name+".txt")
		if *rewrite {
			if err := os.WriteFile(file, []byte(s.text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if s.text.String() != string(want) {
			t.Errorf("not as in %s (go test -update rewrites it):\n%s", file, s.text.String())
		}
	})
}

// TestWaveformsAreTheMakers checks that the driver writes the maker's waveforms,
// which periph has, too.
func TestWaveformsAreTheMakers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := epapertest.New("waveshare-2in13-v3")
		if err != nil {
			t.Fatal(err)
		}
		pins := p.Pins()
		s := &scribe{PortCloser: p.SPI(), dc: pins.DC}
		dev, err := epaper.New(s, &epaper.Opts{Panel: "waveshare-2in13-v3", DC: pins.DC, Busy: pins.Busy, Hold: time.Sleep,
			Reset: pins.Reset})
		if err != nil {
			t.Fatal(err)
		}
		img := page(dev.Bounds().Size())
		for _, want := range []waveshare2in13v3.LUT{waveshare2in13v3.EPD2in13v3.FullUpdate,
			waveshare2in13v3.EPD2in13v3.PartialUpdate} {
			s.wave = nil
			update(t, dev, img, false)
			if s.flush(); !slices.Equal(s.wave, want) {
				t.Errorf("% X\nnot\n% X", s.wave, want)
			}
			fill(img, image.Rect(60, 40, 72, 56), color.Black)
		}
	})
}

// A scribe records what is sent to the panel.
type scribe struct {
	spi.PortCloser
	spi.Conn
	dc   gpio.PinIO
	text strings.Builder
	last time.Time
	data []byte
	open bool

	command byte
	wave    []byte // waveforms with their voltages
}

func (s *scribe) String() string { return s.PortCloser.String() }

func (s *scribe) Connect(f physic.Frequency, mode spi.Mode, bits int) (c spi.Conn, err error) {
	s.Conn, err = s.PortCloser.Connect(f, mode, bits)
	fmt.Fprintf(&s.text, "%s %s\n", f, mode)
	return s, err
}

func (s *scribe) Tx(w, r []byte) error {
	if s.dc.Read() == gpio.Low {
		s.line(fmt.Sprintf("%02X", w[0]))
		s.command, s.open = w[0], true
	} else {
		s.data = append(s.data, w...)
	}
	return s.Conn.Tx(w, r)
}

func (s *scribe) flush() {
	if !s.open {
		return
	}
	if slices.Contains([]byte{0x32, 0x3f, 0x03, 0x04, 0x2c}, s.command) {
		s.wave = append(s.wave, s.data...)
	}
	switch {
	case len(s.data) > 48:
		fmt.Fprintf(&s.text, "  %d bytes, CRC-32 %08x", len(s.data), crc32.ChecksumIEEE(s.data))
	case len(s.data) > 0:
		fmt.Fprintf(&s.text, "  % X", s.data)
	}
	s.text.WriteByte('\n')
	s.data, s.open = nil, false
}

func (s *scribe) line(text string) {
	s.flush()
	gap := ""
	if d := time.Since(s.last).Round(time.Millisecond); d >= 5*time.Millisecond {
		gap = d.Round(5 * time.Millisecond).String() // two timers of one instant fire in any order
	} else if d > 0 {
		gap = d.String()
	}
	s.last = time.Now()
	fmt.Fprintf(&s.text, "%7s  %s", gap, text)
}

func (s *scribe) note(text string) {
	s.flush()
	s.last = time.Now()
	fmt.Fprintf(&s.text, "\n# %s\n", text)
}

type line struct {
	gpio.PinIO
	s *scribe
}

func (l *line) Out(level gpio.Level) error {
	l.s.line("RST " + strings.ToLower(level.String()))
	l.s.command, l.s.open = 0, true
	return l.PinIO.Out(level)
}
