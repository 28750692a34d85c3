package mqtt

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

// connect dials and sends CONNECT, with the last will that the table is offline.
func (c *Client) connect(ctx context.Context) (*session, error) {
	c.dropBacklog()
	s := &session{Client: c, lost: make(chan error, 1), prefix: Prefix(c.cfg.Table)}
	if c.shown != nil {
		s.prefix = Prefix(c.shown.View.Table)
	}
	handshake, done := context.WithCancel(ctx)
	defer done()
	opts := paho.NewClientOptions().AddBroker(c.url.String()).
		// A table always has the same client id: after a power cut the broker
		// recognises it, and does not declare it dead when the old connection
		// times out.
		SetClientID("tableside-"+s.prefix[len("tableside/"):]).
		SetUsername(c.cfg.User).SetPassword(c.cfg.Password).
		SetProtocolVersion(4). // 3.1.1; else paho tries every refusal twice
		SetCleanSession(true).SetAutoReconnect(false).SetConnectRetry(false).
		SetConnectTimeout(c.delays.dial).SetKeepAlive(keepAlive).SetPingTimeout(pingTimeout).SetWriteTimeout(sendTimeout).
		SetOrderMatters(true). // commands arrive in order; hear does not block
		SetBinaryWill(s.prefix+"/status", []byte(offline), qos, true).
		SetDefaultPublishHandler(s.hear).
		SetConnectionLostHandler(func(_ paho.Client, err error) { s.lost <- err }).
		SetCustomOpenConnectionFn(func(*url.URL, paho.ClientOptions) (net.Conn, error) {
			conn, err := c.dial(handshake)
			if err != nil {
				return nil, err
			}
			s.conn = conn
			context.AfterFunc(handshake, func() {
				if ctx.Err() != nil {
					conn.Close() // paho's handshake takes no context
				}
			})
			return conn, nil
		})
	s.paho = paho.NewClient(opts)
	token := s.paho.Connect()
	<-token.Done()
	err := token.Error()
	switch {
	case err == nil:
		return s, nil
	case s.conn != nil: // a broker that refused, or a server that does not speak MQTT
		err = unwelcome(err)
	}
	return nil, fmt.Errorf("mqtt: connect: %w", err)
}

// unwelcome returns the error for an answer to CONNECT, for Check and client
// alike: user or password are refused, the answer is not a broker's, or the
// broker gives a reason.
func unwelcome(err error) error {
	switch {
	case errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword), errors.Is(err, packets.ErrorRefusedNotAuthorised):
		return errRefused
	case errors.Is(err, packets.ErrorNetworkError):
		return errMute
	}
	return &refusedError{err}
}

// dial opens a connection that refuses packets that are too large.
func (c *Client) dial(ctx context.Context) (*limitedConn, error) {
	ctx, done := context.WithTimeout(ctx, c.delays.dial)
	defer done()
	open := c.cfg.Dial
	if open == nil {
		open = (&net.Dialer{}).DialContext
	}
	conn, err := open(ctx, "tcp", c.url.Host)
	if err != nil {
		return nil, err
	}
	if c.tls == nil {
		return limit(conn), nil
	}
	secure := tls.Client(conn, c.tls)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%w: %w", errTLS, err)
	}
	return limit(secure), nil
}
