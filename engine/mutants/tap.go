package mutants

import (
	"cmp"

	"tableside/engine"
)

// Tap takes a card on a reader.
func (s *state) Tap(in engine.Input) error {
	if !s.rules.cards {
		return engine.Refuse("refusal.no-cards")
	}
	if s.each() != nil {
		return s.tapDrafted(in)
	}
	name := in.Arg(0)
	p, err := s.tapper(in.Seat, name)
	if err != nil {
		return err
	}
	if revealed, err := s.reveal(p, name, in.Confirmed()); revealed || err != nil {
		return err
	}
	q := s.Question
	if s.whom(s.Question) != p || q.In == 0 {
		return s.unasked(p, name)
	}
	c, err := s.find(p, name, q.In, in.Confirmed())
	if err != nil {
		return err
	}
	if why := q.Why(c); why.Key != "" && !(why.Override && in.Confirmed()) {
		return why.Refusal()
	}
	s.Question = question{}
	q.Tap(c)
	return nil
}

// unasked says why a tap means nothing now. It does not name the card, which
// may be one of a hand.
func (s *state) unasked(p *player, name string) error {
	if _, err := s.copyOf(name); err != nil {
		return err
	}
	q := s.Question
	switch {
	case s.boss != nil && s.whom(s.Question) == s.boss:
		return engine.Refuse("refusal.boss-card-asked")
	case p == s.boss:
		return engine.Refuse("refusal.no-boss-card-asked")
	case p.owed() > 0: // a top of its piles is asked for
		return engine.Refuse("refusal.not-in-pool", "seat", p.seat)
	case q.Seat != "" && s.whom(s.Question) != p:
		return engine.Refuse("refusal.not-asked", "seat", q.Seat)
	}
	return engine.Refuse("refusal.no-card-asked")
}

// tapper is whose card is tapped: a boss's cards are its own on any reader.
func (s *state) tapper(seat engine.Seat, name string) (*player, error) {
	if s.boss != nil {
		switch boss := s.ofBoss(name); boss {
		case "":
		case s.rules.boss.ID:
			return s.boss, nil
		default:
			return nil, engine.Refuse("refusal.other-boss", "boss", engine.CardWord(boss))
		}
	}
	if p := s.at(seat); p != nil {
		return p, nil
	}
	return s.ownerOf(name)
}

// ownerOf gives a tap on a shared reader to a seat: whose card it is known to
// be; whose gene pool it can top; else who is asked, else whose turn it is.
func (s *state) ownerOf(name string) (*player, error) {
	if c := s.tapped[name]; c != nil {
		return c.player, nil
	}
	var owner *player
	id, _ := engine.SplitCopy(name)
	for _, p := range s.players {
		if p.owed() == 0 || !p.hidden(id) {
			continue
		}
		if owner != nil {
			return nil, engine.Refuse("refusal.whose", "seat", owner.seat, "other", p.seat)
		}
		owner = p
	}
	return s.mind(cmp.Or(owner, s.whom(s.Question), s.players[s.active])), nil
}
