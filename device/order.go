package device

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"tableside/engine"
)

// order does what is done with whole matches.
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
		r = l.teach(o, at)
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

// begin begins a match, at this second or the next that is free.
func (l *loop) begin(setup engine.Setup, at time.Time) engine.Receipt {
	if l.match != nil && !l.ended {
		return refused("receipt.playing")
	}
	game := l.rules[setup.Game]
	if game == nil {
		return refused("receipt.no-such-game", "name", setup.Game, "known", l.knownGames())
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
			return refused("receipt.definitions", "name", titleWord(setup.Game), "reason", err.Error())
		}
		setup.Definitions = slices.Concat(defines, setup.Definitions)
	}
	if setup.Rules < 1 || setup.Rules > info.Rules { // else a journal that is played again: by its own
		setup.Rules = info.Rules
	}
	for begin := at.UTC().Truncate(time.Second); ; begin = begin.Add(time.Second) {
		setup.Begin = begin
		id := setup.MatchID()
		if l.store.has(id) {
			continue
		}
		match, err := newMatch(game, setup)
		if err != nil {
			l.speakSetup(setup.Game)
			return setupReceipt(err)
		}
		j, err := l.store.create(id, match.Setup())
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		l.leave()
		l.enter(match, j, at)
		l.follow(replay{})
		return engine.Receipt{Outcome: engine.Accepted}
	}
}

func (l *loop) knownGames() string {
	var known []string
	for _, g := range l.table.games {
		known = append(known, g.Name)
	}
	return strings.Join(known, ", ")
}

// newMatch is engine.NewMatch; a game that panics is an error.
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

// setupReceipt says why a match cannot begin.
func setupReceipt(err error) engine.Receipt {
	var setup *engine.SetupError
	if errors.As(err, &setup) {
		return engine.Receipt{Outcome: engine.Refused, Text: setup.Text}
	}
	return refused("receipt.setup", "reason", err.Error())
}

// enter makes a match the one that is played.
func (l *loop) enter(match *engine.Match, j *journal, at time.Time) {
	l.match, l.journal, l.ended = match, j, false
	l.journals = append(l.journals, j)
	l.since, l.base = at, match.Last()
	l.lobby = lobby{games: l.table.games}
	l.dice = newDice(l.Chance)
	l.speak(match.Setup().Game)
	if s, ok := match.State().(engine.Speaker); ok {
		l.words = engine.Merge(l.words, s.Words())
	}
	l.table.list.put(l.matchInfo("playing"))
	l.table.list.play(j.id)
	l.wants, l.stale = true, true
}

// leave makes the table empty. The journal stays until it is whole.
func (l *loop) leave() {
	if l.match == nil {
		return
	}
	if !l.ended {
		l.learn(l.match)
	}
	l.last = l.match.Setup()
	for i, s := range l.match.View().Seats { // names may have changed
		if i < len(l.last.Seats) && l.last.Seats[i].Seat == s.ID {
			l.last.Seats = slices.Clone(l.last.Seats)
			l.last.Seats[i].Name = s.Name
		}
	}
	l.match, l.journal, l.ended, l.past = nil, nil, false, nil
	l.lobby = lobby{games: l.table.games}
	l.speak("")
	l.table.list.play("")
	l.dropJournals()
	if l.Follower != nil {
		l.after = append(l.after, func() { l.Follower.Begin(engine.Setup{}, nil) })
	}
	l.stale = true
}

// follow lets dice and follower catch up with a match that is entered.
func (l *loop) follow(r replay) {
	for _, step := range r.steps {
		l.dice.follow(step)
	}
	if l.Follower == nil {
		return
	}
	state, err := l.match.Beginning()
	if err != nil {
		l.Log.Error("the simulated cards cannot be dealt", "match", l.journal.id, "error", err)
		return
	}
	setup := l.match.Setup()
	l.after = append(l.after, func() {
		l.Follower.Begin(setup, state)
		for _, step := range r.steps {
			l.Follower.Follow(step)
		}
	})
}

