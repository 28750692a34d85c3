package simulated

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tableside/device"
	"tableside/engine"
	"tableside/engine/advice"
)

// strengths maps how strong a seat plays to how many matches are imagined for each answer.
var strengths = map[string]int{"easy": 30, "normal": 200, "strong": 1000}

// The pace of an Opponent. People see what happens, and after an undo have time for another one.
const (
	thinks    = 700 * time.Millisecond // at most
	pace      = 900 * time.Millisecond // between two inputs, thinking included
	afterUndo = 6 * time.Second
)

// An Opponent plays the seats of Setup.Computer. It uses what their players know.
type Opponent struct {
	*Cards
	Input   func(context.Context, engine.Input) engine.Receipt
	Log     *slog.Logger
	Hurried bool // without pauses
	Real    bool // people hold the cards, of which Cards knows none

	setup   engine.Setup               // guarded by Cards.mu, as the others
	match   *engine.Match              // nil if its game has no cards, and after a fault
	held    []engine.Seat              // which people play for now
	undone  bool                       // by the last step
	waits   bool                       // until people hurry it
	hurried bool                       // for one answer
	given   advice.Memory              // since a person's last answer
	rows    []map[engine.Seat][]string // at a real table: what people have shown of hands, by position in the match
	at      int                        // the position
	deed    *deed                      // at a real table: what people do now; nil for nothing
	shows   engine.Prompt              // at a real table: of hands, when it was last asked
	changed chan struct{}
	emit    device.Emit // nil before Run
	lost    atomic.Bool // it could not go on with this match

	hints sync.Mutex
}

var _ device.Follower = (*Opponent)(nil)

// CanPlay implements device.Computer: it plays games with cards that are followed.
func (o *Opponent) CanPlay(setup engine.Setup) bool {
	game := engine.Find(o.Games, setup.Game)
	return game != nil && len(game.Info().Cards) > 0 && setup.Options["cards"] != "off"
}

// Lost implements device.Computer.
func (o *Opponent) Lost() bool {
	return o.lost.Load()
}

func (o *Opponent) plays(seat engine.Seat) bool {
	return o.setup.Computer[seat] != "" && !slices.Contains(o.held, seat)
}

// Hand implements device.Computer.
func (o *Opponent) Hand(taken []engine.Seat) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for seat := range o.setup.Computer {
		if o.Real && o.match != nil && slices.Contains(taken, seat) != slices.Contains(o.held, seat) {
			o.rows[o.at][seat] = nil // people had the cards in their hands
		}
	}
	o.held, o.undone = taken, false
	o.tell()
	o.redraw()
}

// Wait implements device.Computer.
func (o *Opponent) Wait(wait bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.waits, o.hurried = wait, !wait
	o.tell()
}

