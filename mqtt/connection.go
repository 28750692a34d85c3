package mqtt

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	qos         = 1
	ackTimeout  = 10 * time.Second // without any acknowledgement while some are pending
	lossFollows = time.Second      // until paho reports a lost connection, after it has failed the packets
	pingTimeout = 5 * time.Second
	sendTimeout = 3 * time.Second // to write one message to the network

	// keepAlive is how long a broker may be silent before paho asks whether it is still there. So a
	// dead network is noticed within 20 s, before a hall counts any table as lost.
	keepAlive = 10 * time.Second

	// window is how many messages may wait for their acknowledgement.
	window = 64
)

// A connection is one connection to a broker, with a paho client of its own. Thus no message of an
// old connection is sent.
type connection struct {
	paho.Client
	net     *limitedConn
	ended   context.Context // until the connection is lost, with errLost as its cause
	unacked []paho.Token    // published, oldest first
	failed  error           // why nothing more is published
}

// open connects to the broker in use. If willTopic is not "", the connection has a last will there:
// that the client is offline. hear must not block.
func (l *link) open(ctx context.Context, id, willTopic string, hear func(paho.Message)) (*connection, error) {
	ended, end := context.WithCancelCause(context.Background())
	c := &connection{ended: ended}
	opts := paho.NewClientOptions().AddBroker(l.server().url.String()).SetClientID(id).
		SetUsername(l.cfg.User).SetPassword(l.cfg.Password).
		SetProtocolVersion(4). // 3.1.1; else paho tries every refusal twice
		SetCleanSession(true).SetAutoReconnect(false).SetConnectRetry(false).
		SetConnectTimeout(l.delays.dial).SetKeepAlive(keepAlive).SetPingTimeout(pingTimeout).SetWriteTimeout(sendTimeout).
		SetOrderMatters(true).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { hear(m) }).
		SetConnectionLostHandler(func(_ paho.Client, err error) { end(fmt.Errorf("%w: %w", errLost, err)) })
	if willTopic != "" {
		opts.SetBinaryWill(willTopic, []byte(offline), qos, true)
	}
	opened := func() bool { return true }
	opts.SetCustomOpenConnectionFn(func(*url.URL, paho.ClientOptions) (_ net.Conn, err error) {
		if c.net, err = l.dial(ctx); err != nil {
			return nil, err
		}
		opened = context.AfterFunc(ctx, func() { c.net.Close() }) // paho's handshake takes no context
		return c.net, nil
	})
	c.Client = paho.NewClient(opts)
	token := c.Connect()
	<-token.Done()
	opened()
	err := token.Error()
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword), errors.Is(err, packets.ErrorRefusedNotAuthorised):
		err = &problem{key: "mqtt.refused", broken: true}
	case c.net != nil && errors.Is(err, packets.ErrorNetworkError):
		err = &problem{key: "mqtt.mute"}
	case c.net != nil: // the broker's own reason
		err = &problem{key: "mqtt.unreachable", pairs: []any{"reason", "the connection is refused: " + err.Error()}}
	}
	return nil, fmt.Errorf("mqtt: connect: %w", err)
}

// publish hands a message to the network. If too many messages have not been acknowledged,
// publish waits. Meanwhile newer frames replace each other in the mailbox. Once something has
// failed, publish does nothing.
func (c *connection) publish(ctx context.Context, m Message) {
	if c.failed == nil {
		c.unacked = append(c.unacked, c.Publish(m.Topic, qos, m.Retain, m.Payload))
		c.settle(ctx, window)
	}
}

// settle waits until at most a number of published messages are not acknowledged.
func (c *connection) settle(ctx context.Context, most int) {
	for c.failed == nil && len(c.unacked) > 0 {
		select {
		case <-c.unacked[0].Done():
		default:
			if len(c.unacked) <= most {
				return
			}
		}
		if err := c.await(ctx, c.unacked[0]); err != nil {
			c.failed = fmt.Errorf("mqtt: publish: %w", err)
		}
		c.unacked = c.unacked[1:]
	}
}

// await waits up to ackTimeout for the broker to acknowledge a packet. If that is in vain, or if the
// connection is lost, the error is errLost.
func (c *connection) await(ctx context.Context, token paho.Token) error {
	select {
	case <-token.Done():
	case <-c.ended.Done():
		return context.Cause(c.ended)
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(ackTimeout):
		return fmt.Errorf("%w: nothing acknowledged for %s", errLost, ackTimeout)
	}
	if token.Error() == nil {
		return nil
	}
	select {
	case <-c.ended.Done():
		return context.Cause(c.ended)
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(lossFollows):
		return token.Error()
	}
}

// subscribe subscribes to topics, and returns those that the broker refuses. For these, paho may
// report no error.
//
// The QoS is 0. With a clean session, a higher QoS brings nothing over a lost connection, and no
// cluster grants more in time while a node is down. Nothing comes twice, and a message that is
// too large can be left out.
func (c *connection) subscribe(ctx context.Context, filters []string) (refused []string, err error) {
	topics := map[string]byte{}
	for _, filter := range filters {
		topics[filter] = 0
	}
	token, ok := c.SubscribeMultiple(topics, nil).(*paho.SubscribeToken)
	if !ok {
		return nil, fmt.Errorf("mqtt: subscribe: %w", errLost)
	}
	if err := c.await(ctx, token); err != nil {
		return nil, fmt.Errorf("mqtt: subscribe: %w", err)
	}
	for filter, granted := range token.Result() {
		if granted > 2 { // 0x80 is a refusal, MQTT 3.1.1 section 3.9.3
			refused = append(refused, filter)
		}
	}
	return refused, nil
}
