package mqtt

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"tableside/engine"
)

var (
	errRefused = errors.New("user or password refused")
	errTLS     = errors.New("TLS handshake")
	errMute    = errors.New("no answer as an MQTT broker")
	errLost    = errors.New("connection lost")
	errFlooded = errors.New("too many answers wait to be sent")
	errRenamed = errors.New("the table has another name")
)

// A subscribeRefusedError reports that the broker does not let the table subscribe.
type subscribeRefusedError struct{ topic string }

func (e *subscribeRefusedError) Error() string { return "subscription refused: " + e.topic }

// A shutOutError reports that a message that the table published did not come
// back to it.
type shutOutError struct{ topic string }

func (e *shutOutError) Error() string { return "what was published did not come back: " + e.topic }

// A refusedError holds a broker's own reason for a refusal.
type refusedError struct{ reason error }

func (e *refusedError) Error() string { return "the connection is refused: " + e.reason.Error() }

func (e *refusedError) Unwrap() error { return e.reason }

// A problem says why a table does not reach its broker.
type problem struct {
	health engine.Health
	key    string // of the catalogue; key + "-fix" is what to do
	pairs  []any
}

// blame reports to Config.Health why there is no connection.
func (l *link) blame(err error) {
	p := l.diagnose(err)
	l.report(p.health, p.key, p.pairs...)
}

// diagnose returns the problem behind an error, with what people can do about it.
func (l *link) diagnose(err error) problem {
	var (
		untrusted *tls.CertificateVerificationError
		subscribe *subscribeRefusedError
		giant     *tooLargeError
		shut      *shutOutError
	)
	switch {
	case errors.Is(err, errRefused):
		return problem{engine.Broken, "mqtt.refused", nil}
	case errors.As(err, &untrusted):
		return l.diagnoseCertificate(untrusted.Err)
	case errors.Is(err, errTLS):
		return problem{engine.Degraded, "mqtt.no-tls", []any{"reason", reason(err)}}
	case errors.As(err, &subscribe):
		return problem{engine.Broken, "mqtt.deaf", []any{"topic", subscribe.topic}}
	case errors.As(err, &shut):
		return l.shutOut(shut.topic)
	case errors.As(err, &giant):
		return problem{engine.Degraded, "mqtt.giant", giant.pairs()}
	case errors.Is(err, errFlooded):
		return problem{engine.Degraded, "mqtt.flooded", nil}
	case errors.Is(err, errMute):
		return problem{engine.Degraded, "mqtt.mute", nil}
	case errors.Is(err, errLost):
		return problem{engine.Degraded, "mqtt.lost", []any{"reason", reason(err)}}
	}
	return problem{engine.Degraded, "mqtt.unreachable", []any{"reason", reason(err)}}
}

func (l *link) diagnoseCertificate(err error) problem {
	var (
		invalid x509.CertificateInvalidError
		name    x509.HostnameError
		unknown x509.UnknownAuthorityError
	)
	now := time.Now()
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && now.Before(invalid.Cert.NotBefore):
		return problem{engine.Broken, "mqtt.certificate-early", []any{"date", day(invalid.Cert.NotBefore), "now", day(now)}}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return problem{engine.Broken, "mqtt.certificate-expired", []any{"date", day(invalid.Cert.NotAfter), "now", day(now)}}
	case errors.As(err, &name):
		return problem{engine.Broken, "mqtt.certificate-name", []any{"host", name.Host, "names", namesOf(name.Certificate)}}
	case errors.As(err, &unknown) && l.cfg.CAFile != "":
		return problem{engine.Broken, "mqtt.certificate-other", []any{"file", l.cfg.CAFile}}
	case errors.As(err, &unknown):
		return problem{engine.Broken, "mqtt.certificate-unknown", nil}
	}
	return problem{engine.Broken, "mqtt.certificate", []any{"reason", err.Error()}}
}

// shutOut returns the problem of a user who may connect but not use a topic.
func (l *link) shutOut(topic string) problem {
	prefix, _, _ := strings.Cut(strings.TrimPrefix(topic, "tableside/"), "/")
	pairs := []any{"topic", topic, "all", "tableside/" + prefix + "/#", "user", l.cfg.User}
	if l.cfg.User == "" {
		return problem{engine.Broken, "mqtt.shut-out-anonymous", pairs}
	}
	return problem{engine.Broken, "mqtt.shut-out", pairs}
}

func (e *tooLargeError) pairs() []any {
	topic := e.topic
	switch {
	case topic == "":
		topic = "?"
	case len(topic) > maxID:
		topic = strings.ToValidUTF8(topic[:maxID], "") + "…"
	}
	return []any{"n", e.size, "most", maxPacket, "topic", topic}
}

// day formats a time so that people can compare it with a clock.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// namesOf lists the names that a certificate is for.
func namesOf(cert *x509.Certificate) string {
	names := cert.DNSNames
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return fmt.Sprintf("%q", cert.Subject.CommonName)
	}
	return strings.Join(names, ", ")
}

// reason returns the part of an error's text that helps people. If err wraps an error of the
// network or of the broker, reason returns the text of the wrapped error alone. Otherwise it
// returns the whole text of err.
func reason(err error) string {
	var op *net.OpError
	var refused *refusedError
	switch {
	case errors.As(err, &op):
		return op.Err.Error()
	case errors.As(err, &refused):
		return refused.Error()
	}
	return err.Error()
}
