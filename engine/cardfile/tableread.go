package cardfile

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// ErrNoRow is the Kind of an error for a text that is no sentence of a Table.
var ErrNoRow = errors.New("no row of the table has this sentence")

// Sentence reads the words that are left as what a slot may hold. If they are no sentence of
// the table, the error has the Kind ErrNoRow, is at the first word that does not fit, and lists
// the sentences of some slots that come nearest.
func (p *Parser) Sentence(t *Table, slot string, near ...string) (Slot, error) {
	r := tableReader{t: t, list: p.list, farthest: p.pos}
	var found []Slot
	for lang := range engine.Languages {
		r.match([]piece{{kind: pieceNamed, text: slot, slot: slot}}, p.pos, grammar{lang: lang}, nil,
			func(at int, slots []Slot, _ grammar) {
				if at == len(p.list) {
					found = append(found, slots...)
				}
			})
	}
	var err error
	switch len(found) {
	case 0:
		p.pos = r.farthest
		err = p.noRow(t, near)
	case 1:
		p.pos = r.farthest
		return found[0], nil
	default:
		err = p.Fail("%q can be read in %d ways", p.Left(), len(found))
	}
	e := err.(*engine.SyntaxError)
	e.Kind = ErrNoRow
	return Slot{}, e
}

func (p *Parser) noRow(t *Table, near []string) error {
	if n, err := strconv.Atoi(strings.TrimLeft(p.Peek(), "+-")); err == nil && (n < 1 || n > t.number) {
		return p.Fail("%q is not a number from 1 to %d", p.Peek(), t.number)
	}
	part := strings.LastIndexAny(p.source[:min(p.Column()-p.column, len(p.source))], ",.:") + 1
	nearest := t.nearest(strings.Fields(p.source[part:]), near)
	if p.Done() {
		return p.Fail("the sentence is not complete; sentences that come near: %s", nearest)
	}
	return p.Fail("%q does not fit here; sentences that come near: %s", p.Peek(), nearest)
}

// oneWords holds the words that people write for 1.
var oneWords = [2][]string{{"a", "an", "one"}, {"un", "une"}}

// A tableReader finds all ways to read words.
type tableReader struct {
	t        *Table
	list     []engine.Token
	farthest int // the word at which all ways have failed
}

// take reports whether words come next, and returns the place behind them.
func (r *tableReader) take(at int, words ...string) (int, bool) {
	for _, word := range words {
		if at >= len(r.list) || r.list[at].Text != word && r.list[at].Text != strings.ToLower(word) {
			return at, false
		}
		at++
		r.farthest = max(r.farthest, at)
	}
	return at, true
}

// match calls found for each way in which a sentence fits the words from a place on.
func (r *tableReader) match(form []piece, at int, g grammar, slots []Slot, found func(int, []Slot, grammar)) {
	if len(form) == 0 {
		found(at, slots, g)
		return
	}
	p := form[0]
	if words := r.t.words(p, g); words != nil {
		if at, ok := r.take(at, words...); ok {
			r.match(form[1:], at, g, slots, found)
		}
		return
	}
	next := func(at int, g grammar, more ...Slot) {
		r.match(form[1:], at, g, append(slices.Clip(slots), more...), found)
	}
	switch {
	case p.kind == pieceAgree:
		g.n = int(p.text[1] - '0')
		next(at, g)
	case p.kind == pieceNumber:
		reversed := func(n int) bool {
			i := slices.IndexFunc(slots, func(v Slot) bool { return v.Name == "low" })
			return i >= 0 && p.slot == "high" && n < slots[i].N
		}
		if n := r.number(at, p, g.lang); n > 0 && (n == 1 || p.text != "1") && !reversed(n) {
			r.farthest = max(r.farthest, at+1)
			next(at+1, g.behind(p, n), Slot{Name: p.slot, N: n})
		}
	case p.kind == pieceID:
		if at < len(r.list) && engine.IsWord(r.list[at].Text) {
			r.farthest = max(r.farthest, at+1)
			next(at+1, g, Slot{Name: p.slot, Row: r.list[at].Text})
		}
	case p.kind == pieceNamed:
		rows, within := r.t.rows[p.text], g.inside(p)
		for i := range rows {
			row := &rows[i]
			if !row.fits(p, g) || !r.begins(row.in[g.lang], at, within) {
				continue
			}
			r.match(row.in[g.lang], at, within, nil, func(at int, inside []Slot, after grammar) {
				next(at, grammar{g.lang, g.mood, after.n}, Slot{Name: p.slot, Row: row.id, Slots: inside})
			})
		}
	case p.kind == pieceList:
		r.items(r.t.rowsIn(p, g), at, g, nil, false, func(at int, list []Slot) {
			next(at, g, Slot{Name: p.slot, Slots: list})
		})
	}
}

