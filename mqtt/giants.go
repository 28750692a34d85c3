package mqtt

import (
	"context"
	"strings"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// A giant is a message that was too large to read. If the broker retains a giant, every new
// session receives it before anything else.
type giant struct {
	*tooLargeError
	at      time.Time // when it came last
	cleared bool      // the table asked the broker to drop it
	shunned bool      // clearing did not help, or is not allowed: its filter is not subscribed to
	retried bool      // its filter was subscribed to again since the last review
}

// giants holds giants (messages that were too large). For each topic filter of a session, it
// holds the newest giant, with the filter as the key. There is one exception: to some topics,
// the table subscribes only to clear them. All of these topics share the key sweepKey.
type giants map[string]*giant

// sweepKey is the only key in giants that is not a topic filter. It stands for all topics
// to which the table subscribes only to clear them.
const sweepKey = ""

// addGiant records a giant, a message that was too large. If the broker retains the giant and
// the table cannot remove it, the session no longer subscribes to the giant's filter. There
// are two such cases. Either the giant came again after the table had cleared the topic, or
// the topic belongs to Home Assistant or the hall, so that the table may not clear it.
func (s *session) addGiant(e *tooLargeError) {
	name := sweepKey
	switch e.topic {
	case s.prefix + "/input", s.prefix + "/match", s.prefix + "/status", s.birth(), s.announcementTopic():
		name = e.topic
	default:
		if _, ok := s.isFromHall(e.topic); ok {
			name = s.hallPrefix + "#"
		}
		if isTap(s.prefix, e.topic) || isPresence(s.prefix, e.topic) {
			name = s.prefix + "/reader/+" + e.topic[strings.LastIndex(e.topic, "/"):]
		}
	}
	known := s.giants[name]
	if known == nil || known.topic != e.topic {
		known = &giant{}
		s.giants[name] = known
	}
	known.tooLargeError, known.at, known.retried = e, time.Now(), false
	if name != sweepKey && e.retained && (known.cleared || name == s.birth() || name == s.hallPrefix+"#") {
		known.shunned = true
	}
}

func (g giants) shunned(name string) bool { return g[name] != nil && g[name].shunned }

// worstGiant returns the giant to report. This is the newest giant whose filter is shunned
// (not subscribed to). If there is none, it is the newest giant, or nil. The method forgets
// giants that are older than maxAge and not shunned.
func (g giants) worstGiant(maxAge time.Duration) *giant {
	var worst *giant
	for name, known := range g {
		switch {
		case !known.shunned && time.Since(known.at) > maxAge:
			delete(g, name)
		case worst == nil || known.shunned && !worst.shunned || known.shunned == worst.shunned && known.at.After(worst.at):
			worst = known
		}
	}
	return worst
}

// retry subscribes again to the filter of each shunned giant that is older than minAge. If the
// broker still has the giant, the giant comes again and ends the connection. If it has not
// come by the next call, retry forgets the giant.
func (g giants) retry(client paho.Client, minAge time.Duration) {
	for name, known := range g {
		switch {
		case !known.shunned:
		case known.retried:
			delete(g, name)
		case time.Since(known.at) > minAge:
			known.retried = true
			client.Subscribe(name, qos, nil)
		}
	}
}

// removeGiants clears the table's own topics on which the broker retains a giant, and waits
// until the broker has acknowledged this. The session must do this before it subscribes to
// these topics. Otherwise the giants would end the connection.
func (s *session) removeGiants(ctx context.Context) error {
	for _, g := range s.giants {
		own := strings.HasPrefix(g.topic, s.prefix+"/") || s.cfg.Discovery != "" && g.topic == s.announcementTopic()
		if !g.retained || g.cleared || g.shunned || !own {
			continue
		}
		s.log.Warn("mqtt: removing a retained message that is too large", "topic", g.topic, "bytes", g.size)
		if err := s.publish(ctx, Message{Topic: g.topic, Retain: true}); err != nil {
			return err
		}
		g.cleared = true
	}
	return s.settle(ctx)
}
