package rig

import (
	"cmp"
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
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/host/v3/sysfs"

	"tableside/cmd/tableside/config"
	"tableside/drivers/evdev"
	"tableside/drivers/gpiochip"
	"tableside/drivers/keys"
	"tableside/drivers/pcsc"
	"tableside/drivers/pn532"
)

// Ports are the buses and pins of a real or emulated computer.
type Ports interface {
	SPI(name string) (spi.Port, error)         // "SPI0.0"
	I2C(path string) (i2c.Bus, error)          // "/dev/i2c-1"
	Serial(path string) (SerialPort, error)    // "/dev/serial0"
	Pin(name string) (gpio.PinIO, error)       // "GPIO17"
	Adapters() []Adapter                       // serial ports on USB
	PCSC() *pcsc.Daemon                        // pcscd; nil where there cannot be any
	Inputs() evdev.Host                        // keyboards; nil where there cannot be any
	Keys() keys.Chip                           // the GPIO chip, for the lines of keys
	Hold() func(time.Duration)                 // waits a few milliseconds exactly; nil is the driver's default
	Missing(w *config.Wiring) []*config.Error  // devices that the wiring needs and that do not exist
	BusyPins(w *config.Wiring) []*config.Error // pins that parts need and another program or overlay holds
}

// SerialPort is a serial line to a PN532.
type SerialPort interface {
	pn532.Serial
	Close() error
}

// Raspberry is the computer itself. In tests, its field root names a folder that holds the
// files of the computer. Otherwise root is "".
//
// Raspberry opens SPI and I2C with periph's sysfs. A pin is a line of the kernel's GPIO chip
// (drivers/gpiochip). The commands "run" and "doctor" and the service all use pins in this
// way. periph's host is not used. If /dev/gpiomem may be opened, periph's host loads a driver
// that writes the pins' registers directly. The service may not open /dev/gpiomem.
type Raspberry struct {
	root    string
	openI2C func(bus int) (i2c.BusCloser, error) // nil: sysfs

	mu    sync.Mutex
	buses map[string]i2c.BusCloser
	pins  map[string]*gpiochip.Pin
	pcscd *pcsc.Daemon
}

// An spiPort is an SPI port of the kernel. The spiPort knows the size of its longest transfer.
type spiPort struct {
	spi.PortCloser
	maxTx int // bytes; 0 is unknown
}

// Connect implements spi.Port.
func (p spiPort) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	c, err := p.PortCloser.Connect(f, mode, bits)
	if err != nil {
		return nil, err
	}
	return spiConn{c}, nil
}

// An spiConn is a connection whose errors say so if the kernel has given up a transfer.
type spiConn struct{ spi.Conn }

func (c spiConn) Tx(w, r []byte) error           { return explainTimeout(c.Conn.Tx(w, r)) }
func (c spiConn) TxPackets(p []spi.Packet) error { return explainTimeout(c.Conn.TxPackets(p)) }

// A timeoutError is a transfer that the kernel has given up, which periph reports as the text of
// ETIMEDOUT.
type timeoutError struct{ error }

func explainTimeout(err error) error {
	if err != nil && strings.HasSuffix(err.Error(), unix.ETIMEDOUT.Error()) {
		return timeoutError{fmt.Errorf("the kernel's SPI driver gave up: %w", err)}
	}
	return err
}

// Hint returns what is known of such transfers.
func (timeoutError) Hint() string {
	return "update the system and reboot; on a Raspberry Pi 5 with parts on several SPI buses see docs/hardware.md, Traps"
}

// MaxTxSize implements conn.Limits.
func (p spiPort) MaxTxSize() int { return p.maxTx }

// SPI opens the SPI port with this name, such as "SPI0.0". The parameter bufsiz of spidev
// gives the length of the port's longest transfer.
func (r *Raspberry) SPI(name string) (spi.Port, error) {
	bus, chip, ok := config.ParseSPI(name)
	if !ok {
		return nil, fmt.Errorf("got %q, want an SPI port such as SPI0.0", name)
	}
	port, err := sysfs.NewSPI(bus, chip)
	if err != nil {
		return nil, err
	}
	text, _ := os.ReadFile(r.root + "/sys/module/spidev/parameters/bufsiz") // without it the size is unknown
	maxTx, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return spiPort{port, maxTx}, nil
}

