package certs

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Problem describes why a file cannot be used, and what to do about it.
type Problem struct {
	File, Reason string
	Fix          string // what to do; "" where unknown
	err          error
}

func (p *Problem) Error() string { return p.File + ": " + p.Reason }

// Hint returns advice about the problem, or "" if no advice is known.
func (p *Problem) Hint() string { return p.Fix }

// Unwrap returns the error of the file system; nil if there was none.
func (p *Problem) Unwrap() error { return p.err }

// write makes the certificate that the template describes. The key of the parent signs the
// certificate. If the parent is nil, the certificate's own key signs it. write puts the
// certificate and the key into one file. If write cannot write the file, it returns both the
// certificate and a *Problem.
func (o *OwnIssuer) write(file string, key *ecdsa.PrivateKey, template *x509.Certificate,
	parent *tls.Certificate) (tls.Certificate, error) {
	issuer, signer := template, any(key)
	if parent != nil {
		issuer, signer = parent.Leaf, parent.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, &key.PublicKey, signer)
	if err != nil {
		return tls.Certificate{}, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, err
	}
	var text bytes.Buffer
	_ = pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: der}) // writing to a buffer never fails
	_ = pem.Encode(&text, &pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	pair, err := tls.X509KeyPair(text.Bytes(), text.Bytes())
	if err != nil {
		return tls.Certificate{}, err
	}
	if err := replace(file, text.Bytes()); err != nil {
		return pair, &Problem{File: file, Reason: reason(err), err: err}
	}
	return pair, nil
}

// replace writes a file as a whole or not at all. Only the user who runs the program can read
// the file.
func replace(file string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// readPair reads a certificate and its key from one file, which the table itself has made.
func readPair(file string) (tls.Certificate, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return tls.Certificate{}, &Problem{File: file, Reason: reason(err), err: err,
			Fix: "only the table's own user reads it"}
	}
	pair, err := tls.X509KeyPair(data, data)
	if err != nil {
		return pair, &Problem{File: file, Reason: "is damaged", Fix: newAuthority(filepath.Dir(filepath.Dir(file)))}
	}
	return pair, nil
}

// reason returns a text that says why a file cannot be used. The text does not contain the
// file's name.
func reason(err error) string {
	var file *fs.PathError
	if errors.As(err, &file) {
		return file.Err.Error()
	}
	return err.Error()
}
