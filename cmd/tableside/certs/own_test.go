package certs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tableside/cmd/tableside/config"
)

// A bench makes certificates of a machine whose clock and names a test sets.
type bench struct {
	OwnConfig
	now   time.Time
	hosts Hosts
}

func newBench(t *testing.T) *bench {
	b := &bench{now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
	b.hosts.add("Raspberry")
	b.hosts.add("raspberry.local")
	b.hosts.add("192.168.1.5")
	b.OwnConfig = OwnConfig{Data: t.TempDir(), Table: "club", Hosts: func() Hosts { return slices.Clone(b.hosts) },
		Now: func() time.Time { return b.now }, Log: slog.New(slog.DiscardHandler)}
	return b
}

func (b *bench) open(t *testing.T) *OwnIssuer {
	t.Helper()
	o, err := OpenOwn(b.OwnConfig)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// leaf returns the certificate for a connection to an address.
func leaf(t *testing.T, o *OwnIssuer, local string) *x509.Certificate {
	t.Helper()
	hello := &tls.ClientHelloInfo{}
	if local != "" {
		hello.Conn = connTo{addr: &net.TCPAddr{IP: net.ParseIP(local), Port: 8080}}
	}
	c, err := o.GetCertificate(hello)
	if err != nil {
		t.Fatal(err)
	}
	return c.Leaf
}

type connTo struct {
	net.Conn
	addr net.Addr
}

func (c connTo) LocalAddr() net.Addr { return c.addr }

// TestOwnAsPhonesRequire tests what iOS and Android require of a certificate, with
// the verification of Go, and that the keys are for the table's user only.
func TestOwnAsPhonesRequire(t *testing.T) {
	b := newBench(t)
	o := b.open(t)
	c := leaf(t, o, "")
	roots := x509.NewCertPool()
	roots.AddCert(o.authority.Leaf)
	for _, name := range []string{"raspberry", "raspberry.local", "192.168.1.5"} {
		if _, err := c.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: b.now}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if life := c.NotAfter.Sub(c.NotBefore); life > 200*day {
		t.Errorf("valid for %v", life)
	}
	if len(c.ExtKeyUsage) != 1 || c.ExtKeyUsage[0] != x509.ExtKeyUsageServerAuth || c.IsCA ||
		c.PublicKeyAlgorithm != x509.ECDSA {
		t.Errorf("usages %v, authority %v, %v", c.ExtKeyUsage, c.IsCA, c.PublicKeyAlgorithm)
	}
	for _, file := range []string{authorityFile(b.Data), leafFile(b.Data)} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", file, info.Mode(), err)
		}
	}
	if info, err := os.Stat(Folder(b.Data)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v %v", info.Mode(), err)
	}
	if bytes.Contains(o.Authority(), []byte("PRIVATE")) {
		t.Error("what is served has the key")
	}
}

// TestAuthorityIsLimited tests that a stolen authority is good for this machine only:
// what it signs for others does not verify.
func TestAuthorityIsLimited(t *testing.T) {
	b := newBench(t)
	o := b.open(t)
	roots := x509.NewCertPool()
	roots.AddCert(o.authority.Leaf)
	for name, want := range map[string]bool{"raspberry.local": true, "10.1.2.3": true, "fd00::7": true,
		"bank.example": false, "other.local": false, "8.8.8.8": false, "2001:db8::1": false} {
		thief := &OwnIssuer{config: o.config, authority: o.authority}
		thief.authority.Leaf = unlimited(*o.authority.Leaf)
		thief.config.Data = t.TempDir()
		if err := os.Mkdir(Folder(thief.config.Data), 0o700); err != nil {
			t.Fatal(err)
		}
		thief.config.Hosts = func() Hosts { var h Hosts; h.add(name); return h }
		c, err := thief.makeLeaf(b.now, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name, CurrentTime: b.now})
		if (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
		if !want && !strings.Contains(err.Error(), "not permitted") {
			t.Errorf("%s is refused for another reason: %v", name, err)
		}
	}
}

