package mqtt

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	paho "github.com/eclipse/paho.mqtt.golang"
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
}

func (p *Problem) Error() string { return p.Text }

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
		what, fix := c.explain(c.diagnose(err), c.cfg.Lang)
		return &Problem{what, fix}
	}
	return nil
}

// check finds out the rights by a message on the doctor's topic, which has to come back. There is no
// other way, because MQTT 3.1.1 brokers do not report to a client what their access list forbids.
// The retained messages of other devices come before the doctor's message.
func (c *Client) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	prefix, text, back := Prefix(c.cfg.Table), rand.Text(), make(chan struct{})
	cameBack := sync.OnceFunc(func() { close(back) })
	conn, err := c.open(ctx, fmt.Sprintf("tableside-doctor-%d", os.Getpid()), "", func(m paho.Message) {
		if place, what := splitTopic(prefix, m.Topic()); isPresence(place, what) {
			c.presence(place, m.Payload())
		} else if string(m.Payload()) == text {
			cameBack()
		}
	})
	if err != nil {
		return err
	}
	defer conn.Disconnect(0) // the goodbye does not matter
	limited, done := context.WithTimeout(ctx, rightsTimeout)
	defer done()
	topic := prefix + doctorTopic
	filters := []string{topic}
	for _, last := range presenceTopics {
		filters = append(filters, prefix+"/reader/+/"+last)
	}
	refused, err := conn.subscribe(limited, filters)
	switch {
	case slices.Contains(refused, topic):
		return deaf(topic)
	case err == nil:
		conn.Publish(topic, qos, false, text)
		select {
		case <-back:
			return nil
		case <-conn.ended.Done(): // some brokers disconnect clients that may not publish
		case <-limited.Done():
		}
	}
	if ctx.Err() != nil { // the answer had less time than rightsTimeout
		return errSlow
	}
	return c.shutOut(topic)
}

// errSlow reports that a broker accepted the client, but too late. Too little time was left
// for Check to find out what the client may do.
var errSlow = errors.New("it answers too slowly")
