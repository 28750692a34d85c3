package web

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"tableside/display/web/core"
	"tableside/engine"
)

// A mailbox holds what has not been sent to one browser yet. A newer frame replaces an older
// one, but events queue up. The server's lock guards the mailbox.
type mailbox struct {
	wake       chan struct{} // capacity 1
	firstFrame int           // number of the first unsent frame; 0: none
	events     []engine.Event
	pictures   map[string]bool
	full       bool // the browser is too slow, and will be disconnected
}

// put queues the events of a frame with the given number. If too many events are pending, put
// marks the mailbox as full instead.
func (b *mailbox) put(number int, events []engine.Event) {
	if b.firstFrame == 0 {
		b.firstFrame = number
	}
	if len(b.events)+len(events) > maxEvents {
		b.full = true
	} else {
		b.events = append(b.events, events...)
	}
	b.notify()
}

func (b *mailbox) redraw(picture string) {
	b.pictures[picture] = true
	b.notify()
}

func (b *mailbox) notify() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// A delivery holds the contents of a mailbox.
type delivery struct {
	message  *message // nil: no new frame
	pictures []string
	full     bool
}

// takePlace takes a place for a page, or answers that there is none and returns nil. The caller must
// call leave.
func (s *Server) takePlace(w http.ResponseWriter, r *http.Request, places *core.Places) (leave func()) {
	leave, greedy := places.Take(s.Client(r))
	switch {
	case greedy && places == &s.readers:
		s.Fail(w, r, core.Failf(http.StatusServiceUnavailable,
			"too many pages are open from your address: close one, or join with the token"))
	case greedy:
		s.Fail(w, r, core.Failf(http.StatusServiceUnavailable, "too many pages are open from your address: close one"))
	case leave == nil:
		s.Fail(w, r, core.Failf(http.StatusServiceUnavailable, "too many pages are open: close one"))
	}
	return leave
}

// register adds a mailbox, which holds the current frame, for a page that was opened.
func (s *Server) register() *mailbox {
	s.mu.Lock()
	defer s.mu.Unlock()
	box := &mailbox{wake: make(chan struct{}, 1), pictures: map[string]bool{}}
	if s.frameNumber > 0 {
		box.put(s.frameNumber, s.frame.Events)
	}
	s.browsers[box] = true
	return box
}

func (s *Server) unregister(box *mailbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.browsers, box)
}

// drain empties a mailbox and returns its contents for the browser, in the given language. If
// lang is "", the contents are in the table's own language.
func (s *Server) drain(box *mailbox, lang engine.Lang) delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := delivery{full: box.full, pictures: slices.Sorted(maps.Keys(box.pictures))}
	if box.firstFrame > 0 {
		l.message = s.message(cmp.Or(lang, s.frame.Lang), box)
	}
	box.firstFrame, box.events = 0, nil
	clear(box.pictures)
	return l
}

// streamLive serves server-sent events of the table. The event "frame" carries a complete
// Live. In a match with a clock, an event "clock" comes before each "frame" and carries the
// age of the frame in milliseconds. The event "picture" carries the name of a picture that was
// redrawn.
//
// At a simulated table, a player's browser may ask for the piles. It then gets the hidden
// cards with each frame.
func (s *Server) streamLive(w http.ResponseWriter, r *http.Request) {
	lang, has := core.LangOf(r), s.RightsOf(r)
	to := audience{has, has.Play && s.config.Simulated != nil && r.URL.Query().Has("piles")}
	places := &s.readers
	if has.Play {
		places = &s.players
	}
	leave := s.takePlace(w, r, places)
	if leave == nil {
		return
	}
	defer leave()
	box := s.register()
	defer s.unregister(box)
	s.serveEvents(w, r, box.wake, 0, func(stream stream) error {
		l := s.drain(box, lang)
		if l.full {
			return errFull
		}
		return s.deliver(stream, l, to)
	})
}

// errFull ends the stream of a browser that is too slow.
var errFull = errors.New("the mailbox is full")

// serveEvents serves server-sent events until the browser goes, the server is closed or tell
// returns an error. It calls tell whenever wake holds a value, with a pause between two calls.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request, wake <-chan struct{}, pause time.Duration, tell func(stream) error) {
	stream, err := s.stream(w)
	beat, rested := time.NewTicker(s.beat), (<-chan time.Time)(nil)
	defer beat.Stop()
	for ready := wake; err == nil; {
		select {
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		case <-s.hallDone:
			return
		case <-beat.C:
			err = stream.send(stillHere)
		case <-rested:
			ready = wake
		case <-ready:
			if err = tell(stream); pause > 0 {
				ready, rested = nil, time.After(pause)
			}
		}
	}
}

// stillHere is the heartbeat.
var stillHere = []byte(": still here\nevent: beat\ndata: 1\n\n")

func (s *Server) stream(w http.ResponseWriter) (stream, error) {
	// No chunked encoding, as the HTML standard advises ("Server-sent events",
	// authoring notes): each chunk costs further writes.
	w.Header().Set("Transfer-Encoding", "identity")
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no")
	to := stream{w, http.NewResponseController(w), s.writeLimit}
	return to, to.send([]byte("retry: 1000\n\n"))
}

func (s *Server) deliver(stream stream, l delivery, to audience) error {
	var messages [][]byte
	if l.message != nil {
		text, err := l.message.text(s, to)
		if err != nil {
			return fmt.Errorf("web: write frame: %w", err)
		}
		if clock := l.message.age(time.Now()); clock != nil {
			messages = append(messages, clock)
		}
		messages = append(messages, text)
	}
	for _, name := range l.pictures {
		if slices.Contains(s.pictures(to.rights), name) {
			messages = append(messages, []byte("event: picture\ndata: "+name+"\n\n"))
		}
	}
	return stream.send(messages...)
}

// redact returns the part of a status that a browser may see. The status holds the table's
// address, which contains the token. A browser that may play for every seat gets this address.
// A browser of one seat gets the address with the code of this seat in place of the token. A
// browser that may not play gets no address.
func (s *Server) redact(status engine.Status, has core.Rights) engine.Status {
	switch {
	case !has.Play:
		status.Address = ""
	case !has.EverySeat():
		status.Address = s.AddressFor(status.Address, has.Seat)
	}
	if status.Health == nil {
		status.Health = []engine.Part{}
	}
	return status
}

// pictures returns the names of the pictures that the table has and the browser
// may see.
func (s *Server) pictures(has core.Rights) []string {
	names := []string{}
	if s.config.Lights != nil {
		names = append(names, "lights")
	}
	if s.config.Panel != nil && (has.EverySeat() || s.config.Token == "") {
		names = append(names, "panel")
	}
	return names
}

// A stream writes to one browser. Each call of send must finish within the stream's time
// limit.
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
