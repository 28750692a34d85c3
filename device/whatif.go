package device

import (
	"cmp"
	"time"

	"tableside/device/history"
	"tableside/engine"
)

// whatIf begins a match that goes on from a moment of another one: a person plays the seat of the order, and the table
// all others. The other match stays as it is. Nobody has its cards any more, unless they are simulated.
func (l *loop) whatIf(o engine.Order, at time.Time) engine.Receipt {
	current := l.game.match != nil && l.keeper.journal.id == o.Match
	switch {
	case l.game.playing():
		return refused("receipt.playing")
	case !l.Simulated || l.Computer == nil || current && !l.game.match.Setup().Has(o.Seat):
		return refused("receipt.no-what-if")
	case current:
		l.leave()
	}
	r := l.playOn(o, at)
	if current && r.Outcome != engine.Accepted {
		l.resume(o.Match, false, at) // the match that is over stays on the table
	}
	return r
}

func (l *loop) playOn(o engine.Order, at time.Time) engine.Receipt {
	r, _, bad := l.read(o.Match)
	if bad != nil {
		return *bad
	}
	setup := r.Journal.Setup
	if !l.Computer.CanPlay(setup) || !setup.Has(o.Seat) || !r.Match.Over() {
		return refused("receipt.no-what-if")
	}
	setup.After = cmp.Or(setup.After, setup.MatchID())
	setup.Begin, setup.Computer = l.free(at), map[engine.Seat]string{}
	for _, p := range setup.Seats {
		if p.Seat != o.Seat {
			setup.Computer[p.Seat] = "normal"
		}
	}
	j := l.keeper.store.create(setup.MatchID(), setup)
	for _, step := range r.Steps[:min(max(0, o.Seq), len(r.Steps))] {
		j.add(step.Input.String())
	}
	r, err := history.ReadBack(l.Games, j.id, j.missing)
	switch {
	case err != nil:
		return setupReceipt(err)
	case r.Match.Over():
		return refused("receipt.no-what-if")
	}
	l.goOn(r, j, at)
	return engine.Receipt{Outcome: engine.Accepted}
}
