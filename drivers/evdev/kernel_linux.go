package evdev

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Kernel lists and opens the input devices of this computer. It puts Root before every path.
// Root is "" except in tests.
type Kernel struct{ Root string }

// List returns what sysfs says about the devices, sorted by event number. It needs no
// right to open them.
func (k Kernel) List() ([]Info, error) {
	folders, _ := filepath.Glob(k.Root + "/sys/class/input/event*") // fails only for another pattern
	ids := k.ids()
	var all []Info
	for _, folder := range folders {
		name := filepath.Base(folder)
		read := func(file string) string {
			text, _ := os.ReadFile(filepath.Join(folder, "device", file)) // a device may go meanwhile
			return strings.TrimSpace(string(text))
		}
		number := func(file string) uint16 {
			n, _ := strconv.ParseUint(read(file), 16, 16)
			return uint16(n)
		}
		i := Info{Path: "/dev/input/" + name, IDs: ids[name], Name: read("name"), Phys: read("phys"), Uniq: read("uniq"),
			Bus: number("id/bustype"), Vendor: number("id/vendor"), Product: number("id/product"),
			Keys: countKeys(read("capabilities/key"), strconv.IntSize)}
		all = append(all, i)
	}
	slices.SortStableFunc(all, func(a, b Info) int { // event2 before event10
		return cmp.Or(len(a.Path)-len(b.Path), strings.Compare(a.Path, b.Path))
	})
	return all, nil
}

func (k Kernel) ids() map[string][]string {
	ids := map[string][]string{}
	entries, _ := os.ReadDir(k.Root + byID) // missing where nothing is on USB
	for _, e := range entries {
		if to, err := os.Readlink(k.Root + byID + e.Name()); err == nil {
			ids[filepath.Base(to)] = append(ids[filepath.Base(to)], e.Name())
		}
	}
	return ids
}

// countKeys returns how many keys of a device this package knows by name. The argument text is
// the content of the device's file capabilities/key. This file has a bit for each key, in
// hexadecimal words, the highest word first. wordBits is the number of bits in each word. It
// is 32 for a 32-bit program and 64 for a 64-bit program.
func countKeys(text string, wordBits int) int {
	words := strings.Fields(text)
	slices.Reverse(words)
	n := 0
	for code := range names {
		at := int(code) / wordBits
		if at >= len(words) {
			continue
		}
		if word, err := strconv.ParseUint(words[at], 16, 64); err == nil && word>>(int(code)%wordBits)&1 == 1 {
			n++
		}
	}
	return n
}

// ioctl numbers of include/uapi/linux/input.h, the same on ARM and x86.
const (
	eviocgrab     = 0x40044590 // _IOW('E', 0x90, int); the argument itself is 1 or 0
	eviocsclockid = 0x400445a0 // _IOW('E', 0xa0, int)
)

// Open opens and grabs a device. It fails with EBUSY if another program has grabbed it.
func (k Kernel) Open(path string) (File, error) {
	file, err := os.OpenFile(k.Root+path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	conn, err := file.SyscallConn()
	if err == nil {
		var refused error
		err = conn.Control(func(fd uintptr) { refused = prepare(int(fd)) })
		err = errors.Join(err, refused)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	return file, nil
}

// prepare grabs a device, and has the kernel stamp its events with the monotonic clock,
// because nobody can set that clock.
func prepare(fd int) error {
	err := unix.IoctlSetInt(fd, eviocgrab, 1)
	if errors.Is(err, unix.EBUSY) {
		return fmt.Errorf("another program has grabbed it: %w", err)
	}
	if err != nil {
		return fmt.Errorf("grab: %w", err)
	}
	return unix.IoctlSetPointerInt(fd, eviocsclockid, unix.CLOCK_MONOTONIC)
}

func isGone(err error) bool { return errors.Is(err, syscall.ENODEV) }
