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

// A firmware holds the settings in config.txt that apply to one model. It maps the name of
// each setting to its value. If a name occurs several times, the last value counts. A firmware
// also has a key "dtoverlay=NAME" for each overlay. See the Raspberry Pi documentation,
// "config.txt", file format and model filters.
type firmware map[string]string

// readFirmware parses the text of config.txt. It returns the settings that apply to a model.
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
			if name == "dtoverlay" {
				overlay, _, _ := strings.Cut(f[name], ",")
				f["dtoverlay="+overlay] = "on"
			}
		}
	}
	return f
}

// checkComments adds a finding for each line of config.txt with a comment behind its setting,
// which the firmware takes for a part of the value. Comments begin a line (Ubuntu's documentation
// for the Raspberry Pi, "config.txt").
func (d *doctor) checkComments() {
	text, _ := os.ReadFile(d.root + rig.ConfigTxt) // where there is none, there is no such line
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "#") }); i > 0 {
			d.fail("config.txt", fmt.Sprintf("the comment behind %q belongs to its value", strings.Join(words[:i], " ")),
				"put the comment on a line of its own in "+rig.ConfigTxt+" and reboot")
		}
	}
}

// modelFilters maps each filter of config.txt to the models that it selects. The models are
// named as in the device tree, without "Raspberry Pi" and without the revision.
var modelFilters = map[string][]string{
	"pi0":   {"Zero"},
	"pi0w":  {"Zero W", "Zero 2 W"},
	"pi02":  {"Zero 2 W"},
	"pi1":   {"Model A Rev", "Model B Rev", "Model A Plus", "Model B Plus", "Compute Module Rev"},
	"pi2":   {"2"},
	"pi3":   {"3", "Compute Module 3"},
	"pi3+":  {"3 Model A Plus", "3 Model B Plus"},
	"pi4":   {"4", "400", "Compute Module 4", "Compute Module 4S"},
	"pi400": {"400"},
	"cm4":   {"Compute Module 4"},
	"cm4s":  {"Compute Module 4S"},
	"pi5":   {"5", "500", "Compute Module 5"},
	"pi500": {"500"},
	"cm5":   {"Compute Module 5"},
}

// firmwareFilter reports whether the lines after a filter apply to the model. The last
// argument says whether the lines before the filter apply. A filter for something else, such
// as a display or a serial number, changes nothing, and firmwareFilter then returns the last
// argument.
func firmwareFilter(filter, model string, applied bool) bool {
	name, _ := strings.CutPrefix(model, "Raspberry Pi ")
	switch models, ok := modelFilters[filter]; {
	case ok:
		return slices.ContainsFunc(models, func(m string) bool { return strings.HasPrefix(name+" ", m+" ") })
	case filter == "all":
		return true
	case filter == "none":
		return false
	}
	return applied
}

// A clockRange is a range of the core clock, in MHz.
type clockRange struct{ min, max int }

// clock4K is the core clock, in MHz, of a Raspberry Pi 4 with the setting hdmi_enable_4kp60.
// See the Raspberry Pi documentation, overclocking options, "Specific to Raspberry Pi 4,
// Raspberry Pi 400 and CM4".
const clock4K = 550

// coreClock returns the range of the core clock of a model with these settings. The defaults
// are from the Raspberry Pi documentation, "config.txt", overclocking options.
func (f firmware) coreClock(model string) clockRange {
	c := clockRange{250, 400} // 3, Zero and Zero 2 W
	name, _ := strings.CutPrefix(model, "Raspberry Pi ")
	least := 0        // the lower limit of the maximum, whatever is set: a screen needs it
	miniUART := false // the UART on the header is clocked by the core
	switch {
	case isPi4(model):
		c = clockRange{200, 500}
		if f["hdmi_enable_4kp60"] == "1" {
			c.max, least = clock4K, clock4K
		}
	case strings.HasPrefix(name, "Model"), strings.HasPrefix(name, "2"), strings.HasPrefix(name, "Compute Module Rev"):
		c = clockRange{250, 250}
	case strings.HasPrefix(name, "3"), strings.HasPrefix(name, "Zero W"), strings.HasPrefix(name, "Zero 2"):
		// Bluetooth has the other UART, unless an overlay gives that to the header.
		miniUART = f["dtoverlay=disable-bt"] == "" && f["dtoverlay=miniuart-bt"] == ""
	}
	set := func(to *int, name string) {
		if v, err := strconv.Atoi(f[name]); err == nil && v > 0 {
			*to = v
		}
	}
	turbo := f["force_turbo"] == "1"
	if miniUART && f["enable_uart"] == "1" && !turbo {
		return clockRange{250, 250} // the firmware fixes it for the UART
	}
	set(&c.max, "gpu_freq")
	set(&c.max, "core_freq")
	c.max = max(c.max, least)
	set(&c.min, "gpu_freq_min")
	set(&c.min, "core_freq_min")
	if c.min > c.max || turbo {
		c.min = c.max
	}
	return c
}

// checkCoreClock checks whether the clock of SPI is fixed. On models before the Raspberry Pi
// 5, the clock of SPI follows the core clock, which changes with the load. On a Pi 5, on
// computers without a device tree, and without a readable config.txt, checkCoreClock adds no
// finding.
func (d *doctor) checkCoreClock() {
	on := config.Model(d.root)
	if on == "" || config.IsPi5(on) {
		return
	}
	text, err := os.ReadFile(d.root + rig.ConfigTxt)
	if err != nil {
		return
	}
	c := readFirmware(string(text), on).coreClock(on)
	if c.min == c.max {
		d.ok("core_freq", fmt.Sprintf("%d MHz", c.max), fmt.Sprintf("read %s as a %s does; not measured", rig.ConfigTxt, on))
		return
	}
	d.fail("core_freq", fmt.Sprintf("the clock of SPI follows the core clock, which changes between %d and %d MHz: "+
		"LEDs would flicker", c.min, c.max),
		"add the line "+c.fixingLine(on)+" below [all] in "+rig.ConfigTxt+" and reboot")
}

// fixingLine returns the line that fixes the core clock, for people to write into config.txt.
// On a Raspberry Pi 4, the line fixes the clock at its maximum, which the screen needs. On
// older models, the line fixes the clock at its minimum, which keeps the computer cooler.
func (c clockRange) fixingLine(model string) string {
	if isPi4(model) {
		return fmt.Sprintf("core_freq_min=%d", c.max)
	}
	return fmt.Sprintf("core_freq=%d", c.min)
}

func isPi4(model string) bool {
	return strings.HasPrefix(model, "Raspberry Pi 4") || strings.HasPrefix(model, "Raspberry Pi Compute Module 4")
}
