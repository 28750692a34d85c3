package cardfile

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// ErrPick is the error of an Order that cannot be carried out: its tree is none of the table,
// or names a slot or a row that is not there.
var ErrPick = errors.New("this is not in the table of what cards do")

// A Pick is a row that a form offers.
type Pick struct {
	Row    string `json:"row"`
	Says   string `json:"says"`   // its sentence, with what its slots hold at first
	Search string `json:"search"` // words by which it is found, in every language
}

// A Tile holds the rows that a form offers together.
type Tile struct {
	Title string `json:"title"`
	Picks []Pick `json:"picks"`
}

// Picked is an ability as a form shows it.
type Picked struct {
	Tree  *Slot                  `json:"tree"` // nil if it says nothing
	Said  map[engine.Lang]string `json:"said"` // its sentence
	Words []PickedWords          `json:"words"`
	Lines []PickedLine           `json:"lines"`
	Full  bool                   `json:"full,omitempty"` // no effect can follow
}

// PickedWords are words of a sentence that belong together. A space before them belongs to the
// text.
type PickedWords struct {
	Text string `json:"text"`
	At   string `json:"at,omitempty"` // of the slot that can be set here
	Line int    `json:"line"`         // of Picked.Lines
	Join bool   `json:"join,omitempty"`
}

// A PickedLine is an effect of an ability.
type PickedLine struct {
	At     string       `json:"at"`
	Joints []string     `json:"joints,omitempty"` // the words before it: "then", "you may"
	Says   string       `json:"says"`
	Hangs  bool         `json:"hangs,omitempty"` // it happens only if what comes before it does
	Joins  []PickedSlot `json:"joins,omitempty"` // what joins it to others
	Slots  []PickedSlot `json:"slots,omitempty"`
	Later  bool         `json:"later,omitempty"` // it may change places with the next one
}

// A PickedSlot is a slot with what it may hold: a number from 1 to High, one of the choices or
// several of them, or the id of a Card.
type PickedSlot struct {
	At      string         `json:"at"`
	Title   string         `json:"title,omitempty"`
	N       int            `json:"n,omitempty"`
	High    int            `json:"high,omitempty"`
	Several bool           `json:"several,omitempty"`
	Card    string         `json:"card,omitempty"`
	Choices []PickedChoice `json:"choices,omitempty"`
}

// A PickedChoice is a row that a slot may hold. Row is what an Order names to choose it, or to
// put it off.
type PickedChoice struct {
	Row  string `json:"row"`
	Says string `json:"says"` // "" for a row without words
	On   bool   `json:"on,omitempty"`
	Off  bool   `json:"off,omitempty"` // it does not fit here
}

// Tiles returns the rows that may begin what the field of a control holds, in the tiles of its table.
func (c Control) Tiles(lang engine.Lang) (tiles []Tile) {
	t := c.Table
	of := slices.Index(engine.Languages, lang)
	for _, tile := range t.tiles {
		made := Tile{Title: tile.title[of]}
		for _, id := range tile.rows {
			all := t.holding(rootOf(c.Slot), grammar{}, id)
			all = slices.DeleteFunc(all, func(v Slot) bool { return c.Fits != nil && !c.Fits(v) })
			if len(all) == 0 {
				continue
			}
			one := Pick{Row: id, Says: engine.Capital(t.Write(lang, all[0]))}
			words := append(tile.title[:], t.search[id]...)
			for _, lang := range engine.Languages {
				words = append(words, t.Write(lang, all[0]))
			}
			one.Search = strings.Join(words, " ")
			made.Picks = append(made.Picks, one)
		}
		if len(made.Picks) > 0 {
			tiles = append(tiles, made)
		}
	}
	return tiles
}

func rootOf(slot string) piece { return piece{kind: pieceNamed, text: slot, slot: slot} }

// isEffect reports whether a row is an effect.
func (t *Table) isEffect(slot string, r tableRow) bool { return !r.joins && t.effectSlots[slot] }

// index finds the slots of effects, whose rows are all offered in tiles, and the words by which
// people look for these: all forms of their verbs, and those that the rows name.
func (t *Table) index() {
	offered := map[string]bool{}
	for _, tile := range t.tiles {
		for _, id := range tile.rows {
			offered[id] = true
		}
	}
	for slot, rows := range t.rows {
		if slices.ContainsFunc(rows, func(r tableRow) bool { return !r.joins && !offered[r.id] }) {
			continue
		}
		t.effectSlots[slot] = true
		for _, r := range rows {
			words := append(t.search[r.id], r.search...)
			for _, p := range r.in[0] {
				for _, form := range t.verbs[p.text] {
					words = append(words, form...)
				}
			}
			slices.Sort(words)
			t.search[r.id] = slices.Compact(words)
		}
	}
	for slot := range t.rows {
		t.bearing[slot] = t.leads(slot, nil)
	}
	for verb, forms := range t.verbs {
		for _, form := range forms {
			if first := form[0]; t.verbOf[first] == "" || verb < t.verbOf[first] {
				t.verbOf[first] = verb
			}
		}
	}
}

