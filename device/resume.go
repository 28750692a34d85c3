package device

import (
	"cmp"
	"errors"
	"io/fs"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// maxPast is how many of the newest inputs of a resumed match have their events in
// Frame.Past. A page shows the events of no more inputs than that.
const maxPast = 60

// resume continues a match. If id is "", it continues the newest unfinished match. If only a
// part of the journal can be followed, resume first asks the players whether to continue from
// there. force says that they have already answered yes.
func (l *loop) resume(id string, force bool, at time.Time) engine.Receipt {
	if l.game.match != nil && l.keeper.journal.id == id {
		return engine.Receipt{Outcome: engine.Accepted}
	}
	if l.game.playing() {
		return refused("receipt.playing")
	}
	if id == "" {
		info, ok := l.table.list.newestUnfinished(at)
		if !ok {
			return refused("receipt.nothing-unfinished")
		}
		id = info.ID
	}
	r, whole, bad := l.read(id)
	if bad != nil {
		return *bad
	}
	data, aside := whole[:r.Journal.Length], []byte(nil)
	if r.Stop != nil {
		if !force {
			return l.askPartly(id, r)
		}
		data, aside = whole[:r.Stop.Offset], whole
		var err error
		if r, err = history.ReadBack(l.Games, id, data); err != nil {
			return l.unreadable(id, err)
		}
	}
	j, err := l.reopen(id, data, r.Journal.Sealer, aside)
	if err != nil {
		return l.unreadable(id, err)
	}
	l.goOn(r, j, at)
	return engine.Receipt{Outcome: engine.Accepted}
}

// goOn puts a match on the table as its journal has it.
func (l *loop) goOn(r history.Replay, j *journal, at time.Time) {
	l.leave()
	l.enter(r.Match, j, at)
	l.game.pastEvents = pastEvents(r.Steps)
	if end := r.Journal.End; end != nil && end.State == "finished" {
		l.game.setEnded(end.Winners)
		info := l.matchInfo("finished")
		info.Winners = end.Winners
		l.table.list.put(info)
	}
	l.keeper.keep(l.game.mark())
	l.follow(r.Steps)
}

// askPartly empties the table, and asks the players whether to continue a match in part. The
// match would continue from the last line that can be read and that today's rules accept.
func (l *loop) askPartly(id string, r history.Replay) engine.Receipt {
	l.leave()
	l.lobby.waiting = &waitingMatch{id: id, game: cmp.Or(r.Journal.Setup.Preset, r.Journal.Setup.Game), stop: r.Stop}
	key, why := "receipt.partly", "the rules have changed since"
	if r.Stop.Damaged {
		key, why = "receipt.partly-damaged", "the journal is damaged"
	}
	l.Log.Warn(why, "match", id, "error", r.Reason(engine.English))
	ask := refused(key, "n", r.Stop.Seq, "lost", r.Stop.LostMoves)
	ask.Override = true
	return ask
}

// reopen opens the journal of a match to go on after text, the part that is kept of it. If aside
// is not nil, it is the whole journal, of which reopen first keeps a copy.
func (l *loop) reopen(id string, text []byte, sealer engine.Sealer, aside []byte) (*journal, error) {
	store := l.keeper.store
	return ask(&l.clerk, func() (*journal, error) {
		if aside != nil {
			file, err := store.setAside(id, aside)
			if err != nil {
				return nil, err
			}
			l.Log.Warn("the rest of the match is set aside", "match", id, "file", file)
		}
		return store.resume(id, text, sealer)
	})
}

// read returns the replay of a journal, and the bytes of the journal. If the journal cannot be
// read, the third result is a receipt that says why. Otherwise the third result is nil.
func (l *loop) read(id string) (r history.Replay, data []byte, bad *engine.Receipt) {
	say := func(r engine.Receipt) *engine.Receipt { return &r }
	switch {
	case l.claims[id] > 0:
		return r, nil, say(refused("receipt.changing", "name", id))
	case l.keeper.holds(id):
		return r, nil, say(failed("receipt.not-kept", "name", id))
	}
	data, err := ask(&l.clerk, func() ([]byte, error) { return l.table.past.Journal(id) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil, say(refused("receipt.no-such-match", "name", id))
	case err != nil:
		return r, nil, say(l.unreadable(id, err))
	}
	if r, err = history.ReadBack(l.Games, id, data); err != nil {
		info := l.table.past.Info(id, data)
		l.table.list.put(info)
		game := engine.Find(l.Games, info.Game)
		return r, nil, say(refused("receipt.damaged", "name", id,
			"reason", engine.Worded(func(lang engine.Lang) string { return engine.SayFault(err, game, lang) })))
	}
	return r, data, nil
}

// unreadable returns the receipt of a match whose file cannot be read.
func (l *loop) unreadable(id string, err error) engine.Receipt {
	l.Log.Error("a match cannot be opened", "match", id, "error", err)
	return failed("receipt.unreadable", "name", id, "reason", wordingOf(err))
}

// pastEvents returns the past events that pages show. These are the events of the newest
// inputs. Inputs without events do not count, and at most maxPast inputs count.
func pastEvents(steps []engine.Step) []engine.Event {
	from := len(steps)
	for told := 0; from > 0 && told < maxPast; {
		from--
		if len(steps[from].Events) > 0 {
			told++
		}
	}
	var past []engine.Event
	for _, step := range steps[from:] {
		past = append(past, step.Events...)
	}
	return past
}
