// Package computer plays the table's own seats, with simulated cards and with real ones, and gives hints.
package computer

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"tableside/device"
	"tableside/device/chances"
	"tableside/device/simulated"
	"tableside/engine"
	"tableside/engine/advice"
)

// strengths maps how strong a seat plays to how many matches are imagined for each answer.
var strengths = map[string]int{"easy": 30, "normal": 200, "strong": 1000}

// The pace of a Player. People see what happens, and after an undo have time for another one.
const (
	pace      = 900 * time.Millisecond // between two inputs, thinking included
	afterUndo = 6 * time.Second
)

// A Player plays the seats of Setup.Computer. It uses what their players know.
type Player struct {
	Games   []engine.Game
	Cards   *simulated.Cards // follow each match before the Player does; nil if people hold the cards
	Input   func(context.Context, engine.Input) engine.Receipt
	Emit    device.Emit
	Log     *slog.Logger
	Hurried bool // without pauses

	mu    sync.Mutex
	match *engine.Match      // nil if its game has no cards, and after a fault
	over  context.CancelFunc // called when the match goes on; nil before Run
	play

	pause func()
	hints sync.Mutex
}

// A play is what a Player knows of a match, guarded by Player.mu.
type play struct {
	setup   engine.Setup
	held    []engine.Seat // which people play for now
	undone  bool          // by the last step
	waits   bool          // until people hurry it
	hurried bool          // for one answer
	given   []string      // the keys of its answers since a person's last one

	rows  []map[engine.Seat][]string // at a real table: what people have shown of hands, by position in the match
	at    int                        // the position
	deed  *deed                      // at a real table: what people do now; nil for nothing
	shows *engine.Prompt             // at a real table: of hands, when it was last asked
}

// Connect implements device.Computer: it makes the Player a part of the table.
func (p *Player) Connect(t *device.Table) {
	p.Input, p.Emit, p.pause = t.Input, t.Emit, t.Pause
	t.Add(device.Part{Name: "computer", Source: p})
}

var _ device.Computer = (*Player)(nil)

// CanPlay implements device.Computer: it plays games with cards that are followed.
func (p *Player) CanPlay(setup engine.Setup) bool {
	game := engine.Find(p.Games, setup.Game)
	return game != nil && len(game.Info().Cards) > 0 && setup.Options["cards"] != "off"
}

func (p *Player) plays(seat engine.Seat) bool {
	return p.setup.Computer[seat] != "" && !slices.Contains(p.held, seat)
}

// Hand implements device.Computer.
func (p *Player) Hand(taken []engine.Seat, wait bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits, p.hurried = wait, !wait && slices.Equal(taken, p.held)
	for _, seat := range slices.Concat(p.held, taken) {
		p.rows[p.at][seat] = nil // people had the cards in their hands
	}
	p.held, p.undone = taken, false
	p.tell()
}

// Begin implements device.Follower.
func (p *Player) Begin(setup engine.Setup, _ engine.State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.match, p.play = nil, play{setup: setup, rows: []map[engine.Seat][]string{{}}}
	p.Emit(device.Report{Part: engine.Part{Name: "computer", Health: engine.OK}})
	if p.CanPlay(setup) && (p.Cards != nil || len(setup.Computer) > 0) {
		p.match, _ = engine.NewMatch(engine.Find(p.Games, setup.Game), setup) // the table has begun it
	}
	p.tell()
}

// Follow implements device.Follower.
func (p *Player) Follow(step engine.Step, _ []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.match == nil {
		return
	}
	if _, err := p.match.Apply(step.Input); err != nil {
		p.giveUp(err)
		return
	}
	p.watch(step)
	p.undone, p.hurried = step.Input.Verb == engine.Undo, false
	if !p.plays(step.Input.Seat) {
		p.given = nil
	}
	p.tell()
}

// giveUp leaves the seats to people for this match, which also has no hints any more. The caller holds p.mu.
func (p *Player) giveUp(why error) {
	p.match = nil
	p.Log.Error("the table cannot play its seats", "error", why)
	p.Emit(device.Report{Part: engine.Part{Name: "computer", Health: engine.Broken, Err: why}})
}

// tell tells Run that the match has gone on, and the table that people may do something else now: the frame of a step
// does not know it. The caller holds p.mu.
func (p *Player) tell() {
	if p.deed = nil; p.over != nil {
		p.over()
	}
	if p.Cards == nil {
		p.Emit(device.Asked{})
	}
}

// Run plays until the context ends.
func (p *Player) Run(ctx context.Context, _ device.Emit) error {
	for ctx.Err() == nil {
		now, over := context.WithCancel(ctx) // until the match goes on
		began := time.Now()
		var ready <-chan time.Time
		t := p.asked(over)
		if t != nil && p.think(now, t) {
			ready = time.After(t.pause - time.Since(began))
		}
		select {
		case <-now.Done():
		case <-ready:
			p.answer(now, t)
		}
		over()
	}
	return nil
}

// A turn is what a seat of the table's is asked.
type turn struct {
	playouts int
	search   *advice.Search // nil if there is nothing to think about
	best     advice.Choice
	pause    time.Duration // that its answer should take
}

