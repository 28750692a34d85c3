package mqtt

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tableside/engine"
	"tableside/mqtt/porttest"
)

// A mosquitto runs the most common broker as a process of its own.
type mosquitto struct {
	addr string // host:port
	dir  string
	cmd  *exec.Cmd
	said *bytes.Buffer
}

func tool(t testing.TB, name string) string {
	t.Helper()
	if file, err := exec.LookPath(name); err == nil {
		return file
	}
	for _, dir := range []string{"/usr/sbin", "/usr/local/sbin"} { // not in every user's PATH
		if file, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return file
		}
	}
	t.Fatalf("%s is missing: apt-get install mosquitto mosquitto-clients", name)
	return ""
}

// openDir returns a directory that mosquitto can read: started by root, it
// switches to its own user, which may not read t.TempDir.
func openDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tableside-mosquitto-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func freeAddress() string { return fmt.Sprint("127.0.0.1:", porttest.Pick()) }

// startMosquitto starts a broker with extra lines of configuration. mosquitto does not support
// port 0.
func startMosquitto(t testing.TB, extra ...string) *mosquitto {
	t.Helper()
	m := &mosquitto{addr: freeAddress(), dir: openDir(t)}
	host, port, _ := net.SplitHostPort(m.addr)
	conf := fmt.Sprintf("listener %s %s\npersistence false\nlog_dest stderr\n%s\n", port, host, strings.Join(extra, "\n"))
	if len(extra) == 0 {
		conf += "allow_anonymous true\n"
	}
	m.write(t, "mosquitto.conf", conf)
	m.start(t)
	t.Cleanup(func() { m.kill() })
	return m
}

