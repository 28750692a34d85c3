package certs

import (
	"crypto/tls"
	"encoding/pem"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// A FileCertificate holds a certificate from elsewhere. When the files on the disk change, it
// reads the certificate again, because whoever renews a certificate cannot restart a table in
// the middle of a match.
type FileCertificate struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu       sync.Mutex
	current  *tls.Certificate
	modTimes [2]time.Time // of cert and key
	checked  time.Time
}

// OpenFiles reads a certificate and its key from two files. The certificate may be followed by
// the chain that leads to its authority. If the certificate has ended or has not begun,
// OpenFiles only logs a warning.
func OpenFiles(cert, key string, now func() time.Time, log *slog.Logger) (*FileCertificate, error) {
	f := &FileCertificate{cert: cert, key: key, now: now, log: log}
	pair, err := readFiles(cert, key)
	if err != nil {
		return nil, err
	}
	if err := ended(pair.Leaf, now()); err != nil {
		log.Warn("browsers will refuse the certificate of the page", "file", cert, "error", err)
	}
	f.current, f.modTimes, f.checked = &pair, f.readModTimes(), now()
	return f, nil
}

// GetCertificate returns the certificate, for tls.Config. At most once a minute (recheck) it
// checks whether the files have changed. If it cannot use the new files, it returns the old
// certificate.
func (f *FileCertificate) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Before(f.checked.Add(recheck)) && !now.Before(f.checked) {
		return f.current, nil
	}
	f.checked = now
	modTimes := f.readModTimes()
	if modTimes == f.modTimes {
		return f.current, nil
	}
	pair, err := readFiles(f.cert, f.key)
	if err != nil { // maybe only one of the two is written yet; the next check tries again
		f.log.Warn("the new certificate of the page is not used", "error", err)
		return f.current, nil
	}
	f.current, f.modTimes = &pair, modTimes
	f.log.Info("the page has a new certificate", "file", f.cert, "until", pair.Leaf.NotAfter.Format(time.DateOnly))
	return f.current, nil
}

func (f *FileCertificate) readModTimes() (modTimes [2]time.Time) {
	for i, name := range []string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			modTimes[i] = info.ModTime()
		}
	}
	return modTimes
}

// readFiles reads a certificate and its key from two files. The two file names may be the
// same.
func readFiles(cert, key string) (tls.Certificate, error) {
	var data [2][]byte
	for i, file := range []string{cert, key} {
		var err error
		if data[i], err = os.ReadFile(file); err != nil {
			return tls.Certificate{}, &Problem{File: file, Reason: reason(err), err: err,
				Fix: "http.tls_cert and http.tls_key name files that the table's own user can read (docs/configuration.md)"}
		}
	}
	switch {
	case !hasBlock(data[0], "CERTIFICATE"):
		return tls.Certificate{}, &Problem{File: cert, Reason: "has no certificate in PEM",
			Fix: "it has a line -----BEGIN CERTIFICATE-----; openssl x509 -inform der -in FILE converts one in DER"}
	case hasBlock(data[1], "ENCRYPTED PRIVATE KEY"), strings.Contains(string(data[1]), "Proc-Type: 4,ENCRYPTED"):
		return tls.Certificate{}, &Problem{File: key, Reason: "has a password, which nobody enters at a table",
			Fix: "openssl pkey -in FILE writes it without one"}
	case !hasBlock(data[1], "PRIVATE KEY"):
		return tls.Certificate{}, &Problem{File: key, Reason: "has no private key in PEM",
			Fix: "it has a line -----BEGIN PRIVATE KEY-----"}
	}
	pair, err := tls.X509KeyPair(data[0], data[1])
	switch {
	case err == nil:
		return pair, nil
	case strings.Contains(err.Error(), "does not match"):
		return pair, &Problem{File: key, Reason: "is not the key of the certificate in " + cert,
			Fix: "name the two files that were made together; the certificate of the page is the first one in its file"}
	}
	return pair, &Problem{File: cert, Reason: strings.TrimPrefix(err.Error(), "tls: ")}
}

// hasBlock reports whether a PEM file contains a block of the given kind. In the file, other
// words may stand before the kind. For example, an "EC PRIVATE KEY" is a "PRIVATE KEY".
func hasBlock(data []byte, kind string) bool {
	for {
		block, rest := pem.Decode(data)
		if block == nil {
			return false
		}
		if block.Type == kind || strings.HasSuffix(block.Type, " "+kind) {
			return true
		}
		data = rest
	}
}
