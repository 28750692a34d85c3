package mqtt

import (
	"context"
	"fmt"
	"strings"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// listen subscribes to all topics of the session. Among these are the results of
// earlierFilters, which it stores in s.sweep. It leaves out topics that are shunned because of
// a giant (a message that was too large). If the broker refuses the topic of inputs or of
// match commands, listen returns an error. Other refusals are only logged.
func (s *session) listen(ctx context.Context) error {
	s.sweepFilters = s.earlierFilters()
	filters := map[string]byte{}
	for _, filter := range s.filters() {
		if g := s.giants[filter]; g != nil && g.shunned {
			g.retried = false
			continue
		}
		filters[filter] = s.listenQoS()
	}
	s.echoed = s.giants.shunned(s.prefix + "/status")
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

// listenQoS returns the QoS of subscriptions. On a cluster the QoS is 0. For each subscription
// with QoS 1, a cluster makes a queue on several nodes. While one of these nodes is down,
// making the queue takes longer than ackTimeout, or fails.
func (s *session) listenQoS() byte {
	if s.onCluster() {
		return 0
	}
	return qos
}

func (s *session) onCluster() bool { return len(s.servers) > 1 }

// earlierFilters lists filters for topics that the broker may have retained from earlier
// sessions. In those sessions the table may have had other seats, tracks or parts. If this
// session does not use such a topic, it clears the topic.
//
// After a giant (a message that was too large) has come on one of these topics, the session
// does not subscribe to them for a while. Then earlierFilters lists only the table's
// announcement, which the session must read anyway.
func (s *session) earlierFilters() []string {
	var filters []string
	if s.giants[sweepKey] == nil {
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
	filters = append(append(filters, readerFilters(s.prefix)...), s.sweepFilters...)
	if s.cfg.Discovery != "" {
		filters = append(filters, s.birth())
	}
	if s.hallPrefix != "" {
		filters = append(filters, s.hallPrefix+"#")
	}
	return filters
}

// birth returns the topic on which Home Assistant announces its start.
func (s *session) birth() string { return birthTopic(s.cfg.Discovery) }

// announcementTopic returns the topic on which the table announces itself to
// Home Assistant.
func (s *session) announcementTopic() string { return discoveryTopic(s.cfg.Discovery, s.table()) }

func (s *session) table() string {
	if s.frame != nil {
		return s.frame.View.Table
	}
	return s.cfg.Table
}

// hear passes each incoming message to the part of the client that handles it. paho calls hear
// for one message after the other, so hear must not block.
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
			return // an empty payload clears a retained message
		case s.seen.isDuplicate(m):
			s.log.Debug("mqtt: command delivered twice", "topic", topic)
			return
		}
		s.receive(newCommand(topic, m.Payload()))
	case isPresence(s.prefix, topic): // presence is a state, so a retained message still holds
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
		s.box.put(func(mail *mail) { mail.swept, mail.reportedOffline = mail.swept || here, !here })
	}
}
