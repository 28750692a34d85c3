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

	"tableside/engine"
)

// connect dials and says hello, with the last will that the table is offline.
func (c *Client) connect(ctx context.Context) (*session, error) {
	c.catchUp()
	s := &session{Client: c, lost: make(chan error, 1), prefix: Prefix(c.cfg.Table)}
	if c.shown != nil {
		s.prefix = Prefix(c.shown.View.Table)
	}
	handshake, done := context.WithCancel(ctx)
	defer done()
	opts := paho.NewClientOptions().AddBroker(c.url.String()).
		// One name for one table: after a power cut the broker finds that the
		// table is back, and does not declare it dead when the old connection
		// times out.
		SetClientID("tableside-"+s.prefix[len("tableside/"):]).
		SetUsername(c.cfg.User).SetPassword(c.cfg.Password).
		SetProtocolVersion(4). // 3.1.1; else paho tries every refusal twice
		SetCleanSession(true).SetAutoReconnect(false).SetConnectRetry(false).
		SetConnectTimeout(dialTimeout).SetKeepAlive(keepAlive).SetPingTimeout(pingTimeout).SetWriteTimeout(sendTimeout).
		SetOrderMatters(true). // commands in the order of arrival; hear does not block
		SetBinaryWill(s.prefix+"/status", []byte(offline), qos, true).
		SetDefaultPublishHandler(s.hear).
		SetConnectionLostHandler(func(_ paho.Client, err error) { s.lost <- err }).
		SetCustomOpenConnectionFn(func(*url.URL, paho.ClientOptions) (net.Conn, error) {
			conn, err := c.dial(handshake)
			if err == nil {
				s.conn = conn
				context.AfterFunc(handshake, func() {
					if ctx.Err() != nil {
						conn.Close() // paho's handshake knows no context
					}
				})
			}
			return conn, err
		})
	s.paho = paho.NewClient(opts)
	token := s.paho.Connect()
	<-token.Done()
	err := token.Error()
	switch {
	case err == nil:
		return s, nil
	case errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword), errors.Is(err, packets.ErrorRefusedNotAuthorised):
		return nil, fmt.Errorf("mqtt: connect: %w", errRefused)
	case s.conn != nil && errors.Is(err, packets.ErrorNetworkError):
		return nil, fmt.Errorf("mqtt: connect: %w", errMute)
	}
	return nil, fmt.Errorf("mqtt: connect: %w", err)
}

func (c *Client) dial(ctx context.Context) (net.Conn, error) {
	d := net.Dialer{Timeout: dialTimeout}
	if c.tls == nil {
		return d.DialContext(ctx, "tcp", c.url.Host)
	}
	ctx, done := context.WithTimeout(ctx, dialTimeout)
	defer done()
	return (&tls.Dialer{NetDialer: &d, Config: c.tls}).DialContext(ctx, "tcp", c.url.Host)
}

var (
	errRefused = errors.New("user or password refused")
	errMute    = errors.New("no answer as an MQTT broker")
	errLost    = errors.New("connection lost")
	errRenamed = errors.New("the table has another name")
)

// A deafError says that the broker does not let the table listen.
type deafError struct{ topic string }

func (e *deafError) Error() string { return "subscription refused: " + e.topic }

// blame reports why there is no connection.
func (c *Client) blame(err error) {
	var untrusted *tls.CertificateVerificationError
	var deaf *deafError
	switch {
	case errors.Is(err, errRefused):
		c.report(engine.Broken, "mqtt.refused")
	case errors.As(err, &untrusted):
		c.report(engine.Broken, "mqtt.certificate", "reason", untrusted.Err.Error())
	case errors.As(err, &deaf):
		c.report(engine.Broken, "mqtt.deaf", "topic", deaf.topic)
	case errors.Is(err, errMute):
		c.report(engine.Degraded, "mqtt.mute")
	case errors.Is(err, errLost):
		c.report(engine.Degraded, "mqtt.lost", "reason", reason(err))
	default:
		c.report(engine.Degraded, "mqtt.unreachable", "reason", reason(err))
	}
}

// reason is the innermost of what went wrong: what people can act on.
func reason(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err.Error()
	}
	return err.Error()
}
