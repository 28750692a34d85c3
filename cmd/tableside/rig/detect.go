package rig

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
	"tableside/drivers/epaper"
	"tableside/drivers/evdev"
)

// An Adapter is a serial port on USB.
type Adapter struct {
	Path  string   // the name that stays the same, if it has one
	Names []string // all names of the same port
}

// A FoundDevice is a device that is plugged in and that no part of the wiring uses. The field
// Part holds the part that the device could be. This part still has no name and no seat.
type FoundDevice struct {
	ID   string // the same while it is plugged in
	Kind string // FoundReader and so on
	Name string // as its maker calls it
	Part config.Part

	similarNames []string // of other readers of pcscd of the same kind
}

// These are the kinds of devices that Unused finds. An adapter may have a PN532 behind it, but
// only a probe shows whether it does.
const (
	FoundReader   = "reader"
	FoundAdapter  = "adapter"
	FoundKeyboard = "keyboard"
	FoundPanel    = "panel"
)

// Unused lists the unused devices that are plugged in. It sends nothing to a device that may
// belong to another program, so it cannot find every device. If Unused could not ask for some
// kind of device, it returns an error. The list is valid nevertheless.
func Unused(ctx context.Context, p Ports, w *config.Wiring) ([]FoundDevice, error) {
	found, err := unusedOnUSB(ctx, p, w)
	if w.Panel == nil {
		found = append(found, findInky(p)...)
	}
	return found, err
}

func unusedOnUSB(ctx context.Context, p Ports, w *config.Wiring) ([]FoundDevice, error) {
	readers, err := unusedReaders(ctx, p, w)
	keyboards, err2 := unusedKeyboards(p, w)
	return slices.Concat(readers, unusedAdapters(p, w), keyboards), errors.Join(err, err2)
}

// pcscTimeout is how long to wait for an answer of pcscd.
const pcscTimeout = 2 * time.Second

// readerNumbers matches the two numbers that pcscd puts at the end of a reader's name. These
// numbers depend on the order in which the readers were plugged in.
var readerNumbers = regexp.MustCompile(` [0-9A-F]{2} [0-9A-F]{2}$`)

// unusedReaders lists the card readers that pcscd drives and that the wiring does not contain.
// If pcscd is not installed, unusedReaders returns no readers.
func unusedReaders(ctx context.Context, p Ports, w *config.Wiring) ([]FoundDevice, error) {
	pcscd := p.PCSC()
	if pcscd == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, pcscTimeout)
	defer cancel()
	names, err := pcscd.List(ctx)
	if err != nil {
		if _, err2 := os.Stat(pcscd.Socket); errors.Is(err2, fs.ErrNotExist) {
			return nil, nil // not installed
		}
		return nil, err
	}
	used := map[string]bool{}
	for _, r := range w.Readers {
		its := func(name string) bool { return !used[name] && strings.Contains(name, r.Model) }
		if i := slices.IndexFunc(names, its); r.Chip == config.PCSC && i >= 0 {
			used[names[i]] = true
		}
	}
	var all []FoundDevice
	for _, name := range names {
		if used[name] {
			continue
		}
		model := readerNumbers.ReplaceAllString(name, "")
		similar := slices.DeleteFunc(slices.Clone(names), func(other string) bool {
			return other == name || !strings.Contains(other, model)
		})
		if len(similar) > 0 {
			model = name
		}
		all = append(all, FoundDevice{ID: "pcsc:" + name, Kind: FoundReader, Name: name, similarNames: similar,
			Part: &config.Reader{Chip: config.PCSC, Model: model}})
	}
	return all, nil
}

// unusedAdapters lists the USB serial ports that no reader of the wiring uses.
func unusedAdapters(p Ports, w *config.Wiring) []FoundDevice {
	var all []FoundDevice
	for _, a := range p.Adapters() {
		used := func(r config.Reader) bool { return slices.Contains(a.Names, r.Serial) }
		if slices.ContainsFunc(w.Readers, used) {
			continue
		}
		all = append(all, FoundDevice{ID: "serial:" + a.Path, Kind: FoundAdapter, Name: filepath.Base(a.Path),
			Part: &config.Reader{Chip: "pn532", Bus: config.Bus{Serial: a.Path}}})
	}
	return all
}