// Begin implements device.Follower.
func (o *Opponent) Begin(setup engine.Setup, state engine.State) {
	if !o.Real {
		o.Cards.Begin(setup, state)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setup = setup
	o.match, o.held, o.undone, o.waits, o.hurried, o.given = nil, nil, false, false, false, advice.Memory{}
	o.rows, o.at = []map[engine.Seat][]string{{}}, 0
	if o.lost.Swap(false) {
		o.report(nil)
	}
	if o.CanPlay(setup) && (!o.Real || len(setup.Computer) > 0) {
		o.match, _ = engine.NewMatch(engine.Find(o.Games, setup.Game), setup) // the table has begun it
	}
	o.tell()
	o.redraw()
}

// Follow implements device.Follower.
func (o *Opponent) Follow(step engine.Step, learned []string) {
	if !o.Real {
		o.Cards.Follow(step, learned)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.match == nil {
		return
	}
	if _, err := o.match.Apply(step.Input); err != nil {
		o.giveUp(err)
		return
	}
	o.watch(step)
	o.undone, o.hurried = step.Input.Verb == engine.Undo, false
	if !o.plays(step.Input.Seat) {
		clear(o.given)
	}
	o.tell()
	o.redraw() // the frame of this step did not know what people do
}

// giveUp leaves the seats to people for this match. The caller holds o.mu.
func (o *Opponent) giveUp(why error) {
	o.match = nil
	if len(o.setup.Computer) == 0 {
		return // nobody asked
	}
	o.Log.Error("the table cannot play its seats", "error", why)
	o.lost.Store(true)
	o.report(why)
}

func (o *Opponent) tell() {
	if o.changed != nil {
		close(o.changed)
	}
	o.changed, o.deed = make(chan struct{}), nil
}

// report tells the table how the seats do, which also draws a new frame.
func (o *Opponent) report(err error) {
	if o.emit == nil {
		return
	}
	part := engine.Part{Name: "computer", Health: engine.OK}
	if err != nil {
		part.Health, part.Err = engine.Broken, err
	}
	o.emit(device.Report{Part: part})
}

func (o *Opponent) redraw() {
	if o.Real && o.emit != nil {
		o.emit(device.Asked{})
	}
}

// Run plays until the context ends.
func (o *Opponent) Run(ctx context.Context, emit device.Emit) error {
	o.mu.Lock()
	o.emit = emit
	o.tell()
	o.mu.Unlock()
	for ctx.Err() == nil {
		began := time.Now()
		turn, changed := o.asked()
		if turn == nil {
			select {
			case <-ctx.Done():
			case <-changed:
			}
			continue
		}
		best, err := o.think(ctx, turn, changed)
		pause := time.NewTimer(turn.pause - time.Since(began))
		select {
		case <-ctx.Done():
		case <-changed:
		case <-pause.C:
			o.answer(ctx, turn, best, err, changed)
		}
		pause.Stop()
	}
	return nil
}

// A turn is what a seat of the table's is asked.
type turn struct {
	seat     engine.Seat
	playouts int
	position *advice.Position
	tap      string        // a place whose top it turns up without thinking; "" for none
	pause    time.Duration // that its answer should take
}

// asked returns what a seat of the table's is asked, or nil, and a channel that is closed when the match goes on.
// Optional answers are left out, but for cards that only this seat can turn up.
func (o *Opponent) asked() (asked *turn, changed <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			o.giveUp(fmt.Errorf("panic in the rules: %v", p))
			asked = nil
		}
	}()
	if o.match == nil || !o.Real && o.dealer == nil || o.deed != nil || o.waits {
		return nil, o.changed
	}
	view := o.match.View()
	for i, p := range view.Prompts {
		if i == 0 && p.Seat == engine.Table && !p.May {
			return nil, o.changed // first the people, such as with the guide
		}
		if !o.plays(p.Seat) {
			continue
		}
		if o.Real {
			if _, missing := o.hand(p.Seat); missing > 0 {
				return nil, o.changed
			}
		}
		t := &turn{seat: p.Seat, playouts: strengths[o.setup.Computer[p.Seat]], pause: pace}
		switch {
		case o.Hurried || o.hurried:
			t.pause = 0
		case o.undone:
			t.pause = afterUndo
		}
		if p.May {
			if len(p.Options) > 0 {
				t.tap = p.Options[0].Zone
			}
			if t.tap == "" || !o.hasTop(t.tap) {
				continue
			}
			return t, o.changed
		}
		position, err := advice.At(o.match, p.Seat, o.seen(p.Seat))
		if err != nil {
			o.giveUp(err)
			return nil, o.changed
		}
		t.position = position
		return t, o.changed
	}
	return nil, o.changed
}

// hasTop reports whether a place has a card that may be turned up; at a real table, one that nobody knows.
func (o *Opponent) hasTop(place string) bool {
	if !o.Real {
		return len(o.dealer.Takeable(place)) > 0
	}
	piles, _ := o.match.State().(engine.Believer).Believes()
	return !engine.IsHand(place) && slices.ContainsFunc(piles, func(p engine.Pile) bool {
		return p.Place == place && slices.Contains(p.Cards, "")
	})
}

// seen returns the piles whose cards a seat's player sees. The caller holds o.mu.
func (o *Opponent) seen(seat engine.Seat) (seen []engine.Pile) {
	if o.Real {
		cards, _ := o.hand(seat)
		return []engine.Pile{{Place: string(seat) + "/hand", Cards: cards}}
	}
	for _, pile := range o.dealer.Piles() {
		if engine.IsSeenBy(pile.Place, seat) {
			seen = append(seen, pile)
		}
	}
	return seen
}

