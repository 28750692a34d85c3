package pcsc

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/pcsc/pcsctest"
)

var cards = flag.Int("cards", 3, "how often cards come and go on the readers of a real pcscd")

// inside is set, to the root of the pcscd, in a process that has a network and a /run/pcscd of
// its own.
const inside = "TABLESIDE_PCSCD_INSIDE"

// withPolkit is set where the process inside may become other users.
const withPolkit = "TABLESIDE_PCSCD_POLKIT"

// TestPcscd tests against the pcscd of this machine and against that of Debian 13, which speaks
// another version of the protocol and asks polkit: .ci/tools unpacks its packages into a folder.
// Both have two virtual readers (vsmartcard), which wait for a card on TCP ports: cards come and
// go on both, texts are read, and pcscd is killed and started again. Each runs in a network and
// with a /run/pcscd of its own, because vpcd listens on all addresses.
func TestPcscd(t *testing.T) {
	if testing.Short() {
		t.Skip("an emulated processor cannot start this program again")
	}
	if root := os.Getenv(inside); root != "" {
		testPcscd(t, root)
		return
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	unpacked := filepath.Join(cache, "tableside-pcscd", "root")
	for name, root := range map[string]string{"this machine": "/", "Debian 13": unpacked} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			alone(t, root)
		})
	}
}

func testPcscd(t *testing.T, root string) {
	mount(t, "tmpfs", filepath.Dir(Socket))
	run(t, "ip", "link", "set", "lo", "up")
	polkit := root != "/" && os.Getenv(withPolkit) != ""
	if root != "/" {
		fill(t, root)
	}
	if polkit {
		startPolkit(t, root)
	}
	stop := startPcscd(t, root)
	if polkit {
		testPolkit(t)
	}
	daemon := &Daemon{Socket: Socket}
	devs := []*Dev{New(daemon, "00 00"), New(daemon, "00 01")}
	for i, d := range devs {
		defer func() { _ = d.Halt() }()
		initAtLast(t, d)
		if !strings.Contains(d.Firmware(), "Virtual PCD") {
			t.Errorf("reader %d is %q", i, d.Firmware())
		}
	}
	for n := range *cards {
		for i, d := range devs {
			card := ntag(4, byte(i), byte(n>>8), byte(n), 4, 5, 6)
			remove := place(t, i, card)
			found(t, d, fmt.Sprintf("%X", card.UID))
			uid, _ := nfc.NewUID(card.UID)
			m, err := d.Select(t.Context(), uid)
			if err != nil {
				t.Fatal(err)
			}
			if err := nfc.WriteText(t.Context(), m, "mindbug brain-fly"); err != nil {
				t.Fatal(err)
			}
			if text, err := nfc.ReadText(t.Context(), m); text != "mindbug brain-fly" || err != nil {
				t.Fatalf("got %q (%v)", text, err)
			}
			remove()
			found(t, d, "")
		}
	}
	stop()
	for _, d := range devs {
		if err := untilError(t, d); err == nil {
			t.Error("a killed pcscd goes unnoticed")
		}
	}
	startPcscd(t, root)
	remove := place(t, 0, ntag(4, 1, 2, 3, 4, 5, 6))
	defer remove()
	initAtLast(t, devs[0])
	found(t, devs[0], "04010203040506")
}

// alone runs this test once more, in namespaces of its own.
func alone(t *testing.T, root string) {
	if err := os.MkdirAll(filepath.Dir(Socket), 0o755); err != nil && !errors.Is(err, os.ErrPermission) {
		t.Fatal(err)
	}
	args := []string{"--net", "--mount"}
	env := []string{inside + "=" + root, "PATH=" + os.Getenv("PATH") + ":/usr/sbin:/sbin"}
	if os.Getuid() == 0 {
		env = append(env, withPolkit+"=1")
	} else {
		args = append(args, "--map-root-user")
		t.Log("only root can be several users: no pcscd asks polkit here")
	}
	args = append(args, os.Args[0], "-test.run=^TestPcscd$", "-test.v", fmt.Sprintf("-cards=%d", *cards))
	cmd := exec.CommandContext(t.Context(), "unshare", args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPcscd") {
		t.Fatalf("%v (make test installs pcscd and vsmartcard-vpcd, and unpacks Debian 13's):\n%s", err, out)
	}
}

// Ports of the virtual readers.
const firstPort = 19620

