package rig

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

// Recording wraps ports and writes their traffic on a tape.
type Recording struct {
	Ports
	tape  *tape.Recorder
	file  *os.File
	wires *tapeWires

	mu    sync.Mutex
	buses map[string]*recordedBus
}

// Record begins a tape in a new file. The tape will hold the traffic of the given ports with
// the parts of the wiring. The header of the tape contains the given version of the program.
func Record(file, version string, inner Ports, w *config.Wiring) (*Recording, error) {
	lines, err := w.Lines()
	if err != nil {
		return nil, failed("--record "+file, err.Error(), "")
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, failed("--record "+file, config.Reason(err),
			"name a file that does not exist yet, in a folder that can be written")
	}
	root := ""
	if r, ok := inner.(*Raspberry); ok {
		root = r.root
	}
	header := tape.Header{Version: version, Model: config.Model(root), Kernel: kernel(),
		Config: settingsLines(root), Wiring: lines}
	if !isReal(inner) {
		header.Model, header.Config = "emulated chips", nil
	}
	return &Recording{Ports: inner, wires: newTapeWires(w), file: f, buses: map[string]*recordedBus{},
		tape: tape.NewRecorder(f, &header, &tape.Opts{Keep: device.TagScheme})}, nil
}

// Close finishes the tape and closes its file. If the tape ended early because it is full,
// Close returns an error.
func (r *Recording) Close() error {
	full := r.tape.Full()
	err := errors.Join(r.tape.Close(), r.file.Close())
	switch {
	case err != nil:
		return failed("--record "+r.file.Name(), config.Reason(err), "")
	case full:
		return failed("--record "+r.file.Name(),
			fmt.Sprintf("the tape ended early: it is full (%d MiB)", tape.DefaultLimit>>20),
			"the tape is good up to there; record a shorter time")
	}
	return nil
}

// track returns the track of a part on the tape. If no tape is recorded, track returns nil.
func (p *Parts) track(part string) *tape.Track {
	if r, ok := p.Ports.(*Recording); ok {
		return r.track(part)
	}
	return nil
}

func (r *Recording) track(part string) *tape.Track { return r.tape.Part(part, r.wires.chips[part]) }

// isReal reports whether ports belong to this computer, and not to emulated chips.
func isReal(p Ports) bool {
	if r, ok := p.(*Recording); ok {
		p = r.Ports
	}
	_, real := p.(*Raspberry)
	return real
}

// kernel returns the name, the release and the machine type of the kernel, as uname prints
// them.
func kernel() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return ""
	}
	text := unix.ByteSliceToString
	return text(u.Sysname[:]) + " " + text(u.Release[:]) + " " + text(u.Machine[:])
}

// settingsLines returns the lines of config.txt, without comments and empty lines.
func settingsLines(root string) []string {
	text, err := os.ReadFile(root + ConfigTxt)
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

func (r *Recording) SPI(name string) (spi.Port, error) {
	port, err := r.Ports.SPI(name)
	part := r.wires.spi[name]
	if err != nil || part == "" {
		return port, err
	}
	return r.track(part).SPI(port), nil
}

func (r *Recording) Pin(name string) (gpio.PinIO, error) {
	pin, err := r.Ports.Pin(name)
	use, known := r.wires.pins[name]
	if err != nil || !known {
		return pin, err
	}
	return r.track(use.part).Pin(use.name, pin), nil
}

func (r *Recording) Serial(path string) (SerialPort, error) {
	port, err := r.Ports.Serial(path)
	part := r.wires.serial[path]
	if err != nil || part == "" {
		return port, err
	}
	return recordedSerial{r.track(part).Serial(port), port}, nil
}

// A recordedSerial is a serial port whose traffic is recorded. Its method Close closes the
// underlying port.
type recordedSerial struct {
	pn532.Serial
	closer SerialPort
}

func (s recordedSerial) Close() error { return s.closer.Close() }

func (r *Recording) Keys() keys.Chip { return r.track(keysPart).Keys(r.Ports.Keys()) }

// Network implements Networked. It passes the call to the recorded ports; no traffic on a
// network is recorded.
func (r *Recording) Network(o *wled.Opts) {
	if n, ok := r.Ports.(Networked); ok {
		n.Network(o)
	}
}

func (r *Recording) I2C(path string) (i2c.Bus, error) {
	bus, err := r.Ports.I2C(path)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buses[path] == nil {
		r.buses[path] = &recordedBus{bus: bus, recording: r, path: path, openChannels: i2cState{}}
	}
	return r.buses[path], nil
}

// A recordedBus is an I2C bus whose traffic is recorded. It tracks the open channels of the
// multiplexers, because they select the part that gets a transfer.
type recordedBus struct {
	bus       i2c.Bus
	recording *Recording
	path      string

	mu           sync.Mutex
	openChannels i2cState
}

func (b *recordedBus) String() string                    { return b.bus.String() }
func (b *recordedBus) SetSpeed(f physic.Frequency) error { return b.bus.SetSpeed(f) }
func (b *recordedBus) Tx(address uint16, w, r []byte) error {
	wires := b.recording.wires
	b.mu.Lock()
	mux := b.isMux(address)
	part := wires.partAt(b.path, b.openChannels, address)
	if mux && len(w) == 1 {
		part = wires.partBehind(b.path, address, w[0])
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
		b.openChannels[address] = w[0]
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

// Recorded runs a job and records a tape in the given file meanwhile. Before the job, Recorded
// replaces the ports with a Recording. After the job, it closes the Recording. If the name of
// the file is "", Recorded runs the job without a tape. The tape contains the given version of
// the program.
//
// Recorded returns the error of the job or, if there is none, the error of the tape. If the
// job fails before anything was recorded, Recorded removes the tape, so that the next try may
// use the same name.
func Recorded(file, version string, on *Ports, w *config.Wiring, job func() error) error {
	if file == "" {
		return job()
	}
	r, err := Record(file, version, *on, w)
	if err != nil {
		return err
	}
	*on = r
	err = job()
	closed := r.Close()
	if err != nil && r.tape.Empty() {
		closed = cmp.Or(closed, os.Remove(file))
	}
	return cmp.Or(err, closed)
}
