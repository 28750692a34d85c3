package epaper_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/epaper"
	"tableside/drivers/epaper/epapertest"
)

// TestVendors sends the commands of the makers' own software to the emulated
// panels, which must show its pictures. A transcript in testdata/vendors begins
// with
//
//	panel NAME                on which it is played
//	packs turn=left bits=1 before=0 after=6 pad=0
//	                          how a picture becomes bytes: turned a quarter, so
//	                          many bits a pixel, lines filled up with pixels
//	assumes WHAT…             behaviour that it needs and data sheets leave open
//	pace 300ms                the time before each command
//
// and goes on with commands and their data in hexadecimal: 00*9 is nine zeros,
// <1> a picture, <~1> one with all bits inverted, <none> as many bytes of zero;
// indented lines continue the data. wait waits, reset pulls the line for so
// long, idle waits for BUSY. shows expects a picture and numbers of full and
// partial refreshes, complains expects violations since the last line, border
// whether it is driven.
func TestVendors(t *testing.T) {
	files, err := filepath.Glob("testdata/vendors/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	played := map[string]bool{}
	for _, file := range files {
		s, err := readTranscript(file)
		if err != nil {
			t.Fatal(err)
		}
		played[s.panel] = true
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				if err := s.play(s.assumes); err != nil {
					t.Error(err)
				}
				// Each assumption is needed: without it the picture is wrong, or
				// the panel counts violations.
				for i, assumed := range s.assumes {
					if s.play(slices.Delete(slices.Clone(s.assumes), i, i+1)) == nil {
						t.Errorf("plays without %s too", assumed)
					}
				}
			})
		})
	}
	for _, name := range epaper.Panels() {
		if !played[name] {
			t.Errorf("%s has no transcript of its maker's software", name)
		}
	}
}

func vendorPicture(size image.Point, n int) *image.Gray {
	img := page(size)
	for i := range n {
		c := color.Gray{Y: uint8((n - i + 1) % 2 * 255)}
		fill(img, image.Rect(60+i*11, 70, 60+i*11+8, 90), c)
		fill(img, image.Rect(100+i*5, 20+i*17, 130+i*9, 33+i*17), color.Black)
	}
	return img
}

// A player sends a transcript to an emulated panel.
type player struct {
	*transcript
	glass *epapertest.Panel
	c     spi.Conn
	heard int // violations that the transcript expected so far
}

func (s *transcript) play(assumes []string) error {
	glass, err := epapertest.New(s.panel)
	if err != nil {
		return err
	}
	defer glass.SPI().Close()
	var traits []epapertest.Trait
	for _, a := range assumes {
		switch trait := epapertest.Trait(a); {
		case a == "ping-pong":
			glass.PingPong(true)
		case a == "stored-size":
			glass.StoredSize(true)
		case slices.Contains(epapertest.Traits(), trait):
			traits = append(traits, trait)
		default:
			return fmt.Errorf("an assumption %q", a)
		}
	}
	glass.SetTrait(traits...)
	p := player{transcript: s, glass: glass}
	if p.c, err = glass.SPI().Connect(physic.MegaHertz, spi.Mode0, 8); err != nil {
		return err
	}
	time.Sleep(time.Second) // since it was switched on
	for _, l := range s.lines {
		if err := p.do(l.words); err != nil {
			return fmt.Errorf("%s: %s: %w", l.where, strings.Join(l.words[:min(len(l.words), 6)], " "), err)
		}
	}
	if _, n := glass.Violations(); n != p.heard {
		return fmt.Errorf("%d violations, want %d", n, p.heard)
	}
	return nil
}

func (p *player) do(words []string) error {
	rest := strings.Join(words[1:], " ")
	switch words[0] {
	case "wait":
		d, err := time.ParseDuration(rest)
		time.Sleep(d)
		return err
	case "reset":
		d, err := time.ParseDuration(rest)
		return errors.Join(err, p.pull(d))
	case "idle":
		return p.idle()
	case "complains":
		said, _ := p.glass.Violations()
		if p.heard >= len(said) || said[p.heard] != rest {
			return fmt.Errorf("it complained %q", said[min(p.heard, len(said)):])
		}
		p.heard++
		return nil
	case "border":
		if driven := p.glass.BorderDriven(); driven != (rest == "on") {
			return fmt.Errorf("driven: %v", driven)
		}
		return nil
	case "shows":
		return p.shows(words[1:])
	}
	return p.send(words)
}

func (p *player) pull(d time.Duration) error {
	reset := p.glass.Pins().Reset
	if err := reset.Out(gpio.Low); err != nil {
		return err
	}
	time.Sleep(d)
	return reset.Out(gpio.High)
}

func (p *player) idle() error {
	busy := gpio.Level(!otherFamily(p.panel)) // SSD1680 §5 (p. 8); BUSY_N of the others
	for start := time.Now(); p.glass.Pins().Busy.Read() == busy; time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			return errors.New("busy for a minute")
		}
	}
	return nil
}

// shows checks the words of shows: "2 after 1+1".
func (p *player) shows(words []string) error {
	var n, full, partial int
	if _, err := fmt.Sscanf(strings.Join(words, " "), "%d after %d+%d", &n, &full, &partial); err != nil {
		return err
	}
	glass := p.glass.Glass()
	if d := differ(glass, vendorPicture(glass.Rect.Size(), n)); d != "" {
		return errors.New(d)
	}
	if f, q := p.glass.Refreshes(); f != full || q != partial {
		return fmt.Errorf("%d full and %d partial refreshes", f, q)
	}
	if said, violations := p.glass.Violations(); violations != p.heard {
		return fmt.Errorf("it complained %q", said[min(p.heard, len(said)):])
	}
	return nil
}

// send sends a command with its data.
func (p *player) send(words []string) error {
	time.Sleep(p.pace)
	for i, level := range []gpio.Level{gpio.Low, gpio.High} {
		part := words[min(1, len(words)):]
		if i == 0 {
			part = words[:1]
		}
		b, err := p.bytes(part)
		if err != nil {
			return err
		}
		if err := p.glass.Pins().DC.Out(level); err != nil {
			return err
		}
		for chunk := range slices.Chunk(b, 4096) {
			if err := p.c.Tx(chunk, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// bytes reads data.
func (p *player) bytes(words []string) ([]byte, error) {
	var out []byte
	for _, w := range words {
		if name, ok := strings.CutPrefix(w, "<"); ok {
			b, err := p.picture(strings.TrimSuffix(name, ">"))
			if err != nil {
				return nil, err
			}
			out = append(out, b...)
			continue
		}
		hex, times, repeated := strings.Cut(w, "*")
		v, err := strconv.ParseUint(hex, 16, 8)
		n := 1
		if repeated && err == nil {
			n, err = strconv.Atoi(times)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, bytes.Repeat([]byte{byte(v)}, n)...)
	}
	return out, nil
}

func (p *player) picture(name string) ([]byte, error) {
	size := p.glass.Glass().Rect.Size()
	if name == "none" {
		return make([]byte, len(p.packs.pack(blank(size)))), nil
	}
	number, inverted := strings.CutPrefix(name, "~")
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, err
	}
	b := p.packs.pack(vendorPicture(size, n))
	if inverted {
		for i := range b {
			b[i] = ^b[i]
		}
	}
	return b, nil
}
