package mqtt

import (
	"context"

	"tableside/engine"
)

// show publishes the events of the newest frame. It sends these only once. It also publishes
// everything else that the broker does not retain yet: parts of the frame, the client's own
// messages and the offer.
//
// The state goes through alone, and what repeats its parts follows: a subscriber of the state has it about 100 µs
// earlier (BenchmarkTapToSubscriber).
func (s *session) show(ctx context.Context) {
	if s.frame == nil {
		return
	}
	s.ledger.update(func(put func(Message)) {
		Messages(*s.frame, put)
		s.ownMessages(*s.frame, put)
	}, func(m Message) {
		s.publish(ctx, m)
		if m.Topic == s.prefix+"/state" {
			s.settle(ctx, 0)
		}
	})
	s.frame.Events = nil // events are sent once
}

// ownMessages passes on the messages that cannot be made from a frame alone. The announcement to Home
// Assistant and the journal for the hall come last, because they are long and seldom change.
func (s *session) ownMessages(f engine.Frame, put func(Message)) {
	add := func(topic string, payload []byte) {
		if payload != nil {
			put(Message{Topic: topic, Payload: payload, Retain: true})
		}
	}
	s.choice.recordMatch(f.View)
	if g, _ := s.choice.next(); g != nil {
		add(s.prefix+"/begin", encode(map[string]string{"game": g.Name, "title": g.Title}))
	}
	add(s.prefix+"/panel", s.panel())
	add(s.announcementTopic(), s.announcer.Announcement(s.prefix, f))
	add(s.prefix+s.offered.Topic, s.offered.Payload)
}
