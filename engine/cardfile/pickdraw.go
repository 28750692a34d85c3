package cardfile

import (
	"slices"

	"tableside/engine"
)

// A drawing is a Picked that is being made.
type drawing struct {
	t       *Table
	root    spot
	lang    engine.Lang
	made    Picked
	drawn   []drawnWord
	next    PickedLine // what comes before the next effect
	joint   []string   // the words of the row that joins it, so far
	subject []string   // the words before its verb
	says    []string   // the words of the present effect
}

type drawnWord struct {
	text string
	PickedWords
}

// A holder says what words belong to: an effect, or what joins it, and the slot that can be set.
type holder struct {
	at     string
	effect bool
}

// draw shows a tree, or an ability that says nothing.
func (t *Table) draw(root piece, lang engine.Lang, tree *Slot) Picked {
	d := drawing{t: t, lang: lang}
	d.made = Picked{Tree: tree, Said: map[engine.Lang]string{}, Words: []PickedWords{}, Lines: []PickedLine{}}
	if tree == nil {
		return d.made
	}
	for _, lang := range engine.Languages {
		d.made.Said[lang] = t.Write(lang, *tree)
	}
	d.root = top(root, tree, grammar{lang: slices.Index(engine.Languages, lang)})
	d.slot(d.root, d.root.g, holder{})
	b := builder{t: t}
	b.collect(d.root)
	b.hold("", Slot{})
	_, more := b.build(d.root, true)
	d.made.Full = !more
	for i := range d.made.Lines {
		line := &d.made.Lines[i]
		line.Later = i+1 < len(d.made.Lines) && d.may(Order{Do: "move", At: line.At, N: 1})
	}
	d.group()
	return d.made
}

// slot draws a slot, and returns the grammar behind it.
func (d *drawing) slot(s spot, g grammar, in holder) grammar {
	s.g = g
	r, _ := d.t.row(s.p, g, s.v.Row)
	starts := !in.effect && d.t.isEffect(s.p.text, r)
	joins := r.joins && d.t.bears(s.p)
	switch {
	case starts:
		d.next.At, in.effect = s.at, true
		d.made.Lines = append(d.made.Lines, d.next)
		d.next, d.says, d.subject = PickedLine{}, d.subject, nil
	case joins:
		d.join(s)
	case d.t.choices(s):
		in.at = s.at
		d.offer(s, in)
	}
	inner, slots, bearing := g.inside(s.p), d.t.inside(s), 0
	for _, p := range r.in[g.lang] {
		words := d.t.words(p, inner)
		if words != nil {
			d.write(words, in)
			continue
		}
		if p.kind == pieceAgree {
			inner.n = int(p.text[1] - '0')
			continue
		}
		one := slots[0]
		slots = slots[1:]
		switch {
		case p.kind == pieceNumber:
			d.offer(one, in)
			inner = inner.behind(p, one.v.N)
			at := in
			if p.text != "1" {
				at.at = one.at
			}
			d.write(numeral(p, one.v.N), at)
		case p.kind == pieceID:
			d.offer(one, in)
			d.write([]string{one.v.Row}, holder{one.at, in.effect})
		case p.kind == pieceList:
			d.offer(one, in)
			d.list(one, inner, holder{one.at, in.effect})
		case joins && d.t.bears(p):
			d.flush(p.mood == moodTheirs, bearing > 0)
			bearing++
			inner = d.slot(one, inner, in)
		default:
			inner = d.slot(one, inner, in)
		}
	}
	if starts {
		line := &d.made.Lines[len(d.made.Lines)-1]
		line.Says = spaced(d.lang, d.says)
	}
	g.n = inner.n
	return g
}

func (d *drawing) list(s spot, g grammar, in holder) {
	for i, item := range s.v.Slots {
		switch {
		case i > 0 && i == len(s.v.Slots)-1:
			d.write([]string{listJoints[g.lang]}, in)
		case i > 0:
			d.write([]string{","}, in)
		}
		words, _ := d.t.say(s.p, item, g)
		d.write(words, in)
	}
}

func (d *drawing) write(words []string, in holder) {
	line := len(d.made.Lines)
	if in.effect {
		line--
		d.says = append(d.says, words...)
	} else {
		d.joint = append(d.joint, words...)
	}
	for _, word := range words {
		d.drawn = append(d.drawn, drawnWord{word, PickedWords{At: in.at, Line: line, Join: !in.effect}})
	}
}

