//go:build boot

package boot

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"tableside/drivers/nfc/nfctest"
	"tableside/drivers/pn532/pn532test"
	"tableside/mqtt/porttest"
)

// A machine is a computer in QEMU, with an emulated reader on its USB.
type machine struct {
	*testing.T
	disk  *Disk // nil if the board has a card
	field *nfctest.Field
	chip  *pn532test.Chip
	tags  int // laid on the reader so far

	page, broker string // URLs of this machine's ports 8080 and 1883
	console      string // the file with its console output

	shell   net.Conn
	lines   chan string // of the shell
	asked   int
	qemu    *exec.Cmd
	begun   time.Time
	running sync.WaitGroup
	ended   chan struct{}
	dark    atomic.Bool // the power is being cut: missing answers are no errors
}

// A board describes the computer that QEMU emulates.
type board struct {
	args   []string // of QEMU
	append string   // to the kernel's command line
	shell  string   // the terminal of systemd's debug shell
	card   bool     // the disk is an SD card, which QEMU itself serves
}

// virt is QEMU's own board, with a Raspberry Pi 3's processor.
var virt = board{
	args: []string{
		"-M", "virt", "-m", "1024", "-smp", "2",
		"-device", "virtio-rng-pci", "-device", "virtio-serial-pci", "-device", "virtconsole,chardev=shell",
		"-device", "virtio-net-pci,netdev=net,romfile=", "-device", "qemu-xhci",
	},
	append: "console=ttyAMA0 root=/dev/vda net.ifnames=0",
	shell:  "hvc0",
}

// boot starts a machine from a disk, and stops it when the test ends. The files
// that it leaves are named after what.
func (f *files) boot(t *testing.T, what, disk string, b board, more string) *machine {
	t.Helper()
	m := &machine{
		T: t, field: new(nfctest.Field), console: filepath.Join(f.folder, what+".console"),
		lines: make(chan string, 1000), begun: time.Now(), ended: make(chan struct{}),
	}
	m.chip = pn532test.New(m.field)
	pty, err := m.chip.PTY()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pty.Close() })

	sockets := t.TempDir()
	shell := listen(t, filepath.Join(sockets, "shell"))
	drive := listen(t, filepath.Join(sockets, "disk"))
	args := append(slices.Clone(b.args),
		"-cpu", "cortex-a53", "-accel", "tcg,thread=multi",
		"-nodefaults", "-display", "none", "-no-reboot",
		"-kernel", filepath.Join(f.debian, "vmlinuz"), "-initrd", filepath.Join(f.debian, "initrd"),
		// There must be no login on the shell's terminal.
		"-append", strings.Join([]string{
			b.append, "panic=-1 systemd.debug_shell=" + b.shell, "systemd.mask=serial-getty@" + b.shell + ".service", more,
		}, " "),
		"-chardev", "socket,id=shell,path="+shell.Addr().String(),
		"-chardev", "serial,id=reader,path="+pty.Path(), "-device", "usb-serial,chardev=reader",
	)
	if b.card {
		m.console = strings.TrimSuffix(m.console, ".console") + ".shell" // they share a port
		args = append(args, "-dtb", filepath.Join(f.debian, "bcm2837-rpi-3-b.dtb"), "-drive", "if=sd,format=raw,file="+disk)
	} else {
		if m.disk, err = OpenDisk(disk); err != nil {
			t.Fatal(err)
		}
		m.disk.Lying = f.lying
		t.Cleanup(func() { m.disk.Close() })
		page, broker := fmt.Sprint("127.0.0.1:", porttest.Pick()), fmt.Sprint("127.0.0.1:", porttest.Pick())
		m.page, m.broker = "http://"+page, "tcp://"+broker
		args = append(args, "-serial", "file:"+m.console,
			"-drive", "file=nbd+unix:///?socket="+drive.Addr().String()+",format=raw,if=virtio,cache=writeback",
			"-netdev", fmt.Sprintf("user,id=net,hostfwd=tcp:%s-:8080,hostfwd=tcp:%s-:1883", page, broker))
	}
	m.qemu = exec.Command("qemu-system-aarch64", args...)
	said, err := os.Create(filepath.Join(f.folder, what+".qemu"))
	if err != nil {
		t.Fatal(err)
	}
	m.qemu.Stdout, m.qemu.Stderr = said, said
	m.qemu.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := m.qemu.Start(); err != nil {
		t.Fatal(err)
	}
	m.running.Go(func() {
		_ = m.qemu.Wait() // usually killed
		said.Close()
		close(m.ended)
	})
	t.Cleanup(m.off)
	m.shell = m.accept(shell)
	m.running.Go(m.hear)
	if !b.card {
		conn := m.accept(drive)
		m.running.Go(func() {
			defer conn.Close()
			if err := m.disk.Serve(conn); err != nil {
				t.Errorf("disk: %v", err)
			}
		})
	}
	return m
}

func listen(t *testing.T, path string) *net.UnixListener {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func (m *machine) accept(l *net.UnixListener) net.Conn {
	m.Helper()
	_ = l.SetDeadline(time.Now().Add(time.Minute))
	conn, err := l.Accept()
	if err != nil {
		m.Fatalf("QEMU did not start: %v; see %s", err, strings.TrimSuffix(m.console, filepath.Ext(m.console))+".qemu")
	}
	return conn
}

// off switches the machine off at once; the disk keeps the flushed data.
func (m *machine) off() {
	if m.disk != nil {
		m.disk.Close()
	}
	_ = m.qemu.Process.Kill()
	m.running.Wait()
}

// shutDown shuts the system down properly, as its owner would.
func (m *machine) shutDown() {
	m.Helper()
	m.do(5*time.Minute, "systemctl poweroff --no-block")
	select {
	case <-m.ended:
	case <-time.After(5 * time.Minute):
		m.Fatalf("it does not switch itself off; see %s", m.console)
	}
	m.running.Wait()
	m.log("it switched itself off")
}

// cut cuts the power, in three of four cases when a flush is requested. When it
// returns, the machine shows nothing more.
func (m *machine) cut(chance *rand.Rand) Counts {
	m.Helper()
	m.dark.Store(true)
	tripped := make(<-chan error)
	if chance.IntN(4) > 0 {
		tripped = m.disk.CutAtFlush(chance)
	}
	var err error
	select {
	case err = <-tripped:
	case <-time.After(time.Second): // no flush came, or the cut does not wait for one
		if err = m.disk.Cut(chance); errors.Is(err, errCut) {
			err = <-tripped
		}
	}
	if err != nil {
		m.Fatal(err)
	}
	_ = m.qemu.Process.Kill()
	m.running.Wait()
	return m.disk.Counts()
}

// log logs a message with the time since the machine started.
func (m *machine) log(format string, args ...any) {
	m.Helper()
	m.Logf("%4.0f s  %s", time.Since(m.begun).Seconds(), fmt.Sprintf(format, args...))
}

// await repeats try until it succeeds.
func (m *machine) await(what string, patience time.Duration, try func() error) {
	m.Helper()
	ctx, cancel := context.WithTimeout(m.Context(), patience)
	defer cancel()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-m.ended:
			m.Fatalf("%s: the machine ended: %v; see %s", what, err, m.console)
		case <-ctx.Done():
			m.Fatalf("%s: not within %v: %v; see %s", what, patience, err, m.console)
		}
	}
}

// web is an HTTP client with a timeout for a slow machine.
var web = &http.Client{Timeout: 20 * time.Second}
