// Package wledtest emulates a WLED controller, after its documentation and its source. These
// are kno.wled.ge and wled/WLED, wled00/e131.cpp, udp.cpp and json.cpp of August 2026. The
// controller gets DDP packets, shows them, falls back to its own effect, and answers its JSON
// API over HTTP.
//
// The controller counts violations of DDP (3waylabs.com/ddp), even where WLED itself is
// lenient. Tests connect to the controller with Dial, without a network and in fake time. With
// Listen, tests connect to it on 127.0.0.1. All functions and methods are safe for concurrent
// use.
package wledtest

import (
	"encoding/binary"
	"image/color"
	"math"
	"slices"
	"sync"
	"time"
)

// A WLED is an emulated controller with its strip.
type WLED struct {
	Name    string // set both before use
	Version string

	mu           sync.Mutex
	pixels       []color.NRGBA // as packets have written them
	shown        []color.NRGBA // since the last push
	effectOn     bool          // its own effect
	override     bool          // its own effect is lit even while pictures arrive
	brightness   byte          // set by the master slider
	gamma        bool          // gamma correction of realtime data, too; off by default
	skip         bool          // "skip out-of-sequence packets"
	timeout      time.Duration
	liveUntil    time.Time // when realtime mode ends
	pushed       bool      // PUSH came since realtime mode began
	lastSequence byte      // of the last frame that had a number
	packets      int
	frames       []time.Time
	asks         []time.Time // times the JSON API was asked
	violations   Violations
	faults

	serving sync.WaitGroup // of what Dial has connected
}

// Violations holds, for each reason, the number of packets that DDP forbids or WLED refuses.
type Violations struct {
	Short    int // no whole header
	Version  int // other than 1, or a reserved flag
	Query    int // queries, replies and frames from storage, which WLED ignores
	Sequence int // numbers above 15, or not the one after the last
	Type     int // other than 8 bits of red, green and blue
	Target   int // other than the default output
	Offset   int // not at the beginning of an LED
	Length   int // other than the packet's own length, or more than fits in a frame of Ethernet
	Beyond   int // LEDs that do not exist
}

// Timeout is how long WLED waits for the next packet before it falls back to its own effect.
// It is WLED's default (wled00/wled.h, const.h).
const Timeout = 2500 * time.Millisecond

// Orange is the colour of WLED's own effect. By default a WLED shows solid orange at half
// brightness (wled00/wled.h, const.h). The emulated controller has full brightness (see New).
var Orange = color.NRGBA{R: 255, G: 160, A: 255}

// New returns a controller that was just switched on. Its strip has the given number of LEDs.
// The controller shows its own effect, and its brightness is at the maximum.
func New(leds int) *WLED {
	return &WLED{
		Name: "WLED", Version: "0.14.4",
		pixels: make([]color.NRGBA, leds), shown: make([]color.NRGBA, leds),
		effectOn: true, brightness: 255, timeout: Timeout,
	}
}

// SetOverride and the methods below change settings that an owner makes on the controller's
// page.
func (w *WLED) SetOverride(on bool)          { w.do(func() { w.override = on }) }
func (w *WLED) SetOn(on bool)                { w.do(func() { w.effectOn = on }) }
func (w *WLED) SetBrightness(b byte)         { w.do(func() { w.brightness = b }) }
func (w *WLED) SetGamma(on bool)             { w.do(func() { w.gamma = on }) }
func (w *WLED) SetSkipOutOfSequence(on bool) { w.do(func() { w.skip = on }) }

// Colours returns the colours that the LEDs show at this moment.
func (w *WLED) Colours() []color.NRGBA {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := make([]color.NRGBA, len(w.shown))
	for i := range all {
		c := w.shown[i]
		switch {
		case w.live() && !w.override:
		case w.effectOn:
			c = Orange
		default:
			c = color.NRGBA{}
		}
		all[i] = color.NRGBA{R: w.scale(c.R), G: w.scale(c.G), B: w.scale(c.B), A: 255}
	}
	return all
}

