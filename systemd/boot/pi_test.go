//go:build boot

package boot

import (
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// pi is a Raspberry Pi 3 Model B with Debian's device tree for it. Its second
// serial port, the small UART, is console and shell. It has no network.
var pi = board{
	args:   []string{"-M", "raspi3b", "-m", "1G", "-smp", "4", "-serial", "null", "-serial", "chardev:shell"},
	append: "console=ttyS1,115200 root=/dev/mmcblk0 quiet systemd.show_status=no",
	shell:  "ttyS1",
	card:   true,
}

// The hardware of the Raspberry Pi: a reader on its USB, a key on a line of the
// real GPIO chip.
const piConfiguration = `
[table]
name = "boot"
[[readers]]
name = "red"
seat = "red"
chip = "pn532"
serial = "/dev/ttyUSB0"
poll = "500ms"
[[keys]]
pin = "GPIO5"
seat = "red"
key = "yes"
`

// TestPi boots a Raspberry Pi 3 with the disk of TestWhole as its card, and runs
// doctor on it.
func TestPi(t *testing.T) {
	f := openFiles(t)
	if p := f.load(t); p.Seen == 0 {
		t.Fatalf("our package is not installed on %s: TestWhole has to pass first", f.disk)
	}
	card := filepath.Join(f.folder, "card")
	tool(t, "cp", "--sparse=always", f.disk, card)
	put(t, card, "/etc/tableside/pi.toml", piConfiguration)

	// On a busy machine journald takes longer to start than systemd's 90 s, and
	// units that wait for it start minutes later.
	m := f.boot(t, "pi", card, pi, "systemd.unit=basic.target systemd.default_timeout_start_sec=600")
	m.ready(10 * time.Minute)
	m.log("there is a shell")
	m.do(15*time.Minute, "until [ -c /dev/ttyUSB0 ] && [ -c /dev/gpiochip0 ]; do sleep 1; done; udevadm settle")
	if on := m.do(time.Minute, "tr -d '\\0' </proc/device-tree/model; echo"); on != "Raspberry Pi 3 Model B" {
		t.Errorf("Linux runs on %q", on)
	}
	out, code := m.try(10*time.Minute, "runuser -u tableside -- tableside doctor --try --config /etc/tableside/pi.toml")
	m.log("doctor --try ended with %s:\n%s", code, out)
	for _, line := range []string{
		`(?m)^ok    configuration  /etc/tableside/pi.toml`,
		`(?m)^ok    reader red +PN532 1\.6, 0 tags on it`,
		// QEMU's pins have no pull-up, so the key's line reads as pressed.
		`(?m)^(ok|FAIL) +keys .*(held|heard|pressed)`,
	} {
		if !regexp.MustCompile(line).MatchString(out) {
			t.Errorf("doctor does not say %s", line)
		}
	}
}
