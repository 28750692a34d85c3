package doctor

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3/spi"

	"tableside/cmd/tableside/bench"
	"tableside/cmd/tableside/config"
	"tableside/cmd/tableside/rig"
	"tableside/drivers/gpiochip"
	"tableside/engine"
)

// TestHow tests that each good finding has its evidence, which differs for a part
// that was not tested and one that has answered.
func TestHow(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red", "blue"})
	if err != nil {
		t.Fatal(err)
	}
	got := diagnose(t, c, false)
	for check, want := range map[string]string{
		"reader table": "it answered over SPI0.0: set up in ", "reader blue": "it answered over /dev/ttyUSB2: set up in ",
		"lights": "its port opens; no strip can say whether it is there", "panel": "SPI1.0 exists and may be used",
		"screen red": "/dev/i2c-1 exists and may be used", "keys": "nobody else has the pins of 27 keys and knobs",
	} {
		if f := findingOf(got, check); !f.OK || !strings.HasPrefix(f.How, want) {
			t.Errorf("%s: got %+v, want %s", check, f, want)
		}
	}
	for _, f := range got {
		if f.OK && f.How == "" {
			t.Errorf("%+v: got no evidence", f)
		}
	}
}

// A hinting error has a hint.
type hinting struct{ hint string }

func (hinting) Error() string  { return "it says 00" }
func (h hinting) Hint() string { return h.hint }

// TestFixOf tests that fixFor prefers an error's own hint, then the advice for its
// type, to the usual advice.
func TestFixOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("no answer"), "look at its wires"},
		{fmt.Errorf("pn532: init: %w", hinting{"set its switches to SPI"}), "set its switches to SPI"},
		{fmt.Errorf("pn532: init: %w", hinting{}), "look at its wires"},
		{config.Errorf("readers.poll", "write 50ms", "got a number"), "write 50ms"},
		{config.Errorf("readers.poll", "", "got a number"), "look at its wires"},
		{fmt.Errorf("pn532: reset: %w", &gpiochip.BusyError{Line: 7, Consumer: "spi0 CS1"}), rig.BusyHint},
	} {
		if got := fixFor(test.err, "look at its wires"); got != test.want {
			t.Errorf("%v: got %q, want %q", test.err, got, test.want)
		}
	}
}

// hintingPorts is a bench without SPI, whose error has a hint.
type hintingPorts struct{ *bench.Bench }

func (hintingPorts) SPI(string) (spi.Port, error) { return nil, hinting{"switch it on"} }

// TestDoctorPassesHintsOn tests that the hint of a driver or port is the fix of the
// finding.
func TestDoctorPassesHintsOn(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	d := &doctor{Config: Config{Out: io.Discard, root: t.TempDir()}, ports: hintingPorts{c.Bench}}
	d.checkHardware(t.Context(), &config.Config{Wiring: *c.Wiring}, false)
	if f := findingOf(d.findings, "reader table"); f.OK || f.Fix != "switch it on" {
		t.Errorf("%+v", f)
	}
}

// occupied is a bench with a pin that another program holds.
type occupied struct{ *bench.Bench }

func (occupied) BusyPins(w *config.Wiring) []*config.Error {
	return []*config.Error{config.Errorf(w.Keys[0].Who(), rig.BusyHint, "GPIO2: %v",
		&gpiochip.BusyError{Line: 2, Consumer: "blinker"})}
}

// TestDoctorSeesHeldPins tests the finding about a pin that another program holds.
func TestDoctorSeesHeldPins(t *testing.T) {
	c, err := bench.NewChips([]engine.Seat{"red"})
	if err != nil {
		t.Fatal(err)
	}
	d := &doctor{Config: Config{Out: io.Discard, root: t.TempDir()}, ports: occupied{c.Bench}}
	d.checkHardware(t.Context(), &config.Config{Wiring: *c.Wiring}, false)
	if f := findingOf(d.findings, c.Wiring.Keys[0].Who()); f.OK || f.Text != `GPIO2: line 2 is held by "blinker"` ||
		f.Fix == "" {
		t.Errorf("%+v", f)
	}
	if f := findingOf(d.findings, "keys"); f.How != "nobody else has the pins of 17 keys and knobs" {
		t.Errorf("%+v", f)
	}
}

