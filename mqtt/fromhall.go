package mqtt

import "strings"

// hallPrefix returns the beginning of the topics on which a hall speaks to a table.
func hallPrefix(hall, table string) string {
	return "tableside-hall/" + level(hall) + "/" + level(table) + "/"
}

// fromHall returns the beginning of the topics of the hall that the table obeys, or "".
func (s *session) fromHall() string {
	if s.cfg.Hall == "" {
		return ""
	}
	return hallPrefix(s.cfg.Hall, s.table())
}

// isFromHall reports whether the hall that the table obeys says something on a topic, and
// what it is called there.
func (s *session) isFromHall(topic string) (what string, ok bool) {
	if s.hall == "" {
		return "", false
	}
	return strings.CutPrefix(topic, s.hall)
}

// maxFromHall limits a message of the hall, in bytes.
const maxFromHall = 64 << 10

// obeyHall hands on what the hall says.
func (s *session) obeyHall(what string, payload []byte, kept bool) {
	switch {
	case len(payload) > maxFromHall:
		s.log.Warn("mqtt: a message of the hall is too large", "what", what, "bytes", len(payload))
	case s.cfg.FromHall != nil:
		s.cfg.FromHall(what, payload, kept)
	}
}
