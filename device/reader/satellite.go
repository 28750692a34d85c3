package reader

import (
	"time"

	"tableside/engine"
)

// presenceEvery is the least time between two reports of a satellite's health.
const presenceEvery = time.Second

// A satellite is a networked reader that reports whether it is online.
type satellite struct {
	state    string      // the newest: "online", "offline", or "" if there is no satellite any more
	reported string      // what the table shows
	wait     *time.Timer // until it may be reported again; nil if it may be reported now
}

// Presence sets the state of the satellite of a place. The state is "online", "offline", or ""
// if there is no satellite any more. The table shows the state as the health of a part. If the
// place does not exist, any state counts as "".
func (n *Network) Presence(place, state string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.satellites[place]
	if _, ok := n.seat(place); !ok {
		state = ""
	}
	if s == nil && state == "" {
		return
	}
	if s == nil {
		s = &satellite{}
		n.satellites[place] = s
	}
	s.state = state
	n.report(place, s)
}

// report tells the table the health of a satellite if the health has changed. It does so at
// most once in presenceEvery, so that a satellite that goes on and off all the time does not
// keep the table busy.
func (n *Network) report(place string, s *satellite) {
	if n.table == nil || s.wait != nil || s.state == s.reported {
		return
	}
	s.reported = s.state
	part := engine.Part{Name: "satellite-" + place}
	switch s.state {
	case "online":
		part.Health = engine.OK
	case "offline":
		part.Health, part.Reason = engine.Broken, n.Say(engine.T("health.satellite-offline"))
	}
	n.table.Report(part)
	s.wait = time.AfterFunc(presenceEvery, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		s.wait = nil
		n.report(place, s)
	})
}
