package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/gpiochip"
)

// This file checks the computer itself: its clock and supply, disk and overlay,
// serial adapters and pins.

// fixFor returns what to do about an error. Its first choice is the hint that the error's
// method Hint returns. Its second choice is the advice for the type of the error. Its last
// choice is the given usual advice.
func fixFor(err error, usual string) string {
	var knows interface{ Hint() string }
	var busy *gpiochip.BusyError
	var wrong *config.Error
	switch {
	case errors.As(err, &knows) && knows.Hint() != "":
		return knows.Hint()
	case errors.As(err, &wrong) && wrong.Hint != "":
		return wrong.Hint
	case errors.As(err, &busy):
		return rig.BusyHint
	}
	return usual
}

// earliestTime is a time before any build of this program. A clock that reads an earlier time
// is wrong. A Raspberry Pi has no battery for its clock. If it reaches no time server, its
// clock starts in the past.
var earliestTime = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// clock checks the clock. If a hall runs at one of the addresses, clock also adds a fault for
// each table of this hall whose clock differs from the hall's.
func (d *doctor) clock(ctx context.Context, halls ...string) {
	now := time.Now()
	if now.Before(earliestTime) || now.Year() > 2100 {
		d.fail("clock", "clock reads "+now.Format(time.RFC3339)+"; match files would get wrong names",
			"timedatectl set-ntp true, or set it by hand")
		return
	}
	var hall struct {
		Tables []struct {
			Table string
			Ahead int // seconds
		}
	}
	for _, addr := range halls {
		if addr != "" && json.Unmarshal(ask(ctx, addr, "/api/tables"), &hall) == nil {
			break
		}
	}
	same := 0
	for _, t := range hall.Tables {
		ahead, where := time.Duration(t.Ahead)*time.Second, "ahead of"
		if ahead < 0 {
			where = "behind"
		}
		if ahead != 0 {
			d.fail("clock", fmt.Sprintf("the clock of the table %s is %v %s the hall's", t.Table, ahead.Abs(), where),
				"timedatectl set-ntp true on that computer, or set it by hand; the hall corrects for it meanwhile")
			continue
		}
		same++
	}
	switch {
	case same < len(hall.Tables):
	case same > 0:
		d.ok("clock", now.Format(time.RFC3339),
			fmt.Sprintf("this computer's; that of %d tables of the hall differs by less than a minute", same))
	default:
		d.ok("clock", now.Format(time.RFC3339), "this computer's, compared with nothing")
	}
}

// checkPower checks the supply voltage. The kernel's driver reads the voltage from the
// firmware every two seconds (raspberrypi-hwmon.c). Without this driver, checkPower adds no
// finding.
func (d *doctor) checkPower() {
	names, _ := filepath.Glob(d.root + "/sys/class/hwmon/hwmon*/name")
	for _, name := range names {
		if readLine(name) != "rpi_volt" {
			continue
		}
		switch readLine(filepath.Join(filepath.Dir(name), "in0_lcrit_alarm")) {
		case "0":
			d.ok("power", "the supply holds",
				"rpi_volt of the last two seconds; journalctl -k | grep -i voltage lists earlier drops")
		case "1":
			d.fail("power", "the supply has fallen too low within the last two seconds: "+
				"readers forget their settings, lights flicker",
				"take the supply that Raspberry Pi names for this model and a short, thick cable, "+
					"and give the strip a supply of its own")
		}
	}
}

func readLine(file string) string {
	text, _ := os.ReadFile(file)
	return strings.TrimSpace(string(text))
}

// minSpace is the space that must be free on the disk, in bytes. It is enough for a hundred
// long evenings.
const minSpace = 16 << 20

func (d *doctor) space(dir string) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		d.fail("disk", dir+": "+err.Error(), "")
		return
	}
	free := s.Bavail * uint64(s.Bsize)
	if free < minSpace {
		d.fail("disk", fmt.Sprintf("only %d KiB are free", free>>10), "delete something: a match needs less than a megabyte")
		return
	}
	d.ok("disk", fmt.Sprintf("%d MiB are free", free>>20), "asked the file system of "+dir)
}

// checkOverlay checks whether the data folder survives a reboot. If the overlay file system of
// raspi-config is on, all files are written to memory, unless the files are on another disk.
// If the overlay file system is off, checkOverlay adds no finding.
func (d *doctor) checkOverlay(dir string) {
	if !inMemory(readLine(d.root + "/proc/cmdline")) {
		return
	}
	on := d.mountOf(dir)
	if on.kind == "overlay" || on.kind == "tmpfs" {
		d.fail("overlay", dir+" is in memory, because this system writes nothing to its card: "+
			"all matches are lost at the next boot",
			"sudo raspi-config nonint do_overlayfs 1 and reboot; or choose a table.data on another disk (docs/install.md)")
		return
	}
	d.ok("overlay", dir+" survives a reboot, though this system writes nothing to its card",
		fmt.Sprintf("it is on %s, %s", on.device, on.kind))
}

// inMemory reports whether everything written to the root file system stays in memory. The
// kernel's command line shows this. Older versions of raspi-config write "boot=overlay", and
// the package overlayroot writes "overlayroot=tmpfs".
func inMemory(cmdline string) bool {
	return slices.ContainsFunc(strings.Fields(cmdline), func(word string) bool {
		return word == "boot=overlay" || strings.HasPrefix(word, "overlayroot=tmpfs")
	})
}

// A mount is a line of /proc/mounts.
type mount struct{ device, point, kind string }

// mountOf returns the mount that holds a folder. The folder need not exist yet.
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
		if below && len(point) >= len(on.point) { // the last mount on a point hides those before
			on = mount{unescape(words[0]), point, words[2]}
		}
	}
	return on
}

// unescape decodes a word of /proc/mounts, in which blanks and backslashes are written as
// octal numbers (proc(5)).
func unescape(word string) string {
	for _, c := range []string{" ", "\t", "\n", "\\"} {
		word = strings.ReplaceAll(word, fmt.Sprintf("\\%03o", c[0]), c)
	}
	return word
}

// slowAdapter returns advice if a serial adapter delays answers. For any other adapter, it
// returns "". The adapter is given by the path of its port. Adapters of FTDI delay answers by
// 16 ms unless systemd/udev.rules changes this delay.
func (d *doctor) slowAdapter(serial string) string {
	device, err := filepath.EvalSymlinks(d.root + serial)
	if err != nil {
		return ""
	}
	text := readLine(d.root + "/sys/bus/usb-serial/devices/" + filepath.Base(device) + "/latency_timer")
	if ms, err := strconv.Atoi(text); err != nil || ms <= 1 {
		return ""
	}
	return fmt.Sprintf("; its adapter holds each answer back for up to %s ms, and a poll has several: plug it in again, "+
		"or run sudo udevadm trigger --subsystem-match=usb-serial, which applies the rule of the package", text)
}
