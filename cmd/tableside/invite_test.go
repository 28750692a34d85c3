package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/mqtt/porttest"
)

// An invitee is a client of a broker with a user and a password.
type invitee struct {
	paho.Client
	lost chan error

	mu    sync.Mutex
	heard []string // topics
}

func newInvitee(addr, user, password string) *invitee {
	g := &invitee{lost: make(chan error, 1)}
	g.Client = paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + addr).SetClientID("guest-" + user).
		SetUsername(user).SetPassword(password).SetProtocolVersion(4).SetAutoReconnect(false).
		SetConnectionLostHandler(func(_ paho.Client, err error) { g.lost <- err }).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.heard = append(g.heard, m.Topic())
		}))
	return g
}

// enter connects an invitee, who must be let in.
func enter(t *testing.T, addr, user, password string) *invitee {
	t.Helper()
	g := newInvitee(addr, user, password)
	g.ask(t, g.Connect())
	t.Cleanup(func() { g.Disconnect(100) })
	return g
}

func (g *invitee) ask(t *testing.T, token paho.Token) {
	t.Helper()
	if !token.WaitTimeout(20*time.Second) || token.Error() != nil {
		t.Fatalf("the broker does not answer: %v", token.Error())
	}
}

// hears waits for a topic, and returns all that came until then.
func (g *invitee) hears(t *testing.T, topic string) string {
	t.Helper()
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); time.Sleep(2 * time.Millisecond) {
		g.mu.Lock()
		all := strings.Join(g.heard, " ")
		g.mu.Unlock()
		if strings.HasSuffix(all, topic) {
			return all
		}
	}
	t.Fatalf("%s was not heard", topic)
	return ""
}

// refused checks that the broker does not let somebody in.
func refused(t *testing.T, addr, user, password string) {
	t.Helper()
	if token := newInvitee(addr, user, password).Connect(); !token.WaitTimeout(20*time.Second) || token.Error() == nil {
		t.Errorf("%q is let in with the password %q", user, password)
	}
}

// invites runs "hall invite", which must succeed, and returns what it prints.
func invites(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := speak(t, "", append([]string{"hall", "invite"}, args...)...)
	if code != exitDone || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	return out
}

// TestInvite checks with mosquitto, with the lines for its configuration that the command
// prints, what tables may do that are invited, invited again, and not any more.
func TestInvite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, into := filepath.Join(dir, "hall"), filepath.Join(dir, "into")
	if err := os.Mkdir(into, 0o700); err != nil {
		t.Fatal(err)
	}
	password := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
		return strings.TrimSuffix(string(text), "\n")
	}
	told := invites(t, "one", "two", "--data", data, "--out", into, "--discovery", "homeassistant")
	_, conf, _ := strings.Cut(told, "mosquitto.conf:\n\n")
	conf, _, found := strings.Cut(conf, "\n\n")
	if !found {
		t.Fatalf("the command prints no configuration for mosquitto:\n%s", told)
	}
	addr, reload := startStrictMosquitto(t, conf)
	hall := enter(t, addr, "hall", password(filepath.Join(data, "hall-password")))
	hall.ask(t, hall.SubscribeMultiple(map[string]byte{"tableside/+/status": 1, "tableside/+/input": 1}, nil))
	keyOne, keyTwo := password(filepath.Join(into, "one.password")), password(filepath.Join(into, "two.password"))
	one, two := enter(t, addr, "one", keyOne), enter(t, addr, "two", keyTwo)
	two.ask(t, two.Subscribe("#", 1, nil))
	for _, topic := range []string{"tableside/two/status", "tableside-hall/hall/two/kept", "tableside/one/input",
		"homeassistant/device/tableside_two/config", "homeassistant/status", "tableside/one/status"} {
		one.ask(t, one.Publish(topic, 1, false, "x"))
	}
	two.ask(t, two.Publish("homeassistant/device/tableside_two/config", 1, false, "x"))
	if all := hall.hears(t, "tableside/one/status"); all != "tableside/one/status" {
		t.Errorf("the hall hears %s", all)
	}
	if all := two.hears(t, "homeassistant/device/tableside_two/config"); strings.Contains(all, " ") {
		t.Errorf("two hears %s", all)
	}
	refused(t, addr, "one", keyTwo)
	refused(t, addr, "three", keyOne)
	refused(t, addr, "", "")

	broker := filepath.Join(data, "broker")
	passwords, err := os.ReadFile(filepath.Join(broker, "passwords"))
	if err != nil {
		t.Fatal(err)
	}
	_, hash, _ := strings.Cut(string(passwords), "two:")
	for name, text := range map[string]string{"passwords.own": "homeassistant:" + strings.TrimSpace(hash),
		"access.own": "user homeassistant\ntopic read tableside/#"} {
		if err := os.WriteFile(filepath.Join(broker, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	invites(t, "--remove", "one", "--data", data)
	invites(t, "--again", "two", "--data", data, "--out", into)
	reload()
	for _, gone := range []*invitee{one, two} {
		select {
		case <-gone.lost:
		case <-time.After(20 * time.Second):
			t.Error("who was let in with a password that is not valid any more stays connected")
		}
	}
	refused(t, addr, "one", keyOne)
	refused(t, addr, "two", keyTwo)
	own := enter(t, addr, "homeassistant", keyTwo)
	own.ask(t, own.Subscribe("#", 1, nil))
	two = enter(t, addr, "two", password(filepath.Join(into, "two.password")))
	for _, topic := range []string{"tableside/one/status", "homeassistant/device/tableside_two/config",
		"tableside/two/status"} {
		two.ask(t, two.Publish(topic, 1, false, "x"))
	}
	if all := hall.hears(t, "tableside/two/status"); all != "tableside/one/status tableside/two/status" {
		t.Errorf("the hall hears %s", all)
	}
	if all := own.hears(t, "tableside/two/status"); all != "tableside/two/status" {
		t.Errorf("Home Assistant hears %s", all)
	}
	if told := invites(t, "--data", data); strings.Contains(told, "one ") || !strings.Contains(told, "two ") {
		t.Errorf("the list is\n%s", told)
	}
}

// startStrictMosquitto starts a broker that lets in only whom its configuration names, and
// returns what makes it read its files again.
func startStrictMosquitto(t *testing.T, conf string) (addr string, reload func()) {
	t.Helper()
	addr = "127.0.0.1:" + strconv.Itoa(porttest.Pick())
	_, port, _ := net.SplitHostPort(addr)
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	text := "listener " + port + " 127.0.0.1\nuser root\n" + conf + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bin, err := exec.LookPath("mosquitto")
	if err != nil {
		bin = "/usr/sbin/mosquitto" // not in every user's PATH
	}
	cmd := exec.Command(bin, "-c", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return addr, func() { _ = cmd.Process.Signal(syscall.SIGHUP) }
		}
		if time.Now().After(limit) {
			t.Fatal("mosquitto does not answer")
		}
	}
}
