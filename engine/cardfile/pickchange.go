package cardfile

import (
	"iter"
	"slices"
	"strings"

	"tableside/engine"
)

// An Order says what a form does with an ability, which is given as a tree or as a sentence. What
// Do may be:
//
//	""        shows it
//	add       adds Row as its last effect, or all of the ability Words
//	replace   puts Row in place of the effect At
//	set       sets the slot At to Row or N; of several rows, it adds or removes Row
//	move      moves the effect At by N, which is 1 or -1
//	remove    removes the effect At
type Order struct {
	Tree  *Slot  `json:"tree,omitempty"`
	Text  string `json:"text,omitempty"`
	Do    string `json:"do,omitempty"`
	At    string `json:"at,omitempty"`
	Row   string `json:"row,omitempty"`
	N     int    `json:"n,omitempty"`
	Words string `json:"words,omitempty"`
}

const maxTree = 300 // slots and rows in an ability; one of 60 words has fewer

// Pick carries out an order about what a slot of the table may hold, such as "ability", and shows
// the result. A text that is no sentence leads to an error of the Kind ErrNoRow, as of
// Parser.Sentence, beside an ability that says nothing; what cannot be done leads to ErrPick. The texts "", "none" and "?" say nothing.
func (t *Table) Pick(slot string, lang engine.Lang, o Order) (Picked, error) {
	root := rootOf(slot)
	tree := o.Tree
	if tree == nil && !saysNothing(o.Text) {
		read, err := t.sentence(slot, o.Text)
		if err != nil {
			return t.draw(root, lang, nil), err
		}
		tree = &read
	}
	if tree != nil && !t.sound(slot, *tree) {
		return Picked{}, ErrPick
	}
	if o.Do != "" {
		made, ok := t.change(root, tree, o)
		if !ok || made != nil && !t.sound(slot, *made) {
			return Picked{}, ErrPick
		}
		tree = made
	}
	return t.draw(root, lang, tree), nil
}

func saysNothing(text string) bool {
	words := strings.ToLower(strings.Trim(text, " .;"))
	return slices.Contains([]string{"", "none", "?", "rien", "aucun", "aucune"}, words)
}

func (t *Table) sentence(slot, text string) (Slot, error) {
	p := NewParser(text, 1)
	p.Sentences()
	if len(p.list) > maxWords {
		return Slot{}, p.Fail("a statement has at most %d words", maxWords)
	}
	return p.Sentence(t, slot)
}

// sound reports whether a tree stands in a slot, and is read from its own sentences.
func (t *Table) sound(slot string, tree Slot) bool {
	if tree.size() > maxTree || !t.fits(rootOf(slot), tree, grammar{}) {
		return false
	}
	for _, lang := range engine.Languages {
		if read, err := t.sentence(slot, t.Write(lang, tree)); err != nil || !read.equal(tree) {
			return false
		}
	}
	return true
}

func (v Slot) size() int {
	n := 1
	for _, in := range v.Slots {
		n += in.size()
	}
	return n
}

func (v Slot) equal(w Slot) bool {
	return v.Name == w.Name && v.N == w.N && v.Row == w.Row && slices.EqualFunc(v.Slots, w.Slots, Slot.equal)
}

func (v Slot) clone() Slot {
	v.Slots = slices.Clone(v.Slots)
	for i := range v.Slots {
		v.Slots[i] = v.Slots[i].clone()
	}
	return v
}

// change returns a changed copy of a tree, or nil if nothing is left.
func (t *Table) change(root piece, tree *Slot, o Order) (*Slot, bool) {
	if tree == nil {
		tree = &Slot{}
	}
	made := tree.clone()
	s := top(root, &made, grammar{})
	if o.Do == "add" {
		return t.add(s, o)
	}
	if tree.Row == "" {
		return nil, false
	}
	at, found := t.find(s, o.At)
	if !found {
		return nil, false
	}
	ok := false
	switch effects := t.effects(s); o.Do {
	case "set":
		ok = t.set(at, o.Row, o.N)
	case "replace":
		ok = t.replace(at, Slot{Row: o.Row})
	case "move":
		i := slices.IndexFunc(effects, func(e spot) bool { return e.at == o.At })
		ok = i >= 0 && (o.N == 1 || o.N == -1) && i+o.N >= 0 && i+o.N < len(effects) && t.swap(effects[i], effects[i+o.N])
	case "remove":
		if len(effects) == 1 && effects[0].at == o.At {
			return nil, true
		}
		ok = t.remove(at)
	}
	return &made, ok
}

