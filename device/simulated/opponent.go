package simulated

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/advice"
)

// Strengths maps how strong a seat of the table's plays to how many matches it imagines for each answer.
var Strengths = map[string]int{"easy": 30, "normal": 200, "strong": 1000}

// The pace of an Opponent. People see what happens, and after an undo have time for another one.
const (
	thinks    = 700 * time.Millisecond // at most
	pace      = 900 * time.Millisecond // between two inputs, thinking included
	afterUndo = 6 * time.Second
	slice     = 10 // matches imagined between two looks at the clock
)

// An Opponent plays some seats of a simulated table. It uses what their players know.
type Opponent struct {
	*Cards
	Seats   map[engine.Seat]int // of matches that each imagines: see Strengths
	Input   func(context.Context, engine.Input) engine.Receipt
	Log     *slog.Logger
	Hurried bool // without pauses

	match   *engine.Match // guarded by Cards.mu, as the next two
	undone  bool          // by the last step
	changed chan struct{}
	lost    atomic.Bool // it cannot go on with this match, and people play its seats
}

var _ device.Follower = (*Opponent)(nil)

// Plays returns the seats of a match that an Opponent plays: of a game with cards that are followed.
func (o *Opponent) Plays(setup engine.Setup) (seats []engine.Seat) {
	game := engine.Find(o.Games, setup.Game)
	if game == nil || len(game.Info().Cards) == 0 || setup.Options["cards"] == "off" || o.lost.Load() {
		return nil
	}
	for _, p := range setup.Seats {
		if o.Seats[p.Seat] > 0 {
			seats = append(seats, p.Seat)
		}
	}
	return seats
}

// Begin implements device.Follower.
func (o *Opponent) Begin(setup engine.Setup, state engine.State) {
	o.Cards.Begin(setup, state)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.match = nil
	o.lost.Store(false)
	if game := engine.Find(o.Games, setup.Game); game != nil && len(o.Plays(setup)) > 0 {
		o.match, _ = engine.NewMatch(game, setup) // the table has begun it
	}
	o.tell()
}

// Follow implements device.Follower.
func (o *Opponent) Follow(step engine.Step, learned []string) {
	o.Cards.Follow(step, learned)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.match == nil {
		return
	}
	if _, err := o.match.Apply(step.Input); err != nil {
		o.giveUp("cannot follow the match", err)
	}
	o.undone = step.Input.Verb == engine.Undo
	o.tell()
}

// giveUp leaves the seats to people. The caller holds o.mu.
func (o *Opponent) giveUp(what string, why error) {
	o.Log.Error("the table's seat "+what, "error", why)
	o.match = nil
	o.lost.Store(true)
}

func (o *Opponent) tell() {
	if o.changed != nil {
		close(o.changed)
	}
	o.changed = make(chan struct{})
}

// Run plays until the context ends.
func (o *Opponent) Run(ctx context.Context, _ device.Emit) error {
	for ctx.Err() == nil {
		began := time.Now()
		o.mu.Lock()
		position, seat, wait := o.asked()
		if o.changed == nil {
			o.changed = make(chan struct{})
		}
		changed := o.changed
		o.mu.Unlock()
		if position == nil {
			select {
			case <-ctx.Done():
			case <-changed:
			}
			continue
		}
		in, ok := o.think(ctx, position, seat, changed)
		pause := time.NewTimer(wait - time.Since(began))
		select {
		case <-ctx.Done():
		case <-changed:
		case <-pause.C:
			if !ok {
				continue
			}
			r := o.Input(ctx, in)
			o.mu.Lock()
			if r.Outcome != engine.Accepted && changed == o.changed && ctx.Err() == nil {
				o.giveUp("gave an answer that is not accepted", errors.New(in.Command()+": "+r.Text.Key))
			}
			o.mu.Unlock()
		}
		pause.Stop()
	}
	return nil
}

// asked returns the position of a seat of the table's that is asked, and how long its answer should take. If
// none is, or the answer is optional, the position is nil.
func (o *Opponent) asked() (*advice.Position, engine.Seat, time.Duration) {
	if o.match == nil || o.dealer == nil {
		return nil, "", 0
	}
	view := o.match.View()
	for _, p := range view.Prompts {
		if o.Seats[p.Seat] == 0 || p.May {
			continue
		}
		var seen []engine.Pile
		for _, pile := range o.dealer.Piles() {
			of, zone, _ := strings.Cut(pile.Place, "/")
			if of == string(p.Seat) && slices.Contains([]string{"hand", "battle", "draft", "drafted"}, zone) {
				seen = append(seen, pile)
			}
		}
		position, err := advice.At(o.match, p.Seat, seen)
		if err != nil {
			o.giveUp("cannot play", err)
			return nil, "", 0
		}
		switch {
		case o.Hurried:
			return position, p.Seat, 0
		case o.undone:
			return position, p.Seat, afterUndo
		}
		return position, p.Seat, pace
	}
	return nil, "", 0
}

// think returns the answer of a seat, and whether it has one. It stops when the match goes on.
func (o *Opponent) think(ctx context.Context, p *advice.Position, seat engine.Seat, changed <-chan struct{}) (engine.Input, bool) {
	chance := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	s := advice.New(p, chance)
	for end, n := time.Now().Add(thinks), 0; n < o.Seats[seat] && time.Now().Before(end); n += slice {
		select {
		case <-ctx.Done():
			return engine.Input{}, false
		case <-changed:
			return engine.Input{}, false
		default:
		}
		if s.Run(slice) != nil {
			break // it cannot imagine the end, such as of a draft
		}
	}
	best, err := s.Best()
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.giveUp("has no answer", err)
		return engine.Input{}, false
	}
	in := best.Input
	if best.Pick != "" {
		o.Pick(string(seat)+"/hand", best.Pick)
	}
	if best.Place != "" && !p.Sees(best.Place) { // it taps what lies there
		o.mu.Lock()
		if o.dealer != nil {
			if cards := o.dealer.Takeable(best.Place); len(cards) > 0 {
				in.Args = []string{cards[chance.IntN(len(cards))]}
			}
		}
		o.mu.Unlock()
	}
	if in.Verb == engine.Roll { // the table throws the dice
		in = engine.Input{Seat: seat, Verb: engine.Key, Args: []string{"roll"}}
	}
	return in, true
}
