package web

import (
	"context"
	"errors"
	"image"
	"io"
	"net"
	"sync"
	"time"

	"tableside/display/web/cards"
	"tableside/display/web/core"
	"tableside/display/web/past"
	"tableside/display/web/setup"
	"tableside/engine"
	"tableside/engine/advice"
)

// Config connects a Server to the table. All fields are required, except those that say what nil
// means.
type Config struct {
	core.Config
	// Input applies an input to the match. The field At of the input is 0, because the time
	// comes from the table's clock.
	Input func(context.Context, engine.Input) engine.Receipt
	// Try returns what each input would do. now is the fingerprint of the current view.
	Try func(context.Context, []engine.Input) (now string, results []engine.Trial)
	// Judge judges moves, as the view with the number seq of a match shows it. If there is a newer
	// view, ok is false. If Judge is nil, no page learns what is legal.
	Judge func(ctx context.Context, match string, seq int, moves []engine.Move) (verdicts []engine.Verdict, ok bool)
	// Order begins, resumes, abandons or repeats a match, or teaches a tag. It also calls the
	// hall, takes back such a call, or dismisses the hall's message.
	Order func(context.Context, engine.Order) engine.Receipt
	Games func() []engine.Info

	// Cards lists the cards in the box of a game, in printed order, with
	// their titles in a language; the page offers them to teach a tag. The
	// list of a game without cards is empty.
	Cards func(game string, lang engine.Lang) ([]cards.Card, error)
	Files *cards.Files
	// Presets are the owner's presets; nil in a hall.
	Presets *Presets
	// LastTag returns the tag that a reader found last and the card that it means, "" for
	// an unknown tag; n counts the tags found.
	LastTag func() (n int, tag, card string)
	// Print writes a sheet of labels as a PDF, or its first page as a PNG. An error says
	// what is wrong with the request.
	Print func(io.Writer, cards.PrintOrder) (cards.PrintResult, error)
	// Matches lists the matches, newest first.
	Matches func() ([]engine.MatchInfo, error)
	// Journal reads the journal of a match, or of the current match for "".
	// It returns fs.ErrNotExist for an unknown match.
	Journal func(match string) ([]byte, error)
	// ReadMatch returns the game and the journal of a match, or of the current match for
	// "". It returns fs.ErrNotExist for an unknown match; of a damaged journal it returns
	// the intact beginning beside the error.
	ReadMatch func(match string) (engine.Game, *engine.Journal, error)

	History *past.History
	Chances past.Chances // nil if nobody imagines them

	// Panel and Lights return exactly the pixels that the panel and the strip show. While
	// nothing is shown, they return nil. The images do not change afterwards. A function is nil if
	// the table has no such part that a page can show.
	Panel, Lights func() image.Image

	// Metrics writes the table's metrics in Prometheus's text format.
	Metrics func(io.Writer)

	// Simulated is the hardware that players operate on the page; nil for a
	// table with real hardware.
	Simulated *Simulated

	// Readers receives the tags that other devices read. Where hardware is simulated, it gets only
	// the tags of real cards.
	Readers *Readers

	// Setup changes the parts of the table; nil if the program cannot change them.
	Setup *setup.Setup

	// Show is a match that plays itself, for visitors of an empty table; nil if the table has
	// none.
	Show *Show

	// Reach is what the owner has to start or configure so that other machines can reach the
	// page; "" if they can.
	Reach string
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

	// Describe returns a card's text, line by line.
	Describe func(card string) []engine.Text

	// Hint returns the answers of a seat that is asked, the best first. It is nil if the table gives no hints.
	Hint func(context.Context, engine.Seat) ([]advice.Choice, error)
}

// Readers receives the tags that other devices read. In its functions, a place is a card
// reader of the table, a seat, or the table itself.
type Readers struct {
	Seat      func(place string) (seat engine.Seat, ok bool) // ok is false if there is no such place
	Tap, Lift func(ctx context.Context, place, read string) engine.Receipt
	Key       func(read string) string  // the key that a tag presses, or ""
	Presence  func(place, state string) // state is "online", "offline", or "" if not known

	// See takes the texts of the codes in one frame from the camera of a visitor's page.
	// It returns a receipt for each code. Until two frames have shown the code, its
	// receipt has no outcome. After that, the receipt is that of the code's tap, as long
	// as the code stays in view.
	See func(ctx context.Context, visitor, page, place string, texts []string) []engine.Receipt
}

// A Show starts and stops a match that plays itself. After Stop, the table is empty.
type Show struct {
	Games   []string // the titles of those it has a match of, such as "mutants"
	Start   func(ctx context.Context, title string) engine.Receipt
	Stop    func()
	Playing func() bool
	Caption func(engine.Lang) string // what happens in the match now, in a sentence; "" for nothing
}

// ErrNoSuchPlace is the error that the functions of Simulated return if the table does not
// have the requested reader, key, seat or card at the given place.
var ErrNoSuchPlace = errors.New("not at this table")

const (
	maxPlayers, playersEach = 96, 64 // pages that may play, and of them from one address
	maxReaders, readersEach = 48, 12 // pages that may only read

	maxEvents  = 256              // pending for one browser before it is disconnected
	heartbeat  = 7 * time.Second  // less than half of what a page waits for a sign of life
	writeLimit = 10 * time.Second // for one message to one browser
)

// A Server shows a table's frames to browsers.
type Server struct {
	*core.Site
	config     Config
	beat       time.Duration       // between heartbeats
	writeLimit time.Duration       // for one message to one browser
	routesFunc func() []core.Route // routes of a hall; nil for those of a table
	done       chan struct{}       // closed to end the live streams
	hallDone   <-chan struct{}     // closed to end those of a hall's table, too; nil for a table alone
	close      sync.Once

	players, readers core.Places // of pages that are open
	judged           judged

	mu          sync.Mutex
	frame       engine.Frame
	frameNumber int // of the newest frame, counted from 1
	history     core.Story
	messages    map[messageKey]*message // of the newest frame
	browsers    map[*mailbox]bool

	scanning sync.Mutex // held while a camera's frame is read
}

// New returns a server without a frame. Its pages show nothing until the method Show is
// called.
func New(config Config) *Server {
	s := &Server{
		config:     config,
		beat:       heartbeat,
		writeLimit: writeLimit,
		done:       make(chan struct{}),
		messages:   map[messageKey]*message{},
		browsers:   map[*mailbox]bool{},
		players:    core.Places{Most: maxPlayers, Each: playersEach},
		readers:    core.Places{Most: maxReaders, Each: readersEach},
	}
	s.Site = core.New(&s.config.Config, sharedAssets(), s.currentFrame)
	return s
}

// Show puts a frame into every browser's mailbox and does not wait for the browsers.
func (s *Server) Show(_ context.Context, f engine.Frame) error {
	f.Status.Simulated = s.config.Simulated != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.Follow(f)
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
	return s.Listen(ctx, l, s.Handler(), s.Close)
}

// Close ends every live stream. It may be called more than once.
func (s *Server) Close() { s.close.Do(func() { close(s.done) }) }
