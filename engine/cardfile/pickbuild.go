package cardfile

import (
	"cmp"
	"math/bits"
	"slices"
)

// A builder makes trees that hold some effects in their order. What joined these before joins them
// again, as far as it can.
type builder struct {
	t       *Table
	effects []Slot   // those without a Row may be any
	ids     []uint64 // of the effects: each is another bit
	places  []string // where they were
	joints  []joint
	all     bool // make all trees, not only the nearest to what was
	known   map[stretch][]built
}

// A joint is a row that joins effects.
type joint struct {
	words  []string // of its sentence, and its slots that hold no effects
	slots  []Slot   // those slots
	under  []uint64 // the effects in each other slot
	behind bool     // it follows other effects, and could be missing
}

// A stretch is a slot for the effects from one to another.
type stretch struct {
	text, slot           string
	mood, at, from, upTo int
}

type built struct {
	v     Slot
	score int
}

// holding returns all trees of a slot that hold one effect and no other, the plainest first.
func (t *Table) holding(p piece, g grammar, row string) (all []Slot) {
	b := builder{t: t, all: true}
	b.hold("", Slot{Row: row})
	for _, one := range b.trees(p, g, 0, 1) {
		all = append(all, one.v)
	}
	return all
}

func (b *builder) hold(at string, effect Slot) uint64 {
	id := uint64(1) << len(b.ids)
	b.effects, b.ids, b.places = append(b.effects, effect), append(b.ids, id), append(b.places, at)
	return id
}

// collect takes the effects at or below a spot, with what joins them.
func (b *builder) collect(s spot) (all uint64) {
	r, _ := b.t.row(s.p, s.g, s.v.Row)
	if !r.joins {
		return b.hold(s.at, *s.v)
	}
	j := joint{words: b.t.joining(r), behind: slices.ContainsFunc(b.t.rows[s.p.text], b.t.holdsNone)}
	for _, in := range b.t.inside(s) {
		if !b.t.bears(in.p) {
			j.slots = append(j.slots, *in.v)
			continue
		}
		j.under = append(j.under, b.collect(in))
	}
	b.joints = append(b.joints, j)
	return j.effects()
}

func (j joint) effects() (all uint64) {
	for _, under := range j.under {
		all |= under
	}
	return all
}

// joining returns the words of a row that joins effects, and its slots that hold no effects.
func (t *Table) joining(r tableRow) (words []string) {
	for _, p := range r.in[0] {
		if p.text != "," && p.text != ":" && (p.kind != pieceNamed || !t.bears(p)) {
			words = append(words, p.text)
		}
	}
	return words
}

func (t *Table) holdsNone(r tableRow) bool {
	return r.joins && !slices.ContainsFunc(r.slots, t.bears)
}

// swap swaps two effects with what joins only one of them, but not with what joins it to those before.
func (b *builder) swap(i, k int) {
	one, other := b.ids[i], b.ids[k]
	for _, j := range b.joints {
		if all := j.effects(); !j.behind && bits.OnesCount64(all) == 1 {
			continue
		}
		for n, under := range j.under {
			if has := under & (one | other); has == one || has == other {
				j.under[n] ^= one | other
			}
		}
	}
	b.effects[i], b.effects[k], b.ids[i], b.ids[k] = b.effects[k], b.effects[i], other, one
}

func (b *builder) remove(i int) {
	for _, j := range b.joints {
		for n := range j.under {
			j.under[n] &^= b.ids[i]
		}
	}
	b.effects, b.ids = slices.Delete(b.effects, i, i+1), slices.Delete(b.ids, i, i+1)
}

// build returns the nearest tree to what was. If it is to keep everything, it fails where words that
// join effects would be lost.
func (b *builder) build(s spot, keep bool) (*Slot, bool) {
	list := b.trees(s.p, s.g, 0, len(b.effects))
	if len(list) == 0 {
		return nil, false
	}
	v := list[0].v
	return &v, !keep || b.keeps(s, v, b.joints)
}

// keeps reports whether a tree has the words of joints.
func (b *builder) keeps(s spot, v Slot, joints []joint) bool {
	now := builder{t: b.t}
	now.collect(top(s.p, &v, s.g))
	return !slices.ContainsFunc(joints, func(j joint) bool {
		has := func(k joint) bool { return slices.Equal(j.words, k.words) }
		return len(j.words) > 0 && !slices.ContainsFunc(now.joints, has)
	})
}

