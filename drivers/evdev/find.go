package evdev

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// An Info describes an input device.
type Info struct {
	Path            string   // "/dev/input/event3"
	IDs             []string // its names below /dev/input/by-id
	Name            string   // as its maker writes it
	Phys            string   // where it is plugged in: "usb-0000:01:00.0-1.2/input0"
	Uniq            string   // its serial number or Bluetooth address; "" for most
	Bus             uint16
	Vendor, Product uint16
	Keys            int // how many of its keys have a name in Names
}

// USB and Bluetooth are values of Info.Bus (include/uapi/linux/input.h).
const (
	USB       = 0x03
	Bluetooth = 0x05
)

// Device returns a name by which Find finds this device among the given devices. If the device
// has a name below /dev/input/by-id that no other device has, Device returns that name.
// Otherwise it returns the USB numbers.
//
// If these numbers fit several devices, the serial number follows. Without a serial number,
// the place where the device is plugged in follows instead.
func (i Info) Device(devices []Info) string {
	for _, id := range i.IDs {
		if !slices.ContainsFunc(devices, func(o Info) bool { return o.Path != i.Path && slices.Contains(o.IDs, id) }) {
			return id
		}
	}
	plain := fmt.Sprintf("%04x:%04x", i.Vendor, i.Product)
	if found, err := Find(devices, plain); err == nil && found.Path == i.Path {
		return plain
	}
	return plain + "/" + cmp.Or(i.Uniq, i.Phys)
}

// Find returns these errors.
var (
	ErrAbsent    = errors.New("not plugged in")
	ErrAmbiguous = errors.New("several are plugged in")
)

var numbers = regexp.MustCompile(`^([0-9a-f]{4}):([0-9a-f]{4})(?:/(.+))?$`)

// usbNumbers matches a text that begins with USB numbers. No name in /dev/input/by-id begins
// with such numbers.
var usbNumbers = regexp.MustCompile(`^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}`)

// CheckDevice returns an error if s cannot name a device. A device is named by a name below
// /dev/input/by-id, or by USB numbers such as "1c4f:0002". If several devices share these
// numbers, "/" follows, and then the device's serial number or the place where it is plugged
// in.
func CheckDevice(s string) error {
	id := strings.TrimPrefix(s, byID)
	named := strings.Contains(id, "-") && !strings.ContainsAny(id, "/ ") && !usbNumbers.MatchString(id)
	if named || numbers.MatchString(s) {
		return nil
	}
	return fmt.Errorf("got %q, want a name of /dev/input/by-id, or USB numbers such as 1c4f:0002", s)
}

// byID is the folder in which udev names devices.
const byID = "/dev/input/by-id/"

// Find returns the Info of the device with this name. CheckDevice describes such names. Many
// keyboards are several devices in one housing, for example with a device for media keys or
// for a mouse. If several devices in one housing have this name, Find returns the one with the
// most keys.
//
// If there is no such device, the error is ErrAbsent. If devices in different housings have
// this name, the error wraps ErrAmbiguous.
func Find(devices []Info, name string) (Info, error) {
	var found []Info
	if m := numbers.FindStringSubmatch(name); m != nil {
		for _, i := range devices {
			if fmt.Sprintf("%04x:%04x", i.Vendor, i.Product) == m[1]+":"+m[2] && i.Keys > 0 && i.isAt(m[3]) {
				found = append(found, i)
			}
		}
	} else {
		id := path.Base(name)
		found = slices.DeleteFunc(slices.Clone(devices), func(i Info) bool { return !slices.Contains(i.IDs, id) })
	}
	if len(found) == 0 {
		return Info{}, ErrAbsent
	}
	best := found[0]
	for _, i := range found[1:] {
		if !i.SameCase(best) {
			return Info{}, fmt.Errorf("%w: add the place, as %s or %s", ErrAmbiguous, best.place(), i.place())
		}
		if i.Keys > best.Keys {
			best = i
		}
	}
	return best, nil
}

func (i Info) isAt(place string) bool {
	return place == "" || place == i.Phys || place == i.body() || place == i.Uniq
}

// Main returns the main device of each housing. For example, the housing of a keyboard often
// contains several devices. The main device is the one with the most keys. A housing without
// keys is left out.
func Main(all []Info) []Info {
	var main []Info
	for _, i := range all {
		at := slices.IndexFunc(main, i.SameCase)
		switch {
		case i.Keys == 0:
		case at < 0:
			main = append(main, i)
		case i.Keys > main[at].Keys:
			main[at] = i
		}
	}
	return main
}

// SameCase reports whether two devices are in the same housing. For example, the keys and the
// media keys of one keyboard are two devices in one housing.
func (i Info) SameCase(o Info) bool {
	return i.Vendor == o.Vendor && i.Product == o.Product && i.body() == o.body()
}

func (i Info) body() string {
	if i.Phys == "" {
		return i.Uniq
	}
	if i.Bus == Bluetooth { // Phys is the address of this computer
		return i.Phys + " " + i.Uniq
	}
	before, _, _ := strings.Cut(i.Phys, "/input")
	return before
}

func (i Info) place() string {
	return fmt.Sprintf("%04x:%04x/%s", i.Vendor, i.Product, cmp.Or(i.Uniq, i.body()))
}
