package pn532_test

import (
	"runtime"
	"testing"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532"
)

// A mortal line ends the goroutine that uses it after some bytes in both directions, as
// a kill ends a program: nothing is tidied up, a frame may be half sent or half read.
type mortal struct {
	pn532.Serial
	left int
}

func (m *mortal) spend(n int) {
	if m.left -= n; m.left <= 0 {
		runtime.Goexit()
	}
}

func (m *mortal) Write(b []byte) (int, error) {
	n, err := m.Serial.Write(b[:min(len(b), m.left)])
	m.spend(n)
	return n, err
}

func (m *mortal) Read(b []byte) (int, error) {
	n, err := m.Serial.Read(b[:min(len(b), m.left)])
	m.spend(n)
	return n, err
}

// until runs a program until it is killed after some bytes. It returns false if the
// program ended by itself.
func (m *mortal) until(bytes int, program func()) (killed bool) {
	m.left, killed = bytes, true
	done := make(chan bool)
	go func() {
		defer close(done)
		program()
		killed = false
	}()
	<-done
	return killed
}

// TestKilled kills a program at every byte of its exchanges, while tags come, lie there,
// are read and go, and starts another one at once or later. What the chip has sent to
// the first one waits in the kernel's buffer. The second one sets the chip up and finds
// what lies there, and what is laid on and taken off afterwards, each with its first
// poll. With -short it kills at every 17th byte.
func TestKilled(t *testing.T) {
	const text = "tableside:mutants/zombie.2"
	laters := []time.Duration{0, 2 * time.Millisecond, 300 * time.Millisecond}
	step := 1
	if brief() {
		step = 17
	}
	for _, lies := range []bool{false, true} { // when the second program starts
		eachTrait(t, "UART", func(b *bench) {
			tag := nfctest.NewNTAG213(uid(t, seven))
			if err := tag.SetText(text); err != nil {
				b.Fatal(err)
			}
			const most = 2000
			bytes := 1
			for ; bytes < most && b.killed(bytes, laters[bytes%len(laters)], lies, tag, text); bytes += step {
				if b.Failed() {
					b.Fatalf("killed after %d bytes, a tag there: %v", bytes, lies)
				}
			}
			if bytes < 500 || bytes >= most {
				b.Errorf("the program ended after %d bytes", bytes)
			}
		})
	}
}

// killed kills a program that has just got its chip, and tests the next one. It returns
// false if the first program ended by itself.
func (b *bench) killed(bytes int, later time.Duration, lies bool, tag *nfctest.Tag, text string) bool {
	b.Helper()
	b.field.Take(tag)
	b.chip.BrownOut()
	line := openLate(b.chip.UART())
	defer line.Close()
	dying := &mortal{Serial: line}
	first, err := pn532.NewUART("uart", dying, &pn532.DefaultOpts)
	if err != nil {
		b.Fatal(err)
	}
	read := func(dev *pn532.Dev) (string, error) {
		m, err := dev.Select(b.ctx, tag.UID())
		if err != nil {
			return "", err
		}
		return nfc.ReadText(b.ctx, m)
	}
	killed := dying.until(bytes, func() {
		_ = first.Init(b.ctx)
		_, _ = first.Poll(b.ctx, nil)
		b.put(tag)
		_, _ = first.Poll(b.ctx, nil)
		_, _ = read(first)
		b.field.Take(tag)
		_, _ = first.Poll(b.ctx, nil)
	})
	time.Sleep(later)
	var there []*nfctest.Tag
	if b.field.Take(tag); lies {
		b.put(tag)
		there = append(there, tag)
	}
	if b.dev, err = pn532.NewUART("uart", line, &pn532.DefaultOpts); err != nil {
		b.Fatal(err)
	}
	b.init()
	b.poll(there...)
	b.field.Take(tag)
	b.poll()
	b.put(tag)
	b.poll(tag)
	if got, err := read(b.dev); got != text || err != nil {
		b.Errorf("read %q, %v", got, err)
	}
	b.poll(tag)
	return killed
}

// TestLeftLooking starts the driver while the chip looks for a tag without end, as
// another program left it, or has just found one for it.
func TestLeftLooking(t *testing.T) {
	for _, left := range [][]byte{
		{0x00, 0x00, 0xFF, 0x04, 0xFC, 0xD4, 0x4A, 0x01, 0x00, 0xE1, 0x00},       // InListPassiveTarget
		{0x00, 0x00, 0xFF, 0x05, 0xFB, 0xD4, 0x60, 0xFF, 0x01, 0x00, 0xCC, 0x00}, // InAutoPoll
	} {
		for _, found := range []bool{false, true} {
			eachTrait(t, "UART", func(b *bench) {
				line := openLate(b.chip.UART())
				defer line.Close()
				var err error
				if b.dev, err = pn532.NewUART("uart", line, &pn532.DefaultOpts); err != nil {
					b.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond) // the power is on for some time
				wake := append(make([]byte, 20), 0x55, 0x55, 0x55)
				sam := []byte{0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD4, 0x14, 0x01, 0x17, 0x00}
				for _, frame := range [][]byte{wake, sam, left} {
					if _, err := line.Write(frame); err != nil {
						b.Fatal(err)
					}
					time.Sleep(50 * time.Millisecond)
				}
				if !b.field.Power() {
					b.Fatal("the chip does not look for a tag")
				}
				tag := nfctest.NewNTAG213(uid(t, seven))
				var there []*nfctest.Tag
				if found {
					b.put(tag)
					there = append(there, tag)
					time.Sleep(300 * time.Millisecond)
				}
				b.init()
				b.poll(there...)
				b.put(tag)
				b.poll(tag)
				b.field.Take(tag)
				b.poll()
			})
		}
	}
}
