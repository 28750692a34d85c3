package mqtt

import (
	"context"
	"time"
)

// show publishes the events of the newest frame. It sends these only once. It also publishes
// everything else that the broker does not retain yet: parts of the frame, the client's own
// messages and the offer.
//
// One call sends at most piecesPerShow pieces of a journal. Then the method returns, and
// leaves a note in the mailbox, so that the session calls it again.
func (s *session) show(ctx context.Context) error {
	if s.frame == nil {
		return nil
	}
	f := *s.frame
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
			if pieces++; pieces == piecesPerShow {
				s.box.put(func(m *mail) { m.offerPending = true })
				s.frame.Events = nil // the events were sent before the pieces
				return s.settle(ctx)
			}
		}
		if first {
			s.giveHeadStart(ctx)
			first = false
		}
	}
	s.frame.Events = nil // events are sent once
	return nil
}

// showAgain publishes the state once more if the broker is a cluster. A node of a cluster may
// learn of a newer state at the moment when it sends the retained state to a subscriber. The
// node may then keep sending the older state for minutes.
func (s *session) showAgain(ctx context.Context) error {
	if !s.onCluster() || s.frame == nil {
		return nil
	}
	s.ledger[s.prefix+"/state"] = nil
	return s.show(ctx)
}

// giveHeadStart waits until the time headStart is over, or until there is other work.
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
