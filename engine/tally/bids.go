package tally

import "tableside/engine"

// bids holds the points that a seat gets for its bid, the number of tricks it means to take.
type bids struct {
	madePoints int // points for a bid that was made
	perTrick   int // more points for each of its tricks
	perMiss    int // points for each trick too many or too few

	nilMade, nilMissed int  // points for a bid of 0, made or missed; times the number of the round
	nils               bool // whether a bid of 0 has points of its own
}

func readBids(s string) (*bids, error) {
	n := parseNumbers(s, maxBid)
	switch {
	case s == none:
		return nil, nil
	case len(n) != 3 && len(n) != 5:
		return nil, engine.NewSetupError("setup.bids")
	}
	all := append(n, 0, 0)
	return &bids{all[0], all[1], all[2], all[3], all[4], len(n) == 5}, nil
}

// maxBid is the limit for three kinds of numbers: the points in the option "bids", the bids
// that players enter, and the tricks that they enter.
const maxBid = 999

// score returns the points for a bid. These points depend on the round and on the number of
// tricks that were taken.
func (b *bids) score(round, bid, tricks int) int {
	missed := max(bid-tricks, tricks-bid)
	switch {
	case bid == 0 && b.nils && missed == 0:
		return b.nilMade * round
	case bid == 0 && b.nils:
		return b.nilMissed * round
	case missed == 0:
		return b.madePoints + b.perTrick*tricks
	}
	return b.perMiss * missed
}

// asked returns what is entered in this round: as long as a column lacks it, a bid; then tricks; then, and
// in a match without bids, points.
func (s *state) asked() part {
	for _, p := range []part{bid, tricks} {
		if s.bids != nil && s.countMissing(s.round, func(c cell) bool { return c[p].entered }) > 0 {
			return p
		}
	}
	return points
}

func (s *state) nextPart(column int) part {
	if p := s.asked(); !s.cell(s.round, column)[p].entered {
		return p
	}
	return points
}

func (s *state) phase() string { return [parts]string{"play", "bids", "tricks"}[s.asked()] }

// bid enters the bid of a seat or its number of tricks, whichever is asked for at this point
// of the round. A second bid, a second number of tricks, and a number below 0 or above maxBid
// are refused.
//
// After the number of tricks, the counter may be past the target. Then handlePast may take the
// points back, or set the counter back. It enters the difference as a bonus of this round.
func (s *state) bid(at, n int) ([]engine.Event, error) {
	column, seat := s.column(at), s.seats[at].id
	p := s.nextPart(column)
	switch {
	case s.isOut(at):
		return nil, engine.Refuse("refusal.out", "seat", seat)
	case p == points && s.phase() == "bids":
		return nil, engine.Refuse("refusal.bid-twice", "seat", seat)
	case p == points:
		return nil, engine.Refuse("refusal.tricks-twice", "seat", seat)
	case n < 0 || n > maxBid:
		return nil, engine.Refuse("refusal.nothing")
	}
	was := s.seats[at].values[0]
	s.enter(s.round, column, p, n)
	events := []engine.Event{{Name: p.name(), Seat: seat, N: n}}
	if p == tricks {
		by := s.seats[at].values[0] - was
		if passed := s.handlePast(at, by); passed != nil {
			return append(events, passed...), nil
		}
		events = append(events, s.changed(at, 0, by))
	}
	return events, s.checkSum(at)
}
