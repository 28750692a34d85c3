package doctor

import (
	"log/slog"
	"time"

	"tableside/cmd/tableside/certs"
	"tableside/cmd/tableside/config"
)

// checkCertificate checks the page's certificate. If the page has no TLS, checkCertificate
// adds no finding. If the TLS settings are wrong, an earlier finding says so, and
// checkCertificate adds no other finding.
func (d *doctor) checkCertificate(c config.Config) {
	if !c.HTTP.HasTLS() || c.HTTP.CheckTLS() != nil { // the line about the configuration has it
		return
	}
	var text, how string
	var err error
	if c.HTTP.Cert != "" {
		text, how, err = certs.CheckFiles(c.HTTP.Cert, c.HTTP.Key, time.Now())
	} else {
		silent := slog.New(slog.DiscardHandler)
		text, how, err = certs.CheckOwn(certs.ForTable(c.Table.Data, c.Table.Name, c.HTTP.Hosts, silent))
	}
	if err != nil {
		d.failed("certificate", err, "")
		return
	}
	d.ok("certificate", text, how)
}
