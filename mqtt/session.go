package mqtt

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
)

const (
	qos         = 1
	dialTimeout = 5 * time.Second  // to connect, and again to be accepted
	ackTimeout  = 10 * time.Second // without any acknowledgement while some are pending
	keepAlive   = 15 * time.Second // paho checks every 5 s: a silent broker is noticed within half a minute
	pingTimeout = 5 * time.Second
	sendTimeout = 3 * time.Second // to write one message to the network
	byeTimeout  = time.Second     // to publish that the table is offline

	// headStart is the time between the state and the rest of its frame: a
	// dozen small messages right after it would keep a small machine from
	// delivering it.
	headStart = time.Millisecond

	// maxUnheard is how many sessions in a row may end without receiving the
	// message that they published themselves. From then on the broker is
	// assumed to forbid the user to publish or to subscribe.
	maxUnheard = 3

	// burst is how many pieces of a journal are sent before the session looks for a newer frame.
	burst = 4

	// window is how many messages may wait for their acknowledgement.
	window = 64
)

// A session is one connection to the broker. A new connection is a new
// session with a new paho client, so that nothing of the old one is sent.
type session struct {
	*Client
	paho      paho.Client
	prefix    string
	hall      string   // prefix of what the hall says; "" if the table obeys none
	sweep     []string // until the sweep is done: filters of retained topics
	conn      *limitedConn
	lost      chan error
	due       []paho.Token // published and not yet acknowledged, oldest first
	announced time.Time    // when the session published that it is online
	repeated  bool         // published it again, because it did not come back
	heard     bool         // received its own message
	signed    sign         // of life, the newest
	rest      *time.Timer  // ends when there was no new frame for a while

	seen deliveries // belongs to the goroutine that calls hear
}

// dropBacklog drops everything that came in while there was no connection,
// except the newest frame and picture.
func (c *Client) dropBacklog() {
	m := c.box.clear()
	if m.frame != nil {
		c.shown = m.frame
	}
	if m.picture != nil {
		c.home.picture = m.picture
	}
	if m.offer != nil {
		c.offered = *m.offer
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
	} else if giant := s.conn.refused.Load(); giant != nil {
		err = fmt.Errorf("mqtt: %w", giant) // any other error followed from it
		s.addGiant(giant)
	} else if errors.Is(err, errLost) && !s.heard && !s.announced.IsZero() {
		// Some brokers disconnect clients that may not publish.
		if s.unheard++; s.unheard >= maxUnheard {
			err = fmt.Errorf("mqtt: %w: %w", &shutOutError{s.prefix + "/status"}, err)
		}
	}
	patience := byeTimeout
	switch {
	case errors.Is(err, errRenamed):
		patience = ackTimeout // the last will would be retained under the old name
	case err != nil:
		s.conn.Close() // without a goodbye, so that the broker publishes the last will
	}
	s.paho.Disconnect(uint(patience.Milliseconds()))
	return err
}

func (s *session) follow(ctx context.Context) error {
	s.dropBacklog()
	s.ledger.forget()
	s.home.connected()
	if err := s.removeGiants(ctx); err != nil {
		return err
	}
	if err := s.listen(ctx); err != nil {
		return err
	}
	s.signNow() // first: a broker may take long to acknowledge the rest
	// The session receives its own message after all retained ones.
	s.announced = time.Now()
	if err := s.announce(ctx); err != nil {
		return err
	}
	if err := s.show(ctx); err != nil {
		return err
	}
	s.signNow()
	s.rest = time.NewTimer(s.delays.rest)
	defer s.rest.Stop()
	again, alive := time.NewTicker(s.delays.review), time.NewTicker(s.delays.alive)
	defer again.Stop()
	defer alive.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-s.lost:
			return fmt.Errorf("mqtt: %w: %w", errLost, err)
		case <-alive.C:
			s.signNow()
		case <-again.C:
			if err := s.review(ctx); err != nil {
				return err
			}
		case <-s.box.wake:
			if err := s.attendTo(ctx, s.box.take()); err != nil {
				return err
			}
		case <-s.home.later.C:
			if err := s.show(ctx); err != nil {
				return err
			}
		case <-s.rest.C:
			if err := s.showAgain(ctx); err != nil {
				return err
			}
		}
	}
}