// add adds an effect, or all effects of another ability, where the tree may go on.
func (t *Table) add(s spot, o Order) (*Slot, bool) {
	var more Slot
	if o.Words != "" {
		read, err := t.sentence(s.p.text, o.Words)
		if err != nil {
			return nil, false
		}
		more = read
	} else if all := t.holding(s.p, s.g, Slot{Row: o.Row}, nil); len(all) > 0 {
		more = all[0]
	} else {
		return nil, false
	}
	if s.v.Row == "" {
		return &more, true
	}
	end, r, found := t.end(s)
	if !found {
		return nil, false
	}
	v := Slot{Name: end.p.slot, Row: r.id}
	for _, in := range t.slotsIn(r) {
		i := slices.IndexFunc(more.Slots, func(had Slot) bool { return t.fits(in, had, end.g.inside(end.p)) })
		switch {
		case i >= 0:
			v.Slots, more.Slots = append(v.Slots, more.Slots[i]), slices.Delete(more.Slots, i, i+1)
		case t.bears(in):
			return nil, false
		default:
			v.Slots = append(v.Slots, t.fresh(in, end.g.inside(end.p)))
		}
	}
	*end.v = v
	return s.v, len(more.Slots) == 0 || o.Words == ""
}

// end returns where an ability may go on: a joining row that holds nothing, and the row with
// which it would.
func (t *Table) end(s spot) (end spot, with tableRow, found bool) {
	r, _ := t.row(s.p, s.g, s.v.Row)
	if !r.joins {
		return end, with, false
	}
	inside := t.inside(s)
	for _, in := range slices.Backward(inside) {
		if end, with, found = t.end(in); found {
			return end, with, found
		}
	}
	for _, other := range t.rowsIn(s.p, s.g) {
		if len(inside) == 0 && slices.ContainsFunc(t.slotsIn(other), t.bears) {
			return s, other, true
		}
	}
	return end, with, false
}

// set sets a slot, and keeps what is inside of it where it fits.
func (t *Table) set(s spot, row string, n int) bool {
	switch s.p.kind {
	case pieceNumber:
		s.v.N = n
		if n := len(s.above); n > 0 {
			s.above[n-1].v.raise(s.p.slot)
		}
		return row == ""
	case pieceID:
		s.v.Row = row
		return n == 0
	case pieceList:
		return t.toggle(s, row)
	}
	r, known := t.row(s.p, s.g, row)
	if !known {
		return false
	}
	if r.joins {
		return t.rejoin(s, r)
	}
	was := s.v.Slots
	*s.v = t.freshRow(s.p, s.g, r)
	for _, in := range t.inside(s) {
		i := slices.IndexFunc(was, func(had Slot) bool { return t.fits(in.p, had, in.g) })
		if i >= 0 {
			*in.v = was[i]
		}
	}
	s.v.raise("")
	return true
}

// raise sees to it that no range is upside down, and changes its other end than the named one.
func (v Slot) raise(end string) {
	low := slices.IndexFunc(v.Slots, func(in Slot) bool { return in.Name == "low" })
	high := slices.IndexFunc(v.Slots, func(in Slot) bool { return in.Name == "high" })
	switch {
	case low < 0 || high < 0 || v.Slots[low].N <= v.Slots[high].N:
	case end == "high":
		v.Slots[low].N = v.Slots[high].N
	default:
		v.Slots[high].N = v.Slots[low].N
	}
}

func (t *Table) toggle(s spot, row string) bool {
	var all []Slot
	on := slices.ContainsFunc(s.v.Slots, func(v Slot) bool { return v.Row == row })
	for _, r := range t.rowsIn(s.p, s.g) {
		has := slices.ContainsFunc(s.v.Slots, func(v Slot) bool { return v.Row == r.id })
		if r.id == row && !on || r.id != row && has {
			all = append(all, Slot{Row: r.id})
		}
	}
	s.v.Slots = all
	return len(all) > 0
}

// rejoin joins the effects at a spot by another row. It fails where that would lose an effect, or
// what else joins it.
func (t *Table) rejoin(s spot, r tableRow) bool {
	was := s.v.clone()
	parts := t.inside(top(s.p, &was, s.g))
	v, ok := t.assign(s, r, parts, true)
	if ok {
		*s.v = v
	}
	return ok
}

// assign returns a row for a spot, with parts of another tree in its slots. It fails where an
// effect would be lost, or what joins it, or where a new effect would appear that is not wanted.
func (t *Table) assign(s spot, r tableRow, parts []spot, wanted bool) (v Slot, ok bool) {
	joints := t.joints(parts)
	v = Slot{Name: s.p.slot, Row: r.id}
	g := s.g.inside(s.p)
	single := func(part spot) bool { return len(t.effects(part)) == 1 }
	for _, in := range t.slotsIn(r) {
		put := t.fresh(in, g)
		i := slices.IndexFunc(parts, func(part spot) bool { return t.fits(in, *part.v, g) })
		if i >= 0 {
			put = *parts[i].v
		} else if i = slices.IndexFunc(parts, single); i >= 0 && t.bears(in) {
			all := t.holding(in, g, *t.effects(parts[i])[0].v, nil)
			if len(all) == 0 {
				return v, false
			}
			put = all[0]
		} else if !wanted && len(t.effects(top(in, &put, g))) > 0 {
			return v, false
		}
		v.Slots = append(v.Slots, put)
		if i >= 0 && (t.bears(in) || t.fits(in, *parts[i].v, g)) {
			parts = slices.Delete(slices.Clone(parts), i, i+1)
		}
	}
	if slices.ContainsFunc(parts, func(part spot) bool { return len(t.effects(part)) > 0 }) {
		return v, false
	}
	now := t.joints(t.inside(top(s.p, &v, s.g)))
	return v, !slices.ContainsFunc(joints, func(joint string) bool { return !slices.Contains(now, joint) })
}

