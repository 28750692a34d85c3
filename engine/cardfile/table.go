package cardfile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tableside/engine"
)

// A Table is a card language as rows. A row has an id, slots, its sentence in each language,
// and words by which people may look for it. Abilities are read and written from the same rows:
//
//	verb lose | lose | loses | perdez | perdre | perd
//	row lose-life effect theirs | {lose} {n} life | {lose} {n} PV | damage dégât
//	alt deed you | {effect} | {effect}
//	alt deed opponent | your opponent {^theirs} | votre adversaire {^theirs}
//	alt wish may | you may {~effect} | vous pouvez {~effect}
//
// A verb has two English forms, and three French ones: imperative, infinitive, third person.
// The words behind the id of a row are the slots in which it may stand. A line "alt" is a row
// of one slot that only joins others. In a sentence,
//
//	{n} {m} {1}    is a number, such as "2"; {1} is only 1; {n:count} has a name
//	d'une{1}       is the words "d'une", which hold the number 1
//	{m:high}       is not less than {m:low} before it
//	{id:card}      is the id of a card
//	one/several    agrees with the number before it, which {m} does not change
//	{=2}           makes what follows plural, as behind "all", and {=1} singular
//	{lose} {votre} is a verb, or one of ownerWords
//	{effect}       is a slot
//	{^effect}      is a slot about another person, as in "your opponent loses 1 life"
//	{~effect}      is a slot behind "you may", for sentences with a verb
//	{!count}       is a slot about you in a sentence about another person
//	{keyword+}     is a list of different rows, in the order of the table
//
// A row whose id ends with "!" exists only in sentences about another person.
//
// A form offers the rows of sentences in tiles, and names the slots of a sentence:
//
//	tile | Life | Vie | gain-life lose-life
//	name side | whose | à qui
type Table struct {
	verbs  map[string][5][]string
	rows   map[string][]tableRow // by their slots
	number int                   // the greatest
	tiles  []tile
	names  map[string][2]string // of slots

	effectSlots map[string]bool     // whose rows are effects
	bearing     map[string]bool     // the slots that may hold an effect
	search      map[string][]string // the words by which people look for effects, by row
	verbOf      map[string]string   // the verbs by the first words of their forms
}

type tile struct {
	title [2]string
	rows  []string
}

type tableRow struct {
	id     string
	joins  bool // a line "alt"
	theirs bool // its id ends with "!"
	verb   bool // it has a verb, or joins rows
	in     [2][]piece
	slots  []piece // the pieces of in[0] that hold something
	search []string
}

// A piece is a word of a sentence, or what stands for words in it.
type piece struct {
	kind       pieceKind
	text, many string // a word and its plural, or what stands in braces
	slot, sign string // the name of a slot, and what stands before a number
	mood       int    // of a slot; moodOrder for that of the sentence, moodYours for moodOrder

	// The words of a word, singular and plural, or by language and mood those of a verb or of one
	// of ownerWords; nil for any other piece.
	fixed *[2][3][]string
}

type pieceKind uint8

const (
	pieceWord pieceKind = iota
	pieceAgree
	pieceNumber
	pieceID
	pieceNamed // a verb, one of ownerWords, or a slot
	pieceList
)

// Moods of a sentence: "gain", "(you may) gain", "(they) gains".
const (
	moodOrder = iota
	moodBare
	moodTheirs
	moodYours
)

// ownerWords holds the words that depend on whom a sentence is about: on you, or on another.
var ownerWords = map[string][2]string{
	"your": {"your", "their"}, "votre": {"votre", "son"}, "votref": {"votre", "sa"}, "vos": {"vos", "ses"},
}

// listJoints holds the words between the last two items of a list.
var listJoints = [2]string{"and", "et"}

