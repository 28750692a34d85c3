package web

import (
	"context"
	"crypto/tls"
	"errors"
	"image"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"tableside/engine"
)

// Config connects a Server to the table. Games, Input and Order are required. If another field
// is nil, the pages do not offer the feature for which the field exists.
type Config struct {
	// Input applies an input to the match. The field At of the input is 0, because the time
	// comes from the table's clock.
	Input func(context.Context, engine.Input) engine.Receipt
	// Try returns what each input would lead to: a fingerprint of the view, or
	// "" for an input that would be refused. now is the fingerprint of the current view.
	Try func(context.Context, []engine.Input) (now string, results []string)
	// Order begins, resumes, abandons or repeats a match, or teaches a tag. It also calls the
	// hall, takes back such a call, or dismisses the hall's message.
	Order func(context.Context, engine.Order) engine.Receipt
	Games func() []engine.Info
	Lang  engine.Lang // of what is said before the first frame; "" for the browser's

	// Cards lists the cards in the box of a game, in printed order, with
	// their titles in a language; the page offers them to teach a tag. The
	// list of a game without cards is empty.
	Cards func(game string, lang engine.Lang) ([]Card, error)
	// Files are the owner's card files; nil if the table keeps none.
	Files *CardFiles
	// Presets are the owner's presets; nil if the table keeps none.
	Presets *Presets
	// LastTag returns the tag that a reader found last and the card that it means, "" for
	// an unknown tag; n counts the tags found. It may be nil.
	LastTag func() (n int, tag, card string)
	// Print writes a sheet of labels as a PDF, or its first page as a PNG. An error says
	// what is wrong with the request. It may be nil.
	Print func(io.Writer, PrintOrder) (PrintResult, error)
	// Matches lists the matches, newest first.
	Matches func() ([]engine.MatchInfo, error)
	// Journal reads the journal of a match, or of the current match for "".
	// It returns fs.ErrNotExist for an unknown match.
	Journal func(match string) ([]byte, error)
	// ReadMatch returns the game and the journal of a match, or of the current match for
	// "". It returns fs.ErrNotExist for an unknown match; of a damaged journal it returns
	// the intact beginning beside the error.
	ReadMatch func(match string) (engine.Game, *engine.Journal, error)

	// History provides the matches that were played; nil if the table keeps none.
	History *History

	// Panel and Lights return exactly the pixels that the panel and the strip show. While
	// nothing is shown, they return nil. The images do not change afterwards.
	Panel, Lights func() image.Image

	// Metrics writes the table's metrics in Prometheus's text format.
	Metrics func(io.Writer)

	// Simulated is the hardware that players operate on the page; nil for a
	// table with real hardware.
	Simulated *Simulated

	// Readers receives the tags that other devices read. If it is nil, the server accepts
	// no such tags. Where hardware is simulated, Readers gets only the tags of real cards.
	Readers *Readers

	// Setup changes the parts of the table; nil if the program cannot change them.
	Setup *Setup

	// Show is a match that plays itself, for visitors of an empty table; nil if the table has
	// none.
	Show *Show

	// Token lets browsers on other machines play. If it is empty, only
	// loopback peers may.
	Token string
	// OwnerToken lets browsers not only play but also keep the table. To keep a table means,
	// for example, to begin and end its matches.
	OwnerToken string
	// AskHere is for a table behind a proxy on its own machine. If it is set, loopback
	// peers need the token, too. AskHere needs a Token.
	AskHere bool
	// Hosts lists further host names, such as the name of a proxy. A loopback peer may
	// request the page under these names. A port in a name is ignored.
	Hosts []string

	// TLS makes the same port answer TLS, too. Plain requests from other machines are then
	// redirected to TLS, and only this machine gets plain HTTP. If TLS is nil, everybody
	// gets plain HTTP.
	TLS *tls.Config
	// Authority is the certificate of the table's own certificate authority, as DER. It
	// is nil if somebody else signed the table's certificate.
	Authority []byte
}

// Simulated is hardware that is simulated on the page and operated by the players. In its
// functions, a place is the name of a card reader: the name of a seat, or "table". The receipt
// of a tap comes with the next frame.
type Simulated struct {
	Tap   func(ctx context.Context, place, tag string) error // lays a card on a reader
	Lift  func(ctx context.Context, place, tag string) error // takes the card off
	Press func(ctx context.Context, seat engine.Seat, key string) error
	Piles func() []engine.Pile // the hidden cards

	// Pick chooses a card from a hand. The place is the hand, such as "red/hand". The
	// chosen card is played next when the table does not ask for a particular card. A
	// second Pick of the same card clears the choice.
	Pick func(place, card string) error

	// Describe returns a card's text, line by line. It is nil if the table cannot
	// describe cards.
	Describe func(card string) []engine.Text
}

