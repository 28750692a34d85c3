package cardfile

import (
	"slices"
	"strings"

	"tableside/engine"
)

// A drawing is a Picked that is being made.
type drawing struct {
	t     *Table
	root  spot
	lang  engine.Lang
	made  Picked
	next  PickedLine          // what comes before the next effect
	slots map[string]bool     // the places that can be set
	rows  map[string]tableRow // those that join effects, by place
}

// draw shows a tree, or an ability that says nothing.
func (t *Table) draw(root piece, lang engine.Lang, tree *Slot) Picked {
	d := drawing{t: t, lang: lang, slots: map[string]bool{}, rows: map[string]tableRow{}}
	d.made = Picked{Tree: tree, Said: map[engine.Lang]string{}, Words: []PickedWords{}, Lines: []PickedLine{}}
	if tree == nil {
		return d.made
	}
	for _, lang := range engine.Languages {
		d.made.Said[lang] = t.Write(lang, *tree)
	}
	d.root = top(root, tree, grammar{lang: slices.Index(engine.Languages, lang)})
	words, _ := t.tell(d.root, d.meet)
	d.write(words)
	b := builder{t: t}
	b.collect(d.root)
	b.hold("", Slot{})
	_, more := b.build(d.root, true)
	d.made.Full = !more
	for i := range d.made.Lines {
		line := &d.made.Lines[i]
		line.Later = i+1 < len(d.made.Lines) && d.may(Order{Do: "move", At: line.At, N: 1})
	}
	return d.made
}

// meet takes a slot into the lines.
func (d *drawing) meet(s spot) {
	r, _ := d.t.row(s.p, s.g, s.v.Row)
	n := len(d.made.Lines)
	inEffect := n > 0 && within(s.at, d.made.Lines[n-1].At)
	switch {
	case s.p.kind == pieceNamed && !inEffect && d.t.isEffect(s.p.text, r):
		d.next.At = s.at
		d.made.Lines, d.next = append(d.made.Lines, d.next), PickedLine{}
	case r.joins && d.t.bears(s.p):
		d.rows[s.at] = r
		d.join(s)
	case s.p.kind != pieceNamed && s.p.text != "1" || len(d.t.rowsIn(s.p, s.g)) > 1:
		d.slots[s.at] = true
		if made := d.offer(s); inEffect {
			d.made.Lines[n-1].Slots = append(d.made.Lines[n-1].Slots, made)
		} else {
			d.next.Joins = append(d.next.Joins, made)
		}
	}
}

func within(at, place string) bool { return at == place || strings.HasPrefix(at, place+".") }

// above returns the nearest place among some at or above another one, or "".
func above[V any](at string, among map[string]V) string {
	for at != "" {
		if _, is := among[at]; is {
			return at
		}
		at = at[:max(strings.LastIndexByte(at, '.'), 0)]
	}
	return ""
}

// write takes words into the sentence and the lines: those of effects, and those of the rows that
// join these.
func (d *drawing) write(words []told) {
	var before, says, joint []string
	n, row := -1, "" // the last effect so far, and the row of the words behind it
	for i, w := range words {
		is := slices.IndexFunc(d.made.Lines, func(line PickedLine) bool { return within(w.at, line.At) })
		at := PickedWords{At: above(w.at, d.slots), Line: is, Join: is < 0}
		now := ""
		if is < 0 {
			at.Line, now = n+1, above(w.at, d.rows)
		}
		if (now != row || is > n) && n+1 < len(d.made.Lines) {
			says = append(says, d.joint(&d.made.Lines[n+1], row, joint, n)...)
			joint = nil
		}
		row = now
		if is < 0 {
			joint = append(joint, w.text)
		} else {
			says, n = append(says, w.text), is
		}
		if is >= 0 && (i+1 == len(words) || !within(words[i+1].at, d.made.Lines[is].At)) {
			d.made.Lines[is].Says, says = spaced(d.lang, says), nil
		}
		text := spaced(d.lang, append(slices.Clip(before), w.text))[len(spaced(d.lang, before)):]
		before = append(before, w.text)
		if last := len(d.made.Words) - 1; i > 0 && d.made.Words[last].with("") == at {
			d.made.Words[last].Text += text
		} else {
			d.made.Words = append(d.made.Words, at.with(text))
		}
	}
}

func (w PickedWords) with(text string) PickedWords {
	w.Text = text
	return w
}

// joint takes the words of a row that joins an effect behind the one with a number. It returns
// those that name the person of the effect.
func (d *drawing) joint(line *PickedLine, row string, all []string, behind int) []string {
	if len(all) == 0 {
		return nil
	}
	second := behind >= 0 && within(d.made.Lines[behind].At, row)
	line.Hangs = line.Hangs || all[0] == "," || second && all[0] != "."
	words := slices.DeleteFunc(slices.Clone(all), isSign)
	if slices.ContainsFunc(d.rows[row].slots, func(p piece) bool { return p.mood == moodTheirs }) {
		return words
	}
	if len(words) > 0 {
		line.Joints = append(line.Joints, spaced(d.lang, words))
	}
	return nil
}

func isSign(word string) bool { return word == "," || word == ":" || word == "." }

// offer returns a slot with what it may hold.
func (d *drawing) offer(s spot) PickedSlot {
	of := slices.Index(engine.Languages, d.lang)
	made := PickedSlot{At: s.at, Title: d.t.names[s.p.slot][of], N: s.v.N}
	switch s.p.kind {
	case pieceID:
		made.Card = s.v.Row
	case pieceNumber:
		made.High = d.t.number
	default:
		made.Several = s.p.kind == pieceList
		p := s.p
		p.kind = pieceNamed
		for _, r := range d.t.rowsIn(s.p, s.g) {
			v := d.t.freshRow(s.p, s.g, r)
			d.t.each(top(p, &v, s.g), func(in spot) {
				if in.p.kind == pieceNumber && in.p.text != "1" {
					in.v.N = 0
				}
			})
			on := r.id == s.v.Row || slices.ContainsFunc(s.v.Slots, func(v Slot) bool { return made.Several && v.Row == r.id })
			made.Choices = append(made.Choices, PickedChoice{Row: r.id, Says: d.t.write(p, v, s.g), On: on})
		}
	}
	return made
}

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
				words = strings.Fields(d.t.write(p, d.t.fresh(p, g), g))
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
