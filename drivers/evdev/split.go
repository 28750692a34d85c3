package evdev

import (
	"encoding/binary"
	"slices"
	"time"
	"unsafe"
)

// Types and codes of events (include/uapi/linux/input-event-codes.h).
const (
	evSyn = 0
	evKey = 1
	evAbs = 3

	synReport  = 0
	synDropped = 3 // the kernel's buffer was full: events are missing

	absHat0X = 0x10
	absHat0Y = 0x11
)

// eventSize is the size of struct input_event for this program, in bytes. The struct holds a
// time of two longs, two 16-bit numbers and a 32-bit number. To a 32-bit program, even a
// 64-bit kernel gives the struct with longs of 32 bits.
const eventSize = int(2*unsafe.Sizeof(uintptr(0)) + 8)

// A rawEvent is a struct input_event.
type rawEvent struct {
	at        time.Duration
	kind, key uint16
	value     int32
}

// split calls a function for each event in data. An event has the given size, 16 or 24 bytes.
func split(data []byte, size int, do func(rawEvent)) {
	for event := range slices.Chunk(data, size) {
		if len(event) == size {
			do(parse(event))
		}
	}
}

// parse reads an event of 16 or 24 bytes.
func parse(b []byte) rawEvent {
	order := binary.NativeEndian
	var seconds, micros int64
	if len(b) == 24 {
		seconds, micros = int64(order.Uint64(b)), int64(order.Uint64(b[8:]))
		b = b[16:]
	} else {
		seconds, micros = int64(order.Uint32(b)), int64(order.Uint32(b[4:]))
		b = b[8:]
	}
	return rawEvent{time.Duration(seconds)*time.Second + time.Duration(micros)*time.Microsecond,
		order.Uint16(b), order.Uint16(b[2:]), int32(order.Uint32(b[4:]))}
}