func unlimited(c x509.Certificate) *x509.Certificate {
	c.PermittedDNSDomains = []string{"example", "local"}
	c.PermittedIPRanges = []*net.IPNet{{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)},
		{IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)}}
	return &c
}

// TestRenewal tests when there is another certificate, and that the authority stays.
func TestRenewal(t *testing.T) {
	b := newBench(t)
	o := b.open(t)
	authority, first := o.Authority(), leaf(t, o, "192.168.1.5")
	same := func(why string) {
		t.Helper()
		if c := leaf(t, o, "192.168.1.5"); !c.Equal(first) {
			t.Errorf("%s: another certificate, until %v", why, c.NotAfter)
		}
	}
	another := func(why, local, host string) {
		t.Helper()
		c := leaf(t, o, local)
		if c.Equal(first) || c.VerifyHostname(host) != nil || b.now.After(c.NotAfter.Add(-renewBefore)) {
			t.Errorf("%s: until %v, for %v", why, c.NotAfter, hosts(c))
		}
		first = c
	}
	b.now = b.now.Add(100 * day)
	same("in time")
	o = b.open(t)
	same("after a restart")
	b.now = b.now.Add(25 * day)
	another("60 days before its end", "192.168.1.5", "192.168.1.5")

	b.hosts.add("192.168.1.6")
	b.hosts.add("fd00::1234")
	another("a connection to a new address", "192.168.1.6", "192.168.1.6")
	b.hosts.add("192.168.1.7")
	same("a new address within the minute")
	b.now = b.now.Add(2 * recheck)
	another("a new address, a minute later", "", "192.168.1.7")
	b.hosts.add("fd00::5678")
	b.now = b.now.Add(2 * recheck)
	same("a temporary address of IPv6")
	b.hosts.add("renamed")
	b.hosts.add("8.8.8.8")
	b.now = b.now.Add(2 * recheck)
	same("a name and an address that the authority may not sign")
	_, _, err := CheckOwn(b.OwnConfig)
	if err == nil || !strings.Contains(err.Error(), "not for renamed, 8.8.8.8") {
		t.Errorf("doctor: %v", err)
	}
	b.now = b.now.Add(-1000 * day)
	same("a clock in the past")
	b.now = b.now.Add(1000*day + authorityLife - leafLife/2)
	if c := leaf(t, o, ""); c.NotAfter.After(o.authority.Leaf.NotAfter) {
		t.Errorf("until %v, after the authority", c.NotAfter)
	}
	if !bytes.Equal(authority, b.open(t).Authority()) {
		t.Error("another authority")
	}
}

