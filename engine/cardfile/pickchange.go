package cardfile

import (
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
	return words == "" || words == "?" || slices.Contains(nothing, words)
}

func (t *Table) sentence(slot, text string) (Slot, error) {
	p := NewParser(text, 1)
	if len(p.list) > maxWords {
		return Slot{}, p.Fail("a statement has at most %d words", maxWords)
	}
	return p.Sentence(t, slot)
}

// sound reports whether a tree stands in a slot, and is read from its own sentences.
func (t *Table) sound(slot string, tree Slot) bool {
	if !t.fits(rootOf(slot), tree, grammar{}) {
		return false
	}
	for _, lang := range engine.Languages {
		if read, err := t.sentence(slot, t.Write(lang, tree)); err != nil || !read.equal(tree) {
			return false
		}
	}
	return true
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
	b, made := builder{t: t}, Slot{}
	s := top(root, &made, grammar{})
	if tree != nil {
		made = tree.clone()
		b.collect(s)
	}
	i := slices.Index(b.places, o.At)
	switch {
	case o.Do == "add" && o.Words != "":
		read, err := t.sentence(root.text, o.Words)
		if err != nil {
			return nil, false
		}
		b.collect(top(root, &read, grammar{}))
		return b.build(s, true)
	case o.Do == "add" && o.Row != "":
		b.hold("", Slot{Row: o.Row})
		return b.build(s, false)
	case tree == nil:
		return nil, false
	case o.Do == "set":
		at, found := t.find(s, o.At)
		return &made, found && t.set(at, o.Row, o.N)
	case i < 0:
		return nil, false
	case o.Do == "replace" && o.Row != "":
		b.effects[i] = Slot{Row: o.Row}
		return b.build(s, false)
	case o.Do == "move" && (o.N == 1 || o.N == -1) && i+o.N >= 0 && i+o.N < len(b.effects):
		b.swap(i, i+o.N)
		return b.build(s, true)
	case o.Do == "remove" && len(b.effects) == 1:
		return nil, true
	case o.Do == "remove":
		b.remove(i)
		return b.build(s, false)
	}
	return nil, false
}

// set sets a slot, and keeps what is inside of it where it fits.
func (t *Table) set(s spot, row string, n int) bool {
	switch s.p.kind {
	case pieceNumber:
		s.v.N = n
		if s.of != nil {
			s.of.raise(s.p.slot)
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
	if r.joins && t.bears(s.p) {
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
	for _, r := range t.rowsIn(s.p, s.g) {
		has := slices.ContainsFunc(s.v.Slots, func(v Slot) bool { return v.Row == r.id })
		if has != (r.id == row) {
			all = append(all, Slot{Row: r.id})
		}
	}
	s.v.Slots = all
	return len(all) > 0
}
