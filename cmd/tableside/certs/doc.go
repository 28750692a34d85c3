// Package certs keeps the certificate of the web page. An [Own] makes and renews a certificate
// of the table's own, with an authority that phones can trust. A [Files] reads a certificate
// from elsewhere. For the reasons, see docs/decisions/0016-a-secure-page.md.
package certs
