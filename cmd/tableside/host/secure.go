package host

import (
	"crypto/tls"
	"time"

	"tableside/cmd/tableside/certs"
	"tableside/display/web"
)

// secure gives the page its certificate, if the configuration wants TLS.
func (h *Host) secure(page *web.Config) error {
	c := h.Config.HTTP
	var get func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	switch {
	case !c.HasTLS():
		return nil
	case c.Cert != "":
		files, err := certs.OpenFiles(c.Cert, c.Key, time.Now, h.Log)
		if err != nil {
			return err
		}
		get = files.GetCertificate
	default:
		own, err := certs.OpenOwn(certs.ForTable(h.Config.Table.Data, h.Config.Table.Name, c.Hosts, h.Log))
		if err != nil {
			return err
		}
		get, page.Authority = own.GetCertificate, own.Authority()
	}
	// The page speaks no HTTP/2, which would make the program half a megabyte larger.
	page.TLS = &tls.Config{GetCertificate: get, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	return nil
}
