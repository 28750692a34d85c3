package certs

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"
	"time"

	"tableside/cmd/tableside/config"
)

// renewalMargin is the time for which a certificate from elsewhere must still be valid. If
// less time is left, CheckFiles reports a fault. Such a certificate is usually renewed 30 days
// before its end. If only 14 days are left, the renewal has failed.
const renewalMargin = 14 * day

// CheckOwn examines the table's own authority and certificate. If the authority or the
// certificate is missing, CheckOwn does not make it. The first result is the text that doctor
// prints about the authority and the certificate. The second result describes the evidence for
// this text. If something is wrong, the error is a *config.Error.
func CheckOwn(c OwnConfig) (text, how string, err error) {
	if !hasAuthority(c.Data) {
		return "the table makes one when it starts", Folder(c.Data) + " has no authority yet", nil
	}
	o := &OwnIssuer{config: c}
	if o.authority, err = readPair(authorityFile(c.Data)); err != nil {
		return "", "", err
	}
	for _, file := range []string{authorityFile(c.Data), leafFile(c.Data)} {
		if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
			return "", "", &config.Error{File: file, Reason: "others on this machine can read the key", Hint: "chmod 600 " + file}
		}
	}
	now := c.Now()
	if err := ended(o.authority.Leaf, now); err != nil {
		return "", "", &config.Error{File: authorityFile(c.Data), Reason: err.Error(), Hint: newAuthority(c.Data)}
	}
	if others := o.uncovered(); len(others) > 0 {
		return "", "", &config.Error{File: authorityFile(c.Data), Reason: "was made for other names, not for " +
			strings.Join(others, ", "), Hint: "use the page under another name, or " + newAuthority(c.Data)}
	}
	until := ""
	if leaf, err := readPair(leafFile(c.Data)); err == nil {
		until = ", until " + leaf.Leaf.NotAfter.Format(time.DateOnly) + " and renewed before"
	}
	text = "of the table's own" + until + "; its authority ends on " + o.authority.Leaf.NotAfter.Format(time.DateOnly)
	return text, "read " + Folder(c.Data) + "; the authority's fingerprint is " + Fingerprint(o.Authority()), nil
}

// CheckFiles examines a certificate from elsewhere. The first two arguments name the file with
// the certificate and the file with its key. The results mean the same as the results of
// CheckOwn.
func CheckFiles(cert, key string, now time.Time) (text, how string, err error) {
	pair, err := readFiles(cert, key)
	if err != nil {
		return "", "", err
	}
	const renew = "renew it, and let the new files replace these: the table reads them within a minute"
	if err := ended(pair.Leaf, now); err != nil {
		return "", "", &config.Error{File: cert, Reason: err.Error(), Hint: renew}
	}
	until := pair.Leaf.NotAfter.Format(time.DateOnly)
	if now.After(pair.Leaf.NotAfter.Add(-renewalMargin)) {
		return "", "", &config.Error{File: cert, Reason: "ends on " + until, Hint: renew}
	}
	if len(hosts(pair.Leaf)) == 0 {
		return "", "", &config.Error{File: cert, Reason: "is for no name or address (subjectAltName)",
			Hint: "ask for one with the name of the table: browsers ignore the common name"}
	}
	return "until " + until + ", for " + strings.Join(hosts(pair.Leaf), ", "), "read " + cert + ", and its key fits", nil
}

// Fingerprint returns the first eight bytes of the SHA-256 of a certificate (in DER), in the
// notation that phones use.
func Fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	return fmt.Sprintf("% X …", sum[:8])
}

// Name returns the first name or address in a certificate file, without wildcards; "" if there is
// none.
func Name(cert string) string {
	data, _ := os.ReadFile(cert)
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" { // the key may be in the same file
			continue
		}
		leaf, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return ""
		}
		for _, host := range hosts(leaf) {
			if !strings.HasPrefix(host, "*") {
				return host
			}
		}
		return ""
	}
	return ""
}
