package certs

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"

	"tableside/cmd/tableside/config"
	"tableside/device/disk"
)

// write makes the certificate that the template describes, signed by the parent; without one it
// signs itself. Certificate and key are in one file. If that cannot be written, write returns the
// certificate with a *config.Error.
func write(file string, template *x509.Certificate, parent *tls.Certificate) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
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
	if err := disk.ReplacePrivate(file, text.String()); err != nil {
		return pair, &config.Error{File: file, Reason: config.Reason(err)}
	}
	return pair, nil
}

// readPair reads a certificate and its key from one file, which the table itself has made.
func readPair(file string) (tls.Certificate, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return tls.Certificate{}, &config.Error{File: file, Reason: config.Reason(err),
			Hint: "only the table's own user reads it"}
	}
	pair, err := tls.X509KeyPair(data, data)
	if err != nil {
		return pair, &config.Error{File: file, Reason: "is damaged", Hint: newAuthority(filepath.Dir(filepath.Dir(file)))}
	}
	return pair, nil
}
