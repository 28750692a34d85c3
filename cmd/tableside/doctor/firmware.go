package doctor

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
)

// A firmware is what the firmware of a Raspberry Pi makes of config.txt: the
// settings that hold for this model, the last one of a name
// (Raspberry Pi documentation, "config.txt", file format and model filters).
type firmware map[string]string

// readFirmware reads config.txt as a model does.
func readFirmware(text, model string) firmware {
	f := firmware{}
	holds := true
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if filter, ok := strings.CutPrefix(line, "["); ok {
			holds = firmwareFilter(strings.TrimSuffix(filter, "]"), model, holds)
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); ok && holds && !strings.HasPrefix(name, "#") {
			f[name] = strings.TrimSpace(value)
		}
	}
	return f
}

// modelFilters are the models that a filter holds for, as the device tree
// names them: each name goes on with a revision.
var modelFilters = map[string][]string{
	"pi0":   {"Zero"},
	"pi0w":  {"Zero W", "Zero 2 W"},
	"pi02":  {"Zero 2 W"},
	"pi1":   {"Model A Rev", "Model B Rev", "Model A Plus", "Model B Plus", "Compute Module Rev"},
	"pi2":   {"2"},
	"pi3":   {"3", "Compute Module 3"},
	"pi3+":  {"3 Model A Plus", "3 Model B Plus"},
	"pi4":   {"4", "400", "Compute Module 4"},
	"pi400": {"400"},
	"cm4":   {"Compute Module 4"},
	"pi5":   {"5", "500", "Compute Module 5"},
	"pi500": {"500"},
	"cm5":   {"Compute Module 5"},
}

// firmwareFilter reports whether what follows a filter holds for the model.
// Filters of other kinds (a display, a serial number) leave it as it was.
func firmwareFilter(filter, model string, before bool) bool {
	name, _ := strings.CutPrefix(model, "Raspberry Pi ")
	switch models, ok := modelFilters[filter]; {
	case ok:
		return slices.ContainsFunc(models, func(m string) bool { return strings.HasPrefix(name+" ", m+" ") })
	case filter == "all":
		return true
	case filter == "none":
		return false
	}
	return before
}

// A clock is the range of the core's clock, in MHz.
type clock struct{ least, most int }

// coreClock is the range in which the core's clock moves on a model. Defaults:
// Raspberry Pi documentation, "config.txt", overclocking options.
func (f firmware) coreClock(model string) clock {
	c := clock{250, 400} // 3, Zero and Zero 2 W
	name, _ := strings.CutPrefix(model, "Raspberry Pi ")
	miniUART := false // the UART on the header takes its clock from the core
	switch {
	case strings.HasPrefix(name, "4"), strings.HasPrefix(name, "Compute Module 4"):
		c = clock{200, 500}
	case strings.HasPrefix(name, "Model"), strings.HasPrefix(name, "2"), strings.HasPrefix(name, "Compute Module Rev"):
		c = clock{250, 250}
	case strings.HasPrefix(name, "3"), strings.HasPrefix(name, "Zero W"), strings.HasPrefix(name, "Zero 2"):
		miniUART = true // those with Bluetooth, which has the other one
	}
	set := func(to *int, name string) {
		if v, err := strconv.Atoi(f[name]); err == nil && v > 0 {
			*to = v
		}
	}
	turbo := f["force_turbo"] == "1"
	if miniUART && f["enable_uart"] == "1" && !turbo {
		return clock{250, 250} // the firmware holds it still for the UART
	}
	set(&c.most, "gpu_freq")
	set(&c.most, "core_freq")
	set(&c.least, "gpu_freq_min")
	set(&c.least, "core_freq_min")
	if c.least > c.most || turbo {
		c.least = c.most
	}
	return c
}

// coreClock looks whether the clock of SPI stands still: on a Raspberry Pi
// before the 5 it follows that of the core, which changes with the load.
func (d *doctor) coreClock() {
	on := config.Model(d.root)
	if on == "" || config.IsPi5(on) {
		return
	}
	text, err := os.ReadFile(d.root + rig.ConfigTxt)
	if err != nil {
		return
	}
	c := readFirmware(string(text), on).coreClock(on)
	if c.least == c.most {
		d.ok("core_freq", fmt.Sprintf("%d MHz", c.most), fmt.Sprintf("read %s as a %s does; not measured", rig.ConfigTxt, on))
		return
	}
	d.fail("core_freq", fmt.Sprintf("the clock of SPI follows that of the core, which moves between %d and %d MHz: "+
		"LEDs would flicker", c.least, c.most),
		"add the line "+steady(c)+" below [all] in "+rig.ConfigTxt+" and reboot")
}

// steady is the line that holds the clock still: at its most where that is the
// clock of a Raspberry Pi 4, else at its least, which older ones are cooler at.
func steady(c clock) string {
	if c.most >= 500 {
		return fmt.Sprintf("core_freq_min=%d", c.most)
	}
	return fmt.Sprintf("core_freq=%d", c.least)
}
