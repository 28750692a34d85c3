package mqtt

import (
	"time"

	"tableside/engine"
)

// aliveEvery is the time between two signs of life. A last will does not tell that a
// table is gone: no cluster of brokers sends the wills of clients whose node died.
const aliveEvery = 10 * time.Second

// A sign is a table's sign of life, and says which state is its newest. Whoever follows
// the table knows by it whether a state was lost or overtaken.
type sign struct {
	Match engine.Null `json:"match"` // null without a match
	Seq   int         `json:"seq"`
}

// signNow publishes a sign of life. It has QoS 0: a broker that waits for a disk or for
// other nodes delivers it nevertheless, and the next one makes up for a lost one.
func (s *session) signNow() {
	if s.shown == nil {
		return
	}
	v := s.shown.View
	s.signed = sign{v.Match, v.Seq}
	s.paho.Publish(s.prefix+"/alive", 0, false, encode(s.signed))
}

// signMatch publishes a sign of life if another match is on the table: it may be an older
// one, which was resumed.
func (s *session) signMatch() {
	if s.shown != nil && s.shown.View.Match != s.signed.Match {
		s.signNow()
	}
}
