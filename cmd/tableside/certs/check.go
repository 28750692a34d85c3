package certs

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

// renewalMargin is the time for which a certificate from elsewhere must still be valid. If
// less time is left, CheckFiles reports a fault. Such a certificate is usually renewed 30 days
// before its end. If only 14 days are left, the renewal has failed.
const renewalMargin = 14 * day

// CheckOwn examines the table's own authority and certificate. If the authority or the
// certificate is missing, CheckOwn does not make it. The first result is the text that doctor
// prints about the authority and the certificate. The second result describes the evidence for
// this text. If something is wrong, the error is a *Problem.
func CheckOwn(c OwnConfig) (text, how string, err error) {
	o := &OwnIssuer{config: c}
	o.authority, err = readPair(authorityFile(c.Data))
	if errors.Is(err, fs.ErrNotExist) {
		return "the table makes one when it starts", Folder(c.Data) + " has no authority yet", nil
	}
	if err != nil {
		return "", "", err
	}
	for _, file := range []string{authorityFile(c.Data), leafFile(c.Data)} {
		if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o077 != 0 {
			return "", "", &Problem{File: file, Reason: "others on this machine can read the key", Fix: "chmod 600 " + file}
		}
	}
	now := c.Now()
	if err := ended(o.authority.Leaf, now); err != nil {
		return "", "", &Problem{File: authorityFile(c.Data), Reason: err.Error(), Fix: newAuthority(c.Data)}
	}
	if others := o.uncovered(); len(others) > 0 {
		return "", "", &Problem{File: authorityFile(c.Data), Reason: "was made for other names, not for " +
			strings.Join(others, ", "), Fix: "use the page under another name, or " + newAuthority(c.Data)}
	}
	text = fmt.Sprintf("of the table's own; its authority ends on %s", o.authority.Leaf.NotAfter.Format(time.DateOnly))
	leaf, err := readPair(leafFile(c.Data))
	if err == nil {
		text = fmt.Sprintf("of the table's own, until %s and renewed before; its authority ends on %s",
			leaf.Leaf.NotAfter.Format(time.DateOnly), o.authority.Leaf.NotAfter.Format(time.DateOnly))
	}
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
		return "", "", &Problem{File: cert, Reason: err.Error(), Fix: renew}
	}
	until := pair.Leaf.NotAfter.Format(time.DateOnly)
	if now.After(pair.Leaf.NotAfter.Add(-renewalMargin)) {
		return "", "", &Problem{File: cert, Reason: "ends on " + until, Fix: renew}
	}
	if len(hosts(pair.Leaf)) == 0 {
		return "", "", &Problem{File: cert, Reason: "is for no name or address (subjectAltName)",
			Fix: "ask for one with the name of the table: browsers ignore the common name"}
	}
	return "until " + until + ", for " + strings.Join(hosts(pair.Leaf), ", "), "read " + cert + ", and its key fits", nil
}

// Fingerprint returns the first eight bytes of the SHA-256 of a certificate (in DER), in the
// notation that phones use.
func Fingerprint(der []byte) string {
	sum := sha256.Sum256(der)
	text := strings.ToUpper(hex.EncodeToString(sum[:8]))
	var pairs []string
	for i := 0; i < len(text); i += 2 {
		pairs = append(pairs, text[i:i+2])
	}
	return strings.Join(pairs, " ") + " …"
}

// Name returns the first name or address in a certificate file. It skips wildcards. If there
// is no such name, or if the first certificate in the file cannot be read, Name returns "".
func Name(cert string) string {
	data, err := os.ReadFile(cert)
	if err != nil {
		return ""
	}
	block, rest := pem.Decode(data)
	for block != nil && block.Type != "CERTIFICATE" { // the key may be in the same file
		block, rest = pem.Decode(rest)
	}
	if block == nil {
		return ""
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
