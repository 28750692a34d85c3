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
	"testing"
	"time"

	"tableside/drivers/nfc"
	"tableside/drivers/pcsc/pcsctest"
)

var cards = flag.Int("cards", 3, "how often cards come and go on the readers of a real pcscd")

// inside is set in the process that has a network and a /run of its own.
const inside = "TABLESIDE_PCSCD_INSIDE"

// TestPcscd tests against Debian's pcscd with two virtual readers (vsmartcard), which
// wait for a card on TCP ports: cards come and go on both, texts are read, and pcscd
// is killed and started again. It runs in a network and with a /run/pcscd of its own,
// because vpcd listens on all addresses.
func TestPcscd(t *testing.T) {
	if testing.Short() {
		t.Skip("an emulated processor cannot start this program again")
	}
	if os.Getenv(inside) == "" {
		alone(t)
		return
	}
	for _, do := range [][]string{
		{"mount", "-t", "tmpfs", "tmpfs", filepath.Dir(Socket)}, {"ip", "link", "set", "lo", "up"},
	} {
		if out, err := exec.Command(do[0], do[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", do, err, out)
		}
	}
	stop := startPcscd(t)
	devs := []*Dev{New(Socket, "00 00"), New(Socket, "00 01")}
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
	startPcscd(t)
	remove := place(t, 0, ntag(4, 1, 2, 3, 4, 5, 6))
	defer remove()
	initAtLast(t, devs[0])
	found(t, devs[0], "04010203040506")
}

// alone runs this test once more, in namespaces of its own.
func alone(t *testing.T) {
	if err := os.MkdirAll(filepath.Dir(Socket), 0o755); err != nil && !errors.Is(err, os.ErrPermission) {
		t.Fatal(err)
	}
	args := []string{"--net", "--mount"}
	if os.Getuid() != 0 {
		args = append(args, "--map-root-user")
	}
	args = append(args, os.Args[0], "-test.run=^TestPcscd$", "-test.v", fmt.Sprintf("-cards=%d", *cards))
	cmd := exec.CommandContext(t.Context(), "unshare", args...)
	cmd.Env = append(os.Environ(), inside+"=1", "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestPcscd") {
		t.Fatalf("%v (make test installs pcscd and vsmartcard-vpcd):\n%s", err, out)
	}
}

// Ports of the virtual readers.
const firstPort = 19620

func startPcscd(t *testing.T) (kill func()) {
	t.Helper()
	configuration := filepath.Join(t.TempDir(), "vpcd.conf")
	text := fmt.Sprintf("FRIENDLYNAME \"Virtual PCD\"\nDEVICENAME /dev/null:0x%X\n"+
		"LIBPATH /usr/lib/pcsc/drivers/serial/libifdvpcd.so\nCHANNELID 0x%[1]X\n", firstPort)
	if err := os.WriteFile(configuration, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(Socket) // a killed pcscd leaves it
	cmd := exec.Command("pcscd", "--foreground", "--config", configuration)
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

// initAtLast initializes a reader: pcscd takes a moment to start.
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