func (m *mosquitto) write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(m.dir, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func (m *mosquitto) start(t testing.TB) {
	t.Helper()
	m.said = &bytes.Buffer{}
	m.cmd = exec.Command(tool(t, "mosquitto"), "-c", filepath.Join(m.dir, "mosquitto.conf"))
	m.cmd.Stderr = m.said
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if !poll(func() bool {
		conn, err := net.Dial("tcp", m.addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}) {
		m.kill()
		t.Fatalf("mosquitto does not start:\n%s", m.said)
	}
}

func (m *mosquitto) kill() {
	if m.cmd != nil {
		m.cmd.Process.Kill()
		m.cmd.Wait()
		m.cmd = nil
	}
}

// sub returns the retained messages that mosquitto_sub gets, by topic.
func (m *mosquitto) sub(t testing.TB, args ...string) map[string]string {
	t.Helper()
	host, port, _ := net.SplitHostPort(m.addr)
	args = append([]string{"-h", host, "-p", port, "-t", "tableside/#", "-t", "homeassistant/#", "--retained-only", "-W",
		"1", "-F", "%t %p"}, args...)
	out, err := exec.Command(tool(t, "mosquitto_sub"), args...).Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 27) { // 27: the timeout of -W
		t.Fatalf("mosquitto_sub: %v", err)
	}
	found := map[string]string{}
	for line := range strings.Lines(string(out)) {
		topic, payload, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		found[topic] = payload
	}
	return found
}

func (m *mosquitto) pub(t testing.TB, args ...string) {
	t.Helper()
	host, port, _ := net.SplitHostPort(m.addr)
	if out, err := exec.Command(tool(t, "mosquitto_pub"),
		append([]string{"-h", host, "-p", port, "-q", "1"}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}

// TestMosquittoSub checks that the usual command-line tools get everything retained.
func TestMosquittoSub(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	tb := &table{}
	c := startClient(t, Config{Brokers: []string{m.addr}, Input: tb.input})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	w.has(t, f)
	if got, want := m.sub(t), expected(f); !maps.Equal(got, want) {
		t.Errorf("mosquitto_sub got\n%v\nwant\n%v", got, want)
	}
	m.pub(t, "-t", "tableside/demo/input", "-m", "red tap zombie.1")
	m.pub(t, "-t", "tableside/demo/input", "-m", `{"input":"blue undo","id":"7"}`)
	until(t, "two answers", func() bool { return len(w.results(t, "tableside/demo/input")) == 2 })
	if r := w.results(t, "tableside/demo/input")[1]; r.ID != "7" || r.Outcome != engine.Accepted {
		t.Errorf("%+v", r)
	}
	c.stop()
	until(t, "offline", func() bool { return w.get("tableside/demo/status") == offline })
}

// TestMosquittoKilled kills the broker in the middle of a game and restarts it
// without its data. The table publishes everything retained again, with the
// newest values only, and no old event.
func TestMosquittoKilled(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	c := startClient(t, Config{Brokers: []string{m.addr}})
	f := testFrame(t, engine.English, 0)
	c.Show(context.Background(), f)
	w.has(t, f)
	for range 2 {
		m.kill()
		until(t, "degraded", func() bool { return c.health.last().Health == engine.Degraded })
		for score := range 100 {
			f = testFrame(t, engine.English, score)
			c.Show(context.Background(), f)
		}
		m.start(t)
		w = watch(t, m.addr)
		w.has(t, f)
		c.waitOK(t)
		if n := w.count("tableside/demo/state "); n != 1 {
			t.Errorf("%d states after the broker came back, want the newest only", n)
		}
		if n := w.count("tableside/demo/event/"); n != 0 {
			t.Errorf("%d events came late", n)
		}
		f = testFrame(t, engine.English, 1000)
		c.Show(context.Background(), f)
		w.has(t, f)
		until(t, "the next event", func() bool { return w.count("tableside/demo/event/moved ") == 1 })
	}
}

// TestMosquittoLastWill checks that the last will reports that the program died.
func TestMosquittoLastWill(t *testing.T) {
	t.Parallel()
	m := startMosquitto(t)
	w := watch(t, m.addr)
	c, err := New(Config{Brokers: []string{m.addr}, Table: "demo"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.connect(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if s.announce(context.Background()); s.failed != nil {
		t.Fatal(s.failed)
	}
	until(t, "online", func() bool { return w.get("tableside/demo/status") == online })
	s.net.Close()
	until(t, "offline", func() bool { return w.get("tableside/demo/status") == offline })
	s.Disconnect(100)
}

// Wrong credentials are reported, and the table connects by itself once the
// broker knows them.
func TestMosquittoWrongPassword(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	file := filepath.Join(dir, "passwords")
	password := func(word string) {
		if out, err := exec.Command(tool(t, "mosquitto_passwd"), "-b", "-c", file, "table",
			word).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	password("other")
	m := startMosquitto(t, "allow_anonymous false", "password_file "+file)
	c := startClient(t, Config{Brokers: []string{m.addr}, User: "table", Password: "secret", Lang: engine.French})
	until(t, "failed with a hint", func() bool { return c.health.last().Health == engine.Broken })
	if r := c.health.last().Reason; !strings.Contains(r, "refuse l'utilisateur") || strings.Contains(r, "secret") {
		t.Errorf("reason %q", r)
	}
	password("secret")
	m.kill()
	m.start(t)
	c.waitOK(t)
}

func TestMosquittoTLS(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	ca, cert, key := certificate(t, dir, nil)
	m := startMosquitto(t, "allow_anonymous true", "cafile "+ca, "certfile "+cert, "keyfile "+key)
	untrusting := startClient(t, Config{Brokers: []string{"ssl://" + m.addr}, Table: "untrusting"})
	until(t, "failed: certificate", func() bool {
		p := untrusting.health.last()
		return p.Health == engine.Broken && strings.Contains(p.Reason, "mqtt.ca")
	})
	untrusting.stop()
	plain := startClient(t, Config{Brokers: []string{"tcp://" + m.addr}, Table: "plain"})
	until(t, "degraded: plain TCP to a TLS port", func() bool {
		p := plain.health.last()
		return p.Health == engine.Degraded && strings.Contains(p.Reason, "does not answer as an MQTT broker")
	})
	plain.stop()
	c := startClient(t, Config{Brokers: []string{"ssl://" + m.addr}, CAFile: ca})
	f := testFrame(t, engine.English, 7)
	c.Show(context.Background(), f)
	c.waitOK(t)
	want := expected(f)
	until(t, "the state over TLS", func() bool { return maps.Equal(m.sub(t, "--cafile", ca), want) })
}

// certificate makes an authority and a certificate for 127.0.0.1, which change
// may alter.
func certificate(t testing.TB, dir string, change func(*x509.Certificate)) (ca, cert, key string) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, kind string, der []byte) string {
		file := filepath.Join(dir, name)
		check(os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o644))
		return file
	}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey)
	check(err)
	ca = write("ca.pem", "CERTIFICATE", der)
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	server := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "broker"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if change != nil {
		change(server)
	}
	der, err = x509.CreateCertificate(rand.Reader, server, authority, &serverKey.PublicKey, authorityKey)
	check(err)
	cert = write("server.pem", "CERTIFICATE", der)
	der, err = x509.MarshalPKCS8PrivateKey(serverKey)
	check(err)
	return ca, cert, write("server.key", "PRIVATE KEY", der)
}
