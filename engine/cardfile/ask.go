package cardfile

import (
	"slices"
	"sync"

	"tableside/engine"
	"tableside/engine/cardgame"
)

// A Pickable is a sentence that players may pick at the table next, and the word for that.
type Pickable struct {
	word string
	says engine.Text // it, or the part of it that is new
	tree Slot
}

// Picking returns the Control for what a slot of a table may hold. The function says what fits a
// card; it may be nil.
func Picking(t *Table, slot string, fits func(Slot) bool) Control {
	return Control{Kind: Sentence, Keeps: true, Table: t, Slot: slot, Fits: fits, known: &pickables{}}
}

// pickables remembers what may be picked next, because a match asks for it again each time that it is
// folded.
type pickables struct {
	sync.Mutex
	lists map[string][]Pickable
}

const maxPickables = 500 // lists that are remembered

func (p *pickables) of(key string, list func() []Pickable) []Pickable {
	p.Lock()
	defer p.Unlock()
	all, known := p.lists[key]
	if !known {
		if all = list(); len(p.lists)%maxPickables == 0 {
			p.lists = map[string][]Pickable{}
		}
		p.lists[key] = all
	}
	return all
}

// verbs returns the effects that may follow a sentence, or begin one. The first rows of all tiles
// come before the others, which are rarer.
func (c Control) verbs(tree *Slot) (all []Pickable) {
	for n, found := 0, true; found; n++ {
		found = false
		for _, tile := range c.Table.tiles {
			if n >= len(tile.rows) {
				continue
			}
			found = true
			made, ok := c.Table.change(rootOf(c.Slot), tree, Order{Do: "add", Row: tile.rows[n]})
			if ok && c.fits(*made) {
				all = append(all, Pickable{tile.rows[n], c.Table.writing(rootOf(c.Slot), *made, grammar{}), *made})
			}
		}
	}
	return all
}

// others returns the sentences with another row in a slot, and with as many effects.
func (c Control) others(tree *Slot, s spot) (all []Pickable) {
	t, root := c.Table, rootOf(c.Slot)
	for _, r := range t.rowsIn(s.p, s.g) {
		made, ok := t.change(root, tree, Order{Do: "set", At: s.at, Row: r.id})
		same := r.id == s.v.Row || t.bears(s.p) && !r.joins
		if !ok || same || t.effects(root, *made) != t.effects(root, *tree) || !c.fits(*made) {
			continue
		}
		label := t.writing(root, *made, grammar{})
		if in, found := t.find(top(root, made, grammar{}), s.at); found && !r.joins && len(r.in[0]) > 0 {
			label = t.writing(s.p, *in.v, s.g)
		}
		all = append(all, Pickable{r.id, label, *made})
	}
	return all
}

func (c Control) fits(tree Slot) bool { return c.Fits == nil || c.Fits(tree) }

// An asking lets players pick what a card does by their answers to questions: first a verb, then how
// many, whom and which.
type asking[C cardgame.Cards] struct {
	desk   *cardgame.Desk[C]
	q      cardgame.Question[C]
	of     Control
	root   piece
	then   func(words string)
	byHand func()
}

// A way is an answer, and what follows from it.
type way struct {
	cardgame.Answer
	take func()
}

// Ask asks what a card does, for a field of its file that has the Control, and passes the English
// sentence to a callback, or "none". The other callback is called if players would rather resolve it
// by hand.
//
// The question is about the verb. The prompt "what-says" shows the sentence so far, and the key
// "yes" says that it is complete. The prompt "what-which" is about one slot of it.
func Ask[C cardgame.Cards](d *cardgame.Desk[C], q cardgame.Question[C], of Control, then func(string), byHand func()) {
	q.ByHand = true
	a := &asking[C]{d, q, of, rootOf(of.Slot), then, byHand}
	ways := a.after(of.known.of("", func() []Pickable { return of.verbs(nil) }))
	ways = append(ways, way{cardgame.Choose("none", "what-none"), func() { then("none") }})
	a.ask(q, ways, "by-hand", byHand)
}

