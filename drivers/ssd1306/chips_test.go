package ssd1306_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"tableside/drivers/ssd1306"
	"tableside/drivers/ssd1306/ssd1306test"
)

// TestWrongChip draws for one chip on another: the glass is dark or wrong, as it
// is on a bench where the configuration names the wrong chip. Only an SSD1309
// shows what was meant for an SSD1306, as real ones do.
func TestWrongChip(t *testing.T) {
	for _, meant := range chips {
		for _, there := range chips {
			synctest.Test(t, func(t *testing.T) {
				c := module(there, 64, 0x3c)
				d, err := ssd1306.New(c.I2C(), &ssd1306.Opts{Chip: meant})
				if err != nil {
					t.Fatal(err)
				}
				img := random(rand.New(rand.NewPCG(9, 9)), d.Bounds())
				update(t, d, img, false)
				time.Sleep(100 * time.Millisecond)
				_, right := same(c.Glass(), img)
				if want := meant == there || meant == ssd1306.SSD1306 && there == ssd1306.SSD1309; right != want {
					t.Errorf("%s for %s shows the picture: %v, want %v", there, meant, right, want)
				}
				if v := c.Violations(); (v == ssd1306test.Violations{}) != (meant == there) {
					t.Errorf("%s for %s: %+v", there, meant, v)
				}
			})
		}
	}
}

// TestAnotherProgram checks that a screen works again after another program
// locked its commands or switched its converter off.
func TestAnotherProgram(t *testing.T) {
	for chip, left := range map[ssd1306.Chip][]byte{
		ssd1306.SSD1309: {0, 0xfd, 0x16}, ssd1306.SH1106: {0, 0xad, 0x8a, 0xd3, 7}, ssd1306.SSD1306: {0, 0x8d, 0x10, 0x20, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			d, c := plugged(t, ssd1306.Opts{Chip: chip})
			if err := c.I2C().Tx(0x3c, left, nil); err != nil {
				t.Fatal(err)
			}
			img := random(rand.New(rand.NewPCG(10, 10)), d.Bounds())
			update(t, d, img, false)
			expect(t, c, string(chip), img)
		})
	}
}

// TestReset checks that a module without a reset circuit shows pictures if its
// reset line is wired, even after a loss of power, and shows none if it is not.
func TestReset(t *testing.T) {
	for _, wired := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			c := ssd1306test.NewSSD1309(0x3c)
			c.NeedsReset()
			o := ssd1306.Opts{Chip: ssd1306.SSD1309}
			if wired {
				o.Reset = c.Reset()
			}
			d, err := ssd1306.New(c.I2C(), &o)
			if err != nil {
				t.Fatal(err)
			}
			img := random(rand.New(rand.NewPCG(11, 11)), d.Bounds())
			for range 2 {
				update(t, d, img, false)
				time.Sleep(100 * time.Millisecond)
				if _, right := same(c.Glass(), img); right != wired {
					t.Errorf("wired %v: right %v", wired, right)
				}
				c.Unplug()
				if err := d.Check(t.Context()); err == nil {
					t.Error("it answers")
				}
				c.Plug()
			}
			update(t, d, img, false)
			if err := d.Sleep(t.Context()); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			update(t, d, img, false)
			if took := time.Since(began); took > 50*time.Millisecond {
				t.Errorf("to wake up took %v", took) // no reset is needed for that
			}
			c.Kill()
			_ = d.Check(t.Context())
			c.Revive()
			short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			if err := d.Update(short, img, false); wired && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v", err)
			}
			if c.Reset().(interface{ Low() bool }).Low() {
				t.Error("the line is left low")
			}
		})
	}
}
