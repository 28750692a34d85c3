package device

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"tableside/engine"
)

// order carries out an order. Most orders concern whole matches.
func (l *loop) order(o engine.Order, at time.Time) engine.Receipt {
	l.noteEnd(l.view())
	var r engine.Receipt
	switch o.Do {
	case "begin":
		r = l.begin(o.Setup, at)
	case "resume":
		r = l.resume(o.Match, false, at)
	case "abandon":
		r = l.abandon(o.Match)
	case "rematch":
		r = l.rematch(at)
	case "learn":
		r = l.lessons.handleOrder(o, at)
	case "call", "call-off", "dismiss":
		r = l.toHall(o.Do, at)
	default:
		r = malformed("receipt.no-such-order", "name", o.Do)
	}
	r.Seat = engine.Table
	return l.note(r)
}

func refused(key string, pairs ...any) engine.Receipt {
	return engine.Receipt{Outcome: engine.Refused, Text: engine.T(key, pairs...)}
}

func malformed(key string, pairs ...any) engine.Receipt {
	return engine.Receipt{Outcome: engine.Malformed, Text: engine.T(key, pairs...)}
}

func failed(key string, pairs ...any) engine.Receipt {
	return engine.Receipt{Outcome: engine.Failed, Text: engine.T(key, pairs...)}
}

// begin begins a match. The name of the match is the time at which it begins. If another match
// has this name, begin takes the next second that no other match has.
func (l *loop) begin(setup engine.Setup, at time.Time) engine.Receipt {
	if l.game.playing() {
		return refused("receipt.playing")
	}
	game := l.rules[setup.Game]
	if game == nil {
		return refused("receipt.no-such-game", "name", setup.Game, "known", gameNames(l.table.games))
	}
	info := game.Info()
	if len(setup.Seats) == 0 {
		setup.Seats = defaultSeats(l.Seats, min(max(2, info.MinSeats), info.MaxSeats))
	}
	if setup.First == "" && !info.FindsFirst {
		setup.First = pickFirst(l.Chance, setup.Seats)
	}
	if l.Definitions != nil {
		defines, err := l.Definitions(setup.Game)
		if err != nil {
			l.Log.Error("the owner's cards cannot be used", "game", setup.Game, "error", err)
			return refused("receipt.definitions", "name", titleWord(setup.Game), "reason", wordingOf(err))
		}
		setup.Definitions = slices.Concat(defines, setup.Definitions)
	}
	if setup.Rules < 1 || setup.Rules > info.Rules { // a journal that is played again has its own version
		setup.Rules = info.Rules
	}
	for begin := at.UTC().Truncate(time.Second); ; begin = begin.Add(time.Second) {
		setup.Begin = begin
		id := setup.MatchID()
		if l.keeper.store.has(id) {
			continue
		}
		match, err := newMatch(game, setup)
		if err != nil {
			l.game.speakSetup(setup.Game)
			return setupReceipt(err)
		}
		j, err := l.keeper.store.create(id, match.Setup())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		l.leave()
		l.enter(match, j, at)
		l.follow(nil)
		return engine.Receipt{Outcome: engine.Accepted}
	}
}

// newMatch calls engine.NewMatch; a panic of the game becomes an error.
func newMatch(game engine.Game, setup engine.Setup) (match *engine.Match, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the rules fail: %v", p)
		}
	}()
	if match, err = engine.NewMatch(game, setup); err == nil {
		match.View()
	}
	return match, err
}

// setupReceipt returns the receipt that says why a match cannot begin.
func setupReceipt(err error) engine.Receipt {
	var setup *engine.SetupError
	if errors.As(err, &setup) {
		return engine.Receipt{Outcome: engine.Refused, Text: setup.Text}
	}
	return refused("receipt.setup", "reason", err.Error())
}

// enter makes a match the current one.
func (l *loop) enter(match *engine.Match, j *journal, at time.Time) {
	l.game.enter(match, newDice(l.Chance), at)
	l.keeper.enter(j)
	l.lobby.clear()
	l.table.list.put(l.matchInfo("playing"))
	l.table.list.play(j.id)
	l.outbox.stale = true
}

// leave makes the table empty.
func (l *loop) leave() {
	if l.game.match == nil {
		return
	}
	if !l.game.ended {
		l.learn(l.game.match)
	}
	l.game.leave()
	l.keeper.leave()
	l.lobby.clear()
	l.table.list.play("")
	if l.Follower != nil {
		l.outbox.postpone(func() { l.Follower.Begin(engine.Setup{}, nil) })
	}
	l.outbox.stale = true
}

// follow passes all steps that a match has had so far to the dice and the follower. It is
// called when a match has begun or was resumed.
func (l *loop) follow(steps []engine.Step) {
	for _, step := range steps {
		l.game.dice.follow(step)
	}
	if l.Follower == nil {
		return
	}
	state, err := l.game.match.InitialState()
	if err != nil {
		l.Log.Error("the simulated cards cannot be dealt", "match", l.keeper.journal.id, "error", err)
		return
	}
	setup := l.game.match.Setup()
	l.outbox.postpone(func() {
		l.Follower.Begin(setup, state)
		for _, step := range steps {
			l.Follower.Follow(step)
		}
	})
}

// abandon puts away the match with this id, and keeps its journal. The match can still be
// resumed. If id is "", abandon puts away the current match. If there is no current match, it
// puts away the match that waits to be continued.
func (l *loop) abandon(id string) engine.Receipt {
	if l.game.match != nil && (id == "" || id == l.keeper.journal.id) {
		if !l.game.ended {
			l.keeper.keep(l.game.mark())
			l.keeper.keep(engine.End{State: "abandoned"}.String())
			l.table.list.put(l.matchInfo("abandoned"))
		}
		l.leave()
		return engine.Receipt{Outcome: engine.Accepted}
	}
	if w := l.lobby.waits(); id == "" && w != nil {
		id = w.id
	}
	if id == "" {
		return refused("receipt.no-match")
	}
	if info, ok := l.table.list.get(id); ok && info.State != "unfinished" {
		return refused("receipt.not-now")
	}
	r, data, bad := l.read(id)
	if bad != nil {
		return *bad
	}
	if r.journal.Length < len(data) && !r.journal.Torn {
		err := l.setAside(id, data)
		if err != nil {
			return l.unreadable(id, err)
		}
	}
	j, err := l.keeper.store.resume(id, data[:r.journal.Length], r.journal.Sealer)
	if err != nil {
		return l.unreadable(id, err)
	}
	if !r.match.Over() {
		l.learn(r.match)
	}
	j.add(engine.End{State: "abandoned"}.String())
	l.keeper.add(j)
	l.outbox.stale = true
	info, _ := l.table.list.get(id)
	info.State, info.Reason = "abandoned", ""
	l.table.list.put(info)
	for _, w := range []**waitingMatch{&l.lobby.unfinishedMatch, &l.lobby.stoppedMatch} {
		if *w != nil && (*w).id == id {
			*w = nil
		}
	}
	return engine.Receipt{Outcome: engine.Accepted}
}

// rematch begins a match with the setup of the last match and the newest rules. The player who
// begins is drawn again.
func (l *loop) rematch(at time.Time) engine.Receipt {
	if l.game.playing() {
		return refused("receipt.playing")
	}
	l.leave()
	if l.game.lastSetup.Game == "" {
		return refused("receipt.nothing-to-rematch")
	}
	setup := l.game.lastSetup
	setup.First, setup.Rules = "", 0 // the newest rules
	if l.Definitions != nil {
		setup.Definitions = nil // the owner's present ones
	}
	return l.begin(setup, at)
}