// asked returns what a seat of the table's is asked, or nil. over is called when the match goes on. Optional answers
// are left out, but for cards that only this seat can turn up.
func (p *Player) asked(over context.CancelFunc) *turn {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = over
	if p.match == nil || p.deed != nil || p.waits {
		return nil
	}
	view := p.match.View()
	if view.AsksEverybody() { // such as with the guide
		return nil
	}
	for _, prompt := range view.Prompts {
		if !p.plays(prompt.Seat) {
			continue
		}
		if _, missing := p.hand(prompt.Seat); p.Cards == nil && missing > 0 {
			return nil
		}
		t := &turn{playouts: strengths[p.setup.Computer[prompt.Seat]], pause: pace}
		switch {
		case p.Hurried || p.hurried:
			t.pause = 0
		case p.undone:
			t.pause = afterUndo
		}
		if prompt.May {
			piles, _ := p.match.State().(engine.Believer).Believes()
			top := slices.IndexFunc(prompt.Options, func(a engine.Answer) bool { // of a pile that nobody has seen
				return !engine.IsHand(a.Zone) && slices.Contains(engine.CardsIn(piles, a.Zone), "")
			})
			if top < 0 {
				continue
			}
			t.best = advice.Choice{Input: engine.Input{Seat: prompt.Seat, Verb: engine.Tap}, Place: prompt.Options[top].Zone}
			return t
		}
		var err error
		if t.search, err = p.search(prompt.Seat); err != nil {
			p.giveUp(err)
			return nil
		}
		return t
	}
	return nil
}

// search returns a search from what a seat's player sees. The caller holds p.mu.
func (p *Player) search(seat engine.Seat) (*advice.Search, error) {
	var seen []engine.Pile
	if p.Cards == nil {
		cards, _ := p.hand(seat)
		seen = []engine.Pile{{Place: string(seat) + "/hand", Cards: cards}}
	} else {
		seen = slices.DeleteFunc(p.Cards.Piles(), func(pile engine.Pile) bool { return !engine.IsSeenBy(pile.Place, seat) })
	}
	return advice.At(p.match, seat, seen, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
}

// Hint returns the answers that a player who is asked may give, the best first, from what this player knows.
// There are none if nothing is to be chosen.
func (p *Player) Hint(ctx context.Context, seat engine.Seat) ([]advice.Choice, error) {
	p.hints.Lock() // one thinks at a time
	defer p.hints.Unlock()
	var s *advice.Search
	var err error
	chooses := func(q engine.Prompt) bool { return q.Seat == seat && !q.May && q.Roll == nil }
	p.mu.Lock()
	if p.match != nil && slices.ContainsFunc(p.match.View().Prompts, chooses) {
		s, err = p.search(seat)
	}
	p.mu.Unlock()
	if s == nil || err != nil {
		return nil, err
	}
	err = chances.Search(ctx, s, strengths["strong"], p.pause)
	return s.Choices(), cmp.Or(err, ctx.Err())
}

// think finds the answer to a turn, and reports whether there is one.
func (p *Player) think(now context.Context, t *turn) bool {
	if t.search == nil {
		return true
	}
	_ = chances.Search(now, t.search, t.playouts, p.pause)
	p.mu.Lock()
	defer p.mu.Unlock()
	var err error
	if t.best, err = t.search.Best(p.given); err != nil && now.Err() == nil {
		p.giveUp(err)
	}
	return err == nil
}

// answer gives the answer to a turn. If the table does not accept it, people play on.
func (p *Player) answer(now context.Context, t *turn) {
	in, may := p.input(now, t)
	if !may {
		return
	}
	r := p.Input(now, in)
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.Outcome != engine.Accepted && now.Err() == nil {
		p.giveUp(fmt.Errorf("%s: %s", in.Command(), cmp.Or(r.Spoken, r.Text.Key)))
	}
}

// input returns the input that answers a turn, unless the match has gone on or people do what it says.
func (p *Player) input(now context.Context, t *turn) (in engine.Input, may bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Err() != nil {
		return in, false
	}
	var piles []engine.Pile
	if p.Cards != nil {
		piles = p.Cards.Piles()
	} else if p.deed = p.byPeople(t.best); p.deed != nil {
		p.Emit(device.Asked{})
		return in, false
	}
	in = t.best.Input
	if in.Verb == engine.Roll { // the table throws the dice
		in = engine.Input{Seat: in.Seat, Verb: engine.Key, Args: []string{"roll"}}
	}
	for _, pile := range piles {
		cards := pile.Takeable()
		if pile.Place == t.best.Place && len(cards) > 0 && !slices.Contains(cards, in.Arg(0)) { // it taps what lies there
			in.Args = []string{cards[rand.IntN(len(cards))]}
		}
		if pile.Place == string(in.Seat)+"/hand" && pile.Picked != t.best.Pick {
			p.Cards.Pick(pile.Place, cmp.Or(t.best.Pick, pile.Picked)) // picked again is not picked
		}
	}
	p.given = append(p.given, t.best.Key)
	return in, true
}
