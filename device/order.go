package device

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tableside/device/disk"
	"tableside/device/history"
	"tableside/engine"
)

// order carries out an order. Most orders concern whole matches.
func (l *loop) order(o engine.Order, at time.Time) engine.Receipt {
	l.noteEnd(l.view())
	var r engine.Receipt
	switch o.Do {
	case "begin":
		r = l.begin(o.Setup, o.AsIs, at)
	case "resume":
		r = l.resume(o.Match, false, at)
	case "abandon":
		r = l.abandon(o.Match)
	case "rematch":
		r = l.rematch(at)
	case "learn":
		r = l.lessons.handleOrder(o, at)
	case "what-if":
		r = l.whatIf(o, at)
	case "take-seat", "leave-seat", "pause", "play-now":
		r = l.toComputer(o)
	case "call", "call-off", "dismiss":
		r = l.toHall(o.Do, at)
	default:
		r = malformed("receipt.no-such-order", "name", o.Do)
	}
	r.Seat = engine.Table
	return l.note(r)
}

// toComputer gives a seat of the table's to people, or back to the table, or makes such seats wait, or play on at once.
func (l *loop) toComputer(o engine.Order) engine.Receipt {
	g, hands := &l.game, o.Do == "take-seat" || o.Do == "leave-seat"
	var computer map[engine.Seat]string
	if l.Computer != nil && g.match != nil {
		computer = g.match.Setup().Computer
	}
	switch {
	case hands && computer[o.Seat] == "":
		return refused("receipt.not-the-computers", "seat", o.Seat)
	case len(computer) == 0:
		return refused("receipt.no-computers")
	case !hands:
		g.paused = o.Do == "pause"
	default:
		g.taken = slices.DeleteFunc(g.taken, func(taken engine.Seat) bool { return taken == o.Seat })
		if o.Do == "take-seat" {
			g.taken = append(g.taken, o.Seat)
		}
	}
	taken, paused := slices.Clone(g.taken), g.paused
	l.outbox.postpone(func() { l.Computer.Hand(taken, paused) })
	l.outbox.stale = true
	return engine.Receipt{Outcome: engine.Accepted}
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
func (l *loop) begin(setup engine.Setup, asIs bool, at time.Time) engine.Receipt {
	if l.game.playing() {
		return refused("receipt.playing")
	}
	if !asIs {
		setup = setup.FromPreset(l.table.games)
		if game := l.rules[setup.Game]; game != nil && len(game.Info().Presets) == 0 {
			setup.Preset = "" // of options, not of a game
		}
	}
	game := l.rules[setup.Game]
	if game == nil {
		return refused("receipt.no-such-game", "name", setup.Game, "known", gameNames(l.table.games))
	}
	info := game.Info()
	if !asIs {
		if bad := l.complete(&setup, info); bad != nil {
			return *bad
		}
	}
	if setup.Rules < 1 || setup.Rules > info.Rules { // a journal that is played again has its own version
		setup.Rules = info.Rules
	}
	setup.Begin = l.free(at)
	match, err := newMatch(game, setup)
	if err != nil {
		l.game.speakSetup(setup.Game)
		return setupReceipt(err)
	}
	j := l.keeper.store.create(setup.MatchID(), match.Setup())
	l.leave()
	l.enter(match, j, at)
	l.follow(nil)
	return engine.Receipt{Outcome: engine.Accepted}
}

// complete adds to a setup what people leave to the table. If no match can begin with it, the
// result is the receipt that says why.
func (l *loop) complete(setup *engine.Setup, info engine.Info) *engine.Receipt {
	setup.After, info = "", info.With(setup.Preset)
	if len(setup.Seats) == 0 {
		setup.Seats = defaultSeats(l.Seats, min(max(2, info.MinSeats), info.MaxSeats))
	}
	for i, p := range setup.Seats { // not in engine: journals of older programs have such seats
		named := func(q engine.Player) bool { return history.SameName(p.Name, q.Name) }
		if p.Name != "" && slices.ContainsFunc(setup.Seats[:i], named) {
			r := refused("receipt.name-twice", "name", engine.Literal(p.Name))
			return &r
		}
	}
	if len(setup.Computer) > 0 && (l.Computer == nil || !l.Computer.CanPlay(*setup)) {
		r := refused("receipt.no-computer")
		return &r
	}
	if setup.First == "" && !info.FindsFirst {
		setup.First = setup.Seats[l.Chance.IntN(len(setup.Seats))].Seat
	}
	defines, err := l.definitions(setup.Game)
	if err != nil {
		l.Log.Error("the owner's cards cannot be used", "game", setup.Game, "error", err)
		r := refused("receipt.definitions", "name", titleWord(setup.Game), "reason", wordingOf(err))
		return &r
	}
	setup.Definitions = slices.Concat(defines, setup.Definitions)
	return nil
}

// definitions returns the owner's cards for a game. If the disk does not answer, they are those
// that were read last, so that friends can play on.
func (l *loop) definitions(game string) ([]string, error) {
	if l.Definitions == nil {
		return nil, nil
	}
	defines, err := ask(&l.clerk, func() ([]string, error) { return l.Definitions(game) })
	if err == nil {
		l.defines[game] = defines
		return defines, nil
	}
	before, known := l.defines[game]
	if _, hasCards := l.rules[game].(Box); !l.clerk.late || !known && hasCards {
		return nil, err
	}
	l.Log.Warn("the owner's cards are used as they were read last", "game", game, "error", err)
	part := engine.Part{Name: "definitions", Health: engine.Degraded, Reason: disk.Reason(err, l.Lang)}
	l.outbox.setHealth(part)
	l.clerk.give(func() {
		part.Health, part.Reason = engine.OK, ""
		l.table.Report(part)
	})
	return before, nil
}

// free returns the first full second from a moment on at which no match has begun, not even a
// deleted one. If the disk does not answer, only the matches that are known count.
func (l *loop) free(from time.Time) time.Time {
	begin := from.UTC().Truncate(time.Second)
	id := func() string { return engine.Setup{Begin: begin}.MatchID() }
	for {
		_, listed := l.table.list.get(id())
		if !listed && !l.keeper.holds(id()) && l.claims[id()] == 0 {
			id := id()
			taken, err := ask(&l.clerk, func() (bool, error) { return l.table.past.Has(id), nil })
			if err != nil || !taken {
				return begin
			}
		}
		begin = begin.Add(time.Second)
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
	if setup, ok := errors.AsType[*engine.SetupError](err); ok {
		return engine.Receipt{Outcome: engine.Refused, Text: setup.Text}
	}
	return refused("receipt.setup", "reason", err.Error())
}

func (l *loop) enter(match *engine.Match, j *journal, at time.Time) {
	l.game.enter(match, diceThrower{chance: l.Chance, undoneRolls: map[int][]string{}}, at)
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
	if !l.game.ended() {
		l.learn(l.game.match)
	}
	l.game.leave()
	l.keeper.leave()
	l.lobby.clear()
	l.table.list.play("")
	l.outbox.postpone(func() {
		for _, f := range l.Followers {
			f.Begin(engine.Setup{}, nil)
		}
	})
	l.outbox.stale = true
}

// follow passes all steps that a match has had so far to the dice and the followers. It is
// called when a match has begun or was resumed.
func (l *loop) follow(steps []engine.Step) {
	for _, step := range steps {
		l.game.dice.follow(step)
	}
	state, err := l.game.match.InitialState()
	if err != nil {
		l.Log.Error("the simulated cards cannot be dealt", "match", l.keeper.journal.id, "error", err)
		return
	}
	setup, learned := l.game.match.Setup(), l.game.match.Learned()
	l.outbox.postpone(func() {
		for _, f := range l.Followers {
			f.Begin(setup, state)
			for _, step := range steps {
				f.Follow(step, learned)
			}
		}
	})
}

// abandon puts away the match with this id, and keeps its journal. The match can still be
// resumed. If id is "", abandon puts away the current match. If there is no current match, it
// puts away the match that waits to be continued.
func (l *loop) abandon(id string) engine.Receipt {
	if l.game.match != nil && (id == "" || id == l.keeper.journal.id) {
		if !l.game.ended() {
			l.keeper.keep(l.game.mark())
			l.keeper.keep(engine.End{State: "abandoned"}.String())
			l.table.list.put(l.matchInfo("abandoned"))
		}
		l.leave()
		return engine.Receipt{Outcome: engine.Accepted}
	}
	if w := l.lobby.waiting; id == "" && w != nil {
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
	var aside []byte
	if r.Journal.Length < len(data) && !r.Journal.Torn {
		aside = data
	}
	j, err := l.reopen(id, data[:r.Journal.Length], r.Journal.Sealer, aside)
	if err != nil {
		return l.unreadable(id, err)
	}
	if !r.Match.Over() {
		l.learn(r.Match)
	}
	j.add(engine.End{State: "abandoned"}.String())
	l.keeper.add(j)
	l.outbox.stale = true
	info, _ := l.table.list.get(id)
	info.State, info.Reason = "abandoned", ""
	l.table.list.put(info)
	l.lobby.forget(id)
	return engine.Receipt{Outcome: engine.Accepted}
}

// rematch begins a match with the setup of the last match and the newest rules. The loser begins;
// if nobody lost alone or nobody began, who begins is found as in any match.
func (l *loop) rematch(at time.Time) engine.Receipt {
	if l.game.playing() {
		return refused("receipt.playing")
	}
	l.leave()
	if l.game.lastSetup.Game == "" {
		return refused("receipt.nothing-to-rematch")
	}
	setup := l.game.lastSetup
	setup.First, setup.Rules = l.game.lastLoser, 0 // the newest rules
	if l.Definitions != nil {
		setup.Definitions = nil // the owner's present ones
	}
	if l.Computer == nil || !l.Computer.CanPlay(setup) { // it was begun at another table
		setup.Computer = nil
	}
	return l.begin(setup, false, at)
}