func startPcscd(t *testing.T, root string) (kill func()) {
	t.Helper()
	configuration := filepath.Join(filepath.Dir(Socket), "vpcd.conf") // where both roots have it
	text := fmt.Sprintf("FRIENDLYNAME \"Virtual PCD\"\nDEVICENAME /dev/null:0x%X\n"+
		"LIBPATH /usr/lib/pcsc/drivers/serial/libifdvpcd.so\nCHANNELID 0x%[1]X\n", firstPort)
	if err := os.WriteFile(configuration, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(Socket) // a killed pcscd leaves it
	args := []string{"--foreground", "--config", configuration}
	if root != "/" && os.Getenv(withPolkit) == "" {
		args = append(args, "--disable-polkit")
	}
	return startIn(t, root, "/usr/sbin/pcscd", args...)
}

// startIn starts a program with another root, until the test ends.
func startIn(t *testing.T, root, program string, args ...string) (kill func()) {
	t.Helper()
	cmd := exec.Command("chroot", append([]string{root, program}, args...)...)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	kill = func() {
		once.Do(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
	}
	t.Cleanup(func() {
		kill()
		if t.Failed() {
			t.Log(said.String())
		}
	})
	return kill
}

// Users of the system that fill makes.
const serviceUser, otherUser = 103, 104

// fill makes a system of the unpacked packages in root, with the package's rule for polkit.
func fill(t *testing.T, root string) {
	t.Helper()
	mount(t, "tmpfs", root+"/etc")
	mount(t, "tmpfs", root+"/run")
	for _, folder := range []string{"/dev", "/proc", "/sys", filepath.Dir(Socket)} {
		if err := os.MkdirAll(root+folder, 0o755); err != nil {
			t.Fatal(err)
		}
		run(t, "mount", "--rbind", folder, root+folder)
	}
	rule, err := os.ReadFile("../../systemd/polkit.rules")
	if err != nil {
		t.Fatal(err)
	}
	users := fmt.Sprintf("root:x:0:0::/:\nmessagebus:x:101:0::/:\npolkitd:x:102:0::/:\n"+
		"tableside:x:%d:0::/:\nother:x:%d:0::/:\n",
		serviceUser, otherUser)
	for name, text := range map[string]string{
		"/etc/passwd": users, "/etc/group": "root:x:0:\n",
		"/etc/polkit-1/rules.d/tableside.rules": string(rule),
	} {
		if err := os.MkdirAll(filepath.Dir(root+name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// startPolkit starts polkit and the bus on which pcscd asks it.
func startPolkit(t *testing.T, root string) {
	t.Helper()
	if err := os.Mkdir(root+"/run/dbus", 0o755); err != nil {
		t.Fatal(err)
	}
	startIn(t, root, "/usr/bin/dbus-daemon", "--system", "--nofork", "--nopidfile")
	for end := time.Now().Add(20 * time.Second); ; {
		c, err := net.Dial("unix", root+"/run/dbus/system_bus_socket")
		if err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	startIn(t, root, "/usr/lib/polkit-1/polkitd")
}

// testPolkit checks that pcscd lets the service's user in, once it and polkit have started, and
// no other user.
func testPolkit(t *testing.T) {
	d := New(&Daemon{Socket: Socket}, "00 00")
	as(t, serviceUser, func() { initAtLast(t, d) })
	as(t, otherUser, func() {
		if err := d.Init(t.Context()); !errors.Is(err, errGone) {
			t.Errorf("another user: got %v, want %v", err, errGone)
		}
	})
	remove := place(t, 0, ntag(4, 1, 2, 3, 4, 5, 6))
	defer remove()
	as(t, serviceUser, func() {
		initAtLast(t, d)
		found(t, d, "04010203040506")
	})
	_ = d.Halt()
}

// as calls a function while this process is another user's.
func as(t *testing.T, user int, do func()) {
	t.Helper()
	if err := syscall.Setresuid(user, user, 0); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setresuid(0, 0, 0); err != nil {
			t.Fatal(err)
		}
	}()
	do()
}

func mount(t *testing.T, kind, folder string) {
	t.Helper()
	run(t, "mount", "-t", kind, kind, folder)
}

func run(t *testing.T, command string, args ...string) {
	t.Helper()
	if out, err := exec.Command(command, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v %s", command, args, err, out)
	}
}

func initAtLast(t *testing.T, d *Dev) {
	t.Helper()
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		if err = d.Init(t.Context()); err == nil {
			return
		}
	}
	t.Fatal(err)
}

// found polls until a card is there, or none.
func found(t *testing.T, d *Dev, want string) {
	t.Helper()
	var uids []nfc.UID
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		uids, err = d.Poll(t.Context(), nil)
		got := ""
		for _, uid := range uids {
			got += uid.String()
		}
		if err == nil && got == want {
			return
		}
	}
	t.Fatalf("polls find %v (%v), want %q", uids, err, want)
}

// place lays a card on a virtual reader: vpcd's own protocol, of which a message of one
// byte is a command to the slot, and any other is one to the card.
func place(t *testing.T, slot int, card *pcsctest.Card) (remove func()) {
	t.Helper()
	var c net.Conn
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		if c, err = net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", firstPort+slot)); err == nil {
			break
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			var length [2]byte
			if _, err := io.ReadFull(c, length[:]); err != nil {
				return
			}
			message := make([]byte, binary.BigEndian.Uint16(length[:]))
			if _, err := io.ReadFull(c, message); err != nil {
				return
			}
			answer := card.Answer(message)
			if len(message) == 1 {
				if message[0] != 4 {
					continue // power on, off, and reset have no answer
				}
				answer = atr
			}
			if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
				return
			}
		}
	})
	return func() { _ = c.Close(); serving.Wait() }
}

// atr is what readers answer for a MIFARE Ultralight: PC/SC part 3, 3.1.3.2.3.
var atr = []byte{0x3B, 0x8F, 0x80, 0x01, 0x80, 0x4F, 0x0C, 0xA0, 0, 0, 3, 6, 3, 0, 3, 0, 0, 0, 0, 0x68}