// Readers receives the tags that other devices read. In its functions, a place is a card
// reader of the table, a seat, or the table itself.
type Readers struct {
	Seat      func(place string) (seat engine.Seat, ok bool) // ok is false if there is no such place
	Tap, Lift func(ctx context.Context, place, read string) engine.Receipt
	Presence  func(place, state string) // state is "online", "offline", or "" if not known

	// See takes the texts of the codes in one frame from the camera of a visitor's page.
	// It returns a receipt for each code. Until two frames have shown the code, its
	// receipt has no outcome. After that, the receipt is that of the code's tap, as long
	// as the code stays in view.
	See func(ctx context.Context, visitor, page, place string, texts []string) []engine.Receipt
}

// A Show starts and stops a match that plays itself. After Stop, the table is empty.
type Show struct {
	Start   func(context.Context) engine.Receipt
	Stop    func()
	Playing func() bool
}

// ErrNoSuchPlace is the error that the functions of Simulated return if the table does not
// have the requested reader, key, seat or card at the given place.
var ErrNoSuchPlace = errors.New("not at this table")

const (
	maxBody          = 64 << 10         // bytes in a request: a setup with pools and definitions
	maxBrowsers      = 64               // connected at once; a table has a dozen
	reservedBrowsers = 16               // of maxBrowsers, for those that may play
	maxPerClient     = 12               // read-only browsers from one address
	maxEvents        = 256              // pending for one browser before it is disconnected
	maxHistory       = 60               // entries that a new page gets
	heartbeat        = 15 * time.Second // below the idle limit of common proxies
	writeLimit       = 10 * time.Second // for one message to one browser
	doLimit          = 10 * time.Second // for the table to answer an input
	answerLimit      = 15 * time.Second // for an answer to be written
)

// A Server shows a table's frames to browsers.
type Server struct {
	config     Config
	assets     *assets
	beat       time.Duration  // between heartbeats
	writeLimit time.Duration  // for one message to one browser
	routesFunc func() []route // routes of a hall; nil for those of a table
	done       chan struct{}  // closed to end the live streams
	close      sync.Once

	mu          sync.Mutex
	frame       engine.Frame
	frameNumber int // of the newest frame, counted from 1
	history     history
	messages    map[messageKey]*message // of the newest frame
	browsers    map[*mailbox]bool

	results resultCache

	printing sync.Mutex // held while labels are made
	checks   queue      // of card files
	folds    queue      // of matches, and lists of boxes
	scanning sync.Mutex // held while a camera's frame is read
}

// New returns a server without a frame. Its pages show nothing until the method Show is
// called.
func New(config Config) *Server {
	hosts := make([]string, 0, len(config.Hosts))
	for _, host := range config.Hosts {
		hosts = append(hosts, hostname(host)) // the form in which requests are compared
	}
	config.Hosts = hosts
	return &Server{
		config:     config,
		assets:     sharedAssets(),
		beat:       heartbeat,
		writeLimit: writeLimit,
		done:       make(chan struct{}),
		messages:   map[messageKey]*message{},
		browsers:   map[*mailbox]bool{},
		checks:     queue{maxPerVisitor: maxChecksPerVisitor, maxTotal: maxChecks},
		folds:      queue{maxPerVisitor: maxFoldsPerVisitor, maxTotal: maxFolds},
	}
}

// Show puts a frame into every browser's mailbox and does not wait for the browsers.
func (s *Server) Show(_ context.Context, f engine.Frame) error {
	f.Status.Simulated = s.config.Simulated != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.follow(f)
	s.frame = f
	s.frameNumber++
	clear(s.messages)
	for box := range s.browsers {
		box.put(s.frameNumber, f.Events)
	}
	return nil
}

// Redrawn notifies the browsers that the picture "panel" or "lights" has
// changed.
func (s *Server) Redrawn(picture string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for box := range s.browsers {
		box.redraw(picture)
	}
}

// currentFrame returns the newest frame in the given language. If lang is "", it is in the
// table's own language. Before the first frame, ok is false.
func (s *Server) currentFrame(lang engine.Lang) (f engine.Frame, ok bool) {
	s.mu.Lock()
	f, ok = s.frame, s.frameNumber > 0
	s.mu.Unlock()
	if lang != "" {
		f = f.In(lang)
	}
	return f, ok
}

// Serve answers requests on the listener until ctx ends. Then it closes the live streams and
// the listener, and returns nil after at most two seconds. If the listener fails, Serve
// returns the error.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      answerLimit, // the live stream sets its own
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	if s.config.TLS != nil {
		l, server.ConnContext = sniffListener{l, s.config.TLS}, keepConn
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
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		server.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close ends every live stream. It may be called more than once.
func (s *Server) Close() { s.close.Do(func() { close(s.done) }) }
