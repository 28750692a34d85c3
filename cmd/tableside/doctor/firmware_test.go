package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"tableside/cmd/tableside/config"
)

// TestCoreClock tests the range of the core clock by model and config.txt, and that the
// line which the doctor recommends fixes it, on a Pi 4 at no less than before.
func TestCoreClock(t *testing.T) {
	const (
		zero2 = "Raspberry Pi Zero 2 W Rev 1.0"
		three = "Raspberry Pi 3 Model B Plus Rev 1.3"
		four  = "Raspberry Pi 4 Model B Rev 1.4"
		one   = "Raspberry Pi Model B Plus Rev 1.2"
		two   = "Raspberry Pi 2 Model B Rev 1.1"
	)
	for _, test := range []struct {
		model, text string
		want        clockRange
	}{
		{four, "", clockRange{200, 500}},
		{four, "core_freq_min=500\n", clockRange{500, 500}},
		{four, "core_freq=250\n", clockRange{200, 250}},
		{four, "core_freq=250\ncore_freq_min=250", clockRange{250, 250}},
		{four, "[pi3]\ncore_freq_min=500\n", clockRange{200, 500}},
		{four, "[pi3]\nx=1\n[all]\ncore_freq_min=500\n", clockRange{500, 500}},
		{four, "[none]\ncore_freq_min=500\n", clockRange{200, 500}},
		{four, "[pi4]\r\n core_freq_min = 500 \r\n", clockRange{500, 500}},
		{four, "enable_uart=1\n", clockRange{200, 500}},
		{four, "hdmi_enable_4kp60=1\n", clockRange{200, 550}},
		{four, "hdmi_enable_4kp60=0\ncore_freq_min=500\n", clockRange{500, 500}},
		{four, "[pi4]\nhdmi_enable_4kp60=1\ncore_freq_min=500\n", clockRange{500, 550}}, // what others are advised
		{four, "hdmi_enable_4kp60=1\ncore_freq_min=550\n", clockRange{550, 550}},
		{four, "hdmi_enable_4kp60=1\ncore_freq=250\ncore_freq_min=250\n", clockRange{250, 550}}, // the screen needs more
		{three, "hdmi_enable_4kp60=1\ncore_freq=250\n", clockRange{250, 250}},
		{four, "# core_freq_min=500\n", clockRange{200, 500}},
		{"Raspberry Pi 400 Rev 1.0", "[pi4]\ncore_freq_min=500\n", clockRange{500, 500}},
		{"Raspberry Pi 400 Rev 1.0", "[pi400]\ncore_freq_min=500\n", clockRange{500, 500}},
		{four, "[pi400]\ncore_freq_min=500\n", clockRange{200, 500}},
		{four, "[cm4s]\ncore_freq_min=500\n", clockRange{200, 500}},
		{"Raspberry Pi Compute Module 4S Rev 1.0", "[pi4]\ncore_freq_min=500\n", clockRange{500, 500}},
		{zero2, "[pi4]\ncore_freq=500\n", clockRange{250, 400}},
		{zero2, "[pi0]\ncore_freq=250\n", clockRange{250, 250}},
		{zero2, "[pi02]\ncore_freq=250\n", clockRange{250, 250}},
		{zero2, "enable_uart=1\n", clockRange{250, 250}},
		{zero2, "enable_uart=1\ndtoverlay=disable-bt\n", clockRange{250, 400}}, // then the header has the other UART
		{zero2, "dtoverlay=miniuart-bt\nenable_uart=1\ncore_freq=250", clockRange{250, 250}},
		{"Raspberry Pi Zero W Rev 1.1", "enable_uart=1\n", clockRange{250, 250}},
		{"Raspberry Pi Zero Rev 1.3", "enable_uart=1\n", clockRange{250, 400}}, // no Bluetooth: the UART has its own clock
		{"Raspberry Pi Compute Module 3 Plus Rev 1.0", "enable_uart=1\n", clockRange{250, 400}},
		{zero2, "force_turbo=1\n", clockRange{400, 400}},
		{three, "", clockRange{250, 400}},
		{three, "[pi3]\ncore_freq=250\n", clockRange{250, 250}},
		{three, "[pi3+]\ncore_freq=300\ncore_freq=250\n", clockRange{250, 250}},
		{three, "[EDID=VSC-TD2220]\ncore_freq=250\n", clockRange{250, 250}}, // counts as matching
		{one, "", clockRange{250, 250}},
		{two, "", clockRange{250, 250}},
		{one, "[pi1]\ncore_freq=300\n", clockRange{250, 300}},
	} {
		got := readFirmware(test.text, test.model).coreClock(test.model)
		if got != test.want {
			t.Errorf("%s with %q: got %v, want %v", test.model, test.text, got, test.want)
		}
		advised := test.text + "\n[all]\n" + got.fixingLine(test.model)
		after := readFirmware(advised, test.model).coreClock(test.model)
		if after.min != after.max || isPi4(test.model) && after.max < got.max {
			t.Errorf("%s with %q: got %v, want one clock", test.model, advised, after)
		}
	}
}

// TestCommentBehindASetting checks that a comment behind a setting is named, and no other.
func TestCommentBehindASetting(t *testing.T) {
	d := &doctor{Config: Config{root: t.TempDir()}}
	writeFile(t, d.root, "boot/firmware/config.txt",
		"# SPI0 # the strip\r\ndtparam=spi=on\n  # steady\ncore_freq=250\t# steady\n")
	d.checkComments()
	f := findingOf(d.findings, "config.txt")
	if len(d.findings) != 1 || f.OK || !strings.Contains(f.Text, `"core_freq=250"`) || f.Fix == "" {
		t.Errorf("got %+v", d.findings)
	}
}

// TestExamplesOnPi5 tests that the strips of the examples have a fixed clock on a
// Pi 5. docs/hardware.md has what to do on other models.
func TestExamplesOnPi5(t *testing.T) {
	for _, example := range []string{"four-seats", "two-seats", "one-reader", "lights-only"} {
		c, err := config.Load(filepath.Join(repository, "docs", "examples", example+".toml"), noEnv)
		if err != nil {
			t.Fatal(err)
		}
		d := &doctor{Config: Config{root: t.TempDir()}}
		writeFile(t, d.root, "proc/device-tree/model", piFive+"\x00")
		if c.Lights == nil {
			continue
		}
		if d.checkCoreClock(); len(d.findings) > 0 || d.flickerAdvice(c.Lights) != "" {
			t.Errorf("%s: %+v%s", example, d.findings, d.flickerAdvice(c.Lights))
		}
	}
}