func (a *asking[C]) after(list []Pickable) (ways []way) {
	for _, p := range list {
		ways = with(ways, p.word, p.says, func() { a.says(p.tree) })
	}
	return ways
}

// with adds a way. A later one by the same word replaces an earlier one.
func with(ways []way, word string, label engine.Text, take func()) []way {
	ways = slices.DeleteFunc(ways, func(w way) bool { return w.Word == word })
	return append(ways, way{cardgame.Answer{Verb: engine.Choose, Word: word, Label: "effect", About: label}, take})
}

// ask asks a question with some answers. The key "no" goes back.
func (a *asking[C]) ask(q cardgame.Question[C], ways []way, label string, back func()) {
	ways = append(ways, way{cardgame.Key("no", label), back})
	for _, w := range ways {
		q.Fixed = append(q.Fixed, w.Answer)
	}
	q.Chosen = func(given cardgame.Answer) {
		i := slices.IndexFunc(ways, func(w way) bool { return w.Verb == given.Verb && w.Word == given.Word })
		a.desk.Do(ways[i].take)
	}
	a.desk.Ask(q)
}

// writing returns what a slot holds as a text for people.
func (t *Table) writing(p piece, v Slot, g grammar) engine.Text {
	return sentenceText(func(lang int) string { return engine.Capital(t.write(p, v, grammar{lang, g.mood, g.n})) })
}

// says shows a sentence and asks whether it is complete.
func (a *asking[C]) says(tree Slot) {
	q, t, number, words := a.q, a.of.Table, spot{}, a.of.Table.Write(engine.English, tree)
	q.Key, q.Says = "what-says", t.writing(a.root, tree, grammar{})
	which := func(key, at string, list func() []Pickable) func() {
		return func() {
			next := q
			next.Key = key
			a.ask(next, a.after(a.of.known.of(words+"|"+key+at, list)), "what-back", func() { a.says(tree) })
		}
	}
	ways := []way{{cardgame.Key("yes", "what-yes"), func() { a.then(words) }}}
	var joins []spot
	t.each(top(a.root, &tree, grammar{}), func(s spot) {
		rows := t.rowsIn(s.p, s.g)
		switch {
		case s.p.kind == pieceNumber && s.p.text != "1":
			number = s
		case s.p.kind == pieceNamed && t.bears(s.p):
			joins = append(joins, s)
		case s.p.kind == pieceNamed && len(rows) > 1 && !rows[0].joins:
			title := sentenceText(func(lang int) string { return engine.Capital(t.names[s.p.slot][lang]) + "…" })
			ways = with(ways, s.p.slot, title, which("what-which", s.at, func() []Pickable { return a.of.others(&tree, s) }))
		}
	})
	for _, by := range []int{-1, 1} {
		word := map[int]string{-1: "minus", 1: "plus"}[by]
		if number.v == nil || number.v.N+by < 1 || number.v.N+by > t.number {
			continue
		}
		if made, ok := t.change(a.root, &tree, Order{Do: "set", At: number.at, N: number.v.N + by}); ok && a.of.fits(*made) {
			ways = slices.Insert(ways, 1, way{cardgame.Key(word, "what-"+word), func() { a.says(*made) }})
		}
	}
	ways = append(ways, way{cardgame.Choose("how", "what-how"), which("what-how", "", func() (all []Pickable) {
		for _, s := range joins {
			all = append(all, a.of.others(&tree, s)...)
		}
		return all
	})})
	if t.effects(a.root, tree) < maxAsked {
		ways = append(ways, way{cardgame.Choose("then", "what-then"),
			which("what-then", "", func() []Pickable { return a.of.verbs(&tree) })})
	}
	a.ask(q, ways, "what-back", func() { Ask(a.desk, a.q, a.of, a.then, a.byHand) })
}

const maxAsked = 2 // effects of an ability that is picked at the table

// effects counts the effects of a sentence.
func (t *Table) effects(root piece, tree Slot) int {
	b := builder{t: t}
	b.collect(top(root, &tree, grammar{}))
	return len(b.effects)
}
