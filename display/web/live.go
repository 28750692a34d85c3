package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"tableside/engine"
)

// A mailbox holds what a browser has not been sent yet: the newest frame
// wins, its events queue. The server's lock guards it.
type mailbox struct {
	wake     chan struct{} // holds one
	fresh    bool
	events   []engine.Event
	pictures map[string]bool
	full     bool // too slow: it is closed
}

func newMailbox() *mailbox {
	return &mailbox{wake: make(chan struct{}, 1), pictures: map[string]bool{}}
}

func (b *mailbox) put(events []engine.Event) {
	b.fresh = true
	if len(b.events)+len(events) > maxEvents {
		b.full = true
	} else {
		b.events = append(b.events, events...)
	}
	b.ring()
}

func (b *mailbox) redraw(picture string) {
	b.pictures[picture] = true
	b.ring()
}

func (b *mailbox) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// A Live is what /api/live sends as the event "frame": the frame, and what a
// page that opens now needs besides.
type Live struct {
	engine.Frame
	History  []Entry  `json:"history"`
	Writes   bool     `json:"writes"`   // whether this browser may write
	Pictures []string `json:"pictures"` // of panel and lights, those that this browser may see
}

// letter is what a mailbox held.
type letter struct {
	frame    engine.Frame
	history  []entry
	pictures []string
	fresh    bool
	full     bool
}

// open registers a mailbox that holds the whole frame, unless too many are.
// Those who only read leave room for the players.
func (s *Server) open(writes bool) (*mailbox, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.browsers) >= maxBrowsers || !writes && len(s.browsers) >= maxBrowsers-kept {
		return nil, false
	}
	box := newMailbox()
	if s.shown {
		box.put(s.frame.Events)
	}
	s.browsers[box] = true
	return box, true
}

func (s *Server) forget(box *mailbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.browsers, box)
}

// empty takes all that a mailbox holds.
func (s *Server) empty(box *mailbox) letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := letter{frame: s.frame, fresh: box.fresh, full: box.full, pictures: slices.Sorted(maps.Keys(box.pictures))}
	l.frame.Events = box.events
	if l.fresh {
		l.history = slices.Clone(s.history.entries)
	}
	box.fresh, box.events = false, nil
	clear(box.pictures)
	return l
}

// live is server-sent events: "frame" with a Live, whole from the first one
// on, and "picture" with the name of a picture that was redrawn.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	lang, writes := langOf(r), s.mayWrite(r)
	box, ok := s.open(writes)
	if !ok {
		fail(w, http.StatusServiceUnavailable, "too many pages are open at this table: close one")
		return
	}
	defer s.forget(box)
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	stream := stream{w, http.NewResponseController(w), s.limit}
	if stream.send("retry: 1000\n\n") != nil {
		return
	}
	beat := time.NewTicker(s.beat)
	defer beat.Stop()
	for {
		select {
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		case <-beat.C:
			if stream.send(": still here\nevent: beat\ndata: 1\n\n") != nil {
				return
			}
		case <-box.wake:
			l := s.empty(box)
			if l.full || s.deliver(stream, l, lang, writes) != nil {
				return
			}
		}
	}
}

func (s *Server) deliver(stream stream, l letter, lang engine.Lang, writes bool) error {
	if l.fresh {
		f := l.frame
		if lang != "" {
			f = f.In(lang)
		}
		if f.Events == nil {
			f.Events = []engine.Event{}
		}
		f.Status = s.discreet(f.Status, writes)
		data, err := json.Marshal(Live{Frame: f, History: speak(l.history, f), Writes: writes, Pictures: s.pictures(writes)})
		if err != nil {
			return fmt.Errorf("web: write frame: %w", err)
		}
		if err := stream.send("event: frame\ndata: " + string(data) + "\n\n"); err != nil {
			return err
		}
	}
	for _, name := range l.pictures {
		if !slices.Contains(s.pictures(writes), name) {
			continue
		}
		if err := stream.send("event: picture\ndata: " + name + "\n\n"); err != nil {
			return err
		}
	}
	return nil
}

// discreet is the status as a browser may see it: the address holds the
// token, which those who only read must not learn.
func (s *Server) discreet(status engine.Status, writes bool) engine.Status {
	if !writes {
		status.Address = ""
	}
	if status.Health == nil {
		status.Health = []engine.Part{}
	}
	return status
}

// pictures names those that the table has and the browser may see.
func (s *Server) pictures(writes bool) []string {
	names := []string{}
	if s.config.Lights != nil {
		names = append(names, "lights")
	}
	if s.config.Panel != nil && (writes || s.config.Token == "") {
		names = append(names, "panel")
	}
	return names
}

// A stream sends to one browser, each message within the limit.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

func (s stream) send(message string) error {
	// A recorder in a test has no deadline to set; its writes cannot hang.
	_ = s.control.SetWriteDeadline(time.Now().Add(s.limit))
	if _, err := s.w.Write([]byte(message)); err != nil {
		return err
	}
	return s.control.Flush()
}
