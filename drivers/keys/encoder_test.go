package keys

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A testKnob turns an encoder by quarters and records its true position.
type testKnob struct {
	e      *encoder
	place  int // the true position, in quarters from the start
	rights int
	lefts  int
}

// inQuarter holds B<<1 | A for each place in the cycle, clockwise.
var inQuarter = [4]uint8{0b11, 0b10, 0b00, 0b01}

func newTestKnob(per int8, rest int) *testKnob {
	k := &testKnob{e: &encoder{name: "e", perDetent: per}}
	levels := inQuarter[rest&3]
	k.e.begin(levels&1 != 0, levels&2 != 0)
	k.place = rest
	return k
}

func (k *testKnob) emit(e Event) {
	switch e.Kind {
	case Right:
		k.rights++
	case Left:
		k.lefts++
	}
}

// step goes to a neighbouring quarter; the encoder gets the edge if seen is set.
func (k *testKnob) step(way int, seen bool) {
	before := inQuarter[k.place&3]
	k.place += way
	after := inQuarter[k.place&3]
	if !seen {
		return
	}
	line := 0
	if (before^after)&2 != 0 {
		line = 1
	}
	k.e.edge(time.Duration(k.place), line, after&(1<<line) != 0, k.emit)
}

func (k *testKnob) read() {
	levels := inQuarter[k.place&3]
	k.e.set(0, levels&1 != 0)
	k.e.set(1, levels&2 != 0)
	k.e.turn(0, k.emit)
}

func TestEncoderCountsEveryDetent(t *testing.T) {
	for _, per := range []int8{1, 2, 4} {
		for rest := range 4 {
			k := newTestKnob(per, rest)
			for range 1000 * int(per) {
				k.step(1, true)
			}
			if k.rights != 1000 || k.lefts != 0 {
				t.Errorf("%d a detent, clockwise: %d right, %d left", per, k.rights, k.lefts)
			}
			for range 1000 * int(per) {
				k.step(-1, true)
			}
			if k.rights != 1000 || k.lefts != 1000 {
				t.Errorf("%d a detent, back: %d right, %d left", per, k.rights, k.lefts)
			}
		}
	}
}

// TestEncoderRestsBesideAChange checks that each detent counts even if it is so
// close to a change of a contact that the encoder rests on either side of it.
func TestEncoderRestsBesideAChange(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for _, way := range []int{1, -1} {
		k := newTestKnob(4, 0)
		for detent := 1; detent <= 1000; detent++ {
			for rest := way * (4*detent - chance.IntN(2)); k.place != rest; {
				k.step(way, true)
			}
			if got := way * (k.rights - k.lefts); got != detent {
				t.Fatalf("in direction %d: %d detents are %d", way, detent, got)
			}
		}
	}
}

// TestEncoderDirection checks that A before B is clockwise.
func TestEncoderDirection(t *testing.T) {
	k := newTestKnob(4, 0)
	for _, edge := range []struct {
		line int
		high bool
	}{{0, false}, {1, false}, {0, true}, {1, true}} {
		k.e.edge(0, edge.line, edge.high, k.emit)
	}
	if k.rights != 1 || k.lefts != 0 {
		t.Errorf("A first: %d right, %d left", k.rights, k.lefts)
	}
}

func TestEncoderBounceCancelsOut(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	for _, per := range []int8{2, 4} {
		k := newTestKnob(per, 0)
		for range 1000 * int(per) {
			k.step(1, true)
			for range chance.IntN(4) {
				k.step(-1, true)
				k.step(1, true)
			}
		}
		if k.rights != 1000 || k.lefts != 0 {
			t.Errorf("%d a detent: %d right, %d left", per, k.rights, k.lefts)
		}
	}
}

// TestEncoderGuessesAQuarter checks that a missing quarter counts as one in the
// same direction.
func TestEncoderGuessesAQuarter(t *testing.T) {
	k := newTestKnob(4, 0)
	for _, way := range []int{1, -1} {
		k.step(way, true) // gives the direction
		rights, lefts := k.rights, k.lefts
		for range 2000 {
			k.step(way, false)
			k.step(way, false)
			k.read()
		}
		if got := way * (k.rights - rights - k.lefts + lefts); got != 1000 {
			t.Errorf("1000 detents in direction %d, every other quarter seen: %d", way, got)
		}
	}
}

// TestEncoderResynchronises checks that the position in the cycle is right again
// after a gap: the next thousand detents are a thousand.
func TestEncoderResynchronises(t *testing.T) {
	for missed := range 9 {
		k := newTestKnob(4, 0)
		for range 8 {
			k.step(1, true)
		}
		for range missed {
			k.step(1, false)
		}
		k.read()
		for k.place%4 != 0 {
			k.step(1, true)
		}
		before := k.rights
		for range 4000 {
			k.step(1, true)
		}
		if got := k.rights - before; got != 1000 || k.lefts != 0 {
			t.Errorf("%d quarters missed, then 1000 detents: %d right, %d left", missed, got, k.lefts)
		}
	}
}

// FuzzQuadrature turns a knob to and fro. If no edge is lost, the detents match the
// true position; otherwise they match again once the lines have been read.
func FuzzQuadrature(f *testing.F) {
	f.Add(uint8(4), uint8(0), []byte{1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0})
	f.Add(uint8(2), uint8(3), []byte{1, 1, 2, 2, 1, 1, 3, 1, 1})
	f.Add(uint8(4), uint8(2), []byte{1, 1, 2, 2, 2, 4, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, per, rest uint8, script []byte) {
		if per != 1 && per != 2 {
			per = 4
		}
		k := newTestKnob(int8(per), int(rest&3))
		from, detents := k.place, 0
		lost := false
		check := func(when string) {
			if lost {
				return
			}
			// As far off as the hysteresis allows: less than one detent.
			off := (k.place - from) - int(per)*(k.rights-k.lefts-detents)
			if off < 0 {
				off = -off
			}
			if off >= int(per) {
				t.Fatalf("%s: %d quarters from the start, %d right, %d left", when, k.place-from, k.rights, k.lefts)
			}
		}
		for i, op := range script {
			switch {
			case op&4 != 0: // the lines are read
				k.read()
				if lost {
					lost = false
					from, detents = k.place-int(k.e.turned), k.rights-k.lefts
				}
			case op&2 != 0:
				lost = true
				k.step(2*int(op&1)-1, false)
			default:
				k.step(2*int(op&1)-1, true)
			}
			check("during")
			if int(k.e.quarter) != k.place&3 && !lost {
				t.Fatalf("step %d: the place in the cycle is %d, want %d", i, k.e.quarter, k.place&3)
			}
		}
	})
}
