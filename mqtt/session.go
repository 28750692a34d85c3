package mqtt

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
)

const (
	qos         = 1
	dialTimeout = 5 * time.Second  // to connect, and again to be accepted
	ackTimeout  = 10 * time.Second // without any acknowledgement while some are due
	keepAlive   = 15 * time.Second // paho looks every 5 s: a silent broker is found out within half a minute
	pingTimeout = 5 * time.Second
	sendTimeout = 3 * time.Second // to write one message to the network
	byeTimeout  = time.Second     // to say that the table is offline

	// headStart is how much later than the state the rest of its frame
	// follows: a dozen small messages on its heels would keep a small machine
	// from delivering it.
	headStart = time.Millisecond

	// window is how many messages may wait for their acknowledgement.
	window = 64
)

// A session is one connection to the broker. A new connection is a new
// session with a new paho client, so that nothing of the old one is sent.
type session struct {
	*Client
	paho   paho.Client
	prefix string
	sweep  []string // until it is done: filters of what the broker has kept
	conn   net.Conn
	lost   chan error
	due    []paho.Token // published and not yet acknowledged, oldest first
}

// catchUp drops what came in while there was no connection, all but the
// newest frame.
func (c *Client) catchUp() {
	m := c.box.take()
	if m.frame != nil {
		c.shown = m.frame
	}
	if m.picture != nil {
		c.home.picture = m.picture
	}
	if c.shown != nil {
		still := *c.shown
		still.Events = nil
		c.shown = &still
	}
}

// run keeps the broker in step until the connection is lost or the context
// ends.
func (s *session) run(ctx context.Context) error {
	err := s.follow(ctx)
	if ctx.Err() != nil {
		err = s.farewell()
	}
	patience := byeTimeout
	switch {
	case errors.Is(err, errRenamed):
		patience = ackTimeout // the last will would be kept under a name that is no more
	case err != nil:
		s.conn.Close() // without a goodbye, so that the broker tells the last will
	}
	s.paho.Disconnect(uint(patience.Milliseconds()))
	return err
}

func (s *session) follow(ctx context.Context) error {
	s.catchUp()
	s.ledger.forget()
	s.home.connected()
	if err := s.listen(ctx); err != nil {
		return err
	}
	// The session hears itself say this after all that the broker has kept.
	if err := s.announce(ctx); err != nil {
		return err
	}
	s.report(engine.OK, "")
	if err := s.show(ctx); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-s.lost:
			return fmt.Errorf("mqtt: %w: %w", errLost, err)
		case <-s.box.wake:
			if err := s.attendTo(ctx, s.box.take()); err != nil {
				return err
			}
		case <-s.home.later.C:
			if err := s.show(ctx); err != nil {
				return err
			}
		}
	}
}

// announce says that the table is online.
func (s *session) announce(ctx context.Context) error {
	topic, payload := s.prefix+"/status", []byte(online)
	s.ledger[topic] = payload
	return s.publish(ctx, Message{Topic: topic, Payload: payload, Retain: true})
}

// listen subscribes to the commands and, until the sweep is done, to what the
// broker has kept of a table that had other seats, tracks or parts.
func (s *session) listen(ctx context.Context) error {
	s.sweep = []string{s.prefix + "/seat/+/+", s.prefix + "/track/+", s.prefix + "/health/+", s.prefix + "/health/+/details"}
	if !s.cfg.Panel {
		s.sweep = append(s.sweep, s.prefix+"/panel")
	}
	if s.cfg.Discovery != "" {
		s.sweep = append(s.sweep, discoveryTopic(s.cfg.Discovery, s.table()))
	}
	filters := map[string]byte{}
	for _, filter := range s.heard() {
		filters[filter] = qos
	}
	token, ok := s.paho.SubscribeMultiple(filters, nil).(*paho.SubscribeToken)
	if !ok {
		return fmt.Errorf("mqtt: subscribe: %w", errLost)
	}
	if err := s.await(ctx, token); err != nil {
		return fmt.Errorf("mqtt: subscribe: %w", err)
	}
	for _, needed := range []string{s.prefix + "/input", s.prefix + "/match"} {
		if token.Result()[needed] > 2 { // 0x80 is a refusal, MQTT 3.1.1 section 3.9.3
			return fmt.Errorf("mqtt: %w", &deafError{needed})
		}
	}
	return nil
}

// heard are the filters of what the session listens to.
func (s *session) heard() []string {
	filters := append([]string{s.prefix + "/input", s.prefix + "/match", s.prefix + "/status"}, s.sweep...)
	if s.cfg.Discovery != "" {
		filters = append(filters, s.birth())
	}
	return filters
}

// birth is the topic on which Home Assistant says that it has started.
func (s *session) birth() string { return s.cfg.Discovery + "/status" }

func (s *session) table() string {
	if s.shown != nil {
		return s.shown.View.Table
	}
	return s.cfg.Table
}

// hear sorts what comes in. It is called by paho, one message after the
// other, and leaves everything to others.
func (s *session) hear(_ paho.Client, m paho.Message) {
	topic := m.Topic()
	switch {
	case topic == s.prefix+"/input" || topic == s.prefix+"/match":
		if m.Retained() {
			// A press is not a state: one that the broker kept has been done,
			// or was meant for another evening.
			s.log.Warn("mqtt: retained command ignored", "topic", topic)
			return
		}
		s.receive(command{topic: topic, order: strings.HasSuffix(topic, "/match"), payload: m.Payload()})
	case topic == s.birth():
		if !m.Retained() && string(m.Payload()) == online {
			s.box.put(func(mail *mail) { mail.birth = true })
		}
	case m.Retained():
		if topic != s.prefix+"/status" && len(m.Payload()) > 0 {
			s.box.find(topic, m.Payload())
		}
	case topic == s.prefix+"/status":
		here := string(m.Payload()) == online
		s.box.put(func(mail *mail) { mail.swept, mail.denied = mail.swept || here, !here })
	}
}