// TestOwnFiles tests that a damaged certificate is made again, that a damaged
// authority never is, and that a full disk stops nobody.
func TestOwnFiles(t *testing.T) {
	b := newBench(t)
	o := b.open(t)
	if err := os.WriteFile(leafFile(b.Data), []byte("-----BEGIN"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c := leaf(t, b.open(t), ""); c.Equal(leaf(t, o, "")) || c.CheckSignatureFrom(o.authority.Leaf) != nil {
		t.Errorf("after damage: %v", c.Subject)
	}
	if err := os.Chmod(authorityFile(b.Data), 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := CheckOwn(b.OwnConfig)
	if err == nil || !strings.Contains(err.Error(), "others on this machine can read the key") {
		t.Errorf("doctor, of an open key: %v", err)
	}
	if err := os.RemoveAll(Folder(b.Data)); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(150 * day)
	if c := leaf(t, o, ""); !c.NotAfter.After(b.now.Add(renewBefore)) {
		t.Errorf("without its folder: until %v", c.NotAfter)
	}
	if err := os.MkdirAll(Folder(b.Data), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(authorityFile(b.Data), []byte("mouse"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = OpenOwn(b.OwnConfig)
	if err == nil || err.Error() != authorityFile(b.Data)+": is damaged" {
		t.Errorf("a damaged authority: %v", err)
	}
}

// TestFiles tests a certificate from elsewhere: it is read again when it is renewed,
// and mistakes have the name of the file that is wrong.
func TestFiles(t *testing.T) {
	b := newBench(t)
	b.open(t)
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	renew := func(changed time.Time) {
		t.Helper()
		if err := os.RemoveAll(leafFile(b.Data)); err != nil {
			t.Fatal(err)
		}
		leaf(t, b.open(t), "")
		text, err := os.ReadFile(leafFile(b.Data))
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(text, []byte("-----BEGIN PRIVATE"))
		for name, part := range map[string][]byte{cert: text[:at], key: text[at:]} {
			if err := os.WriteFile(name, part, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(name, changed, changed); err != nil {
				t.Fatal(err)
			}
		}
	}
	renew(b.now)
	f, err := OpenFiles(cert, key, b.Now, b.Log)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := f.GetCertificate(nil)
	renew(b.now.Add(time.Second))
	if c, _ := f.GetCertificate(nil); c != first {
		t.Error("the files are read at each handshake")
	}
	b.now = b.now.Add(recheck)
	second, _ := f.GetCertificate(nil)
	if second == first {
		t.Error("the renewed files are not read")
	}
	if err := os.WriteFile(cert, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(recheck)
	if c, _ := f.GetCertificate(nil); c != second {
		t.Error("a damaged file takes the certificate away")
	}
	renew(b.now)
	if name := Name(cert); name != "raspberry" {
		t.Errorf("its name: %q", name)
	}
	together := filepath.Join(dir, "together.pem") // a single file, with the key first
	keyText, err := os.ReadFile(key)
	certText, err2 := os.ReadFile(cert)
	if err := errors.Join(err, err2, os.WriteFile(together, slices.Concat(keyText, certText), 0o600)); err != nil {
		t.Fatal(err)
	}
	if name := Name(together); name != "raspberry" {
		t.Errorf("its name in one file with the key: %q", name)
	}
	if text, _, err := CheckFiles(cert, key, b.now); err != nil ||
		!strings.Contains(text, "until 2027-05-21, for raspberry, raspberry.local, 192.168.1.5") {
		t.Errorf("doctor: %q %v", text, err)
	}
	own, gone := leafFile(b.Data), filepath.Join(dir, "gone")
	renewOther := filepath.Join(dir, "authority.pem")
	if text, err := os.ReadFile(authorityFile(b.Data)); err != nil || os.WriteFile(renewOther, text, 0o600) != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cert, key string
		now       time.Time
		want      string
	}{
		{gone, key, b.now, gone + ": no such file or directory"},
		{cert, gone, b.now, gone + ": no such file or directory"},
		{key, cert, b.now, key + ": has no certificate in PEM"},
		{cert, cert, b.now, cert + ": has no private key in PEM"},
		{cert, renewOther, b.now, renewOther + ": is not the key of the certificate in " + cert},
		{own, own, b.now.Add(175 * day), own + ": ends on 2027-05-21"},
		{own, own, b.now.Add(200 * day), own + ": ended on 2027-05-21"},
	} {
		_, _, err := CheckFiles(c.cert, c.key, c.now)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if p, ok := err.(*config.Error); ok && p.Hint == "" {
			t.Errorf("%v: nothing to do about it", err)
		}
	}
}

// TestEndedFiles tests that a certificate from elsewhere that has ended is still served,
// with one line in the log that says so: a browser may go on, and the match does.
func TestEndedFiles(t *testing.T) {
	b := newBench(t)
	leaf(t, b.open(t), "")
	var log bytes.Buffer
	later := func() time.Time { return b.now.Add(200 * 24 * time.Hour) }
	f, err := OpenFiles(leafFile(b.Data), leafFile(b.Data), later, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := f.GetCertificate(nil); err != nil || c == nil {
		t.Errorf("%v, %v", c, err)
	}
	if said := log.String(); strings.Count(said, "\n") != 1 ||
		!strings.Contains(said, "browsers will refuse the certificate") || !strings.Contains(said, "ended on 2027-05-21") {
		t.Errorf("the log says %s", said)
	}
}
