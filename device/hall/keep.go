package hall

// keep stores a table if the broker retains anything of the table. Otherwise it forgets the
// table. A table that gets another name clears all topics under the old name, and so the hall
// forgets the old name.
func (h *Hall) keep(t *table) {
	if t.empty() {
		h.forget(t)
		return
	}
	delete(h.forgotten, t.name)
	h.tables[t.name] = t
	t.version = h.version
}

func (h *Hall) forget(t *table) {
	delete(h.tables, t.name)
	h.forgotten[t.name] = h.version
	if len(h.forgotten) > maxTables {
		h.forgotten = map[string]int{t.name: h.version}
	}
}

// makeRoom forgets one of the tables that are gone and have no state. It chooses the table
// that has been gone for longest. If there is no such table, makeRoom returns false.
func (h *Hall) makeRoom() bool {
	var longest *table
	for _, t := range h.tables {
		if t.gone && t.view == nil && (longest == nil || t.goneAt.Before(longest.goneAt)) {
			longest = t
		}
	}
	if longest != nil {
		h.forget(longest)
	}
	return longest != nil
}

// Aside counts the messages that the hall did not accept.
type Aside struct {
	N     int    `json:"n"`
	Topic string `json:"topic,omitempty"` // of the newest
	Why   string `json:"why,omitempty"`
}

// Aside counts a message that the hall did not accept, and keeps its topic and the reason.
func (h *Hall) Aside(topic string, why error) {
	h.change("", func(*table) bool {
		h.setAside(topic, why.Error())
		return true
	})
}

func (h *Hall) setAside(topic, why string) {
	h.asideCount.N++
	h.asideCount.Topic, h.asideCount.Why = cut(topic), cut(why)
}

// maxAsideLen is the greatest number of letters that are kept of a topic, and of a reason, when
// a message is set aside.
const maxAsideLen = 120

func cut(s string) string {
	if letters := []rune(s); len(letters) > maxAsideLen {
		return string(letters[:maxAsideLen]) + "…"
	}
	return s
}
