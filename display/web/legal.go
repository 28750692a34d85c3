package web

import (
	"context"
	"strings"
	"sync"
	"time"

	"tableside/engine"
)

// judgeLimit is how long the pages wait for the table's verdicts on one view. Of a table that is busy
// for longer they learn none.
const judgeLimit = 100 * time.Millisecond

// A judged holds the verdicts of one view, so that the table judges once for all browsers.
type judged struct {
	mu       sync.Mutex
	match    engine.Null
	seq      int
	piles    bool // whether hidden cards were judged, too
	ok       bool // whether the table answered
	verdicts []engine.Verdict
}

// judges reports whether browsers with these rights learn what is legal.
func (s *Server) judges(to audience) bool { return s.config.Judge != nil && to.rights.Play }

// verdicts returns the verdicts of a view. If the browser learns none, or if the table has a newer
// view, which will follow, ok is false. The caller must not hold s.mu, because the table's
// goroutine takes it.
func (s *Server) verdicts(v *engine.View, to audience) (verdicts []engine.Verdict, ok bool) {
	if !s.judges(to) || v.Match == "" {
		return nil, false
	}
	j := &s.judged
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.match == v.Match && j.seq == v.Seq && (j.piles || !to.piles) {
		return j.verdicts, j.ok
	}
	var piles []engine.Pile
	if to.piles {
		piles = s.config.Simulated.Piles()
	}
	ctx, cancel := context.WithTimeout(context.Background(), judgeLimit)
	defer cancel()
	verdicts, ok = s.config.Judge(ctx, string(v.Match), v.Seq, engine.Moves(v, piles))
	j.match, j.seq, j.piles, j.ok, j.verdicts = v.Match, v.Seq, to.piles, ok, verdicts
	return verdicts, ok
}

// legalFor returns the fields Legal and Why of a Live.
func legalFor(f engine.Frame, to audience, verdicts []engine.Verdict) (legal map[string]int, why []string) {
	legal = map[string]int{}
	for _, p := range f.View.Prompts {
		for _, o := range p.Options {
			if o.Zone != "" {
				legal[o.Zone] = 0
			}
		}
	}
	numbers, names := map[string]int{}, f.View.Names()
	for _, v := range verdicts {
		if !to.hears(&f.View, v.Move) {
			continue
		}
		text := v.Why
		if v.Unpaid.Key != "" && to.piles && to.rights.SeesPile(f.View, string(v.Input.Seat)+"/hand") {
			text = v.Unpaid
		}
		n := 0
		if text.Key != "" {
			said := f.Words.Say(f.Lang, text, names)
			if n = numbers[said]; n == 0 {
				why = append(why, said)
				n = len(why)
				numbers[said] = n
			}
		}
		switch {
		case v.Input.Verb == engine.Tap:
			legal[v.Input.Arg(0)] = n
		case n > 0:
			legal[v.Input.Command()] = n
		}
	}
	return legal, why
}

// hears reports whether a browser is told whether a move is legal. Hidden cards are for those who
// see their pile. What a seat may take from a pile of the table is for this seat only, because it
// would tell what the seat has picked in secret.
func (to audience) hears(v *engine.View, move engine.Move) bool {
	if move.Place == "" {
		return true
	}
	asked, seat := move.Input.Seat, to.rights.Seat
	owner, _, owned := strings.Cut(move.Place, "/")
	mine := asked == seat || asked == engine.Table || owned && (engine.Seat(owner) == seat || to.rights.EverySeat())
	return mine && to.piles && to.rights.SeesPile(*v, move.Place)
}
