package ledstrip_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/drivers/ledstrip"
)

var white = image.White

// rest waits until a strip without a reset at the end of its frame shows it.
func rest() { time.Sleep(time.Millisecond) }

// A sink is a port with nothing connected.
type sink struct{ bytes int }

func (s *sink) String() string                                            { return "sink" }
func (s *sink) Connect(physic.Frequency, spi.Mode, int) (spi.Conn, error) { return s, nil }
func (s *sink) Duplex() conn.Duplex                                       { return conn.Full }
func (s *sink) TxPackets([]spi.Packet) error                              { return nil }
func (s *sink) Tx(w, _ []byte) error                                      { s.bytes += len(w); return nil }

// TestNoAllocations checks that a frame allocates nothing, from any kind of image
// that the program draws.
func TestNoAllocations(t *testing.T) {
	for _, chip := range chips {
		d, err := ledstrip.New(&sink{}, &ledstrip.Opts{Chip: chip, Count: 60, Brightness: 0.5, LimitMilliamps: 300})
		if err != nil {
			t.Fatal(err)
		}
		for _, img := range []image.Image{random(rand.New(rand.NewPCG(1, 1)), 60), image.NewRGBA(image.Rect(0, 0, 60, 1)),
			image.NewGray(image.Rect(0, 0, 60, 1))} {
			if n := testing.AllocsPerRun(100, func() { show(t, d, img) }); n != 0 {
				t.Errorf("a frame of %s from %T allocates %v times", chip, img, n)
			}
		}
	}
}

// BenchmarkFrame measures a frame of 60 LEDs, encoded and passed to the port,
// undimmed and dimmed to a limit.
func BenchmarkFrame(b *testing.B) {
	for _, chip := range chips {
		for _, limit := range []int{0, 300} {
			b.Run(fmt.Sprintf("%s/limit=%d", chip, limit), func(b *testing.B) {
				port := &sink{}
				d, err := ledstrip.New(port, &ledstrip.Opts{Chip: chip, Count: 60, Brightness: 0.5, LimitMilliamps: limit})
				if err != nil {
					b.Fatal(err)
				}
				var img image.Image = random(rand.New(rand.NewPCG(1, 1)), 60)
				b.ReportAllocs()
				for b.Loop() {
					show(b, d, img)
				}
				b.ReportMetric(float64(port.bytes)/float64(b.N), "B/frame")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*30/1e7, "%core-at-30Hz")
			})
		}
	}
}
