package mqtt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	paho "github.com/eclipse/paho.mqtt.golang"

	"tableside/mqtt/homeassistant"
)

// listen subscribes to all topics of the session. If the broker refuses the topic of inputs or
// of match commands, listen returns an error. Other refusals are only logged.
func (s *session) listen(ctx context.Context) error {
	s.sweepFilters = s.earlierFilters()
	refused, err := s.subscribe(ctx, s.filters())
	if err != nil {
		return err
	}
	for _, filter := range refused {
		if filter == s.prefix+"/input" || filter == s.prefix+"/match" {
			return fmt.Errorf("mqtt: %w", deaf(filter))
		}
		s.log.Warn("mqtt: the broker refuses a subscription", "topic", filter)
	}
	return nil
}

// earlierFilters lists filters for topics that the broker may have retained from earlier
// sessions. In those sessions the table may have had other seats, tracks or parts. If this
// session does not use such a topic, it clears the topic.
func (s *session) earlierFilters() []string {
	filters := []string{s.prefix + "/seat/+/+", s.prefix + "/track/+", s.prefix + "/health/+",
		s.prefix + "/health/+/details", s.prefix + "/result", s.prefix + "/journal/+/+", s.prefix + "/call"}
	if !s.cfg.Home.Panel {
		filters = append(filters, s.prefix+"/panel")
	}
	if s.cfg.Home.Discovery != "" {
		filters = append(filters, s.announcementTopic())
	}
	return filters
}

func (s *session) filters() []string {
	filters := []string{s.prefix + "/input", s.prefix + "/match", s.prefix + "/status"}
	for _, last := range slices.Concat(tapTopics, presenceTopics) {
		filters = append(filters, s.prefix+"/reader/+/"+last)
	}
	filters = append(filters, s.sweepFilters...)
	if s.cfg.Home.Discovery != "" {
		filters = append(filters, s.birth())
	}
	if s.hallPrefix != "" {
		filters = append(filters, s.hallPrefix+"#")
	}
	return filters
}

func (s *session) birth() string { return homeassistant.BirthTopic(s.cfg.Home.Discovery) }

func (s *session) announcementTopic() string {
	return homeassistant.Topic(s.cfg.Home.Discovery, s.table())
}

func (s *session) table() string {
	if s.frame != nil {
		return s.frame.View.Table
	}
	return s.cfg.Table
}

// hear passes each incoming message to the part of the client that handles it. paho calls hear
// for one message after the other, so hear must not block.
func (s *session) hear(m paho.Message) {
	topic, payload := m.Topic(), m.Payload()
	place, what := splitTopic(s.prefix, topic)
	said, fromHall := strings.CutPrefix(topic, s.hallPrefix)
	switch {
	case fromHall && s.hallPrefix != "":
		s.obeyHall(said, payload, m.Retained())
	case place == "" && (what == "input" || what == "match"), place != "" && slices.Contains(tapTopics, what):
		if m.Retained() {
			// A press is not a state: a retained one has been done, or was meant for another evening.
			s.log.Warn("mqtt: retained command ignored", "topic", topic)
		} else if len(payload) > 0 { // an empty payload clears a retained message
			s.receive(command{topic, what, place, payload})
		}
	case isPresence(place, what): // presence is a state, so a retained message still holds
		s.presence(place, payload)
	case topic == s.birth():
		if !m.Retained() && string(payload) == online {
			s.box.put(func(mail *mail) { mail.birth = true })
		}
	case m.Retained():
		if topic == s.prefix+"/status" || len(payload) == 0 {
			return
		}
		if what != "" {
			payload = nil // its existence is enough, and there may be many large ones
		}
		s.box.find(topic, payload)
	case topic == s.prefix+"/status":
		here := string(payload) == online
		s.box.put(func(mail *mail) { mail.swept, mail.reportedOffline = mail.swept || here, !here })
	}
}
