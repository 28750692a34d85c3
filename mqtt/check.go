package mqtt

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

const (
	// checkTimeout limits a whole attempt of Check.
	checkTimeout = 5 * time.Second

	// rightsTimeout is how long the message that Check publishes may take to come back.
	rightsTimeout = 2 * time.Second

	// doctorTopic is the topic, after the prefix, on which Check publishes. A running table
	// and its watchers ignore it.
	doctorTopic = "/doctor"
)

// A Problem says why a table cannot use a broker, and what to do about it. Both texts are in
// the table's language.
type Problem struct {
	Text, Fix string
	err       error
}

func (p *Problem) Error() string { return p.Text }

func (p *Problem) Unwrap() error { return p.err }

// Hint returns the problem's fix with a lower-case first letter, so that the fix can follow
// other words in a sentence.
func (p *Problem) Hint() string {
	first, size := utf8.DecodeRuneInString(p.Fix)
	return string(unicode.ToLower(first)) + p.Fix[size:]
}

// Check returns nil if a client with this configuration could use the broker. It connects in
// the same way as a Client, but with a client id of its own, so that it does not disturb a
// running table. It publishes a message below the table's prefix, waits until the message
// comes back, and disconnects. Meanwhile it calls Config.Presence for each device whose state
// (online or offline) is on the broker.
//
// If the broker cannot be used, Check returns a *Problem, with the same words that a Client
// would use. If the configuration is wrong, Check returns an error that says what is wrong. If
// the context has ended, Check returns the context's error.
func Check(ctx context.Context, cfg Config) error {
	c, err := New(cfg)
	if err != nil {
		return err
	}
	if err := c.check(ctx); err != nil {
		if ctx.Err() != nil { // the caller gave up: that says nothing about the broker
			return ctx.Err()
		}
		p := c.diagnose(err)
		what, fix := c.explain(p.key, p.pairs...)
		return &Problem{Text: what, Fix: fix, err: err}
	}
	return nil
}

func (c *Client) check(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	conn, err := c.dial(bounded)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	deadline, _ := bounded.Deadline()
	if err := conn.SetDeadline(deadline); err != nil {
		return err
	}
	if err := c.greet(conn); err != nil {
		return err
	}
	rights := time.Now().Add(rightsTimeout)
	if rights.After(deadline) {
		rights = deadline
	}
	if err := conn.SetDeadline(rights); err != nil {
		return err
	}
	if err := c.tryRights(conn, Prefix(c.cfg.Table)); err != nil {
		if !time.Now().Before(deadline) { // the answer had less time than rightsTimeout
			return errSlow
		}
		return err
	}
	_ = packets.NewControlPacket(packets.Disconnect).Write(conn) // the goodbye does not matter
	return nil
}

// greet sends CONNECT and reads the broker's answer. If the broker accepts the client, greet
// returns nil. Otherwise it returns the error of connectError.
func (c *Client) greet(conn net.Conn) error {
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion = "MQTT", 4 // 3.1.1
	hello.ClientIdentifier = fmt.Sprintf("tableside-doctor-%d", os.Getpid())
	hello.CleanSession, hello.Keepalive = true, uint16(checkTimeout.Seconds())+1
	hello.UsernameFlag, hello.Username = c.cfg.User != "", c.cfg.User
	hello.PasswordFlag, hello.Password = c.cfg.Password != "", []byte(c.cfg.Password)
	if err := hello.Write(conn); err != nil {
		return connectError(packets.ErrorNetworkError)
	}
	answer, err := packets.ReadPacket(conn)
	welcome, ok := answer.(*packets.ConnackPacket)
	if err != nil || !ok {
		return connectError(packets.ErrorNetworkError)
	}
	if welcome.ReturnCode == packets.Accepted {
		return nil
	}
	return connectError(cmp.Or(packets.ConnErrors[welcome.ReturnCode], errRefusal))
}

// errSlow reports that a broker accepted the client, but too late. Too little time was left
// for Check to find out what the client may do.
var errSlow = errors.New("it answers too slowly")

// errRefusal reports a refusal with a code that MQTT does not define.
var errRefusal = errors.New("for no known reason")

// tryRights publishes a message on the doctor's topic (the test topic of Check). It also
// subscribes to this topic, and waits until the message comes back. There is no other way to
// find out the rights, because MQTT 3.1.1 brokers do not report to a client what their access
// list forbids.
//
// Meanwhile tryRights passes on the presence of other devices. Their retained messages come
// before the doctor's message.
func (c *Client) tryRights(conn net.Conn, prefix string) error {
	topic := prefix + doctorTopic
	subscribe := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
	subscribe.MessageID, subscribe.Topics = 1, []string{topic}
	for _, last := range presenceTopics {
		subscribe.Topics = append(subscribe.Topics, prefix+"/reader/+/"+last)
	}
	subscribe.Qoss = bytes.Repeat([]byte{qos}, len(subscribe.Topics))
	publish := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	publish.MessageID, publish.TopicName, publish.Qos, publish.Payload = 2, topic, qos, []byte(rand.Text())
	if err := errors.Join(subscribe.Write(conn), publish.Write(conn)); err != nil {
		return fmt.Errorf("%w: %w", errLost, err)
	}
	for {
		answer, err := packets.ReadPacket(conn)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return &shutOutError{topic}
		}
		if err != nil {
			return fmt.Errorf("%w: %w", &shutOutError{topic}, err) // some brokers disconnect clients that may not publish
		}
		switch answer := answer.(type) {
		case *packets.SubackPacket:
			if len(answer.ReturnCodes) != len(subscribe.Topics) || answer.ReturnCodes[0] > 2 {
				return &subscribeRefusedError{topic}
			}
		case *packets.PublishPacket:
			switch {
			case bytes.Equal(answer.Payload, publish.Payload):
				return nil
			case isPresence(prefix, answer.TopicName):
				c.presence(prefix, answer.TopicName, answer.Payload)
			}
		}
	}
}