// joints returns the rows with words that join the effects in some parts of a tree.
func (t *Table) joints(parts []spot) (all []string) {
	for _, s := range parts {
		if r, _ := t.row(s.p, s.g, s.v.Row); s.p.kind == pieceNamed && r.joins {
			if !t.isPlain(r) {
				all = append(all, s.v.Name+" "+r.id)
			}
			all = append(all, t.joints(t.inside(s))...)
		}
	}
	return all
}

// isPlain reports whether a row joins effects without a word.
func (t *Table) isPlain(r tableRow) bool {
	return !slices.ContainsFunc(r.in[0], func(p piece) bool { return p.kind != pieceNamed || !t.bears(p) })
}

// remove removes an effect, and what joins only that.
func (t *Table) remove(effect spot) bool {
	for _, s := range slices.Backward(effect.above) {
		if len(t.effects(s)) < 2 {
			continue
		}
		was := s.v.clone()
		parts := slices.DeleteFunc(t.inside(top(s.p, &was, s.g)), func(in spot) bool {
			return strings.HasPrefix(effect.at, s.at+strings.TrimPrefix(in.at, "0")+".") ||
				effect.at == s.at+strings.TrimPrefix(in.at, "0")
		})
		if len(parts) == 1 && t.fits(s.p, *parts[0].v, s.g) {
			*s.v = *parts[0].v
			return true
		}
		old, _ := t.row(s.p, s.g, s.v.Row)
		rows := t.rowsIn(s.p, s.g)
		slices.SortStableFunc(rows, func(a, b tableRow) int { return t.shared(b, old) - t.shared(a, old) })
		for _, r := range rows {
			for _, from := range [][]spot{parts, t.below(parts)} {
				if v, ok := t.assign(s, r, from, false); ok && r.joins {
					*s.v = v
					return true
				}
			}
		}
		return false
	}
	return false
}

func (t *Table) below(parts []spot) (all []spot) {
	for _, s := range parts {
		all = append(all, t.inside(s)...)
	}
	return all
}

// shared returns how many words two rows have in common, less those that only the first one has.
func (t *Table) shared(a, b tableRow) (n int) {
	for _, p := range a.in[0] {
		same := func(q piece) bool { return q.kind == p.kind && q.text == p.text }
		switch {
		case p.kind == pieceNamed && t.bears(p):
		case slices.ContainsFunc(b.in[0], same):
			n++
		default:
			n--
		}
	}
	return n
}

// swap puts two effects in each other's place, with what joins only them where that fits.
func (t *Table) swap(a, b spot) bool {
	n := 0
	for n < min(len(a.above), len(b.above)) && a.above[n].at == b.above[n].at {
		n++
	}
	for _, into := range []func(s, from spot) (Slot, bool){t.whole, t.bare} {
		for _, one := range append(slices.Clone(a.above[n:]), a) {
			for _, other := range append(slices.Clone(b.above[n:]), b) {
				if len(t.effects(one)) != 1 || len(t.effects(other)) != 1 {
					continue
				}
				first, fits := into(one, other)
				second, both := into(other, one)
				if fits && both {
					*one.v, *other.v = first, second
					return true
				}
			}
		}
	}
	return false
}

func (t *Table) whole(s, from spot) (Slot, bool) { return *from.v, t.fits(s.p, *from.v, s.g) }

func (t *Table) bare(s, from spot) (v Slot, ok bool) {
	all := t.holding(s.p, s.g, *t.effects(from)[0].v, nil)
	if len(all) == 0 {
		return v, false
	}
	return all[0], true
}

// replace puts another effect in the place of one, with what joins only that where it must.
func (t *Table) replace(s spot, effect Slot) bool {
	for _, in := range append([]spot{s}, slices.Collect(reversed(s.above))...) {
		if all := t.holding(in.p, in.g, effect, nil); len(all) > 0 && len(t.effects(in)) == 1 {
			*in.v = all[0]
			return true
		}
	}
	return false
}

func reversed(list []spot) iter.Seq[spot] {
	return func(yield func(spot) bool) {
		for _, s := range slices.Backward(list) {
			if !yield(s) {
				return
			}
		}
	}
}
