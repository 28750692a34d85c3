package core

import (
	"cmp"
	"slices"

	"tableside/engine"
)

// MaxEntries is how many entries a new page gets.
const MaxEntries = 60

// A Story records what has happened in the match, for pages that open later. An undo strikes
// out an entry, as on paper, and adds an entry of its own.
//
// The record counts inputs, not frames. A frame may carry the events of several inputs, and
// some inputs have no events.
type Story struct {
	match   engine.Null
	Seq     int // of the newest recorded input
	inForce int // number of inputs that are not undone
	Entries []StoryEntry
}

// A StoryEntry records the events of one input.
type StoryEntry struct {
	Seq      int
	position int // of a move in the list of inputs in force; 0 for undo and redo
	Events   []engine.Event
	Undone   bool
	Redoable bool // redo can still restore this undone move or, for an undo, the move in tookBack
	tookBack int  // of an undo: the position of the undone move, if that move has no entry; else 0
	undos    int  // that lead back to the moment after this move
}

// Entry is a history entry in the form that pages read.
type Entry struct {
	N      int           `json:"n"` // number of the input in the match
	Event  string        `json:"event"`
	Seat   engine.Seat   `json:"seat,omitempty"`
	Lines  []string      `json:"lines"`
	Of     []engine.Seat `json:"of,omitempty"` // whose each line is, where not all are of Seat
	Undone bool          `json:"undone"`
	Again  bool          `json:"again"`           // redo can restore it or, for an undo, a move that is not listed
	Back   int           `json:"back"`            // number of undos that lead back to the moment after it; 0 if undone
	Round  bool          `json:"round,omitempty"` // a round ended with it
}

func (h *Story) Follow(f engine.Frame) {
	events := currentMatch(f)
	if f.View.Match != h.match {
		*h = Story{match: f.View.Match, Seq: f.View.Seq}
		if n := len(f.Past); n > 0 {
			events = append(f.Past[:n:n], eventsAfter(f.Past[n-1].Seq, events)...)
			h.Seq = 0
		} else if len(events) > 0 {
			h.Seq = events[0].Seq - 1
		}
	}
	if n := f.View.Seq - h.Seq - 1; len(events) == 0 && n > 0 {
		h.Seq, h.inForce = h.Seq+n, h.inForce+n // without events, recording the last input suffices
	}
	for h.Seq < f.View.Seq {
		h.Seq++
		n := 0
		for n < len(events) && events[n].Seq <= h.Seq {
			n++
		}
		h.Record(events[:n])
		events = events[n:]
	}
	if over := len(h.Entries) - MaxEntries; over > 0 {
		h.Entries = append([]StoryEntry(nil), h.Entries[over:]...)
	}
	for i := range h.Entries {
		if e := &h.Entries[i]; e.position > 0 && !e.Undone {
			e.undos = h.inForce - e.position
		} else {
			e.undos = 0
		}
	}
}

func currentMatch(f engine.Frame) []engine.Event {
	events := f.Events
	for i := len(events) - 1; i >= 0; i-- {
		if events[i].Seq > f.View.Seq || i+1 < len(events) && events[i].Seq > events[i+1].Seq {
			return events[i+1:]
		}
	}
	return events
}

func eventsAfter(seq int, events []engine.Event) []engine.Event {
	for len(events) > 0 && events[0].Seq <= seq {
		events = events[1:]
	}
	return events
}

// record adds the next input with its events. After a move was undone, another move may take
// its position. Thus several moves can have the same position. At most one of them is in
// force, and at most one of them can be redone.
func (h *Story) Record(events []engine.Event) {
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
		for i := range h.Entries {
			h.Entries[i].Redoable = false
		}
	}
	if len(events) > 0 {
		h.Entries = append(h.Entries,
			StoryEntry{Seq: h.Seq, position: position, Events: events, tookBack: tookBack, Redoable: tookBack > 0})
	}
}

// mark strikes out the entry of the move at a position if undone is set. Otherwise it restores
// this entry. If there is no such entry, mark returns false. A move without events has no
// entry.
func (h *Story) mark(position int, undone bool) (told bool) {
	for i := range h.Entries {
		switch e := &h.Entries[i]; {
		case e.position == position && (undone && !e.Undone || !undone && e.Redoable):
			e.Undone, e.Redoable, told = undone, undone, true
		case e.tookBack == position && !undone:
			e.Redoable = false
		}
	}
	return told
}

// Speak returns the entries in the frame's language, oldest first.
func Speak(entries []StoryEntry, f engine.Frame) []Entry {
	names := f.View.Names()
	spoken := make([]Entry, 0, len(entries))
	for _, e := range entries {
		events := e.Events
		if f.Words != nil {
			events = f.Words.SpeakEvents(f.Lang, events, names)
		}
		one := Entry{
			N: e.Seq, Event: events[0].Name, Seat: events[0].Seat,
			Lines: []string{}, Undone: e.Undone, Again: e.Redoable, Back: e.undos,
		}
		for _, event := range events {
			one.Round = one.Round || event.Name == "round"
			if event.Spoken != "" {
				one.Lines = append(one.Lines, event.Spoken)
				one.Of = append(one.Of, cmp.Or(event.Seat, one.Seat))
			}
		}
		if !slices.ContainsFunc(one.Of, func(s engine.Seat) bool { return s != one.Seat }) {
			one.Of = nil
		}
		spoken = append(spoken, one)
	}
	return spoken
}
