package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"
	"periph.io/x/host/v3"

	"tableside/drivers/keys"
	"tableside/drivers/pn532"
)

// Ports are what chips are wired to: the buses and pins of a computer, or of
// one that is emulated.
type ports interface {
	spi(name string) (spi.Port, error)      // "SPI0.0"
	i2c(path string) (i2c.Bus, error)       // "/dev/i2c-1"
	serial(path string) (serialPort, error) // "/dev/serial0"
	pin(name string) (gpio.PinIO, error)    // "GPIO17"
	keys() keys.Chip                        // whose lines the pins are
	hold() func(time.Duration)              // waits a few milliseconds exactly; nil leaves it to the driver
	missing(w *wiring) []*fault             // what the wiring needs and is not there
}

// A serialPort is a line to a PN532.
type serialPort interface {
	pn532.Serial
	Close() error
}

// A raspberry is the computer itself. Its files can be looked for below
// another root than "/".
type raspberry struct {
	root string

	once   sync.Once
	failed error

	mu    sync.Mutex
	buses map[string]i2c.BusCloser
}

// open makes periph look for what there is. A driver that fails is no
// failure here: on a Pi 5 some always do, and what they miss is not used.
func (r *raspberry) open() error {
	r.once.Do(func() {
		defer func() {
			if p := recover(); p != nil { // of host v3.8.5 where a chip has fewer lines than it thinks
				r.failed = fmt.Errorf("the pins of this computer are not those of a Raspberry Pi: %v", p)
			}
		}()
		_, r.failed = host.Init()
	})
	return r.failed
}

func (r *raspberry) spi(name string) (spi.Port, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	return spireg.Open(name)
}

// i2c opens a bus once: the chips on it share it. Each reader asks from its own
// goroutine.
func (r *raspberry) i2c(path string) (i2c.Bus, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if bus := r.buses[path]; bus != nil {
		return bus, nil
	}
	bus, err := i2creg.Open(path)
	if err != nil {
		return nil, err
	}
	if r.buses == nil {
		r.buses = map[string]i2c.BusCloser{}
	}
	r.buses[path] = bus
	return bus, nil
}

func (r *raspberry) serial(path string) (serialPort, error) {
	return serial.Open(path, &serial.Mode{BaudRate: 115200}) // UM0701-02, 6.2.4
}

func (r *raspberry) pin(name string) (gpio.PinIO, error) {
	if err := r.open(); err != nil {
		return nil, err
	}
	if pin := gpioreg.ByName(name); pin != nil {
		return pin, nil
	}
	return nil, fmt.Errorf("this computer has no pin %s", name)
}

func (r *raspberry) keys() keys.Chip { return &keys.GPIOChip{Consumer: "tableside"} }

// Where a Raspberry Pi reads its settings, and what switches the buses on.
const settings = "/boot/firmware/config.txt"

var switches = map[string]string{
	"/dev/spidev0.0": "dtparam=spi=on",
	"/dev/spidev0.1": "dtparam=spi=on",
	"/dev/i2c-1":     "dtparam=i2c_arm=on",
	"/dev/serial0":   "enable_uart=1",
}

// switchOn is the line that makes a device, or "" where that is not known.
func switchOn(path string) string {
	var bus, chip int
	if n, _ := fmt.Sscanf(path, "/dev/spidev%d.%d", &bus, &chip); n == 2 && bus > 0 && bus <= 6 && chip < 3 {
		if bus == 1 {
			return "dtoverlay=spi1-3cs"
		}
		return fmt.Sprintf("dtoverlay=spi%d-%dcs", bus, chip+1)
	}
	return switches[path]
}

// model is what the computer calls itself, "" where it does not.
func model(root string) string {
	name, err := os.ReadFile(root + "/proc/device-tree/model")
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(name), "\x00")
}

// isPi5 tells whether a model has the chips of a Raspberry Pi 5, as a 500 does.
func isPi5(model string) bool {
	return strings.HasPrefix(model, "Raspberry Pi 5") || strings.HasPrefix(model, "Raspberry Pi Compute Module 5")
}

func (r *raspberry) hold() func(time.Duration) { return nil }

// missing looks for the device of every part: it touches no bus and no pin.
func (r *raspberry) missing(w *wiring) []*fault {
	var faults []*fault
	told := map[string]bool{} // one hint mends several parts
	for _, n := range w.nodes() {
		if f := r.node(n); f != nil {
			if told[f.hint] {
				f.hint = ""
			}
			told[f.hint] = true
			faults = append(faults, f)
		}
	}
	if chips, _ := filepath.Glob(r.root + "/dev/gpiochip*"); len(chips) == 0 && w.usesPins() {
		faults = append(faults, faulty("pins", "", "this computer has no GPIO chip (/dev/gpiochip0)"))
	}
	return faults
}

// A node is a device that a part needs.
type node struct{ who, path, group string }

func (r *raspberry) node(n node) *fault {
	path := r.root + n.path
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		hint := ""
		if line := switchOn(n.path); !strings.HasPrefix(model(r.root), "Raspberry Pi") {
			hint = "it is wired to a Raspberry Pi, and this is none; tableside demo needs no hardware"
		} else if line != "" {
			hint = fmt.Sprintf("add the line %s to %s and reboot", line, settings)
		}
		return faulty(n.who, hint, "%s does not exist", n.path)
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return faulty(n.who, fmt.Sprintf("sudo usermod -aG %s %s, then log in again", n.group, userName()), "%s may not be used by this user: %v", n.path, err)
	}
	return nil
}

func userName() string {
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	return "tableside"
}

// nodes are the devices that the wiring names.
func (w *wiring) nodes() []node {
	var all []node
	add := func(who string, b busConfig) {
		switch {
		case b.SPI != "":
			bus, chip, _ := parseSPI(b.SPI)
			all = append(all, node{who, fmt.Sprintf("/dev/spidev%d.%d", bus, chip), "spi"})
		case b.I2C != "":
			all = append(all, node{who, b.I2C, "i2c"})
		case b.Serial != "" && !onUSB(b.Serial): // which may be plugged in later
			all = append(all, node{who, b.Serial, "dialout"})
		}
	}
	for _, r := range w.Readers {
		add(r.who(), r.busConfig)
	}
	for _, s := range w.Screens {
		add(s.who(), s.busConfig)
	}
	if w.Panel != nil {
		add("panel", w.Panel.busConfig)
	}
	if w.Lights != nil {
		add("lights", w.Lights.busConfig)
	}
	return all
}

// onUSB tells whether a serial line is that of an adapter. udev names those
// below /dev/serial, too.
func onUSB(path string) bool {
	return strings.HasPrefix(path, "/dev/ttyUSB") || strings.HasPrefix(path, "/dev/ttyACM") || strings.HasPrefix(path, "/dev/serial/")
}

// usesPins reports whether a part needs more than a bus.
func (w *wiring) usesPins() bool {
	return len(w.Keys)+len(w.Encoders) > 0 || w.Panel != nil || w.Buzzer != nil ||
		slices.ContainsFunc(w.buses(), func(b busConfig) bool { return b.MuxReset != "" }) ||
		slices.ContainsFunc(w.Readers, func(r readerConfig) bool { return r.Reset != "" }) ||
		slices.ContainsFunc(w.Screens, func(s screenConfig) bool { return s.Reset != "" })
}
