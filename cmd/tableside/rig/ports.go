package rig

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/host/v3/sysfs"

	"tableside/cmd/tableside/config"
	"tableside/drivers/gpiochip"
	"tableside/drivers/keys"
	"tableside/drivers/pn532"
)

// Ports are what chips are wired to: the buses and pins of a computer, or of
// one that is emulated.
type Ports interface {
	SPI(name string) (spi.Port, error)         // "SPI0.0"
	I2C(path string) (i2c.Bus, error)          // "/dev/i2c-1"
	Serial(path string) (SerialPort, error)    // "/dev/serial0"
	Pin(name string) (gpio.PinIO, error)       // "GPIO17"
	Keys() keys.Chip                           // whose lines the pins are
	Hold() func(time.Duration)                 // waits a few milliseconds exactly; nil leaves it to the driver
	Missing(w *config.Wiring) []*config.Error  // what the wiring needs and is not there
	BusyPins(w *config.Wiring) []*config.Error // pins that parts want and somebody else has
}

// SerialPort is a line to a PN532.
type SerialPort interface {
	pn532.Serial
	Close() error
}

// Raspberry is the computer itself. Its files can be looked for below
// another root than "/".
//
// periph's sysfs opens SPI and I2C. Pins are lines of the kernel's GPIO chip
// (drivers/gpiochip) for run, doctor and the service alike, and periph's host is
// left out: it would load a driver that writes the registers of the pins where
// /dev/gpiomem may be opened, and that the service does not have.
type Raspberry struct {
	root    string
	openI2C func(bus int) (i2c.BusCloser, error) // nil: sysfs

	mu    sync.Mutex
	buses map[string]i2c.BusCloser
	pins  map[string]*gpiochip.Pin
}

// An spiPort is a port of the kernel with the length of its longest transfer.
type spiPort struct {
	*sysfs.SPI
	most int // bytes; 0 is unknown
}

// MaxTxSize implements conn.Limits.
func (p spiPort) MaxTxSize() int { return p.most }

// SPI opens a port. spidev takes so much at a time as its parameter bufsiz says.
func (r *Raspberry) SPI(name string) (spi.Port, error) {
	bus, chip, ok := config.ParseSPI(name)
	if !ok {
		return nil, fmt.Errorf("got %q, want an SPI port as SPI0.0", name)
	}
	port, err := sysfs.NewSPI(bus, chip)
	if err != nil {
		return nil, err
	}
	text, _ := os.ReadFile(r.root + "/sys/module/spidev/parameters/bufsiz") // without it the size is unknown
	most, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return spiPort{port, most}, nil
}

