// Package broker is a small MQTT broker inside the program, for households without a broker. It is
// mochi's, with limits that suit a small computer: docs/mqtt.md lists them.
package broker

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
)

// Config holds the settings of a broker.
type Config struct {
	Addr           string       // "127.0.0.1:1883"; port 0 picks a free one
	User, Password string       // required of every client; both or none
	Log            *slog.Logger // gets a line for each limit that is reached, and for failures; nil logs nothing
}

// A Broker is an MQTT broker inside the program. It stores nothing on disk.
type Broker struct {
	server   *mochi.Server
	listener net.Listener
	close    func() error
}

// retainFor is the time for which retained messages are kept: a century, in seconds. The
// default of the library (mochi) is a day. After that, a table that nobody has touched would
// vanish.
const retainFor = 100 * 365 * 24 * 60 * 60

// Listen starts a broker. If only one of user and password is set, Listen returns an error. It
// also returns an error if neither is set and the address is not loopback.
func Listen(cfg Config) (*Broker, error) {
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
	can := mochi.NewDefaultServerCapabilities()
	can.MaximumMessageExpiryInterval = retainFor
	can.MaximumSessionExpiryInterval = awayExpiry
	can.MaximumPacketSize = maxPacket
	can.TopicAliasMaximum = maxAliases
	can.Compatibilities.NoInheritedPropertiesOnAck = true // mochi would keep them, and MQTT 5 has no such thing
	// mochi's own log contains whole packets.
	server := mochi.New(&mochi.Options{Capabilities: can, Logger: slog.New(slog.DiscardHandler),
		SysTopicResendInterval: retainFor})
	limits := newLimits(server, log)
	limits.user, limits.password = cfg.User, cfg.Password
	if err := serve(server, limits, newListener(listener, limits)); err != nil {
		listener.Close()
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	return &Broker{server, listener, sync.OnceValue(server.Close)}, nil // mochi panics if it is closed twice
}

// serve begins to serve, but not without the hook: it asks clients for the password.
func serve(server *mochi.Server, hook mochi.Hook, l listeners.Listener) error {
	if err := server.AddHook(hook, nil); err != nil {
		return err
	}
	if err := server.AddListener(l); err != nil {
		return err
	}
	return server.Serve()
}

// Addr returns the address at which the broker listens.
func (b *Broker) Addr() string { return b.listener.Addr().String() }

// Close ends all connections and stops the broker.
func (b *Broker) Close() error {
	if err := b.close(); err != nil {
		return fmt.Errorf("mqtt: broker: close: %w", err)
	}
	return nil
}
