package mqtt

import (
	"time"

	"tableside/engine"
)

// aliveEvery is the time between two signs of life. A last will alone does not show that a
// table has died: no cluster of brokers sends the wills of clients whose node died.
const aliveEvery = 10 * time.Second

// A sign is a table's sign of life. It names the table's newest state, so that whoever follows
// the table notices if that state was lost, or if an older one arrived after it.
type sign struct {
	Match engine.Null `json:"match"` // null without a match
	Seq   int         `json:"seq"`
}

// signNow publishes a sign of life, but not before the first frame. The sign has QoS 0: a
// broker delivers it even while waiting for a disk or for other nodes, and the next sign makes
// up for a lost one.
func (s *session) signNow() {
	if s.shown == nil {
		return
	}
	v := s.shown.View
	s.signed = sign{v.Match, v.Seq}
	s.paho.Publish(s.prefix+"/alive", 0, false, encode(s.signed))
}

// signMatch publishes a sign of life if the last one does not name the match on the table,
// which may be an older match that was resumed.
func (s *session) signMatch() {
	if s.shown != nil && s.shown.View.Match != s.signed.Match {
		s.signNow()
	}
}
