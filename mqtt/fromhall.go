package mqtt

import (
	"encoding/json"
	"strings"

	"tableside/engine"
)

// hallPrefix returns the beginning of the topics on which a hall speaks to a table.
func hallPrefix(hall, table string) string {
	return "tableside-hall/" + level(hall) + "/" + level(table) + "/"
}

// fromHall returns the beginning of the topics on which the hall speaks to this table. Without
// a hall, it returns "".
func (s *session) fromHall() string {
	if s.cfg.Hall == "" {
		return ""
	}
	return hallPrefix(s.cfg.Hall, s.table())
}

// isFromHall reports whether a topic belongs to the table's hall, and returns what follows the
// hall's prefix.
func (s *session) isFromHall(topic string) (what string, ok bool) {
	if s.hallPrefix == "" {
		return "", false
	}
	return strings.CutPrefix(topic, s.hallPrefix)
}

// maxFromHall limits a message of the hall, in bytes.
const maxFromHall = 64 << 10

// obeyHall passes a message of the hall to Config.FromHall. A message that is too large is
// logged and dropped.
func (s *session) obeyHall(what string, payload []byte, kept bool) {
	switch {
	case len(payload) > maxFromHall:
		s.log.Warn("mqtt: a message of the hall is too large", "what", what, "bytes", len(payload))
	case s.cfg.FromHall != nil:
		s.cfg.FromHall(what, payload, kept)
	}
}

// SeatingTopic is the first argument of Config.FromHall for a proposal of the hall. The
// proposal says who plays at a table. The broker retains the proposal.
const SeatingTopic = "seating"

// MessageTopic is the first argument of Config.FromHall when the hall sends a message to
// the people at a table.
const MessageTopic = "message"

// ParseMessage reads and checks the hall's message to the people at a table.
func ParseMessage(payload []byte) (m engine.HallMessage, err error) {
	if err := json.Unmarshal(payload, &m); err != nil {
		return m, err
	}
	return m, m.Check()
}

// ParseSeating reads and checks the hall's proposal of who plays at a table. An empty payload
// proposes nobody, so the result is nil.
func ParseSeating(payload []byte) (*engine.Seating, error) {
	if len(payload) == 0 {
		return nil, nil
	}
	s := new(engine.Seating)
	if err := json.Unmarshal(payload, s); err != nil {
		return nil, err
	}
	return s, s.Check()
}

// Tell publishes a value, as JSON, to a table, in the name of the given hall. The topic must
// be SeatingTopic or MessageTopic. A nil value is published as an empty payload.
//
// If retain is set, the broker retains the value. A nil value then makes the broker drop the
// value that it has retained so far.
//
// Tell returns once the message is sent. The message has QoS 0, for the reason given for
// Acknowledge. Without a connection, or after ackTimeout, Tell returns errLost.
func (w *Watcher) Tell(hall, table, topic string, value any, retain bool) error {
	var payload []byte
	if value != nil {
		payload = encode(value)
	}
	return w.send(hallPrefix(hall, table)+topic, retain, payload)
}
