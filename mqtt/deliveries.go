package mqtt

import (
	"crypto/sha256"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// A delivery is one message with QoS 1 or 2 of a session.
type delivery struct {
	id      uint16
	payload [sha256.Size]byte // of the topic and the payload
}

// deliveries is the record of the last commands that a session received. A broker that did not
// see the acknowledgement of a command sends the packet again, marked as a duplicate.
type deliveries struct {
	recent [256]delivery
	next   int
}

// isDuplicate reports whether a message is marked as a duplicate and was delivered before. If
// the message is new, isDuplicate remembers it. A message with QoS 0 always counts as new, and
// is not remembered.
func (d *deliveries) isDuplicate(m paho.Message) bool {
	if m.Qos() == 0 {
		return false
	}
	this := delivery{m.MessageID(), sha256.Sum256(append([]byte(m.Topic()+"\x00"), m.Payload()...))}
	if m.Duplicate() {
		for _, before := range d.recent {
			if before == this {
				return true
			}
		}
	}
	d.recent[d.next] = this
	d.next = (d.next + 1) % len(d.recent)
	return false
}