// Hint returns the answers that a player who is asked may give, the best first, from what this player knows.
// There are none if nothing is to be chosen.
func (o *Opponent) Hint(ctx context.Context, seat engine.Seat) (choices []advice.Choice, err error) {
	o.hints.Lock() // one thinks at a time
	defer o.hints.Unlock()
	position, err := o.known(seat)
	if position == nil || err != nil {
		return nil, err
	}
	s, err := search(position, strengths["strong"], func() bool { return ctx.Err() == nil })
	if err != nil {
		return nil, err
	}
	return s.Answers(), ctx.Err()
}

// known returns what a seat knows that has to choose something, or nil.
func (o *Opponent) known(seat engine.Seat) (p *advice.Position, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in the rules: %v", p)
		}
	}()
	if o.match == nil || o.dealer == nil || !slices.ContainsFunc(o.match.View().Prompts, func(p engine.Prompt) bool {
		return p.Seat == seat && !p.May && p.Roll == nil
	}) {
		return nil, nil
	}
	return advice.At(o.match, seat, o.seen(seat))
}

// patience is after how many imagined matches without an end, as during a draft, a search gives up.
const patience = 20

func search(p *advice.Position, playouts int, may func() bool) (s *advice.Search, err error) {
	s = advice.New(p, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	end := time.Now().Add(thinks)
	for n := 0; n < playouts && (err == nil || n < patience) && may() && time.Now().Before(end); n++ {
		err = s.Run(1)
		runtime.Gosched() // inputs come first, also on one processor
	}
	return s, err
}

// think returns the answer to a turn. It stops when the match goes on.
func (o *Opponent) think(ctx context.Context, t *turn, changed <-chan struct{}) (advice.Choice, error) {
	if t.tap != "" {
		return advice.Choice{Input: engine.Input{Seat: t.seat, Verb: engine.Tap}, Place: t.tap}, nil
	}
	s, _ := search(t.position, t.playouts, func() bool {
		select {
		case <-ctx.Done():
		case <-changed:
		default:
			return true
		}
		return false
	})
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.given.Best(s)
}

// answer gives the answer to a turn, unless the match has gone on. If there is none, or the table does not accept
// it, people play on.
func (o *Opponent) answer(ctx context.Context, t *turn, best advice.Choice, err error, changed <-chan struct{}) {
	o.mu.Lock()
	if changed != o.changed || !o.Real && o.dealer == nil {
		o.mu.Unlock()
		return
	}
	if o.Real && err == nil {
		if o.deed = o.byPeople(t.seat, best); o.deed != nil {
			o.redraw()
			o.mu.Unlock()
			return
		}
	}
	in := best.Input
	if in.Verb == engine.Roll { // the table throws the dice
		in = engine.Input{Seat: t.seat, Verb: engine.Key, Args: []string{"roll"}}
	}
	if !o.Real && best.Place != "" && (t.position == nil || !t.position.Sees(best.Place)) { // it taps what lies there
		if cards := o.dealer.Takeable(best.Place); len(cards) > 0 {
			in.Args = []string{cards[rand.IntN(len(cards))]}
		}
	}
	hand := string(t.seat) + "/hand"
	if !o.Real {
		if i := slices.IndexFunc(o.dealer.Piles(), func(p engine.Pile) bool { return p.Place == hand }); i >= 0 {
			if was := o.dealer.Piles()[i].Picked; was != best.Pick {
				o.dealer.Pick(hand, cmp.Or(best.Pick, was))
			}
		}
	}
	if t.position != nil {
		o.given.Gave(t.position, best)
	}
	o.mu.Unlock()
	if err == nil {
		if r := o.Input(ctx, in); r.Outcome != engine.Accepted {
			err = fmt.Errorf("%s: %s", in.Command(), cmp.Or(r.Spoken, r.Text.Key))
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil && changed == o.changed && ctx.Err() == nil {
		o.giveUp(err)
	}
}