// rejoin joins the effects at a spot by another row, with one effect more where it needs that. It
// fails where that would lose an effect, or what else joins it.
func (t *Table) rejoin(s spot, r tableRow) bool {
	for _, more := range []string{"", "last", "first"} {
		b := builder{t: t}
		if more == "first" {
			b.hold("", Slot{})
		}
		b.collect(s)
		if more == "last" {
			b.hold("", Slot{})
		}
		list := b.with(s.p, s.g, r, 0, len(b.effects))
		if len(list) == 0 {
			continue
		}
		if v := nearest(list).v; b.keeps(s, v, b.joints[:len(b.joints)-1]) {
			*s.v = v
			return true
		}
	}
	return false
}

func nearest(list []built) built {
	return slices.MaxFunc(list, func(a, b built) int { return cmp.Compare(a.score, b.score) })
}

// trees returns the trees for a slot with some of the effects.
func (b *builder) trees(p piece, g grammar, from, to int) (list []built) {
	key := stretch{p.text, p.slot, p.mood, g.mood, from, to}
	if list, known := b.known[key]; known {
		return list
	}
	if b.known == nil {
		b.known = map[stretch][]built{}
	}
	for _, r := range b.t.rows[p.text] {
		if r.fits(p, g) {
			list = append(list, b.with(p, g, r, from, to)...)
		}
	}
	if !b.all && len(list) > 1 {
		list = []built{nearest(list)}
	}
	b.known[key] = list
	return list
}

// with returns the trees that begin with a row.
func (b *builder) with(p piece, g grammar, r tableRow, from, to int) (list []built) {
	if !r.joins {
		if to-from != 1 || !b.t.isEffect(p.text, r) || b.effects[from].Row != "" && b.effects[from].Row != r.id {
			return nil
		}
		v := Slot{Name: p.slot, Row: r.id, Slots: b.effects[from].Slots}
		if v.Slots == nil {
			v = b.t.freshRow(p, g, r)
		}
		if !b.t.fits(p, v, g) {
			return nil
		}
		return []built{{v: v}}
	}
	slots := r.slots
	var fill func(at int, v Slot, under []uint64, score int)
	fill = func(at int, v Slot, under []uint64, score int) {
		n := len(v.Slots)
		switch {
		case n == len(slots) && at == to:
			list = append(list, built{v, score + b.join(p, g, r, &v, under)})
		case n == len(slots):
		case !b.t.bears(slots[n]):
			v.Slots = append(slices.Clip(v.Slots), Slot{})
			fill(at, v, under, score)
		default:
			had, ids := v.Slots, uint64(0)
			rest := slices.ContainsFunc(slots[n+1:], b.t.bears)
			for next := at; next <= to; next++ {
				if next > at {
					ids |= b.ids[next-1]
				}
				if next < to && !rest {
					continue
				}
				for _, one := range b.trees(slots[n], g.inside(p), at, next) {
					v.Slots = append(slices.Clip(had), one.v)
					fill(next, v, append(slices.Clip(under), ids), score+one.score)
				}
			}
		}
	}
	fill(from, Slot{Name: p.slot, Row: r.id}, nil, 0)
	return list
}

const newWords = 10 // what words that were not there before cost, of the 100 for what was

// join fills the slots of a joining row that hold no effects with what was in them, and returns how
// near it is to what was.
func (b *builder) join(p piece, g grammar, r tableRow, v *Slot, under []uint64) int {
	now := joint{words: b.t.joining(r), under: under}
	if len(now.words) == 0 {
		return 0
	}
	best, of := 0, joint{}
	for _, j := range b.joints {
		if like := now.like(j); like > best {
			best, of = like, j
		}
	}
	for i, in := range r.slots {
		if b.t.bears(in) {
			continue
		}
		v.Slots[i] = b.t.fresh(in, g.inside(p))
		if k := slices.IndexFunc(of.slots, func(had Slot) bool { return b.t.fits(in, had, g.inside(p)) }); k >= 0 {
			v.Slots[i] = of.slots[k]
		}
	}
	if best == 100 { // two half matches are no match
		best *= 2
	}
	return best - newWords
}

// like returns how much of a joint is the same as in another, up to 100.
func (j joint) like(k joint) int {
	words, same := 0, 0
	for _, word := range j.words {
		if slices.Contains(k.words, word) {
			words++
		}
	}
	for n := range min(len(j.under), len(k.under)) {
		same += bits.OnesCount64(j.under[n] & k.under[n])
	}
	all, other := j.effects(), k.effects()
	every := 2 * bits.OnesCount64(all|other) * (len(j.words) + len(k.words) - words)
	if every == 0 {
		return 0
	}
	return 100 * words * (same + bits.OnesCount64(all&other)) / every
}
