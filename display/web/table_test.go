package web

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tableside/display/labels"
	"tableside/display/web/cards"
	"tableside/display/web/past"
	"tableside/engine"
)

// table imitates the real table: one writer, a frame after every change, a
// receipt for every input and order. It outlives the servers that show it.
type table struct {
	t      testing.TB
	mu     sync.Mutex
	game   engine.Game // ring if nil
	match  *engine.Match
	dealer *engine.Dealer
	begun  int // number of matches
	status engine.Status
	web    *Server
	judged int               // how often moves were judged
	laid   []string          // place and tag of every tap and lift
	tags   map[string]string // learnt tags by card; nil if the table cannot learn
	learnt engine.Text
	events []engine.Event // all of the match, those of undo and redo too
	past   []engine.Event // from before the match was resumed
}

func newTable(t testing.TB) *table {
	return &table{t: t, status: engine.Status{Keeping: true, Cursor: -1}}
}

func (tb *table) config() Config {
	return Config{
		Input:   tb.input,
		Order:   tb.order,
		Try:     tb.try,
		Judge:   tb.judge,
		Games:   func() []engine.Info { return []engine.Info{tb.plays().Info()} },
		Cards:   ringCards,
		Files:   newCardFiles().files(),
		Presets: newPresets(),
		Print: func(w io.Writer, ask cards.PrintOrder) (cards.PrintResult, error) {
			if ask.Size == "banana" {
				return cards.PrintResult{}, errors.New("no such size")
			}
			done := cards.PrintResult{Labels: 24, Pages: 3, Sets: []string{"a", "b"}}
			if ask.Preview {
				var some []labels.Label
				for i, name := range []string{"Gorthaur", "Captain Wrenchfury", "Eva's Replication", "Leech Lord", "Zombie"} {
					number := fmt.Sprint("Mutants ", i%2+1, "/2")
					some = append(some, labels.Label{Code: "tableside:mutants/" + name, Name: name, Number: number})
				}
				_, err := labels.Sheet{Title: "Mutants", Paper: labels.Papers[0], Size: labels.Sizes[0]}.Preview(w, some)
				return done, err
			}
			_, err := fmt.Fprintf(w, "%%PDF %+v", ask)
			return done, err
		},
		Matches: tb.matches,
		Journal: func(match string) ([]byte, error) {
			if match != "" {
				return nil, fs.ErrNotExist
			}
			return []byte("tableside-journal 1\ngame ring/test\nbegin 2026-11-19T19:00:00Z\n"), nil
		},
		Panel: func() image.Image {
			return image.NewPaletted(image.Rect(0, 0, 250, 122), color.Palette{color.White, color.Black})
		},
		Lights:  func() image.Image { return nil },
		Metrics: func(w io.Writer) { fmt.Fprintln(w, "tableside_inputs_total 1") },
		Simulated: &Simulated{
			Tap:   tb.tap,
			Lift:  tb.lift,
			Press: tb.press,
			Piles: func() []engine.Pile {
				tb.mu.Lock()
				defer tb.mu.Unlock()
				if tb.dealer == nil {
					return nil
				}
				return tb.dealer.Piles()
			},
			Pick: func(place, card string) error {
				tb.mu.Lock()
				defer tb.mu.Unlock()
				if tb.dealer == nil || !tb.dealer.Pick(place, card) {
					return ErrNoSuchPlace
				}
				return nil
			},
		},
	}
}

