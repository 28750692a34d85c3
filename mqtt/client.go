package mqtt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tableside/engine"
)

// Config holds the settings of a client.
type Config struct {
	// Brokers lists the addresses of a broker, or of the nodes of a cluster. Examples are
	// "tcp://127.0.0.1:1883", or "ssl://host:8883" for TLS. The client uses one address at
	// a time. If this address fails, the client immediately tries the next one.
	Brokers        []string
	User, Password string // "" if the broker needs none
	CAFile         string // PEM file of the authority of the broker; "" trusts those of the system
	Table          string // names the topics; a frame that names another table renames them
	Lang           engine.Lang

	// For Home Assistant:
	Discovery string // the prefix of its discovery, usually DefaultDiscovery; "" announces nothing
	Version   string // of the program
	Page      string // "http://192.168.1.5:8080/", without a token; "" if no other machine can reach it
	Panel     bool   // whether ShowPanel will be called
	Games     []Game // games that can be begun
	// LastMatch returns the match that was played last, which is the model for the next one;
	// false if there is none. LastMatch may be nil.
	LastMatch func() (engine.MatchInfo, bool)

	// Input applies an input line to the match. Order executes a match command. The client
	// executes one command at a time, in the order of arrival. If a function is nil, the
	// client rejects its commands.
	Input func(context.Context, engine.Input) engine.Receipt
	Order func(context.Context, engine.Order) engine.Receipt
	// Tap is called with a tag that another device has read at a place. Lift is called
	// with a tag that was taken off the place. The client handles these messages and the
	// commands one at a time, in the order of arrival. If a function is nil, the client
	// rejects its messages.
	Tap, Lift func(ctx context.Context, place, read string) engine.Receipt
	// Presence receives the state of a device that reads tags: "online", "offline", or "" if
	// its message was cleared. It must not block; nil is not called.
	Presence func(place, state string)

	// Hall names the hall that the table obeys. If Hall is "", the table obeys none.
	// FromHall receives the messages of this hall to the table, from the topics
	// tableside-hall/<hall>/<table>/<what>.
	//
	// The last argument of FromHall is true if the broker had retained the message. An
	// empty payload means that the broker no longer retains a message. FromHall must not
	// block; a nil FromHall is not called.
	Hall     string
	FromHall func(what string, payload []byte, kept bool)

	// Health is called with the state of the connection whenever that changes.
	// It must not block; nil is not called.
	Health func(engine.Part)

	// Dial opens the connection to the broker; nil means the system's network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	Log *slog.Logger // nil logs nothing
}

// PartName is the client's name among the parts whose health is reported.
const PartName = "broker"

// A Client keeps a broker in step with the newest frame. It publishes only while it is
// connected, and does not queue messages for later. It sends only the newest state. Events
// that happen while the broker is away are lost.
type Client struct {
	*link
	box          mailbox
	inbox        chan command
	seq          atomic.Int64  // of the newest frame, for answers to commands that reach no match
	matchChanged chan struct{} // holds a value if the match has changed since pause last looked

	choice choice

	// Used only by Run's goroutine:
	frame   *engine.Frame // the newest; nil before the first
	ledger  ledger        // messages that the broker retains
	home    home
	offered []Message // messages for the hall, their topics without the table's prefix
	giants  giants    // messages that were too large to read
	unheard int       // sessions in a row that ended before they received their own message

	answers answers // used only by work's goroutine
}

// maxCommands limits the commands that wait for the match.
const maxCommands = 256

// New returns a client, which Run starts. An error says what is wrong with the
// configuration.
func New(cfg Config) (*Client, error) {
	if err := CheckDiscovery(cfg.Discovery); err != nil {
		return nil, fmt.Errorf("mqtt: discovery: %w", err)
	}
	l, err := newLink(cfg)
	if err != nil {
		return nil, err
	}
	return &Client{link: l, box: newMailbox(), inbox: make(chan command, maxCommands),
		matchChanged: make(chan struct{}, 1), ledger: ledger{}, home: newHome(),
		choice: choice{games: cfg.Games, lastMatch: cfg.LastMatch}, giants: giants{}}, nil
}

// Show hands over the newest frame and does not wait for the broker.
func (c *Client) Show(_ context.Context, f engine.Frame) {
	if f.View.Table == "" {
		f.View.Table = c.cfg.Table
	}
	if seq := int64(f.View.Seq); c.seq.Swap(seq) != seq {
		select {
		case c.matchChanged <- struct{}{}:
		default:
		}
	}
	c.box.show(f)
}

// Run connects to the broker, again and again, until the context ends. Then it publishes that
// the table is offline. It returns when all its goroutines have ended.
func (c *Client) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { c.work(ctx) })

	c.report(engine.Degraded, "mqtt.connecting")
	for ctx.Err() == nil {
		began := time.Now()
		err := c.attend(ctx)
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errRenamed) {
			continue
		}
		if wait := c.recordFailure(err, time.Since(began)); wait > 0 {
			c.pause(ctx, wait, !errors.Is(err, errRefused))
		}
	}
}

// pause waits for a delay before the next attempt to connect. If hasty is set, an input at the
// table ends the wait early, but not before firstWait has passed.
func (c *Client) pause(ctx context.Context, delay time.Duration, hasty bool) {
	least, most := time.NewTimer(firstWait), time.NewTimer(delay)
	defer least.Stop()
	defer most.Stop()
	select {
	case <-ctx.Done():
		return
	case <-least.C:
	}
	changed := c.matchChanged
	if !hasty {
		changed = nil
	}
	select {
	case <-ctx.Done():
	case <-most.C:
	case <-changed:
	}
}

// attend connects once and stays connected until the connection is lost, the table gets
// another name or the context ends. It returns the reason as an error. If the connection is
// lost or fails, attend reports this to Config.Health.
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
