package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tableside/cmd/tableside/config"
)

// This file holds the buses on the header of each Raspberry Pi, and the settings
// that enable them (Raspberry Pi documentation, "config.txt" and "Configuring
// UARTs"; the firmware's overlays/README and overlay_map, which replaces spi5-1cs
// by spi5-1cs-pi5 on a Pi 5).

// ConfigTxt is the file that holds the firmware settings of a Raspberry Pi.
const ConfigTxt = "/boot/firmware/config.txt"

var enableLines = map[string]string{
	"/dev/spidev0.0": "dtparam=spi=on",
	"/dev/spidev0.1": "dtparam=spi=on",
	"/dev/i2c-1":     "dtparam=i2c_arm=on",
	"/dev/serial0":   "enable_uart=1",
	"/dev/ttyAMA0":   "enable_uart=1",
	"/dev/ttyS0":     "enable_uart=1",
}

// headerSPI returns the numbers of the SPI buses on a model's header.
func headerSPI(model string) []int {
	switch {
	case config.IsPi5(model):
		return []int{0, 1, 2, 3, 5}
	case strings.HasPrefix(model, "Raspberry Pi 4"):
		return []int{0, 1, 3, 4, 5, 6}
	case strings.HasPrefix(model, "Raspberry Pi Compute Module 4"):
		return []int{0, 1, 2, 3, 4, 5, 6}
	case strings.HasPrefix(model, "Raspberry Pi Compute Module"):
		return []int{0, 1, 2}
	}
	return []int{0, 1}
}

// enableLine returns the line of config.txt that enables a device file on a model. The device
// file is "/dev/spidev0.0", for example. If no such line is known, enableLine returns "".
func enableLine(path, model string) string {
	if bus, chip, ok := config.ParseSPI("SPI" + strings.TrimPrefix(path, "/dev/spidev")); ok && bus > 0 {
		most := 2 // chip selects, as of spi3-2cs to spi6-2cs and the buses of a Pi 5
		if bus == 1 || bus == 2 && !config.IsPi5(model) {
			most = 3
		}
		switch {
		case !slices.Contains(headerSPI(model), bus) || chip >= most:
			return ""
		case bus == 1:
			return "dtoverlay=spi1-3cs"
		}
		return fmt.Sprintf("dtoverlay=spi%d-%dcs", bus, chip+1)
	}
	if path == "/dev/ttyAMA0" && config.IsPi5(model) {
		return "dtparam=uart0=on"
	}
	return enableLines[path]
}

// missingHint returns what to do about a device file that does not exist on this model. If
// there is no known remedy, missingHint returns "".
func missingHint(path, model string) string {
	bus, _, isSPI := config.ParseSPI("SPI" + strings.TrimPrefix(path, "/dev/spidev"))
	line := enableLine(path, model)
	switch {
	case !strings.HasPrefix(model, "Raspberry Pi"):
		return "run this on the Raspberry Pi that the parts are wired to; tableside demo needs no hardware"
	case line != "":
		return fmt.Sprintf("add the line %s to %s and reboot", line, ConfigTxt)
	case isSPI && !slices.Contains(headerSPI(model), bus):
		var names []string
		for _, n := range headerSPI(model) {
			names = append(names, fmt.Sprintf("SPI%d", n))
		}
		return fmt.Sprintf("the header of a %s has %s", model, strings.Join(names, ", "))
	}
	return ""
}

// wrongUART returns an error for a serial port with a misleading name. The name suggests that
// the port is on GPIO14 and GPIO15, although the port is elsewhere. On a Pi 5, /dev/serial0 is
// the debug connector (raspberrypi/documentation, issue 3239 and pull request 3294). On older
// models, /dev/ttyAMA0 belongs to Bluetooth unless Bluetooth is off.
//
// For any other device, wrongUART returns nil.
func (r *Raspberry) wrongUART(n node, model string) *config.Error {
	link := func(name string) string {
		target, _ := os.Readlink(r.root + name)
		return filepath.Base(target)
	}
	switch {
	case config.IsPi5(model) && n.path == "/dev/serial0" && link(n.path) != "ttyAMA0":
		hint := fmt.Sprintf(`write serial = "/dev/ttyAMA0", add the line %s to %s and reboot`,
			enableLine("/dev/ttyAMA0", model), ConfigTxt)
		return config.Errorf(n.part, hint, "/dev/serial0 of a Raspberry Pi 5 is its debug connector, not GPIO14 and GPIO15")
	case !config.IsPi5(model) && n.path == "/dev/ttyAMA0" && link("/dev/serial1") == "ttyAMA0":
		hint := fmt.Sprintf(`write serial = "/dev/serial0"; or add the line dtoverlay=disable-bt to %s and reboot`, ConfigTxt)
		return config.Errorf(n.part, hint, "/dev/ttyAMA0 belongs to Bluetooth here, not to GPIO14 and GPIO15")
	}
	return nil
}

// ConsoleHint returns what to do about a serial port that is also a console of the kernel. If
// the port is no console, ConsoleHint returns "". In tests, the folder root holds the files of
// the computer.
//
// Raspberry Pi OS makes the header's port a console. Then the kernel prints on this port. A
// login program reads what a chip sends, and keeps other users out.
func ConsoleHint(root, path string) string {
	device, err := filepath.EvalSymlinks(root + path)
	active, _ := os.ReadFile(root + "/sys/class/tty/console/active")
	name := filepath.Base(device)
	if err != nil || !slices.Contains(strings.Fields(string(active)), name) {
		return ""
	}
	return fmt.Sprintf("%s is a console of the kernel: remove console=serial0,115200 or console=%s,115200 from "+
		"/boot/firmware/cmdline.txt and reboot", path, name)
}
