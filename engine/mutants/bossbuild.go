package mutants

import (
	"slices"

	"tableside/engine"
)

// uprisingEdition plays with the cards of the newer edition, and bosses.
const uprisingEdition = "uprising"

// A bossEntry is a boss being gathered.
type bossEntry struct {
	boss   Boss
	first  *Statement
	fields []string // of which there is a statement
}

func (b *builder) addBoss(s *Statement) {
	var e *bossEntry
	for _, known := range b.bosses {
		if known.boss.ID == s.id {
			e = known
		}
	}
	if e == nil {
		e = &bossEntry{first: s, boss: Boss{ID: s.id, Names: map[string]string{}, StandIn: s.StandIn}}
		b.bosses = append(b.bosses, e)
	}
	if s.unknown() && slices.Contains(e.fields, s.field) {
		return
	}
	e.fields = append(e.fields, s.field)
	switch s.field {
	case "en", "fr":
		e.boss.Names[s.field] = s.names
	case "health":
		e.boss.Health = s.n
	case "set-up":
		e.boss.SetUp = s.ability
	case "power":
		e.boss.Power, e.boss.Trigger = s.ability, s.trigger
	}
}

// add takes a statement of an action card. What is known of a weakness stays
// known.
func (a *Action) add(s *Statement) {
	switch s.field {
	case "boss":
		a.Boss, a.Copies = s.action.Boss, s.action.Copies
	case "arrow":
		a.Arrow = s.action.Arrow
	case "weakness":
		before, w := a.Weakness, s.action.Weakness
		if w.N < 0 && before.N > 0 {
			w.N = before.N
		}
		if w.When.Unknown && before != (Weakness{}) {
			w.When = before.When
		}
		a.Weakness = w
	}
}

// checkAction finds what an action card lacks.
func (d *cardEntry) checkAction(b *builder) error {
	s, of, id := d.first, d.last("boss"), d.kind.ID
	bosses := make([]string, len(b.bosses))
	for i, e := range b.bosses {
		bosses[i] = e.boss.ID
	}
	switch {
	case of == nil:
		others := slices.DeleteFunc(slices.Clone(b.order), func(other string) bool { return other == id })
		if near := engine.Nearest(id, others); near != "" {
			return s.fail(s.columns.id, "there is no action card %q; did you mean %q?", id, near)
		}
		return s.fail(s.columns.id, "action card %q has no boss; a line is missing: action %s boss %s", id, id, exampleBoss)
	case !slices.Contains(bosses, of.action.Boss):
		return of.noBoss(of.columns.value, of.action.Boss, bosses)
	case len(d.kind.Names) == 0:
		return s.fail(s.columns.id, "action card %q has no name; a line is missing: action %s en \"…\"", id, id)
	}
	return nil
}

// check finds what a boss lacks.
func (e *bossEntry) check(b *builder) error {
	s, id := e.first, e.boss.ID
	var others []string
	for _, other := range b.bosses {
		if other != e {
			others = append(others, other.boss.ID)
		}
	}
	cards := slices.ContainsFunc(b.order, func(id string) bool {
		d := b.cards[id]
		return d != nil && d.kind.Action != nil && d.kind.Action.Boss == e.boss.ID
	})
	switch {
	case b.cards[id] != nil:
		return s.fail(s.columns.id, "%q is the id of %s already; a boss needs another one", id, b.cards[id].first.subject.named())
	case !cards && (len(e.boss.Names) == 0 || engine.Nearest(id, others) != ""):
		return s.noBoss(s.columns.id, id, others)
	case len(e.boss.Names) == 0:
		return s.fail(s.columns.id, "boss %q has no name; a line is missing: boss %s en \"…\"", id, id)
	case !cards:
		return s.fail(s.columns.id, "boss %q has no cards; a line is missing: action my-card boss %s", id, id)
	}
	return nil
}

func (s *Statement) noBoss(column int, id string, known []string) error {
	if near := engine.Nearest(id, known); near != "" {
		return s.fail(column, "there is no boss %q; did you mean %q?", id, near)
	}
	return s.fail(column, "there is no boss %q; a line is missing: boss %s en \"…\"", id, id)
}

// named is what a statement is about.
func (s subject) named() string {
	if s == aAction {
		return "an action card"
	}
	return "a " + string(s)
}
