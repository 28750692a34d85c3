package certs

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tableside/cmd/tableside/config"
)

// A FileCertificate holds a certificate from elsewhere. When the files on the disk change, it
// reads the certificate again, because whoever renews a certificate cannot restart a table in
// the middle of a match.
type FileCertificate struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	checked time.Time
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
	f.current, f.checked = &pair, now()
	return f, nil
}

// GetCertificate returns the certificate, for tls.Config. Once a minute (recheck) it reads the
// files again. If it cannot use them, it returns the old certificate.
func (f *FileCertificate) GetCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	if now.Before(f.checked.Add(recheck)) && !now.Before(f.checked) {
		return f.current, nil
	}
	f.checked = now
	pair, err := readFiles(f.cert, f.key)
	switch {
	case err != nil: // maybe only one of the two is written yet; the next check tries again
		f.log.Warn("the new certificate of the page is not used", "error", err)
	case !slices.EqualFunc(pair.Certificate, f.current.Certificate, bytes.Equal): // with the chain
		f.current = &pair
		f.log.Info("the page has a new certificate", "file", f.cert, "until", pair.Leaf.NotAfter.Format(time.DateOnly))
	}
	return f.current, nil
}

// readFiles reads a certificate and its key from two files. The two file names may be the
// same.
func readFiles(cert, key string) (tls.Certificate, error) {
	var data [2][]byte
	for i, file := range []string{cert, key} {
		var err error
		if data[i], err = os.ReadFile(file); err != nil {
			return tls.Certificate{}, &config.Error{File: file, Reason: config.Reason(err),
				Hint: "http.tls_cert and http.tls_key name files that the table's own user can read (docs/configuration.md)"}
		}
	}
	switch {
	case !bytes.Contains(data[0], []byte("BEGIN CERTIFICATE-----")):
		return tls.Certificate{}, &config.Error{File: cert, Reason: "has no certificate in PEM",
			Hint: "it has a line -----BEGIN CERTIFICATE-----; openssl x509 -inform der -in FILE converts one in DER"}
	case bytes.Contains(data[1], []byte("ENCRYPTED")):
		return tls.Certificate{}, &config.Error{File: key, Reason: "has a password, which nobody enters at a table",
			Hint: "openssl pkey -in FILE writes it without one"}
	case !bytes.Contains(data[1], []byte("PRIVATE KEY-----")):
		return tls.Certificate{}, &config.Error{File: key, Reason: "has no private key in PEM",
			Hint: "it has a line -----BEGIN PRIVATE KEY-----"}
	}
	pair, err := tls.X509KeyPair(data[0], data[1])
	switch {
	case err == nil:
		return pair, nil
	case strings.Contains(err.Error(), "does not match"):
		return pair, &config.Error{File: key, Reason: "is not the key of the certificate in " + cert,
			Hint: "name the two files that were made together; the certificate of the page is the first one in its file"}
	}
	return pair, &config.Error{File: cert, Reason: strings.TrimPrefix(err.Error(), "tls: ")}
}
