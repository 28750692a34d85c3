package rig

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/config"
	"tableside/drivers/keys"
	"tableside/drivers/tape"
)

// A TapeFile is a tape to be recorded. If Name is "", none is.
type TapeFile struct {
	Name     string // of a new file
	Version  string // of the program
	HideTags bool
}

// Contents says what is on the tape that its owner may want to know before showing it to others.
func (f *TapeFile) Contents() string {
	if f.HideTags {
		return "the numbers of tags and the texts on them are not in it, so it cannot be replayed"
	}
	return "the numbers of tags and the texts on them are in it; --hide-tags leaves them out"
}

// Recording is ports whose traffic is written on a tape.
type Recording struct {
	Ports
	tape     *tape.Recorder
	file     *os.File
	hideTags bool
}

// Record begins a tape of the traffic of these ports with the parts of the wiring.
func (f *TapeFile) Record(on Ports, w *config.Wiring) (*Recording, error) {
	file, err := os.OpenFile(f.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, config.Failed("--record "+f.Name, config.Reason(err),
			"name a file that does not exist yet, in a folder that can be written")
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	header := tape.Header{Version: f.Version, Model: "emulated chips", Wiring: w.Lines(), Hidden: f.HideTags,
		Kernel: strings.TrimSpace(string(kernel)) + " " + runtime.GOARCH}
	if r, ok := on.(*Raspberry); ok {
		text, _ := os.ReadFile(r.root + ConfigTxt)
		header.Model = config.Model(r.root)
		header.Config = slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
			line = strings.TrimSpace(line)
			return line == "" || line[0] == '#'
		})
	}
	return &Recording{on, tape.NewRecorder(file, header, tape.MaxSize), file, f.HideTags}, nil
}

// Close finishes the tape and closes its file. If the tape ended early because it is full,
// Close returns an error.
func (r *Recording) Close() error {
	full, err := r.tape.Close()
	switch err = errors.Join(err, r.file.Close()); {
	case err != nil:
		return config.Failed("--record "+r.file.Name(), config.Reason(err), "")
	case full:
		return config.Failed("--record "+r.file.Name(),
			fmt.Sprintf("the tape ended early: it is full (%d MiB)", tape.MaxSize>>20),
			"the tape is good up to there; record a shorter time")
	}
	return nil
}

// During runs a job and records a tape of its ports meanwhile. It prints to w what is on the tape.
// If the job fails before anything was recorded, there is no tape.
func (f *TapeFile) During(on *Ports, wiring *config.Wiring, w io.Writer, job func() error) error {
	if f.Name == "" {
		return job()
	}
	r, err := f.Record(*on, wiring)
	if err != nil {
		return err
	}
	*on = r
	err = job()
	*on = r.Ports
	empty, closed := r.tape.Empty(), r.Close()
	if err != nil && empty {
		return cmp.Or(err, os.Remove(f.Name))
	}
	fmt.Fprintf(w, "tableside: %s: %s\n", f.Name, f.Contents())
	return cmp.Or(err, closed)
}

func inner(p Ports) Ports {
	if r, ok := p.(*Recording); ok {
		return r.Ports
	}
	return p
}

// wire returns what the wires of a part are connected to while a tape is recorded or replayed, or
// nil. All keys are one part.
func (p *Parts) wire(c config.Part) tape.Wire {
	switch ports := p.Ports.(type) {
	case *Recording:
		return ports.tape.Part(config.NameOf(c), config.IsReader(c))
	case *replay:
		return ports.player
	}
	return nil
}

// A tapedPart is the ports of one part, whose traffic is recorded or replayed. Its I2C buses are
// wrapped only behind the multiplexers, by Parts.bus.
type tapedPart struct {
	Ports
	wire tape.Wire
}

func (p *Parts) on(c config.Part) Ports {
	if wire := p.wire(c); wire != nil {
		return tapedPart{p.Ports, wire}
	}
	return p.Ports
}

func (p tapedPart) SPI(name string) (spi.Port, error) {
	port, err := p.Ports.SPI(name)
	return tape.SPI(p.wire, port), err
}

func (p tapedPart) Serial(path string) (SerialPort, error) {
	port, err := p.Ports.Serial(path)
	return tape.Serial(p.wire, port), err
}

func (p tapedPart) Pin(name string) (gpio.PinIO, error) {
	pin, err := p.Ports.Pin(name)
	return tape.Pin(p.wire, name, pin), err
}

func (p tapedPart) Keys() keys.Chip { return p.wire.Keys(p.Ports.Keys()) }
