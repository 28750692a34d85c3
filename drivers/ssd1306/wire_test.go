package ssd1306_test

import (
	"fmt"
	"image"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"

	"tableside/drivers/ssd1306"
)

// A wiretap records the bytes before a picture.
type wiretap struct {
	i2c.Bus
	said  []string
	since time.Time // the reset line rose
	first time.Duration
}

func (w *wiretap) Tx(addr uint16, out, in []byte) error {
	if len(w.said) == 0 && !w.since.IsZero() {
		w.first = time.Since(w.since)
	}
	w.said = append(w.said, fmt.Sprintf("% x", out))
	return w.Bus.Tx(addr, out, in)
}

// A tapped line records when it rises.
type tapped struct {
	gpio.PinIO
	tap *wiretap
}

func (p tapped) Out(l gpio.Level) error {
	if l == gpio.High {
		p.tap.since = time.Now()
	}
	return p.PinIO.Out(l)
}

// TestBegin checks every byte that sets a screen up: an emulated glass does not show
// wrong phases, clocks, voltages and contrast, which cause flicker, ghosts or a dark
// display on a real one. The values are those that chips.go cites.
func TestBegin(t *testing.T) {
	const turned = "d3 00 40 a1 c8 da 12 a8 3f a4 a6 "
	for _, test := range []struct {
		opts       ssd1306.Opts
		want, from string // the set-up; where the first row of the picture goes
	}{
		{ssd1306.Opts{}, "00 ae " + turned + "81 ff d5 f0 8d 14 d9 f1 db 40 2e 20 02", "00 b0 00 10"},
		{ssd1306.Opts{Height: 32, Rotated: true},
			"00 ae d3 00 40 a0 c0 da 02 a8 1f a4 a6 81 ff d5 f0 8d 14 d9 f1 db 40 2e 20 02", "00 b0 00 10"},
		{ssd1306.Opts{Chip: ssd1306.SSD1309}, "00 ae fd 12 " + turned + "81 7f d5 a0 d9 22 db 34 2e 20 02", "00 b0 00 10"},
		{ssd1306.Opts{Chip: ssd1306.SH1106}, "00 ae ad 8b " + turned + "81 ff d5 50 d9 22 db 35 32", "00 b0 02 10"},
	} {
		synctest.Test(t, func(t *testing.T) {
			height := test.opts.Height
			if height == 0 {
				height = 64
			}
			c := module(test.opts.Chip, height, 0x3c)
			tap := &wiretap{Bus: c.I2C()}
			test.opts.Reset = tapped{c.Reset(), tap}
			d, err := ssd1306.New(tap, &test.opts)
			if err != nil {
				t.Fatal(err)
			}
			update(t, d, image.Black, false)
			if tap.said[0] != test.want || tap.said[1] != test.from {
				t.Errorf("%s: got\n%s\n%s, want\n%s\n%s", d, tap.said[0], tap.said[1], test.want, test.from)
			}
			if last := tap.said[len(tap.said)-1]; last != "00 af" {
				t.Errorf("%s: ends with %s, want the display on", d, last)
			}
			if tap.first < 100*time.Millisecond { // U8g2, post_reset_wait_ms
				t.Errorf("%s: spoken to %v after its reset", d, tap.first)
			}
		})
	}
}
