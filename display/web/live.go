package web

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"tableside/engine"
)

// A mailbox holds what a browser has not been sent yet: the newest frame
// wins, its events queue. The server's lock guards it.
type mailbox struct {
	writes bool
	client netip.Prefix // who counts as one where places are shared out

	wake     chan struct{} // holds one
	since    int           // number of the first frame that was not sent; 0: all were
	events   []engine.Event
	pictures map[string]bool
	full     bool // too slow: it is closed
}

func newMailbox(writes bool, client netip.Prefix) *mailbox {
	return &mailbox{writes: writes, client: client, wake: make(chan struct{}, 1), pictures: map[string]bool{}}
}

// put adds the events of the frame with that number.
func (b *mailbox) put(number int, events []engine.Event) {
	if b.since == 0 {
		b.since = number
	}
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

// A letter is the content of a mailbox.
type letter struct {
	message  *message // nil: no frame is new
	pictures []string
	full     bool
}

// open registers a mailbox that holds the whole frame, or says why it cannot.
// Those who only read leave room for the players and for one another.
func (s *Server) open(writes bool, client netip.Prefix) (box *mailbox, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := 0
	for other := range s.browsers {
		if !other.writes && other.client == client {
			same++
		}
	}
	switch n := len(s.browsers); {
	case n >= maxBrowsers || !writes && n >= maxBrowsers-kept:
		return nil, "too many pages are open at this table: close one"
	case !writes && same >= perClient:
		return nil, fmt.Sprintf("%d pages are open from your address: close one, or join with the token", same)
	}
	box = newMailbox(writes, client)
	if s.shown > 0 {
		box.put(s.shown, s.frame.Events)
	}
	s.browsers[box] = true
	return box, ""
}

func (s *Server) forget(box *mailbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.browsers, box)
}

// empty takes all that a mailbox holds, for a browser that reads a language,
// the table's own for "".
func (s *Server) empty(box *mailbox, lang engine.Lang) letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := letter{full: box.full, pictures: slices.Sorted(maps.Keys(box.pictures))}
	if box.since > 0 {
		l.message = s.message(cmp.Or(lang, s.frame.Lang), box)
	}
	box.since, box.events = 0, nil
	clear(box.pictures)
	return l
}

// live serves server-sent events: "frame" with a Live, whole from the first one
// on, and "picture" with the name of a picture that was redrawn.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	lang, writes := langOf(r), s.mayWrite(r)
	box, why := s.open(writes, s.client(r))
	if why != "" {
		fail(w, http.StatusServiceUnavailable, why)
		return
	}
	defer s.forget(box)
	// No chunks, as the HTML standard advises ("Server-sent events", authoring
	// notes): each costs further writes.
	w.Header().Set("Transfer-Encoding", "identity")
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	stream := stream{w, http.NewResponseController(w), s.limit}
	if stream.send([]byte("retry: 1000\n\n")) != nil {
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
			if stream.send([]byte(": still here\nevent: beat\ndata: 1\n\n")) != nil {
				return
			}
		case <-box.wake:
			l := s.empty(box, lang)
			if l.full || s.deliver(stream, l, writes) != nil {
				return
			}
		}
	}
}

func (s *Server) deliver(stream stream, l letter, writes bool) error {
	var messages [][]byte
	if l.message != nil {
		text, err := l.message.text(s, writes)
		if err != nil {
			return fmt.Errorf("web: write frame: %w", err)
		}
		messages = append(messages, text)
	}
	for _, name := range l.pictures {
		if slices.Contains(s.pictures(writes), name) {
			messages = append(messages, []byte("event: picture\ndata: "+name+"\n\n"))
		}
	}
	return stream.send(messages...)
}

// discreet returns the status as a browser may see it: the address holds the
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

// A stream sends to one browser, what it sends at once within the limit.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

func (s stream) send(messages ...[]byte) error {
	// A recorder in a test has no deadline to set; its writes cannot hang.
	_ = s.control.SetWriteDeadline(time.Now().Add(s.limit))
	for _, message := range messages {
		if _, err := s.w.Write(message); err != nil {
			return err
		}
	}
	return s.control.Flush()
}