// begins reports whether a sentence may begin at a place: most do not.
func (r *tableReader) begins(form []piece, at int, g grammar) bool {
	if len(form) == 0 {
		return true
	}
	words := r.t.words(form[0], g)
	_, begins := r.take(at, words...)
	return begins
}

// items reads a list of different rows. If last is true, the next one ends the list.
func (r *tableReader) items(rows []tableRow, at int, g grammar, before []Slot, last bool, found func(int, []Slot)) {
	for i, row := range rows {
		r.match(row.in[g.lang], at, g, nil, func(at int, inside []Slot, _ grammar) {
			all := append(slices.Clip(before), Slot{Row: row.id, Slots: inside})
			if last || len(before) == 0 {
				found(at, all)
			}
			if next, comma := r.take(at, ","); comma && !last {
				r.items(rows[i+1:], next, g, all, false, found)
			}
			if next, and := r.take(at, listJoints[g.lang]); and && !last {
				r.items(rows[i+1:], next, g, all, true, found)
			}
		})
	}
}

// number returns the number of a piece that comes next, or 0.
func (r *tableReader) number(at int, p piece, lang int) int {
	if at >= len(r.list) {
		return 0
	}
	next := r.list[at].Text
	switch {
	case p.wordFor1() == next, p.sign == "" && slices.Contains(oneWords[lang], next):
		return 1
	case p.wordFor1() != "":
		return 0
	}
	word, signed := strings.CutPrefix(next, p.sign)
	n, err := strconv.Atoi(word)
	if !signed || err != nil || strconv.Itoa(n) != word || n > r.t.number {
		return 0
	}
	return n
}

// An example is a row with what its slots hold at first.
type example struct {
	said   Slot
	search []string
	words  string
	share  float64 // of words in common with a text: see nearest
}

// examples returns an example of each row that may stand in a slot. A row that joins others has
// one for each of those, with the first rows in its other slots.
func (t *Table) examples(p piece, g grammar) (list []example) {
	if p.kind != pieceNamed {
		return []example{{said: t.fresh(p, g)}}
	}
	for _, row := range t.rowsIn(p, g) {
		first := t.freshRow(p, g, row)
		if !row.joins || len(row.slots) == 0 {
			list = append(list, example{said: first, search: row.search})
			continue
		}
		for i, in := range row.slots {
			for _, one := range t.examples(in, g.inside(p))[min(i, 1):] { // the first rows in all slots are there already
				said := first.clone()
				said.Slots[i] = one.said
				list = append(list, example{said: said, search: one.search})
			}
		}
	}
	return list
}

// Sentences returns an example of each row that may stand in a slot.
func (t *Table) Sentences(slot string) (all []Slot) {
	for _, e := range t.examples(rootOf(slot), grammar{}) {
		all = append(all, e.said)
	}
	return all
}

// Examples returns a sentence for each row that may stand in a slot, as people type it.
func (t *Table) Examples(lang engine.Lang, slot string) (list []string) {
	for _, said := range t.Sentences(slot) {
		list = append(list, engine.Capital(t.Write(lang, said))+".")
	}
	return list
}

const maxNearest = 3 // sentences in an error

// nearest returns the sentences of slots that have the greatest share of words in common with a
// text, in quotes.
func (t *Table) nearest(text, from []string) (near engine.OneOf) {
	var all []example
	for _, lang := range engine.Languages {
		for _, slot := range from {
			for _, e := range t.examples(rootOf(slot), grammar{}) {
				e.words = t.Write(lang, e.said)
				all = append(all, e)
			}
		}
	}
	sought := stems(text)
	for i, e := range all {
		words, shared := stems(strings.Fields(e.words)), 0
		for _, stem := range sought {
			if slices.Contains(words, stem) || slices.Contains(e.search, stem) {
				shared++
			}
		}
		all[i].share = float64(shared) / float64(len(words)+len(sought))
	}
	slices.SortStableFunc(all, func(a, b example) int { return cmp.Compare(b.share, a.share) })
	for _, e := range all[:min(maxNearest, len(all))] {
		if e.share > 0 || len(near) == 0 {
			near = append(near, strconv.Quote(e.words))
		}
	}
	return near
}

// stems returns what distinguishes words, each once: no numbers, and no plural.
func stems(words []string) (all []string) {
	for _, word := range words {
		word = strings.TrimSuffix(strings.Trim(strings.ToLower(word), ",.:"), "s")
		if _, err := strconv.Atoi(word); err != nil && word != "" && word != "a" && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}
