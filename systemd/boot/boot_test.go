//go:build boot

package boot

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tableside/device"
	"tableside/drivers/nfc"
	"tableside/drivers/nfc/nfctest"
	"tableside/engine"
)

// The configuration of the table in the machine. It polls slowly: emulation is 30
// times slower than a Raspberry Pi, and a reader that answers late is reset.
const configuration = `
[table]
name = "boot"
[http]
listen = "0.0.0.0:8080"
[mqtt]
embedded = "0.0.0.0:1883"
user = "` + user + `"
password = "` + user + `"
[game]
name = "tally/score"
seats = ["red", "blue"]
options = { target = "3" }
[[readers]]
name = "red"
seat = "red"
chip = "pn532"
serial = "/dev/ttyUSB0"
poll = "500ms"
`

// files holds the paths of the files that .ci/boot built and of those that the
// tests leave.
type files struct {
	debian  string // folder of kernel, initrd, device tree and disk
	deb     string // our package
	folder  string // of this package's tests
	disk    string // of the machine that runs the table
	version string
	lying   bool // the disk drops flushes
}

// progress records the work of a package's tests so far, and the data that must
// be on its disk.
type progress struct {
	Cuts int // cuts without a loss
	Seen int // inputs of the match shown before the last cut
	Red  int // those by tags: the highest score seen
	Blue int // those by MQTT: the highest score seen

	Writes, Flushes, Kept, Lost int // of all disks: see Counts
	Seconds                     int // that the cuts took
}

func openFiles(t *testing.T) *files {
	t.Helper()
	f := &files{debian: os.Getenv("TABLESIDE_BOOT"), deb: os.Getenv("TABLESIDE_DEB")}
	if f.debian == "" || f.deb == "" {
		t.Fatal("these tests are started by .ci/boot")
	}
	data, err := os.ReadFile(f.deb)
	if err != nil {
		t.Fatal(err)
	}
	f.version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f.deb), "tableside_"), "_arm64.deb")
	// Two builds may have one version, and what one passed says nothing of the other.
	f.folder = filepath.Join(filepath.Dir(f.debian), fmt.Sprintf("package-%s-%.6x", f.version, sha256.Sum256(data)))
	f.disk = filepath.Join(f.folder, "disk")
	if err := os.MkdirAll(f.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return f
}