func (w *WLED) scale(part byte) byte {
	if w.gamma {
		part = byte(math.Pow(float64(part)/255, 2.8)*255 + 0.5)
	}
	return byte(int(part) * int(w.brightness) / 255)
}

// Live reports whether the controller shows pictures from the network.
func (w *WLED) Live() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.live()
}

func (w *WLED) live() bool { return time.Now().Before(w.liveUntil) }

// Frames returns the times at which the controller showed a new frame.
func (w *WLED) Frames() []time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.frames)
}

// Packets returns how many DDP packets were sent to the controller, including those that did
// not arrive.
func (w *WLED) Packets() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.packets
}

// Asks returns the times of the requests to the JSON API.
func (w *WLED) Asks() []time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asks)
}

// Violations returns the numbers of violations since New.
func (w *WLED) Violations() Violations {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.violations
}

func (w *WLED) do(what func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	what()
}

// The header of a packet (3waylabs.com/ddp).
const (
	headerSize = 10
	maxData    = 1440

	versionMask = 0xc0
	version1    = 0x40
	reserved    = 0x20
	timecode    = 0x10
	storage     = 0x08
	reply       = 0x04
	query       = 0x02
	push        = 0x01

	rgb8 = 0x0b
)

// Packet delivers p to the controller, as a DDP packet from the network.
func (w *WLED) Packet(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.packets++; w.dead || w.deaf || w.loseEvery > 0 && w.packets%w.loseEvery == 0 {
		return
	}
	v := &w.violations
	if len(p) < headerSize {
		v.Short++
		return
	}
	flags, sequence := p[0], p[1]
	offset, length := int64(binary.BigEndian.Uint32(p[4:])), int(binary.BigEndian.Uint16(p[8:]))
	count(&v.Version, flags&(versionMask|reserved) != version1)
	count(&v.Type, p[2] != rgb8)
	count(&v.Target, p[3] != 1)
	count(&v.Offset, offset%3 != 0)
	count(&v.Sequence, sequence > 15 || w.nextSequence != 0 && sequence != w.nextSequence)
	if w.nextSequence = sequence%15 + 1; sequence == 0 || w.loseEvery > 0 {
		w.nextSequence = 0
	}
	if flags&(query|reply) != 0 || flags&storage != 0 && flags&push == 0 || p[3] >= 246 && p[3] <= 251 {
		v.Query++
		return
	}
	if w.skip && isLate(sequence&15, w.lastSequence) {
		return
	}
	data := p[headerSize:]
	if flags&timecode != 0 { // which WLED skips
		data = data[min(4, len(data)):]
	}
	count(&v.Length, length != len(data) || length > maxData || length%3 != 0)
	if len(data) < length {
		return
	}
	if !w.live() {
		w.pushed = false
		clear(w.pixels)
	}
	w.liveUntil = time.Now().Add(w.timeout)
	for i := 0; i+3 <= length; i += 3 {
		led := (offset + int64(i)) / 3
		if led >= int64(len(w.pixels)) {
			v.Beyond++
			break
		}
		w.pixels[led] = color.NRGBA{R: data[i], G: data[i+1], B: data[i+2], A: 255}
	}
	// A sender that has never set PUSH has each of its packets shown immediately.
	w.pushed = w.pushed || flags&push != 0
	if !w.pushed || flags&push != 0 {
		copy(w.shown, w.pixels)
		w.frames = append(w.frames, time.Now())
		if sequence&15 != 0 {
			w.lastSequence = sequence & 15
		}
	}
}

// isLate reports whether WLED considers a frame to be older than the previous frame. The frame
// has the sequence number n, and the previous frame has the number prev.
func isLate(n, prev byte) bool {
	switch {
	case n == 0 || prev == 0:
		return false
	case prev > 5:
		return n > prev-5 && n < prev
	}
	return n > 10+prev || n < prev
}

func count(n *int, wrong bool) {
	if wrong {
		*n++
	}
}
