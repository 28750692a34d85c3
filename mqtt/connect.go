package mqtt

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

// connect dials the broker and sends CONNECT. Before that, it drops old messages with
// dropBacklog. CONNECT contains a last will: the message that the table is offline.
func (c *Client) connect(ctx context.Context) (*session, error) {
	c.dropBacklog()
	s := &session{Client: c, lost: make(chan error, 1), prefix: Prefix(c.cfg.Table)}
	if c.frame != nil {
		s.prefix = Prefix(c.frame.View.Table)
	}
	s.hallPrefix = s.fromHall()
	opts := c.options(s.lost, s.hear).
		// A table always has the same client id: after a power cut the broker
		// recognises it, and does not declare it dead when the old connection
		// times out.
		SetClientID("tableside-"+s.prefix[len("tableside/"):]).
		SetBinaryWill(s.prefix+"/status", []byte(offline), qos, true)
	var err error
	s.paho, s.conn, err = c.open(ctx, opts)
	return s, err
}

// options returns the options of a paho client. When its connection ends, the client sends the
// reason to the given channel.
func (l *link) options(lost chan<- error, hear paho.MessageHandler) *paho.ClientOptions {
	return paho.NewClientOptions().AddBroker(l.server().url.String()).
		SetUsername(l.cfg.User).SetPassword(l.cfg.Password).
		SetProtocolVersion(4). // 3.1.1; else paho tries every refusal twice
		SetCleanSession(true).SetAutoReconnect(false).SetConnectRetry(false).
		SetConnectTimeout(l.delays.dial).SetKeepAlive(keepAlive).SetPingTimeout(pingTimeout).SetWriteTimeout(sendTimeout).
		SetOrderMatters(true). // messages arrive in order; hear does not block
		SetDefaultPublishHandler(hear).
		SetConnectionLostHandler(func(_ paho.Client, err error) { lost <- err })
}

// open connects to the broker in use, and returns the client and its connection.
func (l *link) open(ctx context.Context, opts *paho.ClientOptions) (client paho.Client, conn *limitedConn, err error) {
	handshake, done := context.WithCancel(ctx)
	defer done()
	opts.SetCustomOpenConnectionFn(func(*url.URL, paho.ClientOptions) (net.Conn, error) {
		opened, err := l.dial(handshake)
		if err != nil {
			return nil, err
		}
		conn = opened
		context.AfterFunc(handshake, func() {
			if ctx.Err() != nil {
				opened.Close() // paho's handshake takes no context
			}
		})
		return opened, nil
	})
	client = paho.NewClient(opts)
	token := client.Connect()
	<-token.Done()
	err = token.Error()
	switch {
	case err == nil:
		return client, conn, nil
	case conn != nil: // a broker that refused, or a server that does not speak MQTT
		err = connectError(err)
	}
	return nil, nil, fmt.Errorf("mqtt: connect: %w", err)
}

// connectError returns the error for a failed CONNECT, both for Check and for a Client. If the
// broker refused the user or the password, this is errRefused. If the answer does not come
// from an MQTT broker, it is errMute. Otherwise it is a *refusedError with the broker's
// reason.
func connectError(err error) error {
	switch {
	case errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword), errors.Is(err, packets.ErrorRefusedNotAuthorised):
		return errRefused
	case errors.Is(err, packets.ErrorNetworkError):
		return errMute
	}
	return &refusedError{err}
}