// lie switches to a copy of the machine, in a folder of its own, whose disk drops
// flushes. Its cuts do not count for the machine itself.
func (f *files) lie(t *testing.T) {
	t.Helper()
	p := f.load(t)
	p.Cuts = 0
	from := f.disk
	f.lying, f.folder = true, filepath.Join(f.folder, "lying")
	f.disk = filepath.Join(f.folder, "disk")
	if err := os.MkdirAll(f.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	tool(t, "cp", "--sparse=always", from, f.disk)
	f.save(t, p)
}

func (f *files) load(t *testing.T) (p progress) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(f.folder, "progress.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return p
	}
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (f *files) save(t *testing.T, p progress) {
	t.Helper()
	data, err := json.Marshal(p)
	if err == nil {
		err = os.WriteFile(filepath.Join(f.folder, "progress.json"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// put writes files to a disk that no machine uses; pairs alternate path and
// content.
func put(t *testing.T, disk string, pairs ...string) {
	t.Helper()
	from := filepath.Join(t.TempDir(), "file")
	for i := 0; i < len(pairs); i += 2 {
		if err := os.WriteFile(from, []byte(pairs[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
		tool(t, "debugfs", "-w", "-R", "write "+from+" "+pairs[i], disk)
		if out := tool(t, "debugfs", "-R", "stat "+pairs[i], disk); !strings.Contains(out, "Type: regular") {
			t.Fatalf("%s was not written: %s", pairs[i], out)
		}
	}
}

// tag returns a sticker that presses the key plus. Each has its own UID, because
// the same one would first have to be away for eight polls.
func (m *machine) tag() *nfctest.Tag {
	m.Helper()
	m.tags++
	uid, err := nfc.NewUID([]byte{0x04, 0xb0, 7, 0, 0, byte(m.tags >> 8), byte(m.tags)})
	if err != nil {
		m.Fatal(err)
	}
	n := nfctest.NewNTAG213(uid)
	if err := n.SetText(device.Meaning{Kind: device.KeyTag, Name: "plus"}.TagText()); err != nil {
		m.Fatal(err)
	}
	return n
}

// TestWhole installs the package on Debian, plays a match by tags, kills the
// program in the middle, and begins the long match that TestCuts uses.
func TestWhole(t *testing.T) {
	f := openFiles(t)
	if p := f.load(t); p.Cuts > 0 || p.Seen > 0 {
		t.Logf("%s is installed, and %d cuts are done: delete %s to begin again", f.version, p.Cuts, f.folder)
		return
	}
	deb, err := os.ReadFile(f.deb)
	if err != nil {
		t.Fatal(err)
	}
	tool(t, "cp", "--sparse=always", filepath.Join(f.debian, "disk"), f.disk)
	put(t, f.disk, "/root/tableside.deb", string(deb), "/root/tableside.toml", configuration)

	m := f.boot(t, "whole", f.disk, virt, "")
	m.ready(5 * time.Minute)
	m.log("there is a shell")
	// While the emulated processors are busy, systemd may leave the question
	// unanswered: systemctl then gives up after 25 seconds and says "unknown".
	m.do(20*time.Minute, `until [ "$(systemctl is-system-running --wait)" != unknown ]; do sleep 2; done; `+
		"systemctl is-system-running")
	m.log("Debian is up: %s", m.do(time.Minute, "uname -srm"))
	m.do(10*time.Minute, "dpkg -i /root/tableside.deb")
	m.log("the package is installed")
	m.quick()
	m.do(5*time.Minute, "cp /root/tableside.toml /etc/tableside/ && systemctl restart tableside")
	w := m.watch(3 * time.Minute)
	m.looks(w)
	m.log("the table runs with its configuration")

	m.tap(w, 1)
	m.tap(w, 2)
	m.log("two tags were laid on: %+v", m.chip.Wire())
	m.do(time.Minute, "systemctl kill -s KILL tableside")
	m.log("the program was killed")
	w = m.watch(3 * time.Minute)
	m.looks(w)
	w.until("the match after a kill", time.Minute, func(v engine.View) bool { return v.Seq >= 2 })
	if v := w.last(); score(v, "red") != 2 {
		t.Fatalf("after the kill red has %d, want 2", score(v, "red"))
	}
	m.log("it goes on by itself")
	m.tap(w, 3)
	w.until("the end of the match", time.Minute, func(v engine.View) bool {
		return slices.Equal(v.Winners, []engine.Seat{"red"})
	})
	m.log("red wins by tags alone")

	begin := `{"id":"begin","do":"begin",
		"setup":{"game":"tally/score","seats":[{"seat":"red"},{"seat":"blue"}],"options":{"turns":"off"}}}`
	if a, err := w.send(t.Context(), "match", "begin", begin); err != nil || a.Outcome != engine.Accepted {
		t.Fatalf("begin: %+v, %v", a, err)
	}
	w.until("the long match", time.Minute, func(v engine.View) bool { return v.Seq == 0 && len(v.Winners) == 0 })
	m.tap(w, 1)
	m.log("%s",
		m.do(time.Minute, "systemctl show -p NRestarts,MemoryPeak tableside; systemd-analyze; systemctl --failed --plain"))
	m.shutDown()
	f.save(t, progress{Seen: 1, Red: 1})
}

// score returns a seat's score, or -1 if there is none.
func score(v engine.View, seat engine.Seat) int {
	s := v.Seat(seat)
	if s == nil {
		return -1
	}
	n, ok := s.Counters.Get("score")
	if !ok {
		return -1
	}
	return n
}

// quick fails the test unless our udev rule has reduced the latency of the
// reader's adapter. QEMU's is an FT232BM, which starts with 16 ms.
func (m *machine) quick() {
	m.Helper()
	m.do(2*time.Minute, "until [ -e /sys/bus/usb-serial/devices/ttyUSB0/latency_timer ]; do sleep 1; done; udevadm settle")
	if got := m.do(time.Minute, "cat /sys/bus/usb-serial/devices/ttyUSB0/latency_timer"); got != "1" {
		m.Errorf("latency_timer of the reader's adapter: got %s ms, want 1", got)
	}
}

// looks waits until the reader has polled its empty field: a tag that is present
// when the program starts is not a tap. The page says that the reader works when its
// first clean poll is over; the frames show that it goes on polling.
func (m *machine) looks(w *watcher) {
	m.Helper()
	m.await("the reader's first poll", 2*time.Minute, func() error { return w.healthy("reader") })
	from := m.field.Frames()
	m.await("the reader looks", 2*time.Minute, func() error {
		if n := m.field.Frames() - from; n < 6 {
			return fmt.Errorf("%d frames", n)
		}
		return nil
	})
}

// tap lays another tag on the reader, until red has this score.
func (m *machine) tap(w *watcher, want int) {
	m.Helper()
	n := m.tag()
	m.field.Put(n)
	defer m.field.Take(n)
	what := "a tag on the reader: red has " + strconv.Itoa(want)
	w.until(what, 2*time.Minute, func(v engine.View) bool { return score(v, "red") >= want })
	if got := score(w.last(), "red"); got != want {
		m.Fatalf("red has %d, want %d", got, want)
	}
	m.log("a tag was laid on: red has %d", want)
}
