package evening

import (
	"maps"
	"slices"

	"tableside/engine"
)

// Seatings returns who is to play at each table that an evening has used. These are the
// players of a pairing that still needs a result, in an evening that is not over. If a table
// has no such pairing, its value is nil. If several evenings have a pairing for one table, the
// newest evening decides.
func (b *Book) Seatings() map[string]*engine.Seating {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := map[string]*engine.Seating{}
	for _, id := range slices.Sorted(maps.Keys(b.evenings)) {
		k := b.evenings[id]
		if err := k.reload(); err != nil {
			b.cfg.Log.Warn("evenings: nobody is told where to play", "evening", id, "error", err)
			continue
		}
		k.state().seatings(all)
	}
	return all
}

func (s *State) seatings(all map[string]*engine.Seating) {
	for _, t := range s.Tables {
		if _, ok := all[t.Name]; !ok {
			all[t.Name] = nil
		}
	}
	r := s.Round()
	if r == nil || s.Over {
		return
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		if p.Table == "" || p.Bye() || p.Result != nil {
			continue
		}
		seating := &engine.Seating{Evening: s.Name, Round: len(s.Rounds), Players: s.names(p), Since: r.At, Ends: r.Ends}
		if n := len(p.Games); n > 0 {
			seating.Match = n + 1
			if n%2 == 1 { // the other begins
				slices.Reverse(seating.Players)
			}
		}
		if s.Game != anyGame {
			seating.Game = s.Game
		}
		all[p.Table] = seating
	}
}
