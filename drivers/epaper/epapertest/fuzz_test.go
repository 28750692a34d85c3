package epapertest

import (
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// FuzzBus sends a panel any bytes: it still has a picture, and becomes idle.
func FuzzBus(f *testing.F) {
	f.Add(byte(2), []byte{0x22, 0, 0x81, 0xf7, 0x20, 0})
	f.Add(byte(1), []byte{0x44, 0, 0x82, 5, 2, 0x45, 0, 0x84, 0, 1, 0, 0, 0x24, 0, 0x83, 1, 2, 3})
	f.Add(byte(5), []byte{0x61, 0, 0x84, 3, 0x20, 1, 0xe0, 0x04, 0xff, 0x90, 0, 0x89, 0, 0, 0, 7, 0, 0, 0, 1, 1, 0x13, 0,
		0x82, 1, 2, 0x12, 0})
	f.Add(byte(5), []byte{0x00, 0, 0x81, 0x3f, 0x22, 0, 0x86, 0x5a, 255, 255, 255, 255, 255, 0x04, 0xff, 0x12, 0})
	f.Fuzz(func(t *testing.T, which byte, bus []byte) {
		if len(bus) > 4096 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			p, err := New(Names()[int(which)%len(models)])
			if err != nil {
				t.Fatal(err)
			}
			c, err := p.SPI().Connect(physic.MegaHertz, spi.Mode0, 8)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			// A command; then how many bytes of data, or a pause.
			for len(bus) >= 2 {
				_ = p.Pins().DC.Out(gpio.Low)
				_ = c.Tx(bus[:1], nil)
				n := bus[1]
				bus = bus[2:]
				if n < 0x80 {
					time.Sleep(time.Duration(n) * 10 * time.Millisecond)
					continue
				}
				k := min(int(n&0x7f), len(bus))
				_ = p.Pins().DC.Out(gpio.High)
				_ = c.Tx(bus[:k], nil)
				bus = bus[k:]
			}
			time.Sleep(time.Hour)
			p.Glass()
			p.Memory(true)
			if p.work != nil {
				t.Error("still busy after an hour")
			}
		})
	})
}
