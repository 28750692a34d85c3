package evdev

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// bytesOf returns an event as the kernel gives it to a program of 32 or 64 bits.
func bytesOf(at time.Duration, kind, key uint16, value int32, bits int) []byte {
	order, b := binary.NativeEndian, []byte(nil)
	for _, part := range []time.Duration{at / time.Second, at % time.Second / time.Microsecond} {
		if bits == 64 {
			b = order.AppendUint64(b, uint64(part))
		} else {
			b = order.AppendUint32(b, uint32(part))
		}
	}
	return order.AppendUint32(order.AppendUint16(order.AppendUint16(b, kind), key), uint32(value))
}

// TestSplit tests both sizes of an event, in reads of any number of events.
func TestSplit(t *testing.T) {
	var want []rawEvent
	for i := range 20 {
		want = append(want, rawEvent{time.Duration(i) * 1500 * time.Millisecond, evKey, uint16(0x100 + i), int32(i%3 - 1)})
	}
	for size, bits := range map[int]int{16: 32, 24: 64} {
		var stream []byte
		for _, e := range want {
			stream = append(stream, bytesOf(e.at, e.kind, e.key, e.value, bits)...)
		}
		for number := 1; number <= len(want); number++ {
			var got []rawEvent
			for part := range slices.Chunk(stream, number*size) {
				split(part, size, func(e rawEvent) { got = append(got, e) })
			}
			if !slices.Equal(got, want) {
				t.Fatalf("events of %d bytes, %d at a time: %v", size, number, got)
			}
		}
	}
}

// TestKeyNames tests that a name means one key, and that what types has a name.
func TestKeyNames(t *testing.T) {
	all := Names()
	if len(slices.Compact(all)) != len(names) {
		t.Error("a name is there twice")
	}
	for code := range characters {
		if names[code] == "" {
			t.Errorf("key %d types, but has no name", code)
		}
	}
}

// FuzzTypist gives bytes to the decoder as if they came from a device: whatever they
// are, what comes out is short, printable and not too much: no more than floodRate in
// a second, and nothing between Flood and Calm. Time stamps may go back, when a clock
// is set: a second is then counted from where they went.
func FuzzTypist(f *testing.F) {
	var line []byte
	for _, code := range []uint16{keyLeftShift, 30, 2, 3, keyEnter} {
		line = append(line, bytesOf(time.Second, evKey, code, 1, 64)...)
	}
	f.Add(line, uint8(24), true)
	f.Add(line[:len(line)-5], uint8(7), true)
	f.Add(slices.Repeat(bytesOf(time.Second, evKey, keyEnter, 1, 32), 300), uint8(16), false)
	f.Add(slices.Concat(bytesOf(0, evSyn, synDropped, 0, 64), line), uint8(1), true)
	flood := slices.Repeat(bytesOf(9*time.Second, evKey, keyEnter, 1, 64), floodRate+1)
	back := slices.Concat(bytesOf(4*time.Second, evKey, keyEnter, 0, 64), bytesOf(5*time.Second, evKey, keyEnter, 0, 64))
	f.Add(slices.Concat(flood, back, flood), uint8(24), false)
	f.Fuzz(func(t *testing.T, data []byte, chunk uint8, lines bool) {
		for _, size := range []int{16, 24} {
			heard, second, flooded := 0, time.Duration(0), false
			ty := typist{typesLines: lines, emit: func(e Event) {
				if len(e.Text) > maxLine || !utf8.ValidString(e.Text) || strings.ContainsAny(e.Text, "\n\t\x00") {
					t.Errorf("%v", e)
				}
				switch {
				case e.Kind == Torn:
					return
				case flooded != (e.Kind == Calm):
					t.Errorf("%v while flooded is %v", e, flooded)
				case e.Kind == Flood:
					flooded = true
					return
				case e.Kind == Calm:
					second, heard, flooded = e.At, 0, false
					return
				}
				if e.At-second >= time.Second || e.At < second {
					second, heard = e.At, 0
				}
				if heard++; heard > floodRate {
					t.Errorf("%d in a second", heard)
				}
			}}
			for part := range slices.Chunk(data, int(chunk)+1) {
				split(part, size, ty.event)
			}
			ty.handleSilence()
			if ty.isWaiting() {
				t.Error("it waits after a silence")
			}
		}
	})
}