// attendTo does what the mail asks for.
func (s *session) attendTo(ctx context.Context, m mail) error {
	before := s.shown
	if m.frame != nil {
		s.shown = m.frame
		if Prefix(s.table()) != s.prefix {
			return s.leave(ctx)
		}
	}
	for topic, payload := range m.found {
		if topic == discoveryTopic(s.cfg.Discovery, s.table()) {
			s.home.told.merge(ParseAnnounced(payload))
			s.home.forget()
		} else if _, known := s.ledger[topic]; !known {
			s.ledger[topic] = nil
		}
	}
	if m.birth {
		s.ledger.forget()
	}
	if m.denied {
		if err := s.announce(ctx); err != nil {
			return err
		}
	}
	if m.swept && s.sweep != nil {
		s.paho.Unsubscribe(s.sweep...)
		s.sweep = nil
	}
	s.home.swept = s.home.swept || m.swept
	if m.picture != nil {
		s.home.picture = m.picture
	}
	// Results leave after the state that they tell of.
	if m.frame != nil || m.found != nil || m.birth || m.swept || m.chosen || m.picture != nil {
		if err := s.show(ctx); err != nil {
			return err
		}
	}
	if m.frame != nil {
		for _, moment := range triggers(before, *m.frame) {
			if err := s.publish(ctx, moment); err != nil {
				return err
			}
		}
	}
	for _, result := range m.results {
		if err := s.publish(ctx, result); err != nil {
			return err
		}
	}
	return nil
}

// show publishes what the broker does not know of the newest frame.
func (s *session) show(ctx context.Context) error {
	if s.shown == nil {
		return nil
	}
	f := *s.shown
	all := func(yield func(Message) bool) {
		for m := range Messages(f) {
			if !yield(m) {
				return
			}
		}
		for m := range s.messages(f) {
			if !yield(m) {
				return
			}
		}
	}
	first := true
	for m := range s.ledger.update(all) {
		if err := s.publish(ctx, m); err != nil {
			return err
		}
		if first {
			s.giveHeadStart(ctx)
			first = false
		}
	}
	s.shown.Events = nil // they have happened
	return nil
}

// giveHeadStart waits, unless something else is to be done.
func (s *session) giveHeadStart(ctx context.Context) {
	timer := time.NewTimer(headStart)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-s.box.wake:
		s.box.rouse()
	case <-timer.C:
	}
}

// publish hands a message to the network. It waits only while too many
// messages have not been acknowledged; meanwhile newer frames replace each
// other in the mailbox.
func (s *session) publish(ctx context.Context, m Message) error {
	for len(s.due) >= window {
		if err := s.await(ctx, s.due[0]); err != nil {
			return fmt.Errorf("mqtt: publish: %w", err)
		}
		s.due = s.due[1:]
	}
	s.due = append(s.due, s.paho.Publish(m.Topic, qos, m.Retain, m.Payload))
	for len(s.due) > 0 {
		select {
		case <-s.due[0].Done():
			if err := s.due[0].Error(); err != nil {
				return fmt.Errorf("mqtt: publish: %w: %w", errLost, err)
			}
			s.due = s.due[1:]
		default:
			return nil
		}
	}
	return nil
}

// await waits for the broker to acknowledge.
func (s *session) await(ctx context.Context, token paho.Token) error {
	deadline := time.NewTimer(ackTimeout)
	defer deadline.Stop()
	select {
	case <-token.Done():
		return token.Error()
	case err := <-s.lost:
		return fmt.Errorf("%w: %w", errLost, err)
	case <-ctx.Done():
		return ctx.Err()
	case <-deadline.C:
		return fmt.Errorf("%w: nothing acknowledged for %s", errLost, ackTimeout)
	}
}

// farewell says that the table is offline: the last will is for those who die
// unexpectedly.
func (s *session) farewell() error {
	ctx, done := context.WithTimeout(context.Background(), byeTimeout)
	defer done()
	if err := s.publish(ctx, Message{Topic: s.prefix + "/status", Payload: []byte(offline), Retain: true}); err != nil {
		return err
	}
	return s.settle(ctx)
}

// leave clears every topic of a table that has another name now. It stops
// listening first: a message that the broker cannot deliver any more would end
// the connection before the goodbye is read, and the last will would be kept.
func (s *session) leave(ctx context.Context) error {
	if err := s.await(ctx, s.paho.Unsubscribe(s.heard()...)); err != nil {
		return fmt.Errorf("mqtt: unsubscribe: %w", err)
	}
	for m := range s.ledger.update(func(func(Message) bool) {}) {
		if err := s.publish(ctx, m); err != nil {
			return err
		}
	}
	s.home.renamed()
	if err := s.settle(ctx); err != nil {
		return err
	}
	return errRenamed
}

// settle waits until everything is acknowledged.
func (s *session) settle(ctx context.Context) error {
	for len(s.due) > 0 {
		if err := s.await(ctx, s.due[0]); err != nil {
			return err
		}
		s.due = s.due[1:]
	}
	return nil
}
