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
	"sync"
	"sync/atomic"
	"time"

	"tableside/engine"
)

// Config holds the settings of a client.
type Config struct {
	Broker         string // "tcp://127.0.0.1:1883", or "ssl://host:8883" for TLS
	User, Password string // "" if the broker needs none
	CAFile         string // PEM; the authority of the broker's certificate, "" for the system's
	Table          string // names the topics; a frame that names another table renames them
	Lang           engine.Lang

	// For Home Assistant:
	Discovery string // the prefix of its discovery, usually DefaultDiscovery; "" announces nothing
	Version   string // of the program
	Page      string // "http://192.168.1.5:8080/", without a token; "" if no other machine can reach it
	Panel     bool   // whether ShowPanel will be called
	Games     []Game // games that can be begun
	// Last returns the match that was played last, for the next one.
	Last func() (engine.MatchInfo, bool)

	// Input takes an input line into the match, Order a match command. They are
	// called one at a time, in the order of arrival. nil accepts none.
	Input func(context.Context, engine.Input) engine.Receipt
	Order func(context.Context, engine.Order) engine.Receipt
	// Tap and Lift take what another device has read: a tag that was put on a place, or
	// taken off it. They are called in the same order.
	Tap, Lift func(ctx context.Context, place, read string) engine.Receipt
	// Presence receives the state of such a device: "online", "offline", or "" if its
	// message was cleared. It must not block; nil is not called.
	Presence func(place, state string)

	// Health is called with the state of the connection whenever that changes.
	// It must not block; nil is not called.
	Health func(engine.Part)

	// Dial opens the connection to the broker; nil means the system's network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	Log *slog.Logger // nil drops it
}

// PartName is the client's name among the parts whose health is reported.
const PartName = "broker"

// A Client keeps a broker in step with the newest frame. It publishes only
// while it is connected and keeps no backlog: only the newest state is ever
// sent, and events that happened while the broker was away are lost.
type Client struct {
	cfg    Config
	url    *url.URL
	tls    *tls.Config // nil for plain TCP
	log    *slog.Logger
	words  engine.Words
	box    mailbox
	inbox  chan command
	seq    atomic.Int64  // of the newest frame, for answers to commands that reach no match
	played chan struct{} // holds one when the match went on

	choice choice

	// Of Run's goroutine:
	shown   *engine.Frame // the newest
	ledger  ledger        // messages that the broker retains
	home    home
	health  engine.Part
	giants  giants // messages that were too large to read
	unheard int    // sessions in a row that ended before they received their own message
	delays  delays

	given answers // of work's goroutine
}

// Delays holds how long a session waits for something or between two checks; tests
// shorten them.
type delays struct {
	dial   time.Duration // to connect, and again to be accepted
	echo   time.Duration // to receive what the session itself published
	review time.Duration // between two checks of things that went wrong
	giant  time.Duration // until a message that was too large is forgotten
}

// maxCommands limits the commands that wait for the match.
const maxCommands = 256

// New returns a client, which Run starts. An error says what is wrong with the
// configuration.
func New(cfg Config) (*Client, error) {
	c := &Client{cfg: cfg, log: cfg.Log, words: engine.Merge(engine.CoreWords(), Words()),
		box: newMailbox(), inbox: make(chan command, maxCommands), played: make(chan struct{}, 1),
		ledger: ledger{}, home: newHome(), choice: choice{games: cfg.Games, last: cfg.Last}, giants: giants{},
		delays: delays{dial: dialTimeout, echo: 4 * time.Second, review: 5 * time.Second, giant: time.Minute}}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	if c.cfg.Lang == "" {
		c.cfg.Lang = engine.English
	}
	if err := CheckDiscovery(cfg.Discovery); err != nil {
		return nil, fmt.Errorf("mqtt: discovery: %w", err)
	}
	var err error
	if c.url, err = parseBroker(cfg.Broker); err != nil {
		return nil, err
	}
	switch c.url.Scheme {
	case "ssl":
		c.tls = &tls.Config{ServerName: c.url.Hostname(), MinVersion: tls.VersionTLS12}
		if cfg.CAFile != "" {
			if c.tls.RootCAs, err = readAuthorities(cfg.CAFile); err != nil {
				return nil, err
			}
		}
	case "tcp":
		if cfg.CAFile != "" {
			return nil, fmt.Errorf("mqtt: a CA file needs a broker that begins with ssl://, not %s", c.url.Redacted())
		}
	}
	return c, nil
}