// newServer returns the server of a table that has nothing of what the configuration leaves out.
func newServer(c Config) *Server {
	if c.Cards == nil {
		c.Cards = func(string, engine.Lang) ([]cards.Card, error) { return nil, nil }
	}
	if c.Files == nil {
		c.Files = newCardFiles().files()
	}
	if c.LastTag == nil {
		c.LastTag = func() (n int, tag, card string) { return 0, "", "" }
	}
	if c.Metrics == nil {
		c.Metrics = func(io.Writer) {}
	}
	if c.Matches == nil {
		c.Matches = func() ([]engine.MatchInfo, error) { return nil, nil }
	}
	if c.Journal == nil {
		c.Journal = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	}
	if c.ReadMatch == nil {
		c.ReadMatch = func(string) (engine.Game, *engine.Journal, error) { return nil, nil, fs.ErrNotExist }
	}
	if c.Readers == nil {
		c.Readers = &Readers{Seat: func(string) (engine.Seat, bool) { return "", false }}
	}
	if c.Simulated != nil && c.Simulated.Describe == nil {
		c.Simulated.Describe = func(string) []engine.Text { return nil }
	}
	var h past.History
	if c.History != nil {
		h = *c.History
	}
	none := []struct{}{}
	if h.Matches == nil {
		h.Matches = func(bool, engine.Lang) (any, error) { return none, nil }
	}
	if h.Players == nil {
		h.Players = func() (any, error) { return none, nil }
	}
	if h.Stats == nil {
		h.Stats = func(engine.Lang) (any, error) { return none, nil }
	}
	if h.Table == nil {
		h.Table = func(io.Writer) error { return nil }
	}
	if h.Import == nil {
		h.Import = func(string, bool, engine.Lang) (any, error) { return struct{}{}, nil }
	}
	if h.BGStats == nil {
		h.BGStats = func(io.Writer, engine.Lang) error { return nil }
	}
	if h.Post == nil {
		h.Post = func(string, engine.Lang) string { return "" }
	}
	if h.Change == nil {
		h.Change = func(past.Change) error { return fs.ErrNotExist }
	}
	if h.Removal == nil {
		h.Removal = func() any { return nil }
	}
	c.History = &h
	return New(c)
}

func (tb *table) note(s string) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.laid = append(tb.laid, s)
}

func (tb *table) show(s *Server) *Server {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.web = s
	tb.frame(nil)
	return s
}

// resume shows the match to a new server, as after a power cut.
func (tb *table) resume(s *Server) *Server {
	tb.mu.Lock()
	tb.past = slices.Clone(tb.events)
	tb.mu.Unlock()
	return tb.show(s)
}

func (tb *table) frame(events []engine.Event) {
	if tb.web == nil {
		return
	}
	_ = tb.web.Show(context.Background(), tb.picture(events).In(engine.English))
}

func (tb *table) picture(events []engine.Event) engine.Frame {
	view, words := engine.EmptyView(), engine.CoreWords()
	if tb.match != nil {
		view, words = tb.match.View(), tb.match.Words()
	}
	view.Table = "test"
	words = engine.Merge(words, engine.MustWords("tags", tagWords))
	return engine.Frame{View: view, Events: slices.Clone(events), Past: tb.past, Status: tb.status, Words: words,
		Lang: "-"}
}

func (tb *table) receipt(place string, in engine.Input, err error) engine.Receipt {
	r := engine.Receipt{Outcome: engine.Accepted, Seat: in.Seat, Place: place, N: 1}
	if tb.status.Receipt != nil {
		r.N = tb.status.Receipt.N + 1
	}
	if tb.match != nil {
		r.Seq = tb.match.Seq()
	}
	if refusal, ok := engine.AsRefusal(err); ok {
		r.Outcome, r.Text, r.Override = engine.Refused, refusal.Text, refusal.Override
	} else if err != nil {
		r.Outcome, r.Spoken = engine.Failed, err.Error()
	}
	tb.status.Receipt = &r
	return r
}

func (tb *table) input(_ context.Context, in engine.Input) engine.Receipt { return tb.apply("", in) }

func (tb *table) apply(place string, in engine.Input) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if tb.match == nil {
		r := tb.receipt(place, in, engine.Refuse("refusal.nothing-to-undo"))
		tb.frame(nil)
		return r
	}
	step, err := tb.match.Apply(in)
	if err == nil {
		tb.dealer.Follow(step)
		tb.events = append(tb.events, step.Events...)
	}
	r := tb.receipt(place, in, err)
	tb.frame(step.Events)
	return r
}

func (tb *table) plays() engine.Game {
	if tb.game == nil {
		return ring{}
	}
	return tb.game
}

func (tb *table) try(_ context.Context, inputs []engine.Input) (now string, results []engine.Trial) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	results = make([]engine.Trial, len(inputs))
	for i, in := range inputs {
		if tb.match == nil { // a frame without a match: everything is accepted
			results[i].Hash = in.String()
		} else {
			results[i] = tb.match.Foresee(in)
		}
	}
	if tb.match == nil {
		return "", results
	}
	v := tb.match.View()
	v.Seq = 0
	return v.Hash(), results
}

func (tb *table) judge(_ context.Context, match string, seq int, moves []engine.Move) ([]engine.Verdict, bool) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if tb.match == nil || tb.match.Setup().MatchID() != match || tb.match.Seq() != seq {
		return nil, false
	}
	tb.judged++
	return tb.match.Judge(moves), true
}

