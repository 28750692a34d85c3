package web

import "tableside/engine"

// history records what has happened in the match, for pages that open later. An undo strikes
// out an entry, as on paper, and adds an entry of its own.
//
// The record counts inputs, not frames. A frame may carry the events of several inputs, and
// some inputs have no events.
type history struct {
	match   engine.Null
	seq     int // of the newest recorded input
	inForce int // number of inputs that are not undone
	entries []entry
}

// An entry records the events of one input.
type entry struct {
	seq      int
	position int // of a move in the list of inputs in force; 0 for undo and redo
	events   []engine.Event
	undone   bool
	redoable bool // redo can still restore this undone move or, for an undo, the move in tookBack
	tookBack int  // of an undo: the position of the undone move, if that move has no entry; else 0
	undos    int  // that lead back to the moment after this move
}

// Entry is a history entry in the form that pages read.
type Entry struct {
	N      int         `json:"n"` // number of the input in the match
	Event  string      `json:"event"`
	Seat   engine.Seat `json:"seat,omitempty"`
	Lines  []string    `json:"lines"`
	Undone bool        `json:"undone"`
	Again  bool        `json:"again"` // redo can restore it or, for an undo, a move that is not listed
	Back   int         `json:"back"`  // number of undos that lead back to the moment after it; 0 if undone
}

func (h *history) follow(f engine.Frame) {
	events := currentMatch(f)
	if f.View.Match != h.match {
		*h = history{match: f.View.Match, seq: f.View.Seq}
		if n := len(f.Past); n > 0 {
			events = append(f.Past[:n:n], eventsAfter(f.Past[n-1].Seq, events)...)
			h.seq = 0
		} else if len(events) > 0 {
			h.seq = events[0].Seq - 1
		}
	}
	if n := f.View.Seq - h.seq - 1; len(events) == 0 && n > 0 {
		h.seq, h.inForce = h.seq+n, h.inForce+n // without events, recording the last input suffices
	}
	for h.seq < f.View.Seq {
		h.seq++
		n := 0
		for n < len(events) && events[n].Seq <= h.seq {
			n++
		}
		h.record(events[:n])
		events = events[n:]
	}
	if over := len(h.entries) - maxHistory; over > 0 {
		h.entries = append([]entry(nil), h.entries[over:]...)
	}
	for i := range h.entries {
		if e := &h.entries[i]; e.position > 0 && !e.undone {
			e.undos = h.inForce - e.position
		} else {
			e.undos = 0
		}
	}
}

// currentMatch returns the frame's events without those of the previous match.
func currentMatch(f engine.Frame) []engine.Event {
	events := f.Events
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Seq > f.View.Seq || i+1 < len(events) && events[i].Seq > events[i+1].Seq {
			return events[i+1:]
		}
	}
	return events
}

// eventsAfter returns the events of inputs later than seq.
func eventsAfter(seq int, events []engine.Event) []engine.Event {
	for len(events) > 0 && events[0].Seq <= seq {
		events = events[1:]
	}
	return events
}

// record adds the next input with its events. After a move was undone, another move may take
// its position. Thus several moves can have the same position. At most one of them is in
// force, and at most one of them can be redone.
func (h *history) record(events []engine.Event) {
	name, position, tookBack := "", h.inForce+1, 0
	if len(events) > 0 {
		name, position = events[0].Name, events[0].Position
	}
	h.inForce = position
	switch name {
	case engine.EventUndo:
		if !h.mark(position+1, true) { // such as the first of two cards, after which only the question changes
			tookBack = position + 1
		}
		position = 0
	case engine.EventRedo:
		h.mark(position, false)
		position, events = 0, events[:1] // the move's events are in its own entry
	default:
		for i := range h.entries {
			h.entries[i].redoable = false
		}
	}
	if len(events) > 0 {
		h.entries = append(h.entries,
			entry{seq: h.seq, position: position, events: events, tookBack: tookBack, redoable: tookBack > 0})
	}
}

// mark strikes out the entry of the move at a position if undone is set. Otherwise it restores
// this entry. If there is no such entry, mark returns false. A move without events has no
// entry.
func (h *history) mark(position int, undone bool) (told bool) {
	for i := range h.entries {
		switch e := &h.entries[i]; {
		case e.position == position && (undone && !e.undone || !undone && e.redoable):
			e.undone, e.redoable, told = undone, undone, true
		case e.tookBack == position && !undone:
			e.redoable = false
		}
	}
	return told
}

// speak returns the entries in the frame's language, oldest first.
func speak(entries []entry, f engine.Frame) []Entry {
	names := f.View.Names()
	spoken := make([]Entry, 0, len(entries))
	for _, e := range entries {
		events := e.events
		if f.Words != nil {
			events = f.Words.SpeakEvents(f.Lang, events, names)
		}
		one := Entry{
			N: e.seq, Event: events[0].Name, Seat: events[0].Seat,
			Lines: []string{}, Undone: e.undone, Again: e.redoable, Back: e.undos,
		}
		for _, event := range events {
			if event.Spoken != "" {
				one.Lines = append(one.Lines, event.Spoken)
			}
		}
		spoken = append(spoken, one)
	}
	return spoken
}