func TestPower(t *testing.T) {
	for _, test := range []struct {
		name, alarm string
		want        string
	}{
		{"rpi_volt", "0\n", "ok"}, {"rpi_volt", "1\n", "fail"}, {"cpu_thermal", "1\n", ""}, {"rpi_volt", "", ""},
	} {
		root := t.TempDir()
		writeFile(t, root, "sys/class/hwmon/hwmon0/name", "nvme\n")
		writeFile(t, root, "sys/class/hwmon/hwmon1/name", test.name+"\n")
		writeFile(t, root, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", test.alarm)
		d := &doctor{Config: Config{root: root}}
		d.checkPower()
		got := ""
		if f := findingOf(d.findings, "power"); f.OK {
			got = "ok"
		} else if f.Text != "" && f.Fix != "" {
			got = "fail"
		}
		if got != test.want {
			t.Errorf("%+v: got %+v", test, d.findings)
		}
	}
}

// TestOverlay tests the finding about a data folder that is in memory, on a system
// that writes nothing to its card.
func TestOverlay(t *testing.T) {
	const (
		first = "console=tty1 root=PARTUUID=1 boot=overlay rw\n"
		later = "overlayroot=tmpfs:recurse=0 console=tty1 root=PARTUUID=1\n"
		disk  = "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n"
		over  = "sysfs /sys sysfs rw 0 0\noverlayroot / overlay " +
			"rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay 0 0\n"
		stick = "/dev/sda1 /mnt/my\\040matches ext4 rw 0 0\n"
	)
	for _, test := range []struct{ cmdline, mounts, data, want string }{
		{"root=PARTUUID=1 rw\n", disk, "/var/lib/tableside", ""},
		{"root=PARTUUID=1 rw\n", over, "/var/lib/tableside", ""}, // a container
		{"overlayroot=disabled\n", disk, "/var/lib/tableside", ""},
		{first, over, "/var/lib/tableside", "all matches are lost at the next boot"},
		{later, over, "/var/lib/tableside", "all matches are lost at the next boot"},
		{later, over + stick, "/mnt/my matches/tableside", "it is on /dev/sda1, ext4"},
		{later, over + stick, "/mnt/my matches", "it is on /dev/sda1, ext4"},
		{later, over + stick, "/mnt/my", "all matches are lost at the next boot"},
		{later, over + stick + "overlay /mnt/my\\040matches overlay rw 0 0\n", "/mnt/my matches",
			"all matches are lost at the next boot"},
		{later, over + "tmpfs /run tmpfs rw 0 0\n", "/run/tableside", "all matches are lost at the next boot"},
	} {
		root := t.TempDir()
		writeFile(t, root, "proc/cmdline", test.cmdline)
		writeFile(t, root, "proc/mounts", test.mounts)
		d := &doctor{Config: Config{root: root}}
		d.checkOverlay(test.data)
		f := findingOf(d.findings, "overlay")
		if test.want == "" && len(d.findings) > 0 || !strings.Contains(f.Text+f.How, test.want) ||
			f.OK != strings.HasPrefix(test.want, "it is on") {
			t.Errorf("%+v: got %+v", test, d.findings)
		}
	}
}

// TestSlowAdapter tests the advice about an adapter of FTDI with the kernel's
// default, by every name of its port.
func TestSlowAdapter(t *testing.T) {
	root := t.TempDir()
	writeFile(t, root, "dev/ttyUSB0", "")
	writeFile(t, root, "dev/ttyUSB1", "")
	writeFile(t, root, "dev/ttyUSB2", "")
	writeFile(t, root, "sys/bus/usb-serial/devices/ttyUSB0/latency_timer", "16\n")
	writeFile(t, root, "sys/bus/usb-serial/devices/ttyUSB1/latency_timer", "1\n")
	writeFile(t, root, "sys/bus/usb-serial/devices/ttyUSB2/port_number", "0\n") // not of FTDI
	if err := os.MkdirAll(filepath.Join(root, "dev/serial/by-id"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../ttyUSB0", filepath.Join(root, "dev/serial/by-id/usb-FTDI-if00")); err != nil {
		t.Fatal(err)
	}
	d := &doctor{Config: Config{root: root}}
	for serial, slow := range map[string]bool{"/dev/ttyUSB0": true, "/dev/serial/by-id/usb-FTDI-if00": true,
		"/dev/ttyUSB1": false, "/dev/ttyUSB2": false, "/dev/ttyUSB3": false, "": false} {
		if got := d.slowAdapter(serial); strings.Contains(got, "up to 16 ms") != slow {
			t.Errorf("%s: got %q", serial, got)
		}
	}
}

// TestExaminesThePower tests that Examine checks the supply and the overlay.
func TestExaminesThePower(t *testing.T) {
	root := t.TempDir()
	writeFile(t, root, "sys/class/hwmon/hwmon0/name", "rpi_volt\n")
	writeFile(t, root, "sys/class/hwmon/hwmon0/in0_lcrit_alarm", "1\n")
	writeFile(t, root, "proc/cmdline", "boot=overlay\n")
	writeFile(t, root, "proc/mounts", "overlay / overlay rw 0 0\n")
	settings := config.New(noEnv)
	settings.Table.Data, settings.HTTP.Listen = t.TempDir(), "127.0.0.1:0"
	got := Examine(t.Context(), Config{Settings: settings, Out: io.Discard, CheckCards: noCards, root: root},
		&bench.Bench{})
	for _, check := range []string{"power", "overlay"} {
		if f := findingOf(got, check); f.OK || f.Fix == "" {
			t.Errorf("%s: %+v", check, got)
		}
	}
}

// TestClockOfTables asks the hall of this computer for the tables whose clocks differ.
func TestClockOfTables(t *testing.T) {
	tables := `{"tables":[{"table":"one"},{"table":"two","ahead":-93600},{"table":"three","ahead":90},{"table":"old"}]}`
	hall := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/tables" {
			fmt.Fprint(w, tables)
		}
	}))
	defer hall.Close()
	d := &doctor{}
	d.clock(t.Context(), "", hall.Listener.Addr().String())
	var got []string
	for _, f := range d.findings {
		if got = append(got, f.Text); f.OK {
			got[len(got)-1] = f.How
		}
	}
	want := []string{"the clock of the table two is 26h0m0s behind the hall's",
		"the clock of the table three is 1m30s ahead of the hall's"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	tables, d = `{"tables":[{"table":"one","ahead":0},{"table":"old"}]}`, &doctor{}
	d.clock(t.Context(), hall.Listener.Addr().String())
	if len(d.findings) != 1 || !strings.Contains(d.findings[0].How, "of 2 tables of the hall differs by less") {
		t.Errorf("all the same: %+v", d.findings)
	}
	d = &doctor{}
	d.clock(t.Context(), "", "127.0.0.1:1")
	if len(d.findings) != 1 || d.findings[0].How != "this computer's, compared with nothing" {
		t.Errorf("without a hall: %+v", d.findings)
	}
}
