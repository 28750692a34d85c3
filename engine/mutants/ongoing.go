package mutants

import "tableside/engine"

// triggered resolves the ongoing abilities of a seat that wait for something,
// then those of a boss that wait for the hero to do it.
func (s *state) triggered(p *player, t Trigger) {
	if !s.ongoing {
		return
	}
	steps := s.waiting(p, t)
	if s.boss != nil && p != s.boss {
		steps = append(steps, s.waiting(s.boss, OfHero|t)...)
	}
	s.do(steps...)
	s.weakTo(p, t)
}

// waiting are the ongoing abilities of a seat that wait for something. FR
// "Permanent", REMARQUE: they are cumulative, two of the same resolve twice.
func (s *state) waiting(p *player, t Trigger) []func() {
	var steps []func()
	for _, c := range p.permanents() {
		if c.down || c.kind.Trigger != t || c.kind.Ongoing.Unknown {
			continue
		}
		steps = append(steps, func() {
			if c.up() || c == p.lead {
				s.emit(engine.Event{Name: "ongoing", Seat: p.seat, Card: c.id()})
				s.resolve(source{p: p, card: c, slot: c.where}, c.kind.Ongoing.Steps)
			}
		})
	}
	return steps
}

// permanents are the cards whose ongoing abilities are active: those of the
// arena, and a boss's own, FR "Pouvoir Spécial".
func (p *player) permanents() []*card {
	if p.lead != nil {
		return append([]*card{p.lead}, p.mutants()...)
	}
	return p.mutants()
}
