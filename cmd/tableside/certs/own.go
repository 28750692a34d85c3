package certs

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
)

const (
	day = 24 * time.Hour

	// leafLife is how long a certificate of the page is valid. It is below the 398 days that
	// iPhones accept (Apple HT211025), and below the 200 days of the CA/Browser Forum since
	// March 2026.
	leafLife      = 180 * day
	renewBefore   = 60 * day
	authorityLife = 20 * 365 * day
	// backdating is how far back the beginning of a new certificate is dated, because clocks of
	// phones differ.
	backdating = day
	// recheck is the time between two checks of a certificate. A check compares it with the
	// machine's names and addresses, or looks whether its files have changed.
	recheck = time.Minute
)

// OwnConfig describes the certificate that a table makes for itself.
type OwnConfig struct {
	Data  string // the data folder; the keys are in its folder "tls"
	Table string // name of the table, which phones show
	Hosts func() Hosts
	Now   func() time.Time
	Log   *slog.Logger
}

// ForTable returns the configuration for a table on this computer. Browsers may also reach the
// table's page under the names in hosts.
func ForTable(data, table string, hosts []string, log *slog.Logger) OwnConfig {
	machine := func() Hosts { return ThisMachine(hosts) }
	return OwnConfig{Data: data, Table: table, Hosts: machine, Now: time.Now, Log: log}
}

// An OwnIssuer makes the certificate of the page, and signs the certificate with the table's
// own authority. The certificate and its key are in one file, so that the two always fit each
// other. The authority and its key are in another file.
type OwnIssuer struct {
	config    OwnConfig
	authority tls.Certificate

	mu      sync.Mutex
	leaf    *tls.Certificate
	checked time.Time // when the names and addresses were last compared
}

// Folder returns the folder that holds the certificates and keys, given the data folder.
func Folder(data string) string { return filepath.Join(data, "tls") }

func authorityFile(data string) string { return filepath.Join(Folder(data), "authority.pem") }
func leafFile(data string) string      { return filepath.Join(Folder(data), "page.pem") }

// hasAuthority reports false only if there is no file: a file that cannot be read is a fault.
func hasAuthority(data string) bool {
	_, err := os.Stat(authorityFile(data))
	return !errors.Is(err, fs.ErrNotExist)
}

// OpenOwn reads the authority and the certificate of the page. It makes the authority or the
// certificate if the file is missing. It replaces a certificate that is damaged or that
// another authority has signed. It never replaces an authority, because phones trust the
// authority. If the authority is damaged, OpenOwn fails.
func OpenOwn(c OwnConfig) (*OwnIssuer, error) {
	o := &OwnIssuer{config: c}
	if err := os.MkdirAll(Folder(c.Data), 0o700); err != nil {
		return nil, &config.Error{File: Folder(c.Data), Reason: config.Reason(err)}
	}
	var err error
	if hasAuthority(c.Data) {
		o.authority, err = readPair(authorityFile(c.Data))
	} else {
		o.authority, err = o.makeAuthority()
	}
	if err != nil {
		return nil, err
	}
	if !o.authority.Leaf.IsCA {
		return nil, &config.Error{File: authorityFile(c.Data), Reason: "is no authority", Hint: newAuthority(c.Data)}
	}
	leaf, err := readPair(leafFile(c.Data))
	if err == nil && leaf.Leaf.CheckSignatureFrom(o.authority.Leaf) == nil {
		o.leaf = &leaf
	}
	if _, err := o.GetCertificate(nil); err != nil { // the first one is made before anybody asks
		return nil, err
	}
	for _, host := range o.uncovered() {
		c.Log.Warn("the authority of the page was made for other names", "not for", host, "hint", newAuthority(c.Data))
	}
	return o, nil
}

func newAuthority(data string) string {
	return "delete the folder " + Folder(data) + " and start the table again: it makes a new authority, " +
		"which each phone has to trust once more"
}

// Authority returns the certificate of the authority, as DER.
func (o *OwnIssuer) Authority() []byte { return o.authority.Leaf.Raw }

// GetCertificate returns the certificate of the page, for tls.Config. It makes another one if the
// old one ends within 60 days (renewBefore) and another would last longer, or if it lacks a name or
// an IPv4 address of the machine or the address that a browser uses. Names and addresses for which
// the authority may not sign do not count.
func (o *OwnIssuer) GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now, local := o.config.Now(), ""
	if hello != nil && hello.Conn != nil {
		local, _, _ = net.SplitHostPort(hello.Conn.LocalAddr().String())
	}
	if o.isUsable(now, local) {
		return o.leaf, nil
	}
	leaf, err := o.makeLeaf(now, local)
	if err != nil {
		return nil, err
	}
	o.leaf, o.checked = &leaf, now
	return o.leaf, nil
}

