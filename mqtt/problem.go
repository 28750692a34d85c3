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
	errLost    = errors.New("connection lost")
	errRenamed = errors.New("the table has another name")
)

// A problem is an error that says to people why a table does not reach its broker.
type problem struct {
	broken bool   // somebody has to act; else trying again may help
	key    string // of the catalogue; key + "-fix" is what to do
	pairs  []any
}

func (p *problem) Error() string { return fmt.Sprint(append([]any{p.key, " "}, p.pairs...)...) }

func deaf(topic string) error { return &problem{true, "mqtt.deaf", []any{"topic", topic}} }

// shutOut is the problem that a message that the table published does not come back to it.
func (l *link) shutOut(topic string) *problem {
	prefix, _, _ := strings.Cut(strings.TrimPrefix(topic, "tableside/"), "/")
	key := "mqtt.shut-out"
	if l.cfg.User == "" {
		key += "-anonymous"
	}
	return &problem{true, key, []any{"topic", topic, "all", "tableside/" + prefix + "/#", "user", l.cfg.User}}
}

func (l *link) diagnose(err error) *problem {
	var p *problem
	var giant *tooLargeError
	key := "mqtt.unreachable"
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &giant):
		return giant.problem()
	case errors.Is(err, errLost):
		key = "mqtt.lost"
	}
	return &problem{key: key, pairs: []any{"reason", reason(err)}}
}

func (l *link) tlsProblem(err error) *problem {
	var (
		untrusted *tls.CertificateVerificationError
		invalid   x509.CertificateInvalidError
		name      x509.HostnameError
		unknown   x509.UnknownAuthorityError
	)
	now := time.Now()
	switch {
	case !errors.As(err, &untrusted):
		return &problem{key: "mqtt.no-tls", pairs: []any{"reason", reason(err)}}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && now.Before(invalid.Cert.NotBefore):
		return &problem{true, "mqtt.certificate-early", []any{"date", day(invalid.Cert.NotBefore), "now", day(now)}}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return &problem{true, "mqtt.certificate-expired", []any{"date", day(invalid.Cert.NotAfter), "now", day(now)}}
	case errors.As(err, &name):
		return &problem{true, "mqtt.certificate-name", []any{"host", name.Host, "names", namesOf(name.Certificate)}}
	case errors.As(err, &unknown) && l.cfg.CAFile != "":
		return &problem{true, "mqtt.certificate-other", []any{"file", l.cfg.CAFile}}
	case errors.As(err, &unknown):
		return &problem{true, "mqtt.certificate-unknown", nil}
	}
	return &problem{true, "mqtt.certificate", []any{"reason", untrusted.Err.Error()}}
}

func (e *tooLargeError) problem() *problem {
	topic := e.topic
	switch {
	case topic == "":
		topic = "?"
	case len(topic) > maxID:
		topic = strings.ToValidUTF8(topic[:maxID], "") + "…"
	}
	return &problem{key: "mqtt.giant", pairs: []any{"n", e.size, "most", maxPacket, "topic", topic}}
}

// day formats a time so that people can compare it with a clock.
func day(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

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

// reason returns the part of an error's text that helps people: of an error of the network what the
// system says.
func reason(err error) string {
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Err.Error()
	}
	return err.Error()
}

// report passes the state of the connection to Config.Health if the state has changed. p is nil
// while all is well.
func (l *link) report(p *problem) {
	part := engine.Part{Name: PartName, Health: engine.OK}
	if p != nil {
		part.Health = engine.Degraded
		if p.broken {
			part.Health = engine.Broken
		}
		part.Reason = l.sentences(p, l.cfg.Lang)
	}
	if part == l.health {
		return
	}
	l.health = part
	if l.cfg.Health != nil {
		l.cfg.Health(part)
	}
}

func (l *link) sentences(p *problem, lang engine.Lang) string {
	what, fix := l.explain(p, lang)
	return strings.TrimSuffix(what+". "+fix, ". ")
}

// explain says what is wrong, and what to do about it if the catalogue knows.
func (l *link) explain(p *problem, lang engine.Lang) (what, fix string) {
	text := engine.T(p.key, append(p.pairs, "broker", l.server().name())...)
	what = l.words.Say(lang, text, nil)
	if l.words.Has(p.key + "-fix") {
		text.Key += "-fix"
		fix = l.words.Say(lang, text, nil)
	}
	return what, fix
}
