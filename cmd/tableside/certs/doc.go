// Package certs keeps the certificate of the page: Own makes and renews one of the
// table's own, with an authority that phones can trust, and Files reads one from
// elsewhere. docs/decisions/0016-a-secure-page.md explains the choices.
package certs
