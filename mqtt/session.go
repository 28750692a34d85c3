package mqtt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"tableside/mqtt/homeassistant"
)

const (
	dialTimeout = 5 * time.Second // to connect, and as long again to be accepted
	byeTimeout  = time.Second     // to publish that the table is offline

	// maxUnheard is how many sessions in a row may end without receiving the message that they
	// published themselves. After that many, the broker is assumed to forbid the table's user
	// to publish or to subscribe.
	maxUnheard = 3

	// giantAge is how long a message that was too large is reported.
	giantAge = time.Minute
)

// A session is what the client does over one connection.
type session struct {
	*Client
	*connection
	prefix       string
	hallPrefix   string    // of the hall's topics; "" if the table obeys none
	sweepFilters []string  // from earlierFilters; nil once their retained messages have come
	onlineAt     time.Time // when the session published that it is online
	echoed       bool      // the broker has sent back the session's own message
	lastSign     sign
}

// dropBacklog drops what came into the mailbox while there was no connection, but for the newest
// frame without its events, the newest picture and the newest offer.
func (c *Client) dropBacklog() {
	c.accept(c.box.take(math.MaxInt))
	if c.frame != nil {
		still := *c.frame
		still.Events = nil
		c.frame = &still
	}
}

func (c *Client) accept(m mail) {
	if m.frame != nil {
		c.frame = m.frame
	}
	if m.picture != nil {
		c.picture.next = m.picture
	}
	if m.offer != nil {
		c.offered = *m.offer
	}
}

func (c *Client) connect(ctx context.Context) (s *session, err error) {
	c.dropBacklog()
	s = &session{Client: c}
	s.prefix = Prefix(s.table())
	if c.cfg.Hall != "" {
		s.hallPrefix = hallPrefix(c.cfg.Hall, s.table())
	}
	// A table always has the same client id: after a power cut the broker recognises it, and does not
	// declare it dead when the old connection times out.
	id := "tableside-" + strings.TrimPrefix(s.prefix, "tableside/")
	s.connection, err = c.open(ctx, id, s.prefix+"/status", s.hear)
	return s, err
}

// attend connects once and publishes changes until the connection is lost, the table gets another
// name or the context ends. It returns the reason.
//
// When the context ends, attend first publishes that the table is offline. If the broker
// acknowledges this message, attend returns nil.
func (c *Client) attend(ctx context.Context) error {
	s, err := c.connect(ctx)
	if err != nil {
		return err
	}
	err = s.follow(ctx)
	if ctx.Err() != nil {
		err = s.farewell()
	} else if errors.Is(err, errLost) && !s.echoed && !s.onlineAt.IsZero() {
		// Some brokers disconnect clients that may not publish.
		if s.unheard++; s.unheard >= maxUnheard {
			err = fmt.Errorf("%w: %w", s.shutOut(s.prefix+"/status"), err)
		}
	}
	patience := byeTimeout
	switch {
	case errors.Is(err, errRenamed):
		patience = ackTimeout // the last will would be retained under the old name
	case err != nil:
		s.net.Close() // without a goodbye, so that the broker publishes the last will
	}
	s.Disconnect(uint(patience.Milliseconds()))
	return err
}

func (s *session) follow(ctx context.Context) error {
	s.dropBacklog()
	s.announcer.Connected()
	if err := s.listen(ctx); err != nil {
		return err
	}
	s.signNow() // first: a broker may take long to acknowledge the rest
	// The broker sends the session its own message after all retained ones.
	s.onlineAt = time.Now()
	s.showAll(ctx)
	s.signNow()
	again, alive := time.NewTicker(s.delays.review), time.NewTicker(s.delays.alive)
	defer again.Stop()
	defer alive.Stop()
	for s.failed == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ended.Done():
			return context.Cause(s.ended)
		case <-alive.C:
			s.signNow()
		case <-again.C:
			s.review(ctx)
		case <-s.box.wake:
			s.attendTo(ctx, s.box.take(resultBatch))
		case <-s.announcer.Wake():
			s.show(ctx)
		case <-s.picture.wake.C:
			s.show(ctx)
		}
	}
	return s.failed
}