// parseBroker reads "tcp://host:1883", "ssl://host:8883", the synonyms mqtt
// and mqtts, and a lone "host:port".
func parseBroker(s string) (*url.URL, error) {
	if !strings.Contains(s, "://") {
		s = "tcp://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("mqtt: the broker is not an address such as tcp://127.0.0.1:1883 or ssl://host:8883")
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
		var path *fs.PathError
		if errors.As(err, &path) {
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

// Show hands over the newest frame and returns at once.
func (c *Client) Show(_ context.Context, f engine.Frame) {
	if f.View.Table == "" {
		f.View.Table = c.cfg.Table
	}
	if seq := int64(f.View.Seq); c.seq.Swap(seq) != seq {
		select {
		case c.played <- struct{}{}:
		default:
		}
	}
	c.box.show(f)
}

// Back-off between attempts to connect doubles, up to a few seconds. An input
// triggers an attempt at once.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 5 * time.Second
	settled   = 5 * time.Second // a connection that lasted this long resets the back-off
)

// Run connects to the broker, again and again, until the context ends. Then it
// publishes that the table is offline, and returns when everything it started
// has ended.
func (c *Client) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { c.work(ctx) })

	c.report(engine.Degraded, "mqtt.connecting")
	wait := firstWait
	for ctx.Err() == nil {
		began := time.Now()
		err := c.attend(ctx)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errRenamed) {
			continue
		}
		if time.Since(began) > settled {
			wait = firstWait
		}
		c.log.Warn("mqtt: no connection", "broker", c.url.Redacted(), "error", err, "wait", wait)
		c.pause(ctx, wait, !errors.Is(err, errRefused))
		wait = min(2*wait, lastWait)
	}
}

// pause waits between two attempts to connect; if hasty is set, an input ends the wait.
func (c *Client) pause(ctx context.Context, wait time.Duration, hasty bool) {
	least, most := time.NewTimer(firstWait), time.NewTimer(wait)
	defer least.Stop()
	defer most.Stop()
	select {
	case <-ctx.Done():
		return
	case <-least.C:
	}
	played := c.played
	if !hasty {
		played = nil
	}
	select {
	case <-ctx.Done():
	case <-most.C:
	case <-played:
	}
}

// attend connects once and stays until the connection is lost.
func (c *Client) attend(ctx context.Context) error {
	s, err := c.connect(ctx)
	if err == nil {
		err = s.run(ctx)
	}
	if ctx.Err() == nil && !errors.Is(err, errRenamed) {
		c.blame(err)
	}
	return err
}

// report passes the state of the connection to Config.Health if it has changed, with
// the text of a key and, if the catalogue has it, the text that says what to do.
func (c *Client) report(health engine.Health, key string, pairs ...any) {
	part := engine.Part{Name: PartName, Health: health}
	if key != "" {
		what, fix := c.explain(key, pairs...)
		part.Reason = what
		if fix != "" {
			part.Reason += ". " + fix
		}
	}
	if part == c.health {
		return
	}
	c.health = part
	if c.cfg.Health != nil {
		c.cfg.Health(part)
	}
}

// explain returns the text of a key, and the text that says what to do about it, or "".
func (c *Client) explain(key string, pairs ...any) (what, fix string) {
	text := engine.T(key, append(pairs, "broker", c.url.Redacted())...)
	what = c.words.Say(c.cfg.Lang, text, nil)
	if _, ok := c.words[key+"-fix"]; ok {
		text.Key += "-fix"
		fix = c.words.Say(c.cfg.Lang, text, nil)
	}
	return what, fix
}