// I2C opens a bus once: the chips on it share it. Each reader asks from its own
// goroutine.
func (r *Raspberry) I2C(path string) (i2c.Bus, error) {
	number, err := strconv.Atoi(strings.TrimPrefix(path, "/dev/i2c-"))
	if err != nil || number < 0 {
		return nil, fmt.Errorf("got %q, want an I2C bus as /dev/i2c-1", path)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if bus := r.buses[path]; bus != nil {
		return bus, nil
	}
	open := r.openI2C
	if open == nil {
		open = func(number int) (i2c.BusCloser, error) { return sysfs.NewI2C(number) }
	}
	bus, err := open(number)
	if err != nil {
		return nil, err
	}
	if r.buses == nil {
		r.buses = map[string]i2c.BusCloser{}
	}
	r.buses[path] = bus
	return bus, nil
}

func (r *Raspberry) Serial(path string) (SerialPort, error) {
	return serial.Open(path, &serial.Mode{BaudRate: 115200}) // UM0701-02, 6.2.4
}

// consumer is what others read who find a line taken.
const consumer = "tableside"

// Pin makes a pin once: a part that is opened again has its lines already. The
// kernel is asked for the line when it is used.
func (r *Raspberry) Pin(name string) (gpio.PinIO, error) {
	number, err := strconv.Atoi(strings.TrimPrefix(name, "GPIO"))
	if err != nil || number < 0 {
		return nil, fmt.Errorf("got %q, want a pin as GPIO17", name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if pin := r.pins[name]; pin != nil {
		return pin, nil
	}
	if r.pins == nil {
		r.pins = map[string]*gpiochip.Pin{}
	}
	r.pins[name] = r.chip().Pin(number)
	return r.pins[name], nil
}

func (r *Raspberry) chip() *gpiochip.Chip { return &gpiochip.Chip{Consumer: consumer} }

func (r *Raspberry) Keys() keys.Chip { return &keys.GPIOChip{Consumer: consumer} }

func (r *Raspberry) Hold() func(time.Duration) { return nil }

// Missing looks for the device of every part: it touches no bus and no pin.
func (r *Raspberry) Missing(w *config.Wiring) []*config.Error {
	var faults []*config.Error
	told := map[string]bool{} // one hint mends several parts
	for _, n := range nodesOf(w) {
		if f := r.node(n); f != nil {
			if told[f.Hint] {
				f.Hint = ""
			}
			told[f.Hint] = true
			faults = append(faults, f)
		}
	}
	if usesPins(w) {
		if f := r.noPins(); f != nil {
			faults = append(faults, f)
		}
	}
	return faults
}

// noPins is the fault of a computer without a GPIO chip that this user may use.
func (r *Raspberry) noPins() *config.Error {
	chips, _ := filepath.Glob(r.root + "/dev/gpiochip*")
	if len(chips) == 0 {
		return config.Errorf("pins", "", "this computer has no GPIO chip (/dev/gpiochip0)")
	}
	var err error
	for _, chip := range chips {
		if err = unix.Access(chip, unix.R_OK|unix.W_OK); err == nil {
			return nil
		}
	}
	return config.Errorf("pins", groupHint("gpio"), "/dev/gpiochip* may not be used by this user: %v", err)
}

// groupHint says how a user gets into a group.
func groupHint(group string) string {
	return fmt.Sprintf("sudo usermod -aG %s %s, then log in again", group, userName())
}

// A node is a device that a part needs.
type node struct{ who, path, group string }

func (r *Raspberry) node(n node) *config.Error {
	on := config.Model(r.root)
	if f := r.otherUART(n, on); f != nil {
		return f
	}
	path := r.root + n.path
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return config.Errorf(n.who, switchHint(n.path, on), "%s does not exist", n.path)
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		return config.Errorf(n.who, groupHint(n.group), "%s may not be used by this user: %v", n.path, err)
	}
	return nil
}

func userName() string {
	if name := os.Getenv("USER"); name != "" {
		return name
	}
	return "tableside"
}

// nodesOf returns the devices that the wiring names.
func nodesOf(w *config.Wiring) []node {
	var all []node
	add := func(who string, b config.Bus) {
		switch {
		case b.SPI != "":
			bus, chip, _ := config.ParseSPI(b.SPI)
			all = append(all, node{who, fmt.Sprintf("/dev/spidev%d.%d", bus, chip), "spi"})
		case b.I2C != "":
			all = append(all, node{who, b.I2C, "i2c"})
		case b.Serial != "" && !onUSB(b.Serial): // which may be plugged in later
			all = append(all, node{who, b.Serial, "dialout"})
		}
	}
	for _, r := range w.Readers {
		add(r.Who(), r.Bus)
	}
	for _, s := range w.Screens {
		add(s.Who(), s.Bus)
	}
	if w.Panel != nil {
		add("panel", w.Panel.Bus)
	}
	if w.Lights != nil {
		add("lights", w.Lights.Bus)
	}
	return all
}

// onUSB tells whether a serial line is that of an adapter. udev names those
// below /dev/serial, too.
func onUSB(path string) bool {
	return strings.HasPrefix(path, "/dev/ttyUSB") || strings.HasPrefix(path, "/dev/ttyACM") ||
		strings.HasPrefix(path, "/dev/serial/")
}

// usesPins reports whether a part needs more than a bus.
func usesPins(w *config.Wiring) bool {
	return len(w.Keys)+len(w.Encoders) > 0 || w.Panel != nil || w.Buzzer != nil ||
		slices.ContainsFunc(w.Buses(), func(b config.Bus) bool { return b.MuxReset != "" }) ||
		slices.ContainsFunc(w.Readers, func(r config.Reader) bool { return r.Reset != "" }) ||
		slices.ContainsFunc(w.Screens, func(s config.Screen) bool { return s.Reset != "" })
}
