package web

import "tableside/engine"

// history is what has happened in the match, for pages that open later. Undo
// strikes an entry out, as on paper, and adds its own.
type history struct {
	match   engine.Null
	n       int
	entries []entry
}

// An entry is what came of one input.
type entry struct {
	n      int
	events []engine.Event
	undone bool
	again  bool // undone, and redo may still bring it back
}

// Entry is an entry as pages read it.
type Entry struct {
	N      int         `json:"n"` // counts the entries of a match
	Event  string      `json:"event"`
	Seat   engine.Seat `json:"seat,omitempty"`
	Lines  []string    `json:"lines"`
	Undone bool        `json:"undone"`
	Again  bool        `json:"again"` // redo brings it back
}

func (h *history) follow(f engine.Frame) {
	if f.View.Match != h.match {
		*h = history{match: f.View.Match}
	}
	if len(f.Events) == 0 {
		return
	}
	events := f.Events
	switch events[0].Name {
	case "undo":
		for i := len(h.entries) - 1; i >= 0; i-- {
			if e := &h.entries[i]; e.live() {
				e.undone, e.again = true, true
				break
			}
		}
	case "redo":
		// The events of the move stand in its own entry already.
		events = events[:1]
		for i := range h.entries {
			if e := &h.entries[i]; e.again {
				e.undone, e.again = false, false
				break
			}
		}
	default:
		for i := range h.entries {
			h.entries[i].again = false
		}
	}
	h.n++
	h.entries = append(h.entries, entry{n: h.n, events: events})
	if over := len(h.entries) - maxHistory; over > 0 {
		h.entries = append([]entry(nil), h.entries[over:]...)
	}
}

// live reports whether undo may take the entry back.
func (e *entry) live() bool {
	return !e.undone && e.events[0].Name != "undo" && e.events[0].Name != "redo"
}

// speak returns the entries, oldest first, in the frame's language.
func speak(entries []entry, f engine.Frame) []Entry {
	names := f.View.Names()
	spoken := make([]Entry, 0, len(entries))
	for _, e := range entries {
		events := e.events
		if f.Words != nil {
			events = f.Words.SpeakEvents(f.Lang, events, names)
		}
		one := Entry{N: e.n, Event: events[0].Name, Seat: events[0].Seat, Lines: []string{}, Undone: e.undone, Again: e.again}
		for _, event := range events {
			if event.Spoken != "" {
				one.Lines = append(one.Lines, event.Spoken)
			}
		}
		spoken = append(spoken, one)
	}
	return spoken
}