// unusedKeyboards lists the keyboards on USB and Bluetooth that the wiring does not use. It
// opens no keyboard.
func unusedKeyboards(p Ports, w *config.Wiring) ([]FoundDevice, error) {
	host := p.Inputs()
	if host == nil {
		return nil, nil
	}
	all, err := host.List()
	if err != nil {
		return nil, err
	}
	var found []FoundDevice
	for _, i := range evdev.Main(all) {
		used := func(k config.Keyboard) bool {
			it, err := evdev.Find(all, k.Device)
			return err == nil && it.SameCase(i)
		}
		if i.Bus != evdev.USB && i.Bus != evdev.Bluetooth || slices.ContainsFunc(w.Keyboards, used) {
			continue
		}
		device := i.Device(all)
		found = append(found, FoundDevice{ID: "input:" + device, Kind: FoundKeyboard, Name: i.Name,
			Part: &config.Keyboard{Device: device}})
	}
	return found, nil
}

// findInky returns the panel of an Inky that is plugged onto the header. If there is no Inky,
// findInky returns nothing. The EEPROM of the Inky says which panel it has. The pins are
// always the same (docs/hardware.md).
func findInky(p Ports) []FoundDevice {
	bus, err := p.I2C(config.InkyBus)
	if err != nil {
		return nil
	}
	board, err := epaper.ReadInky(bus)
	if err != nil || board.Panel() == "" {
		return nil
	}
	c := headerPanel(board.Panel(), false)
	c.EEPROM = config.InkyBus
	return []FoundDevice{{ID: "panel:" + c.Model, Kind: FoundPanel, Name: board.String(), Part: c}}
}

// Adapters lists the serial ports on USB. If adapters of one kind have no serial number, these
// adapters share a name in /dev/serial/by-id. In that case, Adapters names all ports after
// their sockets.
func (r *Raspberry) Adapters() []Adapter {
	var nodes []string
	for _, pattern := range []string{"ttyUSB*", "ttyACM*"} {
		some, _ := filepath.Glob(r.root + "/dev/" + pattern)
		nodes = append(nodes, some...)
	}
	ids, paths := r.links("/dev/serial/by-id"), r.links("/dev/serial/by-path")
	all := make([]Adapter, len(nodes))
	for i, node := range nodes {
		name := filepath.Base(node)
		names := slices.Concat(ids[name], paths[name], []string{"/dev/" + name})
		all[i] = Adapter{names[0], names}
	}
	unnamed := func(node string) bool { return len(ids[filepath.Base(node)]) == 0 }
	if slices.ContainsFunc(nodes, unnamed) {
		for i, node := range nodes {
			if by := paths[filepath.Base(node)]; len(by) > 0 {
				all[i].Path = by[0]
			}
		}
	}
	return all
}

// links returns the symbolic links in a folder of /dev. Each key of the map is the base name
// of a device, and its value holds the paths of the links that lead to this device.
func (r *Raspberry) links(folder string) map[string][]string {
	links := map[string][]string{}
	entries, _ := os.ReadDir(r.root + folder) // missing where nothing is on USB
	for _, e := range entries {
		path := folder + "/" + e.Name()
		if to, err := os.Readlink(r.root + path); err == nil {
			links[filepath.Base(to)] = append(links[filepath.Base(to)], path)
		}
	}
	return links
}

// notReader matches names of USB sticks that are something other than a card reader. Such a
// stick is probed only when somebody asks for the probe.
var notReader = regexp.MustCompile(`(?i)zig-?bee|z-?wave|thread|conbee|sonoff|skyconnect|gps|modem|arduino`)

// probeLimit is how long the probe of an adapter may take.
const probeLimit = 2 * time.Second

// probe returns an error unless a PN532 answers behind an adapter.
func (f FoundDevice) probe(ctx context.Context, p Ports) (err error) {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	c := f.Part.(*config.Reader)
	dev, closeBus, err := NewParts(p, &config.Wiring{}).OpenReader(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Halt(), closeBus()) }()
	if err := dev.Init(ctx); err != nil {
		return fmt.Errorf("%s: %w", c.Serial, err)
	}
	return nil
}