// review checks again what went wrong.
func (s *session) review(ctx context.Context) error {
	s.assess()
	s.giants.retry(s.paho, s.delays.giant)
	if s.heard {
		return nil
	}
	s.repeated = true
	return s.announce(ctx) // it is enough to correct the access list
}

// assess reports the state of the connection.
func (s *session) assess() {
	giant := s.giants.worst(s.delays.giant)
	switch {
	case !s.heard && time.Since(s.announced) < s.delays.echo:
	case !s.heard:
		p := s.shutOut(s.prefix + "/status")
		s.report(p.health, p.key, p.pairs...)
	case giant == nil:
		s.report(engine.OK, "")
	case giant.shunned:
		s.report(engine.Broken, "mqtt.giant-kept", giant.pairs()...)
	default:
		s.report(engine.Degraded, "mqtt.giant", giant.pairs()...)
	}
}

// announce publishes that the table is online.
func (s *session) announce(ctx context.Context) error {
	topic, payload := s.prefix+"/status", []byte(online)
	s.ledger[topic] = payload
	return s.publish(ctx, Message{Topic: topic, Payload: payload, Retain: true})
}

// listen subscribes to the commands and, until the sweep is done, to the
// retained topics of a table that had other seats, tracks or parts.
func (s *session) listen(ctx context.Context) error {
	s.sweep = s.keptBefore()
	filters := map[string]byte{}
	for _, filter := range s.filters() {
		if g := s.giants[filter]; g != nil && g.shunned {
			g.retried = false
			continue
		}
		filters[filter] = s.listenQoS()
	}
	s.heard = s.giants.shunned(s.prefix + "/status")
	token, ok := s.paho.SubscribeMultiple(filters, nil).(*paho.SubscribeToken)
	if !ok {
		return fmt.Errorf("mqtt: subscribe: %w", errLost)
	}
	if err := s.await(ctx, token); err != nil {
		return fmt.Errorf("mqtt: subscribe: %w", err)
	}
	for _, needed := range []string{s.prefix + "/input", s.prefix + "/match"} {
		if token.Result()[needed] > 2 { // 0x80 is a refusal, MQTT 3.1.1 section 3.9.3
			return fmt.Errorf("mqtt: %w", &subscribeRefusedError{needed})
		}
	}
	for filter, granted := range token.Result() {
		if granted > 2 {
			s.log.Warn("mqtt: the broker refuses a subscription", "topic", filter)
		}
	}
	return nil
}

// listenQoS returns the QoS of subscriptions. A cluster makes for each one with QoS 1 a queue
// on several nodes, which takes longer than ackTimeout, or fails, while one of them is down.
func (s *session) listenQoS() byte {
	if s.onCluster() {
		return 0
	}
	return qos
}

func (s *session) onCluster() bool { return len(s.servers) > 1 }

// keptBefore lists filters of topics that the broker may have retained for the
// table as it was. After a giant among them the table does not clear old topics
// for a while, but it must still read its announcement.
func (s *session) keptBefore() []string {
	var filters []string
	if s.giants[sweeping] == nil {
		filters = append(filters, s.prefix+"/seat/+/+", s.prefix+"/track/+", s.prefix+"/health/+",
			s.prefix+"/health/+/details", s.prefix+"/result", s.prefix+"/journal/+/+", s.prefix+"/call")
		if !s.cfg.Panel {
			filters = append(filters, s.prefix+"/panel")
		}
	}
	if s.cfg.Discovery != "" {
		filters = append(filters, s.announcementTopic())
	}
	return filters
}

// filters lists the topics that the session subscribes to.
func (s *session) filters() []string {
	filters := []string{s.prefix + "/input", s.prefix + "/match", s.prefix + "/status"}
	filters = append(append(filters, readerFilters(s.prefix)...), s.sweep...)
	if s.cfg.Discovery != "" {
		filters = append(filters, s.birth())
	}
	if s.hall != "" {
		filters = append(filters, s.hall+"#")
	}
	return filters
}

// birth returns the topic on which Home Assistant announces its start.
func (s *session) birth() string { return birthTopic(s.cfg.Discovery) }

// announcementTopic returns the topic on which the table announces itself to
// Home Assistant.
func (s *session) announcementTopic() string { return discoveryTopic(s.cfg.Discovery, s.table()) }