// ParseTable reads a table whose numbers go up to high.
func ParseTable(file, source string, high int) (*Table, error) {
	t := &Table{verbs: map[string][5][]string{}, rows: map[string][]tableRow{}, names: map[string][2]string{},
		effectSlots: map[string]bool{}, bearing: map[string]bool{}, search: map[string][]string{},
		verbOf: map[string]string{}, number: high}
	for i, line := range slices.Collect(strings.Lines(source)) {
		columns := strings.Split(strings.TrimSpace(line), "|")
		head := strings.Fields(columns[0])
		switch columns = columns[1:]; {
		case len(head) == 0 || head[0] == "#":
		case head[0] == "verb" && len(head) == 2 && len(columns) == 5:
			var forms [5][]string
			for i := range forms {
				forms[i] = strings.Fields(columns[i])
			}
			t.verbs[head[1]] = forms
		case (head[0] == "row" || head[0] == "alt") && len(head) > 2 && len(columns) > 1:
			r := tableRow{id: head[1], joins: head[0] == "alt", search: strings.Fields(strings.Join(columns[2:], " "))}
			r.in[0], r.in[1] = piecesOf(columns[0]), piecesOf(columns[1])
			slots := head[2:]
			if r.joins {
				r.id, slots = head[2], head[1:2]
			}
			r.id, r.theirs = strings.CutSuffix(r.id, "!")
			for _, slot := range slots {
				t.rows[slot] = append(t.rows[slot], r)
			}
		case head[0] == "tile" && len(head) == 1 && len(columns) == 3:
			title := [2]string{strings.TrimSpace(columns[0]), strings.TrimSpace(columns[1])}
			t.tiles = append(t.tiles, tile{title, strings.Fields(columns[2])})
		case head[0] == "name" && len(head) == 2 && len(columns) == 2:
			t.names[head[1]] = [2]string{strings.TrimSpace(columns[0]), strings.TrimSpace(columns[1])}
		default:
			return nil, &engine.SyntaxError{File: file, Line: i + 1, Column: 1, Reason: fmt.Sprintf("%q is no row", line)}
		}
	}
	for _, rows := range t.rows {
		for i := range rows {
			r := &rows[i]
			for _, p := range slices.Concat(r.in[0], r.in[1]) {
				_, verb := t.verbs[p.text]
				r.verb = r.verb || r.joins || p.kind == pieceNamed && verb
			}
			for lang := range r.in {
				for j := range r.in[lang] {
					r.in[lang][j].fix(t.verbs)
				}
			}
			for _, p := range r.in[0] {
				if p.kind >= pieceNumber && p.fixed == nil {
					r.slots = append(r.slots, p)
				}
			}
		}
	}
	t.index()
	return t, nil
}

func (p *piece) fix(verbs map[string][5][]string) {
	forms, isVerb := verbs[p.text]
	owner, isOwner := ownerWords[p.text]
	switch {
	case p.kind == pieceWord:
		p.fixed = &[2][3][]string{{{p.text}, {p.many}}}
	case p.kind != pieceNamed:
	case isVerb:
		p.fixed = &[2][3][]string{{forms[0], forms[0], forms[1]}, {forms[2], forms[3], forms[4]}}
	case isOwner:
		you, they := owner[:1], owner[1:]
		p.fixed = &[2][3][]string{{you, you, they}, {you, you, they}}
	}
}

func piecesOf(sentence string) (all []piece) {
	for _, word := range strings.Fields(sentence) {
		sign, inside, braces := strings.Cut(strings.TrimSuffix(word, "}"), "{")
		what, slot, named := strings.Cut(strings.TrimLeft(inside, "~^!"), ":")
		if !named {
			slot = strings.TrimSuffix(what, "+")
		}
		p := piece{kind: pieceNamed, text: what, slot: slot, sign: sign}
		switch {
		case !braces:
			p = piece{}
			p.text, p.many, _ = strings.Cut(word, "/")
		case what[0] == '=':
			p.kind = pieceAgree
		case what == "n" || what == "m" || what == "1":
			p.kind = pieceNumber
		case what == "id":
			p.kind = pieceID
		case strings.HasSuffix(what, "+"):
			p.kind, p.text = pieceList, slot
		case inside[0] == '~':
			p.mood = moodBare
		case inside[0] == '^':
			p.mood = moodTheirs
		case inside[0] == '!':
			p.mood = moodYours
		}
		all = append(all, p)
	}
	return all
}

// wordFor1 returns the word of a sentence that holds the number 1, or "".
func (p piece) wordFor1() string { return strings.Trim(p.sign, "+-") }

// A Slot holds a number, a row with its own slots, a list of them, or the id of a card as its Row.
type Slot struct {
	Name  string `json:"name,omitempty"`
	N     int    `json:"n,omitempty"`
	Row   string `json:"row,omitempty"`
	Slots []Slot `json:"slots,omitempty"`
}

// A grammar holds what words depend on at a place of a sentence.
type grammar struct{ lang, mood, n int }

