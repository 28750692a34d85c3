package mutants

import (
	"slices"

	"tableside/engine"
)

// A cardEntry is a card being gathered.
type cardEntry struct {
	kind  Kind
	first *Statement
	set   []*Statement // the last of each field
}

func (d *cardEntry) add(s *Statement) error {
	k := &d.kind
	if d.first.subject != s.subject {
		return s.fail(s.columns.id, "%q is the id of %s already; %s needs another one", k.ID, d.first.subject.named(), s.subject.named())
	}
	if before := d.last("kind"); before != nil && s.field == "kind" && before.basic != s.basic {
		return s.fail(s.columns.value, "card %q is of the other kind already; another card needs another id", k.ID)
	}
	if before := d.last("boss"); before != nil && s.field == "boss" && before.action.Boss != s.action.Boss {
		return s.fail(s.columns.value, "action card %q is one of %s already; another card needs another id", k.ID, before.action.Boss)
	}
	switch i := d.index(s.field); {
	case i < 0:
		d.set = append(d.set, s)
	case s.unknown():
		return nil
	default:
		d.set[i] = s
	}
	switch s.field {
	case "kind":
		k.Basic = s.basic
	case "en", "fr":
		k.Names[s.field] = s.names
	case "genes":
		k.Genes, k.Inferred = s.genes, s.flag
		k.keywords = nil
		for _, g := range s.genes {
			k.keywords = append(k.keywords, g.String())
		}
	case "freeze":
		k.Freeze = s.value
	case "draft":
		k.Draft = true
	case "deploy":
		k.Deploy = s.ability
	case "leave":
		k.Leave = s.ability
	case "block":
		k.Block = s.ability
	case "ongoing":
		k.Ongoing, k.Trigger = s.ability, s.trigger
	default:
		k.Action.add(s)
	}
	return nil
}

func (d *cardEntry) index(field string) int {
	return slices.IndexFunc(d.set, func(s *Statement) bool { return s.field == field })
}

// last is the statement that counts for a field, or nil.
func (d *cardEntry) last(field string) *Statement {
	if i := d.index(field); i >= 0 {
		return d.set[i]
	}
	return nil
}

// unknown reports whether the statement only says that something was not
// found.
func (s *Statement) unknown() bool {
	switch s.field {
	case "freeze":
		return s.value.Unknown
	case "deploy", "leave", "block", "ongoing", "set-up", "power":
		return s.ability.Unknown
	case "health":
		return s.n == 0
	case "arrow":
		return s.action.Arrow == 0
	case "weakness":
		return s.action.Weakness == unknownWeakness
	}
	return false
}

// check finds what a card lacks.
func (d *cardEntry) check(b *builder) error {
	if d.kind.Action != nil {
		return d.checkAction(b)
	}
	s := d.first
	missing := func(what, as string) error {
		return s.fail(s.columns.id, "card %q has no %s; a line is missing: card %s %s", d.kind.ID, what, d.kind.ID, as)
	}
	genes := d.last("genes")
	switch {
	case d.last("kind") == nil:
		others := slices.DeleteFunc(slices.Clone(b.order), func(id string) bool { return id == d.kind.ID })
		if near := engine.Nearest(d.kind.ID, others); near != "" {
			return s.fail(s.columns.id, "there is no card %q; did you mean %q?", d.kind.ID, near)
		}
		return missing("kind", "kind advanced")
	case genes == nil:
		return missing("genes", "genes necro saber")
	case len(d.kind.Names) == 0:
		return missing("name", "en \"…\"")
	case d.kind.Basic && len(d.kind.Genes) != 1:
		return genes.fail(genes.columns.value, "a basic card has one gene, not %d", len(d.kind.Genes))
	case !d.kind.Basic && len(d.kind.Genes) != 2:
		return genes.fail(genes.columns.value, "an advanced card has two genes, not %d", len(d.kind.Genes))
	case d.kind.Basic && d.kind.Draft:
		return d.last("draft").fail(d.last("draft").columns.field, "a basic card is not drafted")
	}
	return nil
}

// standIns lists the fields that were made up, of a card that was made up as
// a whole only its kind.
func (d *cardEntry) standIns() []Gap {
	var gaps []Gap
	fields := cardFields
	if d.kind.Action != nil {
		fields = actionFields
	}
	for _, field := range fields {
		s := d.last(field)
		if s == nil || !s.StandIn {
			continue
		}
		if field == "kind" || field == "boss" {
			return []Gap{wholeCard(d.kind.ID)}
		}
		gaps = append(gaps, Gap{Card: d.kind.ID, Field: field, StandIn: true})
	}
	return gaps
}

// standsFor reports whether the whole card was made up for one that the owner
// has entered: the box has one drafted card for each ordered pair of genes.
func (d *cardEntry) standsFor(real map[[2]Gene]bool) bool {
	return d.last("kind").StandIn && len(d.kind.Genes) == 2 && real[[2]Gene(d.kind.Genes)]
}

// wholeCard is for one that was made up altogether.
func wholeCard(id string) Gap { return Gap{Card: id, Field: "kind", StandIn: true} }
