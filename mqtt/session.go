package mqtt

import (
	"context"
	"errors"
	"fmt"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/engine"
)

const (
	qos         = 1
	dialTimeout = 5 * time.Second  // to connect, and as long again to be accepted
	ackTimeout  = 10 * time.Second // without any acknowledgement while some are pending
	keepAlive   = 15 * time.Second // paho checks every 5 s: a silent broker is noticed within half a minute
	pingTimeout = 5 * time.Second
	sendTimeout = 3 * time.Second // to write one message to the network
	byeTimeout  = time.Second     // to publish that the table is offline

	// headStart is how long the session waits between the state and the other messages of its
	// frame: a dozen small messages right after the state would keep a small machine from
	// delivering it.
	headStart = time.Millisecond

	// maxUnheard is how many sessions in a row may end without receiving the message that they
	// published themselves. After that many, the broker is assumed to forbid the table's user
	// to publish or to subscribe.
	maxUnheard = 3

	// piecesPerShow is how many pieces of a journal are sent before the session looks for
	// a newer frame.
	piecesPerShow = 4

	// window is how many messages may wait for their acknowledgement.
	window = 64
)

// A session is one connection to the broker. Each new connection is a new session with a new
// paho client. Thus no message of an old session is sent.
type session struct {
	*Client
	paho         paho.Client
	prefix       string
	hallPrefix   string   // of the hall's topics; "" if the table obeys none
	sweepFilters []string // from earlierFilters; nil once their retained messages have come
	conn         *limitedConn
	lost         chan error
	unacked      []paho.Token // published, oldest first
	onlineAt     time.Time    // when the session published that it is online
	republished  bool         // published "online" again, because the first one did not come back
	echoed       bool         // the broker has sent back the session's own message
	lastSign     sign
	restTimer    *time.Timer // fires when there was no new frame for delays.rest

	seen deliveries // belongs to the goroutine that calls hear
}

// dropBacklog drops the backlog: everything that came into the mailbox while there was no
// connection. It keeps the newest frame (without its events), the newest picture and the
// newest offer.
func (c *Client) dropBacklog() {
	m := c.box.clear()
	if m.frame != nil {
		c.frame = m.frame
	}
	if m.picture != nil {
		c.home.picture = m.picture
	}
	if m.offer != nil {
		c.offered = *m.offer
	}
	if c.frame != nil {
		still := *c.frame
		still.Events = nil
		c.frame = &still
	}
}

// run publishes changes to the broker until the connection is lost, the table gets another
// name or the context ends. It returns the reason.
//
// When the context ends, run first publishes that the table is offline. If the broker
// acknowledges this message, run returns nil.
func (s *session) run(ctx context.Context) error {
	err := s.follow(ctx)
	if ctx.Err() != nil {
		err = s.farewell()
	} else if giant := s.conn.refusal.Load(); giant != nil {
		err = fmt.Errorf("mqtt: %w", giant) // any other error followed from it
		s.addGiant(giant)
	} else if errors.Is(err, errLost) && !s.echoed && !s.onlineAt.IsZero() {
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
	// The broker sends the session its own message after all retained ones.
	s.onlineAt = time.Now()
	if err := s.announce(ctx); err != nil {
		return err
	}
	if err := s.show(ctx); err != nil {
		return err
	}
	s.signNow()
	s.restTimer = time.NewTimer(s.delays.rest)
	defer s.restTimer.Stop()
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
		case <-s.home.wakeTimer.C:
			if err := s.show(ctx); err != nil {
				return err
			}
		case <-s.restTimer.C:
			if err := s.showAgain(ctx); err != nil {
				return err
			}
		}
	}
}

// review reports the state of the connection again. It also subscribes again to filters that
// the session gave up because of a giant (a message that was too large). Until the broker
// sends back the message that the table is online, review also publishes this message again.
func (s *session) review(ctx context.Context) error {
	s.assess()
	s.giants.retry(s.paho, s.delays.giant)
	if s.echoed {
		return nil
	}
	s.republished = true
	return s.announce(ctx) // so it is enough to correct the access list
}

// assess reports the state of the connection. While there is still time for the session's own
// message to come back, it reports nothing.
func (s *session) assess() {
	giant := s.giants.worstGiant(s.delays.giant)
	switch {
	case !s.echoed && time.Since(s.onlineAt) < s.delays.echo:
	case !s.echoed:
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

// attendTo handles the contents of the session's mailbox. If the table has another name, it
// returns errRenamed. If the mailbox had no room for the answer to a command, it returns
// errFlooded.
func (s *session) attendTo(ctx context.Context, m mail) error {
	before := s.frame
	if m.frame != nil {
		s.frame = m.frame
		s.restTimer.Reset(s.delays.rest)
		if Prefix(s.table()) != s.prefix {
			return s.clearOldTopics(ctx)
		}
	}
	for topic, payload := range m.retained {
		if topic == s.announcementTopic() {
			s.home.announced.merge(ParseAnnounced(payload))
			s.home.forget()
		} else if _, known := s.ledger[topic]; !known {
			s.ledger[topic] = nil
		}
	}
	if m.birth {
		s.ledger.forget()
	}
	if m.reportedOffline {
		if err := s.announce(ctx); err != nil {
			return err
		}
	}
	if m.swept {
		if s.republished && !s.echoed {
			s.ledger.forget() // the broker has lost everything published before
		}
		s.echoed, s.unheard = true, 0
		s.assess()
		if s.sweepFilters != nil {
			s.paho.Unsubscribe(s.sweepFilters...)
			s.sweepFilters = nil
		}
	}
	s.home.swept = s.home.swept || m.swept
	if m.picture != nil {
		s.home.picture = m.picture
	}
	if m.offer != nil {
		s.offered = *m.offer
		for _, o := range s.offered {
			s.ledger[s.prefix+o.Topic] = nil // publishes again even what the broker has
		}
	}
	// Results are sent after the state that they are about.
	if m.frame != nil || m.retained != nil || m.birth || m.swept || m.gameChosen || m.picture != nil ||
		m.offer != nil || m.offerPending {
		if err := s.show(ctx); err != nil {
			return err
		}
		s.signMatch()
	}
	if m.frame != nil {
		for _, moment := range triggerMessages(before, *m.frame) {
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
