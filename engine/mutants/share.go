package mutants

import (
	"slices"

	"tableside/engine"
)

// checkPools returns a refusal if all gene pools that are drafted or constructed are complete,
// but together have more copies of a card than the box. An earlier refusal, of the tap itself,
// would tell a seat what another seat has picked. If the gene pools are right, or the players
// insist, a draft ends.
func (s *state) checkPools(confirmed bool) error {
	d := s.draft
	if s.phase != "set-up" || s.insisted || d != nil && (d.phase != draftMatching || len(d.waiting) > 0) ||
		slices.ContainsFunc(s.players, func(p *player) bool { return p.constructs }) {
		return nil
	}
	first, copies := map[*Kind]*player{}, map[*Kind]int{}
	for _, p := range s.players {
		for _, c := range p.cards {
			if !c.kind.advanced() {
				continue
			}
			if first[c.kind] == nil {
				first[c.kind] = p
			}
			if copies[c.kind]++; copies[c.kind] <= maxCopies {
				continue
			}
			if s.insisted = confirmed; !confirmed {
				return engine.RefuseUnless("refusal.pools-share", "seat", first[c.kind].seat, "other", p.seat)
			}
		}
	}
	if d != nil {
		s.endDraft()
	}
	return nil
}

// correctPool puts a card that a player shows from its gene pool in the place of an unseen one
// that cannot be there, because all players together have more copies of it than the box.
func (s *state) correctPool(p *player, name string, _ bool) (act func(), err error) {
	kind, err := s.copyOf(name)
	if !s.insisted || err != nil || !kind.advanced() || s.tapped[name] != nil || p.hidden(name) || p.owed() == 0 {
		return nil, nil
	}
	copies := map[*Kind]int{}
	for _, o := range s.players {
		for _, c := range o.cards {
			copies[c.kind]++
		}
	}
	for _, c := range p.cards {
		tooMany := c.kind.advanced() && copies[c.kind] > maxCopies
		if tooMany && copies[kind] < maxCopies && c.name == "" && c.zone&inPool != 0 {
			return func() {
				c.kind = kind
				s.revealTop(p, name)
			}, nil
		}
	}
	return nil, nil
}

// IsSecret reports whether an input taps a card of a gene pool that has not been face up.
func (s *state) IsSecret(in engine.Input) bool {
	id, _ := engine.SplitCopy(in.Arg(0))
	kind := s.rules.kinds[id]
	return in.Verb == engine.Tap && s.boss == nil && kind != nil && kind.advanced() && s.tapped[in.Arg(0)] == nil
}
