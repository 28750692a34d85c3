package device

import (
	"slices"
	"time"

	"tableside/engine"
)

// whatIf begins a match that goes on from a moment of another one: a person plays the seat of the order, and the table
// all others. The other match stays as it is. Nobody has its cards any more, unless they are simulated.
func (l *loop) whatIf(o engine.Order, at time.Time) engine.Receipt {
	switch {
	case l.game.playing():
		return refused("receipt.playing")
	case l.game.match != nil && l.keeper.journal.id == o.Match:
		l.leave()
	}
	r, _, bad := l.read(o.Match)
	if bad != nil {
		return *bad
	}
	j := *r.Journal
	if !l.Simulated || l.Computer == nil || !l.Computer.CanPlay(j.Setup) || !j.Setup.Has(o.Seat) || !r.Match.Over() {
		return refused("receipt.no-what-if")
	}
	j.Setup.After = engine.Setup{Begin: j.Setup.Dealt()}.MatchID()
	j.Setup.Begin, j.Setup.Computer = l.free(at), map[engine.Seat]string{}
	for _, p := range j.Setup.Seats {
		if p.Seat != o.Seat {
			j.Setup.Computer[p.Seat] = "normal"
		}
	}
	j.Lines = nil
	for _, step := range r.Steps[:min(max(0, o.Seq), len(r.Steps))] {
		j.Lines = append(j.Lines, engine.Line{Input: step.Input})
	}
	var steps []engine.Step
	match, err := engine.Replay(l.rules[j.Setup.Game], &j, nil, func(_ *engine.Match, step engine.Step) error {
		step.Events = slices.Clone(step.Events) // the state may use them again
		steps = append(steps, step)
		return nil
	})
	switch {
	case err != nil:
		return setupReceipt(err)
	case match.Over():
		return refused("receipt.no-what-if")
	}
	file := l.keeper.store.create(j.Setup.MatchID(), match.Setup())
	for _, step := range steps {
		file.add(step.Input.String())
	}
	l.leave()
	l.enter(match, file, at)
	l.game.pastEvents = pastEvents(steps)
	l.keeper.keep(l.game.mark())
	l.follow(steps)
	return engine.Receipt{Outcome: engine.Accepted}
}
