package reader

import "tableside/engine"

// Presence sets the state of the satellite of a place. A satellite is a networked reader that
// reports whether it is online. The state is "online", "offline", or "" if there is no satellite
// any more. The table shows the state as the health of a part. If the place does not exist, any
// state counts as "".
func (n *Network) Presence(place, state string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.satellites[place] = state
	n.report(place)
}

// report tells the table the health of a satellite.
func (n *Network) report(place string) {
	part := engine.Part{Name: "satellite-" + place}
	switch _, known := n.seat(place); {
	case n.table == nil:
		return
	case known && n.satellites[place] == "online":
		part.Health = engine.OK
	case known && n.satellites[place] == "offline":
		part.Health, part.Reason = engine.Broken, n.Say(engine.T("health.satellite-offline"))
	default:
		delete(n.satellites, place)
	}
	n.table.Report(part)
}
