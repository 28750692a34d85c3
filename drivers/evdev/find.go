package evdev

import (
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

// Device returns a name with which Find finds this device among devices: a name below
// /dev/input/by-id that no other device has, else the USB numbers. If these do not suffice,
// the serial number follows or, without one, the place where the device is plugged in.
func (i Info) Device(devices []Info) string {
	for _, id := range i.IDs {
		if slices.ContainsFunc(devices, func(o Info) bool { return o.Path != i.Path && slices.Contains(o.IDs, id) }) {
			continue
		}
		return id
	}
	plain := fmt.Sprintf("%04x:%04x", i.Vendor, i.Product)
	if found, err := Find(devices, plain); err == nil && found.Path == i.Path {
		return plain
	}
	if i.Uniq != "" {
		return plain + "/" + i.Uniq
	}
	return plain + "/" + i.Phys
}

// Find returns these errors.
var (
	ErrAbsent    = errors.New("not plugged in")
	ErrAmbiguous = errors.New("several are plugged in")
)

var numbers = regexp.MustCompile(`^([0-9a-f]{4}):([0-9a-f]{4})(?:/(.+))?$`)

// usbNumbers matches a text that begins with USB numbers, as no name in /dev/input/by-id does.
var usbNumbers = regexp.MustCompile(`^[0-9A-Fa-f]{4}:[0-9A-Fa-f]{4}`)

// CheckDevice returns an error unless s can name a device: a name below
// /dev/input/by-id, or USB numbers such as "1c4f:0002". If several devices share
// these numbers, "/" follows, then the place where the device is plugged in, or its
// serial number.
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

// Find searches devices for the one with this name, and returns its Info. CheckDevice
// describes such names. Many keyboards are several devices in one case, for example for media
// keys or a mouse; of these Find returns the one with most keys. The error is ErrAbsent, or
// wraps ErrAmbiguous.
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

// isAt reports whether place is where the device is plugged in, or its serial number. An
// empty place fits every device.
func (i Info) isAt(place string) bool {
	return place == "" || place == i.Phys || place == i.body() || place == i.Uniq
}

// Main returns one device for each case, such as that of a keyboard: of the devices in the
// case, the one with most keys. A case without keys is left out.
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

// SameCase reports whether two devices are in the same case, as the keys and the media
// keys of one keyboard are.
func (i Info) SameCase(o Info) bool {
	return i.Vendor == o.Vendor && i.Product == o.Product && i.body() == o.body()
}

// body returns a text that all devices in one case have in common: the port, the serial
// number, or both.
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
	place := i.body()
	if i.Uniq != "" {
		place = i.Uniq
	}
	return fmt.Sprintf("%04x:%04x/%s", i.Vendor, i.Product, place)
}