// resume continues a match, "" the newest unfinished one. Where it cannot go
// on to its end it first asks; force is the yes.
func (l *loop) resume(id string, force bool, at time.Time) engine.Receipt {
	if l.match != nil && l.journal.id == id {
		return engine.Receipt{Outcome: engine.Accepted}
	}
	if l.match != nil && !l.ended {
		return refused("receipt.playing")
	}
	if id == "" {
		info, ok := l.table.list.unfinished(at)
		if !ok {
			return refused("receipt.nothing-unfinished")
		}
		id = info.ID
	}
	r, whole, bad := l.read(id)
	if bad != nil {
		return *bad
	}
	data := whole[:r.journal.Length]
	if r.stop != nil {
		if !force {
			return l.askPartly(id, r)
		}
		data = whole[:r.stop.offset]
		err := l.setAside(id, whole)
		if err == nil {
			r, err = readBack(l.rules, id, data)
		}
		if err != nil {
			return failed("receipt.unreadable", "name", id, "reason", err.Error())
		}
	}
	j, err := l.store.resume(id, data, r.journal.Sealer)
	if err != nil {
		return failed("receipt.unreadable", "name", id, "reason", err.Error())
	}
	l.leave()
	l.enter(r.match, j, at)
	l.past = r.past()
	if end := r.journal.End; end != nil && end.State == "finished" {
		l.ended = true
		info := l.matchInfo("finished")
		info.Winners = end.Winners
		l.table.list.put(info)
	}
	l.mark()
	l.follow(r)
	return engine.Receipt{Outcome: engine.Accepted}
}

// askPartly asks whether a match shall go on from where its journal or the
// rules of today let it.
func (l *loop) askPartly(id string, r replay) engine.Receipt {
	l.leave()
	l.lobby.partly = &waiting{id: id, game: r.journal.Setup.Game, stop: r.stop}
	key, why := "receipt.partly", "the rules have changed since"
	if r.stop.damaged {
		key, why = "receipt.partly-damaged", "the journal is damaged"
	}
	l.Log.Warn(why, "match", id, "error", r.stop.reason())
	ask := refused(key, "n", r.stop.seq, "lost", r.stop.lost)
	ask.Override = true
	return ask
}

// setAside keeps a copy of a journal whose end will be cut off.
func (l *loop) setAside(id string, whole []byte) error {
	name, err := l.store.setAside(id, whole)
	if err == nil {
		l.Log.Warn("the rest of the match is set aside", "match", id, "file", name)
	}
	return err
}

// read reads a journal back, or says why it cannot.
func (l *loop) read(id string) (r replay, data []byte, bad *engine.Receipt) {
	say := func(r engine.Receipt) *engine.Receipt { return &r }
	if slices.ContainsFunc(l.journals, func(j *journal) bool { return j.id == id }) {
		return r, nil, say(failed("receipt.not-kept", "name", id))
	}
	data, err := l.store.read(id)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil, say(refused("receipt.no-such-match", "name", id))
	case err != nil:
		return r, nil, say(failed("receipt.unreadable", "name", id, "reason", err.Error()))
	}
	if r, err = readBack(l.rules, id, data); err != nil {
		l.table.list.put(l.store.info(l.rules, id))
		return r, nil, say(refused("receipt.damaged", "name", id, "reason", err.Error()))
	}
	return r, data, nil
}

// abandon puts a match away, "" the one that is played or waits to be
// continued. It is kept and can still be resumed.
func (l *loop) abandon(id string) engine.Receipt {
	if l.match != nil && (id == "" || id == l.journal.id) {
		if !l.ended {
			l.mark()
			l.keep(engine.End{State: "abandoned"}.String())
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
			return failed("receipt.unreadable", "name", id, "reason", err.Error())
		}
	}
	j, err := l.store.resume(id, data[:r.journal.Length], r.journal.Sealer)
	if err != nil {
		return failed("receipt.unreadable", "name", id, "reason", err.Error())
	}
	if !r.match.Over() {
		l.learn(r.match)
	}
	j.add(engine.End{State: "abandoned"}.String())
	l.journals = append(l.journals, j)
	l.wants, l.stale = true, true
	info, _ := l.table.list.get(id)
	info.State, info.Reason = "abandoned", ""
	l.table.list.put(info)
	for _, w := range []**waiting{&l.lobby.unfinished, &l.lobby.partly} {
		if *w != nil && (*w).id == id {
			*w = nil
		}
	}
	return engine.Receipt{Outcome: engine.Accepted}
}

// rematch begins the same match again; who begins is chosen anew.
func (l *loop) rematch(at time.Time) engine.Receipt {
	if l.match != nil && !l.ended {
		return refused("receipt.playing")
	}
	l.leave()
	if l.last.Game == "" {
		return refused("receipt.nothing-to-rematch")
	}
	setup := l.last
	setup.First, setup.Rules = "", 0 // the newest rules
	if l.Definitions != nil {
		setup.Definitions = nil // the owner's as they are now
	}
	return l.begin(setup, at)
}

func (l *loop) matchInfo(state string) engine.MatchInfo {
	setup := l.match.Setup()
	return engine.MatchInfo{ID: l.journal.id, Game: setup.Game, Seats: setup.Seats, Begin: setup.Begin, Inputs: l.match.Seq(), State: state}
}