// behind returns the grammar behind a piece that holds a number.
func (g grammar) behind(p piece, n int) grammar {
	if p.text != "m" {
		g.n = n
	}
	return g
}

func (g grammar) inside(p piece) grammar {
	switch p.mood {
	case moodOrder:
	case moodYours:
		g.mood = moodOrder
	default:
		g.mood = p.mood
	}
	return g
}

// words returns the words of a piece. For a slot, the result is nil.
func (t *Table) words(p piece, g grammar) []string {
	switch {
	case p.fixed == nil:
		return nil
	case p.kind == pieceWord && p.many != "" && g.n != 1:
		return p.fixed[0][1]
	case p.kind == pieceWord:
		return p.fixed[0][0]
	}
	return p.fixed[g.lang][g.mood]
}

// rowsIn returns the rows that may stand in a slot of a sentence.
func (t *Table) rowsIn(p piece, g grammar) (list []tableRow) {
	for _, r := range t.rows[p.text] {
		if r.fits(p, g) {
			list = append(list, r)
		}
	}
	return list
}

func (r *tableRow) fits(p piece, g grammar) bool {
	return (!r.theirs || g.mood == moodTheirs) && (r.verb || p.mood != moodBare)
}

// Write returns what a slot holds as a sentence.
func (t *Table) Write(lang engine.Lang, said Slot) string {
	return t.write(rootOf(said.Name), said, grammar{lang: slices.Index(engine.Languages, lang)})
}

// spaced joins words and the signs between them.
func spaced(lang engine.Lang, words []string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 && word != "," && word != "." && (word != ":" || lang == engine.French) {
			b.WriteByte(' ')
		}
		if i > 0 && words[i-1] == "." {
			word = engine.Capital(word)
		}
		b.WriteString(word)
	}
	return b.String()
}

func numeral(p piece, n int) []string {
	if word := p.wordFor1(); word != "" {
		return []string{word}
	}
	if n == 0 { // not yet set
		return []string{p.sign + "…"}
	}
	return []string{p.sign + fmt.Sprint(n)}
}

// told is a word with the place of the slot that it belongs to.
type told struct{ text, at string }

// tell returns the words for what a slot holds, and the grammar behind them. It shows each slot to
// meet, unless that is nil.
func (t *Table) tell(s spot, meet func(spot)) (all []told, behind grammar) {
	add := func(words ...string) {
		for _, word := range words {
			all = append(all, told{word, s.at})
		}
	}
	if meet != nil {
		meet(s)
	}
	inside := s.g.inside(s.p)
	switch s.p.kind {
	case pieceNumber:
		add(numeral(s.p, s.v.N)...)
		return all, s.g.behind(s.p, s.v.N)
	case pieceID:
		add(s.v.Row)
		return all, s.g
	case pieceList:
		p := s.p
		p.kind = pieceNamed
		for i := range s.v.Slots {
			switch {
			case i > 0 && i == len(s.v.Slots)-1:
				add(listJoints[s.g.lang])
			case i > 0:
				add(",")
			}
			words, _ := t.tell(spot{at: s.at, p: p, g: inside, v: &s.v.Slots[i]}, nil)
			all = append(all, words...)
		}
		return all, s.g
	}
	rows, n := t.rows[s.p.text], 0
	i := slices.IndexFunc(rows, func(r tableRow) bool { return r.id == s.v.Row })
	if i < 0 {
		return nil, s.g
	}
	for _, p := range rows[i].in[s.g.lang] {
		words := t.words(p, inside)
		switch {
		case words != nil:
			add(words...)
		case p.kind == pieceAgree:
			inside.n = int(p.text[1] - '0')
		default:
			in := spot{s.at + "." + strconv.Itoa(n), p, inside, &Slot{}, s.v}
			if n < len(s.v.Slots) {
				in.v = &s.v.Slots[n]
			}
			var more []told
			more, inside = t.tell(in, meet)
			all, n = append(all, more...), n+1
		}
	}
	behind = s.g
	behind.n = inside.n
	return all, behind
}

// write returns what a slot holds as words.
func (t *Table) write(p piece, said Slot, g grammar) string {
	all, _ := t.tell(top(p, &said, g), nil)
	words := make([]string, len(all))
	for i, word := range all {
		words[i] = word.text
	}
	return spaced(engine.Languages[g.lang], words)
}
