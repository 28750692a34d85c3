package doctor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/gpiochip"
)

// This file is what doctor knows of the computer itself: its clock and supply,
// what it keeps of what is written, its serial adapters, its pins.

// fixOf returns what to do about an error: what the error knows by itself
// (its method Hint), what is known of its kind, or the usual advice.
func fixOf(err error, usual string) string {
	var knows interface{ Hint() string }
	var busy *gpiochip.BusyError
	var wrong *config.Error
	switch {
	case errors.As(err, &knows) && knows.Hint() != "":
		return knows.Hint()
	case errors.As(err, &wrong):
		return wrong.Hint
	case errors.As(err, &busy):
		return rig.HeldHint
	}
	return usual
}

// beginning is before any build of this program: a Raspberry Pi has no clock
// of its own, and wakes up in the past where it finds no time server.
var beginning = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

func (d *doctor) clock() {
	now := time.Now()
	if now.Before(beginning) || now.Year() > 2100 {
		d.fail("clock", "it reads "+now.Format(time.RFC3339)+"; match files would get wrong names",
			"timedatectl set-ntp true, or set it by hand")
		return
	}
	d.ok("clock", now.Format(time.RFC3339), "this computer's, compared with nothing")
}

// power looks whether the supply holds. The kernel's driver asks the firmware
// every two seconds (raspberrypi-hwmon.c); where it is not, nothing is known.
func (d *doctor) power() {
	names, _ := filepath.Glob(d.root + "/sys/class/hwmon/hwmon*/name")
	for _, name := range names {
		if readLine(name) != "rpi_volt" {
			continue
		}
		switch readLine(filepath.Join(filepath.Dir(name), "in0_lcrit_alarm")) {
		case "0":
			d.ok("power", "the supply holds", "rpi_volt of the last two seconds; journalctl -k | grep -i voltage tells earlier ones")
		case "1":
			d.fail("power", "the supply has fallen too low within the last two seconds: readers forget their settings, lights flicker",
				"take the supply that Raspberry Pi names for this model and a short, thick cable, and give the strip a supply of its own")
		}
	}
}

// readLine returns a file of one line, "" where there is none.
func readLine(file string) string {
	text, _ := os.ReadFile(file)
	return strings.TrimSpace(string(text))
}

// leastSpace, in bytes, is a hundred long evenings.
const leastSpace = 16 << 20

func (d *doctor) space(dir string) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		d.fail("disk", dir+": "+err.Error(), "")
		return
	}
	free := s.Bavail * uint64(s.Bsize)
	if free < leastSpace {
		d.fail("disk", fmt.Sprintf("only %d KiB are free", free>>10), "delete something: a match needs less than a megabyte")
		return
	}
	d.ok("disk", fmt.Sprintf("%d MiB are free", free>>20), "asked the file system of "+dir)
}

// overlay looks whether the data folder outlives the next boot. With the overlay
// file system of raspi-config, everything that is written goes into memory.
func (d *doctor) overlay(dir string) {
	if !inMemory(readLine(d.root + "/proc/cmdline")) {
		return
	}
	on := d.mountOf(dir)
	if on.kind == "overlay" || on.kind == "tmpfs" {
		d.fail("overlay", dir+" is in memory, as this system writes nothing to its card: all matches are lost at the next boot",
			"sudo raspi-config nonint do_overlayfs 1 and reboot; or choose a table.data on another disk (docs/install.md)")
		return
	}
	d.ok("overlay", dir+" outlives the next boot, though this system writes nothing to its card",
		fmt.Sprintf("it is on %s, %s", on.device, on.kind))
}

// inMemory reports whether the kernel's command line makes the root an overlay
// whose upper layer is memory: "boot=overlay" as raspi-config did first, later
// "overlayroot=tmpfs" of the package overlayroot.
func inMemory(cmdline string) bool {
	for _, word := range strings.Fields(cmdline) {
		if word == "boot=overlay" || strings.HasPrefix(word, "overlayroot=tmpfs") {
			return true
		}
	}
	return false
}

// A mount is a line of /proc/mounts.
type mount struct{ device, point, kind string }

// mountOf returns the mount that a folder is on, also one that is not made yet.
func (d *doctor) mountOf(dir string) mount {
	dir, _ = filepath.Abs(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	text, _ := os.ReadFile(d.root + "/proc/mounts")
	var on mount
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 3 {
			continue
		}
		point := unescape(words[1])
		below := point == "/" || dir == point || strings.HasPrefix(dir, point+"/")
		if below && len(point) >= len(on.point) { // the last one of a place covers the others
			on = mount{unescape(words[0]), point, words[2]}
		}
	}
	return on
}

// unescape reads a word of /proc/mounts, where blanks are octal (proc(5)).
func unescape(word string) string {
	for _, c := range []string{" ", "\t", "\n", "\\"} {
		word = strings.ReplaceAll(word, fmt.Sprintf("\\%03o", c[0]), c)
	}
	return word
}

// slowAdapter says that a serial adapter holds answers back, as those of FTDI do
// for 16 ms unless told otherwise (systemd/udev.rules).
func (d *doctor) slowAdapter(serial string) string {
	if serial == "" {
		return ""
	}
	device, err := filepath.EvalSymlinks(d.root + serial)
	if err != nil {
		return ""
	}
	text := readLine(d.root + "/sys/bus/usb-serial/devices/" + filepath.Base(device) + "/latency_timer")
	if ms, err := strconv.Atoi(text); err != nil || ms <= 1 {
		return ""
	}
	return fmt.Sprintf("; its adapter holds each answer back for up to %s ms, of which a poll has several: plug it in again, "+
		"or sudo udevadm trigger --subsystem-match=usb-serial, which applies the rule of the package", text)
}

// unasked names the parts that only --try asks, so that nobody takes them for
// tested.
func (d *doctor) unasked(w *config.Wiring, missing map[string]bool) {
	node := func(who string, b *config.Bus) {
		d.ok(who, "is not asked; --try shows a picture", b.Port()+" exists and may be used")
	}
	for i := range w.Screens {
		node(w.Screens[i].Who(), &w.Screens[i].Bus)
	}
	if w.Panel != nil {
		node("panel", &w.Panel.Bus)
	}
	free := 0
	for i := range w.Keys {
		if !missing[w.Keys[i].Who()] {
			free++
		}
	}
	for i := range w.Encoders {
		if !missing[w.Encoders[i].Who()] {
			free++
		}
	}
	if free > 0 && !missing["pins"] {
		d.ok("keys", "are not listened to; --try waits for each",
			fmt.Sprintf("nobody else has the pins of %d keys and knobs", free))
	}
}
