package mqtt

import "tableside/mqtt/homeassistant"

// A Right lets a user of a broker read or write the topics of a filter.
type Right struct {
	Filter      string
	Read, Write bool
}

// TableRights returns the rights of a table that names a hall. The parameter discovery is the
// prefix under which the table may announce itself to Home Assistant. If it is "", the table
// may not announce itself.
func TableRights(table, hall, discovery string) []Right {
	rights := []Right{
		{Filter: Prefix(table) + "/#", Read: true, Write: true},
		{Filter: hallPrefix(hall, table) + "#", Read: true},
	}
	if discovery != "" {
		rights = append(rights,
			Right{Filter: homeassistant.Topic(discovery, table), Read: true, Write: true},
			Right{Filter: homeassistant.BirthTopic(discovery), Read: true})
	}
	return rights
}

// HallRights returns the rights of a hall: it reads what tables publish, and answers
// them.
func HallRights(hall string) []Right {
	var rights []Right
	for _, what := range []string{"status", "state", "alive", "health/+", "result", "journal/+/+", "call"} {
		rights = append(rights, Right{Filter: "tableside/+/" + what, Read: true})
	}
	return append(rights, Right{Filter: "tableside-hall/" + level(hall) + "/#", Write: true})
}

// SameTopics reports whether two tables share a topic. Even tables with different names may
// share a topic, because an id in Home Assistant has an underscore in place of each hyphen of
// the name.
func SameTopics(one, other string) bool {
	return Prefix(one) == Prefix(other) || homeassistant.DeviceID(one) == homeassistant.DeviceID(other)
}