// review reports the state of the connection again. Until the broker sends back the message that
// the table is online, review also publishes everything again, so that it is enough to correct
// the broker's access list.
func (s *session) review(ctx context.Context) {
	s.assess()
	if !s.echoed {
		s.showAll(ctx)
	}
}

// assess reports the state of the connection. While there is still time for the session's own
// message to come back, it reports nothing.
func (s *session) assess() {
	switch {
	case !s.echoed && time.Since(s.onlineAt) < s.delays.echo:
	case !s.echoed:
		s.report(s.shutOut(s.prefix + "/status"))
	case s.giant != nil && time.Since(s.giantAt) < giantAge:
		s.report(s.giant.problem())
	default:
		s.report(nil)
	}
}

func (s *session) showAll(ctx context.Context) {
	s.ledger.forget()
	s.announce(ctx)
	s.show(ctx)
}

func (s *session) announce(ctx context.Context) {
	topic, payload := s.prefix+"/status", []byte(online)
	s.ledger[topic] = payload
	s.publish(ctx, Message{Topic: topic, Payload: payload, Retain: true})
}

// attendTo handles the contents of the session's mailbox.
func (s *session) attendTo(ctx context.Context, m mail) {
	before := s.frame
	s.accept(m)
	if Prefix(s.table()) != s.prefix {
		s.clearOldTopics(ctx)
		return
	}
	for topic, payload := range m.retained {
		if topic == s.announcementTopic() {
			s.announcer.Read(payload)
		} else if _, known := s.ledger[topic]; !known {
			s.ledger[topic] = nil
		}
	}
	if m.birth {
		s.ledger.forget()
	}
	if m.reportedOffline {
		s.announce(ctx)
	}
	if m.giant != nil {
		s.giant, s.giantAt = m.giant, time.Now()
		s.assess()
	}
	if m.swept {
		s.echoed, s.unheard = true, 0
		s.announcer.Swept()
		s.assess()
		if s.sweepFilters != nil {
			s.Unsubscribe(s.sweepFilters...)
			s.sweepFilters = nil
		}
	}
	if m.offer != nil && s.offered.Topic != "" {
		s.ledger[s.prefix+s.offered.Topic] = nil // publishes again even what the broker has
	}
	// Results are sent after the state that they are about.
	if m.changed {
		s.show(ctx)
		if s.frame != nil && s.frame.View.Match != s.lastSign.Match { // perhaps an older match was resumed
			s.signNow()
		}
	}
	if m.frame != nil {
		for _, t := range homeassistant.Triggers(before, *m.frame) {
			// Not retained: it would fire again whenever Home Assistant connects.
			s.publish(ctx, Message{Topic: s.prefix + "/trigger/" + t.Name, Payload: encode(t.Payload)})
		}
	}
	for _, result := range m.results {
		s.publish(ctx, result)
	}
	if m.flooded && s.failed == nil {
		s.failed = &problem{key: "mqtt.flooded"}
	}
}

// farewell publishes that the table is offline: the broker sends the last will
// only after an unexpected end.
func (s *session) farewell() error {
	ctx, done := context.WithTimeout(context.Background(), byeTimeout)
	defer done()
	s.failed = nil // the context has ended, not the connection
	s.publish(ctx, Message{Topic: s.prefix + "/status", Payload: []byte(offline), Retain: true})
	s.settle(ctx, 0)
	return s.failed
}

// clearOldTopics clears every topic under the table's old name, because the table has a new
// name, and ends the session with errRenamed. If it fails, the next session clears them.
//
// Before it clears the topics, the method unsubscribes. Otherwise a message could come that
// the broker can no longer deliver. The broker would then end the connection before it reads
// the goodbye, and would retain the last will.
func (s *session) clearOldTopics(ctx context.Context) {
	if err := s.await(ctx, s.Unsubscribe(s.filters()...)); err != nil {
		s.failed = fmt.Errorf("mqtt: unsubscribe: %w", err)
	}
	for _, topic := range slices.Sorted(maps.Keys(s.ledger)) {
		s.publish(ctx, Message{Topic: topic, Retain: true})
	}
	s.settle(ctx, 0)
	if s.failed == nil {
		clear(s.ledger)
		s.announcer.Renamed()
		s.failed = errRenamed
	}
}
