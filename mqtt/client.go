package mqtt

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"tableside/engine"
	"tableside/mqtt/homeassistant"
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

	Home homeassistant.Config // if its field Panel is set, ShowPanel will be called
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

	// Hall names the hall that the table obeys. If Hall is "", the table obeys none. For a
	// Watcher, Hall is its own name.
	//
	// FromHall takes what this hall says to the table, on tableside-hall/<hall>/<table>/<what>.
	Hall     string
	FromHall HallHandlers

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
	box    mailbox
	inbox  chan command
	seq    atomic.Int64 // of the newest frame, for answers to commands that reach no match
	choice choice

	// Used only by Run's goroutine:
	frame     *engine.Frame // the newest; nil before the first
	ledger    ledger        // messages that the broker retains
	picture   picture
	announcer *homeassistant.Announcer
	offered   Message // the journal for the hall; its topic lacks the table's prefix, and is "" for none
	unheard   int     // sessions in a row that ended before they received their own message
	giant     *tooLargeError
	giantAt   time.Time // when giant, the newest message that was too large, came

	answers answers // used only by work's goroutine
}

// maxCommands limits the commands that wait for the match.
const maxCommands = 256

// New returns a client, which Run starts. An error says what is wrong with the
// configuration.
func New(cfg Config) (*Client, error) {
	if err := homeassistant.CheckDiscovery(cfg.Home.Discovery); err != nil {
		return nil, fmt.Errorf("mqtt: discovery: %w", err)
	}
	l, err := newLink(cfg)
	if err != nil {
		return nil, err
	}
	c := &Client{link: l, box: newMailbox(), inbox: make(chan command, maxCommands),
		ledger: ledger{}, announcer: homeassistant.NewAnnouncer(cfg.Home),
		picture: picture{wake: time.NewTimer(pictureEvery)}, choice: choice{games: cfg.Home.Games, lastMatch: cfg.LastMatch}}
	c.skipped = func(e *tooLargeError) {
		c.log.Warn("mqtt: a message is left unread", "error", e)
		c.box.put(func(m *mail) { m.giant = e })
	}
	return c, nil
}

// Show hands over the newest frame and does not wait for the broker.
func (c *Client) Show(_ context.Context, f engine.Frame) {
	if f.View.Table == "" {
		f.View.Table, f.State = c.cfg.Table, nil
	}
	c.seq.Store(int64(f.View.Seq))
	c.box.show(f)
}

// Run connects to the broker, again and again, until the context ends. Then it publishes that
// the table is offline. It returns when all its goroutines have ended.
func (c *Client) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() { c.work(ctx) })

	c.keepConnected(ctx, c.attend)
}
