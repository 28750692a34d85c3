package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/device"
	"tableside/drivers/keys"
	"tableside/drivers/pn532"
	"tableside/drivers/tape"
	"tableside/drivers/wled"
)

// Recording ports write what passes over them on a tape.
type recording struct {
	ports
	tape  *tape.Recorder
	file  *os.File
	wires *tapeWires

	mu    sync.Mutex
	buses map[string]*recordedBus
}

// record begins a tape of what a wiring is connected to.
func (p *program) record(file string, inner ports, w *config.Wiring) (*recording, error) {
	lines, err := w.Lines()
	if err != nil {
		return nil, no("--record "+file, err.Error(), "")
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, no("--record "+file, config.Reason(err), "name a file that does not exist yet, in a folder that can be written")
	}
	root := ""
	if r, ok := inner.(*raspberry); ok {
		root = r.root
	}
	header := tape.Header{Version: thisBuild().line(), Model: config.Model(root), Kernel: kernel(),
		Config: settingsLines(root), Wiring: lines}
	if !isReal(inner) {
		header.Model, header.Config = "emulated chips", nil
	}
	return &recording{ports: inner, wires: newTapeWires(w), file: f, buses: map[string]*recordedBus{},
		tape: tape.NewRecorder(f, &header, &tape.Opts{Keep: device.TagScheme})}, nil
}

// Close ends the tape.
func (r *recording) Close() error {
	full := r.tape.Full()
	err := errors.Join(r.tape.Close(), r.file.Close())
	switch {
	case err != nil:
		return no("--record "+r.file.Name(), config.Reason(err), "")
	case full:
		return no("--record "+r.file.Name(),
			fmt.Sprintf("the tape ended early: it had no more room (%d MiB)", tape.DefaultLimit>>20),
			"what it has is good; record a shorter time")
	}
	return nil
}

// track is the track of a part, nil where nothing is recorded.
func (p *parts) track(part string) *tape.Track {
	if r, ok := p.ports.(*recording); ok {
		return r.track(part)
	}
	return nil
}

func (r *recording) track(part string) *tape.Track { return r.tape.Part(part, r.wires.chips[part]) }

// isReal tells the ports of this computer from emulated ones.
func isReal(p ports) bool {
	if r, ok := p.(*recording); ok {
		p = r.ports
	}
	_, real := p.(*raspberry)
	return real
}

// line is a build in one line.
func (b build) line() string {
	line := b.Version + " " + b.Commit[:min(12, len(b.Commit))]
	if b.Changed {
		line += " with changes"
	}
	return strings.TrimSpace(line)
}

// kernel is what the kernel calls itself.
func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	text := unix.ByteSliceToString
	return text(u.Sysname[:]) + " " + text(u.Release[:]) + " " + text(u.Machine[:])
}

// settingsLines are the lines of config.txt that say something.
func settingsLines(root string) []string {
	text, err := os.ReadFile(root + settings)
	if err != nil {
		return nil
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

func (r *recording) spi(name string) (spi.Port, error) {
	port, err := r.ports.spi(name)
	part := r.wires.spi[name]
	if err != nil || part == "" {
		return port, err
	}
	return r.track(part).SPI(port), nil
}

func (r *recording) pin(name string) (gpio.PinIO, error) {
	pin, err := r.ports.pin(name)
	use, known := r.wires.pins[name]
	if err != nil || !known {
		return pin, err
	}
	return r.track(use.part).Pin(use.name, pin), nil
}

func (r *recording) serial(path string) (serialPort, error) {
	port, err := r.ports.serial(path)
	part := r.wires.serial[path]
	if err != nil || part == "" {
		return port, err
	}
	return recordedSerial{r.track(part).Serial(port), port}, nil
}

// A recordedSerial is closed as what it records.
type recordedSerial struct {
	pn532.Serial
	closer serialPort
}

func (s recordedSerial) Close() error { return s.closer.Close() }

func (r *recording) keys() keys.Chip { return r.track(keysPart).Keys(r.ports.keys()) }

// network implements networked: what is on the network is not on the tape.
func (r *recording) network(o *wled.Opts) {
	if n, ok := r.ports.(networked); ok {
		n.network(o)
	}
}

func (r *recording) i2c(path string) (i2c.Bus, error) {
	bus, err := r.ports.i2c(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buses[path] == nil {
		r.buses[path] = &recordedBus{bus: bus, recording: r, path: path, open: i2cState{}}
	}
	return r.buses[path], nil
}

// A recordedBus knows which channel of its multiplexers is open.
type recordedBus struct {
	bus       i2c.Bus
	recording *recording
	path      string

	mu   sync.Mutex
	open i2cState
}

func (b *recordedBus) String() string                    { return b.bus.String() }
func (b *recordedBus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }
func (b *recordedBus) Tx(address uint16, w, r []byte) error {
	wires := b.recording.wires
	b.mu.Lock()
	mux := b.isMux(address)
	part := wires.at(b.path, b.open, address)
	if mux && len(w) == 1 {
		part = wires.behind(b.path, address, w[0])
	}
	b.mu.Unlock()
	switch {
	case part == "" && !mux:
		return b.bus.Tx(address, w, r)
	case !mux:
		return b.recording.track(part).I2C(b.bus, address, w, r)
	}
	err := b.bus.Tx(address, w, r)
	if len(w) == 1 && err == nil {
		b.mu.Lock()
		b.open[address] = w[0]
		b.mu.Unlock()
	}
	if part != "" {
		b.recording.track(part).Mux(w, err)
	}
	return err
}

func (b *recordedBus) isMux(address uint16) bool {
	for _, mux := range b.recording.wires.muxes[b.path] {
		if mux == address {
			return true
		}
	}
	return false
}

// recorded does something with its ports on a tape, where a file is named.
func (p *program) recorded(file string, on *ports, w *config.Wiring, do func() error) error {
	if file == "" {
		return do()
	}
	r, err := p.record(file, *on, w)
	if err != nil {
		return err
	}
	*on = r
	return cmp.Or(do(), r.Close())
}

// beginTape begins the tape of a doctor and returns what ends it.
func (d *doctor) beginTape(w *config.Wiring, held bool) (end func()) {
	if d.record == "" {
		return func() {}
	}
	if held {
		d.fail("record", "the running table has the hardware", stopTable+"; or run it with --record")
		return func() {}
	}
	r, err := d.program.record(d.record, d.ports, w)
	if f := (&failure{}); errors.As(err, &f) {
		d.fail("record", f.Error(), f.hint)
		return func() {}
	}
	d.ports = r
	return func() {
		d.ports = r.ports
		err := r.Close()
		if f := (&failure{}); errors.As(err, &f) {
			d.fail("record", f.Error(), f.hint)
			return
		}
		d.ok("record", d.record+" is the tape; docs/hardware.md tells what is on it", "it was written to its end")
	}
}
