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

// A mailbox holds what has not been sent to one browser yet. A newer frame replaces an older
// one, but events queue up. The server's lock guards the mailbox.
type mailbox struct {
	mayPlay bool
	client  netip.Prefix // counted against maxPerClient

	wake       chan struct{} // capacity 1
	firstFrame int           // number of the first unsent frame; 0: none
	events     []engine.Event
	pictures   map[string]bool
	full       bool // the browser is too slow and will be disconnected
}

func newMailbox(mayPlay bool, client netip.Prefix) *mailbox {
	return &mailbox{mayPlay: mayPlay, client: client, wake: make(chan struct{}, 1), pictures: map[string]bool{}}
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

// register adds a mailbox for a page that was opened. The mailbox holds the current frame. If
// too many pages are open, register adds no mailbox, and returns the reason. The caller sets
// mayPlay if the page's browser may play. Browsers that may only read have lower limits, so
// that there is room for the players and for other people who read.
func (s *Server) register(mayPlay bool, client netip.Prefix) (box *mailbox, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	same := 0
	for other := range s.browsers {
		if !other.mayPlay && other.client == client {
			same++
		}
	}
	switch n := len(s.browsers); {
	case n >= maxBrowsers || !mayPlay && n >= maxBrowsers-reservedBrowsers:
		return nil, "too many pages are open at this table: close one"
	case !mayPlay && same >= maxPerClient:
		return nil, "too many pages are open from your address: close one, or join with the token"
	}
	box = newMailbox(mayPlay, client)
	if s.frameNumber > 0 {
		box.put(s.frameNumber, s.frame.Events)
	}
	s.browsers[box] = true
	return box, ""
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
	lang, has := langOf(r), s.rightsOf(r)
	to := audience{has, has.Play && s.config.Simulated != nil && r.URL.Query().Has("piles")}
	box, why := s.register(has.Play, s.client(r))
	if why != "" {
		fail(w, http.StatusServiceUnavailable, s.translate(r, why))
		return
	}
	defer s.unregister(box)
	stream, err := s.stream(w)
	if err != nil {
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
			if stream.send(stillHere) != nil {
				return
			}
		case <-box.wake:
			l := s.drain(box, lang)
			if l.full || s.deliver(stream, l, to) != nil {
				return
			}
		}
	}
}

// stillHere is the heartbeat.
var stillHere = []byte(": still here\nevent: beat\ndata: 1\n\n")

// stream begins a stream of server-sent events.
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
func (s *Server) redact(status engine.Status, has Rights) engine.Status {
	switch {
	case !has.Play:
		status.Address = ""
	case !has.everySeat():
		status.Address = s.addressFor(status.Address, has.Seat)
	}
	if status.Health == nil {
		status.Health = []engine.Part{}
	}
	return status
}

// pictures returns the names of the pictures that the table has and the browser
// may see.
func (s *Server) pictures(has Rights) []string {
	names := []string{}
	if s.config.Lights != nil {
		names = append(names, "lights")
	}
	if s.config.Panel != nil && (has.everySeat() || s.config.Token == "") {
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