func (tb *table) order(_ context.Context, o engine.Order) engine.Receipt {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	var err error
	switch o.Do {
	case "begin", "rematch":
		if o.Do == "rematch" && tb.match != nil {
			o.Setup = tb.match.Setup()
		}
		o.Setup.Begin = time.Date(2026, 11, 20, 20, 15+tb.begun, 0, 0, time.UTC)
		tb.begun++
		var m *engine.Match
		if m, err = engine.NewMatch(tb.plays(), o.Setup); err == nil {
			tb.match, tb.events, tb.past = m, nil, nil
			tb.dealer = engine.NewDealer(m.State(), rand.New(rand.NewPCG(1, 2)))
		}
	case "abandon":
		tb.match, tb.dealer, tb.events, tb.past = nil, nil, nil, nil
	case "learn":
		r := tb.receipt("", engine.Input{Seat: engine.Table}, tb.learn(o.Tag, o.Card))
		if r.Outcome == engine.Accepted {
			r.Text = tb.learnt
			tb.status.Receipt = &r
		}
		tb.frame(nil)
		return r
	}
	if setup, ok := errors.AsType[*engine.SetupError](err); ok {
		err = &engine.Refusal{Text: setup.Text}
	}
	r := tb.receipt("", engine.Input{Seat: engine.Table}, err)
	tb.frame(nil)
	return r
}

func (tb *table) matches() ([]engine.MatchInfo, error) {
	return []engine.MatchInfo{{ID: "2026-11-19T19-00-00Z", Game: "ring/test", State: "finished",
			Begin: time.Date(2026, 11, 19, 19, 0, 0, 0, time.UTC), Inputs: 31,
			Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}, Winners: []engine.Seat{"blue"}}},
		nil
}

func (tb *table) tap(_ context.Context, place, tag string) error {
	tb.note("tap " + place + " " + tag)
	if place == "nowhere" {
		return ErrNoSuchPlace
	}
	if tag == "unknown.1" {
		tb.mu.Lock()
		defer tb.mu.Unlock()
		r := tb.receipt(place, engine.Input{Seat: engine.Seat(place)}, nil)
		r.Outcome, r.Spoken = engine.Unknown, "No catalogue knows this tag"
		tb.status.Receipt = &r
		tb.frame(nil)
		return nil
	}
	if strings.HasPrefix(tag, "04") {
		tb.tapUnknown(place, tag)
		return nil
	}
	tb.apply(place, engine.Input{Seat: engine.Seat(place), Verb: engine.Tap, Args: []string{tag}})
	return nil
}

// lift succeeds only for the card that was laid on the reader last.
func (tb *table) lift(_ context.Context, place, tag string) error {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	last := ""
	for _, s := range tb.laid {
		if strings.HasPrefix(s, "tap "+place+" ") {
			last = s
		}
	}
	tb.laid = append(tb.laid, "lift "+place+" "+tag)
	if last != "tap "+place+" "+tag {
		return ErrNoSuchPlace
	}
	return nil
}

func (tb *table) press(_ context.Context, seat engine.Seat, key string) error {
	in := engine.Input{Seat: seat, Verb: engine.Key, Args: []string{key}}
	if key == "undo" || key == "redo" {
		in = engine.Input{Seat: seat, Verb: engine.Verb(key)}
	}
	tb.apply(string(seat), in)
	return nil
}

func (tb *table) begin() *table {
	r := tb.order(context.Background(), engine.Order{Do: "begin", Setup: engine.Setup{Game: tb.plays().Info().Name,
		Seats: []engine.Player{{Seat: "red", Name: "Alice"}, {Seat: "blue", Name: "Max"}}}})
	if r.Outcome != engine.Accepted {
		tb.t.Fatalf("begin: %+v", r)
	}
	return tb
}

// listen serves s until stop is called or the test ends.
func listen(t testing.TB, s *Server, address string) (url string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	url = "http://" + l.Addr().String()
	if s.config.TLS == nil {
		listening.Store(url, s.Handler())
	}
	var once sync.Once
	stop = func() {
		once.Do(func() {
			listening.Delete(url)
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("serve: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return url, stop
}

func (tb *table) played() (engine.Game, *engine.Journal, error) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	j := &engine.Journal{Setup: tb.match.Setup()}
	for i, in := range tb.match.Inputs() {
		j.Lines = append(j.Lines, engine.Line{Number: i + 1, Input: in})
	}
	return tb.game, j, nil
}