// flush ends the words of a row that joins the next effect.
func (d *drawing) flush(theirs, second bool) {
	words := slices.DeleteFunc(slices.Clone(d.joint), isSign)
	switch {
	case theirs:
		d.subject = append(d.subject, words...)
	case len(words) > 0:
		d.next.Joints = append(d.next.Joints, spaced(d.lang, words))
	}
	if len(d.joint) > 0 {
		d.next.Hangs = d.next.Hangs || d.joint[0] == "," || second && d.joint[0] != "."
	}
	d.joint = nil
}

func isSign(word string) bool { return word == "," || word == ":" || word == "." }

// group joins the words that belong together.
func (d *drawing) group() {
	var before []string
	for i, w := range d.drawn {
		text := spaced(d.lang, append(slices.Clip(before), w.text))[len(spaced(d.lang, before)):]
		before = append(before, w.text)
		last := len(d.made.Words) - 1
		if i > 0 && d.drawn[i-1].PickedWords == w.PickedWords {
			d.made.Words[last].Text += text
			continue
		}
		w.PickedWords.Text = text
		d.made.Words = append(d.made.Words, w.PickedWords)
		w.PickedWords.Text = ""
	}
}

// offer adds a slot to those of the present effect, or to what joins the next one.
func (d *drawing) offer(s spot, in holder) {
	of := slices.Index(engine.Languages, d.lang)
	made := PickedSlot{At: s.at, Title: d.t.names[s.p.slot][of], N: s.v.N}
	switch s.p.kind {
	case pieceID:
		made.Card = s.v.Row
	case pieceNumber:
		if made.High = d.t.number; s.p.text == "1" {
			return
		}
	default:
		made.Several = s.p.kind == pieceList
		for _, r := range d.t.rowsIn(s.p, s.g) {
			v := d.t.freshRow(s.p, s.g, r)
			d.t.each(top(s.p, &v, s.g), func(in spot) {
				if in.p.kind == pieceNumber && in.p.text != "1" {
					in.v.N = 0
				}
			})
			words, _ := d.t.say(s.p, v, s.g)
			on := r.id == s.v.Row || slices.ContainsFunc(s.v.Slots, func(v Slot) bool { return made.Several && v.Row == r.id })
			made.Choices = append(made.Choices, PickedChoice{Row: r.id, Says: spaced(d.lang, words), On: on})
		}
	}
	if in.effect {
		line := &d.made.Lines[len(d.made.Lines)-1]
		line.Slots = append(line.Slots, made)
	} else {
		d.next.Joins = append(d.next.Joins, made)
	}
}

// choices reports whether a slot may hold more than one row.
func (t *Table) choices(s spot) bool { return len(t.rowsIn(s.p, s.g)) > 1 }

// join adds the other rows that may join an effect.
func (d *drawing) join(s spot) {
	var rows []tableRow
	plain := ""
	for _, r := range d.t.rowsIn(s.p, s.g) {
		if !slices.ContainsFunc(r.slots, d.t.bears) {
			continue
		}
		if len(d.t.joining(r)) == 0 {
			plain = r.id
		} else {
			rows = append(rows, r)
		}
	}
	made := PickedSlot{At: s.at}
	for _, r := range rows {
		one := PickedChoice{Row: r.id, Says: d.label(s, r), On: r.id == s.v.Row}
		if one.On && plain != "" {
			one.Row = plain
		}
		one.Off = one.Row != s.v.Row && !d.may(Order{Do: "set", At: s.at, Row: one.Row})
		made.Choices = append(made.Choices, one)
	}
	if len(made.Choices) > 1 || len(made.Choices) == 1 && plain != "" {
		d.next.Joins = append(d.next.Joins, made)
	}
}

// may reports whether an order can be carried out.
func (d *drawing) may(o Order) bool {
	made, ok := d.t.change(d.root.p, d.root.v, o)
	return ok && d.t.sound(d.root.p.text, *made)
}

// label returns the words with which a row joins effects, with signs for these.
func (d *drawing) label(s spot, r tableRow) string {
	const gap = "…"
	var own, all []string
	g := s.g.inside(s.p)
	for _, p := range r.in[s.g.lang] {
		words := d.t.words(p, g)
		own = append(own, words...)
		if words == nil && p.kind == pieceNamed {
			if own = append(own, gap); !d.t.bears(p) {
				words, _ = d.t.say(p, d.t.fresh(p, g), g)
			}
		}
		all = append(all, words...)
	}
	own = slices.Compact(slices.DeleteFunc(own, isSign))
	if len(own) == 1 && own[0] == gap {
		return spaced(d.lang, slices.DeleteFunc(all, isSign))
	}
	if n := len(own); n > 2 && own[n-1] == gap || n == 2 && own[0] != "if" && own[0] != "si" && own[1] == gap {
		own = own[:n-1]
	}
	return spaced(d.lang, own)
}