func (s *session) table() string {
	if s.shown != nil {
		return s.shown.View.Table
	}
	return s.cfg.Table
}

// hear sorts incoming messages. paho calls it, one message after the other, and
// it leaves all work to others.
func (s *session) hear(_ paho.Client, m paho.Message) {
	topic := m.Topic()
	said, fromHall := s.isFromHall(topic)
	switch {
	case fromHall:
		s.obeyHall(said, m.Payload(), m.Retained())
	case topic == s.prefix+"/input" || topic == s.prefix+"/match" || isTap(s.prefix, topic):
		switch {
		case m.Retained():
			// A press is not a state: a retained one has been done, or was
			// meant for another evening.
			s.log.Warn("mqtt: retained command ignored", "topic", topic)
			return
		case len(m.Payload()) == 0:
			return // it clears a retained message
		case s.seen.again(m):
			s.log.Debug("mqtt: command delivered twice", "topic", topic)
			return
		}
		s.receive(newCommand(topic, m.Payload()))
	case isPresence(s.prefix, topic): // a state: a retained one holds
		s.presence(s.prefix, topic, m.Payload())
	case topic == s.birth():
		if !m.Retained() && string(m.Payload()) == online {
			s.box.put(func(mail *mail) { mail.birth = true })
		}
	case m.Retained():
		payload := m.Payload()
		if topic == s.prefix+"/status" || len(payload) == 0 {
			return
		}
		if strings.HasPrefix(topic, s.prefix+"/") {
			payload = nil // its existence is enough, and there may be many large ones
		}
		s.box.find(topic, payload)
	case topic == s.prefix+"/status":
		here := string(m.Payload()) == online
		s.box.put(func(mail *mail) { mail.swept, mail.denied = mail.swept || here, !here })
	}
}

// attendTo handles the mail.
func (s *session) attendTo(ctx context.Context, m mail) error {
	before := s.shown
	if m.frame != nil {
		s.shown = m.frame
		s.rest.Reset(s.delays.rest)
		if Prefix(s.table()) != s.prefix {
			return s.leave(ctx)
		}
	}
	for topic, payload := range m.found {
		if topic == s.announcementTopic() {
			s.home.earlier.merge(ParseAnnounced(payload))
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
	if m.swept {
		if s.repeated && !s.heard {
			s.ledger.forget() // the broker has lost everything published before
		}
		s.heard, s.unheard = true, 0
		s.assess()
		if s.sweep != nil {
			s.paho.Unsubscribe(s.sweep...)
			s.sweep = nil
		}
	}
	s.home.swept = s.home.swept || m.swept
	if m.picture != nil {
		s.home.picture = m.picture
	}
	if m.offer != nil {
		s.offered = *m.offer
		for _, o := range s.offered {
			s.ledger[s.prefix+o.Topic] = nil // also what the broker has had already
		}
	}
	// Results are sent after the state that they are about.
	if m.frame != nil || m.found != nil || m.birth || m.swept || m.chosen || m.picture != nil ||
		m.offer != nil || m.more {
		if err := s.show(ctx); err != nil {
			return err
		}
		s.signMatch()
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
	if m.flooded {
		return fmt.Errorf("mqtt: %w", errFlooded)
	}
	return nil
}

// show publishes the parts of the newest frame that the broker does not retain yet.
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
		for _, m := range s.offered {
			if m.Topic = s.prefix + m.Topic; !yield(m) {
				return
			}
		}
	}
	first, pieces := true, 0
	for m := range s.ledger.update(all) {
		if err := s.publish(ctx, m); err != nil {
			return err
		}
		if len(m.Payload) > 0 && s.isPiece(m.Topic) {
			if pieces++; pieces == burst {
				s.box.put(func(m *mail) { m.more = true })
				s.shown.Events = nil // events are before all pieces
				return s.settle(ctx)
			}
		}
		if first {
			s.giveHeadStart(ctx)
			first = false
		}
	}
	s.shown.Events = nil // events are sent once
	return nil
}

// showAgain publishes the state once more on a cluster: a node that hands on what it keeps
// while it hears of a newer state may hand on the older one for minutes.
func (s *session) showAgain(ctx context.Context) error {
	if !s.onCluster() {
		return nil
	}
	s.ledger[s.prefix+"/state"] = nil
	return s.show(ctx)
}

// giveHeadStart waits, unless there is other work.
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
