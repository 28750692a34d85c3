package device

import (
	"cmp"
	"slices"
	"time"

	"tableside/engine"
)

// whatIf begins a match that goes on from a moment of another one: a person plays the seat of the order, and the table
// all others. The other match stays as it is. Nobody has its cards any more, unless they are simulated.
func (l *loop) whatIf(o engine.Order, at time.Time) engine.Receipt {
	if l.game.playing() {
		return refused("receipt.playing")
	}
	r, _, bad := l.read(o.Match)
	if bad != nil {
		return *bad
	}
	setup := r.Journal.Setup
	if !l.Simulated || l.Computer == nil || !l.Computer.CanPlay(setup) || !setup.Has(o.Seat) || r.Match.Over() && o.Seq >= len(r.Steps) {
		return refused("receipt.no-what-if")
	}
	setup.After, setup.Begin, setup.Computer = cmp.Or(setup.After, o.Match), l.free(at), map[engine.Seat]string{}
	setup.Seats = slices.Clone(setup.Seats)
	for i, p := range setup.Seats {
		if p.Seat != o.Seat {
			setup.Computer[p.Seat], setup.Seats[i].Name = "normal", ""
		}
	}
	match, err := newMatch(l.rules[setup.Game], setup)
	if err != nil {
		return setupReceipt(err)
	}
	j := l.keeper.store.create(setup.MatchID(), match.Setup())
	steps := r.Steps[:min(max(0, o.Seq), len(r.Steps))]
	for i := range steps {
		if steps[i], err = match.Apply(steps[i].Input); err != nil {
			return setupReceipt(err)
		}
		steps[i].Events = slices.Clone(steps[i].Events) // the state may use them again
		j.add(steps[i].Input.String())
	}
	l.leave()
	l.enter(match, j, at)
	l.game.pastEvents = pastEvents(steps)
	l.keeper.keep(l.game.mark())
	l.follow(steps)
	return engine.Receipt{Outcome: engine.Accepted}
}
