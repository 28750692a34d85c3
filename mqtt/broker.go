package mqtt

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
)

// BrokerConfig holds the settings of an embedded broker.
type BrokerConfig struct {
	Addr           string       // "127.0.0.1:1883"; port 0 picks a free one
	User, Password string       // required of every client; both or none
	Log            *slog.Logger // gets a line for each limit that is reached, and for failures; nil logs nothing
}

// A Broker is an MQTT broker inside the program. It stores nothing on disk.
type Broker struct {
	server   *broker.Server
	listener net.Listener
	close    func() error
}

// retainFor is the time for which retained messages are kept: a century, in seconds. The
// default of the library (mochi) is a day. After that, a table that nobody has touched would
// vanish.
const retainFor = 100 * 365 * 24 * 60 * 60

// Listen starts a broker. If only one of user and password is set, Listen returns an error. It
// also returns an error if neither is set and the address is not loopback.
func Listen(cfg BrokerConfig) (*Broker, error) {
	if (cfg.User == "") != (cfg.Password == "") {
		return nil, errors.New("mqtt: the broker needs both a user and a password, or neither")
	}
	addr, err := net.ResolveTCPAddr("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	if cfg.User == "" && !addr.IP.IsLoopback() {
		return nil, fmt.Errorf("mqtt: broker: %s is open to the network; set a user and a password, or listen on 127.0.0.1",
			cfg.Addr)
	}
	listener, err := net.ListenTCP("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	can := broker.NewDefaultServerCapabilities()
	can.MaximumMessageExpiryInterval = retainFor
	can.MaximumPacketSize = maxPacket
	can.TopicAliasMaximum = maxAliases
	// mochi's own log contains whole packets.
	server := broker.New(&broker.Options{Capabilities: can, Logger: slog.New(slog.DiscardHandler),
		SysTopicResendInterval: retainFor})
	b := &Broker{server: server, listener: listener}
	limits := newLimits(server, log)
	for _, hook := range []broker.Hook{&gate{user: cfg.User, password: cfg.Password}, &turns{}, limits} {
		if err := server.AddHook(hook, nil); err != nil {
			listener.Close()
			return nil, fmt.Errorf("mqtt: broker: %w", err)
		}
	}
	if err := server.AddListener(listeners.NewNet("tcp", bound(listener, limits))); err != nil {
		listener.Close()
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	if err := server.Serve(); err != nil {
		listener.Close()
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	b.close = sync.OnceValue(func() error { // mochi panics if it is closed twice
		limits.endConnections()
		return server.Close()
	})
	return b, nil
}

// DropTestData frees 0.4 MB of test packets. The broker's library makes these packets at the
// start of every program that imports the library.
func DropTestData() { packets.TPacketData = nil }

// Addr returns the address at which the broker listens.
func (b *Broker) Addr() string { return b.listener.Addr().String() }

// Close ends all connections and stops the broker.
func (b *Broker) Close() error {
	if err := b.close(); err != nil {
		return fmt.Errorf("mqtt: broker: close: %w", err)
	}
	return nil
}

// A gate admits the clients that give the right user and password. If the gate has no user, it
// admits every client. Admitted clients may use every topic.
type gate struct {
	broker.HookBase
	user, password string
}

func (g *gate) ID() string { return "gate" }

func (g *gate) Provides(b byte) bool {
	return bytes.Contains([]byte{broker.OnConnectAuthenticate, broker.OnACLCheck}, []byte{b})
}

func (g *gate) OnConnectAuthenticate(_ *broker.Client, pk packets.Packet) bool {
	if g.user == "" {
		return true
	}
	user := subtle.ConstantTimeCompare(pk.Connect.Username, []byte(g.user))
	password := subtle.ConstantTimeCompare(pk.Connect.Password, []byte(g.password))
	return user&password == 1
}

func (g *gate) OnACLCheck(_ *broker.Client, _ string, _ bool) bool { return true }

// turns is a hook that prevents the broker from doing two things at once. While the broker
// stores a retained message, it does not send retained messages to a new subscriber.
//
// Without this hook, mochi 2.7.9 reads topics while they are written (its issue 200). A new
// subscriber may then get the newest state followed by an older state. The subscriber may also
// get messages that were acknowledged before it subscribed, as if they were live. For example,
// the table would act on a retained key press.
type turns struct {
	broker.HookBase
	mu     sync.Mutex
	holder atomic.Pointer[broker.Client] // whose packet is being processed under mu
}

func (*turns) ID() string { return "turns" }

func (*turns) Provides(b byte) bool {
	return bytes.Contains([]byte{broker.OnPublish, broker.OnSubscribe, broker.OnPacketProcessed, broker.OnWill,
		broker.OnWillSent}, []byte{b})
}

func (t *turns) take(cl *broker.Client) {
	t.mu.Lock()
	t.holder.Store(cl)
}

func (t *turns) give(cl *broker.Client) {
	if t.holder.CompareAndSwap(cl, nil) {
		t.mu.Unlock()
	}
}

func (t *turns) OnPublish(cl *broker.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain {
		t.take(cl)
	}
	return pk, nil
}

func (t *turns) OnSubscribe(cl *broker.Client, pk packets.Packet) packets.Packet {
	t.take(cl)
	return pk
}

func (t *turns) OnPacketProcessed(cl *broker.Client, _ packets.Packet, _ error) { t.give(cl) }

func (t *turns) OnWill(cl *broker.Client, will broker.Will) (broker.Will, error) {
	cl.Properties.Will.WillDelayInterval = 0 // a delayed will would come out of turn
	t.take(cl)
	return will, nil
}

func (t *turns) OnWillSent(cl *broker.Client, _ packets.Packet) { t.give(cl) }
