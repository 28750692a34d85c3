package mqtt

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"tableside/engine"
)

// A link holds what [Client] and [Watcher] have in common: it connects to the brokers of a
// configuration. Only one of these brokers is in use at a time.
type link struct {
	cfg    Config
	log    *slog.Logger
	words  engine.Words
	delays delays

	servers []server
	current int // index of the one in use
	health  engine.Part

	skipped func(*tooLargeError) // is called for each message that was left unread
}

// A server is a broker that a configuration names.
type server struct {
	url *url.URL
	tls *tls.Config // nil for plain TCP
}

func (s server) name() string { return s.url.Redacted() }

// delays holds the times for which a session waits for something, and the times between two
// checks. Tests shorten these times.
type delays struct {
	dial        time.Duration // to connect, and as long again to be accepted
	echo        time.Duration // to receive what the session itself published
	review      time.Duration // between two checks of things that went wrong
	alive       time.Duration // between two signs of life
	resubscribe time.Duration // between two subscriptions of a watcher to the same topics
	settle      time.Duration // from a watcher's first subscription to the second
}

// After each round of attempts to connect to all brokers, the program waits. The first wait is
// firstWait long, and each further wait is twice as long as the one before, up to lastWait.
const (
	firstWait         = 250 * time.Millisecond
	lastWait          = 5 * time.Second
	backoffResetAfter = 5 * time.Second // a connection that lasted this long resets the back-off
)

func newLink(cfg Config) (*link, error) {
	l := &link{cfg: cfg, log: cfg.Log, words: engine.Merge(engine.CoreWords(), Words()),
		delays: delays{dial: dialTimeout, echo: 4 * time.Second, review: 5 * time.Second, alive: aliveEvery,
			resubscribe: resubscribeEvery, settle: settleAfter}}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	if l.cfg.Lang == "" {
		l.cfg.Lang = engine.English
	}
	if len(cfg.Brokers) == 0 {
		return nil, errNoAddress
	}
	for _, address := range cfg.Brokers {
		s, err := newServer(address, cfg.CAFile)
		if err != nil {
			return nil, err
		}
		l.servers = append(l.servers, s)
	}
	return l, nil
}

// newServer returns the server at an address. If caFile is not "", it is the PEM file of the
// authority that signed the server's certificate. If caFile is "", the system's authorities
// are trusted. A file for an address without TLS is an error.
func newServer(address, caFile string) (server, error) {
	u, err := parseBroker(address)
	s := server{url: u}
	switch {
	case err != nil:
		return s, err
	case u.Scheme == "ssl":
		s.tls = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}
		if caFile != "" {
			s.tls.RootCAs, err = readAuthorities(caFile)
		}
		return s, err
	case caFile != "":
		return s, fmt.Errorf("mqtt: a CA file needs a broker that begins with ssl://, not %s", s.name())
	}
	return s, nil
}

var errNoAddress = errors.New(
	"mqtt: the broker is not an address such as tcp://127.0.0.1:1883 or ssl://host:8883")

var errLongHost = errors.New("mqtt: the broker's name is too long: a host's name has at most 253 letters")

// longestHost is the length of the longest name of a host (RFC 1035, 2.3.4).
const longestHost = 253

// parseBroker reads the address of a broker, such as "tcp://host:1883" or "ssl://host:8883".
// It also accepts the synonyms mqtt, mqtts and tls, and a "host:port" alone. The result has
// the scheme tcp or ssl, and always has a port.
func parseBroker(s string) (*url.URL, error) {
	if !strings.Contains(s, "://") {
		s = "tcp://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return nil, errNoAddress
	}
	if len(strings.TrimSuffix(u.Hostname(), ".")) > longestHost {
		return nil, errLongHost
	}
	if u.User != nil {
		return nil, errors.New("mqtt: put user and password in mqtt.user and mqtt.password, not in the broker's address")
	}
	port := "1883"
	switch u.Scheme {
	case "tcp", "mqtt":
		u.Scheme = "tcp"
	case "ssl", "tls", "mqtts":
		u.Scheme, port = "ssl", "8883"
	default:
		return nil, fmt.Errorf("mqtt: broker %s: %q is not tcp, mqtt, ssl, tls or mqtts; WebSockets are not supported", u,
			u.Scheme)
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), port)
	}
	return u, nil
}

func readAuthorities(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err
		}
		return nil, fmt.Errorf("mqtt: CA file %s: %w", file, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("mqtt: CA file %s holds no PEM certificate", file)
	}
	return pool, nil
}

func (l *link) server() server { return l.servers[l.current] }

// dial opens a connection to the broker in use, within delays.dial. The connection leaves out
// messages that are too large.
func (l *link) dial(ctx context.Context) (*limitedConn, error) {
	ctx, done := context.WithTimeout(ctx, l.delays.dial)
	defer done()
	open := l.cfg.Dial
	if open == nil {
		open = (&net.Dialer{}).DialContext
	}
	s := l.server()
	conn, err := open(ctx, "tcp", s.url.Host)
	if err != nil {
		return nil, err
	}
	if s.tls != nil {
		secure := tls.Client(conn, s.tls)
		if err := secure.HandshakeContext(ctx); err != nil {
			conn.Close()
			return nil, l.tlsProblem(err)
		}
		conn = secure
	}
	return limit(conn, l.skipped), nil
}

// keepConnected calls attend, which connects once and returns when the connection is lost or fails, again
// and again until the context ends: after each failure with the next broker, and after a round of all
// brokers when it has waited.
func (l *link) keepConnected(ctx context.Context, attend func(context.Context) error) {
	l.report(&problem{key: "mqtt.connecting"})
	failures, nextWait := 0, firstWait
	for ctx.Err() == nil {
		began := time.Now()
		err := attend(ctx)
		if ctx.Err() != nil || errors.Is(err, errRenamed) {
			continue
		}
		if time.Since(began) > backoffResetAfter {
			failures, nextWait = 0, firstWait
		}
		p, broker, wait := l.diagnose(err), l.server().name(), time.Duration(0)
		l.report(p)
		why := l.sentences(p, engine.English)
		l.current = (l.current + 1) % len(l.servers)
		if failures++; failures%len(l.servers) == 0 {
			wait, nextWait = nextWait, min(2*nextWait, lastWait)
		}
		l.log.Warn("mqtt: no connection", "broker", broker, "reason", why, "error", err, "next", l.server().name(),
			"wait", wait)
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
