package mqtt

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"

	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
)

// BrokerConfig is what an embedded broker needs to know.
type BrokerConfig struct {
	Addr           string       // "127.0.0.1:1883"; port 0 picks a free one
	User, Password string       // wanted of every client; both or none
	Log            *slog.Logger // nil drops what the broker says
}

// A Broker is an MQTT broker inside the program. It keeps nothing on disk.
type Broker struct {
	server   *broker.Server
	listener net.Listener
}

// retainFor is how long retained messages are kept, in seconds: a century.
// The broker's own choice is a day, after which a table that nobody touched
// would have vanished.
const retainFor = 100 * 365 * 24 * 60 * 60

// maxPacket is the largest packet the embedded broker takes, in bytes; a
// state is some ten thousand.
const maxPacket = 1 << 20

// Listen starts a broker. Without user and password it listens on loopback
// only.
func Listen(cfg BrokerConfig) (*Broker, error) {
	if (cfg.User == "") != (cfg.Password == "") {
		return nil, errors.New("mqtt: the broker needs both a user and a password, or neither")
	}
	addr, err := net.ResolveTCPAddr("tcp", cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	if cfg.User == "" && !addr.IP.IsLoopback() {
		return nil, fmt.Errorf("mqtt: broker: %s is open to the network; set a user and a password, or listen on 127.0.0.1", cfg.Addr)
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
	server := broker.New(&broker.Options{Capabilities: can, Logger: log, SysTopicResendInterval: 30})
	b := &Broker{server: server, listener: listener}
	if err := server.AddHook(&gate{user: cfg.User, password: cfg.Password}, nil); err != nil {
		listener.Close()
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	if err := server.AddListener(listeners.NewNet("tcp", listener)); err != nil {
		listener.Close()
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	if err := server.Serve(); err != nil {
		listener.Close()
		return nil, fmt.Errorf("mqtt: broker: %w", err)
	}
	return b, nil
}

// Addr is where the broker listens.
func (b *Broker) Addr() string { return b.listener.Addr().String() }

// Close ends all connections and stops the broker.
func (b *Broker) Close() error {
	if err := b.server.Close(); err != nil {
		return fmt.Errorf("mqtt: broker: close: %w", err)
	}
	return nil
}

// A gate lets in who knows user and password, to every topic.
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
