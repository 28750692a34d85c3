package mqtt

import (
	"encoding/json"
	"errors"
	"fmt"

	"tableside/engine"
)

// HallHandlers holds functions that take what a hall says to a table. They must not block; those
// that are nil are not called.
type HallHandlers struct {
	Seating func(*engine.Seating)               // takes who shall play at the table; nil: nobody
	Message func(engine.HallMessage)            // takes a message to the people at the table
	Kept    func(match, digest, refused string) // takes the answer to a match, as Acknowledge sends it
}

func hallPrefix(hall, table string) string {
	return "tableside-hall/" + level(hall) + "/" + level(table) + "/"
}

// maxFromHall limits a message of the hall, in bytes.
const maxFromHall = 64 << 10

// obeyHall hands on what the hall says. kept says that the broker had retained it: a message to the
// people is only for the moment at which it is sent.
func (s *session) obeyHall(what string, payload []byte, kept bool) {
	h, err := s.cfg.FromHall, error(nil)
	switch {
	case len(payload) > maxFromHall:
		err = fmt.Errorf("it has %d bytes, more than %d", len(payload), maxFromHall)
	case what == "seating" && h.Seating != nil:
		var seating *engine.Seating
		if seating, err = parseSeating(payload); err == nil {
			h.Seating(seating)
		}
	case len(payload) == 0:
	case what == "message" && kept:
		err = errors.New("the broker has kept it")
	case what == "message" && h.Message != nil:
		var m engine.HallMessage
		if err = json.Unmarshal(payload, &m); err == nil {
			err = m.Check()
		}
		if err == nil {
			h.Message(m)
		}
	case what == "kept" && h.Kept != nil:
		var a acknowledgement
		if err = json.Unmarshal(payload, &a); err == nil {
			h.Kept(a.Match, a.SHA256, a.Refused)
		}
	}
	if err != nil {
		s.log.Warn("mqtt: what the hall says is set aside", "topic", what, "error", err)
	}
}

// parseSeating reads and checks the hall's proposal of who plays at a table. An empty payload
// proposes nobody, so the result is nil.
func parseSeating(payload []byte) (*engine.Seating, error) {
	if len(payload) == 0 {
		return nil, nil
	}
	s := new(engine.Seating)
	if err := json.Unmarshal(payload, s); err != nil {
		return nil, err
	}
	return s, s.Check()
}

// Seat tells a table, in the name of the hall, who shall play there; nil stands for nobody. The
// broker retains it. Without a connection, or after ackTimeout, Seat returns errLost.
func (w *Watcher) Seat(table string, s *engine.Seating) error {
	var payload []byte
	if s != nil {
		payload = encode(s)
	}
	return w.send(hallPrefix(w.cfg.Hall, table)+"seating", true, payload)
}

// Tell sends a message to the people at a table, in the name of the hall. Without a connection, or
// after ackTimeout, Tell returns errLost.
func (w *Watcher) Tell(table string, m engine.HallMessage) error {
	return w.send(hallPrefix(w.cfg.Hall, table)+"message", false, encode(m))
}

// send publishes a message with QoS 0, and returns once the message is sent. Without a
// connection, or if nothing is sent within ackTimeout, send returns errLost.
func (w *Watcher) send(topic string, retain bool, payload []byte) error {
	c := w.connection.Load()
	if c == nil {
		return errLost
	}
	token := c.Publish(topic, 0, retain, payload)
	if !token.WaitTimeout(ackTimeout) {
		return fmt.Errorf("%w: nothing sent for %s", errLost, ackTimeout)
	}
	return token.Error()
}
