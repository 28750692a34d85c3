package web

import (
	"context"
	"errors"
	"image"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"tableside/engine"
)

// Config holds what the pages need of the table. Games, Input and Order are
// required; of the others, the pages do not offer what is nil.
type Config struct {
	// Input does what happens within a match. Whose clock: the table's, the
	// input's At is 0.
	Input func(context.Context, engine.Input) engine.Receipt
	// Order begins, resumes, abandons a match or plays it again.
	Order func(context.Context, engine.Order) engine.Receipt
	Games func() []engine.Info

	// Cards lists the cards in the box of a game, in printed order, with
	// their titles in a language: a tag is taught from them. A game without
	// cards has none.
	Cards func(game string, lang engine.Lang) ([]Card, error)
	// Matches lists the matches, newest first.
	Matches func() ([]engine.MatchInfo, error)
	// Journal reads the journal of a match, of the one that is played for
	// "". An unknown match is fs.ErrNotExist.
	Journal func(match string) ([]byte, error)

	// Panel and Lights are what the glass and the strip really show, pixel
	// for pixel; nil while they show nothing. The images are not changed
	// afterwards.
	Panel, Lights func() image.Image

	// Metrics writes the text format of Prometheus.
	Metrics func(io.Writer)

	// Simulated is the hardware that stands on the page; nil for a table
	// that has its own.
	Simulated *Simulated

	// Token lets browsers elsewhere write. Without one only loopback peers
	// may.
	Token string
	// AskHere asks loopback peers for the token too, for a table behind a
	// proxy on its own machine. It needs a Token.
	AskHere bool
	// Hosts are further names under which a loopback peer may ask for the
	// page, such as a proxy's. A port in them counts for nothing.
	Hosts []string
}

// Simulated is hardware that players work on the page. A place is named as the
// configuration names the reader: the seat, or "table". The receipt of
// a tap is in the next frame.
type Simulated struct {
	Tap   func(ctx context.Context, place, tag string) error // lays a card on a reader
	Lift  func(ctx context.Context, place, tag string) error // takes it off
	Press func(ctx context.Context, seat engine.Seat, key string) error
	Piles func() []engine.Pile // the hidden cards

	// Pick makes a card of a hand, "red/hand", the one that goes next where
	// the table does not ask which; picked again it is no longer.
	Pick func(place, card string) error

	// Describe tells what a card does, line by line. Nil tells nothing.
	Describe func(card string) []engine.Text
}

// ErrNoSuchPlace is the error of Simulated for a reader, key, seat or card that
// the table does not have there.
var ErrNoSuchPlace = errors.New("not at this table")

const (
	maxBody     = 64 << 10         // of a request: a setup with pools and definitions
	maxBrowsers = 64               // at once; a table has a dozen
	kept        = 16               // of them, for those who may write
	perClient   = 12               // that only read, from one address
	maxEvents   = 256              // that may wait for one browser, then it is closed
	maxHistory  = 60               // entries that a fresh page sees
	heartbeat   = 15 * time.Second // below the idle limit of common proxies
	writeLimit  = 10 * time.Second // for one message to one browser
	doLimit     = 10 * time.Second // for the table to answer an input
)

// A Server shows frames to browsers.
type Server struct {
	config Config
	assets *assets
	beat   time.Duration // between heartbeats
	limit  time.Duration // for one message to one browser
	done   chan struct{} // closed when the browsers shall go
	close  sync.Once

	mu       sync.Mutex
	frame    engine.Frame
	shown    int // frames so far: the number of the newest
	history  history
	messages map[messageKey]*message // of the newest frame
	browsers map[*mailbox]bool
}

// New makes a server that has nothing to show yet.
func New(config Config) *Server {
	hosts := make([]string, 0, len(config.Hosts))
	for _, host := range config.Hosts {
		hosts = append(hosts, hostname(host)) // as those of requests are compared
	}
	config.Hosts = hosts
	return &Server{
		config:   config,
		assets:   newAssets(),
		beat:     heartbeat,
		limit:    writeLimit,
		done:     make(chan struct{}),
		messages: map[messageKey]*message{},
		browsers: map[*mailbox]bool{},
	}
}

// Show hands a frame to every browser's mailbox and returns at once.
func (s *Server) Show(_ context.Context, f engine.Frame) error {
	f.Status.Simulated = s.config.Simulated != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.follow(f)
	s.frame = f
	s.shown++
	clear(s.messages)
	for box := range s.browsers {
		box.put(s.shown, f.Events)
	}
	return nil
}

// Redrawn tells the browsers that a picture, "panel" or "lights", shows
// something new.
func (s *Server) Redrawn(picture string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for box := range s.browsers {
		box.redraw(picture)
	}
}

// current returns the newest frame in a language, the table's own for "".
func (s *Server) current(lang engine.Lang) (f engine.Frame, ok bool) {
	s.mu.Lock()
	f, ok = s.frame, s.shown > 0
	s.mu.Unlock()
	if lang != "" {
		f = f.In(lang)
	}
	return f, ok
}

// Serve answers on the listener until the context ends, then lets the
// browsers go. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      doLimit + 5*time.Second, // the live stream sets its own
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		s.Close()
		return err
	case <-ctx.Done():
	}
	s.Close()
	patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(patience) != nil {
		server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends every live stream. It may be called more than once.
func (s *Server) Close() { s.close.Do(func() { close(s.done) }) }