// row returns the row with an id that may stand in a slot.
func (t *Table) row(p piece, g grammar, id string) (tableRow, bool) {
	for i := range t.rows[p.text] {
		if r := &t.rows[p.text][i]; r.id == id && r.fits(p, g) {
			return *r, true
		}
	}
	return tableRow{}, false
}

// bears reports whether a slot may hold an effect.
func (t *Table) bears(p piece) bool { return t.bearing[p.text] }

func (t *Table) leads(slot string, above []string) bool {
	if slices.Contains(above, slot) {
		return false
	}
	return slices.ContainsFunc(t.rows[slot], func(r tableRow) bool {
		return t.isEffect(slot, r) || r.joins && slices.ContainsFunc(r.slots, func(p piece) bool {
			return p.kind == pieceNamed && t.leads(p.text, append(slices.Clip(above), slot))
		})
	})
}

// fits reports whether a tree may stand in a slot.
func (t *Table) fits(p piece, v Slot, g grammar) bool {
	switch {
	case v.Name != p.slot:
		return false
	case p.kind == pieceNumber:
		return v.N >= 1 && v.N <= t.number && (v.N == 1 || p.text != "1") && v.Row == "" && len(v.Slots) == 0
	case p.kind == pieceID:
		return engine.IsWord(v.Row) && v.N == 0 && len(v.Slots) == 0
	case p.kind == pieceList:
		last := -1
		for _, one := range v.Slots {
			at := slices.IndexFunc(t.rows[p.text], func(r tableRow) bool { return r.id == one.Row })
			if at <= last || one.Name != "" || one.N != 0 || len(one.Slots) > 0 {
				return false
			}
			last = at
		}
		return last >= 0 && v.Row == "" && v.N == 0
	}
	r, known := t.row(p, g, v.Row)
	slots := r.slots
	if !known || len(slots) != len(v.Slots) || v.N != 0 {
		return false
	}
	for i, in := range slots {
		if !t.fits(in, v.Slots[i], g.inside(p)) {
			return false
		}
	}
	return true
}

// fresh returns what a slot holds at first.
func (t *Table) fresh(p piece, g grammar) Slot {
	switch p.kind {
	case pieceNumber:
		return Slot{Name: p.slot, N: 1}
	case pieceID:
		return Slot{Name: p.slot, Row: "card-id"}
	}
	rows := t.rowsIn(p, g)
	switch {
	case len(rows) == 0:
		return Slot{Name: p.slot}
	case p.kind == pieceList:
		return Slot{Name: p.slot, Slots: []Slot{{Row: rows[0].id}}}
	}
	return t.freshRow(p, g, rows[0])
}

func (t *Table) freshRow(p piece, g grammar, r tableRow) Slot {
	v := Slot{Name: p.slot, Row: r.id}
	for _, in := range r.slots {
		v.Slots = append(v.Slots, t.fresh(in, g.inside(p)))
	}
	return v
}

// A spot is a slot of a tree. Its place is "0" for the whole tree, "0.1" for the second slot of it.
type spot struct {
	at string
	p  piece
	g  grammar
	v  *Slot
	of *Slot // that it is a slot of
}

func top(p piece, v *Slot, g grammar) spot { return spot{at: "0", p: p, g: g, v: v} }

// inside returns the slots of the row in a spot.
func (t *Table) inside(s spot) (all []spot) {
	if s.p.kind != pieceNamed {
		return nil
	}
	r, _ := t.row(s.p, s.g, s.v.Row)
	for i, in := range r.slots {
		all = append(all, spot{s.at + "." + strconv.Itoa(i), in, s.g.inside(s.p), &s.v.Slots[i], s.v})
	}
	return all
}

// each visits a spot and all below it.
func (t *Table) each(s spot, visit func(spot)) {
	visit(s)
	for _, in := range t.inside(s) {
		t.each(in, visit)
	}
}

// find returns the spot with a place, at or below another one.
func (t *Table) find(s spot, at string) (found spot, ok bool) {
	t.each(s, func(in spot) {
		if in.at == at {
			found, ok = in, true
		}
	})
	return found, ok
}