// isUsable reports whether the current certificate can be used for a connection to an address of
// this machine, which is "" where nobody knows it.
//
// A certificate that begins in the future is usable, too, because this machine's clock may be
// wrong. Until a Raspberry Pi gets the time from the network, its clock is slow. The clocks of
// the phones are right.
func (o *OwnIssuer) isUsable(now time.Time, local string) bool {
	if o.leaf == nil || now.After(o.leaf.Leaf.NotAfter.Add(-renewBefore)) && o.leaf.Leaf.NotAfter.Before(o.endOf(now)) {
		return false
	}
	lacks := func(host string) bool { return o.may(host) && o.leaf.Leaf.VerifyHostname(host) != nil }
	if lacks(local) {
		return false
	}
	if now.Before(o.checked.Add(recheck)) && !now.Before(o.checked) {
		return true
	}
	o.checked = now
	// An IPv6 address of the machine may be a temporary one: it needs no new certificate until
	// somebody uses it.
	return !slices.ContainsFunc(o.config.Hosts(), func(host string) bool { return !strings.Contains(host, ":") && lacks(host) })
}

// endOf returns the end of a certificate that begins at the given time. The end is never after
// the end of the authority.
func (o *OwnIssuer) endOf(start time.Time) time.Time {
	if end := start.Add(leafLife); end.Before(o.authority.Leaf.NotAfter) {
		return end
	}
	return o.authority.Leaf.NotAfter
}

// uncovered returns the names and addresses of the machine for which the authority may not sign.
func (o *OwnIssuer) uncovered() []string { return slices.DeleteFunc(o.config.Hosts(), o.may) }

func (o *OwnIssuer) may(host string) bool {
	if ip := net.ParseIP(host); ip != nil {
		return inRanges(o.authority.Leaf.PermittedIPRanges, ip)
	}
	return slices.ContainsFunc(o.authority.Leaf.PermittedDNSDomains, func(domain string) bool {
		return host == domain || strings.HasSuffix(host, "."+domain)
	})
}

// makeAuthority makes and writes an authority that may sign for this machine only
// (RFC 5280, section 4.2.1.10).
func (o *OwnIssuer) makeAuthority() (tls.Certificate, error) {
	now, h := o.config.Now(), o.config.Hosts()
	names, _ := h.split()
	return write(authorityFile(o.config.Data), &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Tableside " + o.config.Table, Organization: []string{"Tableside"}},
		NotBefore: now.Add(-backdating), NotAfter: now.Add(authorityLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
		KeyUsage:                    x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		ExtKeyUsage:                 []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		PermittedDNSDomainsCritical: true,
		PermittedDNSDomains:         names,
		PermittedIPRanges:           h.ranges(),
	}, nil)
}

// makeLeaf makes and writes a certificate of the page, for the names and addresses of the machine
// and the address that a browser has used, as far as the authority may sign for them. A certificate
// that cannot be written is returned, too.
func (o *OwnIssuer) makeLeaf(now time.Time, local string) (tls.Certificate, error) {
	h := o.config.Hosts()
	h.add(local)
	names, addrs := slices.DeleteFunc(h, func(host string) bool { return !o.may(host) }).split()
	template := &x509.Certificate{
		Subject:   pkix.Name{CommonName: "Tableside " + o.config.Table},
		NotBefore: now.Add(-backdating), NotAfter: o.endOf(now),
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:              names,
		IPAddresses:           addrs,
	}
	leaf, err := write(leafFile(o.config.Data), template, &o.authority)
	if p, ok := err.(*config.Error); ok && leaf.Leaf != nil { // the page works even if the disk is full
		o.config.Log.Warn("the certificate of the page is not kept", "file", p.File, "error", p.Reason)
		return leaf, nil
	}
	if err == nil {
		o.config.Log.Info("the page has a new certificate", "until", template.NotAfter.Format(time.DateOnly),
			"for", strings.Join(hosts(leaf.Leaf), " "))
	}
	return leaf, err
}

func hosts(c *x509.Certificate) []string {
	all := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		all = append(all, ip.String())
	}
	return all
}

func ended(c *x509.Certificate, now time.Time) error {
	switch {
	case now.After(c.NotAfter):
		return fmt.Errorf("ended on %s", c.NotAfter.Format(time.DateOnly))
	case now.Before(c.NotBefore):
		return fmt.Errorf("begins on %s only, and the clock reads %s", c.NotBefore.Format(time.DateOnly),
			now.Format(time.DateOnly))
	}
	return nil
}