// I2C opens the I2C bus with the given path. If the bus is open already, I2C returns the open
// bus, because chips share a bus. Each reader calls I2C from its own goroutine.
func (r *Raspberry) I2C(path string) (i2c.Bus, error) {
	number, err := strconv.Atoi(strings.TrimPrefix(path, "/dev/i2c-"))
	if err != nil || number < 0 {
		return nil, fmt.Errorf("got %q, want an I2C bus such as /dev/i2c-1", path)
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

// Pin returns the pin with a name such as "GPIO17". For the same name, Pin always returns the
// same pin. The kernel gives a GPIO line to one holder only. So a part that is opened again
// needs the pin that already holds the line. The pin asks the kernel for its line when the pin
// is first used.
func (r *Raspberry) Pin(name string) (gpio.PinIO, error) {
	number, err := strconv.Atoi(strings.TrimPrefix(name, "GPIO"))
	if err != nil || number < 0 {
		return nil, fmt.Errorf("got %q, want a pin such as GPIO17", name)
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

func (r *Raspberry) chip() *gpiochip.Chip { return &gpiochip.Chip{} }

func (r *Raspberry) Keys() keys.Chip { return &keys.GPIOChip{} }

// PCSC implements Ports.
func (r *Raspberry) PCSC() *pcsc.Daemon {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pcscd == nil {
		r.pcscd = &pcsc.Daemon{Socket: r.root + pcsc.Socket}
	}
	return r.pcscd
}

// Inputs returns the keyboards that the kernel knows.
func (r *Raspberry) Inputs() evdev.Host { return evdev.Kernel{Root: r.root} }

func (r *Raspberry) Hold() func(time.Duration) { return nil }

// Missing returns an error for each device that a part needs, if the device does not exist or
// if the program may not use it. Missing touches no bus and no pin. It does not check USB
// adapters, because an adapter may be plugged in later.
func (r *Raspberry) Missing(w *config.Wiring) []*config.Error {
	var faults []*config.Error
	given := map[string]bool{} // hints; one that helps several parts is given once
	for _, n := range nodesOf(w) {
		if f := r.node(n); f != nil {
			if given[f.Hint] {
				f.Hint = ""
			}
			given[f.Hint] = true
			faults = append(faults, f)
		}
	}
	if slices.ContainsFunc(w.Claims(), func(c config.Claim) bool { return c.Line }) {
		if f := r.pinsError(); f != nil {
			faults = append(faults, f)
		}
	}
	return faults
}

// pinsError returns an error if there is no GPIO chip that this user may use.
func (r *Raspberry) pinsError() *config.Error {
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

func groupHint(group string) string {
	return fmt.Sprintf("sudo usermod -aG %s %s, then log in again", group, cmp.Or(os.Getenv("USER"), "tableside"))
}

// A node is a device file that a part needs. It holds the name of this part, the path of the
// file, and the group of the users that may use the file.
type node struct{ part, path, group string }

// node returns an error if a device file does not exist or may not be used.
func (r *Raspberry) node(n node) *config.Error {
	on := config.Model(r.root)
	if f := r.wrongUART(n, on); f != nil {
		return f
	}
	path := r.root + n.path
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return config.Errorf(n.part, missingHint(n.path, on), "%s does not exist", n.path)
	}
	if err := unix.Access(path, unix.R_OK|unix.W_OK); err != nil {
		hint := cmp.Or(ConsoleHint(r.root, n.path), groupHint(n.group))
		return config.Errorf(n.part, hint, "%s may not be used by this user: %v", n.path, err)
	}
	return nil
}

// nodesOf returns the device files that the wiring names, except those of USB adapters.
func nodesOf(w *config.Wiring) []node {
	var all []node
	for _, p := range w.Parts() {
		b := config.BusOf(p)
		switch {
		case b == nil:
		case b.SPI != "":
			bus, chip, _ := config.ParseSPI(b.SPI)
			all = append(all, node{p.Who(), fmt.Sprintf("/dev/spidev%d.%d", bus, chip), "spi"})
		case b.I2C != "":
			all = append(all, node{p.Who(), b.I2C, "i2c"})
		case b.Serial != "" && !onUSB(b.Serial): // an adapter may be plugged in later
			all = append(all, node{p.Who(), b.Serial, "dialout"})
		}
	}
	return all
}

// onUSB reports whether a serial port is on a USB adapter. It also returns true for each name
// below /dev/serial, because udev gives such names to adapters.
func onUSB(path string) bool {
	return strings.HasPrefix(path, "/dev/ttyUSB") || strings.HasPrefix(path, "/dev/ttyACM") ||
		strings.HasPrefix(path, "/dev/serial/")
}
