package mqtt

import (
	"time"

	"tableside/engine"
)

// aliveEvery is the time between two signs of life. Without these signs, nobody would notice
// some tables that have died: if a node of a cluster of brokers dies, the cluster does not
// publish the last wills of the node's clients.
const aliveEvery = 10 * time.Second

// A sign is a table's sign of life. It names the table's newest state. Whoever follows the
// table thus notices if this state was lost, or if an older state arrived after it. It also
// tells the table's time, with which a hall compares its own.
type sign struct {
	Match engine.Null `json:"match"` // null without a match
	Seq   int         `json:"seq"`
	Time  time.Time   `json:"time,omitzero"` // older programs do not tell it
}

// signNow publishes a sign of life. Before the first frame it does nothing. The sign has QoS
// 0, because a broker delivers such a message even while it waits for a disk or for other
// nodes. If a sign is lost, the next sign makes up for it.
func (s *session) signNow() {
	if s.frame == nil {
		return
	}
	v := s.frame.View
	s.lastSign = sign{v.Match, v.Seq, time.Now().UTC().Truncate(time.Millisecond)}
	s.Publish(s.prefix+"/alive", 0, false, encode(s.lastSign))
}
