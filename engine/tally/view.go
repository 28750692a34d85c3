package tally

import "tableside/engine"

// View returns the view of the match. The prompts of the view are complete: even a page, a
// panel or a random player that knows nothing else can play the whole game.
func (s *state) View() engine.View {
	v := engine.View{Phase: "play", Round: s.round, Rounds: s.rounds, Winners: s.winners()}
	for at, p := range s.seats {
		var counters engine.Counters
		for i, name := range s.counters {
			if s.has(at, i) {
				counters = append(counters, engine.Counter{Name: name, Value: p.values[i]})
			}
		}
		seat := engine.SeatView{ID: p.id, Counters: counters}
		if s.isOut(at) {
			seat.State = []string{"out"}
		}
		if s.deal && at == s.dealer() && !s.isOver() {
			seat.State = append(seat.State, "deals")
		}
		v.Seats = append(v.Seats, seat)
	}
	if t := s.track(); t != nil {
		v.Tracks = []engine.Track{*t}
	}
	v.Sheet, v.Dice = s.sheetView(), s.viewDice()
	if s.turns {
		v.First = engine.Null(s.seats[s.first].id)
	}
	if s.isOver() {
		v.Phase = "over"
		if s.sheet && !s.hasBegun() { // the next round has not begun
			v.Round = max(1, v.Round-1)
		}
		if s.rounds > 0 {
			v.Round = min(v.Round, s.rounds)
		}
		if s.result == together {
			v.Turn = engine.Null(engine.Table) // against which all have played
		}
		v.Prompts = s.askWinner()
		return v
	}
	if s.turns {
		v.Turn = engine.Null(s.seats[s.turn].id)
	}
	v.Phase, v.Prompts = s.phase(), s.prompts()
	return v
}

// track returns the first counter as a track if it has a target or a limit, else nil.
func (s *state) track() *engine.Track {
	if s.target == nil && s.limit == maxNumber {
		return nil
	}
	t := &engine.Track{ID: s.counters[0], First: s.start[0], Last: s.start[0], Stacks: map[int][]engine.Seat{}}
	reach := func(space int) { t.First, t.Last = min(t.First, space), max(t.Last, space) }
	if s.low > -maxNumber {
		reach(s.low)
	}
	if s.limit < maxNumber {
		reach(s.limit)
	}
	if s.target != nil {
		reach(*s.target)
		t.Areas = []engine.Area{{ID: "target", From: *s.target, To: *s.target}}
	}
	for _, i := range s.moveOrder {
		space := s.seats[i].values[0]
		t.Stacks[space] = append(t.Stacks[space], s.seats[i].id)
	}
	return t
}
